"""Lists in lists of staged length: a column of buffers for the lists that are entries.

Every list of a column has the same room; each has a length of its own.  The methods of buffers take
columns as well, and leave the library's own to the class behind this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.backends.bounded_lists import BoundedLists
from autograph.backends.list_forms import Column, ListForm, ListReference
from autograph.errors import ConcreteValueError
from autograph.staging import Spec, user_line


class NestedLists(BoundedLists):
    """Mixin in front of the class with the library's own buffers."""

    def column_specs(self, spec: ListForm, room: int) -> list[Spec]:
        """Describe the values of one list with room for so many items, but its length."""
        if any(isinstance(one, ListForm) for one in spec.entry):
            raise ConcreteValueError(
                f"a list of lists of lists grows, and {self.name}'s arrays have fixed sizes",
                where=user_line(),
                help="keep the innermost lists at a known length",
            )
        return [super(NestedLists, self).buffer_spec(one, room) for one in spec.entry]

    def zeros(self, spec: Spec, count: int) -> Any:
        """Return empty lists."""
        if not isinstance(spec, ListForm):
            return super().zeros(spec, count)
        buffers = [super(NestedLists, self).zeros(s, count) for s in self.column_specs(spec, 0)]
        return Column(spec, buffers, super().zeros(self.spec_of(0), count), 0)

    def stacked(self, values: Sequence[Any], spec: Spec) -> Any:
        """Return a column of lists."""
        if not isinstance(spec, ListForm):
            return super().stacked(values, spec)
        room = max(value.capacity for value in values)
        handles = [self._resized(self.convert_list(value, spec), room) for value in values]
        specs = self.column_specs(spec, room)
        stack = super().stacked
        buffers = [stack([h.buffers[k] for h in handles], one) for k, one in enumerate(specs)]
        lengths = stack([self.as_number(h.length) for h in handles], self.spec_of(0))
        return Column(spec, buffers, lengths, room)

    def take(self, buffer: Any, index: Any, spec: Spec) -> Any:
        """Return a list of a column."""
        if not isinstance(buffer, Column):
            return super().take(buffer, index, spec)
        take = super().take
        buffers = [take(one, index, None) for one in buffer.buffers]
        length = take(buffer.length, index, None)
        return ListReference(
            buffer.spec, buffers, length, 0, buffer.capacity, buffer.is_full_size
        )

    def _of_each(self, column: Column, change: Any) -> Column:
        buffers = [change(buffer) for buffer in column.buffers]
        return Column(
            column.spec, buffers, change(column.length), column.capacity, column.is_full_size
        )

    def gather(self, buffer: Any, indexes: Any) -> Any:
        """Return several lists of a column."""
        gather = super().gather
        if not isinstance(buffer, Column):
            return gather(buffer, indexes)
        return self._of_each(buffer, lambda one: gather(one, indexes))

    def put(self, buffer: Any, index: Any, value: Any) -> Any:
        """Return a column with another list."""
        put = super().put
        if not isinstance(buffer, Column):
            return put(buffer, index, value)
        value = self.convert_list(value, buffer.spec)
        room = buffer.capacity if buffer.is_full_size else max(buffer.capacity, value.capacity)
        *parts, lengths = self.column_parts(buffer, room)
        value = self._resized(value, room)
        pairs = zip(parts, value.buffers, strict=True)
        buffers = [put(*[part, index, new]) for part, new in pairs]
        lengths = put(lengths, index, self.as_number(value.length))
        return Column(buffer.spec, buffers, lengths, room, buffer.is_full_size)

    def column_parts(self, column: Column, room: int) -> list[Any]:
        """Return the buffers with room for so many items in each list, and the lengths."""
        more = room - column.capacity
        if more < 0:
            raise AssertionError("a column loses room")
        buffers = column.buffers
        if more:
            specs = self.column_specs(column.spec, 0)
            pairs = zip(buffers, specs, strict=True)
            buffers = [self.padded(buffer, more, spec) for buffer, spec in pairs]
        return [*buffers, column.length]

    def joined(self, left: Any, right: Any) -> Any:
        """Return a column of the lists of two."""
        if not isinstance(left, Column):
            return super().joined(left, right)
        room = max(left.capacity, right.capacity)
        pairs = zip(self.column_parts(left, room), self.column_parts(right, room), strict=True)
        *buffers, lengths = [super(NestedLists, self).joined(*pair) for pair in pairs]
        full = left.is_full_size or right.is_full_size
        return Column(left.spec, buffers, lengths, room, full)

    def convert(self, values: Sequence[Any], specs: Sequence[Spec]) -> list[Any]:
        """Convert values; columns have their own way."""
        return [
            self._converted(value, spec) if isinstance(value, Column)
            else super(NestedLists, self).convert([value], [spec])[0]  # type: ignore[safe-super]
            for value, spec in zip(values, specs, strict=True)
        ]  # fmt: skip

    def buffer_spec(self, spec: Spec, count: int) -> Spec:
        """Describe a column by the spec of its lists."""
        return spec if isinstance(spec, ListForm) else super().buffer_spec(spec, count)

    def _converted(self, column: Column, spec: ListForm) -> Column:
        if column.spec == spec:
            return column
        count = self.buffer_length(column.length)
        specs = [super(NestedLists, self).buffer_spec(one, count)
                 for one in self.column_specs(spec, column.capacity)]  # fmt: skip
        if not column.spec.entry:
            buffers = [super(NestedLists, self).zeros(one, count)
                       for one in self.column_specs(spec, column.capacity)]  # fmt: skip
        else:
            buffers = super().convert(column.buffers, specs)  # type: ignore[safe-super]
        return Column(spec, buffers, column.length, column.capacity, column.is_full_size)

    def same(self, buffer: Any, value: Any) -> Any:
        """Return which lists of a column equal a list."""
        same = super().same  # type: ignore[misc]
        if not isinstance(buffer, Column):
            return same(buffer, value)
        raise ConcreteValueError(
            f"a list is searched for in a list of lists that grows, which {self.name}'s backend "
            "does not stage",
            where=user_line(),
            help="compare the lists in a loop of your own",
        )
