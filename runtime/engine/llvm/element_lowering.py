"""Lowering of elements of arrays: the reads ``a[i, j]`` that are native, and their sites.

``a[i][j]`` reads one element, too: the row ``a[i]`` is made only where something else reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from runtime.engine.error_location import located
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import TYPE_NUMBERS, is_layout_known
from runtime.engine.plan import PlanStep
from runtime.ops.array.indexing import KeyInput
from runtime.ops.rules.lowering import OnArrays


class Element(NamedTuple):
    """Element of an array, or a row that was not made."""

    array: ir.Register
    key: tuple[Any, ...]
    """Ints and registers that index the axes from the first one; in the end registers alone."""
    links: tuple[tuple[Any, int], ...]
    """Steps that read it, one from the result of the other, and the length of each one's key."""


def reads_element(step: Any) -> bool:
    """Return whether a step may read an element of an array."""
    return isinstance(step.operation.op_def.lower, OnArrays)


def element_of(
    step: Any, source: ir.Register | Element, indices: Sequence[ir.Register]
) -> Element | None:
    """Return the element or row that a step reads; None if native code does not do it."""
    key: list[int | ir.Register] = []
    for part in step.attrs["key"]:
        if isinstance(part, KeyInput):
            index = indices[part.index]
            if not isinstance(index.type, ir.Scalar) or index.type.kind not in "iu":
                return None
            key.append(index)
        elif type(part) is int and abs(part) < 1 << 63:
            key.append(part)
        else:
            return None
    spec = step.operation.outputs[0].spec
    if not key or spec.shape.rank is None or spec.dtype.as_numpy_dtype not in TYPE_NUMBERS:
        return None
    if isinstance(source, Element):
        return Element(source.array, (*source.key, *key), (*source.links, (step, len(key))))
    if source.type is not ir.OBJECT or not is_layout_known():
        return None
    return Element(source, tuple(key), ((step, len(key)),))


def site_of(element: Element) -> ir.Site:
    """Return the site that reads an element by the kernels of its steps.

    Its arguments are the array and an index for each axis.
    """
    last = element.links[-1][0]
    return ir.Site(PlanStep(_ByKernels(element.links), {}, (), (), (), last.operation))


class _ByKernels:
    """Kernel that calls those of several steps, each on the result of the one before."""

    def __init__(self, links: Sequence[tuple[Any, int]]) -> None:
        self._links = links

    def __call__(self, array: Any, *axes: Any) -> Any:
        start = 0
        for step, count in self._links:
            found = dict(zip(step.attrs["key"], axes[start : start + count], strict=True))
            inputs = [found[KeyInput(n)] for n in range(len(step.operation.inputs) - 1)]
            try:
                result = step.kernel(array, *inputs, **step.attrs)
            except Exception as error:
                raise located(error, step.operation, [array, *inputs]) from error.__cause__
            array, start = result, start + count
        return array
