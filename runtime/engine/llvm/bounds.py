"""Bounds of int64 values: which indexes cannot be negative, which arithmetic cannot overflow.

Counters of loops begin somewhere and only grow.  LLVM does not always find that out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.kernel_types import ANY, Bounds
from runtime.engine.llvm.text import FunctionText


def note_bounds(
    text: FunctionText, opcode: str, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str],
    result: str,
) -> None:  # fmt: skip
    """Note the bounds of the result of an opcode, if they are narrower than those of its type."""
    rule = _RULES.get(opcode)
    if rule is None or gives != ir.INT64:
        return
    operands = [_bounds_of_operand(text, type, arg) for type, arg in zip(takes, args, strict=True)]
    low, high = rule(*operands)
    bounds = Bounds(max(low, ANY.low), min(high, ANY.high))
    if bounds != ANY:
        text.bounds[result] = bounds


def note_either(text: FunctionText, values: Sequence[str], result: str) -> None:
    """Note that an int is one of some others."""
    alternatives = [text.bounds_of(value) for value in values]
    text.bounds[result] = Bounds(
        min(p.low for p in alternatives), max(p.high for p in alternatives)
    )


def product(lhs: Bounds, rhs: Bounds) -> Bounds:
    """Return the bounds of products."""
    corners = [x * y for x in lhs for y in rhs]
    return Bounds(min(corners), max(corners))


def total(lhs: Bounds, rhs: Bounds) -> Bounds:
    """Return the bounds of sums."""
    return Bounds(lhs.low + rhs.low, lhs.high + rhs.high)


def difference(lhs: Bounds, rhs: Bounds) -> Bounds:
    """Return the bounds of differences."""
    return Bounds(lhs.low - rhs.high, lhs.high - rhs.low)


def fits(bounds: Bounds) -> bool:
    """Return whether all values within bounds are int64."""
    return bounds.low >= ANY.low and bounds.high <= ANY.high


def _bounds_of_operand(text: FunctionText, type: ir.Type, name: str) -> Bounds:
    if type == ir.BOOL:
        return Bounds(0, 1)
    if isinstance(type, ir.Scalar) and type.kind in "iu" and type.bits < 64:
        least = -(1 << (type.bits - 1)) if type.kind == "i" else 0
        return Bounds(least, least + (1 << type.bits) - 1)
    return text.bounds_of(name)


def _product(lhs: Bounds, rhs: Bounds) -> Bounds:
    low, high = product(lhs, rhs)
    low, high = max(low, ANY.low), min(high, ANY.high)
    for factor in (lhs, rhs):
        if factor.low == factor.high != 0:  # a multiple of it
            size = abs(factor.low)
            low, high = -(-low // size * size), high // size * size
    return Bounds(low, high)


def _greater(lhs: Bounds, rhs: Bounds) -> Bounds:
    return Bounds(max(lhs.low, rhs.low), max(lhs.high, rhs.high))


def _less(lhs: Bounds, rhs: Bounds) -> Bounds:
    return Bounds(min(lhs.low, rhs.low), min(lhs.high, rhs.high))


def _remainder(value: Bounds, divisor: Bounds) -> Bounds:
    return Bounds(0, divisor.high - 1) if divisor.low > 0 else ANY


def _quotient(value: Bounds, divisor: Bounds) -> Bounds:
    if divisor.low <= 0:
        return ANY
    corners = [x // y for x in value for y in divisor]
    return Bounds(min(corners), max(corners))


def _itself(value: Bounds) -> Bounds:
    return value


_RULES: dict[str, Callable[..., Bounds]] = {
    # these opcodes give up, and their kernels raise, where a result would not fit
    "add.checked": total, "sub.checked": difference, "mul.checked": _product,
    "increment": lambda value: total(value, Bounds(1, 1)), "cast.exact": _itself,
    "max": _greater, "min": _less, "floormod": _remainder, "floordiv": _quotient,
}  # fmt: skip
"""By opcode: the bounds of its result, for those of its arguments."""
