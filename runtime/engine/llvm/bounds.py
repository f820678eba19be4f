"""Bounds of int64 values: which indexes cannot be negative, which arithmetic cannot overflow.

Counters of loops begin somewhere and only grow.  LLVM does not always find that out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.text import ANY, Bounds, FunctionText


def note_bounds(
    text: FunctionText, opcode: str, takes: Sequence[ir.Type], gives: ir.Type, args: Sequence[str],
    result: str,
) -> None:  # fmt: skip
    """Note the bounds of the result of an opcode, if they are narrower than those of its type."""
    rule = _RULES.get(opcode)
    if rule is None or gives != ir.INT64:
        return
    known = [_known(text, type, arg) for type, arg in zip(takes, args, strict=True)]
    low, high = rule(*known)
    found = Bounds(max(low, ANY.low), min(high, ANY.high))
    if found != ANY:
        text.bounds[result] = found


def note_either(text: FunctionText, values: Sequence[str], result: str) -> None:
    """Note that an int is one of some others."""
    parts = [text.bounds_of(value) for value in values]
    text.bounds[result] = Bounds(min(p.low for p in parts), max(p.high for p in parts))


def product(left: Bounds, right: Bounds) -> Bounds:
    """Return the bounds of products."""
    corners = [x * y for x in left for y in right]
    return Bounds(min(corners), max(corners))


def total(left: Bounds, right: Bounds) -> Bounds:
    """Return the bounds of sums."""
    return Bounds(left.low + right.low, left.high + right.high)


def difference(left: Bounds, right: Bounds) -> Bounds:
    """Return the bounds of differences."""
    return Bounds(left.low - right.high, left.high - right.low)


def fits(found: Bounds) -> bool:
    """Return whether all values within bounds are int64."""
    return found.low >= ANY.low and found.high <= ANY.high


def _known(text: FunctionText, type: ir.Type, name: str) -> Bounds:
    if type == ir.BOOL:
        return Bounds(0, 1)
    if isinstance(type, ir.Scalar) and type.kind in "iu" and type.bits < 64:
        least = -(1 << (type.bits - 1)) if type.kind == "i" else 0
        return Bounds(least, least + (1 << type.bits) - 1)
    return text.bounds_of(name)


def _product(left: Bounds, right: Bounds) -> Bounds:
    low, high = product(left, right)
    low, high = max(low, ANY.low), min(high, ANY.high)
    for factor in (left, right):
        if factor.low == factor.high != 0:  # a multiple of it
            size = abs(factor.low)
            low, high = -(-low // size * size), high // size * size
    return Bounds(low, high)


def _greater(left: Bounds, right: Bounds) -> Bounds:
    return Bounds(max(left.low, right.low), max(left.high, right.high))


def _less(left: Bounds, right: Bounds) -> Bounds:
    return Bounds(min(left.low, right.low), min(left.high, right.high))


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
