"""The result of a rule: one finding.  The lowest module of the linter."""

from __future__ import annotations

from dataclasses import dataclass

import gast


@dataclass(frozen=True)
class Finding:
    """Code that cannot be staged: the code of the check, the node, and what is wrong there."""

    code: str
    node: gast.AST
    message: str
