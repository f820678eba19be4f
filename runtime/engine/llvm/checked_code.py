"""LLVM code of Python's arithmetic: what overflows gives up.

Where the bounds of the operands show that nothing overflows, nothing is checked.
"""

from __future__ import annotations

from collections.abc import Callable

from runtime.engine.llvm import bounds
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.opcodes import opcode
from runtime.engine.llvm.text import ANY, Bounds
from runtime.engine.llvm.values import LaneValue, PartialValue

BoundsOf = Callable[[Bounds, Bounds], Bounds]


def _checked(operation: str, bounds_of: BoundsOf) -> None:
    """Enter an operation: ints that overflow give up."""

    @opcode(f"{operation}.checked")
    def emit(x: LaneValue, y: LaneValue) -> LaneValue | PartialValue:
        if x.type.kind == "f" or _always_fits(bounds_of, x, y):
            return x.apply(operation, y)
        if operation == "mul" and x.type == ir.INT64:
            for value, factor in ((x, y), (y, x)):
                if factor.known_int not in (None, -1):
                    return _multiple(value, factor.known_int)
        return x.with_overflow(f"s{operation}", y)


def _always_fits(bounds_of: BoundsOf, x: LaneValue, y: LaneValue) -> bool:
    return x.type == ir.INT64 and bounds.fits(bounds_of(x.bounds, y.bounds))


def _multiple(value: LaneValue, factor: int) -> PartialValue:
    """Multiply by a constant other than 0, 1 and -1: the factors that fit lie in a range.

    The processor compares while it multiplies; its own flag would have to wait for the product, and
    for that it needs the multiplier where additions would do.
    """
    size = abs(factor)
    least, most = -(-ANY.low // size), ANY.high // size
    if factor < 0:
        least, most = -most, min(-least, ANY.high)
    product = value * factor
    moved = value - least
    return PartialValue(product, moved.emit(f"icmp ugt i64 {moved}, {most - least}", ir.BOOL))


_checked("add", bounds.total)
_checked("sub", bounds.difference)
_checked("mul", bounds.product)


@opcode("neg.checked")
def _neg_checked(x: LaneValue) -> LaneValue | PartialValue:
    return -x if x.type.kind == "f" else x.constant(0).attempt("sub.checked", x)


@opcode("abs.checked")
def _abs_checked(x: LaneValue) -> LaneValue | PartialValue:
    size = abs(x)
    return size if x.type.kind == "f" else PartialValue(size, size < 0)
