"""Functions of ``operator`` that change a set, as statements.

    operator.isub(left, right)

The right operand's class may ask which statement is run: see ``autograph.staging.wrapped_set``.
"""

from __future__ import annotations

from typing import Any


def iand(left: Any, right: Any, /) -> Any:
    """``left &= right``."""
    left &= right
    return left


def ior(left: Any, right: Any, /) -> Any:
    """``left |= right``."""
    left |= right
    return left


def isub(left: Any, right: Any, /) -> Any:
    """``left -= right``."""
    left -= right
    return left


def ixor(left: Any, right: Any, /) -> Any:
    """``left ^= right``."""
    left ^= right
    return left
