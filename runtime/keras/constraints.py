"""Constraints: functions that weights are replaced by after each step of an optimizer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from runtime.keras.config import epsilon
from runtime.keras.identifiers import by_name, identified
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.math.clipping import clip_by_value
from runtime.ops.math.elementwise import sqrt, square
from runtime.ops.math.reduction import reduce_sum
from runtime.types.aliases import TensorLike
from runtime.types.annexes import explained as _explained

__all__ = [
    "Constraint", "MaxNorm", "MinMaxNorm", "NonNeg", "UnitNorm", "deserialize", "get", "max_norm",
    "min_max_norm", "non_neg", "serialize", "unit_norm",
]  # fmt: skip


class Constraint:
    """Base of constraints: called with a weight, they return the value that it shall have."""

    def __call__(self, w: TensorLike) -> Any:
        """Return the new value of a weight; by default the old one."""
        return w

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, from which ``from_config`` makes an equal constraint."""
        return {}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Make a constraint from its arguments."""
        return cls(**config)


class MinMaxNorm(Constraint):
    """Constraint of norms along ``axis`` to ``[min_value, max_value]``.

    With ``rate`` below 1 each step goes that part of the way.
    """

    def __init__(
        self, min_value: float = 0.0, max_value: float = 1.0, rate: float = 1.0,
        axis: int | list[int] = 0,
    ) -> None:
        self.min_value = min_value
        self.max_value = max_value
        self.rate = rate
        self.axis = axis

    def __call__(self, w: TensorLike) -> Any:
        """Return the weight with its vectors scaled to the norms allowed."""
        w = convert_to_tensor(w)
        norms = _norms(w, self.axis)
        low, high = float(self.min_value), float(self.max_value)
        clipped = clip_by_value(norms, low, high)
        if self.rate != 1:
            clipped = self.rate * clipped + (1 - self.rate) * norms
        return w * (clipped / (epsilon() + norms))

    def get_config(self) -> dict[str, Any]:
        """Return the bounds, the rate and the axis."""
        return {
            "min_value": self.min_value, "max_value": self.max_value, "rate": self.rate,
            "axis": self.axis,
        }  # fmt: skip


class MaxNorm(MinMaxNorm):
    """Constraint of norms along ``axis`` to at most ``max_value``."""

    def __init__(self, max_value: float = 2, axis: int | list[int] = 0) -> None:
        super().__init__(0.0, max_value, 1.0, axis)

    def get_config(self) -> dict[str, Any]:
        """Return the bound and the axis."""
        return {"max_value": self.max_value, "axis": self.axis}


class UnitNorm(Constraint):
    """Constraint of norms along ``axis`` to 1."""

    def __init__(self, axis: int | list[int] = 0) -> None:
        self.axis = axis

    def __call__(self, w: TensorLike) -> Any:
        """Return the weight divided by its norms."""
        w = convert_to_tensor(w)
        return w / (epsilon() + _norms(w, self.axis))

    def get_config(self) -> dict[str, Any]:
        """Return the axis."""
        return {"axis": self.axis}


class NonNeg(Constraint):
    """Constraint of elements to at least 0."""

    def __call__(self, w: TensorLike) -> Any:
        """Return the weight with zeros for what is negative."""
        w = convert_to_tensor(w)
        return w * cast(w >= 0, w.dtype)


def _norms(w: Any, axis: int | list[int]) -> Any:
    """Return the Euclidean norms along axes, which keep the size 1."""
    return sqrt(reduce_sum(square(w), axis=axis, keepdims=True))


max_norm, min_max_norm, non_neg, unit_norm = MaxNorm, MinMaxNorm, NonNeg, UnitNorm

_NAMES = by_name((Constraint, MaxNorm, MinMaxNorm, NonNeg, UnitNorm))
deserialize, get, serialize = identified("constraint", _NAMES)


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
