"""Which line of a function's source each line of its generated code comes from.

The generated text has the structure of the tree that was printed, and the statements of that tree
have the lines of the user's file; so both are walked side by side.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autograph.named_tuples import NamedTuple
from autograph.syntax.parse import parse
from autograph.syntax.source import SourceFunction

_BLOCKS = ("body", "handlers", "cases", "orelse", "finalbody")


class LinkedCode(NamedTuple):
    """Source and generated code of a function, and links between their lines.

    ``source_links`` has the first line of the statement for each line of the source, ``code_links``
    for each line of the code; 0 where there is none.  Lines count from 1 in the user's file.
    """

    name: str
    filename: str
    first_line: int
    source: str
    code: str
    source_links: list[int]
    code_links: list[int]


def linked(source: SourceFunction, node: Any, code: str) -> LinkedCode:
    """Return the links between a source and the code that was printed from ``node``."""
    first, text = source.first_line, source.text.rstrip("\n")
    count = text.count("\n") + 1
    owner = dict.fromkeys(range(first, first + count), 0)
    written = [statement for statement, _ in _pairs(*[source.tree()] * 2)]
    for statement in written:
        for line in _head(statement):
            owner[line] = _start(statement)
    names = {getattr(statement, "name", "") for statement in written}
    printed = parse(code).body[0]
    links = [0] * (code.rstrip("\n").count("\n") + 1)
    for shown, converted in _pairs(printed, node):
        if isinstance(shown, ast.FunctionDef) and shown.name not in names:
            converted = converted.body[
                0
            ]  # a body that conversion made has the line of the function around
        for line in _head(shown):
            links[line - 1] = owner.get(_start(converted), 0) or links[line - 1]
    sources = [owner[line] for line in range(first, first + count)]
    return LinkedCode(source.name, source.filename, first, text, code.rstrip("\n"), sources, links)


def _pairs(shown: Any, converted: Any) -> Iterator[tuple[Any, Any]]:
    """Yield statements of the printed text with those of the tree, the outer ones first."""
    yield shown, converted
    for block in _BLOCKS:
        inner, converted_block = getattr(shown, block, None), getattr(converted, block, None)
        if (
            isinstance(inner, list)
            and isinstance(converted_block, list)
            and len(inner) == len(converted_block)
        ):
            for first, second in zip(inner, converted_block):
                yield from _pairs(first, second)


def _head(node: Any) -> range:
    """Return the lines of a statement that do not belong to statements inside of it."""
    first = min([_start(node), *map(_start, getattr(node, "decorator_list", ()))])
    inner = [_start(statement) for block in _BLOCKS for statement in _listed(node, block)]
    if not inner:
        return range(first, node.end_lineno + 1)
    return range(first, max(first + 1, min(inner)))


def _listed(node: Any, block: str) -> list[Any]:
    statements = getattr(node, block, None)
    return statements if isinstance(statements, list) else []


def _start(node: Any) -> int:
    """Return the line of a node; a case of a match has the line of its pattern."""
    line: int = getattr(getattr(node, "pattern", node), "lineno", 0)
    return line
