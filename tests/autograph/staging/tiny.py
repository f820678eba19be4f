"""A second, tiny staging backend: it records instructions over Python numbers.

It shares nothing with ``runtime``; the tests that use it prove that converted code needs only
the protocol.  A value's spec is the name of its Python type.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from autograph.diagnostics.runtime_exceptions import actual, is_stand_in, like
from autograph.errors import UnconvertedError
from autograph.operators.list_ops import settled_list
from autograph.operators.object_snapshot import dismantled
from autograph.operators.unconverted_calls import explained
from autograph.staging.protocol import Backend
from autograph.staging.staged_list import StagedList
from autograph.staging.staged_string import StagedText
from autograph.staging.staged_union import StagedChoice, StagedOptional, Undecided
from autograph.staging.state_spec import Plan
from autograph.staging.try_protocol import Attempt, Raises
from tests.autograph.staging.tiny_lists import TinyLists, copied

Instruction = Callable[[dict[int, Any]], None]


class NoValueError(UnconvertedError):
    """Python asks a Sym for its value."""


class Sym:
    """A number or text that is known only when the recorded instructions run."""

    count = 0

    def __init__(self, kind: str) -> None:
        Sym.count += 1
        self.slot = Sym.count
        self.kind = kind

    def __bool__(self) -> bool:
        raise explained(NoValueError("a staged value has no truth value yet"))

    def __index__(self) -> int:
        raise explained(NoValueError("a staged value cannot be an index yet"))

    __hash__ = object.__hash__


def _binary(function: Callable[[Any, Any], Any], compares: bool, swap: bool = False) -> Any:
    def method(self: Sym, other: Any) -> Any:
        other_kind = BACKEND.spec(other)
        if other_kind is None:
            return NotImplemented
        kind = "float" if "float" in (self.kind, other_kind) else self.kind
        if function is operator.truediv:
            kind = "float"
        args = (other, self) if swap else (self, other)
        return BACKEND.record(function, "bool" if compares else kind, *args)

    return method


Sym.__neg__ = lambda self: BACKEND.record(operator.neg, self.kind, self)  # type: ignore
for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod"):
    _function = getattr(operator, _name)
    setattr(Sym, f"__{_name}__", _binary(_function, False))
    setattr(Sym, f"__r{_name}__", _binary(_function, False, swap=True))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(Sym, f"__{_name}__", _binary(getattr(operator, _name), True))
Sym.__hash__ = object.__hash__  # type: ignore[method-assign]

_DIVIDE = (operator.floordiv, operator.mod, operator.truediv)


def _is_staged(value: Any) -> bool:
    return isinstance(value, (Sym, StagedText, Undecided, StagedList)) or is_stand_in(value)


class Range:
    """What ``range`` of a staged number returns."""

    def __init__(self, *args: Any) -> None:
        self.args = args


class Tiny(TinyLists, Backend):
    """Records blocks of instructions and runs them over a dictionary of slots."""

    name = "tiny"
    folder = __file__
    staged_types = ("Sym", "Range")

    def __init__(self) -> None:
        self.blocks: list[list[Instruction]] = []
        self.noted: list[type[BaseException]] = []
        self.attempts: list[tuple[Attempt, list[Any]]] = []
        self.builtins = {range: Range, abs: lambda x: self.record(abs, x.kind, x)}

    # recording

    def record(self, function: Callable[..., Any], kind: str, *args: Any) -> Sym:
        if function in _DIVIDE:
            self.announce((ZeroDivisionError,))
        out = Sym(kind)
        args = tuple(copied(arg) for arg in args)

        def run(slots: dict[int, Any]) -> None:
            slots[out.slot] = function(*(self.concrete(arg, slots) for arg in args))

        self.blocks[-1].append(run)
        return out

    def concrete(self, value: Any, slots: dict[int, Any]) -> Any:
        if is_stand_in(value):
            return actual(value)
        if isinstance(value, StagedText):
            return value.filled([self.concrete(item, slots) for item in value.values()])
        if isinstance(value, StagedOptional):
            present = self.concrete(value.present, slots)
            return self.concrete(value.value, slots) if present else None
        if isinstance(value, StagedChoice):
            return value.alternatives[self.concrete(value.index, slots)]
        if isinstance(value, StagedList):
            prefix = settled_list(value).prefix
            found = self.concrete(prefix.handle, slots)
            lifted = [prefix.lift(entry) for entry in found]
            return [self.concrete(item, slots) for item in lifted]
        apart = None if isinstance(value, Sym) else dismantled(value, _is_staged)
        if apart is not None:
            return apart.rebuild([self.concrete(leaf, slots) for leaf in apart.leaves])
        return slots[value.slot] if isinstance(value, Sym) else value

    def block(self, build: Callable[[], Any]) -> tuple[list[Instruction], Any]:
        self.blocks.append([])
        try:
            result = build()
        finally:
            block = self.blocks.pop()
        return block, result

    def run(self, block: list[Instruction], slots: dict[int, Any]) -> None:
        for instruction in block:
            instruction(slots)

    def stage(self, function: Callable[..., Any], *args: Any) -> Any:
        return self.trace(function, *args)()

    def trace(self, function: Callable[..., Any], *args: Any) -> Callable[[], Any]:
        """A run of ``function`` for these arguments, traced for arguments of their kinds."""
        inputs = [Sym(type(arg).__name__) for arg in args]
        block, result = self.block(lambda: copied(function(*inputs)))

        def run() -> Any:
            slots = {sym.slot: arg for sym, arg in zip(inputs, args, strict=True)}
            self.run(block, slots)
            return self.concrete(result, slots)

        return run

    # the protocol

    def owns(self, value: object) -> bool:
        return isinstance(value, (Sym, Range))

    def is_staged(self, value: object) -> bool:
        return isinstance(value, (Sym, Range))

    def python_type(self, value: object) -> type | None:
        kinds = {"int": int, "float": float, "bool": bool, "str": str}
        return kinds.get(value.kind) if isinstance(value, Sym) else None

    def is_tracing(self) -> bool:
        return bool(self.blocks)

    def spec(self, value: object) -> str | None:
        if isinstance(value, Sym):
            return value.kind
        kind = "str" if isinstance(value, StagedText) else type(value).__name__
        return kind if kind in ("int", "float", "bool", "str") else None

    def join(self, left: str, right: str) -> str:
        if left == right:
            return left
        if {left, right} == {"int", "float"}:
            return "float"
        raise TypeError(f"{left} and {right} do not mix")

    def convert(self, value: Any, spec: str) -> Any:
        return float(value) if spec == "float" and isinstance(value, int) else value

    def filler(self, spec: str) -> Any:
        return {"int": 0, "float": 0.0, "bool": False, "str": ""}[spec]

    def cond(
        self,
        test: Any,
        if_body: Callable[[], Any],
        else_body: Callable[[], Any],
        join: Callable[[Any, Any], Plan],
    ) -> Any:
        sides = [self.block(if_body), self.block(else_body)]
        plan = join(sides[0][1], sides[1][1])
        branches = []
        for block, outcome in sides:
            more, values = self.block(lambda outcome=outcome: plan.lower(outcome))
            branches.append((block + more, values))
        outs = [Sym(spec) for spec in plan.specs]

        def run(slots: dict[int, Any]) -> None:
            block, values = branches[0 if self.concrete(test, slots) else 1]
            self.run(block, slots)
            slots.update(
                (out.slot, self.concrete(v, slots)) for out, v in zip(outs, values, strict=True)
            )

        self.blocks[-1].append(run)
        return plan.lift(outs)

    def while_loop(
        self, test: Callable[[Any], Any], body: Callable[[Any], Any], state: Any, plan: Plan,
        options: Mapping[str, Any],
    ) -> Any:
        while True:
            ins = [Sym(spec) for spec in plan.specs]
            test_block, going_on = self.block(lambda: test(plan.lift(ins)))
            body_block, after = self.block(lambda: body(plan.lift(ins)))
            wider = plan.widen(after)
            if wider == plan:
                break
            plan = wider
        lower_block, outs = self.block(lambda: plan.lower(after))
        body_block += lower_block
        start = plan.lower(state)

        def run(slots: dict[int, Any]) -> None:
            values = [self.concrete(value, slots) for value in start]
            while True:
                slots.update((sym.slot, v) for sym, v in zip(ins, values, strict=True))
                self.run(test_block, slots)
                if not self.concrete(going_on, slots):
                    return
                self.run(body_block, slots)
                values = [self.concrete(value, slots) for value in outs]

        self.blocks[-1].append(run)
        return plan.lift(ins)

    def iterates(self, iterable: object) -> bool:
        return isinstance(iterable, Range)

    def for_loop(
        self,
        iterable: Any,
        test: Callable[[Any], Any] | None,
        body: Callable[[Any, Any], Any],
        state: Any,
        plan: Plan,
        options: Mapping[str, Any],
    ) -> Any:
        numbers = self.record(lambda *args: iter(range(*args)), "int", *iterable.args)
        counter = Sym("int")

        def more() -> Sym:
            def advance(slots: dict[int, Any]) -> None:
                slots[counter.slot] = next(slots[numbers.slot], None)

            self.blocks[-1].append(advance)
            return self.record(lambda value: value is not None, "bool", counter)

        def going_on(values: Any) -> Any:
            again = True if test is None else test(values)
            if again is True:
                return more()
            sides = [self.block(more), self.block(lambda: False)]
            out = Sym("bool")

            def run(slots: dict[int, Any]) -> None:
                block, value = sides[0 if self.concrete(again, slots) else 1]
                self.run(block, slots)
                slots[out.slot] = self.concrete(value, slots)

            self.blocks[-1].append(run)
            return out

        return self.while_loop(going_on, lambda s: body(counter, s), state, plan, options)

    def logical_not(self, value: Any) -> Any:
        return self.record(operator.not_, "bool", value)

    def equal(self, left: Any, right: Any) -> Any:
        return self.record(operator.eq, "bool", left, right)

    def print(self, *values: Any, sep: str, end: str, file: Any, flush: bool) -> None:
        def show(*concrete: Any) -> None:
            print(*concrete, sep=sep, end=end, file=file, flush=flush)

        self.record(show, "none", *values)

    def assert_(self, test: Any, message: Callable[[], Any] | None) -> None:
        def check(holds: Any, *text: Any) -> None:
            if not holds:
                raise AssertionError(*text)

        self.announce((AssertionError,))
        self.record(check, "none", test, *([message()] if message is not None else []))

    def raise_(self, exception: BaseException) -> None:
        def throw(args: Any, attributes: Any) -> None:
            if is_stand_in(exception):
                raise actual(exception)
            raise like(exception, args, dict(zip(exception.__dict__, attributes, strict=True)))

        self.announce(exception)
        self.record(throw, "none", exception.args, tuple(exception.__dict__.values()))

    # try

    stages_tries = True

    def announce(self, raises: Raises) -> None:
        self.noted += (type(raises),) if isinstance(raises, BaseException) else raises
        for attempt, frames in self.attempts:
            values = attempt.saved(raises)
            if values is not None:
                self.blocks[-1].append(self.saving(values, frames))

    def saving(self, values: list[Any], frames: list[Any]) -> Instruction:
        def save(slots: dict[int, Any]) -> None:
            frames[-1] = [self.concrete(value, slots) for value in values]

        return save

    def mark(self) -> Any:
        return self.blocks[-1], len(self.blocks[-1]), len(self.noted)

    def failures(self, mark: Any) -> tuple[type[BaseException], ...]:
        return tuple(self.noted[mark[2] :])

    def recorded(self, mark: Any) -> bool:
        return len(mark[0]) > mark[1]

    def rollback(self, mark: Any) -> None:
        del mark[0][mark[1] :]

    def try_(self, attempt: Attempt) -> Any:
        frames: list[Any] = []
        while True:
            self.attempts.append((attempt, frames))
            try:
                body, outcome = self.block(attempt.body)
            finally:
                self.attempts.pop()
            if attempt.settled():
                break
        ended = attempt.ended(outcome)
        more, state = self.block(lambda: ended.lower(outcome))
        traced: list[Any] = []
        for number, own in enumerate([None, *attempt.handlers]):
            specs = ended.specs if own is None else [*attempt.specs, *own]
            ins = [Sym(spec) for spec in specs]
            build = attempt.otherwise if own is None else partial(attempt.handler, number - 1)
            traced.append((ins, *self.block(partial(build, ins))))
        plan = attempt.join([outcome for _, _, outcome in traced])
        ways = []
        for ins, block, after in traced:
            last, values = self.block(partial(plan.lower, after))
            ways.append((ins, block + last, values))
        outs = [Sym(spec) for spec in plan.specs]

        def go(way: Any, given: list[Any], slots: dict[int, Any]) -> None:
            ins, block, values = way
            slots.update((sym.slot, v) for sym, v in zip(ins, given, strict=True))
            self.run(block, slots)
            found = [self.concrete(value, slots) for value in values]
            slots.update((out.slot, v) for out, v in zip(outs, found, strict=True))

        def run(slots: dict[int, Any]) -> None:
            frames.append(None)
            try:
                self.run(body + more, slots)
            except Exception as error:
                kept = frames.pop()
                chosen = None if kept is None else attempt.chosen(error)
                if chosen is None:
                    raise
                with attempt.handling(error):
                    go(ways[1 + chosen[0]], [*kept, *chosen[1]], slots)
                return
            frames.pop()
            go(ways[0], [self.concrete(value, slots) for value in state], slots)

        self.blocks[-1].append(run)
        return plan.lift(outs)


BACKEND = Tiny()
