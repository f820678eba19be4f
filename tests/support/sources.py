"""Sources as statements: imports, classes and functions are found without their expressions."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a file, parsed once for all tests that read it: nobody may change it.

    All trees have a million nodes, which tests that collect garbage shall not walk through.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    gc.freeze()
    return tree


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """All nodes of a file, walked through once for all tests that look for some of them."""
    return list(ast.walk(tree_of(path)))


def statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Every statement of a module, also those inside of others."""
    blocks = [tree.body]
    while blocks:
        for statement in blocks.pop():
            yield statement
            clauses = [
                statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())
            ]  # fmt: skip
            for name in ("body", "orelse", "finalbody"):
                blocks += [block for clause in clauses if (block := getattr(clause, name, None))]
