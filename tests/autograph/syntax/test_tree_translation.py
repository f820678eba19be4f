"""Translation between Python's trees and gast's: what gast's own, slower translation gives."""

from __future__ import annotations

import ast
import sysconfig
from pathlib import Path

import gast
import pytest

from autograph.syntax.tree_translation import to_ast, to_gast

STDLIB = Path(sysconfig.get_path("stdlib"))
NEWER = """
match x:
    case {"a": [1, *b], **rest} | C(d=2) as e:
        pass
try:
    f(*a, **k)
except* (A, B) as g:
    h: int = (yield)
except* D:
    del h
async def c[T](a, /, b: "B" = 1, *d, e=2, **f) -> None:
    async with a as b, c: return [x async for x in y if await z]
"""


def fields(value: object) -> object:
    """The classes, fields and positions of a tree, for comparison."""
    if isinstance(value, ast.AST):
        return type(value), {name: fields(part) for name, part in vars(value).items()}
    return list(map(fields, value)) if isinstance(value, list) else (type(value), repr(value))


def parsed(text: str) -> ast.AST:
    try:
        return ast.parse(text)
    except SyntaxError:  # Python 3.11 has no type parameters
        return ast.parse(text.replace("[T]", ""))


TEXTS = {"newer syntax": NEWER} | {
    name: (STDLIB / name).read_text(encoding="utf-8") for name in ("bisect.py", "contextlib.py")
}


@pytest.mark.parametrize("name", TEXTS)
def test_trees_are_those_of_gast(name: str) -> None:
    tree = parsed(TEXTS[name])
    theirs = gast.ast_to_gast(tree)
    assert fields(to_gast(tree)) == fields(theirs)
    assert fields(to_ast(theirs)) == fields(gast.gast_to_ast(theirs))


def test_defaults_of_fields_are_filled_in() -> None:
    made = ast.Expr(ast.Constant(1))  # ``kind`` and the positions of its end are the class's
    assert fields(to_gast(made)) == fields(gast.ast_to_gast(made))


def test_trees_share_no_node_with_parts() -> None:
    tree = ast.parse("a = [b]")
    made = to_gast(tree)
    assert made.body is not tree.body
    assert made.body[0].value.elts is not tree.body[0].value.elts
