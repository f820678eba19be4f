"""Writes to views of arrays, ``a[1:-1] = x`` and ``a[i] = row``: fusions whose result goes there.

The array is made the code's own before; then its elements change in place.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.fusion import Dims, KnownLayout
from runtime.engine.llvm.arrays.joining import fits, layout_of
from runtime.ops.array.indexing import KeyInput
from runtime.ops.rules import selections
from runtime.ops.rules.lowering import Selection


class Write(NamedTuple):
    """Write of an array, or a number, to elements of another array.

    key   what indexes the first axes: ints, and slots of the plan
    rest  what is selected along the other axes
    """

    base: KnownLayout
    key: tuple[Any, ...]
    rest: Selection

    @property
    def dims(self) -> Dims:
        """Shape of what is written to."""
        return tuple([one.size for one in self.rest.axes])


class Slot(NamedTuple):
    """Slot of the plan that holds an index."""

    number: int


def write_of(step: Any) -> Write | None:
    """Return the write that a step is; None for single elements, and what the kernel has to do."""
    node = step.operation
    base, value = (layout_of(tensor.spec) for tensor in node.inputs[:2])
    if base is None or value is None or base.dtype != value.dtype or not base.dims:
        return None
    parts, key = list(step.attrs["key"]), list[Any]()
    while parts and (index := _index(parts[0], step)) is not None:
        key.append(index)
        parts.pop(0)
    rest_dims = base.dims[len(key) :]
    if not rest_dims:
        return None
    rest = selections.by_key(rest_dims, {"key": parts or [Ellipsis]}, ())
    if rest is None or not rest.axes:
        return None
    found = Write(base, tuple(key), rest)
    return found if fits(value.dims, found.dims) else None


def _index(part: Any, step: Any) -> Any:
    """Return the int, or the slot of the int, that a part of a key is; None if it is neither."""
    if type(part) is int:
        return np.int64(part)
    if not isinstance(part, KeyInput):
        return None
    spec = step.operation.inputs[2 + part.index].spec
    is_int = spec.shape.dims == () and spec.dtype._dtype in ir.NUMBERS
    return Slot(step.sources[2 + part.index]) if is_int and spec.dtype.is_integer else None
