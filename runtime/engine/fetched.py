"""Fetched values: arrays of a run, copied unless nobody else refers to them."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from runtime.graph.operation import SymbolicTensor
from runtime.types import promotion
from runtime.types.errors import InvalidArgumentError


def own_result(tensor: SymbolicTensor, values: list[Any], index: int) -> Any:
    """Return a fetched value as TensorFlow does: an unshared array, or a NumPy scalar."""
    value = values[index]
    if tensor.weak:
        try:
            strong = promotion.strengthen(value, promotion.DEFAULT_DTYPE[tensor.dtype])
        except OverflowError as error:
            raise InvalidArgumentError(f"{error}: fetched from {tensor.name!r}") from None
        return strong if strong.ndim else strong[()]
    if not isinstance(value, np.ndarray):
        return value
    if not value.ndim:
        return value[()]
    if value.nbytes > _LARGE and value.flags.owndata and is_unshared(values, index):
        return value
    return value.copy()


_LARGE = 4096


def is_unshared(values: list[Any], index: int) -> bool:
    """Return whether only the list and one local variable of the caller refer to an item.

    Then it belongs to no variable, constant, feed or other fetch, and needs no copy, which for a
    large result may take longer than the run.
    """
    return sys.getrefcount(values[index]) <= _LIST_VARIABLE_AND_ARGUMENT


_LIST_VARIABLE_AND_ARGUMENT = 3


def own_item(value: Any, spec: Any) -> Any:
    """Return the value of an item of a fetched list."""
    if spec.weak:
        value = promotion.strengthen(value, promotion.DEFAULT_DTYPE[spec.dtype])
    return value.copy() if isinstance(value, np.ndarray) and value.ndim else value[()]
