"""Lowering of elements of arrays: reads and writes of ``a[i, j]`` that are native; their sites.

``a[i][j]`` reads one element, too: the row ``a[i]`` is made only where something else reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.error_location import call_located
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import TYPE_NUMBERS, is_layout_known
from runtime.engine.llvm.arrays.joining import layout_of
from runtime.engine.plan import PlanStep
from runtime.ops.array.indexing import KeyInput
from runtime.ops.rules.lowering import OnArrays
from runtime.types.dtypes import int64

if TYPE_CHECKING:
    from runtime.engine.llvm.lowering import Lowering
    from runtime.engine.llvm.scope import PlanScope

READ, WRITE, SHAPE = ("array.item", "array.set", "array.size")


class Element(NamedTuple):
    """Element of an array, or a row that was not made."""

    array: ir.Register
    key: Sequence[Any]
    """Ints and registers that index the axes from the first one; in the end registers alone."""
    links: tuple[tuple[Any, int], ...]
    """Steps that read it, one from the result of the other, and the length of each one's key."""


class Sizes(NamedTuple):
    """Shape of an array, a vector that was not made."""

    array: ir.Register
    step: Any


def lower_element(
    scope: PlanScope, step: Any, row: Element | None
) -> ir.Register | Element | Sizes:
    """Lower a read of an element or of the shape of an array, or of a row that was not made; a row
    stays an ``Element``, and a shape ``Sizes``, until it is needed.
    """
    lowering, block = scope.lowering, scope.block
    first, *index_slots = step.sources
    indices = scope.read_all(index_slots)
    source = scope.values.get(first)
    if isinstance(source, Sizes):
        axis = _axis_of(step, source)
        if axis is not None:
            return size_of(lowering, block, step, source, axis)
    if opcode_on_arrays(step) == SHAPE:
        array = scope.read(first)
        if _has_known_sizes(step, array):
            return Sizes(array, step)
        return lowering.call_kernel(block, step, [array])[0]
    element = _element_of(step, row or scope.read(first), indices)
    if element is None:
        return lowering.call_kernel(block, step, [scope.read(first), *indices])[0]
    element = element._replace(key=indices_of(lowering, block, element.key))
    args, spec = [element.array, *element.key], step.operation.outputs[0].spec
    if spec.shape.dims == () and spec.dtype._dtype in ir.NUMBERS:
        value = lowering.new(ir.NUMBERS[spec.dtype._dtype])
        block.add(ir.Compute("array.item", args, (value,), site_of(element)))
        return value
    block.add(ir.Compute("array.check", args, (), site_of(element)))
    return element


def size_of(lowering: Lowering, block: ir.Block, step: Any, sizes: Sizes, axis: int) -> ir.Register:
    """Lower a read of a shape: the size of an axis."""
    result, spec = lowering.new(ir.INT64), sizes.step.operation.inputs[0].spec
    attrs = {"dtype": np.dtype(spec.dtype.as_numpy_dtype), "rank": spec.shape.rank}

    def size(array: Any, axis: Any, **_: Any) -> Any:
        return sizes.step.kernel(array, **sizes.step.attrs)[axis]

    site = ir.Site(PlanStep(size, attrs, (), (), (), step.operation), order=())
    args = sizes.array, lowering.constant(block, np.int64(axis))
    block.add(ir.Compute("array.size", args, (result,), site))
    return result


def write_element(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Lower a write of an element; None if native code does not do it."""
    key = _written_key(step, args)
    if key is None:
        return None
    return [_set(lowering, block, [*args[:2], *indices_of(lowering, block, key)], [step], ())]


def write_in_rows(scope: PlanScope, step: Any, row: Element) -> bool:
    """Lower ``a[i][j] = x``, which is some steps: the row is changed, and put into the array.
    Return False if a step is not the first of such steps.
    """
    resume = scope.position + 1 + len(row.links)
    writes = scope.plan.steps[scope.position : resume]
    if not _are_of_rows(writes, row, scope.values):
        return False
    indices = scope.read_all(step.sources[2:])
    value = scope.read(step.sources[1])
    key, spec = ints_of(step, indices), writes[-1].operation.outputs[0].spec
    if not key or not isinstance(value.type, ir.Scalar):
        return False
    if len(row.key) + len(key) != spec.shape.rank:
        return False
    args = [row.array, value, *row.key, *indices_of(scope.lowering, scope.block, key)]
    result = _set(scope.lowering, scope.block, args, writes, row.links)
    scope.values[writes[-1].targets[0]] = result
    scope.resume = resume
    return True


def _set(
    lowering: Lowering, block: ir.Block, args: ir.Registers, writes: Sequence[Any],
    links: Sequence[tuple[Any, int]],
) -> ir.Register:  # fmt: skip
    result, site = lowering.new(ir.OBJECT), _site_of_writes(writes, links)
    block.add(ir.Compute("array.set", args, (result,), site))
    return result


def indices_of(
    lowering: Lowering, block: ir.Block, key: Sequence[int | ir.Register]
) -> list[ir.Register]:
    """Return the registers of a key."""
    return [
        index if isinstance(index, ir.Register) else lowering.constant(block, np.int64(index))
        for index in key
    ]


def reads_element(step: Any) -> bool:
    """Return whether a step may read an element or the shape of an array."""
    return opcode_on_arrays(step) in (READ, SHAPE)


def is_write(step: Any) -> bool:
    """Return whether a step writes elements of an array."""
    return opcode_on_arrays(step) == WRITE


def opcode_on_arrays(step: Any) -> str:
    """Return the opcode of a step that reads or writes elements of arrays; empty for others."""
    rule = step.operation.op_def.lower
    return rule.opcode if isinstance(rule, OnArrays) else ""


def _has_known_sizes(step: Any, array: ir.Register) -> bool:
    """Return whether the sizes of an array, whose shape a step reads, are read natively."""
    spec = step.operation.inputs[0].spec
    is_supported = spec.dtype._dtype in ir.ELEMENTS and spec.shape.rank is not None
    return is_supported and array.type is ir.OBJECT and is_layout_known()


def _axis_of(step: Any, sizes: Sizes) -> int | None:
    """Return the axis whose size a step reads from a shape; None if it reads anything else."""
    key, spec = step.attrs.get("key", ()), step.operation.outputs[0].spec
    rank = sizes.step.operation.inputs[0].shape.rank
    if len(key) != 1 or type(key[0]) is not int or not -rank <= key[0] < rank:
        return None
    return key[0] % rank if spec.dtype is int64 else None


def _written_key(step: Any, args: ir.Registers) -> list[int | ir.Register] | None:
    """Return the ints that index the element which a step writes; None if it writes more than one,
    or native code does not do it.  ``args`` are the array, the value, and the indices.
    """
    array, value, *indices = args
    spec = step.operation.outputs[0].spec
    key = ints_of(step, indices)
    if not key or len(key) != spec.shape.rank or spec.dtype.as_numpy_dtype not in TYPE_NUMBERS:
        return None
    if array.type is not ir.OBJECT or not isinstance(value.type, ir.Scalar):
        return None
    return key if is_layout_known() else None


def _element_of(step: Any, source: ir.Register | Element, indices: ir.Registers) -> Element | None:
    """Return the element or row that a step reads; None if native code does not do it."""
    key = ints_of(step, indices)
    spec = step.operation.outputs[0].spec
    if not key or spec.shape.rank is None or layout_of(spec) is None:
        return None
    if isinstance(source, Element):
        return Element(source.array, [*source.key, *key], (*source.links, (step, len(key))))
    if source.type is not ir.OBJECT or not is_layout_known():
        return None
    return Element(source, key, ((step, len(key)),))


def ints_of(step: Any, indices: ir.Registers) -> list[int | ir.Register] | None:
    """Return the key of a step; None if it holds more than ints."""
    key: list[int | ir.Register] = []
    for item in step.attrs["key"]:
        if isinstance(item, KeyInput):
            index = indices[item.index]
            if not isinstance(index.type, ir.Scalar) or index.type.kind not in "iu":
                return None
            key.append(index)
        elif type(item) is int and abs(item) < 1 << 63:
            key.append(item)
        else:
            return None
    return key


def site_of(element: Element) -> ir.Site:
    """Return the site that reads an element by the kernels of its steps.

    Its arguments are the array and an index for each axis.
    """
    last_step = element.links[-1][0]
    return ir.Site(PlanStep(_ByKernels(element.links), {}, (), (), (), last_step.operation))


class _ByKernels:
    """Kernel that calls those of several steps, each on the result of the one before."""

    def __init__(self, links: Sequence[tuple[Any, int]]) -> None:
        self._links = links

    def __call__(self, array: Any, *axes: Any) -> Any:
        start = 0
        for step, count in self._links:
            array = _by_kernel(step, [array], axes[start : start + count])
            start += count
        return array


def _are_of_rows(writes: Sequence[Any], row: Element, env: dict[int, Any]) -> bool:
    """Return whether steps write to a row, and each result to what the row was taken from."""

    def places(step: Any, first: int) -> list[Any]:
        slots = step.sources[first:]
        key = [slots[p.index] if isinstance(p, KeyInput) else (p,) for p in step.attrs["key"]]
        return [env.get(slot, slot) for slot in (step.sources[0], *key)]

    if len(writes) != 1 + len(row.links):
        return False
    for inner, outer, (link, _) in zip(writes[:-1], writes[1:], row.links[::-1], strict=True):
        if not is_write(outer) or places(outer, 2) != places(link, 1):
            return False
        (target,) = inner.targets
        if outer.sources[1] != target or target not in outer.dead:
            return False
    return True


def _site_of_writes(writes: Sequence[Any], links: Sequence[tuple[Any, int]]) -> ir.Site:
    """Return the site that writes an element by the kernels of steps, the first of them to a row.

    Its arguments are the array, the value and an index for each axis.
    """

    def write(array: Any, value: Any, *axes: Any) -> Any:
        rows, start = [array], 0
        for link, count in links:
            rows.append(_by_kernel(link, rows[-1:], axes[start : start + count]))
            start += count
        value = _by_kernel(writes[0], [rows.pop(), value], axes[start:])
        for step, (_, count) in zip(writes[1:], reversed(links), strict=True):
            value = _by_kernel(step, [rows.pop(), value], axes[start - count : start])
            start -= count
        return value

    return ir.Site(PlanStep(write, {}, (), (), (), writes[-1].operation))


def _by_kernel(step: Any, first: list[Any], axes: Sequence[Any]) -> Any:
    """Call the kernel of a step on its first inputs and on those of its key that are no constants.
    """
    axis_of = dict(zip(step.attrs["key"], axes, strict=True))
    inputs = [
        *first,
        *(
            axis_of[key_input]
            for key_input in map(KeyInput, range(len(axis_of)))
            if key_input in axis_of
        ),
    ]
    return call_located(step, *inputs)
