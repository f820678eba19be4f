"""A second, tiny staging backend: it records instructions over Python numbers.

It shares nothing with ``runtime``: converted code needs only the protocol.  A value's spec is the
name of its Python type.  ``tiny_lists`` adds lists that change their length.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from autograph import staging
from autograph.errors import UnconvertedError
from autograph.staging import Backend, Raises, StagedCond, StagedLoop, StagedText, StagedTry

Slots = dict[int, Any]
KINDS: dict[str, type] = {"int": int, "float": float, "bool": bool, "str": str}
DIVIDE = (operator.floordiv, operator.mod, operator.truediv)


class NoValueError(UnconvertedError):
    """Python asks a Sym for its value."""


def named(function: Any) -> str | None:
    """The function of this backend that does what one written in C does."""
    return "tiny.to_bool" if function is operator.truth else None


class Sym:
    """A number or text that is known only when the recorded instructions run."""

    count = 0

    def __init__(self, kind: str, backend: Tiny) -> None:
        Sym.count += 1
        self.slot = Sym.count
        self.kind = kind
        self.backend = backend

    def __bool__(self) -> bool:
        error = NoValueError("a staged value has no truth value yet")
        raise staging.explain_unconverted(error, named)

    def __index__(self) -> int:
        raise staging.explain_unconverted(NoValueError("a staged value cannot be an index yet"))


def _binary(function: Callable[[Any, Any], Any], compares: bool, swap: bool = False) -> Any:
    def method(self: Sym, other: Any) -> Any:
        (other_kind,) = self.backend.specs([other])
        if other_kind is None:
            return NotImplemented
        is_float = "float" in (self.kind, other_kind) or function is operator.truediv
        kind = "bool" if compares else "float" if is_float else self.kind
        return self.backend.record(function, kind, *((other, self) if swap else (self, other)))

    return method


for _f in (operator.neg, operator.abs):
    setattr(Sym, f"__{_f.__name__}__", lambda x, f=_f: x.backend.record(f, x.kind, x))
for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod"):
    _function = getattr(operator, _name)
    setattr(Sym, f"__{_name}__", _binary(_function, False))
    setattr(Sym, f"__r{_name}__", _binary(_function, False, swap=True))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(Sym, f"__{_name}__", _binary(getattr(operator, _name), True))
Sym.__hash__ = object.__hash__  # type: ignore[method-assign]


STAGED = (Sym, StagedText, staging.StagedUnion, staging.StagedList)


class Tiny(Backend):
    """Records blocks of instructions and runs them over a dictionary of slots."""

    name = "tiny"
    folder = __file__
    staged_types = ("Sym",)
    symbolic_types = (Sym,)
    builtins = {abs: operator.abs}

    def __init__(self) -> None:
        self.blocks: list[list[Any]] = []
        self.noted: list[type[BaseException]] = []
        self.declared: dict[int, dict[type[BaseException], None]] = {}
        self.attempts: list[tuple[StagedTry, list[Any]]] = []

    # recording

    def record(self, function: Callable[..., Any], kind: str, *args: Any) -> Sym:
        if function in DIVIDE:
            self.announce((ZeroDivisionError,))
        out = Sym(kind, self)
        args = tuple(map(self.copied, args))
        self.put(lambda slots: slots.update({out.slot: function(*self.all(args, slots))}))
        return out

    def put(self, instruction: Callable[[Slots], object]) -> None:
        self.blocks[-1].append(instruction)

    def block(self, build: Callable[..., Any], *args: Any) -> tuple[list[Any], Any]:
        self.blocks.append([])
        try:
            return self.blocks[-1], build(*args)
        finally:
            self.blocks.pop()

    def syms(self, specs: Sequence[str]) -> list[Sym]:
        return [Sym(spec, self) for spec in specs]

    def copied(self, value: Any) -> Any:
        if type(value) is tuple:
            return tuple(map(self.copied, value))
        return [self.copied(item) for item in value] if isinstance(value, list) else value

    def trace(self, function: Callable[..., Any], *args: Any) -> Callable[[], Any]:
        inputs = self.syms([type(arg).__name__ for arg in args])
        block, result = self.block(lambda: self.copied(function(*inputs)))
        return lambda: self.run(block, {}, inputs, args, [result])[0]

    def stage(self, *program: Any) -> Any:
        return self.trace(*program)()

    # running

    def run(self, block: Any, slots: Slots, ins: Any = (), given: Any = (), outs: Any = ()) -> Any:
        """Run instructions with values for their inputs; gives those of their outputs."""
        slots.update((sym.slot, value) for sym, value in zip(ins, given, strict=True))
        for instruction in block:
            instruction(slots)
        return self.all(outs, slots)

    def all(self, values: Sequence[Any], slots: Slots) -> list[Any]:
        return [self.concrete(value, slots) for value in values]

    def concrete(self, value: Any, slots: Slots) -> Any:
        if isinstance(value, Sym):
            return slots[value.slot]
        if staging.is_stand_in(value):
            return staging.actual(value)
        if isinstance(value, StagedText):
            return value.format_with(self.all(value.values(), slots))
        if isinstance(value, staging.StagedOptional):
            there = self.concrete(value.ag__present, slots)
            return self.concrete(value.ag__value, slots) if there else None
        if isinstance(value, staging.StagedChoice):
            return value.ag__alternatives[self.concrete(value.ag__index, slots)]
        apart = staging.dismantle(
            value, lambda part: isinstance(part, STAGED) or staging.is_stand_in(part)
        )
        return value if apart is None else apart.rebuild(self.all(apart.leaves, slots))

    # values

    def python_type(self, value: object) -> type | None:
        return KINDS.get(value.kind) if isinstance(value, Sym) else None

    def is_tracing(self) -> bool:
        return bool(self.blocks)

    def specs(self, values: Sequence[Any]) -> list[Any]:
        names = ("str" if isinstance(v, StagedText) else type(v).__name__ for v in values)
        pairs = zip(values, names, strict=True)
        return [v.kind if isinstance(v, Sym) else n if n in KINDS else None for v, n in pairs]

    def join(self, left: str, right: str) -> str:
        if left == right or {left, right} == {"int", "float"}:
            return left if left == right else "float"
        raise TypeError(f"{left} and {right} do not mix")

    def convert(self, values: Sequence[Any], specs: Sequence[Any]) -> list[Any]:
        pairs = zip(values, specs, strict=True)
        given = [(KINDS[s]() if v is staging.MISSING else v, s) for v, s in pairs]
        return [float(v) if s == "float" and isinstance(v, int) else v for v, s in given]

    # control flow

    def cond(self, test: Any, statement: StagedCond) -> Sequence[Any]:
        blocks = {side: self.block(statement.trace, side)[0] for side in (True, False)}
        outs = self.syms(statement.join().specs)
        more = {side: self.block(statement.outputs, side) for side in (True, False)}

        def run(slots: Slots) -> None:
            side = bool(self.concrete(test, slots))
            values = self.run(blocks[side] + more[side][0], slots, outs=more[side][1])
            self.run((), slots, outs, values)

        self.put(run)
        return outs

    def while_loop(self, loop: StagedLoop) -> Sequence[Any]:
        return self.loop(loop, loop.test, loop.body)

    def for_loop(self, count: Any, loop: StagedLoop) -> Sequence[Any]:
        (number,) = self.syms(["int"])
        self.put(lambda slots: slots.update({number.slot: -1}))

        def test(values: Sequence[Any]) -> Any:
            again = loop.test(values)
            return self.record(lambda k, n, on: on and k + 1 < n, "bool", number, count, again)

        def body(values: Sequence[Any]) -> Any:
            self.put(lambda slots: slots.update({number.slot: slots[number.slot] + 1}))
            return loop.body(values, number)

        return self.loop(loop, test, body)

    def loop(self, loop: StagedLoop, test: Any, body: Any) -> Sequence[Any]:
        after = None
        while after is None:
            ins = self.syms(loop.spec.specs)
            body_block, after = self.block(body, ins)
        test_block, going_on = self.block(test, ins)
        start = loop.start()

        def run(slots: Slots) -> None:
            values = self.all(start, slots)
            while self.run(test_block, slots, ins, values, [going_on])[0]:
                values = self.run(body_block, slots, outs=after)

        self.put(run)
        return ins

    # numbers and sequences

    def number(self, value: Any, integer: bool = True) -> Any:
        if value.kind == "int" or not integer and value.kind in ("bool", "float"):
            return value
        raise TypeError(f"an int is needed, not a {value.kind}")

    def maximum(self, *numbers: Any) -> Any:
        return self.record(max, "int", *numbers)

    def minimum(self, *numbers: Any) -> Any:
        return self.record(min, "int", *numbers)

    def logical_and(self, *tests: Any) -> Any:
        return self.record(lambda *tests: all(tests), "bool", *tests)

    def items(self, value: Any) -> tuple[Any, Callable[[Any], Any]] | None:
        kinds = {*self.specs(value)} if isinstance(value, (list, tuple)) else {None}
        if len(kinds) != 1 or None in kinds:
            return None
        (kind,) = kinds
        return len(value), lambda k: self.record(lambda k, *items: items[k], kind, k, *value)

    def position(self, index: Any, size: Any, message: str) -> Any:
        inside = self.record(lambda i, n: -n <= i < n, "bool", index, size)
        self.check(inside, lambda: IndexError(message))
        return self.record(operator.mod, "int", index, size)

    # single statements

    def logical_not(self, value: Any) -> Any:
        return self.record(operator.not_, "bool", value)

    def equal(self, *values: Any) -> Any:
        return self.record(operator.eq, "bool", *values)

    def print(self, *values: Any, file: Any, **options: Any) -> None:
        target = None if file is sys.stdout else file  # which may be another one in a later run
        self.record(partial(print, file=target, **options), "none", *values)

    def check(self, test: Any, error: Callable[..., BaseException], *args: Any) -> None:
        def run(holds: Any, *args: Any) -> None:
            if not holds:
                raise error(*args)

        self.announce((type(error()),))
        self.record(run, "none", test, *args)

    def assert_(self, test: Any, failure: Callable[[], BaseException]) -> None:
        error = failure()
        self.check(test, type(error), *error.args)

    def raise_(self, exception: BaseException) -> None:
        def throw(args: Any, attributes: Any) -> None:
            if staging.is_stand_in(exception):
                raise staging.actual(exception)
            held = dict(zip(exception.__dict__, attributes, strict=True))
            raise staging.like(exception, args, held)

        self.announce(exception)
        self.record(throw, "none", exception.args, tuple(exception.__dict__.values()))

    def text(self, text: StagedText) -> Any:
        return self.record(str, "str", text)

    # try

    stages_tries = True

    def announce(self, raises: Raises) -> None:
        classes = (type(raises),) if isinstance(raises, BaseException) else raises
        self.noted += classes
        for found in self.declared.values():
            found.update(dict.fromkeys(classes))
        for statement, frames in self.attempts:
            values = statement.state_before(raises)
            if values is not None:
                save = lambda slots, values=values, to=frames: to.append(self.all(values, slots))
                self.put(save)

    def mark(self) -> Any:
        mark = self.blocks[-1], len(self.blocks[-1]), len(self.noted)
        self.declared[id(mark)] = {}
        return mark

    def failures(self, mark: Any) -> tuple[type[BaseException], ...]:
        self.declared.pop(id(mark), None)
        return tuple(self.noted[mark[2] :])

    def declared_failures(self, mark: Any) -> dict[type[BaseException], None]:
        return self.declared[id(mark)]

    def recorded(self, mark: Any) -> bool:
        return len(mark[0]) > mark[1]

    def rollback(self, mark: Any) -> None:
        del mark[0][mark[1] :]

    def try_(self, statement: StagedTry) -> Sequence[Any]:
        frames: list[Any] = []
        self.attempts.append((statement, frames))
        try:
            body, _ = self.block(statement.trace_body)
            while not statement.is_resolved():
                body, _ = self.block(statement.trace_body)
        finally:
            self.attempts.pop()
        more, (ended, state) = self.block(statement.body_outputs)
        traced = [(ins := self.syms(ended.specs), self.block(statement.trace_else, ins)[0])]
        for number, own in enumerate(statement.handler_specs):
            ins = self.syms([*statement.saved_specs, *own])
            traced.append((ins, self.block(statement.trace_handler, number, ins)[0]))
        outs = self.syms(statement.join().specs)
        ways = [(*one, *self.block(statement.outputs, way)) for way, one in enumerate(traced)]

        def go(way: int, given: list[Any], slots: Slots) -> None:
            ins, block, last, values = ways[way]
            self.run((), slots, outs, self.run(block + last, slots, ins, given, values))

        def run(slots: Slots) -> None:
            start = len(frames)
            try:
                given = self.run(body + more, slots, outs=state)
            except Exception as error:
                chosen = statement.find_handler(error) if len(frames) > start else None
                if chosen is None:
                    raise
                kept = frames.pop()
                with statement.handling(error):
                    go(1 + chosen[0], [*kept, *chosen[1]], slots)
                return
            finally:
                del frames[start:]
            go(0, given, slots)

        self.put(run)
        return outs


BACKEND = Tiny()
