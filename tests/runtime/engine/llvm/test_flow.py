"""The flow of native code is written in one place: no emitter writes branches of its own."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import runtime.engine.llvm
from tests.support.sources import tree_of

ROOM = Path(runtime.engine.llvm.__path__[0])
BRANCH = re.compile(r"\bbr (?:i1|label)\b|\bphi [{<a-z]|\bswitch i\d")


def _texts(tree: ast.Module) -> list[str]:
    """Return the constant texts of a module that are no documentation."""
    nodes = list(ast.walk(tree))
    statements = {node.value for node in nodes if isinstance(node, ast.Expr)}
    return [
        node.value for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in statements
    ]  # fmt: skip


def test_only_the_builder_of_texts_writes_branches():
    writers = [
        str(path.relative_to(ROOM))
        for path in ROOM.rglob("*.py")
        if any(BRANCH.search(text) for text in _texts(tree_of(path)))
    ]
    assert writers == ["text.py"]
