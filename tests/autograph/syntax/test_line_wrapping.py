"""Long lines are broken inside brackets only, and mean the same."""

from __future__ import annotations

import ast
import textwrap

import pytest

from autograph.syntax.comments import comments_of
from autograph.syntax.emit import emit
from autograph.syntax.line_wrapping import wrapped
from autograph.syntax.source import parse_module


def test_short_lines_stay() -> None:
    line = f"x = f({'y' * 90}, 1)"
    assert len(line) == 100 and wrapped(line) == line
    assert wrapped(line + " ") != line


def test_shallow_brackets_break_first() -> None:
    line = "    value = first(second(aaaa, bbbb), third(cccc, dddd))"
    assert wrapped(line, 40) == (
        "    value = first(second(aaaa, bbbb),\n        third(cccc, dddd))"
    )


@pytest.mark.parametrize(
    "line",
    [
        "x = 'no brackets' + " + "y" * 100,
        "x = ['''" + "y, " * 40 + "\n''']",
        "x = f'" + "{(a, b)} and " * 20 + "'",
        "x = a, " * 30,
        "x = " + "y" * 90 + "(1)()",
    ],
)
def test_nowhere_to_break(line: str) -> None:
    assert wrapped(line).replace("\n    ", "") == line
    assert not wrapped(line).endswith("\n    )")


def test_single_items_keep_their_comma() -> None:
    line = "x = (" + "(a,), " * 20 + "b)"
    assert ast.dump(ast.parse(wrapped(line))) == ast.dump(ast.parse(line))
    assert max(map(len, wrapped(line).splitlines())) <= 100


def test_wrapped_statements_mean_the_same() -> None:
    text = textwrap.dedent(
        """\
        def f(A, B, C=1, D=2):
            if any(A and B or C for D in E if F):
                return {'a': 'long, long text with (brackets), and commas', **A, 'c': [1]}  # why
            X = g(lambda A, B: f'{A}, {1}', 1 if 2 else 3)
        """
    )
    for letter in "ABCDEFX":
        text = text.replace(letter, letter.lower() * 35)
    found = emit(parse_module(text, "<test>"), comments_of(text))
    assert ast.dump(ast.parse(found)) == ast.dump(ast.parse(text))
    assert max(map(len, found.replace("  # why", "").splitlines())) <= 100
    assert "  # why\n" in found
