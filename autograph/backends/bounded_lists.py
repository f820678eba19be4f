"""Lists of staged length for libraries whose arrays have fixed sizes: buffers with a bound.

An entry of a list is several values; there is a buffer for each, and a length.  Outside of loops a
list has room for just what may be in it.  A loop that makes one longer is traced again with room
for all of its turns, where their number is known, or for ``set_loop_options(maximum_size=n)``
items.  A list that outgrows its room at run time raises an error: no item is lost silently.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from autograph.backends.list_forms import Column, Form, ListForm, ListReference, rooms
from autograph.backends.run_time_values import RunTimeEffects
from autograph.errors import ConcreteValueError
from autograph.staging import MISSING, Spec, StagedList, TracedList, user_line
from autograph.syntax.thread_setting import ThreadSetting

maximum_size: ThreadSetting[int | None] = ThreadSetting(None)
"""``with maximum_size(n)``: room for the lists of loops that set no ``maximum_size`` themselves."""


class BoundedLists(RunTimeEffects):
    """The part of a backend for lists.  A library implements the first section."""

    def spec_of(self, value: Any) -> Spec | None:
        """Describe one value; None if it cannot be staged."""
        raise NotImplementedError

    def zeros(self, spec: Spec, count: int) -> Any:
        """Return a buffer of ``count`` values."""
        raise NotImplementedError

    def stacked(self, values: Sequence[Any], spec: Spec) -> Any:
        """Return a buffer of these values, at least one."""
        raise NotImplementedError

    def buffer_spec(self, spec: Spec, count: int) -> Spec:
        """Describe a buffer of ``count`` values."""
        raise NotImplementedError

    def take(self, buffer: Any, index: Any, spec: Spec) -> Any:
        """Return the value at an index, which is in range and counted from 0."""
        raise NotImplementedError

    def gather(self, buffer: Any, indexes: Any) -> Any:
        """Return the values at several indexes, a vector; any value for one out of range."""
        raise NotImplementedError

    def put(self, buffer: Any, index: Any, value: Any) -> Any:
        """Return the buffer with another value at an index; itself if that is out of range."""
        raise NotImplementedError

    def joined(self, left: Any, right: Any) -> Any:
        """Return a buffer of the values of two."""
        raise NotImplementedError

    def numbers(self, count: int) -> Any:
        """Return the vector 0, 1 ... below ``count``."""
        raise NotImplementedError

    def choose(self, test: Any, left: Any, right: Any) -> Any:
        """Return ``left`` where a staged bool holds, else ``right``, value by value of vectors."""
        raise NotImplementedError

    def padded(self, buffer: Any, more: int, spec: Spec) -> Any:
        """Return a buffer with more zeros along its second axis."""
        raise NotImplementedError

    def buffer_length(self, buffer: Any) -> int:
        """Return the number of values in a buffer."""
        raise NotImplementedError

    def column_specs(self, spec: ListForm, room: int) -> list[Spec]:
        """Describe the values of one list of a column with room for so many items, but its length.
        """
        raise NotImplementedError

    def column_parts(self, column: Column, room: int) -> list[Any]:
        """Return the library's values of a column with room for so many items in each list."""
        raise NotImplementedError

    def as_number(self, value: Any) -> Any:
        """Return a known or staged integer scalar as a staged Python int."""
        raise NotImplementedError

    # -- layouts --------------------------------------------------------------------------------

    def join_lists(self, left: Spec, right: Spec) -> ListForm:
        """Describe the lists of two specs."""
        if not isinstance(left, ListForm) or not isinstance(right, ListForm):
            raise TypeError("one is a list and the other is not")
        if not left.entry or not right.entry:
            return left if left.entry else right
        pairs = zip(left.entry, right.entry, strict=True)
        return ListForm(tuple(self.join(*pair) for pair in pairs))

    def convert_list(self, value: Any, spec: ListForm) -> ListReference:
        """Convert a list, or MISSING, to one with entries of the spec."""
        if value is MISSING:
            return ListReference(spec, [self.zeros(one, 0) for one in spec.entry], None, 0, 0)
        if value.spec == spec:
            return value
        if not value.spec.entry:
            buffers = [self.zeros(one, value.capacity) for one in spec.entry]
        else:
            targets = [self.buffer_spec(one, value.capacity) for one in spec.entry]
            buffers = self.convert(value.buffers, targets)
        handle = value.like(buffers, value.base, value.offset)
        handle.spec = spec
        return handle

    def common_form(self, left: Any, right: Any) -> Form:
        """Return the form of a value that comes from one of two paths."""
        if not isinstance(left, ListReference):
            return Form(self.specs([left])[0])
        is_known = left.base is right.base and left.offset == right.offset
        return Form(
            left.spec, max(left.capacity, right.capacity), left.base if is_known else None,
            left.offset, is_known, left.is_full_size or right.is_full_size,
            left.is_checked or right.is_checked,
            tuple(map(max, rooms(left), rooms(right))),
        )  # fmt: skip

    def forms_of(
        self, specs: Sequence[Spec], before: Sequence[Any], bounds: dict[int, Form]
    ) -> list[Form]:
        """Return the forms of a loop's state."""
        sizes = [1]
        for value in before:
            if isinstance(value, TracedList):
                handle = value.prefix.handle if isinstance(value, StagedList) else None
                held = handle.capacity if isinstance(handle, ListReference) else 0
                sizes.append(held + list.__len__(value))
        return [
            bounds.get(place) or self._first_form(spec, max(sizes))
            for place, spec in enumerate(specs)
        ]

    def _first_form(self, spec: Spec, size: int) -> Form:
        if not isinstance(spec, ListForm):
            return Form(spec)
        inner = tuple(size if isinstance(one, ListForm) else -1 for one in spec.entry)
        return Form(spec, size, rooms=inner)

    def flat_specs(self, forms: Sequence[Form]) -> list[Spec]:
        """Describe the library's values that values of these forms consist of."""
        specs: list[Spec] = []
        for form in forms:
            if form.capacity < 0:
                specs.append(form.spec)
                continue
            for one, room in zip(form.spec.entry, form.rooms, strict=True):
                if room < 0:
                    specs.append(self.buffer_spec(one, form.capacity))
                    continue
                inner = [*self.column_specs(one, room), self.spec_of(0)]
                specs += [self.buffer_spec(part, form.capacity) for part in inner]
            if not form.is_known:
                specs.append(self.spec_of(0))
        return specs

    def flattened(self, values: Sequence[Any], forms: Sequence[Form]) -> list[Any]:
        """Return the library's values that values of these forms consist of."""
        flat: list[Any] = []
        for value, form in zip(values, forms, strict=True):
            if form.capacity < 0:
                flat.append(value)
                continue
            value = self._resized(value, form.capacity)
            for buffer, room in zip(value.buffers, form.rooms, strict=True):
                flat += [buffer] if room < 0 else self.column_parts(buffer, room)
            if not form.is_known:
                flat.append(self.as_number(value.length))
        return flat

    def rebuilt(self, flat: Sequence[Any], forms: Sequence[Form]) -> list[Any]:
        """Return values of these forms."""
        rest = iter(flat)
        values: list[Any] = []
        for form in forms:
            if form.capacity < 0:
                values.append(next(rest))
                continue
            buffers = [
                next(rest) if room < 0 else Column(
                    one, [next(rest) for _ in one.entry], next(rest), room, form.is_full_size
                )
                for one, room in zip(form.spec.entry, form.rooms, strict=True)
            ]  # fmt: skip
            base, offset = (form.base, form.offset) if form.is_known else (next(rest), 0)
            values.append(ListReference(
                form.spec, buffers, base, offset, form.capacity, form.is_full_size, form.is_checked
            ))  # fmt: skip
        return values

    def lists_fit(
        self, loop: Any, after: Sequence[Any], start: Sequence[Any], bounds: dict[int, Form]
    ) -> bool:
        """Whether the lists of a loop's state keep their room; else set it for another trace."""
        fit = True
        values = zip(loop.forms, loop.inside, after, start, strict=True)
        for place, (form, inside, end, begin) in enumerate(values):
            if form.capacity < 0 or form.is_full_size:
                continue
            pairs = [(begin.capacity, end.capacity, form.capacity)]
            pairs += zip(rooms(begin), rooms(end), form.rooms, strict=True)
            if all(first <= size and last <= size for first, last, size in pairs):
                continue
            fit = False
            if all(last <= size for _, last, size in pairs) and not begin.is_full_size:
                size, *inner = [max(first, size) for first, _, size in pairs]
                bounds[place] = replace(form, capacity=size, rooms=tuple(inner))
                continue
            kept = begin.is_full_size
            size, *inner = [self._room(loop, kept, *pair) for pair in pairs]
            most = loop.loop.options.get("maximum_size") or None
            is_linear = end.base is inside.base and not any(room >= 0 for room in inner)
            is_checked = kept or not (is_linear and most is None and loop.turns is not None)
            bounds[place] = replace(
                form, capacity=size, is_full_size=True, is_checked=is_checked, rooms=tuple(inner)
            )
        return fit

    def _room(self, loop: Any, kept: bool, first: int, last: int, size: int) -> int:
        """Return the room for a list of which a turn makes a ``size`` to ``last``."""
        most = loop.loop.options.get("maximum_size") or None
        if kept:
            return first
        if last <= size:
            return max(first, last)
        if most is not None:
            return max(first, most)
        if loop.turns is not None:
            return first + (last - size) * loop.turns
        if maximum_size.value is not None:
            return max(first, maximum_size.value)
        raise ConcreteValueError(
            f"a list grows in a loop of an unknown number of turns, and {self.name}'s arrays have "
            "fixed sizes",
            where=loop.where,
            help="set a bound in the loop's body, with "
            "autograph.set_loop_options(maximum_size=n), or loop over an array",
        )

    def after_loop(
        self, values: list[Any], inside: Sequence[Any], after: Sequence[Any],
        start: Sequence[Any], turns: int | None,
    ) -> list[Any]:
        """Return the values after a loop; of lists that each of ``turns`` turns made longer by as
        much the length is known."""
        for value, before, end, begin in zip(values, inside, after, start, strict=True):
            if isinstance(value, ListReference):
                value.is_full_size = begin.is_full_size
                value.is_checked = begin.is_checked or not begin.is_full_size
                for buffer in value.buffers:
                    if isinstance(buffer, Column):
                        buffer.is_full_size = begin.is_full_size
                if turns is not None and end.base is before.base and begin.base is None:
                    value.base, value.offset = None, begin.offset + turns * end.offset
        return values

    def _resized(self, handle: ListReference, capacity: int) -> ListReference:
        """Return a list with room for so many entries, where it has room for fewer."""
        more = capacity - handle.capacity
        if more < 0:
            self._check_room(handle.like(handle.buffers, None, 0, capacity), handle.length, True)
            kept = self.numbers(capacity)
            buffers = [self.gather(buffer, kept) for buffer in handle.buffers]
            return handle.like(buffers, handle.base, handle.offset, capacity)
        if not more:
            return handle
        pairs = zip(handle.buffers, handle.spec.entry, strict=True)
        buffers = [
            self.joined(buffer, self.zeros(spec, more)) if handle.capacity
            else self.zeros(spec, more)
            for buffer, spec in pairs
        ]  # fmt: skip
        return handle.like(buffers, handle.base, handle.offset, capacity)

    def _check_room(self, handle: ListReference, length: Any, always: bool = False) -> None:
        """Raise an error at run time if a list of a loop has more entries than there is room for.
        """
        if not always and not (handle.is_full_size and handle.is_checked):
            return
        error = ConcreteValueError(
            f"a list outgrows its bound of {handle.capacity} items in a loop",
            where=user_line(),
            help="raise the bound: autograph.set_loop_options(maximum_size=n) in the loop's body",
        )
        self.check(self.as_number(length) <= handle.capacity, lambda: error)

    # -- the operations of the protocol -----------------------------------------------------------

    def list_spec(self, specs: Sequence[Spec]) -> ListForm:
        """Describe a list with entries of such values."""
        return ListForm(tuple(specs))

    def list_new(self, spec: ListForm, entries: Sequence[Sequence[Any]]) -> ListReference:
        """Return a list of these entries."""
        size = len(entries)
        buffers = [
            self.stacked([entry[k] for entry in entries], one) if size else self.zeros(one, 0)
            for k, one in enumerate(spec.entry)
        ]
        return ListReference(spec, buffers, None, size, size)

    def list_len(self, handle: ListReference) -> Any:
        """Return the number of entries."""
        return self.as_number(handle.length)

    def list_push(self, handle: ListReference, entry: Sequence[Any]) -> ListReference:
        """Return the list with one more entry."""
        end = handle.length
        if handle.is_full_size:
            self._check_room(handle, end + 1)
        elif handle.base is None and handle.capacity == handle.offset:
            pairs = zip(handle.buffers, entry, handle.spec.entry, strict=True)
            buffers = [
                self.joined(b, self.stacked([v], s)) if end else self.stacked([v], s)
                for b, v, s in pairs
            ]
            return handle.like(buffers, None, handle.offset + 1, handle.capacity + 1)
        else:
            handle = self._resized(handle, handle.capacity + 1)
        puts = zip(handle.buffers, entry, strict=True)
        buffers = [self.put(buffer, end, value) for buffer, value in puts]
        return handle.like(buffers, handle.base, handle.offset + 1)

    def _place(self, handle: ListReference, index: Any, messages: tuple[str, str]) -> Any:
        message = messages[1] if handle.base is None and not handle.offset else messages[0]
        length = handle.length
        if type(index) is int and type(length) is int:
            if not -length <= index < length:
                raise IndexError(message)
            return index % length
        return self.place(index, length, self._index_error(length, messages))

    def _index_error(self, length: Any, messages: tuple[str, str]) -> Callable[..., Any]:
        return lambda size: IndexError(messages[0] if size else messages[1])

    def list_item(
        self, handle: ListReference, index: Any, spec: ListForm, messages: tuple[str, str]
    ) -> list[Any]:
        """Return the values of an entry."""
        place = self._place(handle, index, messages)
        if not handle.capacity:
            return self.convert([MISSING] * len(spec.entry), spec.entry)
        pairs = zip(handle.buffers, handle.spec.entry, strict=True)
        return [self.take(buffer, place, one) for buffer, one in pairs]

    def list_set(
        self, handle: ListReference, index: Any, entry: Sequence[Any], messages: tuple[str, str]
    ) -> ListReference:
        """Return the list with another entry at an index."""
        place = self._place(handle, index, messages)
        pairs = zip(handle.buffers, entry, strict=True)
        buffers = [self.put(b, place, v) if handle.capacity else b for b, v in pairs]
        return handle.like(buffers, handle.base, handle.offset)

    def list_without(
        self, handle: ListReference, index: Any, messages: tuple[str, str]
    ) -> ListReference:
        """Return the list without the entry at an index."""
        place = self._place(handle, index, messages)
        if not handle.capacity:
            return handle
        numbers = self.numbers(handle.capacity)
        indexes = self.choose(numbers >= place, numbers + 1, numbers)
        return self._of_indexes(handle, indexes, handle.length - 1)

    def _of_indexes(self, handle: ListReference, indexes: Any, length: Any) -> ListReference:
        buffers = [self.gather(buffer, indexes) for buffer in handle.buffers]
        if type(length) is int:
            return handle.like(buffers, None, length)
        return handle.like(buffers, length, 0)
