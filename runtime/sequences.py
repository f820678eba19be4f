"""What a staged ``for`` goes through: sequences whose items are computed from their number.

Tensors along their leading axis, and what Python's range, enumerate, zip, map and reversed give
when their arguments are staged.  Nothing is materialised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from runtime import interpreter
from runtime.dtypes import int64
from runtime.graph import Graph
from runtime.interpreter import Value
from runtime.joins import as_python_value
from runtime.ops.constants import cast_op
from runtime.ops.effects import assert_op
from runtime.ops.elementwise import maximum, minimum
from runtime.ops.shape import shape
from runtime.symbolic import SymbolicTensor
from runtime.variables import Variable


class Items:
    """``count`` items, the one number ``k`` being ``at(k)``; ``what`` is its name for messages."""

    def __init__(self, what: str, count: Any, at: Callable[[Any], Any]) -> None:
        self.what = what
        self.count = count
        self.at = at

    def __iter__(self) -> Iterator[Any]:
        self._refuse("iterated over in plain Python")

    def __len__(self) -> int:  # noqa: PLE0303 - it never returns
        self._refuse("asked for its length in plain Python")

    def __bool__(self) -> bool:  # noqa: PLE0304 - it never returns
        self._refuse("used as a Python bool")

    def __getitem__(self, key: Any) -> Any:
        self._refuse("indexed")

    def __contains__(self, item: object) -> bool:
        self._refuse("searched")

    def _refuse(self, what: str) -> NoReturn:
        raise TypeError(
            f"{self.what} of a staged value cannot be {what}: how many items it has is only known "
            "when the graph runs. Loop over it with `for` in a converted function, or use "
            "runtime.range."
        )

    def __repr__(self) -> str:
        return f"<{self.what} of a staged value>"


def length(value: Any) -> Any:
    """How many items there are along the leading axis: an int, or a weak tensor."""
    if isinstance(value, Items):
        return value.count
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
    if isinstance(value, Variable):
        value = value.read_value()
    if not isinstance(value, Value):
        raise TypeError(
            f"a staged loop cannot go through {value!r}, which is no tensor, together with staged "
            "values; convert it with runtime.constant"
        )
    if value.shape.dims == ():  # type: ignore[attr-defined]
        raise TypeError("Cannot iterate over a scalar tensor.")
    return Items("iteration", length(value), lambda k: value[k])  # type: ignore[index]


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
    graph = current if isinstance(current, Graph) else value.graph
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

    return Items("range()", count, at)


def enumerate_(iterable: Any, start: Any = 0) -> Items:
    """``enumerate`` of a staged value."""
    items = items_of(iterable)
    return Items("enumerate()", items.count, lambda k: (k + start, items.at(k)))


def _least(counts: Sequence[Any]) -> Any:
    if all(isinstance(count, int) for count in counts):
        return min(counts)
    least, *others = counts
    for count in others:
        least = minimum(least, count)
    return least


def zip_(*iterables: Any, strict: bool = False) -> Items:
    """``zip`` of staged values; with ``strict`` ValueError, at run time, for unequal lengths."""
    items = [items_of(iterable) for iterable in iterables]
    counts = [i.count for i in items]
    if strict:
        for other in counts[1:]:
            assert_op(
                interpreter.convert(counts[0] == other),
                fail=lambda: ValueError("zip() arguments have unequal lengths"),
            )
    return Items("zip()", _least(counts), lambda k: tuple([i.at(k) for i in items]))


def reversed_(sequence: Any) -> Items:
    """``reversed`` of a staged value."""
    items = items_of(sequence)
    return Items("reversed()", items.count, lambda k: items.at(items.count - 1 - k))
