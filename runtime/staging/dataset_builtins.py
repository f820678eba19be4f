"""Python's builtins on datasets and their iterators, in staged code.

Their items come one by one when the graph runs; what a builtin makes of them is a stream, which
a loop goes through, or a dataset.  On all else the builtins are those of builtins.py.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from typing import Any

from autograph.diagnostics.user_frame import user_place
from autograph.errors import ConcreteValueError
from autograph.operators import iterables
from autograph.operators.conditionals import if_stmt
from autograph.operators.convert_hook import converted
from autograph.operators.state.closure_cells import Local
from autograph.operators.streams import Consumer, Stream
from runtime.data.dataset import Dataset
from runtime.graph.trace import same_tensor
from runtime.ops.control_flow.print_assert import assert_op
from runtime.ops.resource.dataset import INFINITE, UNKNOWN
from runtime.staging import iterators
from runtime.staging.builtins import BUILTINS as COUNTED
from runtime.staging.dataset_loop import as_dataset, is_pulled, iterator_of, zipped
from runtime.staging.spec import as_python_value


def _stream(value: Any) -> Stream:
    """The elements of a dataset or iterator, for a loop."""

    def run(consumer: Consumer) -> None:
        iterables.loop(value, consumer.body, consumer)

    return Stream("a dataset", run, once=False)


def _enumerate(iterable: Any, start: Any = 0) -> Any:
    return iterables.enumerate_(_stream(iterable), start)


def _zip(*values: Any, strict: bool = False) -> Any:
    pulled = [value for value in values if is_pulled(value)]
    if len(pulled) == len(values) and not strict:
        return _stream(zipped(values))
    if len(pulled) == 1:
        return iterators.zip_(*[_stream(v) if is_pulled(v) else v for v in values], strict=strict)
    beside = [value for value in values if not is_pulled(value)]
    together = iterators.zip_(_stream(zipped(tuple(pulled))), *beside, strict=strict)

    def in_order(items: Any) -> Any:
        first, others = builtins.iter(items[0]), builtins.iter(items[1:])
        return tuple([next(first) if is_pulled(v) else next(others) for v in values])

    return iterables.transformed("zip()", together, in_order)


def _map(function: Callable[..., Any], *values: Any) -> Any:
    if len(values) == 1:
        return iterables.map_(function, _stream(values[0]))
    call = converted(function)
    return iterables.transformed("map()", _zip(*values), lambda args: call(*args))


def _next(iterator: Any, default: Any = iterables.MISSING) -> Any:
    if isinstance(iterator, Dataset):
        raise TypeError(f"'{type(iterator).__name__}' object is not an iterator")
    if default is iterables.MISSING:
        return builtins.next(iterator)
    item = Local("the item", default)

    def take() -> None:
        item.value = builtins.next(iterator)

    if_stmt(iterator._has_next(), take, None, (item,), ())()
    return item.value


def _len(dataset: Any) -> Any:
    if not isinstance(dataset, Dataset):
        return builtins.len(dataset)  # which says what is wrong
    size = dataset.cardinality()
    for number, message in (
        (INFINITE, "The dataset is infinite."), (UNKNOWN, "The dataset length is unknown."),
    ):  # fmt: skip
        assert_op(size != number, fail=lambda text=message: TypeError(text))
    return as_python_value(same_tensor(size))


def _of_unknown_size(what: str) -> Callable[..., Any]:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise ConcreteValueError(
            f"{what} of a dataset needs to know how many elements there are, which is only known "
            "when the graph runs",
            where=user_place(),
            help="batch the dataset and take a tensor of its elements, or loop over it",
        )

    return refuse


_OWN: Mapping[Callable[..., Any], Callable[..., Any]] = {
    bool: lambda value: True,
    enumerate: _enumerate,
    iter: iterator_of,
    len: _len,
    list: as_dataset,  # whose elements autograph gathers in a list
    map: _map,
    next: _next,
    reversed: builtins.reversed,  # which says what is wrong
    sorted: _of_unknown_size("sorted()"),
    tuple: _of_unknown_size("tuple()"),
    zip: _zip,
}


def _choosing(builtin: Callable[..., Any]) -> Callable[..., Any]:
    own, other = _OWN[builtin], COUNTED.get(builtin, builtin)

    def call(*args: Any, **kwargs: Any) -> Any:
        return (own if any(map(is_pulled, args)) else other)(*args, **kwargs)

    return call


BUILTINS: Mapping[Callable[..., Any], Callable[..., Any]] = {
    **COUNTED, **{builtin: _choosing(builtin) for builtin in _OWN}
}  # fmt: skip
"""The staged version of each builtin."""
