"""Layout nodes for staged arrays: how the arrays of several paths become one array.

One and the same array on all paths stays that one (``SameNode``), and its contents join as those of
objects do.  Of whole arrays that existed before, the variable is the number of one: a change of it
is a change of that one.  Others join to an array with a storage of its own that may be one of
theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from typing import Any

from autograph.operators.joins import nodes
from autograph.operators.joins.descriptions import is_array, spec_of
from autograph.operators.joins.exact_joins import join_specs
from autograph.operators.joins.join_errors import ITEM, cannot, of_dtypes
from autograph.operators.joins.object_nodes import is_iterating, is_joining, was_before
from autograph.operators.state.array_creations import creating
from autograph.operators.state.closure_cells import UNDEFINED
from autograph.operators.state.sentinels import NEVER
from autograph.staging.chosen_storage import ChosenStorage
from autograph.staging.protocol import Backend
from autograph.staging.staged_array import (
    ArrayStorage,
    StagedArray,
    StaleContent,
    link_storages,
    storage_of,
)
from autograph.staging.staged_union import StagedVariant
from autograph.staging.state_spec import MISSING, Spec, StagedValue
from autograph.syntax.data_classes import dataclass

_ITEM = "is an item of a list of staged length, which holds a copy of it"
_HANDED = "was handed on as a copy: here staging does not know who else refers to it"


@dataclass(frozen=True, eq=False)
class ArrayNode:
    """Node for an array; ``sources`` are the storages, and Python's arrays, that it may be."""

    name: str
    kind: type[StagedArray]
    spec: Spec
    sources: tuple[Any, ...]
    refusal: str = ""
    rebinds: bool = False
    """Whether it is a tensor or a number on some path: changing these makes new ones."""
    entered: Any = None
    """Value of a loop variable before the loop, as long as every iteration may keep it."""
    lifted: list[Any] = field(default_factory=list)
    """In that case, the array lifted last and its contents then."""
    held: type | None = None
    """Class of the array or scalar that it is on each path; None where a path has a tensor."""
    choices: tuple[ArrayStorage, ...] = ()
    """The storages of which it is one; none where that is not known of each path."""
    number: Spec = None
    """Spec of the number of a choice."""
    is_new: bool = False
    """Whether it may also be an array that a path has made, which is none of these."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ArrayNode) or self.spec != other.spec:
            return False
        alike = self.rebinds == other.rebinds and (self.entered is None) == (other.entered is None)
        if (len(self.choices), self.is_new) != (len(other.choices), other.is_new):
            return False
        return alike and len(self.sources) == len(other.sources)

    def __hash__(self) -> int:
        return hash(self.name)

    def specs(self) -> list[Spec]:
        if not self._is_chosen:
            return [self.spec]
        return [self.number, *([self.spec] if self.is_new else [])]

    @property
    def _is_chosen(self) -> bool:
        return len(self.choices) + self.is_new > 1

    def lower(self, value: Any, backend: Backend) -> list[Any]:
        if value is NEVER or value is UNDEFINED:
            return [MISSING] * len(self.specs())
        number = [self._number(value)] if self._is_chosen else []
        if number and not self.is_new:
            return number  # the storages hold what it holds
        return [*number, value.current() if isinstance(value, StagedArray) else value]

    def _number(self, array: Any) -> Any:
        """Return which of the choices the storage of an array is."""
        storage = storage_of(array)
        if not isinstance(storage, ChosenStorage):
            return len(self.choices) if storage is None else self._number_of(storage)
        numbers = [*map(self._number_of, storage.storages)]
        if numbers == [*range(len(numbers))]:
            return storage.choice.ag__index
        return storage.choice.ag__apply_to_each(self._number_of)

    def _number_of(self, storage: ArrayStorage) -> int:
        storage = _entered_storage(storage)
        return self.choices.index(storage) if storage in self.choices else len(self.choices)

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        if self._is_chosen:
            return self._one_of_several(values, backend)
        value = next(values)
        if not backend.is_staged(value):  # of a run, which is over
            is_scalar = isinstance(value, backend.array_types) and not is_array_class(type(value))
            return value[...] if is_scalar and is_array_class(self.held) else value
        storage = ArrayStorage(value)
        link_storages(storage, self.sources, self.refusal, self.rebinds)
        array = self.kind.holding(value, storage, is_array_class(self.held))
        if self.entered is not None:
            if not self.lifted:  # if the body changes it, the body is traced again
                links = storage.links
                links.assumed, links.sources = links.sources, []
            self.lifted[:] = array, value
        return array

    def _one_of_several(self, values: Iterator[Any], backend: Backend) -> Any:
        index = next(values)
        new = ArrayStorage(next(values)) if self.is_new else None
        if new is not None:
            concrete = [x for x in self.sources if not isinstance(x, ArrayStorage)]
            link_storages(new, concrete)
        storages = self.choices if new is None else (*self.choices, new)
        if not backend.is_staged(index):  # of a run, which is over
            return storages[int(index)].content
        chosen = ChosenStorage(StagedVariant(storages, index, backend), new)
        return self.kind.holding(storages[0].content, chosen, True)

    def widen(self, value: Any, backend: Backend) -> nodes.Node:
        if self.lifted:
            array, content = self.lifted
            if value is array:
                return nodes.SameNode(self.name, self.entered)
            if array.storage is not None and array.storage.content is not content:
                return replace(self, entered=None, lifted=[]).widen(value, backend)
        if (without := nodes.without_value(self, value, backend)) is not None:
            return without
        spec = spec_of(value, backend)
        if spec is None and not isinstance(value, StagedValue):
            raise cannot(self.name, backend, self.spec, value)
        try:
            if spec is None:
                raise TypeError("it is a range or another staged sequence, which is no tensor")
            if backend.joins_kinds():
                self._check_kind(value, spec, backend)
            spec = join_specs(self.spec, spec, backend)
        except TypeError as error:
            raise of_dtypes(self.name, error) from None
        sources = with_source(self.sources, value, backend)
        rebinds = self.rebinds or not is_array(value, backend)
        choices, is_new = self._choices_with(value, spec)
        if (spec, sources, rebinds, choices, is_new) == (
            self.spec, self.sources, self.rebinds, self.choices, self.is_new
        ):
            return self
        numpy_class = None if held_class(value, backend) is None else self.held
        return ArrayNode(
            self.name, self.kind, spec, sources, self.refusal, rebinds, held=numpy_class,
            choices=choices, number=self.number, is_new=is_new,
        )

    def _choices_with(self, value: Any, spec: Spec) -> tuple[tuple[ArrayStorage, ...], bool]:
        """Return the choices of an array that is ``value`` on another path."""
        if spec != self.spec or not (self.choices or self.is_new):
            return (), False
        storages, is_new = choices_of(value)
        if not (storages or is_new):
            return (), False
        new = self.is_new or is_new
        if new and is_iterating() and not isinstance(storage_of(value), ChosenStorage):
            return (), False  # each iteration makes another one: only the first has an older one
        added = tuple(storage for storage in storages if storage not in self.choices)
        return self.choices + added, new

    def _check_kind(self, value: Any, spec: Spec, backend: Backend) -> None:
        """Raise TypeError for what stays what it is: a number of Python's, a scalar, an array."""
        own_class, new_class = self.held, held_class(value, backend)
        if own_class is None or own_class is new_class:
            return
        if is_array_class(own_class) and is_array_class(new_class):
            return
        kind = new_class or backend.number_kind(spec)
        if kind is not None:
            name = kind.__name__
            own_name = own_class.__name__
            raise TypeError(f"it is a NumPy {own_name} on one path and a {name} on the other")


def is_shared_array(value: Any) -> bool:
    """Whether a value is an array that can be changed in place, rather than a scalar."""
    return storage_of(value) is not None


def held_class(value: Any, backend: Backend) -> type | None:
    """Return the class of an array or of an array's scalar, staged or Python's; None for others."""
    concrete = type(value) if isinstance(value, backend.array_types) else None
    return concrete or backend.array_type(value)


def is_array_class(cls: type | None) -> bool:
    """Whether objects of a class that ``held_class`` returns can be changed in place."""
    return cls is not None and hasattr(cls, "__setitem__")


def is_concrete_array(value: Any, backend: Backend) -> bool:
    """Whether a value is an array of Python's that the backend can stage."""
    is_array = isinstance(value, backend.array_types)
    return is_array and spec_of(value, backend) is not None


def with_source(sources: tuple[Any, ...], value: Any, backend: Backend) -> tuple[Any, ...]:
    """Return the storages that a variable may be and that something else may refer to as well."""
    if not isinstance(value, StagedArray):
        has_items = is_array(value, backend) and bool(value.ndim)
        if has_items and creating.value is not None:
            creating.value.note_joined(value)
        is_older = has_items and (not sources or was_before(value))
        return _with_one(sources, value) if is_older else sources
    storage = value.storage
    if storage is None:
        return sources
    for possible in storage.storages:
        for origin in _origins(possible):
            sources = _with_one(sources, origin)
    return sources


def _origins(storage: ArrayStorage) -> Iterator[Any]:
    """Return what a storage may be among those from before the statement, and Python's arrays."""
    if not is_joining():
        yield from (storage, *storage.links.arrays)
        return
    possible = [storage]
    for one in possible:  # which grows
        yield from one.links.arrays
        if was_before(one):
            yield one
            continue
        for source in (*one.links.sources, *one.links.assumed):
            if not any(source is candidate for candidate in possible):
                possible.append(source)


def choices_of(value: Any) -> tuple[tuple[ArrayStorage, ...], bool]:
    """Return the storages from before the statement of which an array is one, and whether it may
    be another one; none of both where a change of it may be one of something else.
    """
    storage = storage_of(value)
    creations = creating.value
    if creations is not None and creations.has_made(value):
        return (), is_joining() and not was_before(value)
    if storage is None or not value.is_whole or not is_joining():
        return (), False
    storages = tuple(map(_entered_storage, storage.storages))
    if not all(map(_can_be_chosen, storages)):
        return (), False
    older = tuple(filter(was_before, storages))
    return older, len(older) < len(storages)


def _entered_storage(storage: ArrayStorage) -> ArrayStorage:
    """Return the storage itself, or the one that it is as long as a loop keeps a variable."""
    links = storage.links
    return storage if links.sources or len(links.assumed) != 1 else links.assumed[0]


def _can_be_chosen(storage: ArrayStorage) -> bool:
    links = storage.links
    return not (links.sources or links.assumed or links.arrays or links.refusal or links.rebinds)


def _with_one(sources: tuple[Any, ...], new: Any) -> tuple[Any, ...]:
    return sources if any(new is source for source in sources) else (*sources, new)


def sources_in(node: Any) -> list[Any]:
    """Return what the arrays of a node may be."""
    if isinstance(node, nodes.NestNode):
        return [source for item in node.items for source in sources_in(item)]
    return list(node.sources) if isinstance(node, ArrayNode) else []


def with_sources_among(node: Any, storages: list[Any]) -> Any:
    """Return a node whose arrays may be some storages; the other sources no longer exist."""
    if isinstance(node, nodes.NestNode):
        return replace(node, items=tuple([with_sources_among(x, storages) for x in node.items]))
    if not isinstance(node, ArrayNode):
        return node
    remaining = tuple([x for x in node.sources if any(x is storage for storage in storages)])
    return replace(node, sources=remaining)


def array_node(
    name: str, value: Any, backend: Backend, refusal: str | None = None
) -> nodes.Node:
    """Return the node for an array as it is."""
    kind, spec = backend.staged_array, spec_of(value, backend)
    assert kind is not None
    if refusal is None:
        refusal = _ITEM if name == ITEM else "" if is_joining() else _HANDED
    sources, numpy_class = with_source((), value, backend), held_class(value, backend)
    is_choosable = name != ITEM and is_array_class(numpy_class)
    choices, is_new = choices_of(value) if is_choosable else ((), False)
    return ArrayNode(
        name, kind, spec, sources, refusal, held=numpy_class, choices=choices,
        number=spec_of(0, backend), is_new=is_new,
    )


def rebound_node(name: str, array: StagedArray, backend: Backend) -> nodes.Node:
    """Return the node for a loop variable that iterations seem to rebind to another array."""
    node, storage = array_node(name, array, backend, refusal=""), array.storage
    assert storage is not None
    is_own = array.is_whole and type(storage) is ArrayStorage and _can_be_chosen(storage)
    choices = (storage,) if is_own else ()
    return replace(node, sources=(storage,), entered=array, choices=choices)


def mixed_node(name: str, spec: Spec, array: Any, backend: Backend) -> nodes.Node:
    """Return the node for a tensor or number of a spec on one path, and an array on another."""
    assert backend.staged_array is not None
    number, numpy_class = backend.number_kind(spec), held_class(array, backend)
    if number is not None and numpy_class is not None:
        raise of_dtypes(name, TypeError(
            f"it is a {number.__name__} on one path and a NumPy {numpy_class.__name__} on the other"
        ))  # fmt: skip
    node = ArrayNode(name, backend.staged_array, spec, (), rebinds=True)
    return node.widen(array, backend)


def unjoined_array(name: str, value: Any, backend: Backend) -> nodes.Node:
    """Return the node for an array that is returned as it is; an older array stays itself."""
    storage = storage_of(value)
    before = storage is not None and was_before(storage) and value.is_portable()
    return nodes.SameNode(name, value) if before else array_node(name, value, backend)


@dataclass(frozen=True)
class StaleNode(nodes.UnstagedNode):
    """Node for the contents of a storage that may have changed with another one, on some path."""

    name: str
    content: StaleContent

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StaleNode)

    def __hash__(self) -> int:
        return hash(self.name)

    def lift(self, values: Iterator[Any], backend: Backend) -> Any:
        return self.content

    def widen(self, value: Any, backend: Backend) -> nodes.Node:
        return self


nodes.ARRAYS.update(
    joined=array_node, unjoined=unjoined_array, mixed=mixed_node, stale=StaleNode
)
