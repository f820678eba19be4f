"""Elements of datasets: nests of components, and the rows of arrays that they are at run time.

Tuples, named tuples, dicts and dataclasses are structure; a list is a tensor.  A component is a
tensor, or is made of tensors: a RaggedTensor of several, a dataset of one, None of none.  A
:class:`Layout` knows the structure and the types of one dataset's elements, and goes both ways.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from runtime.composite.extension_types.batch_encoder import BatchableExtensionType
from runtime.composite.extension_types.extension_type import ExtensionType
from runtime.composite.ragged_ops import RaggedTensor
from runtime.composite.sparse.conversions import to_dense
from runtime.composite.sparse.operators import SparseTensor
from runtime.composite.tensor_array import TensorArray
from runtime.composite.type_spec import NoneTensorSpec, type_spec_from_value
from runtime.data.component_specs import (
    batched_spec,
    encoded_specs,
    is_handle,
    is_plain,
    leading_dimension,
    row_specs,
    structure_key,
    unbatched_spec,
    width,
    with_row_values,
)
from runtime.eager.tensor import Tensor, wrap
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.resource.dataset import Handles, Row, stack_handles
from runtime.types import nest, treedef
from runtime.types.composite import Composite
from runtime.types.conversion import as_object_scalar, to_array
from runtime.types.errors import InvalidArgumentError, MismatchedTypesError
from runtime.types.node_types import NodeType
from runtime.types.shapes import TensorSpec
from runtime.types.treedef import StructureError, subscripts
from runtime.types.value import Value


class PlacedRow(Row):
    """Row of an element whose tensors are on a device already (device_prefetching.py)."""

    tensors: list[Any]

    def __new__(cls, row: Row, tensors: list[Any]) -> PlacedRow:  # noqa: D102
        placed = super().__new__(cls, row)
        placed.tensors = tensors
        return placed


_MADE = (RaggedTensor, SparseTensor, TensorArray)
"""Classes of nests that are one component."""


def map_leaves(function: Callable[[Any], Any], value: Any) -> Any:
    """The nest with ``function`` of each component, a list being one."""
    components, structure = treedef.flatten(value, _is_component)
    return structure.unflatten(map(function, components))


def leaves(value: Any) -> list[Any]:
    """The components of an element."""
    return treedef.flatten(value, _is_component)[0]


def _is_component(value: Any) -> bool:
    return isinstance(value, (list, *_MADE))


def as_element(value: Any, caller: str) -> Any:
    """A value as an element: a nest of components.

    TypeError, naming the place, for a leaf that cannot be one.
    """
    return map_leaves(lambda leaf: _component(leaf, caller), value)


def _component(leaf: Any, caller: str) -> Any:
    if leaf is None or isinstance(leaf, (*_MADE, ExtensionType)) or _has_variant(leaf):
        return leaf
    if isinstance(leaf, list) and leaf and all(map(_has_variant, leaf)):
        return _together(leaf, caller)
    try:
        return convert_to_tensor(leaf)
    except (TypeError, ValueError) as error:
        if isinstance(leaf, Value):
            raise
        raise type(error)(f"{caller}: {error}") from None


def _has_variant(leaf: Any) -> bool:
    """Whether it is a dataset or an optional."""
    return hasattr(leaf, "element_spec") and hasattr(leaf, "_variant_tensor")


def _together(datasets: list[Any], caller: str) -> Any:
    """One component of several datasets, to be taken apart again: by ``unbatch`` and the like."""
    spec = datasets[0]._type_spec
    if any(dataset._type_spec != spec for dataset in datasets):
        types = ", ".join(str(dataset.element_spec) for dataset in datasets)
        raise TypeError(f"{caller}: the datasets of a list need elements of one type, got {types}")
    joint = batched_spec(spec, len(datasets), caller)
    return joint._with_tensors([stack_handles(*[d._variant_tensor for d in datasets])])


def spec_of(element: Any) -> Any:
    """The spec of an element: as it, with the type of each component in its place."""
    return map_leaves(_leaf_spec, element)


def _leaf_spec(leaf: Any) -> Any:
    if isinstance(leaf, Tensor):
        return TensorSpec(leaf.shape, leaf.dtype)
    if leaf is None:
        return NoneTensorSpec()
    return type_spec_from_value(leaf)


class Layout:
    """The structure of elements, and the types of their components."""

    def __init__(self, spec: Any) -> None:
        self.spec = spec
        flat, self._structure = treedef.flatten(spec)
        self.flat: tuple[Any, ...] = tuple(flat)
        self.is_plain = all(map(is_plain, self.flat))
        """Whether all components are tensors."""
        self.rows: tuple[TensorSpec, ...] = tuple(
            [row_spec for spec in self.flat for row_spec in row_specs(spec)]
        )
        """The types of a row's values."""
        self.encoded: tuple[Any, ...] = self.flat
        """The types of the components that batches are made of."""
        if not self.is_plain:
            self.encoded = tuple([inner for spec in self.flat for inner in encoded_specs(spec)])
        self._single = isinstance(spec, TensorSpec)
        self._tuple = self.is_plain and type(spec) is tuple and all(map(is_plain, spec))

    def parts_of(self, value: Any) -> list[Any]:
        """What a Python value has for each component; StructureError for another structure."""
        return self._structure.flatten_up_to(value, _is_laid_out)

    @functools.cached_property
    def places(self) -> list[str]:
        """How messages say where each component is."""
        paths = self._structure.paths()
        return [f" at {subscripts(path)}" if path else "" for path in paths]

    def shared(self) -> Layout:
        """The one object for all layouts like this: datasets of two paths have the same."""
        return _layouts.setdefault(structure_key(self.spec), self)

    def packed(self, tensors: Sequence[Any]) -> Any:
        """The element whose components are these tensors."""
        if self.is_plain:
            return self._structure.unflatten(tensors)
        feed = iter(tensors)
        components = [with_row_values(spec, list(islice(feed, width(spec)))) for spec in self.flat]
        return self._structure.unflatten(components)

    def eager(self, row: Row) -> Any:
        """The element that a row stands for."""
        if type(row) is PlacedRow:
            return self.packed(row.tensors)
        if self._single:
            return wrap(row[0])
        if self._tuple:
            return tuple([wrap(value) for value in row])
        return self.packed([wrap(value) for value in row])

    def numpy(self, row: Row) -> Any:
        """The element as NumPy's arrays and scalars."""
        return map_leaves(_numpy, self.eager(row))

    def arguments(self, tensors: Sequence[Any]) -> tuple[Any, ...]:
        """How a function of the user takes the element: a tuple's items one by one."""
        element = self.packed(tensors)
        return element if type(element) is tuple else (element,)

    def mapped(self, function: Callable[[Any], Any]) -> Layout:
        """The layout with other types for the components."""
        return Layout(self._structure.unflatten(map(function, self.flat)))

    def batched(self, size: int | None, caller: str) -> Layout:
        """The layout of batches of such elements; TypeError where there are none."""
        return self.mapped(lambda spec: batched_spec(spec, size, caller))

    def unbatched(self, caller: str) -> Layout:
        """The layout of entries of such elements; ValueError where there are none."""
        leading_dimension(self.flat)
        return self.mapped(lambda spec: unbatched_spec(spec, caller))

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
        for spec, other_spec in zip(self.flat, other.flat, strict=True):
            if is_plain(spec) and is_plain(other_spec) and spec.dtype is not other_spec.dtype:
                return None
            joint = spec if spec == other_spec else None
            if type(spec) is type(other_spec) and hasattr(spec, "most_specific_compatible_type"):
                joint = spec.most_specific_compatible_type(other_spec)
            if joint is None:
                return None
            flat.append(joint)
        return Layout(self._structure.unflatten(flat))

    def require_arrays(self, caller: str) -> None:
        """TypeError when a component is no array, but a dataset or the like."""
        if any(map(is_handle, self.flat)):
            raise TypeError(
                f"{caller} is not supported for elements that are datasets: {self.spec}. Use "
                "flat_map(lambda d: d.batch(...)) to make tensors of them first."
            )

    def require_tensors(self, caller: str) -> None:
        """TypeError when a component is neither a tensor nor None."""
        if not all(is_plain(spec) or isinstance(spec, NoneTensorSpec) for spec in self.flat):
            raise TypeError(f"{caller} is only supported for tensors, got elements {self.spec}")

    def __repr__(self) -> str:
        return str(self.spec)


_layouts: weakref.WeakValueDictionary[Hashable, Layout] = weakref.WeakValueDictionary()


def components(element: Any) -> list[Any]:
    """The tensors of an element, in the order of its row."""
    return [tensor for leaf in leaves(element) for tensor in _tensors(leaf)]


def _tensors(leaf: Any) -> list[Any]:
    if isinstance(leaf, Tensor):
        return [leaf]
    if isinstance(leaf, BatchableExtensionType):
        return [tensor for component in leaf._encoded() for tensor in _tensors(component)]
    if isinstance(leaf, Composite):
        return leaf._tensors()
    return _leaf_spec(leaf)._tensors_of(leaf)


def with_components(element: Any, tensors: Sequence[Any]) -> Any:
    """The element with others for its tensors."""
    feed = iter(tensors)

    def one(leaf: Any) -> Any:
        if isinstance(leaf, Tensor):
            return next(feed)
        return with_row_values(_leaf_spec(leaf), [next(feed) for _ in _tensors(leaf)])

    return map_leaves(one, element)


def _numpy(value: Any) -> Any:
    if not isinstance(value, Tensor):
        if isinstance(value, SparseTensor):
            return to_dense(value).numpy()
        return value.numpy() if isinstance(value, RaggedTensor) else value
    array = value._array
    if isinstance(array, np.ndarray):
        return array.copy() if array.ndim else array[()]
    return array


def as_row(value: Any, layout: Layout, caller: str) -> Row:
    """A Python value as a row; MismatchedTypesError, naming the component, when it does not fit."""
    try:
        components = layout.parts_of(value)
    except StructureError:
        raise MismatchedTypesError(
            f"{caller} yielded an element that did not match the expected structure. The expected "
            f"structure was {layout.spec}, but the yielded element was {value!r}."
        ) from None
    places = layout.places
    return tuple([
        value
        for component, spec, path in zip(components, layout.flat, places, strict=True)
        for value in _values(component, spec, path, caller)
    ])


def _is_laid_out(kind: NodeType, data: Any, arity: int, value: Any) -> bool:
    """Whether a Python value can be an element of this kind: lists stand for tuples."""
    if issubclass(kind.cls, Mapping):
        return isinstance(value, Mapping) and value.keys() == set(kind.keys(data, arity))
    if issubclass(kind.cls, tuple):
        return isinstance(value, tuple | list) and len(value) == arity
    return type(value) is kind.cls


def _values(leaf: Any, spec: Any, where: str, caller: str) -> Sequence[Any]:
    """The values of a row that a component is."""
    if isinstance(spec, TensorSpec):
        return (_array(leaf, spec, where, caller),)
    if not spec.is_compatible_with(leaf):
        raise MismatchedTypesError(
            f"{caller} yielded {leaf!r} where a value of type {spec} was expected{where}."
        )
    return [tensor._array for tensor in _tensors(leaf)]


def _array(leaf: Any, spec: TensorSpec, where: str, caller: str) -> Any:
    try:
        array = to_array(leaf, spec.dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise MismatchedTypesError(
            f"{caller} yielded an element that could not be converted to the expected type{where}. "
            f"The expected type was {spec.dtype.name}, but the yielded element was "
            f"{leaf!r}: {error}"
        ) from None
    if not spec.shape.is_compatible_with(array.shape):
        raise MismatchedTypesError(
            f"{caller} yielded an element of shape {array.shape} where an element of shape "
            f"{spec.shape} was expected{where}."
        )
    return array


def entries_of(array: Any) -> Any:
    """An iterator over the first axis of an array, or of handles; strings come as arrays."""
    if isinstance(array, Handles):
        return iter(array)
    if array.ndim == 1 and array.dtype.kind == "O":
        return map(as_object_scalar, array)
    return iter(array)


def leading_size(arrays: Sequence[Any], caller: str) -> int:
    """The number of entries that all arrays have.

    InvalidArgumentError when they differ, or when an array is a scalar.
    """
    if not all(array.ndim for array in arrays):
        raise InvalidArgumentError(f"{caller}: a component is a scalar, which has no entries")
    sizes = {len(array) for array in arrays}
    if len(sizes) > 1:
        shapes = ", ".join(str(np.shape(array)) for array in arrays)
        raise InvalidArgumentError(
            f"{caller}: the components have different sizes in dimension 0: their shapes are "
            f"{shapes}"
        )
    return sizes.pop()
