"""What happens at run time: texts that are printed, exceptions that are raised.

A value with staged parts becomes a template: a function of the parts' concrete values to the value
that plain Python would have.  ``functional`` says when control gets there.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from autograph.backends.concrete import Concrete
from autograph.backends.list_forms import Column, ListForm, ListReference
from autograph.diagnostics.user_frame import raised_at
from autograph.staging import (
    Backend,
    actual,
    is_stand_in,
    like,
    user_line,
)

Template = Callable[[list[Any]], Any]


class _Noted(threading.local):
    def __init__(self) -> None:
        self.lists: list[dict[type[BaseException], None]] = []


class RunTimeEffects(Backend):
    """The part of a backend for effects and checks."""

    def effect(
        self, act: Callable[[list[Any]], object], values: Sequence[Any], raises: bool = False
    ) -> None:
        """Call ``act`` at run time, if control gets here; whether it ``raises``."""
        raise NotImplementedError

    def effect_unless(
        self, test: Any, act: Callable[[list[Any]], object], values: Sequence[Any]
    ) -> None:
        """Call ``act``, which raises, at run time if control gets here while a bool is false."""
        raise NotImplementedError

    def shown(self, value: Any, kind: type | None) -> Any:
        """Return what a concrete value is in Python: a number of ``kind``, or the library's own."""
        raise NotImplementedError

    # -- which exceptions are raised at run time ---------------------------------------------------

    notes_failures = True

    def __init__(self) -> None:
        self._noted = _Noted()

    def mark(self) -> Any:
        """Begin to list the exceptions that are raised at run time."""
        listed: dict[type[BaseException], None] = {}
        self._noted.lists.append(listed)
        return listed

    def failures(self, mark: Any) -> tuple[type[BaseException], ...]:
        """Return the exceptions listed since the mark, and end the list."""
        self._noted.lists = [one for one in self._noted.lists if one is not mark]
        return tuple(mark)

    def declared_failures(self, mark: Any) -> dict[type[BaseException], None]:
        """Return the exceptions listed since the mark."""
        listed: dict[type[BaseException], None] = mark
        return listed

    def _note(self, kind: type[BaseException]) -> None:
        for listed in self._noted.lists:
            listed[kind] = None

    # -- templates --------------------------------------------------------------------------------

    def template(self, value: Any, parts: list[Any]) -> Template:
        """Make the template of a value; its staged parts are appended to ``parts``."""
        template, first = Concrete(self, value), len(parts)
        parts += template.leaves
        return lambda values: template.make(values[first : first + len(template.leaves)])

    def opened(self, handle: Any, spec: Any) -> tuple[list[Any], Callable[[Any], Any]]:
        """Return the length and the buffers of a list, and what makes its entries of these."""
        known = handle.length if type(handle.length) is int else None
        leaves = [handle.length] if known is None else []
        readers: list[Callable[[Sequence[Any], int], Any]] = []
        for buffer, one in zip(handle.buffers, handle.spec.entry, strict=True):
            parts = [*buffer.buffers, buffer.length] if isinstance(buffer, Column) else [buffer]
            readers.append(self._reader(one, slice(len(leaves), len(leaves) + len(parts))))
            leaves += parts

        def entries(arrays: Sequence[Any]) -> list[list[Any]]:
            count = int(arrays[0]) if known is None else known
            return [[read(arrays, k) for read in readers] for k in range(count)]

        return leaves, entries

    def _reader(self, spec: Any, places: slice) -> Callable[[Sequence[Any], int], Any]:
        """Return what reads the k-th of the values that lie at these places: one of Python's, or a
        list of what is known.
        """
        if not isinstance(spec, ListForm):
            kind = self.number_type(spec)
            return lambda arrays, k: self.shown(arrays[places.start][k], kind)

        def read(arrays: Sequence[Any], k: int) -> ListReference:
            *buffers, length = [array[k] for array in arrays[places]]
            return ListReference(spec, buffers, None, int(length), int(length))

        return read

    def number_type(self, spec: Any) -> type | None:
        """Return the type of the Python numbers that values of a spec stand for, or None."""
        raise NotImplementedError

    # -- the operations of the protocol -----------------------------------------------------------

    def print(self, *values: Any, sep: Any, end: Any, file: Any, flush: bool) -> None:
        """Print at run time what Python's ``print`` prints of the concrete values."""
        parts: list[Any] = []
        templates = [self.template(value, parts) for value in values]
        around = [self.template(" " if sep is None else sep, parts)]
        around.append(self.template("\n" if end is None else end, parts))
        stream = None if file is sys.stdout else file  # which may be another one in a later run

        def act(concrete: list[Any]) -> None:
            texts = [made(concrete) for made in templates]
            print(*texts, sep=around[0](concrete), end=around[1](concrete), file=stream)

        self.effect(act, parts)

    def check(self, test: Any, error: Callable[[], BaseException]) -> None:
        """Raise ``error()`` at run time unless a staged bool holds."""
        if not self.is_staged(test):
            if not test:
                raise error()
            return
        act, parts = self._raising(error(), user_line())
        self.effect_unless(test, act, parts)

    def assert_(self, test: Any, failure: Callable[[], BaseException]) -> None:
        """Raise what ``failure`` gives at run time unless ``test`` holds."""
        where = user_line()
        act, parts = self._raising(failure(), where)
        self.effect_unless(self.logical_not(self.logical_not(test)), act, parts)

    def raise_(self, exception: BaseException) -> None:
        """Raise an exception of the same class and arguments at run time."""
        self.effect(*self._raising(exception, raised_at(exception)), raises=True)

    def _raising(
        self, exception: BaseException, where: tuple[str, int] | None
    ) -> tuple[Callable[[list[Any]], object], list[Any]]:
        self._note(type(exception))
        parts: list[Any] = []
        arguments = [self.template(argument, parts) for argument in exception.args]
        attributes = {n: self.template(v, parts) for n, v in exception.__dict__.items()}

        def act(values: list[Any]) -> None:
            if is_stand_in(exception):
                raise actual(exception)
            held = {name: made(values) for name, made in attributes.items()}
            error = like(exception, [made(values) for made in arguments], held)
            if where is not None:
                error.add_note(f"raised at {where[0]}:{where[1]}")
            raise error

        return act, parts

    def act_unless(
        self, test: Any, act: Callable[[list[Any]], object], values: Sequence[Any],
        raises: Sequence[type[BaseException]],
    ) -> None:
        """Call ``act`` with concrete values, which raises, unless a bool holds, staged or not."""
        if not self.is_staged(test):
            if not test:
                act(list(values))
            return
        where = user_line()
        for kind in raises:
            self._note(kind)

        def raise_with_line(values: list[Any]) -> None:
            try:
                act(values)
            except Exception as error:
                if where is not None:
                    error.add_note(f"raised at {where[0]}:{where[1]}")
                raise

        self.effect_unless(test, raise_with_line, values)

    def position(self, index: Any, size: Any, message: str) -> Any:
        """Return an index counted from 0; IndexError at run time if it is out of range."""
        return self.place(index, size, lambda size: IndexError(message))

    def place(self, index: Any, size: Any, error: Callable[[Any], BaseException]) -> Any:
        """Return an index counted from 0; what ``error`` makes of the size if it is out of range.
        """
        inside = self.logical_and(index >= -size, index < size)
        parts: list[Any] = []
        length = self.template(size, parts)

        def act(values: list[Any]) -> None:
            raise error(length(values))

        self.act_unless(inside, act, parts, (IndexError,))
        return self.choose(index < 0, index + size, index)

    def choose(self, test: Any, left: Any, right: Any) -> Any:
        """Return ``left`` where a staged bool holds, else ``right``."""
        raise NotImplementedError
