"""The flow of native code is written in one place: no emitter writes branches of its own."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import runtime.engine.llvm

ROOM = Path(runtime.engine.llvm.__path__[0])
BRANCH = re.compile(r"\bbr (?:i1|label)\b|\bphi [{<a-z]|\bswitch i\d")


def _texts(tree: ast.Module) -> list[str]:
    """Return the constant texts of a module that are no documentation."""
    statements = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    return [
        node.value for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in statements
    ]  # fmt: skip


def test_only_the_builder_of_texts_writes_branches():
    writers = [
        str(path.relative_to(ROOM))
        for path in ROOM.rglob("*.py")
        if any(BRANCH.search(text) for text in _texts(ast.parse(path.read_text())))
    ]
    assert writers == ["text.py"]
