"""Numbers that datasets take: Python's, or tensors known when the graph runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.eager.tensor import Tensor
from runtime.graph.operation import SymbolicTensor
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.types.dtypes import int64


def whole(value: Any, name: str) -> Any:
    """A scalar int64 tensor; TypeError for what is no whole number, ValueError for other shapes."""
    try:
        tensor = convert_to_tensor(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} must be a whole number, got {value!r}: {error}") from None
    if not tensor.dtype.is_integer:
        raise TypeError(f"{name} must be a whole number, got {value!r}")
    if not tensor.shape.is_compatible_with(()):
        raise ValueError(f"{name} must be a scalar, got shape {tensor.shape}")
    return cast(tensor, int64)


def seed_of(seed: Any) -> int | None:
    """A seed as Python's number; TypeError for one that is only known when the graph runs."""
    if not isinstance(seed, Tensor):
        return seed
    value = static_value(seed)
    if value is None:
        raise TypeError(
            "A dataset's seed must be known when the dataset is made, got the symbolic tensor "
            f"{seed!r}. Give a number."
        )
    return value


def static_value(tensor: Tensor) -> int | None:
    """The value of a scalar tensor, where it is known before the graph runs."""
    value: Any = tensor.spec.value if isinstance(tensor, SymbolicTensor) else tensor._array
    return None if value is None else int(value)


def known_values(tensor: Tensor) -> list[int] | None:
    """The values of a tensor as a list, a scalar being one, where they are known beforehand."""
    value: Any = tensor.spec.value if isinstance(tensor, SymbolicTensor) else tensor._array
    return None if value is None else [int(item) for item in np.atleast_1d(value)]
