"""Endless generators of plain values, in a loop that a staged value ends.

    def numbers():               for x in numbers():
        n = 0                        if x * x > limit:
        while True:                      break
            yield n
            n += 1

Python runs the loop until its ``break`` turns out to be staged, which would be unrolled without an
end.  Instead the generator's code runs again from its start in push style, skips the items that
were taken, and its loop is staged.  ``generators`` notes the calls here, and ``loops`` asks.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from inspect import GEN_CREATED, getgeneratorstate
from typing import Any
from weakref import WeakKeyDictionary

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError, EffectError
from autograph.operators.control.path_tracing import consuming
from autograph.operators.control.streams import Consumer, StagedStream
from autograph.operators.state.closure_cells import Local, Symbols
from autograph.operators.state.heap import Heap
from autograph.operators.state.sentinels import BREAK, MaybeValue
from autograph.staging.protocol import Backend
from autograph.staging.registry import tracing_backend
from autograph.syntax.data_classes import dataclass
from autograph.syntax.instructions import instructions

Code = Callable[[Any], None]
"""A generator's code in push style: calls what it is given with each item."""


@dataclass
class _Call:
    """Call of an endless generator function: its push-style code, and what it may change."""

    generator: Any
    code: Callable[[], Code | None]
    reached: tuple[Any, ...]
    is_spent: bool = False

    def spend(self) -> None:
        """Let the generator give no more items: which are left is not known."""
        self.is_spent = True
        self.generator.close()


_calls: WeakKeyDictionary[Any, _Call] = WeakKeyDictionary()


def note_generator(
    generator: Any, code: Callable[[], Code | None], reached: tuple[Any, ...]
) -> Any:
    """Return a generator for one just called; ``code`` goes through it in push style."""
    if type(generator) is not types.GeneratorType or not _is_endless(generator.gi_code):
        return generator
    call = _Call(generator, code, reached)
    wrapper: Any = _unless_spent(call)
    wrapper.__name__, wrapper.__qualname__ = generator.__name__, generator.__qualname__
    _calls[wrapper] = call
    return wrapper


def _unless_spent(call: _Call) -> Iterator[Any]:
    yield from call.generator
    if call.is_spent:
        raise ConcreteValueError(
            f"the generator {call.generator.__name__}() was looped over before, until a staged "
            "value ended the loop, and which items are left is not known",
            where=user_line(),
            help="create it again for the second loop",
        )


def stream_of(iterable: Any) -> Any:
    """Return a stream for an endless generator that nobody has taken from; else the iterable."""
    call = _fresh(iterable)
    code = None if call is None else call.code()
    if call is None or code is None:
        return iterable
    call.spend()
    name = call.generator.__name__
    return StagedStream(f"the generator {name}()", lambda consumer: pass_items(code, consumer))


def _fresh(generator: Any) -> _Call | None:
    """Return the call of an endless generator that has not begun, where a backend records."""
    if type(generator) is not types.GeneratorType or tracing_backend() is None:
        return None
    call = _calls.get(generator)
    is_new = getgeneratorstate(generator) == GEN_CREATED
    return call if call is not None and is_new and not call.is_spent else None


def code_of(generator: Any) -> types.CodeType:
    """Return the code of the function of a generator."""
    call = _calls.get(generator)
    code: types.CodeType = (generator if call is None else call.generator).gi_code
    return code


def _is_endless(code: types.CodeType) -> bool:
    """Whether the code of a generator has no end that it could reach."""
    return not any(i.opname in ("RETURN_VALUE", "RETURN_CONST") for i in instructions(code))


def pass_items(code: Code, consumer: Consumer) -> None:
    """Run a generator's code with a consumer of its items."""
    body = consumer.body

    def emit(item: Any) -> Any:
        with consuming(None):
            stop = body(item)
        if stop is None:
            return False
        return True if stop is BREAK else stop.ag__present

    with consuming(consumer):
        code(emit)


def endless(items: Iterator[Any]) -> EndlessItems | None:
    """Return the items of an endless generator that Python begins to go through, numbered or not.

    None for any other iterator.
    """
    first: int | None = None
    generator: Any = items
    if type(items) is enumerate:
        reduced: Any = items.__reduce__()
        generator, first = reduced[1]
    call, backend = _fresh(generator), tracing_backend()
    return None if call is None or backend is None else EndlessItems(items, call, first, backend)


class EndlessItems:
    """Iterator over an endless generator that keeps what Python has taken."""

    def __init__(
        self, items: Iterator[Any], call: _Call, first: int | None, backend: Backend
    ) -> None:
        self._items = items
        self._call = call
        self._first = first
        """The number of the first item, where items are numbered."""
        self._backend = backend
        self._taken: list[Any] = []
        self._is_pure = True

    def __iter__(self) -> Iterator[Any]:
        recorded = self._backend.recorded_operations
        while self._is_pure:
            before = recorded()
            item = next(self._items)
            self._is_pure = recorded() == before
            self._taken.append(item)
            yield item
        yield from self._items

    def go_on(
        self, stop: MaybeValue, body: Callable[[Any], Any], names: Symbols, owners: tuple[Any, ...]
    ) -> bool:
        """Stage the rest of a loop that a staged ``break`` may have left; False if impossible."""
        run = self._call.code() if self._is_pure else None
        if run is None:
            return False
        heap = Heap(self._call.reached, (), self._backend)
        position, number = 0, Local("the number of the item", self._first)

        def consume(item: Any) -> Any:
            nonlocal position
            if self._first is not None:
                number.value, item = number.value + 1, (number.value, item)
            if position == len(self._taken):
                return body(item)
            if not _is_same(item, self._taken[position]):
                raise _Different
            position += 1
            if position < len(self._taken):
                return None
            if heap.has_changed():
                raise _Different
            return stop

        symbols = names if self._first is None else (*names, number)
        try:
            pass_items(run, Consumer(consume, symbols, owners))
        except _Different:
            heap.restore()
            return False
        self._call.spend()
        return True


class _Different(BaseException):
    """Raised where the generator's code does something else when it runs again."""


def _is_same(first: Any, second: Any) -> bool:
    if type(first) is tuple and type(second) is tuple and len(first) == len(second):
        return all(map(_is_same, first, second))
    same_value = type(first) is type(second) and type(first) in (int, float, bool, str, bytes)
    return first is second or (same_value and bool(first == second))


def refuse_changes(items: types.GeneratorType[Any, Any, Any]) -> None:
    """Refuse a generator that does more than yield, since the point where it stops is staged."""
    code = code_of(items)
    for instruction in instructions(code):
        name, opcode = instruction.argval, instruction.opname
        if opcode == "PUSH_EXC_INFO":
            complaint = f"{code.co_name}() yields inside a 'try' or 'with', in"
        elif opcode in ("STORE_DEREF", "STORE_GLOBAL") and name not in code.co_cellvars:
            complaint = f"'{name}' is assigned by a generator, in"
        else:
            continue
        raise EffectError(
            f"{complaint} a loop that a staged value ends",
            where=user_line(),
            help="write the loop without a generator",
        )
