"""Iterators over datasets: given to Python one by one, or in graphs by operations."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from runtime.data.component_specs import Described, structure_key
from runtime.data.elements import Layout, as_element, components, spec_of
from runtime.data.iterator_position import IteratorPosition
from runtime.data.sources import stepping
from runtime.eager.tensor import wrap
from runtime.graph.operation import SymbolicTensor
from runtime.graph.staging_hooks import STAGING
from runtime.ops import dispatch
from runtime.ops.resource.dataset import (
    VARIANT,
    Cursor,
    DatasetSource,
    EndOfSequence,
    iterator_has_next,
    iterator_next,
    next_as_optional,
    optional_has_value,
    optional_none,
    optional_of,
    optional_value,
)
from runtime.staging.loops import StagedElements
from runtime.types.composite import Composite, CompositeSpec
from runtime.types.errors import OperatorNotAllowedInGraphError, OutOfRangeError
from runtime.types.shapes import TensorSpec

_END = "End of sequence"


def refuse_python(subject: str) -> Exception:
    """The error for Python code that goes through what is staged, item by item."""
    error = OperatorNotAllowedInGraphError(
        f"Python cannot go through {subject} while a graph is being built: it has elements only "
        "when the graph runs",
        help="convert the function with autograph.to_graph or runtime.function, or use the "
        "dataset's reduce()",
    )
    return STAGING.explain(error)


def _rest(cursor: Cursor) -> DatasetSource:
    return DatasetSource(lambda: stepping(cursor.next))


class _ElementSpec(CompositeSpec):
    """The type of what gives elements: theirs."""

    def __init__(self, element_spec: Any) -> None:
        self._element_spec = element_spec

    @property
    def element_spec(self) -> Any:
        """The type of the elements."""
        return self._element_spec

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether elements of the other may stand where this one's are asked for."""
        spec = getattr(spec_or_value, "_type_spec", spec_or_value)
        if not isinstance(spec, type(self)):
            return False
        return Layout(self._element_spec).accepts(Layout(spec._element_spec))

    def _from_variant(self, tensor: Any, layout: Layout) -> Any:
        raise NotImplementedError

    def _tensors(self) -> list[Any]:
        return [VARIANT]

    def _type_key(self) -> Hashable:
        return type(self), structure_key(self._element_spec)

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        tensor = tensors[0]
        if isinstance(tensor, TensorSpec):
            return self
        return self._from_variant(tensor, Layout(self._element_spec))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ElementSpec) and self._type_key() == other._type_key()

    def __hash__(self) -> int:
        return hash(self._type_key())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._element_spec!r})"


class IteratorSpec(_ElementSpec):
    """The type of an iterator: that of its elements."""

    def _from_variant(self, tensor: Any, layout: Layout) -> Any:
        return DatasetIterator(tensor, layout)


class OptionalSpec(_ElementSpec):
    """The type of an optional: that of what it may hold."""

    @property
    def value_type(self) -> type:
        """The class of what it describes."""
        return Optional

    def _from_variant(self, tensor: Any, layout: Layout) -> Any:
        return Optional(tensor, layout)


DATASETS: list[Any] = []
"""The class Dataset, once it is there."""

PLACED: list[Any] = []
"""The class of iterators that sessions initialise, once it is there."""


class DatasetIterator(Described, Composite, StagedElements, Iterator[Any]):
    """Gives the elements of a dataset one by one: to ``for``, ``next`` and ``get_next``.

    It may be used by several threads, passed to functions, and used in them and in their loops; it
    moves on with every use.
    """

    def __init__(self, handle: Any, layout: Layout) -> None:
        self._tensor = handle
        self._layout = layout.shared()  # one object, where those of two paths join
        symbolic = isinstance(handle, SymbolicTensor)
        self._cursor: Cursor | None = None if symbolic else handle._array
        self._position: IteratorPosition | None = None

    @classmethod
    def _eager(cls, cursor: Cursor, layout: Layout) -> DatasetIterator:
        return cls(wrap(cursor), layout)

    @staticmethod
    def from_structure(
        output_types: Any, output_shapes: Any = None, shared_name: str | None = None,
        output_classes: Any = None,
    ) -> Any:
        """An iterator for datasets of these types, which ``make_initializer`` gives it."""
        return PLACED[0].of_types(output_types, output_shapes, shared_name)

    @staticmethod
    def from_string_handle(
        string_handle: Any, output_types: Any, output_shapes: Any = None,
        output_classes: Any = None,
    ) -> Any:
        """The iterator that a handle stands for (see ``string_handle``), which may be fed."""
        return PLACED[0].of_handle(string_handle, output_types, output_shapes)

    @property
    def element_spec(self) -> Any:
        """The type of an element."""
        return self._layout.spec

    @property
    def _type_spec(self) -> IteratorSpec:
        return IteratorSpec(self._layout.spec)

    def _handle(self) -> Any:
        """The tensor that holds the iteration."""
        return self._tensor

    @property
    def _is_concrete(self) -> bool:
        return self._cursor is not None and dispatch.executing_eagerly()

    def __iter__(self) -> DatasetIterator:
        if not self._is_concrete:
            raise refuse_python("an iterator over a dataset")
        return self

    def __next__(self) -> Any:
        cursor = self._cursor
        if cursor is not None and (not dispatch.ACTIVE or dispatch.executing_eagerly()):
            return self._layout.eager(cursor.next())
        return self._staged_next(EndOfSequence)

    def next(self) -> Any:
        """As ``next(iterator)``."""
        return self.__next__()

    def get_next(self, name: str | None = None) -> Any:
        """The next element; OutOfRangeError when there is none.

        In a graph it is found each time the graph runs.
        """
        if not self._is_concrete:
            return self._staged_next(OutOfRangeError, name)
        assert self._cursor is not None
        try:
            row = self._cursor.next()
        except StopIteration:
            raise OutOfRangeError(_END) from None
        return self._layout.eager(row)

    def _staged_next(self, end: type[OutOfRangeError], name: str | None = None) -> Any:
        tensors = iterator_next(self._handle(), specs=self._layout.rows, end=end, name=name)
        return self._layout.packed(list(tensors) if self._layout.rows else [])

    def _has_next(self) -> Any:
        """A bool tensor: whether there is another element."""
        return iterator_has_next(self._handle())

    def _checkpoint_children(self) -> Iterator[tuple[str, Any]]:
        """Yield what a checkpoint saves and restores: the number of elements that it gave."""
        if self._cursor is None:
            raise ValueError(f"{self!r} belongs to a graph: checkpoints hold eager iterators")
        if self._position is None:
            self._position = IteratorPosition(self._cursor)
        yield "position", self._position

    # -- going through it in staged code ----------------------------------------------------------

    def _holder(self) -> Any:
        return self._tensor

    def __staged_iter__(self) -> Any:
        return self

    def __has_next__(self) -> Any:
        return self._has_next()

    def __rest__(self) -> Any:
        return DATASETS[0]._of("Rest", _rest, self._layout, [self._handle()])

    def __zip__(self, iterables: Sequence[Any]) -> Any:
        return DATASETS[0].zip(tuple([iterable.__rest__() for iterable in iterables]))

    def get_next_as_optional(self) -> Optional:
        """The next element as an Optional, which holds nothing when there is none."""
        return Optional(next_as_optional(self._handle()), self._layout)

    # -- as an argument or result of a function ---------------------------------------------------

    def _tensors(self) -> list[Any]:
        return [self._handle()]

    def _type_key(self) -> Hashable:
        return self._type_spec._type_key()

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        return self._type_spec._with_tensors(tensors)

    def __repr__(self) -> str:
        return f"<Iterator element_spec={self._layout.spec!r}>"


class NumpyIterator(Iterator[Any]):
    """Gives the elements of a dataset as NumPy's arrays and scalars."""

    def __init__(self, cursor: Cursor, layout: Layout) -> None:
        self._cursor = cursor
        self._layout = layout

    def __next__(self) -> Any:
        return self._layout.numpy(self._cursor.next())


class Optional(Composite):
    """An element, or nothing: known when it is asked for."""

    def __init__(self, tensor: Any, layout: Layout) -> None:
        self._tensor = tensor
        self._layout = layout.shared()  # one object, where those of two paths join

    @staticmethod
    def from_value(value: Any) -> Optional:
        """An optional that holds an element."""
        element = as_element(value, "Optional.from_value")
        return Optional(optional_of(*components(element)), Layout(spec_of(element)))

    @staticmethod
    def empty(element_spec: Any) -> Optional:
        """An optional that holds nothing, of a type."""
        return Optional(optional_none(), Layout(element_spec))

    @property
    def element_spec(self) -> Any:
        """The type of what it may hold."""
        return self._layout.spec

    @property
    def _variant_tensor(self) -> Any:
        return self._tensor

    def has_value(self, name: str | None = None) -> Any:
        """A bool tensor: whether it holds an element."""
        return optional_has_value(self._tensor, name=name)

    def get_value(self, name: str | None = None) -> Any:
        """The element; InvalidArgumentError when there is none."""
        tensors = optional_value(self._tensor, specs=self._layout.rows, name=name)
        return self._layout.packed(list(tensors) if self._layout.rows else [])

    def _tensors(self) -> list[Any]:
        return [self._tensor]

    @property
    def _type_spec(self) -> OptionalSpec:
        return OptionalSpec(self._layout.spec)

    def _type_key(self) -> Hashable:
        return self._type_spec._type_key()

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        return self._type_spec._with_tensors(tensors)

    def __repr__(self) -> str:
        return f"<Optional element_spec={self._layout.spec!r}>"
