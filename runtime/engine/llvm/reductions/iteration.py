"""Emitter of an iteration that adds ints up, without a branch: of a switch both branches are
computed, and what each adds to the sums is selected.

Checked arithmetic on int64 is emitted so that LLVM makes vectors of it: it has no vectors of the
intrinsics with overflow, which scalar code uses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import bounds
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.bounds import note_bounds
from runtime.engine.llvm.opcodes import emitter
from runtime.engine.llvm.scalar_code import BoundsOf
from runtime.engine.llvm.speculation import FAST, BranchFree, Outcome
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.values import OPCODES, Code, Emit, LaneValue, PartialValue, either

_EMITTERS: dict[str, Emit] = {}
"""Emitters by opcode; OPCODES has those of other opcodes."""


def is_vectorisable(opcode: str, names: Sequence[str]) -> bool:
    """Return whether vectors have an opcode, whose arguments have these names."""
    if opcode in ("floordiv", "floormod"):
        return names[1].isdigit() and int(names[1]).bit_count() == 1
    return opcode in FAST or opcode in ("mul", "mul.checked")


def emit(
    text: FunctionText, opcode: str, takes: Sequence[ir.Type], gives: ir.Type, names: Sequence[str]
) -> Code:
    """Emit a vectorisable opcode; return the result, and a bool that is true where it gives up."""
    emitters: dict[str, Emit] = _EMITTERS if gives == ir.INT64 else {}
    name, flag = emitters.get(opcode, OPCODES[opcode])(text, takes, gives, names)
    note_bounds(text, opcode, takes, gives, names, name)
    return name, flag


def beyond(text: FunctionText, value: str, size: int) -> str | None:
    """Return a bool that is true where an int64 is greater than a size, or less than its opposite;
    None if it never is.
    """
    low, high = text.bounds_of(value)
    if low >= -size and high <= size:
        return None
    moved = text.value(f"add i64 {value}, {size}")
    return text.value(f"icmp ugt i64 {moved}, {2 * size}")


def _sum(operation: str, bounds_of: BoundsOf, x: LaneValue, y: LaneValue) -> PartialValue:
    result = x.emit(f"{operation} i64 {x}, {y}")
    if bounds.fits(bounds_of(x.bounds, y.bounds)):
        return PartialValue(result, None)
    # the sign of the result differs from that of the operand(s) that decide it
    lhs_sign = x ^ result
    rhs_sign = y ^ (result if operation == "add" else x)
    return PartialValue(result, (lhs_sign & rhs_sign) < 0)


def _add(x: LaneValue, y: LaneValue) -> PartialValue:
    return _sum("add", bounds.total, x, y)


def _subtract(x: LaneValue, y: LaneValue) -> PartialValue:
    return _sum("sub", bounds.difference, x, y)


def _negate(x: LaneValue) -> PartialValue:
    return _subtract(x.constant(0), x)


def _multiply(x: LaneValue, y: LaneValue) -> PartialValue:
    """Multiply ints of 32 bits; give up at larger ones, though their product may fit."""
    constant = x.known_int is not None or y.known_int is not None
    if constant or bounds.fits(bounds.product(x.bounds, y.bounds)):
        return x.attempt("mul.checked", y)
    flags = [beyond(x.text, factor.name, (1 << 31) - 1) for factor in (x, y)]
    short = [factor.to(ir.INT32) for factor in (x, y)]
    wide = [factor.to(ir.INT64) for factor in short]  # LLVM sees 32 bits
    unknown = [None if flag is None else LaneValue(x.writer, ir.BOOL, flag) for flag in flags]
    return PartialValue(wide[0] * wide[1], either(*unknown))


_EMITTERS["add.checked"] = emitter(_add)
_EMITTERS["sub.checked"] = emitter(_subtract)
_EMITTERS["neg.checked"] = emitter(_negate)
_EMITTERS["mul.checked"] = emitter(_multiply)


MOST_ADDITIONS = 8
"""So many additions may be in an iteration."""
SMALL = 1 << 44
"""Largest size of what is added to a sum that must not overflow."""
READS = ("list.item", "array.item", "array.item.known")
"""Opcodes that read elements."""


class Sum(NamedTuple):
    """Sum during an iteration: where it is in the state, and the name of what was added so far."""

    state: int
    added: str


Value = str | Sum


class UnfitError(Exception):
    """The iteration does more than adding up."""


Read = Callable[[ir.Compute, Sequence[str], Sequence[int | None]], list[str]]
"""Emitter of the read of an element.  It is given the instruction, the names of its arguments, and
the distance of each index from the counter: None if the index is something else.
"""


class SumIteration(BranchFree):
    """Emitter of an iteration; UnfitError if the iteration does more than that."""

    def __init__(self, text: FunctionText, counter: str, read: Read) -> None:
        super().__init__(text)
        self._read = read
        self._distances = {counter: 0}
        """By name: the distance from the counter."""
        self.checked: set[int] = set()
        """Positions of the sums that must not overflow."""
        self.additions = 0

    def switch(self, switch: ir.Switch, args: Sequence[Value]) -> Outcome:
        """Emit both branches of a switch; a flag counts where its branch is taken."""
        if not isinstance(args[0], str) or switch.args[0].type != ir.BOOL:
            raise UnfitError
        return super().switch(switch, args)

    def wanted(self, condition: str, flags: Sequence[str | None]) -> Sequence[str | None]:
        """Return the flags of branches where those are taken."""
        first, second = flags
        if first is not None:
            first = self._text.value(f"and i1 {condition}, {first}")
        if second is not None:
            opposite = self._text.value(f"xor i1 {condition}, true")
            second = self._text.value(f"and i1 {opposite}, {second}")
        return first, second

    def select(self, condition: str, type: ir.Type, first: Value, second: Value) -> Value:
        """Return what a branch gives; of sums, what it adds is selected."""
        if first == second:
            return first
        if isinstance(first, Sum) and isinstance(second, Sum) and first.state == second.state:
            added = super().select(condition, type, first.added, second.added)
            return Sum(first.state, added)
        if isinstance(first, Sum) or isinstance(second, Sum):
            raise UnfitError
        selected: str = super().select(condition, type, first, second)
        return selected

    def compute(self, instruction: ir.Instruction, args: Sequence[Value]) -> Outcome:
        """Emit an operation, a read, or an addition to a sum."""
        if not isinstance(instruction, ir.Compute):
            raise UnfitError
        names = [arg for arg in args if isinstance(arg, str)]
        if len(names) < len(args):
            return self._add(instruction, args, names)
        if instruction.opcode in READS:
            distances = [self._distances.get(name) for name in names[1:]]
            return list(self._read(instruction, names, distances)), None
        if not is_vectorisable(instruction.opcode, names):
            raise UnfitError
        (result,) = instruction.results
        takes = [value.type for value in instruction.args]
        name, flag = emit(self._text, instruction.opcode, takes, result.type, names)
        self._note_distance(instruction.opcode, names, name)
        return [name], flag

    def _note_distance(self, opcode: str, names: Sequence[str], result: str) -> None:
        """Note that a result is the counter and a constant."""
        if opcode in ("add.checked", "sub.checked"):
            first, second = names if names[0] in self._distances else names[::-1]
            sign = 1 if opcode == "add.checked" else -1
            constant = second.lstrip("-").isdigit() and (sign > 0 or first is names[0])
            if first in self._distances and constant and abs(int(second)) < SMALL:
                self._distances[result] = self._distances[first] + sign * int(second)

    def _add(self, instruction: ir.Compute, args: Sequence[Value], names: Sequence[str]) -> Outcome:
        """Emit the addition of a name to a sum."""
        operation, _, checked = instruction.opcode.partition(".")
        type = instruction.results[0].type
        sum = next(arg for arg in args if isinstance(arg, Sum))
        fit = operation == "add" or (operation == "sub" and args[0] is sum)
        self.additions += 1
        if not fit or len(names) != 1 or self.additions > MOST_ADDITIONS:
            raise UnfitError
        if not isinstance(type, ir.Scalar) or type.kind not in "iu":
            raise UnfitError
        after = self._text.value(f"{operation} {llvm_type(type)} {sum.added}, {names[0]}")
        if not checked:
            return [Sum(sum.state, after)], None
        self.checked.add(sum.state)
        return [Sum(sum.state, after)], beyond(self._text, names[0], SMALL)
