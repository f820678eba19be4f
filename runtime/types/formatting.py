"""Formatting of tensors, exactly as TensorFlow prints them; graph/printer.py prints graphs."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.types.dtypes import DType


def _numpy_text(array: Any, is_repr: bool) -> str:
    if is_repr:
        value = array[()]
        is_scalar = isinstance(value, np.generic)
        text = repr(value.item()) if is_scalar else repr(value)
    else:
        text = str(array[()])
    return "\n" + text if "\n" in text else text


def eager_str(array: Any, dtype: DType) -> str:
    """Return ``str`` of an eager tensor: ``tf.Tensor([1 2], shape=(2,), dtype=int32)``."""
    return f"tf.Tensor({_numpy_text(array, False)}, shape={array.shape}, dtype={dtype.name})"


def eager_repr(array: Any, dtype: DType) -> str:
    """Return ``repr`` of an eager tensor, with NumPy's repr of the value."""
    value = _numpy_text(array, True)
    return f"<tf.Tensor: shape={array.shape}, dtype={dtype.name}, numpy={value}>"


def symbolic_str(tensor: Any) -> str:
    """Return ``str`` of a symbolic tensor: ``Tensor("add:0", shape=(2,), dtype=float32)``."""
    shape = "" if tensor.shape.dims is None else f", shape={tensor.shape}"
    return f'Tensor("{tensor.name}"{shape}, dtype={tensor.dtype.name})'


def symbolic_repr(tensor: Any) -> str:
    """Return ``repr`` of a symbolic tensor."""
    return f"<tf.Tensor '{tensor.name}' shape={tensor.shape} dtype={tensor.dtype.name}>"
