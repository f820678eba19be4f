"""The result of a rule: one finding.  The lowest module of the linter."""

from __future__ import annotations

from dataclasses import dataclass

import gast


@dataclass(frozen=True)
class Finding:
    """A place that will not stage: the code, the node it is about, and what is wrong there."""

    code: str
    node: gast.AST
    message: str
