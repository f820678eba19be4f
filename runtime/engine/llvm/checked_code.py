"""LLVM code of Python's arithmetic: what overflows gives up.

Where the bounds of the operands show that nothing overflows, nothing is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.engine.llvm import bounds
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.scalar_code import OPCODES, Code, Emit, number_type, opcode
from runtime.engine.llvm.text import ANY, Bounds, FunctionText, llvm_type

BoundsOf = Callable[[Bounds, Bounds], Bounds]


def _checked_emitter(operation: str, bounds_of: BoundsOf) -> Emit:
    """Return the emitter of an operation: ints that overflow give up."""

    def emit(
        text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
    ) -> Code:
        if number_type(gives).kind == "f" or _always_fits(text, bounds_of, gives, args):
            return OPCODES[operation](text, takes, gives, args)
        if operation == "mul":
            for value, factor in (args, args[::-1]):
                if factor.lstrip("-").isdigit() and gives == ir.INT64 and factor != "-1":
                    return _multiple(text, value, int(factor))
        kind = llvm_type(gives)
        pair = text.call(
            f"{{{kind}, i1}}", f"llvm.s{operation}.with.overflow.{kind}",
            f"{kind} {args[0]}", f"{kind} {args[1]}",
        )  # fmt: skip
        result = text.value(f"extractvalue {{{kind}, i1}} {pair}, 0")
        return result, text.value(f"extractvalue {{{kind}, i1}} {pair}, 1")

    return emit


def _always_fits(
    text: FunctionText, bounds_of: BoundsOf, type: ir.Type, args: Sequence[str]
) -> bool:
    if type != ir.INT64:
        return False
    return bounds.fits(bounds_of(text.bounds_of(args[0]), text.bounds_of(args[1])))


def _multiple(text: FunctionText, value: str, factor: int) -> Code:
    """Multiply by a constant other than 0, 1 and -1: the factors that fit lie in a range.

    The processor compares while it multiplies; its own flag would have to wait for the product, and
    for that it needs the multiplier where additions would do.
    """
    size = abs(factor)
    least, most = -(-ANY.low // size), ANY.high // size
    if factor < 0:
        least, most = -most, min(-least, ANY.high)
    result = text.value(f"mul i64 {value}, {factor}")
    moved = text.value(f"sub i64 {value}, {least}")
    return result, text.value(f"icmp ugt i64 {moved}, {most - least}")


OPCODES["add.checked"] = _checked_emitter("add", bounds.total)
OPCODES["sub.checked"] = _checked_emitter("sub", bounds.difference)
OPCODES["mul.checked"] = _checked_emitter("mul", bounds.product)


@opcode("neg.checked")
def _neg_checked(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    if number_type(gives).kind == "f":
        return OPCODES["neg"](text, takes, gives, args)
    return OPCODES["sub.checked"](text, (gives, gives), gives, ("0", args[0]))


@opcode("abs.checked")
def _abs_checked(
    text: FunctionText, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str]
) -> Code:
    result, _ = OPCODES["abs"](text, takes, gives, args)
    if number_type(gives).kind == "f":
        return result, None
    return result, text.value(f"icmp slt {llvm_type(gives)} {result}, 0")
