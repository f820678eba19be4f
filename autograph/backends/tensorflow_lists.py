"""Lists that change their length, of TensorFlow's tensor lists: for ``tensorflow``.

A list has a tensor list for each tensor of an entry, and counts its entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from autograph.backends.scalars import StagedScalar
from autograph.named_tuples import NamedTuple

RAW = tf.raw_ops


class TensorListSpec(NamedTuple):
    """Type of a list: the types of an entry's values, and of their tensors."""

    entry: tuple[Any, ...]
    tensors: tuple[Any, ...]

    def flat(self) -> list[tuple[Any, Any]]:
        """Return dtypes and shapes of the tensors that a list is made of: their number first."""
        return [(tf.int64, ()), *((tf.variant, ()) for _ in self.tensors)]

    def __repr__(self) -> str:
        return "a list"


class Rows:
    """A list: its type, its length, and a tensor list for each tensor of an entry."""

    __slots__ = ("spec", "tensors")

    def __init__(self, spec: TensorListSpec, tensors: Sequence[Any]) -> None:
        self.spec = spec
        self.tensors = tuple(tensors)


def _shape(dims: Any) -> Any:
    if dims is None:
        return tf.constant(-1)
    return tf.constant([-1 if dim is None else dim for dim in dims], tf.int32)


def _set_places(items: Any) -> Any:
    """Return the places of items in the order of a set of them."""
    texts = [item.decode() if isinstance(item, bytes) else item for item in items.tolist()]
    numbers = {item: number for number, item in enumerate(texts)}
    return np.array([numbers[item] for item in set(texts)], np.int32)


class TensorLists:
    """The part of the backend that holds lists."""

    # mypy: mixin of the backend
    flat: Any
    flat_specs: Any
    pack: Any
    check: Any
    position: Any
    convert: Any
    join: Any
    ordered: Any
    shown: Any
    tensor: Any

    def list_spec(self, specs: Sequence[Any]) -> TensorListSpec:
        """Describe a list."""
        flat = tuple(leaf for spec in specs for leaf in self.flat_specs(spec))
        return TensorListSpec(tuple(specs), flat)

    def join_lists(self, left: TensorListSpec, right: TensorListSpec) -> TensorListSpec:
        """Describe both lists."""
        if len(left.entry) != len(right.entry):
            raise TypeError("the lists have entries of different structure")
        return self.list_spec([self.join(a, b) for a, b in zip(left.entry, right.entry)])

    def list_new(self, spec: TensorListSpec, entries: Sequence[Sequence[Any]]) -> Rows:
        """Return a list of these entries."""
        lists = [
            RAW.EmptyTensorList(
                element_shape=_shape(shape), max_num_elements=-1, element_dtype=dtype
            ) for dtype, shape in spec.tensors
        ]  # fmt: skip
        rows = Rows(spec, [tf.constant(0, tf.int64), *lists])
        for entry in entries:
            rows = self.list_push(rows, entry)
        return rows

    def convert_list(self, value: Any, spec: TensorListSpec) -> Rows:
        """Return a list with entries of another type."""
        if not isinstance(value, Rows):
            return self.list_new(spec, [])
        if value.spec == spec:
            return value

        def body(k: Any, *tensors: Any) -> Any:
            entry = self._entry(value, tf.cast(k, tf.int32))
            rows = self.list_push(Rows(spec, tensors), self.convert(entry, spec.entry))
            return [k + 1, *rows.tensors]

        start = [tf.constant(0, tf.int64), *self.list_new(spec, []).tensors]
        return Rows(spec, tf.while_loop(lambda k, *_: k < value.tensors[0], body, start)[1:])

    def list_len(self, handle: Rows) -> Any:
        """Return the number of entries."""
        return StagedScalar(self, int, handle.tensors[0])  # type: ignore[arg-type]

    def _parts(self, handle: Rows, entry: Sequence[Any]) -> list[Any]:
        values = self.convert(entry, handle.spec.entry)
        return [tensor for value in values for tensor in self.flat(value)]

    def list_push(self, handle: Rows, entry: Sequence[Any]) -> Rows:
        """Return the list with one more entry."""
        count, *lists = handle.tensors
        pushed = [
            RAW.TensorListPushBack(input_handle=held, tensor=tensor)
            for held, tensor in zip(lists, self._parts(handle, entry), strict=True)
        ]
        return Rows(handle.spec, [count + 1, *pushed])

    def _index(self, handle: Rows, index: Any, messages: tuple[str, str]) -> Any:
        message = messages[0]
        count: Any = self.list_len(handle)
        if messages[0] != messages[1]:
            self.check(count != 0, lambda: IndexError(messages[1]))
        place = self.tensor(self.position(index, count, message))
        with self.ordered():
            return tf.cast(place, tf.int32)

    def _entry(self, handle: Rows, place: Any) -> list[Any]:
        found = [
            RAW.TensorListGetItem(
                input_handle=held, index=place, element_shape=_shape(shape), element_dtype=dtype
            ) for held, (dtype, shape) in zip(handle.tensors[1:], handle.spec.tensors, strict=True)
        ]  # fmt: skip
        for tensor, (_, shape) in zip(found, handle.spec.tensors, strict=True):
            tensor.set_shape(shape)
        return self.pack(handle.spec.entry, found)

    def list_item(
        self, handle: Rows, index: Any, spec: Any, messages: tuple[str, str]
    ) -> list[Any]:
        """Return the values of an entry."""
        return self._entry(handle, self._index(handle, index, messages))

    def list_set(
        self, handle: Rows, index: Any, entry: Sequence[Any], messages: tuple[str, str]
    ) -> Rows:
        """Return the list with another entry."""
        place = self._index(handle, index, messages)
        return self._with(handle, place, entry)

    def _with(self, handle: Rows, place: Any, entry: Sequence[Any]) -> Rows:
        changed = [
            RAW.TensorListSetItem(input_handle=held, index=place, item=tensor)
            for held, tensor in zip(
                handle.tensors[1:], self._parts(handle, entry), strict=True
            )
        ]
        return Rows(handle.spec, [handle.tensors[0], *changed])

    def _chosen(self, handle: Rows, places: Any) -> Rows:
        """Return the entries at these places."""
        start = [tf.constant(0), *self.list_new(handle.spec, []).tensors]

        def body(k: Any, *tensors: Any) -> Any:
            entry = self._entry(handle, places[k])
            return [k + 1, *self.list_push(Rows(handle.spec, tensors), entry).tensors]

        found = tf.while_loop(lambda k, *_: k < tf.size(places), body, start)
        return Rows(handle.spec, found[1:])

    def _places(self, handle: Rows) -> Any:
        return tf.range(tf.cast(handle.tensors[0], tf.int32))

    def list_without(self, handle: Rows, index: Any, messages: tuple[str, str]) -> Rows:
        """Return the list without an entry."""
        place = self._index(handle, index, messages)
        places = self._places(handle)
        return self._chosen(handle, tf.concat([places[:place], places[place + 1 :]], 0))

    def list_slice(self, handle: Rows, key: slice) -> Rows:
        """Return the entries of a slice."""
        return self._chosen(handle, self._places(handle)[self._slice(key)])

    def _slice(self, key: slice) -> slice:
        ends = [None if end is None else tf.cast(self.tensor(end), tf.int32)
                for end in (key.start, key.stop, key.step)]  # fmt: skip
        return slice(*ends)

    def list_splice(self, handle: Rows, key: slice, replacement: Rows) -> Rows:
        """Return the list with the entries of a slice replaced."""
        places = self._places(handle)
        first = places[self._slice(slice(None, 0 if key.start is None else key.start))]
        count = tf.size(places)
        begin = tf.size(first)
        stop = count if key.stop is None else tf.size(places[self._slice(slice(None, key.stop))])
        end = tf.maximum(begin, stop)
        spec = handle.spec if handle.spec == replacement.spec else self.join_lists(
            handle.spec, replacement.spec
        )
        left, middle = self.convert_list(handle, spec), self.convert_list(replacement, spec)
        joined = self._chosen(left, first)
        joined = self._appended(joined, middle, self._places(middle))
        return self._appended(joined, left, places[end:])

    def _appended(self, rows: Rows, more: Rows, places: Any) -> Rows:
        def body(k: Any, *tensors: Any) -> Any:
            entry = self._entry(more, places[k])
            return [k + 1, *self.list_push(Rows(rows.spec, tensors), entry).tensors]

        start = [tf.constant(0), *rows.tensors]
        return Rows(rows.spec, tf.while_loop(lambda k, *_: k < tf.size(places), body, start)[1:])

    # -- lists of different keys ------------------------------------------------------------------

    def list_find(self, handle: Rows, key: Sequence[Any]) -> Any:
        """Return the place of an entry, or -1."""
        parts = self._parts(handle, key)
        count = tf.cast(handle.tensors[0], tf.int32)

        def differs(k: Any) -> Any:
            entry = [tensor for value in self._entry(handle, k) for tensor in self.flat(value)]
            same = [tf.reduce_all(a == b) for a, b in zip(entry, parts, strict=True)]
            return ~tf.reduce_all(tf.stack(same)) if same else tf.constant(False)

        place, = tf.while_loop(
            lambda k: tf.cond(k < count, lambda: differs(k), lambda: tf.constant(False)),
            lambda k: [k + 1], [tf.constant(0)],
        )  # fmt: skip
        found = tf.where(place < count, place, -1)
        return StagedScalar(self, int, tf.cast(found, tf.int64))  # type: ignore[arg-type]

    def list_put(self, handle: Rows, index: Any, entry: Sequence[Any]) -> Rows:
        """Return the list with another entry, or one more."""
        return self._either(handle, index, entry, lambda place: self._with(handle, place, entry))

    def list_add(self, handle: Rows, index: Any, entry: Sequence[Any]) -> Rows:
        """Return the list with one more entry, or the same."""
        return self._either(handle, index, entry, lambda place: handle)

    def _either(self, handle: Rows, index: Any, entry: Sequence[Any], there: Any) -> Rows:
        place = tf.cast(self.tensor(index), tf.int32)
        tensors = tf.cond(
            place < 0,
            lambda: list(map(tf.identity, self.list_push(handle, entry).tensors)),
            lambda: list(map(tf.identity, there(place).tensors)),
        )
        return Rows(handle.spec, tensors)

    def set_order(self, handle: Rows) -> Rows:
        """Return the entries of a set in Python's order, which its hashes say."""
        order = tf.numpy_function(_set_places, [self.column(handle)], tf.int32, stateful=False)
        return self._chosen(handle, tf.ensure_shape(order, [None]))

    def set_combine(self, name: str, left: Rows, right: Rows) -> Rows:
        """Return the entries of the set that a method makes of two."""
        both = self._appended(left, right, self._places(right))
        count = tf.cast(left.tensors[0], tf.int32)

        def places(items: Any, count: Any) -> Any:
            mine, others = items[:count].tolist(), items[count:].tolist()
            numbers = dict(zip([*others, *mine], [*range(count, len(items)), *range(count)]))
            made = getattr(set(mine), name)(others)
            return np.array([numbers[item] for item in made], np.int32)

        order = tf.numpy_function(
            places, [self.column(both), count], tf.int32, stateful=False
        )
        return self._chosen(both, tf.ensure_shape(order, [None]))

    def set_compare(self, name: str, left: Rows, right: Rows) -> Any:
        """Return what a comparison of two sets gives."""

        def compared(mine: Any, others: Any) -> Any:
            return np.bool_(getattr(set(mine.tolist()), name)(set(others.tolist())))

        columns = [self.column(left), self.column(right)]
        holds = tf.numpy_function(compared, columns, tf.bool, stateful=False)
        return StagedScalar(self, bool, tf.ensure_shape(holds, []))  # type: ignore[arg-type]

    # -- at run time ------------------------------------------------------------------------------

    def opened(self, handle: Rows, spec: Any) -> tuple[list[Any], Any]:
        """Return the tensors of a list, and what makes entries of what they are at run time."""

        def entries(tensors: Sequence[Any]) -> list[list[Any]]:
            rows = Rows(handle.spec, tensors)
            return [
                list(map(self._known, self._entry(rows, tf.constant(k, tf.int32))))
                for k in range(int(tensors[0]))
            ]

        return list(handle.tensors), entries

    def _known(self, value: Any) -> Any:
        if isinstance(value, StagedScalar):
            return StagedScalar(self, value.kind, value.value.numpy())  # type: ignore[arg-type]
        return value if isinstance(value, Rows) else self.shown(value.numpy())

    def column(self, handle: Rows) -> Any:
        """Return the items of a list whose entries are single tensors, as one tensor."""
        ((dtype, shape),) = handle.spec.tensors
        return RAW.TensorListStack(
            input_handle=handle.tensors[1], element_shape=_shape(shape), element_dtype=dtype
        )
