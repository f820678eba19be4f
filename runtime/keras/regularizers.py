"""Regularizers: functions from a weight to a penalty that is added to the loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from runtime.keras.identifiers import by_name, identified
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.creation import eye
from runtime.ops.linalg.products import matmul
from runtime.ops.math.elementwise import abs, square
from runtime.ops.math.reduction import reduce_sum
from runtime.ops.nn.activations_losses import l2_normalize
from runtime.types.aliases import TensorLike
from runtime.types.annexes import explained as _explained

__all__ = [
    "L1", "L1L2", "L2", "OrthogonalRegularizer", "Regularizer", "deserialize", "get", "l1", "l1_l2",
    "l2", "orthogonal_regularizer", "serialize",
]  # fmt: skip


class Regularizer:
    """Base of regularizers: called with a weight, they return a scalar."""

    def __call__(self, x: TensorLike) -> Any:
        """Return the penalty of a weight: 0 unless a subclass says another one."""
        return 0.0

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, from which ``from_config`` makes an equal regularizer."""
        raise NotImplementedError(f"{self} does not implement get_config()")

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Make a regularizer from its arguments."""
        return cls(**config)


class L1L2(Regularizer):
    """Regularizer with ``l1 * sum(abs(x)) + l2 * sum(square(x))``.

    ValueError unless both factors are numbers of at least 0.
    """

    def __init__(self, l1: float | None = 0.0, l2: float | None = 0.0) -> None:
        self.l1 = _factor("l1", l1 or 0.0)
        self.l2 = _factor("l2", l2 or 0.0)

    def __call__(self, x: TensorLike) -> Any:
        """Return the penalty of a weight of any shape: a scalar of its dtype."""
        x = convert_to_tensor(x)
        terms = []
        if self.l1:
            terms.append(self.l1 * reduce_sum(abs(x)))
        if self.l2:
            terms.append(self.l2 * reduce_sum(square(x)))
        return sum(terms[1:], terms[0]) if terms else convert_to_tensor(0.0, x.dtype)

    def get_config(self) -> dict[str, Any]:
        """Return both factors."""
        return {"l1": self.l1, "l2": self.l2}


class L1(L1L2):
    """Regularizer with ``l1 * sum(abs(x))``."""

    def __init__(self, l1: float | None = 0.01) -> None:
        super().__init__(l1=0.01 if l1 is None else l1)

    def get_config(self) -> dict[str, Any]:
        """Return the factor."""
        return {"l1": self.l1}


class L2(L1L2):
    """Regularizer with ``l2 * sum(square(x))``."""

    def __init__(self, l2: float | None = 0.01) -> None:
        super().__init__(l2=0.01 if l2 is None else l2)

    def get_config(self) -> dict[str, Any]:
        """Return the factor."""
        return {"l2": self.l2}


class OrthogonalRegularizer(Regularizer):
    """Regularizer with the mean absolute cosine between the rows, or columns, of a matrix.

    ``mode`` is 'rows' or 'columns', ValueError otherwise; ``factor`` multiplies the mean.
    """

    def __init__(self, factor: float = 0.01, mode: str = "rows") -> None:
        self.factor = _factor("factor", factor)
        if mode not in ("rows", "columns"):
            raise ValueError(
                "Invalid value for argument `mode`. Expected one of {\"rows\", \"columns\"}. "
                f"Received: mode={mode}"
            )
        self.mode = mode

    def __call__(self, inputs: TensorLike) -> Any:
        """Return the penalty of a matrix; ValueError for another rank."""
        inputs = convert_to_tensor(inputs)
        if inputs.shape.rank != 2:
            raise ValueError(
                "Inputs to OrthogonalRegularizer must have rank 2. Received: "
                f"inputs.shape={inputs.shape}"
            )
        rows = self.mode == "rows"
        unit = l2_normalize(inputs, axis=1 if rows else 0)
        cosines = matmul(unit, unit, transpose_a=not rows, transpose_b=rows)
        size = int(inputs.shape[0 if rows else 1])
        off_diagonal = cosines * (1.0 - eye(size, dtype=inputs.dtype))
        return self.factor * 0.5 * reduce_sum(abs(off_diagonal)) / (size * (size - 1.0) / 2.0)

    def get_config(self) -> dict[str, Any]:
        """Return the factor and the mode."""
        return {"factor": self.factor, "mode": self.mode}


def _factor(name: str, value: Any) -> float:
    """Return a factor as a float; ValueError unless it is a number of at least 0."""
    if not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise ValueError(
            f"Invalid value for argument {name}: expected a non-negative float. "
            f"Received: {name}={value}"
        )
    return float(value)


l1, l2, l1_l2, orthogonal_regularizer = L1, L2, L1L2, OrthogonalRegularizer

_NAMES: dict[str, Any] = by_name((Regularizer, L1, L2, OrthogonalRegularizer))
_NAMES |= {"L1L2": L1L2, "l1l2": L1L2, "l1_l2": L1L2}
deserialize, get, serialize = identified("regularizer", _NAMES)


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
