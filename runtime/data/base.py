"""What all datasets are: a tensor of dtype variant, and the layout of the elements.

Eagerly the tensor holds a Source; in a graph it is the output of a ``dataset`` row.  So a dataset
can be made, passed, captured and gone through wherever tensors can.
"""

from __future__ import annotations

import functools
import os
import weakref
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

from runtime.data import caching
from runtime.data.component_specs import Described, is_handle, structure_key
from runtime.data.elements import Layout
from runtime.data.formats.spec_description import describe
from runtime.data.iterators import DATASETS, DatasetIterator, NumpyIterator, refuse_python
from runtime.data.map_functions import Traced
from runtime.eager.tensor import Tensor
from runtime.graph.operation import SymbolicTensor
from runtime.graph.python_values import as_python_value
from runtime.graph.trace import identity_of
from runtime.ops import dispatch
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.control_flow.print_assert import assert_op
from runtime.ops.resource.dataset import (
    INFINITE,
    UNKNOWN,
    VARIANT,
    Cursor,
    DatasetSource,
    cardinality_op,
    dataset_op,
    make_iterator,
)
from runtime.staging.loops import StagedElements
from runtime.types.composite import Composite, CompositeSpec
from runtime.types.dtypes import string
from runtime.types.shapes import TensorShape, TensorSpec


class DatasetSpec(CompositeSpec):
    """The type of a dataset: that of its elements."""

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self._element_spec = element_spec
        self._dataset_shape = TensorShape(dataset_shape)

    @property
    def element_spec(self) -> Any:
        """The type of the elements: a nest of TensorSpecs and DatasetSpecs."""
        return self._element_spec

    @property
    def value_type(self) -> type:
        """The class of what it describes."""
        return DATASETS[0]

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether elements of the other dataset may stand where this is asked for."""
        spec = getattr(spec_or_value, "_type_spec", spec_or_value)
        if not isinstance(spec, DatasetSpec) or not self._dataset_shape.is_compatible_with(
            spec._dataset_shape
        ):
            return False
        return Layout(self._element_spec).accepts(Layout(spec._element_spec))

    def _tensors(self) -> list[Any]:
        shape = self._dataset_shape
        return [TensorSpec(shape, VARIANT.dtype) if shape.rank else VARIANT]

    def _type_key(self) -> Hashable:
        return DATASETS[0], structure_key(self._element_spec), self._dataset_shape

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        if isinstance(tensors[0], TensorSpec):
            return self
        dataset = DATASETS[0]._from_variant(tensors[0], Layout(self._element_spec), "Variant")
        if self._dataset_shape.rank:
            dataset._dataset_shape = self._dataset_shape
        return dataset

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DatasetSpec):
            return NotImplemented
        return self._type_key() == other._type_key()

    def __hash__(self) -> int:
        return hash(self._type_key())

    def __repr__(self) -> str:
        return f"DatasetSpec({self._element_spec!r}, {self._dataset_shape!r})"


_kinds: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
"""How datasets were made.  No attribute: it may differ where datasets of two paths join."""


class Base(Described, Composite, StagedElements):
    """A dataset, without the ways to make one of another."""

    _variant_tensor: Tensor
    _layout: Layout
    _dataset_shape: TensorShape = TensorShape(())
    """Of several datasets that are one component: how many there are."""

    @classmethod
    def _from_variant(cls, variant: Any, layout: Layout, kind: str) -> Any:
        dataset = object.__new__(DATASETS[0])
        dataset._variant_tensor = variant
        dataset._layout = layout.shared()
        _kinds[dataset] = kind
        return dataset

    @classmethod
    def _of(cls, kind: str, build: Callable[..., DatasetSource], layout: Layout,
            inputs: Sequence[Any] = (), functions: Sequence[Traced] = (),
            name: str | None = None) -> Any:  # fmt: skip
        """The dataset that ``build(*inputs, *functions)`` makes."""
        captures = [function.captures for function in functions]
        attrs = {
            "kind": kind,
            "build": build,
            "graphs": tuple([function.graph for function in functions]),
            "splits": tuple(map(len, captures)),
        }
        tensors = [*inputs, *(tensor for group in captures for tensor in group)]
        variant = dispatch.apply(dataset_op, tensors, attrs, name or f"{kind}Dataset")
        return cls._from_variant(variant, layout, kind)

    def _then(self, kind: str, build: Callable[..., DatasetSource], layout: Layout | None = None,
              inputs: Sequence[Any] = (), functions: Sequence[Traced] = (),
              name: str | None = None, more_parents: Sequence[Any] = ()) -> Any:  # fmt: skip
        """The dataset that ``build`` makes of this one, of ``more_parents`` and of inputs."""
        tensors = [*[parent._variant_tensor for parent in (self, *more_parents)], *inputs]
        return self._of(kind, build, layout or self._layout, tensors, functions, name)

    def _cached_dataset(self, filename: Any, compression: str, name: str | None) -> Any:
        """The dataset whose elements are kept in a file, or in memory where its name is empty."""
        file = os.fspath(filename) if isinstance(filename, os.PathLike) else filename
        if not isinstance(file, str) or file:
            self._layout.require_arrays("Dataset.cache() in a file")
            describe(self._layout.spec)  # a type that cannot be written is an error now
        build = functools.partial(caching.cached, layout=self._layout, compression=compression)
        return self._then("Cache", build, inputs=[convert_to_tensor(file, string)], name=name)

    # -- what it is -----------------------------------------------------------------------------

    @property
    def element_spec(self) -> Any:
        """The type of an element: a nest of TensorSpecs (DatasetSpecs for datasets)."""
        return self._layout.spec

    @property
    def _type_spec(self) -> DatasetSpec:
        return DatasetSpec(self._layout.spec, self._dataset_shape)

    @property
    def _is_concrete(self) -> bool:
        """Whether Python can go through it now."""
        return not isinstance(self._variant_tensor, SymbolicTensor) and (
            dispatch.executing_eagerly()
        )

    def cardinality(self, name: str | None = None) -> Tensor:
        """How many elements there are: an int64 tensor; see INFINITE_ and UNKNOWN_CARDINALITY."""
        return cardinality_op(self._variant_tensor, name=name)

    def __len__(self) -> int:
        """The number of elements; TypeError when it is infinite, unknown, or only known later."""
        if not self._is_concrete:
            raise TypeError(
                "`tf.data.Dataset` only supports `len` in eager mode. Use "
                "`tf.data.Dataset.cardinality()` instead."
            )
        size = self._source.size
        if size == INFINITE:
            raise TypeError("The dataset is infinite.")
        if size == UNKNOWN:
            raise TypeError("The dataset length is unknown.")
        return size

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        kind = _kinds.get(self, "Variant")
        return f"<_{kind}Dataset element_spec={self._layout.spec!r}>"

    # -- going through it -------------------------------------------------------------------------

    @property
    def _source(self) -> DatasetSource:
        return self._variant_tensor._array  # type: ignore[return-value]

    def __iter__(self) -> Iterator[Any]:
        if not self._is_concrete:
            raise refuse_python("a dataset")
        return DatasetIterator._eager(Cursor(self._source), self._layout)

    def _staged_iterator(self) -> DatasetIterator:
        """An iterator of the current graph at the start."""
        return DatasetIterator(make_iterator(self._variant_tensor), self._layout)

    # -- going through it in staged code ----------------------------------------------------------

    def _holder(self) -> Any:
        return self._variant_tensor

    def __staged_iter__(self) -> Any:
        return self._staged_iterator()

    def __staged_len__(self) -> Any:
        size: Any = self.cardinality()
        for number, message in (
            (INFINITE, "The dataset is infinite."), (UNKNOWN, "The dataset length is unknown."),
        ):  # fmt: skip
            assert_op(size != number, fail=functools.partial(TypeError, message))
        return as_python_value(identity_of(size))

    def __rest__(self) -> Any:
        return self

    def __zip__(self, iterables: Sequence[Any]) -> Any:
        return DATASETS[0].zip(tuple([iterable.__rest__() for iterable in iterables]))

    def as_numpy_iterator(self) -> Any:
        """The elements as NumPy's arrays and scalars.

        RuntimeError while a function is traced, TypeError for elements that hold datasets.
        """
        if not self._is_concrete:
            raise RuntimeError("as_numpy_iterator() is not supported while tracing functions")
        for spec in filter(is_handle, self._layout.flat):
            raise TypeError(
                "`tf.data.Dataset.as_numpy_iterator()` does not support datasets containing "
                f"{spec.value_type}. The dataset `element_spec` is {self._layout.spec}."
            )
        return NumpyIterator(Cursor(self._source), self._layout)

    # -- as an argument or result of a function ---------------------------------------------------

    def _tensors(self) -> list[Any]:
        return [self._variant_tensor]

    def _type_key(self) -> Hashable:
        return self._type_spec._type_key()

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        if isinstance(tensors[0], TensorSpec) or self._dataset_shape.rank:
            return self._type_spec._with_tensors(tensors)
        return self._from_variant(tensors[0], self._layout, _kinds.get(self, "Variant"))

