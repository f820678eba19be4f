"""Failures of assertions: functions from the arrays of an assertion to its exception.

assertions.py makes them, and graph texts can hold them.
"""

from __future__ import annotations

from types import NoneType

import numpy as np

from runtime.ops.control_flow.print_assert import shown
from runtime.types.dtypes import Array
from runtime.types.errors import InvalidArgumentError
from runtime.types.graph_literals import graph_literal


def _said(message: str | None) -> str:
    return f"{message}\n" if message else ""


def _indices(holds: Array, x: Array, y: Array, most: int) -> str:
    """Where elements are wrong, and which, as far as they are to be shown."""
    if not holds.ndim:
        return ""
    wrong = np.argwhere(~holds)[:most]
    x_values, y_values = (np.broadcast_to(a, holds.shape)[tuple(wrong.T)] for a in (x, y))
    return (
        f"Indices of first {len(wrong)} different values:\n{wrong}\n"
        f"Corresponding x values:\n{shown(x_values, most)}\n"
        f"Corresponding y values:\n{shown(y_values, most)}\n"
    )


@graph_literal(
    "comparison_failure", message=(str, NoneType), sign=(str,), most=(int,), where=(bool,)
)
class ComparisonFailure:
    """Failure of ``x sign y``; ``where`` tells whether it shows the places."""

    def __init__(self, message: str | None, sign: str, most: int, where: bool) -> None:
        self.message = message
        self.sign = sign
        self.most = most
        self.where = where

    def __call__(self, holds: Array, x: Array, y: Array) -> BaseException:
        """Return the exception for these arrays."""
        a, b = np.asarray(x), np.asarray(y)
        wrong = _indices(np.asarray(holds), a, b, self.most) if self.where else ""
        return InvalidArgumentError(
            f"{_said(self.message)}Condition x {self.sign} y did not hold element-wise:\n{wrong}"
            f"x = \n{shown(x, self.most)}\ny = \n{shown(y, self.most)}"
        )


@graph_literal("sign_failure", message=(str, NoneType), sign=(str,), most=(int,))
class SignFailure:
    """Failure of a comparison with zero."""

    def __init__(self, message: str | None, sign: str, most: int) -> None:
        self.message = message
        self.sign = sign
        self.most = most

    def __call__(self, holds: Array, x: Array) -> BaseException:
        """Return the exception for these arrays."""
        return InvalidArgumentError(
            f"{_said(self.message)}Condition x {self.sign} did not hold element-wise:\n"
            f"x = \n{shown(x, self.most)}"
        )


@graph_literal("tolerance_failure", message=(str, NoneType), most=(int,))
class ToleranceFailure:
    """Failure of ``assert_near``."""

    def __init__(self, message: str | None, most: int) -> None:
        self.message = message
        self.most = most

    def __call__(self, holds: Array, x: Array, y: Array, r: Array, t: Array) -> BaseException:
        """Return the exception for these arrays."""
        return InvalidArgumentError(
            f"{_said(self.message)}x and y not equal to tolerance rtol = {r}, atol = {t}\n"
            f"x = \n{shown(x, self.most)}\ny = \n{shown(y, self.most)}"
        )
