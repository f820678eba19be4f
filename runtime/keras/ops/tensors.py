"""Conversion of values to tensors, and what is known of tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array import constants
from runtime.ops.array import shape as shape_ops
from runtime.ops.array.constants import convert_to_tensor as to_tensor
from runtime.ops.array.constants import is_tensor as is_tensor
from runtime.ops.docstrings import documented
from runtime.types import nest

_X = "tensor, array or number"


@documented("Tensor", x=_X, dtype="dtype; None: its own", sparse="only None or False",
            ragged="only None or False")  # fmt: skip
def convert_to_tensor(x: Any, dtype: Any = None, sparse: Any = None, ragged: Any = None) -> Any:
    """Convert a value to a tensor, of another dtype if one is given."""
    tensor = to_tensor(x)
    return tensor if dtype is None else constants.cast(tensor, dtype)


@documented("NumPy array", x="tensor or array")
def convert_to_numpy(x: Any) -> Any:
    """Convert a tensor to a NumPy array."""
    return np.asarray(x.numpy() if hasattr(x, "numpy") else x)


@documented("Tensor of the shape of ``x``", x=_X, dtype="the dtype")
def cast(x: Any, dtype: Any) -> Any:
    """Convert a tensor to a dtype."""
    return constants.cast(to_tensor(x), dtype)


@documented("Tuple of sizes: ints, or tensors for those that are known at run time", x=_X)
def shape(x: Any) -> tuple[Any, ...]:
    """Return the shape of a tensor."""
    x = to_tensor(x)
    static, sizes = list(x.shape), None
    if None in static:
        sizes = shape_ops.shape(x)
    return tuple([sizes[k] if d is None else d for k, d in enumerate(static)])  # type: ignore[index]


@documented("Int", x=_X)
def ndim(x: Any) -> int:
    """Return the number of axes."""
    return int(to_tensor(x).shape.rank)


@documented("Scalar of dtype int32", x=_X)
def size(x: Any) -> Any:
    """Return the number of elements."""
    return shape_ops.size(to_tensor(x))


@documented("Name of the dtype", x=_X)
def dtype(x: Any) -> str:
    """Return the dtype of a tensor."""
    return str(to_tensor(x).dtype.name)


@documented("Tensor", variable=_X)
def stop_gradient(variable: Any) -> Any:
    """Return a value as it is, through which no gradient flows."""
    return nest.map_structure(lambda x: constants.stop_gradient(to_tensor(x)), variable)
