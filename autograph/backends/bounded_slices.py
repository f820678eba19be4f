"""Slices of bounded lists, and the dicts and sets that are lists of different keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.backends.bounded_lists import BoundedLists
from autograph.backends.list_forms import ListReference
from autograph.errors import ConcreteValueError
from autograph.staging import user_line


class BoundedSlices(BoundedLists):
    """The part of a backend for slices, dicts and sets.  A library implements the first section."""

    def same(self, buffer: Any, value: Any) -> Any:
        """Return, for each value of a buffer, whether it equals a value."""
        raise NotImplementedError

    def first_true(self, flags: Any) -> Any:
        """Return the place of the first true flag of a vector with one."""
        raise NotImplementedError

    def any_true(self, flags: Any) -> Any:
        """Return whether any flag of a vector is true."""
        raise NotImplementedError

    def places(self, flags: Any) -> tuple[Any, Any]:
        """Return the places of a vector's true flags, in front, and their number."""
        raise NotImplementedError

    # -- slices -----------------------------------------------------------------------------------

    def list_slice(self, handle: ListReference, key: slice) -> ListReference:
        """Return the entries of a slice."""
        step = 1 if key.step is None else key.step
        if type(step) is not int:
            raise ConcreteValueError(
                "the step of a slice of a list is staged", where=user_line(),
                help="loop over range(start, stop, step)",
            )  # fmt: skip
        start, count = self._bounds(key, step, handle.length)
        if not handle.capacity:
            return handle
        indexes = self.numbers(handle.capacity) * step + start
        return self._of_indexes(handle, indexes, count)

    def _bounds(self, key: slice, step: int, length: Any) -> tuple[Any, Any]:
        """Return the first index and the number of the items of a slice, as ``slice.indices``."""
        ends = (key.start, key.stop)
        if type(length) is int and all(e is None or type(e) is int for e in ends):
            numbers = range(*slice(*ends, step).indices(length))
            return numbers.start, len(numbers)
        low, high = (0, length) if step > 0 else (-1, length - 1)

        def end(value: Any, default: Any) -> Any:
            if value is None:
                return default
            value = self.as_number(value)
            value = self.choose(value < 0, value + length, value)
            return self.minimum(self.maximum(value, low), high)

        start = end(key.start, low if step > 0 else high)
        stop = end(key.stop, high if step > 0 else low)
        size = (stop - start + (step - 1 if step > 0 else step + 1)) // step
        return start, self.maximum(size, 0)

    def list_splice(
        self, handle: ListReference, key: slice, replacement: ListReference
    ) -> ListReference:
        """Return the entries of a slice without a step replaced by those of another list."""
        spec = self.join_lists(handle.spec, replacement.spec)
        handle, replacement = (self.convert_list(one, spec) for one in (handle, replacement))
        start, count = self._bounds(key, 1, handle.length)
        length = handle.length - count + replacement.length
        capacity = handle.capacity + replacement.capacity
        target = handle.capacity if handle.is_full_size else capacity
        if not capacity:
            return handle
        self._check_room(handle, length)
        numbers = self.numbers(target)
        new = numbers - start
        indexes = self.choose(numbers < start, numbers, numbers - replacement.length + count)
        inside = self.logical_and(numbers >= start, new < replacement.length)
        indexes = self.choose(inside, new + handle.capacity, indexes)
        pairs = zip(handle.buffers, replacement.buffers, strict=True)
        both = [self.joined(*pair) for pair in pairs]
        spliced = handle.like(both, handle.base, handle.offset, target)
        return self._of_indexes(spliced, indexes, length)

    # -- lists of different keys ------------------------------------------------------------------

    def list_find(self, handle: ListReference, key: Sequence[Any]) -> Any:
        """Return the place of the entry that is equal to a key; -1 if there is none."""
        if not handle.capacity:
            return self.as_number(-1)
        flags = self._equal(handle, key)
        return self.as_number(self.choose(self.any_true(flags), self.first_true(flags), -1))

    def _equal(self, handle: ListReference, key: Sequence[Any]) -> Any:
        flags: Any = self.numbers(handle.capacity) < handle.length
        for buffer, value in zip(handle.buffers, key, strict=False):
            flags = self.logical_and(flags, self.same(buffer, value))
        return flags

    def list_put(self, handle: ListReference, index: Any, entry: Sequence[Any]) -> ListReference:
        """Return the list with another entry at an index, or with one more if the index is -1."""
        longer = self.list_push(handle, entry)
        where = self.choose(index < 0, handle.length, index)
        pairs = zip(longer.buffers, entry, strict=True)
        buffers = [self.put(buffer, where, value) for buffer, value in pairs]
        # the entry after the last one, which the push has written, is none
        return longer.like(buffers, self._longer(handle, index), 0)

    def list_add(self, handle: ListReference, index: Any, entry: Sequence[Any]) -> ListReference:
        """Return the list with one more entry if the index is -1; else the same."""
        longer = self.list_push(handle, entry)
        return longer.like(longer.buffers, self._longer(handle, index), 0)

    def _longer(self, handle: ListReference, index: Any) -> Any:
        return self.as_number(handle.length + self.choose(index < 0, 1, 0))

    def _members(self, left: ListReference, right: ListReference) -> Any:
        """Return, for each entry of a list of single values, whether another one has it."""
        held: Any = self.numbers(left.capacity) < 0
        for k in range(right.capacity):
            present = self.logical_and(
                self.as_number(k) < right.length,
                self.same(left.buffers[0], self.take(right.buffers[0], k, right.spec.entry[0])),
            )
            held = held | present
        return held

    def set_combine(self, name: str, left: ListReference, right: ListReference) -> ListReference:
        """Return what a method of sets makes of the entries of two lists."""
        spec = self.join_lists(left.spec, right.spec)
        left, right = self.convert_list(left, spec), self.convert_list(right, spec)
        if name == "union":
            return self._appended(left, self.set_combine("difference", right, left))
        if name == "symmetric_difference":
            both = (self.set_combine("difference", a, b) for a, b in ((left, right), (right, left)))
            return self._appended(*both)
        if not left.capacity:
            return left
        present = self.numbers(left.capacity) < left.length
        held = self._members(left, right)
        keep = held if name == "intersection" else held == False  # noqa: E712
        indexes, count = self.places(self.logical_and(present, keep))
        return self._of_indexes(left, indexes, count)

    def _appended(self, left: ListReference, right: ListReference) -> ListReference:
        return self.list_splice(left, slice(left.length, None), right)

    def set_compare(self, name: str, left: ListReference, right: ListReference) -> Any:
        """Return what a method of sets says of the entries of two lists."""
        if name == "issuperset":
            return self.set_compare("issubset", right, left)
        wanted = "intersection" if name == "isdisjoint" else "difference"
        found = self.as_number(self.set_combine(wanted, left, right).length) == 0
        if name == "__eq__":
            return self.logical_and(found, self.set_compare("issubset", right, left))
        return found

    def set_order(self, handle: ListReference) -> ListReference:
        """Refuse: the order in which Python goes through a set depends on hashes."""
        raise ConcreteValueError(
            "the order of a set of staged items is known only to Python",
            where=user_line(),
            help="loop over sorted(items), or keep a list",
        )
