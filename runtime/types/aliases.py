"""Aliases of types for signatures: what ops take as a tensor, a shape, a dtype or an axis.

At the bottom of the package: signatures of ops, variables and control flow use them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

from runtime.types.dtypes import Array, DType
from runtime.types.shapes import TensorShape
from runtime.types.value import Value

TensorLike: TypeAlias = Any
"""A tensor, or what becomes one: variables, numbers, texts, arrays, lists of those, and values of
any class that ``register_tensor_conversion_function`` was told of.  So a checker cannot say more.
"""


class HasDtype(Protocol):
    """A value of one dtype, which stands for that dtype: a tensor, a variable, an array."""

    @property
    def dtype(self) -> Any:
        """The type of the elements."""


DTypeLike: TypeAlias = DType | str | int | type[Any] | np.dtype[Any] | HasDtype
"""A dtype, or what names one: its name, TensorFlow's number, NumPy's or Python's type."""

ShapeLike: TypeAlias = TensorShape | int | Sequence[Any] | Array | Value
"""A shape: sizes, None where one is not known; a tensor where an op takes shapes at run time."""

AxisLike: TypeAlias = int | Sequence[int] | Array | Value
"""An axis or several, below zero counted from the end; a tensor where only the run knows them."""
