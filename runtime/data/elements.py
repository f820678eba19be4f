"""Elements of datasets: nests of tensors, and the rows of arrays that they are at run time.

Tuples, named tuples, dicts and dataclasses are structure; a list is a tensor.  A :class:`Layout`
knows the structure and the types of one dataset's elements, and goes both ways.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from runtime import nest
from runtime.eager import Tensor, wrap
from runtime.errors import InvalidArgumentError, MismatchedTypesError
from runtime.interpreter import Value
from runtime.ops.constants import convert_to_tensor
from runtime.ops.datasets import VARIANT, Row
from runtime.types import TensorShape, TensorSpec
from runtime.values import boxed, to_array


def map_leaves(function: Callable[[Any], Any], value: Any, what: str = "A dataset") -> Any:
    """The nest with ``function`` of each leaf, a list being one.

    TypeError for ragged tensors and tensor arrays, whose parts do not go together entry by entry.
    """
    if isinstance(value, list) or not nest.is_nested(value):
        return function(value)
    if nest.is_composite(value) and type(value).__module__.startswith("runtime."):
        raise TypeError(
            f"{what}: a {type(value).__name__} cannot be a component of an element. Make it a "
            "tensor first: to_tensor() of a RaggedTensor, stack() of a TensorArray."
        )
    return nest.rebuild(value, [map_leaves(function, v, what) for _, v in nest.entries(value)])


def as_element(value: Any, what: str) -> Any:
    """A value as an element: a nest of tensors and datasets.

    TypeError, naming the place, for a leaf that is neither.
    """
    return map_leaves(lambda leaf: _component(leaf, what), value, what)


def _component(leaf: Any, what: str) -> Any:
    if hasattr(leaf, "element_spec") and hasattr(leaf, "_variant_tensor"):
        return leaf
    if leaf is None:
        raise TypeError(f"{what}: None cannot be a component of an element")
    try:
        return convert_to_tensor(leaf)
    except (TypeError, ValueError) as error:
        if isinstance(leaf, Value):
            raise
        raise type(error)(f"{what}: {error}") from None


def spec_of(element: Any) -> Any:
    """The spec of an element: as it, with a TensorSpec or DatasetSpec for each leaf."""
    return map_leaves(_leaf_spec, element)


def _leaf_spec(leaf: Any) -> Any:
    if isinstance(leaf, Tensor):
        return TensorSpec(leaf.shape, leaf.dtype)
    return leaf._type_spec


def is_plain(spec: Any) -> bool:
    """Whether a component is a tensor, rather than a dataset."""
    return isinstance(spec, TensorSpec)


def structure_key(spec: Any) -> Hashable:
    """Something hashable that is equal for equal specs."""
    if nest.is_nested(spec):
        return type(spec), tuple([(k, structure_key(v)) for k, v in nest.entries(spec)])
    return spec


class Layout:
    """The structure of elements, and the types of their components."""

    def __init__(self, spec: Any) -> None:
        self.spec = spec
        self.flat: tuple[Any, ...] = tuple(nest.flatten(spec))
        self.rows: tuple[TensorSpec, ...] = tuple(
            [s if is_plain(s) else VARIANT for s in self.flat]
        )
        """The types of a row's values."""
        plain = all(map(is_plain, self.flat))
        self._single = plain and isinstance(spec, TensorSpec)
        self._tuple = plain and type(spec) is tuple and all(map(is_plain, spec))

    def shared(self) -> Layout:
        """The one object for all layouts like this: datasets of two paths have the same."""
        return _layouts.setdefault(structure_key(self.spec), self)

    def packed(self, tensors: Sequence[Any]) -> Any:
        """The element whose components are these tensors."""
        parts = [
            tensor if is_plain(spec) else spec._from_tensor(tensor)
            for tensor, spec in zip(tensors, self.flat, strict=True)
        ]
        return nest.pack_sequence_as(self.spec, parts)

    def eager(self, row: Row) -> Any:
        """The element that a row stands for."""
        if self._single:
            return wrap(row[0])
        if self._tuple:
            return tuple([wrap(value) for value in row])
        return self.packed([wrap(value) for value in row])

    def numpy(self, row: Row) -> Any:
        """The element as NumPy's arrays and scalars."""
        values = [
            _numpy(value) if is_plain(spec) else spec._from_tensor(wrap(value)).as_numpy_iterator()
            for value, spec in zip(row, self.flat, strict=True)
        ]
        return nest.pack_sequence_as(self.spec, values)

    def arguments(self, tensors: Sequence[Any]) -> tuple[Any, ...]:
        """How a function of the user takes the element: a tuple's items one by one."""
        element = self.packed(tensors)
        return element if type(element) is tuple else (element,)

    @property
    def is_plain(self) -> bool:
        """Whether all components are tensors."""
        return all(map(is_plain, self.flat))

    def mapped(self, function: Callable[[TensorSpec], TensorSpec]) -> Layout:
        """The layout with other types for the tensors."""
        flat = [function(spec) if is_plain(spec) else spec for spec in self.flat]
        return Layout(nest.pack_sequence_as(self.spec, flat))

    def accepts(self, other: Layout) -> bool:
        """Whether elements laid out as the other may stand where these are asked for."""
        try:
            nest.assert_same_structure(self.spec, other.spec)
        except (TypeError, ValueError):
            return False
        pairs = zip(self.flat, other.flat, strict=True)
        return all(type(a) is type(b) and a.is_compatible_with(b) for a, b in pairs)

    def joined_with(self, other: Layout) -> Layout | None:
        """The layout that holds elements of both; None when structures or dtypes differ."""
        try:
            nest.assert_same_structure(self.spec, other.spec)
        except (TypeError, ValueError):
            return None
        flat: list[Any] = []
        for mine, theirs in zip(self.flat, other.flat, strict=True):
            if is_plain(mine) and is_plain(theirs) and mine.dtype is theirs.dtype:
                flat.append(mine.most_specific_compatible_type(theirs))
            elif mine == theirs:
                flat.append(mine)
            else:
                return None
        return Layout(nest.pack_sequence_as(self.spec, flat))

    def require_tensors(self, what: str) -> None:
        """TypeError when a component is a dataset."""
        if not self.is_plain:
            raise TypeError(
                f"{what} is not supported for elements that are datasets: {self.spec}. Use "
                "flat_map(lambda d: d.batch(...)) to make tensors of them first."
            )

    def __repr__(self) -> str:
        return str(self.spec)


_layouts: weakref.WeakValueDictionary[Hashable, Layout] = weakref.WeakValueDictionary()


def components(element: Any) -> list[Any]:
    """The tensors of an element, in the order of its row."""
    return [
        leaf if isinstance(leaf, Tensor) else leaf._variant_tensor for leaf in nest.flatten(element)
    ]


def _numpy(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy() if value.ndim else value[()]
    return value


def as_row(value: Any, layout: Layout, what: str) -> Row:
    """A Python value as a row; MismatchedTypesError, naming the component, when it does not fit."""
    try:
        parts = list(_parts(value, layout.spec, ()))
    except _OtherStructure:
        raise MismatchedTypesError(
            f"{what} yielded an element that did not match the expected structure. The expected "
            f"structure was {layout.spec}, but the yielded element was {value!r}."
        ) from None
    return tuple([
        _array(part, spec, path, what)
        for (path, part), spec in zip(parts, layout.flat, strict=True)
    ])


class _OtherStructure(Exception):
    """A value is not laid out as its spec."""


def _parts(
    value: Any, spec: Any, path: tuple[Any, ...]
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The parts of a value that the TensorSpecs of a spec describe, in nest order."""
    if isinstance(spec, TensorSpec):
        yield path, value
        return
    if isinstance(spec, Mapping):
        if not isinstance(value, Mapping) or spec.keys() != value.keys():
            raise _OtherStructure
        items: Any = [(key, value[key]) for key, _ in nest.entries(spec)]
    elif isinstance(spec, tuple):
        if not isinstance(value, tuple | list) or len(spec) != len(value):
            raise _OtherStructure
        items = [(key, part) for (key, _), part in zip(nest.entries(spec), value)]
    elif type(value) is type(spec):
        items = nest.entries(value)
    else:
        raise _OtherStructure
    for (key, part), (_, inner) in zip(items, nest.entries(spec), strict=True):
        yield from _parts(part, inner, (*path, key))


def _array(leaf: Any, spec: TensorSpec, path: tuple[Any, ...], what: str) -> Any:
    place = "".join(f"[{key!r}]" for key in path)
    where = f" at {place}" if place else ""
    try:
        array = to_array(leaf, spec.dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise MismatchedTypesError(
            f"{what} yielded an element that could not be converted to the expected type{where}. "
            f"The expected type was {spec.dtype.name}, but the yielded element was "
            f"{leaf!r}: {error}"
        ) from None
    if not spec.shape.is_compatible_with(array.shape):
        raise MismatchedTypesError(
            f"{what} yielded an element of shape {array.shape} where an element of shape "
            f"{spec.shape} was expected{where}."
        )
    return array


def entries_of(array: Any) -> Any:
    """An iterator over an array's first axis; strings come as arrays."""
    if array.ndim == 1 and array.dtype.kind == "O":
        return map(boxed, array)
    return iter(array)


def leading_size(arrays: Sequence[Any], what: str) -> int:
    """The number of entries that all arrays have; InvalidArgumentError when they differ."""
    sizes = {len(array) for array in arrays}
    if len(sizes) > 1:
        shapes = ", ".join(str(np.shape(array)) for array in arrays)
        raise InvalidArgumentError(
            f"{what}: the components have different sizes in dimension 0: their shapes are "
            f"{shapes}"
        )
    return sizes.pop()


def dropping_first(spec: TensorSpec) -> TensorSpec:
    """The type of a tensor's entries along its first axis."""
    return TensorSpec(spec.shape[1:], spec.dtype)


def prepending(size: int | None) -> Callable[[TensorSpec], TensorSpec]:
    """From the type of entries to the type of a tensor of ``size`` of them."""
    return lambda spec: TensorSpec(TensorShape([size]).concatenate(spec.shape), spec.dtype)
