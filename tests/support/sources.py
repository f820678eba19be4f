"""Sources as statements: imports, classes and functions are found without their expressions."""

from __future__ import annotations

import ast
from collections.abc import Iterator


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
