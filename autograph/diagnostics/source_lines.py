"""Reads the user's source lines and statements at a frame, for error messages."""

from __future__ import annotations

import types
import warnings
from functools import lru_cache
from typing import Any

import gast

from autograph.syntax.code_markers import AG
from autograph.syntax.exec_source import lines_of
from autograph.syntax.source import parse_module


def lines_at(frame: types.FrameType) -> list[str]:
    """Return the lines of a frame's file; empty when there are none."""
    return lines_of(frame.f_code.co_filename, frame.f_globals)


def tree_at(frame: types.FrameType) -> gast.Module | None:
    """Return the tree of a frame's file, or None."""
    return tree_of(frame.f_code.co_filename, frame.f_globals)


def tree_of(file: str, namespace: dict[str, Any]) -> gast.Module | None:
    """Return the tree of the file that holds functions with these globals, or None."""
    return _tree("".join(lines_of(file, namespace)), file)


@lru_cache(maxsize=4)
def _tree(text: str, filename: str) -> gast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return parse_module(text, filename)
    except (SyntaxError, ValueError, RecursionError):
        return None


def is_operand(frame: types.FrameType) -> bool:
    """Whether a frame runs a lambda that conversion put around an operand, in a converted file."""
    tree = tree_at(frame)
    places = frozenset[Position]() if tree is None else _operands(tree)
    return any(span in places for span in frame.f_code.co_positions())


@lru_cache(maxsize=4)
def _operands(tree: gast.Module) -> frozenset[Position]:
    """Return the positions of the bodies of lambdas that are arguments of operators."""
    lambdas = (
        argument
        for node in gast.walk(tree)
        if isinstance(node, gast.Call) and getattr(node.func, "value", None) is not None
        if getattr(node.func.value, "id", None) == AG
        for argument in node.args
        if isinstance(argument, gast.Lambda)
    )
    bodies = (node.body for node in lambdas)
    return frozenset(
        (body.lineno, body.end_lineno, body.col_offset, body.end_col_offset) for body in bodies
    )


Position = tuple[int | None, int | None, int | None, int | None]


def position_of(frame: types.FrameType) -> Position:
    """Return first line, last line, first and last column of the instruction a frame is at."""
    return list(frame.f_code.co_positions())[frame.f_lasti // 2]


def node_at(frame: types.FrameType) -> gast.AST | None:
    """Return the outermost expression or statement that is exactly what a frame is at, or None."""
    tree = tree_at(frame)
    position = position_of(frame)
    for node in gast.walk(tree) if tree is not None else ():
        if hasattr(node, "lineno"):
            span = (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset)
            if span == position and not isinstance(node, gast.Expr):
                return node
    return None


def statement_at(frame: types.FrameType, line: int) -> gast.stmt | None:
    """Return the innermost statement that a line belongs to, or None."""
    tree = tree_at(frame)
    around = [
        node for node in (gast.walk(tree) if tree is not None else ())
        if isinstance(node, gast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    ]  # fmt: skip
    return max(around, key=lambda node: (node.lineno, node.col_offset), default=None)
