"""Aliases of types for signatures: values that ops accept as a tensor, shape, dtype or axis.

At the bottom of the package.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

from runtime.types.dtypes import Array, DType
from runtime.types.shapes import TensorShape
from runtime.types.value import Value

TensorLike: TypeAlias = Any
"""A tensor or a value that converts to one: a variable, number, text, array, a list of those, or
a value of a class registered by ``register_tensor_conversion_function``, hence ``Any``.
"""


class HasDtype(Protocol):
    """Value with a dtype, which stands for that dtype: a tensor, a variable, an array."""

    @property
    def dtype(self) -> Any:
        """Type of the elements."""


DTypeLike: TypeAlias = DType | str | int | type[Any] | np.dtype[Any] | HasDtype
"""A dtype, its name or TensorFlow's number, or the type of NumPy or Python that means it."""

ShapeLike: TypeAlias = TensorShape | int | Sequence[Any] | Array | Value
"""A shape: sizes, None for unknown ones; a tensor where an op takes a shape at run time."""

AxisLike: TypeAlias = int | Sequence[int] | Array | Value
"""One axis or several, negative ones counted from the end; a tensor if the run determines them."""
