"""Layouts of arrays that are known when code is generated: sizes, and that items lie row by row.

The sizes of arguments and constants are known from the graph.  The entry makes sure of these sizes,
and that no gaps are between the items; for any other array it calls code that was compiled for
arrays of any layout (native.py).  So LLVM knows that indexes exist, and where items lie.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import is_layout_known
from runtime.engine.llvm.array_loops.array_loop import ArrayLoop
from runtime.engine.llvm.array_views import Key
from runtime.engine.llvm.arrays.fusion import Fusion, KnownLayout
from runtime.engine.llvm.arrays.product import Product


class RowLayout(NamedTuple):
    """Layout of an array whose items lie row by row: NumPy's number of the dtype, the size of an
    item, and the sizes of the axes.
    """

    number: int
    item: int
    sizes: tuple[int, ...]

    @property
    def key(self) -> Key:
        """What the elements are taken for."""
        return self.number, len(self.sizes)

    @property
    def strides(self) -> tuple[int, ...]:
        """How many bytes are from an item to the next one, for each axis."""
        sizes = self.sizes
        return tuple([self.item * prod(sizes[axis + 1 :]) for axis in range(len(sizes))])


class KnownLayouts(NamedTuple):
    """Known layouts of the arrays of a module whose elements are used.

    params   by position of the entry's parameter
    objects  by index of the object
    in_place positions of parameters that are changed though the caller refers to them
    """

    params: dict[int, RowLayout]
    objects: dict[int, RowLayout]
    in_place: frozenset[int] = frozenset()


NONE_KNOWN = KnownLayouts({}, {})

COPIED = 1 << 20
"""Bytes of a constant up to which it is copied, if its items do not lie row by row."""


def known_layouts(module: ir.KernelModule) -> KnownLayouts:
    """Return what is known of the arrays of a module when code is generated."""
    block = module.entry.block
    if ir.OBJECT not in module.entry.types():
        return NONE_KNOWN
    used = _used_by_elements(block)
    specs = zip(block.params, module.specs, strict=True)
    params = {
        position: row_layout(np.dtype(spec.dtype.as_numpy_dtype), spec.shape.dims)
        for position, (value, spec) in enumerate(specs)
        if value.type is ir.OBJECT and value.number in used
    }
    objects = {
        index: row_layout(module.objects[index].dtype, module.objects[index].shape)
        for index in _objects_in(module, used) if _lies_row_by_row(module.objects[index])
    }  # fmt: skip
    return KnownLayouts(_without_unknown(params), _without_unknown(objects))


def row_by_row(value: Any) -> Any:
    """Return a constant as code should find it: rows of equal rows, say, become rows in memory."""
    is_array = isinstance(value, np.ndarray) and not value.flags.writeable  # nobody changes it
    if is_array and not value.flags.c_contiguous and value.nbytes <= COPIED:
        value = value.copy()
        value.flags.writeable = False
    return value


def changed_once(module: ir.KernelModule) -> set[int]:
    """Return the positions of the entry's parameters that are made the code's own in one place,
    before which elements of them are read alone, and after which they are not used.
    """
    block = module.entry.block
    return {n for n, value in enumerate(block.params) if _is_changed_once(block, value)}


def _is_changed_once(block: ir.Block, array: ir.Register) -> bool:
    users = [user for user in block.instructions if array in user.args]
    if array in block.results or not users:
        return False
    *reads, last_user = users
    return isinstance(last_user, ir.Compute) and last_user.opcode == "array.own" and all(
        isinstance(user, ir.Compute) and user.reads_array() for user in reads
    )


def _without_unknown(layouts: dict[int, RowLayout | None]) -> dict[int, RowLayout]:
    return {place: layout for place, layout in layouts.items() if layout is not None}


def row_layout(dtype: np.dtype[Any], dims: tuple[int | None, ...] | None) -> RowLayout | None:
    """Return the layout of arrays that lie row by row; None where it is not known, or no axis is.
    """
    if not dims or None in dims or dtype not in ir.ELEMENTS or not is_layout_known():
        return None
    return RowLayout(dtype.num, dtype.itemsize, tuple([size for size in dims if size is not None]))


def _lies_row_by_row(value: Any) -> bool:
    return type(value) is np.ndarray and value.flags.c_contiguous and value.flags.aligned


def _used_by_elements(block: ir.Block) -> set[int]:
    """Return the values, of a block and those inside of it, of which elements are used."""
    numbers: set[int] = set()
    for instruction in block.instructions:
        if isinstance(instruction, ir.Compute) and instruction.opcode.startswith("array."):
            numbers.add(instruction.args[0].number)
        numbers |= {value.number for value, _ in expected_layouts(instruction)}
        for inner in instruction.blocks():
            numbers |= _used_by_elements(inner)
        if isinstance(instruction, ir.Switch | ir.WhileLoop):
            for position, value in enumerate(instruction.args):
                if any(param.number in numbers for _, param in instruction.params_of(position)):
                    numbers.add(value.number)
    return numbers


def expected_layouts(instruction: ir.Instruction) -> Iterator[tuple[ir.Register, KnownLayout]]:
    """Yield the arrays whose elements an instruction uses, and what the graph says of them."""
    if isinstance(instruction, Fusion | Product):
        for number, layout in enumerate(instruction.layouts):
            selected = instruction.selected.get(number)
            expected = layout if selected is None else selected.base
            if expected is not None:
                yield instruction.args[number], expected
    elif isinstance(instruction, ArrayLoop):
        yield from zip(instruction.args, instruction.layouts, strict=False)


def _objects_in(module: ir.KernelModule, used: set[int]) -> list[int]:
    """Return the indexes of the objects of the entry's function of which elements are used."""
    instructions = [instruction for instruction, _ in ir.instructions(module.entry.block)]
    return [
        instruction.index for instruction in instructions
        if isinstance(instruction, ir.ObjectConstant) and instruction.results[0].number in used
    ]  # fmt: skip
