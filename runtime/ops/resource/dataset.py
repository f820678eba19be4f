"""Rows of datasets and iterators, and what they hold while a program runs.

A dataset is one value, of dtype variant: a :class:`Source`, which can be gone through any number of
times.  An iterator is a :class:`Cursor`: one way through, which moves on.  What comes out are
rows: tuples of arrays, the flat elements.  ``runtime.data`` says what each kind of dataset does.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.syntax.fork_safe_lock import fork_safe_lock
from runtime.ops.op import HIGHER_ORDER, RAISES, READS, STATEFUL, Missing, define
from runtime.ops.random_seed import Iteration, RandomSource, running_in
from runtime.ops.resource.variable import VariableStorage
from runtime.ops.rules.inference import nothing
from runtime.ops.rules.raising import ANYTHING, WHATEVER_CALLED_CODE_RAISES
from runtime.types.conversion import as_object_scalar
from runtime.types.dtypes import bool_, int64, string, variant
from runtime.types.errors import FailedPreconditionError, InvalidArgumentError, OutOfRangeError
from runtime.types.shapes import SCALAR_SHAPE, TensorSpec

__all__: list[str] = []

Row = tuple[Any, ...]
VARIANT = TensorSpec(SCALAR_SHAPE, variant)
INFINITE, UNKNOWN = -1, -2
_NO_GRADIENT = Missing("datasets pass no derivatives on")


class _Handle:
    """Content of a tensor of dtype variant."""

    __slots__ = ()
    dtype = variant
    shape = ()
    ndim = 0

    def __getitem__(self, key: Any) -> Any:
        return self


class DatasetSource(_Handle):
    """Dataset at run time: ``open()`` starts an iteration, ``size`` is its cardinality.

    ``seeded``: its functions draw random numbers from seeds of their own.
    """

    __slots__ = ("open", "seeded", "size")

    def __init__(self, open: Callable[[], Iterator[Row]], size: int = UNKNOWN) -> None:
        self.open = open
        self.size = size
        self.seeded = False

    def __repr__(self) -> str:
        return "<dataset>"


class Handles(_Handle):
    """Several datasets as one component, along a first axis."""

    __slots__ = ("items",)
    seeded = False

    def __init__(self, items: Sequence[Any]) -> None:
        self.items = tuple(items)

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        """Shape: the number of datasets."""
        return (len(self.items), *(self.items[0].shape if self.items else ()))

    @property
    def ndim(self) -> int:  # type: ignore[override]
        """The number of axes."""
        return len(self.shape)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def open(self) -> Iterator[Row]:
        """Raise InvalidArgumentError: only one dataset can be iterated."""
        raise InvalidArgumentError(
            f"This component is a batch of {len(self)} datasets: take them apart by unbatch() "
            "before going through them"
        )

    def __repr__(self) -> str:
        return f"<{len(self)} datasets>"


class EndOfSequence(OutOfRangeError, StopIteration):
    """End of an iterator that a graph reads by ``next`` (a StopIteration too)."""


_END = "End of sequence"


class Cursor(_Handle):
    """Iteration in progress, for any number of threads; it can look one element ahead.

    ``position`` is the number of elements that it gave.
    """

    __slots__ = ("__weakref__", "_ahead", "_dataset", "_lock", "_rows", "_world", "position")

    def __init__(self, dataset: DatasetSource) -> None:
        self._dataset = dataset
        self._lock = fork_safe_lock()
        self._open()

    def _open(self) -> None:
        self._world = Iteration() if self._dataset.seeded else None
        with contextlib.nullcontext() if self._world is None else running_in(self._world):
            self._rows = self._dataset.open()
        self._ahead: Row | None = None
        self.position = 0

    def move_to(self, position: int) -> None:
        """Go on after so many elements, or at the end where there are fewer.

        What precedes the current element is read again, in the order of another iteration.
        """
        with self._lock:
            if position < self.position:
                self._open()
            with contextlib.suppress(StopIteration):
                while self.position < position:
                    self._take()

    def next(self) -> Row:
        """Return the next element; StopIteration at the end."""
        with self._lock:
            return self._take()

    def _take(self) -> Row:
        row = self._ahead
        if row is None:
            row = self._step()
        else:
            self._ahead = None
        self.position += 1
        return row

    def _step(self) -> Row:
        try:
            if self._world is not None:
                with running_in(self._world):
                    return next(self._rows)
            return next(self._rows)
        except StopIteration:
            self._rows = iter(())  # what the iteration held can go: buffers, threads
            raise

    def has_next(self) -> bool:
        """Return whether there is another element."""
        with self._lock:
            if self._ahead is None:
                try:
                    self._ahead = self._step()
                except StopIteration:
                    return False
            return True

    def __repr__(self) -> str:
        return "<iterator>"


class OptionalRow(_Handle):
    """Optional element at run time."""

    __slots__ = ("row",)

    def __init__(self, row: Row | None) -> None:
        self.row = row


def _variant(*_: TensorSpec, **__: Any) -> TensorSpec:
    return VARIANT


def bound(
    run: Callable[..., list[Any]], graph: Any, captures: Sequence[Any]
) -> Callable[..., Row]:
    """Make a function of elements from a traced function of the user."""

    def call(*row: Any) -> Row:
        with np.errstate(all="ignore"):
            try:
                return tuple(run(graph, (*row, *captures)))
            except (StopIteration, OutOfRangeError) as error:  # not the end of this dataset
                raise InvalidArgumentError(
                    f"Function invocation produced OutOfRangeError: {error}"
                ) from error

    return call


def _dataset(*inputs: Any, kind: str, build: Callable[..., DatasetSource], graphs: tuple[Any, ...],
             splits: tuple[int, ...], run: Callable[..., list[Any]]) -> Any:  # fmt: skip
    first = len(inputs) - sum(splits)
    functions: list[Callable[..., Row]] = []
    start = first
    for graph, count in zip(graphs, splits, strict=True):
        functions.append(bound(run, graph, inputs[start : start + count]))
        start += count
    source = build(*inputs[:first], *functions)
    source.seeded = any(getattr(value, "seeded", False) for value in inputs) or any(
        map(_is_seeded, graphs)
    )
    return source


_seeded: weakref.WeakKeyDictionary[Any, bool] = weakref.WeakKeyDictionary()


def _is_seeded(graph: Any) -> bool:
    """Return whether a function draws random numbers from a seed of its own."""
    seeded = _seeded.get(graph)
    if seeded is None:
        seeded = _seeded[graph] = any(
            _has_seed(value) for op in graph.operations for value in op.attrs.values()
        )
    return seeded


def _has_seed(value: Any) -> bool:
    if isinstance(value, RandomSource):
        return value.seed is not None
    if isinstance(value, tuple):
        return any(map(_has_seed, value))
    return hasattr(value, "operations") and _is_seeded(value)


# Stateful, because what is made must not be shared or made beforehand: shuffling goes on from
# iteration to iteration, a cache fills.
dataset_op = define(
    "dataset",
    inputs="*inputs",
    same_dtype_inputs=None,
    kernel=_dataset,
    infer=_variant,
    grad=None,
    node_name="Dataset",
    traits=(STATEFUL, READS, RAISES, HIGHER_ORDER),
    raises=ANYTHING,
    doc="A dataset: what ``build`` makes of the inputs and of the functions ``graphs``.",
)

make_iterator = define(
    "make_iterator",
    inputs="dataset",
    same_dtype_inputs=None,
    kernel=lambda dataset: Cursor(dataset),
    infer=_variant,
    grad=None,
    node_name="MakeIterator",
    traits=(STATEFUL, READS, RAISES),
    doc="An iterator at the start of a dataset.",
)


def _next(iterator: Cursor, *, specs: tuple[TensorSpec, ...], end: type[OutOfRangeError]) -> Row:
    try:
        return iterator.next()
    except StopIteration:
        raise end(_END) from None


iterator_next = define(
    "iterator_next",
    inputs="iterator",
    same_dtype_inputs=None,
    kernel=_next,
    infer=lambda iterator, *, specs, end: specs,
    grad=None,
    node_name="IteratorGetNext",
    traits=(STATEFUL, RAISES),
    raises=WHATEVER_CALLED_CODE_RAISES,
    doc="The components of an iterator's next element; raises ``end`` when there is none.",
)

iterator_has_next = define(
    "iterator_has_next",
    inputs="iterator",
    same_dtype_inputs=None,
    kernel=lambda iterator: np.bool_(iterator.has_next()),
    infer=lambda iterator: TensorSpec(SCALAR_SHAPE, bool_),
    grad=None,
    node_name="IteratorHasNext",
    traits=(STATEFUL, RAISES),
    raises=WHATEVER_CALLED_CODE_RAISES,
    doc="Whether an iterator has another element.",
)


def _next_optional(iterator: Cursor) -> Any:
    try:
        return OptionalRow(iterator.next())
    except StopIteration:
        return OptionalRow(None)


next_as_optional = define(
    "iterator_next_as_optional",
    inputs="iterator",
    same_dtype_inputs=None,
    kernel=_next_optional,
    infer=_variant,
    grad=None,
    node_name="IteratorGetNextAsOptional",
    traits=(STATEFUL, RAISES),
    raises=WHATEVER_CALLED_CODE_RAISES,
    doc="An iterator's next element, or none.",
)

optional_of = define(
    "optional_from_value",
    inputs="*components",
    same_dtype_inputs=None,
    kernel=lambda *components: OptionalRow(components),
    infer=_variant,
    grad=None,
    node_name="OptionalFromValue",
    samples=Missing("an optional is no array"),
    doc="An optional that holds these components.",
)

optional_none = define(
    "optional_none",
    inputs="",
    kernel=lambda: OptionalRow(None),
    infer=_variant,
    grad=None,
    node_name="OptionalNone",
    samples=Missing("an optional is no array"),
    doc="An optional that holds nothing.",
)

optional_has_value = define(
    "optional_has_value",
    inputs="optional",
    same_dtype_inputs=None,
    kernel=lambda optional: np.bool_(optional.row is not None),
    infer=lambda optional: TensorSpec(SCALAR_SHAPE, bool_),
    grad=None,
    node_name="OptionalHasValue",
    samples=Missing("an optional is no array"),
    doc="Whether an optional holds an element.",
)


def _optional_value(optional: OptionalRow, *, specs: tuple[TensorSpec, ...]) -> Row:
    if optional.row is None:
        raise InvalidArgumentError("The given optional does not have a value.")
    return optional.row


optional_value = define(
    "optional_get_value",
    inputs="optional",
    same_dtype_inputs=None,
    kernel=_optional_value,
    infer=lambda optional, *, specs: specs,
    grad=None,
    node_name="OptionalGetValue",
    traits=(RAISES, STATEFUL, READS),
    doc="The components of what an optional holds; InvalidArgumentError when it is nothing.",
)


stack_handles = define(
    "stack_handles",
    inputs="*handles",
    same_dtype_inputs=None,
    kernel=lambda *handles: Handles(handles),
    infer=lambda *handles: TensorSpec((len(handles), *handles[0].shape), variant),
    grad=None,
    node_name="Pack",
    samples=Missing("a dataset is no array"),
    doc="Several datasets as one component of an element.",
)


def _save(dataset: DatasetSource, *, write: Callable[[DatasetSource], None]) -> tuple[()]:
    write(dataset)
    return ()


save_op = define(
    "dataset_save",
    inputs="dataset",
    same_dtype_inputs=None,
    kernel=_save,
    infer=nothing,
    grad=None,
    node_name="SaveDatasetV2",
    traits=(STATEFUL, READS, RAISES),
    samples=Missing("a dataset is no array"),
    doc="Gives a dataset to ``write``, which writes it to files.",
)


class IteratorStorage(VariableStorage):
    """Storage of an iterator in a session; ``specs`` are those of its elements."""

    __slots__ = ("__weakref__", "specs")

    specs: tuple[TensorSpec, ...]

    def read(self) -> Any:
        """Return the iterator; FailedPreconditionError before it is initialised."""
        value = self._value()
        if value is None:
            raise FailedPreconditionError(
                f"GetNext() failed because the iterator {self.name!r} has not been initialized. "
                "Ensure that you have run the initializer operation for this iterator before "
                "getting the next element."
            )
        return value


def _initialize(dataset: DatasetSource, *, storage: IteratorStorage) -> tuple[()]:
    storage.write(Cursor(dataset))  # type: ignore[arg-type]
    return ()


initialize_iterator = define(
    "initialize_iterator",
    inputs="dataset",
    same_dtype_inputs=None,
    kernel=_initialize,
    infer=lambda dataset, *, storage: (),
    grad=None,
    node_name="MakeIterator",
    traits=(STATEFUL, RAISES),
    doc="Puts an iterator at the start of a dataset into ``storage``.",
)

read_iterator = define(
    "read_iterator",
    inputs="",
    kernel=lambda *, storage: storage.read(),
    infer=lambda *, storage: VARIANT,
    grad=None,
    node_name="IteratorV2",
    traits=(STATEFUL, READS, RAISES),
    doc="The iterator in ``storage``.",
)


_BY_HANDLE: weakref.WeakValueDictionary[bytes, IteratorStorage] = weakref.WeakValueDictionary()


def _to_string(*_: Cursor, storage: IteratorStorage) -> Any:
    handle = f"iterator {storage.name} {id(storage)}".encode()
    _BY_HANDLE[handle] = storage
    return as_object_scalar(handle)


iterator_to_string = define(
    "iterator_to_string",
    inputs="*iterator",
    same_dtype_inputs=None,
    kernel=_to_string,
    infer=lambda *iterator, storage: TensorSpec(SCALAR_SHAPE, string),
    grad=None,
    node_name="IteratorToStringHandle",
    traits=(STATEFUL, READS, RAISES),
    doc="A text that stands for the iterator in ``storage``.",
)


def _from_string(handle: Any, *, specs: tuple[TensorSpec, ...]) -> Any:
    storage = _BY_HANDLE.get(handle[()])
    if storage is None:
        raise InvalidArgumentError(f"The handle {handle[()]!r} names no iterator.")
    pairs = zip(specs, storage.specs)
    if len(specs) != len(storage.specs) or not all(a.is_compatible_with(b) for a, b in pairs):
        raise InvalidArgumentError(
            f"The iterator {storage.name!r} gives elements of types {storage.specs}, not {specs}."
        )
    return storage.read()


def _iterator_of_string(handle: TensorSpec, *, specs: tuple[TensorSpec, ...]) -> TensorSpec:
    return VARIANT


iterator_from_string = define(
    "iterator_from_string",
    inputs="handle",
    same_dtype_inputs=None,
    kernel=_from_string,
    infer=_iterator_of_string,
    grad=None,
    node_name="IteratorFromStringHandle",
    traits=(STATEFUL, READS, RAISES),
    doc="The iterator that a text stands for; InvalidArgumentError for none, or other elements.",
)


def _one_shot(dataset: DatasetSource, *, storage: IteratorStorage) -> Any:
    if not storage.is_initialized:
        storage.write(Cursor(dataset))  # type: ignore[arg-type]
    return storage.read()


one_shot_iterator = define(
    "one_shot_iterator",
    inputs="dataset",
    same_dtype_inputs=None,
    kernel=_one_shot,
    infer=lambda dataset, *, storage: VARIANT,
    grad=None,
    node_name="OneShotIterator",
    traits=(STATEFUL, READS, RAISES),
    doc="The iterator in ``storage``: one at the start of the dataset, when first asked for.",
)

cardinality_op = define(
    "dataset_cardinality",
    inputs="dataset",
    same_dtype_inputs=None,
    kernel=lambda dataset: np.int64(dataset.size),
    infer=lambda dataset: TensorSpec(SCALAR_SHAPE, int64),
    grad=None,
    node_name="DatasetCardinality",
    traits=(STATEFUL, READS),
    doc="How many elements a dataset has: -1 when infinitely many, -2 when that is not known.",
)


def _reduce(dataset: DatasetSource, *inputs: Any, graph: Any, splits: tuple[int, ...],
            run: Callable[..., list[Any]]) -> Row:  # fmt: skip
    count = len(inputs) - splits[0]
    state, captures = inputs[:count], inputs[count:]
    cursor = Cursor(dataset)
    for row in iter(cursor.next, None):
        state = tuple(run(graph, (*state, *row, *captures)))
    return state


def _reduce_infer(
    dataset: TensorSpec, *_: TensorSpec, graph: Any, splits: tuple[int, ...]
) -> tuple[TensorSpec, ...]:
    return tuple([TensorSpec(t.shape, t.dtype) for t in graph.inputs[: len(graph.outputs)]])


reduce_op = define(
    "dataset_reduce",
    inputs="dataset *inputs",
    same_dtype_inputs=None,
    kernel=_reduce,
    infer=_reduce_infer,
    grad=_NO_GRADIENT,
    node_name="ReduceDataset",
    traits=(STATEFUL, READS, RAISES, HIGHER_ORDER),
    raises=WHATEVER_CALLED_CODE_RAISES,
    doc="The state after ``graph`` of it and of each element of a dataset.",
)
