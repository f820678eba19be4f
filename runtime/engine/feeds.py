"""Feeds of a run: conversion of a ``feed_dict`` to tensors of the graph and arrays.

The first step of ``Session.run``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from runtime.graph.graph import Graph
from runtime.graph.operation import SymbolicTensor
from runtime.ops import inputs as op_inputs
from runtime.types import nest
from runtime.types.conversion import to_array
from runtime.types.dtypes import DTYPE_OF_NUMPY, DType
from runtime.types.shapes import TensorShape


def pairs(feed_dict: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the keys and values of a ``feed_dict``; nests are flattened in parallel."""
    if not isinstance(feed_dict, Mapping):
        raise TypeError(
            f"feed_dict must be a dict from tensors to values, got {type(feed_dict).__name__}: "
            f"{feed_dict!r}"
        )
    for key, value in feed_dict.items():
        if nest.is_composite(key) and isinstance(value, tuple):  # an IndexedSlicesValue, or alike
            components = [component for component in value if component is not None]
            yield from zip(nest.flatten(key), components, strict=True)
        elif nest.is_nested(key):
            nest.assert_same_structure(key, value, check_types=False)
            yield from zip(nest.flatten(key), nest.flatten(value), strict=True)
        else:
            yield key, value


def feedable(graph: Graph, key: Any) -> SymbolicTensor:
    """Return the tensor of the graph that a key of a ``feed_dict`` means.

    TypeError for keys that mean no tensor, ValueError for a tensor that may not be fed.
    """
    if not isinstance(key, str) and hasattr(key, "_as_graph_element"):
        raise TypeError(
            f"Cannot interpret feed_dict key as Tensor: {key!r} is a variable, whose value is kept "
            "by the session. Give it one with variable.load(value, session)."
        )
    try:
        with graph.as_default():
            element = key if isinstance(key, str) else op_inputs.convert_input(key)
        tensor = graph.as_graph_element(element, allow_operation=False)
    except (TypeError, ValueError, KeyError) as error:
        raise TypeError(
            f"Cannot interpret feed_dict key as Tensor: {error.args[0] if error.args else error} "
            "Use a tensor of the session's graph or its name."
        ) from None
    if not graph.is_feedable(tensor):
        raise ValueError(f"Tensor {tensor.name} may not be fed.")
    return tensor


def fed_array(tensor: SymbolicTensor, value: Any) -> Any:
    """Convert a fed value to an array of the tensor's dtype.

    Numbers may change their dtype but not their value, except that floats may be rounded to
    narrower ones.  TypeError for values of another dtype, ValueError for another shape.
    """
    spec = tensor.spec
    dtype = spec.dtype
    kind = type(value)
    if kind is float and dtype.is_floating:
        array: Any = dtype.as_numpy_dtype(value)
    elif kind is np.ndarray and value.dtype == dtype._dtype and value.dtype.kind != "O":
        array = value.copy()  # variables may keep it
    else:
        array = _converted(tensor, value, dtype)
    if not array.ndim and array.dtype.kind != "O":
        array = array[()]  # NumPy computes faster with its numbers
    dims = spec.shape.dims
    if dims is not None and dims != array.shape and not spec.shape.is_compatible_with(array.shape):
        raise ValueError(
            f"Cannot feed value of shape {array.shape} for Tensor {tensor.name}, which has "
            f"shape {TensorShape(spec.shape)}"
        )
    return array


def _converted(tensor: SymbolicTensor, value: Any, dtype: DType) -> Any:
    if isinstance(value, SymbolicTensor):
        raise TypeError(
            f"The value of a feed cannot be a symbolic tensor: {value!r} was fed to {tensor.name!r}"
            ". Acceptable are numbers, lists, NumPy arrays and eager tensors."
        )
    try:
        if not hasattr(value, "__array__"):
            try:
                return to_array(value, dtype)
            except TypeError:  # Python numbers of another kind
                return _exact(to_array(value), dtype)
        return _of_dtype(to_array(np.asarray(value)), dtype)
    except (TypeError, OverflowError, ValueError) as error:
        kind = TypeError if isinstance(error, OverflowError) else type(error)
        raise kind(
            f"Cannot feed {_short(value)} to tensor {tensor.name!r} of dtype {dtype.name}: {error}"
        ) from None


def _of_dtype(array: Any, dtype: DType) -> Any:
    kinds = DTYPE_OF_NUMPY[array.dtype].kind, dtype.kind
    if array.dtype == dtype._dtype:
        return array
    if kinds in (("f", "f"), ("f", "c"), ("c", "c")):
        return array.astype(dtype._dtype)
    return _exact(array, dtype)


def _exact(array: Any, dtype: DType) -> Any:
    """Convert an array to a dtype; TypeError when a number would change, and for text."""
    texts = array.dtype.kind == "O", dtype._dtype.kind == "O"
    if any(texts) and array.size:
        raise TypeError(f"{'text' if texts[0] else 'numbers'} cannot become {dtype.name}")
    with np.errstate(all="ignore"):
        if array.dtype.kind == "c" and dtype._dtype.kind != "c":
            result = array.real.astype(dtype._dtype)
        else:
            result = array.astype(dtype._dtype)
        changed = (result != array) & ~((result != result) & (array != array))
    wide = dtype.is_floating and array.dtype.kind in "iu"  # ints may be rounded, as in NumPy
    if np.any(changed) and not wide:
        raise TypeError(
            f"dtype {dtype.name} does not hold {_short(array[changed].flat[0])}. Round or cast the "
            f"value first, or feed a tensor of dtype {array.dtype}."
        )
    return result


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


