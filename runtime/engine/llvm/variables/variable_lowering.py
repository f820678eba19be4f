"""Lowering of variables: those of the numbers and arrays that native code knows.

Updates of arrays that element-wise operations compute are parts of fusions (fusion_lowering.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.fusion import KnownLayout
from runtime.engine.llvm.arrays.joining import layout_of
from runtime.engine.llvm.element_lowering import WRITE, indices_of, ints_of
from runtime.engine.llvm.variables.access import Place, VariableAccess, is_storage_known
from runtime.ops.op import lookup
from runtime.ops.resource.variable import VALUES, VariableStorage
from runtime.ops.rules.lowering import Control, OnArrays
from runtime.types.shapes import TensorSpec

if TYPE_CHECKING:
    from runtime.engine.llvm.lowering import Lowering


def place_of(lowering: Lowering, storage: VariableStorage) -> Place:
    """Return where the value of a variable is kept."""
    values = lowering.object_index(VALUES) if storage.per_session else None
    return Place(lowering.object_index(storage), values)


def read_variable(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Lower a read."""
    storage = step.attrs["storage"]
    if not is_storage_known() or _is_other_number(storage):
        return None
    results = lowering.results_of(step.operation)
    _access(lowering, block, step, "read", (), results)
    return results


def assign_variable(
    lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers
) -> ir.Results:
    """Lower an assignment; None if the kernel has to look whether the value fits."""
    storage, (value,) = step.attrs["storage"], args
    type = number_of(storage)
    if not is_storage_known() or _is_other_number(storage):
        return None
    if type is not None:
        if value.type != type:
            return None
    elif value.type is not ir.OBJECT or not _fits(storage, step.operation.inputs[0].spec):
        return None
    _access(lowering, block, step, "write", args, ())
    return list(args)


def assign_sum(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Lower a sum with a variable that is a number, or difference."""
    type = number_of(step.attrs["storage"])
    if type is None or args[0].type != type or not is_storage_known():
        return None
    results = [lowering.new(type)]
    _access(lowering, block, step, "sub" if step.attrs["negative"] else "add", args, results)
    return results


def count_up_to(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Lower a count; None if the limit is no number of the variable's type."""
    storage, limit = step.attrs["storage"], step.attrs["limit"]
    type = number_of(storage)
    if type is None or type.kind not in "iu" or not is_storage_known():
        return None
    info = np.iinfo(storage.dtype.as_numpy_dtype)
    if not info.min <= limit <= info.max:
        return None
    results = [lowering.new(type)]
    _access(lowering, block, step, "count", args, results, limit)
    return results


def held_array(lowering: Lowering, block: ir.Block, step: Any) -> ir.Register:
    """Return the array that a variable holds where a step updates it; its storage if it holds
    none, so that the kernel is called.
    """
    place = place_of(lowering, step.attrs["storage"])
    for instruction in reversed(block.instructions):
        if isinstance(instruction, VariableAccess) and instruction.place == place:
            if instruction.writes:
                break
            return instruction.results[0]
    result = lowering.new(ir.OBJECT)
    block.add(VariableAccess("peek", place, (), (result,), None))
    return result


def assign_changed(
    lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers
) -> ir.Results:
    """Lower the write of an element of a variable; None for other changes."""
    storage, options = step.attrs["storage"], step.attrs["options"]
    layout, rule = layout_of(spec_of(storage)), lookup(step.attrs["change"]).lower
    writes = isinstance(rule, OnArrays) and rule.opcode == WRITE
    if not writes or layout is None or not layout.dims or not is_storage_known():
        return None
    value, *indices = args
    key = ints_of(step._replace(attrs=options), indices)
    if not key or len(key) != len(layout.dims) or value.type != layout.element:
        return None
    results = [lowering.new(ir.OBJECT)]
    _access(lowering, block, step, "set", [value, *indices_of(lowering, block, key)], results)
    return results


def _access(
    lowering: Lowering, block: ir.Block, step: Any, opcode: str, args: ir.Registers,
    results: ir.Registers, limit: int = 0,
) -> None:  # fmt: skip
    place, site = place_of(lowering, step.attrs["storage"]), ir.Site(step)
    block.add(VariableAccess(opcode, place, args, results, site, limit))


def number_of(storage: VariableStorage) -> ir.Scalar | None:
    """Return the type of a variable that is a number; None for others."""
    return ir.NUMBERS.get(storage.dtype._dtype) if storage.shape.dims == () else None


def spec_of(storage: VariableStorage) -> TensorSpec:
    """Return what is known of the values of a variable."""
    return TensorSpec(storage.shape, storage.dtype)


def _is_other_number(storage: VariableStorage) -> bool:
    """Return whether a variable is a number that native code does not know."""
    return storage.shape.dims == () and number_of(storage) is None


def _fits(storage: VariableStorage, value: TensorSpec) -> bool:
    """Return whether a variable takes all values of a spec."""
    if storage.shape.dims is None:
        return True
    is_known = value.shape.dims is not None and None not in value.shape.dims
    return is_known and storage.shape.is_compatible_with(value.shape)


def layout_updated(step: Any) -> KnownLayout | None:
    """Return the layout of the variable that a step assigns an array of the same layout to; None if
    it does not, or not all sizes are known.
    """
    if step.operation.op_def.lower not in (Control("assign_variable"), Control("assign_sum")):
        return None
    storage, value = step.attrs["storage"], layout_of(step.operation.inputs[0].spec)
    current = layout_of(spec_of(storage))
    if current is None or current != value or not current.dims or None in current.dims:
        return None
    return current if is_storage_known() else None
