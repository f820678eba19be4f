"""Functions of ``operator`` that change a set, as statements.

    operator.isub(target, operand)

The operand's class may ask which statement is run: see ``autograph.staging.wrapped_set``.
"""

from __future__ import annotations

from typing import Any


def iand(target: Any, operand: Any, /) -> Any:
    """``target &= operand``."""
    target &= operand
    return target


def ior(target: Any, operand: Any, /) -> Any:
    """``target |= operand``."""
    target |= operand
    return target


def isub(target: Any, operand: Any, /) -> Any:
    """``target -= operand``."""
    target -= operand
    return target


def ixor(target: Any, operand: Any, /) -> Any:
    """``target ^= operand``."""
    target ^= operand
    return target
