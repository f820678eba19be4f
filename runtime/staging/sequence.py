"""What a staged ``for`` goes through: sequences whose items are computed from their number.

Tensors along their leading axis, and what Python's range gives when its arguments are staged;
iterators over either.  Nothing is materialised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph.diagnostics.user_frame import user_place
from autograph.errors import ConcreteValueError
from autograph.operators.conditionals import if_stmt
from autograph.operators.list_ops import changed_list, item_at
from autograph.operators.list_ops import length as length_of_list
from autograph.operators.loops import for_stmt
from autograph.operators.state.closure_cells import UNDEFINED, Local
from autograph.operators.streams import Consumer, Stream
from autograph.staging.staged_list import StagedList, contents_of
from runtime.graph.graph import Graph, graph_of
from runtime.graph.operation import SymbolicTensor
from runtime.graph.trace import KINDS, same_tensor, staged_number
from runtime.ops import dispatch as interpreter
from runtime.ops.array.concat_split import stack
from runtime.ops.array.constants import cast_op
from runtime.ops.array.shape import shape
from runtime.ops.array.where import where
from runtime.ops.control_flow.print_assert import assert_op
from runtime.ops.math.elementwise import maximum
from runtime.staging.spec import as_python_value
from runtime.state.variable import Variable
from runtime.types import promotion
from runtime.types.dtypes import int64, string
from runtime.types.value import Value


class Items:
    """``count`` items, the one number ``k`` being ``at(k)``; ``what`` is its name for messages.

    ``contains`` says of a value whether it is among them, where that takes no search.
    ``listed``: it stands for a list, tuple or range, which can be indexed and asked for its length.
    ``calls``: an item is what a function of the user gives, which must be called once for each.
    """

    def __init__(
        self,
        what: str,
        count: Any,
        at: Callable[[Any], Any],
        contains: Callable[[Any], Any] | None = None,
        listed: bool = False,
        calls: bool = False,
    ) -> None:
        self.what = what
        self.count = count
        self.at = at
        self.contains = contains
        self.listed = listed
        self.calls = calls

    def __iter__(self) -> Iterator[Any]:
        """The items, when it is known how many there are."""
        if not isinstance(self.count, int):
            raise self._refusal("iterated over in plain Python")
        return iter([self.at(k) for k in range(self.count)])

    def __len__(self) -> int:
        if self.listed and isinstance(self.count, int):
            return self.count
        raise self._refusal("asked for its length in plain Python")

    def __bool__(self) -> bool:
        raise self._refusal("used as a Python bool")

    def __getitem__(self, key: Any) -> Any:
        """An item of a list or range; IndexError, at run time, when there is none."""
        if not self.listed or isinstance(key, slice):
            raise self._refusal("sliced" if self.listed else "indexed")
        k = _whole(key)
        if isinstance(k, int):
            position = k + self.count if k < 0 else k
        else:
            position = where(k < 0, k + self.count, k)
        inside: Any = position < self.count
        if not isinstance(k, int) or k < 0:
            inside = (position >= 0) & inside
        kind = self.what.removesuffix("()")
        words = "range object" if kind == "range" else kind
        assert_op(
            interpreter.convert(inside), fail=lambda: IndexError(f"{words} index out of range")
        )
        # made after the check, so that whoever takes the item waits for it
        position = _number(position) if isinstance(position, int) else same_tensor(position)
        return self.at(position)

    def __eq__(self, other: object) -> Any:
        if self is other or not self.listed:
            return self is other
        raise self._refusal("compared")

    __hash__ = object.__hash__

    def __contains__(self, item: object) -> bool:
        raise self._refusal("searched in plain Python")

    def _refusal(self, what: str) -> Exception:
        return ConcreteValueError(
            f"{self.what} of a staged value cannot be {what}: how many items it has is only known "
            "when the graph runs",
            where=user_place(),
            help="loop over it with `for` in a converted function, or use runtime.range",
        )

    def __getattr__(self, name: str) -> Any:
        if self.listed and hasattr(list, name) and not name.startswith("__"):
            raise self._refusal(f"changed by {name}()" if name in _CHANGES else f"asked to {name}")
        raise AttributeError(f"{self!r} has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"<{self.what} of a staged value>"


_CHANGES = ("append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort")


class ItemStream(Stream):
    """An iterator over items: what ``zip``, ``enumerate``, ``map``, ``reversed`` or ``iter`` give.

    Looped over, it is used up.  ``position``, where it stands, is counted from when somebody asks
    for its next item; from the start, if ``counted``.
    """

    def __init__(self, items: Items, counted: bool = False) -> None:
        super().__init__(items.what, self._loop, None)
        self.items = items
        self.position: Any = 0 if counted else None
        self.take = self._take

    def taken(self) -> Items:
        """All that is left."""
        if self.position is None:
            self.use()
            return self.items
        start, items = self.position, self.items
        self.position, self.used = None, True  # where the loop will stop is not known
        return Items(
            items.what, items.count - start, lambda k: items.at(start + k), calls=items.calls
        )

    def drive(self, consumer: Consumer) -> None:
        """Do for each item what the consumer says; ``position`` moves with the loop."""
        self.run(consumer)

    def _loop(self, consumer: Consumer) -> None:
        start = self.position
        if start is None:
            for_stmt(self.taken(), consumer.body, consumer.names, consumer.owners)
            return
        left = self.items.count - start

        def turn(k: Any) -> Any:
            item = self.items.at(start + k)
            self.position = start + k + 1
            return consumer.body(item)

        turns = Items(self.what, left, lambda k: k)
        for_stmt(turns, turn, consumer.names, (*consumer.owners, (self,)))

    def _take(self) -> Any:
        if self.position is None:
            self.use()
            self.position = 0
        item = Local("the item")
        position, count = self.position, self.items.count

        def there() -> None:
            item.value = self.items.at(position)
            self.position = position + 1

        if_stmt(position < count, there, None, (item,), ((self,),))()
        return item.value

    def __next__(self) -> Any:
        if type(self.position) is int or self.position is None:
            if isinstance(self.items.count, int):
                item = self._take()
                if item is UNDEFINED:
                    raise StopIteration
                return item
        raise self.unknown("iterated over in plain Python")


def _number(value: int) -> Any:
    """A Python int as a weak tensor of the current graph, recorded now."""
    graph = interpreter.current()
    assert isinstance(graph, Graph)
    return same_tensor(staged_number(graph, value))


def length(value: Any) -> Any:
    """How many items there are along the leading axis: an int, or a weak tensor."""
    if isinstance(value, Items):
        return value.count
    if isinstance(value, ItemStream):
        raise TypeError(f"object of type '{value.what.removesuffix('()')}' has no len()")
    if not isinstance(value, Value):
        value = interpreter.convert(value)
    dims = value.shape.dims
    if dims == ():
        raise TypeError("Scalar tensor has no `len()`")
    if dims is not None and dims[0] is not None:
        return dims[0]
    return as_python_value(shape(value, int64)[0])


def items_of(value: Any) -> Items:
    """The items of a tensor along its leading axis; Items as they are.

    TypeError for scalars and for what is no tensor.
    """
    if isinstance(value, Items):
        return value
    if isinstance(value, StagedList):
        return _items_of_list(value)
    if isinstance(value, ItemStream):
        return value.taken()
    if isinstance(value, Variable):
        value = value.read_value()
    if type(value) is range:
        return _python_range(value)
    if isinstance(value, list | tuple) and {*map(type, value)} in _ALIKE:
        return _numbers(value)
    if isinstance(value, list | tuple) and value and all(isinstance(v, Value) for v in value):
        if len({(v.dtype, v.shape) for v in value}) == 1 and value[0].shape.is_fully_defined():
            value = stack(value)
    if not isinstance(value, Value):
        raise ConcreteValueError(
            f"a staged loop cannot go through {_brief(value)}, whose items have no common type, "
            "together with staged values of unknown number",
            where=user_place(),
            help="make it a tensor with runtime.constant or runtime.stack",
        )
    if value.shape.dims == ():  # type: ignore[attr-defined]
        raise TypeError("Cannot iterate over a scalar tensor.")
    return Items("iteration", length(value), lambda k: value[k])  # type: ignore[index]


_ALIKE: tuple[set[type], ...] = ({int}, {float}, {bool})


def _numbers(values: Sequence[Any]) -> Items:
    """The items of a list of Python numbers, as Python numbers."""
    dtype = promotion.CARRIERS[KINDS[type(values[0])]]
    tensor = interpreter.convert(values, dtype)
    return Items("list", len(values), lambda k: as_python_value(tensor[k]))


def _python_range(value: range) -> Items:
    start, step = value.start, value.step
    return Items("range()", len(value), lambda k: start + k * step)


def _brief(value: Any) -> str:
    return f"a {type(value).__name__}"


def _items_of_list(holder: StagedList) -> Items:
    """The items of a staged list, which must not change while a loop goes through them."""
    before = contents_of(holder)

    def at(k: Any) -> Any:
        if not contents_of(holder).same(before):
            raise changed_list()
        return item_at(holder, k)

    return Items("list", length_of_list(holder), at)


def _whole(value: Any) -> Any:
    """An argument of range: a Python int, or a weak integer tensor."""
    if isinstance(value, Variable):
        value = value.read_value()
    if not isinstance(value, SymbolicTensor):
        return value.__index__()
    if not value.dtype.is_integer or value.shape.dims not in (None, ()):
        raise TypeError(
            f"Only integer scalar tensors can be used as an index, got {value!r}. "
            "Use int(x) or runtime.cast(x, runtime.int32)."
        )
    return weak_integer(value)


def weak_integer(value: SymbolicTensor) -> SymbolicTensor:
    """A number as Python's int."""
    if value.weak and value.dtype is int64:
        return value
    current = interpreter.current()
    graph = current if isinstance(current, Graph) else graph_of(value)
    tensor = graph.own(value)
    if tensor.weak:
        return graph.settle(tensor, int64, weak=True)
    return as_python_value(cast_op(tensor, dtype=int64))


def range_(*args: Any) -> Items:
    """``range`` of staged arguments: ``start + k * step``, as Python ints.

    ValueError, at run time, for a step of 0.
    """
    if not 1 <= len(args) <= 3:
        raise TypeError(f"range expected 1 to 3 arguments, got {len(args)}")
    whole = [_whole(arg) for arg in args]
    start, stop = (0, whole[0]) if len(whole) == 1 else whole[:2]
    step = whole[2] if len(whole) == 3 else 1
    by_one = isinstance(step, int) and step == 1
    if isinstance(step, int):
        if step == 0:
            raise ValueError("range() arg 3 must not be zero")
    else:
        assert_op(step != 0, fail=lambda: ValueError("range() arg 3 must not be zero"))
    from_zero = isinstance(start, int) and start == 0
    if by_one:
        count = maximum(stop if from_zero else stop - start, 0)
    else:
        count = maximum(-((start - stop) // step), 0)

    def at(k: Any) -> Any:
        offset = k if by_one else k * step
        return offset if from_zero else start + offset

    def contains(item: Any) -> Any:
        return in_range(start, whole[-1 if len(whole) == 1 else 1], step, item)

    return Items("range()", count, at, contains, listed=True)


def in_range(start: Any, stop: Any, step: Any, item: Any) -> Any:
    """``item in range(start, stop, step)``, for a scalar number; else NotImplemented."""
    if isinstance(item, Variable):
        item = item.read_value()
    if isinstance(item, SymbolicTensor):
        if item.shape.rank != 0 or item.dtype is string or item.dtype.is_complex:
            return NotImplemented
        if item.dtype.is_bool:
            item = cast_op(item, dtype=int64)
        if item.dtype.is_integer:
            item = weak_integer(item)
    elif type(item) not in (bool, int, float):
        return NotImplemented
    rising = (start <= item) & (item < stop)
    falling = (stop < item) & (item <= start)
    if isinstance(step, int):
        inside = rising if step > 0 else falling
    else:
        inside = ((step > 0) & rising) | ((step < 0) & falling)
    if not isinstance(step, int) or abs(step) != 1 or isinstance(item, float) or (
        isinstance(item, SymbolicTensor) and item.dtype.is_floating
    ):
        inside = inside & ((item - start) % step == 0)
    return as_python_value(interpreter.convert(inside))
