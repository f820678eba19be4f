"""Which operations can be members of a fusion: element-wise ones and reductions of numbers.

An operation's inputs are arrays of known dtype and rank, each as large as the space or broadcast
over it, and numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import is_layout_known
from runtime.engine.llvm.arrays.elements import computes_elements
from runtime.engine.llvm.arrays.fusion import Dims, KnownLayout, Reduction
from runtime.engine.llvm.formula_code import opcode_of_power
from runtime.engine.llvm.vector_math.processor import converts_halves
from runtime.engine.passes.queries import constant_value
from runtime.ops.array.indexing import KeyInput
from runtime.ops.op import ELEMENTWISE
from runtime.ops.rules.lowering import Composes, Multiplies, Native, Reduces
from runtime.types.shapes import TensorSpec

FLOAT32 = ir.Scalar("f", 32)


class Joining(NamedTuple):
    """Operation that can be a member of a fusion.

    sources    slots of the plan, and constants (NumPy's numbers) among the attributes
    space      what the fusion runs over
    type       the type of the elements that it computes
    reduction  how it combines them, if it does
    """

    opcode: str
    sources: Sequence[Any]
    space: Dims
    type: ir.Scalar
    reduction: Reduction | None = None


def joining(step: Any) -> Joining | None:
    """Return the member of a fusion that a step can be; None if its kernel has to compute it."""
    node = step.operation
    if len(node.outputs) != 1 or not is_layout_known():
        return None
    rule = node.op_def.lower
    if isinstance(rule, Composes) and rule.of_complex:
        rule = Native(rule.of_complex)
    if isinstance(rule, Native) and ELEMENTWISE in node.op_def.traits:
        return _elementwise(step, rule)
    if isinstance(rule, Multiplies):
        return _product_of_vectors(step, rule)
    return _reduction(step, rule) if isinstance(rule, Reduces) else None


def layout_of(spec: TensorSpec) -> KnownLayout | None:
    """Return the layout of the arrays of a spec; None if native code does not know their elements.
    """
    dtype = spec.dtype._dtype
    if dtype not in ir.ELEMENTS or spec.shape.dims is None:
        return None
    if dtype == np.float16 and not converts_halves():
        return None
    return KnownLayout(np.dtype(dtype), tuple(spec.shape.dims))


def layouts_of(tensors: Sequence[Any]) -> list[KnownLayout] | None:
    """Return the layouts of arrays; None if native code does not know the elements of all."""
    layouts = [layout_of(tensor.spec) for tensor in tensors]
    known_layouts = [layout for layout in layouts if layout is not None]
    return known_layouts if len(known_layouts) == len(layouts) else None


def _elementwise(step: Any, rule: Native) -> Joining | None:
    node = step.operation
    result = layout_of(node.outputs[0].spec)
    layouts = [layout_of(tensor.spec) for tensor in node.inputs]
    # numbers without axes are in registers: scalar opcodes, and no loop
    if result is None or not (result.dims or _has_no_registers([result, *layouts])):
        return None
    sources: list[Any] = list(step.sources)
    if rule.operands is not None and rule.opcode_for((), False, node.attrs):
        values = rule.operands(node.attrs)[0]
        inputs = layouts
        layouts = [
            inputs[operand.index] if isinstance(operand, KeyInput) else _layout_of_number(operand)
            for operand in values
        ]
        sources = [
            step.sources[operand.index]
            if isinstance(operand, KeyInput)
            else np.asarray(operand)[()]
            for operand in values
        ]
    types = []
    for layout in layouts:
        if layout is None or not fits(layout.dims, result.dims):
            return None
        types.append(layout.element)
    if not rule.mixed and len(set(types)) > 1:
        return None
    opcode = rule.opcode_for([type.kind for type in types], False, node.attrs)
    if opcode == "pow":
        opcode = _power(result.element, constant_value(node.inputs[1]))
    if not opcode or not computes_elements(opcode, types, result.element):
        return None
    return Joining(opcode, sources, result.dims, result.element)


def _has_no_registers(layouts: Sequence[KnownLayout | None]) -> bool:
    """Return whether numbers without axes are objects, on which a loop of one turn computes."""
    return any(layout is not None and layout.dtype not in ir.NUMBERS for layout in layouts)


def _power(element: ir.Scalar, exponent: Any) -> str | None:
    """Return the opcode of a power, whose exponent may be known; None if the kernel has to compute
    it.
    """
    number = None if exponent is None or np.size(exponent) != 1 else np.ravel(exponent)[0]
    if element.kind == "c":
        return "pow.2" if number == 2 else "pow.3" if number == 3 else None
    if number is None or element not in (FLOAT32, ir.FLOAT64):
        return "pow"
    return opcode_of_power(float(number))


def _layout_of_number(constant: Any) -> KnownLayout | None:
    array = np.asarray(constant)
    is_number = array.dtype in ir.NUMBERS and not array.ndim
    return KnownLayout(array.dtype, ()) if is_number else None


def fits(dims: Dims, space: Dims) -> bool:
    """Return whether an array of static shape ``dims`` is broadcast over a space."""
    if len(dims) > len(space):
        return False
    pairs = zip(reversed(dims), reversed(space), strict=False)
    return all(extent in (1, None) or extent == size for extent, size in pairs)


def _reduction(step: Any, rule: Reduces) -> Joining | None:
    node = step.operation
    source, result = (layout_of(t.spec) for t in (node.inputs[0], node.outputs[0]))
    if source is None or result is None or source.element != result.element or not source.dims:
        return None
    if source.element.kind not in rule.kinds:
        return None
    rank, axis = len(source.dims), node.attrs["axis"]
    listed = range(rank) if axis is None else (axis,) if isinstance(axis, int) else axis
    axes = {number + rank if number < 0 else number for number in listed}
    if not axes or len(axes) < len(listed) or not axes <= set(range(rank)):
        return None  # the kernel says what is wrong with the axes
    if source.element in ir.NARROW and not (_sums_halves(rule, source, axes)):
        return None
    keep = node.attrs["keepdims"]
    places = [None if n in axes else n for n in range(rank) if keep or n not in axes]
    reduction = Reduction(tuple(sorted(axes)), tuple(places), rule.mean)
    return Joining(rule.opcode, step.sources, source.dims, result.element, reduction)


def _sums_halves(rule: Reduces, source: KnownLayout, axes: set[int]) -> bool:
    """Return whether a loop adds float16 up, or multiplies them, as NumPy does: along the last axes
    in float32; otherwise the results are rounded after each of those.  An axis that may have
    size 1 could be one of either sort.
    """
    first = min(axes)
    inner_sizes = [
        size for axis, size in enumerate(source.dims) if axis > first and axis not in axes
    ]
    return source.element == ir.HALF and not rule.mean and rule.opcode in ("add", "mul") and (
        None not in inner_sizes
    )


def _product_of_vectors(step: Any, rule: Multiplies) -> Joining | None:
    """Return the member that a product of two vectors is: a sum of products."""
    node = step.operation
    if len(node.inputs) != 2:
        return None
    lhs, rhs, result = (layout_of(t.spec) for t in (*node.inputs, *node.outputs))
    if lhs is None or rhs is None or result is None or result.dims:
        return None
    if [len(lhs.dims), len(rhs.dims)] != [1, 1] or result.element not in (FLOAT32, ir.FLOAT64):
        return None
    if {lhs.element, rhs.element} != {result.element}:
        return None
    # an unknown size beside a 1 may be another, which only the kernel refuses
    space = lhs.dims if lhs.dims != (None,) else rhs.dims
    if rule.axes(node.attrs, [1, 1]) is None or (space == (1,) and lhs.dims != rhs.dims):
        return None
    if not fits(lhs.dims, space) or not fits(rhs.dims, space):
        return None
    return Joining("add", step.sources, space, result.element, Reduction((0,), ()))
