"""LLVM code of one element of a fusion: loads, operations, stores.

The operations are the scalar opcodes; LLVM turns the loop around them into vector instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays import complex_functions
from runtime.engine.llvm.arrays.functions import (
    apply_narrow,
    call_vectorized,
    computes_narrow,
    is_narrow,
    is_vectorized,
)
from runtime.engine.llvm.arrays.fusion import Fusion, Member
from runtime.engine.llvm.element_code import load_element, store_element
from runtime.engine.llvm.libm_code import UNARY
from runtime.engine.llvm.loop_facts import PARALLEL
from runtime.engine.llvm.opcodes import FORMULAS, evaluate
from runtime.engine.llvm.text import FunctionText, literal
from runtime.engine.llvm.values import OPCODES, Code


def computes_elements(opcode: str, takes: Sequence[ir.Scalar], gives: ir.Scalar) -> bool:
    """Return whether a loop over an opcode is as fast as NumPy's kernel.

    Functions that only the C library has, one number at a time, are slower.
    """
    if is_narrow((*takes, gives)):
        return computes_narrow(opcode, takes, gives, computes_elements)
    if complex_functions.is_complex((*takes, gives)):
        exact = opcode == "cast.exact" and gives.kind != "c"
        return opcode in complex_functions.FUNCTIONS and not exact
    if gives.kind == "f" and is_vectorized(opcode):
        return True
    return opcode in OPCODES and opcode not in (*UNARY, "atan2", "pow", "sigmoid")


def load(text: FunctionText, type: ir.Scalar, address: str) -> str:
    """Load an element that no other iteration of the loop changes."""
    return load_element(text, address, type, PARALLEL)


def store(text: FunctionText, type: ir.Scalar, value: str, address: str) -> None:
    """Store an element that no other iteration of the loop uses."""
    store_element(text, address, type, value, PARALLEL)


class SpacePoint(NamedTuple):
    """Where in the space an element is.

    position  by axis of the space: the position
    load      function of an argument and of places along its axes: the element there
    """

    position: Callable[[int], str]
    load: Callable[[int, Sequence[str]], str]


NO_POINT = SpacePoint(lambda axis: "0", lambda number, places: "0")


def compute(
    text: FunctionText, fusion: Fusion, values: list[str], point: SpacePoint = NO_POINT
) -> str | None:
    """Add the operations on one element, whose arguments are in ``values``, to it; return whether
    one of them gives up.  The value of a reduction is the element, or the product of two, that it
    combines.
    """
    gave_up = None
    for member in fusion.members:
        args = [values[arg] for arg in member.args]
        if member.opcode in _COMPUTED:
            values.append(_COMPUTED[member.opcode](member, args, point))
            continue
        if member.reduction is not None:
            values.append(_product(text, member, args))
            continue
        takes = [fusion.type_of(arg) for arg in member.args]
        value, flag = _apply(text, member.opcode, takes, member.type, args)
        values.append(value)
        if flag is not None:
            gave_up = flag if gave_up is None else text.value(f"or i1 {gave_up}, {flag}")
    return gave_up


_COMPUTED: dict[str, Callable[[Member, Sequence[str], SpacePoint], str]] = {
    "axis": lambda member, args, point: point.position(member.detail),
    "extent": lambda member, args, point: size_name(member.args[0], member.detail),
    "number": lambda member, args, point: literal(member.detail, member.type),
    "load": lambda member, args, point: point.load(member.args[0], args[1:]),
}
"""Members that are no operations on elements."""


def size_name(number: int, axis: int) -> str:
    """Return the name of the size of an argument's axis in the function of a fusion."""
    return f"%a{number}n{axis}"


def _apply(
    text: FunctionText, opcode: str, takes: Sequence[ir.Scalar], gives: ir.Scalar,
    args: Sequence[str],
) -> Code:  # fmt: skip
    """Apply an opcode; functions are those of vectors, in formulas, too."""
    if is_narrow((*takes, gives)):
        return apply_narrow(text, opcode, takes, gives, args, _apply, apply_opcode)
    if complex_functions.is_complex((*takes, gives)):
        return complex_functions.apply(text, opcode, takes, gives, args, apply_opcode)
    if gives.kind == "f" and is_vectorized(opcode):
        return call_vectorized(text, opcode, gives, args), None
    if opcode in FORMULAS:
        return evaluate(text, opcode, takes, gives, args, apply_opcode), None
    return OPCODES[opcode](text, takes, gives, args)


def apply_opcode(
    text: FunctionText, opcode: str, takes: Sequence[ir.Scalar], gives: ir.Scalar,
    args: Sequence[str],
) -> str:  # fmt: skip
    """Apply an opcode that never gives up."""
    return _apply(text, opcode, takes, gives, args)[0]


def _product(text: FunctionText, member: Member, args: Sequence[str]) -> str:
    product, *factors = args
    for factor in factors:
        product, _ = _apply(text, "mul", (member.type,) * 2, member.type, (product, factor))
    return product


def quotient_of_complex(text: FunctionText, type: ir.Scalar, dividend: str, divisor: str) -> str:
    """Return the quotient of two complex numbers."""
    return apply_opcode(text, "div", (type, type), type, (dividend, divisor))
