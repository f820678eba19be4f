"""Writes to views of arrays, ``a[1:-1] = x`` and ``a[i] = row``: fusions whose result goes there.

The array is made the code's own before; then its elements change in place.
"""

from __future__ import annotations

from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.fusion import Dims, KnownLayout
from runtime.engine.llvm.arrays.joining import layout_of
from runtime.engine.llvm.arrays.selection import are_ints
from runtime.engine.passes.queries import constant_value
from runtime.ops.array.indexing import selection_of
from runtime.ops.rules.lowering import SelectedAxis, Selection


class Write(NamedTuple):
    """Write of an array, or a number, to elements of another array.

    selection  what is written; its ints at run time are the inputs after the array and the value
    """

    base: KnownLayout
    selection: Selection


def write_of(step: Any) -> Write | None:
    """Return the write that a step is; None for single elements, and what the kernel has to do."""
    node = step.operation
    base, value = (layout_of(tensor.spec) for tensor in node.inputs[:2])
    if base is None or value is None or base.dtype != value.dtype or not base.dims:
        return None
    bounds = node.inputs[2:]
    selection = selection_of(base.dims, step.attrs["key"], [*map(constant_value, bounds)])
    if selection is None or not are_ints(selection, bounds):
        return None
    if not selection.axes and base.dtype not in ir.NUMBERS:
        selection = selection._replace(axes=(SelectedAxis(None),))  # the loop over one element
    if not selection.axes:
        return None
    return Write(base, selection) if may_fit(value.dims, selection.dims) else None


def may_fit(dims: Dims, space: Dims) -> bool:
    """Return whether an array of static shape ``dims`` may be broadcast over a space, some of whose
    sizes are known at run time.
    """
    pairs = zip(reversed(dims), reversed(space), strict=False)
    return len(dims) <= len(space) and all(
        extent in (1, None) or size in (extent, None) for extent, size in pairs
    )
