"""Types of the components of elements: of how many tensors each is made, what batches make of them.

A component is a tensor, a RaggedTensor, a SparseTensor, None, or a *handle*: a dataset, optional
or TensorArray.  An extension type is several of them, of which its encoder makes batches.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import islice
from typing import Any

from runtime.composite.extension_types.batch_encoder import BatchableExtensionTypeSpec
from runtime.composite.type_spec import NoneTensorSpec, RaggedTensorSpec
from runtime.eager.tensor import Tensor
from runtime.types import nest, treedef
from runtime.types.dtypes import variant
from runtime.types.shapes import TensorShape, TensorSpec


class Described:
    """The names that TensorFlow 1 has for what ``element_spec`` says."""

    element_spec: Any

    @property
    def output_types(self) -> Any:
        """The dtypes of the components, laid out as an element."""
        return nest.map_structure(lambda spec: getattr(spec, "dtype", spec), self.element_spec)

    @property
    def output_shapes(self) -> Any:
        """The shapes of the components, laid out as an element."""
        return nest.map_structure(lambda spec: getattr(spec, "shape", spec), self.element_spec)

    @property
    def output_classes(self) -> Any:
        """The classes of the components, laid out as an element."""
        return nest.map_structure(
            lambda spec: Tensor if is_plain(spec) else spec.value_type, self.element_spec
        )


def is_plain(spec: Any) -> bool:
    """Whether a component is one tensor."""
    return isinstance(spec, TensorSpec)


def width(spec: Any) -> int:
    """How many values of a row a component takes."""
    return len(row_specs(spec))


def row_specs(spec: Any) -> list[TensorSpec]:
    """The types of the values of a row that are a component."""
    if isinstance(spec, TensorSpec):
        return [spec]
    if isinstance(spec, BatchableExtensionTypeSpec):
        return [row_spec for inner in encoded_specs(spec) for row_spec in row_specs(inner)]
    return spec._tensors()


def encoded_specs(spec: Any) -> list[Any]:
    """The types of the components that stand for a component in batches: itself, mostly."""
    if not isinstance(spec, BatchableExtensionTypeSpec):
        return [spec]
    return [inner for leaf in spec._encoding_specs() for inner in encoded_specs(leaf)]


def with_row_values(spec: Any, tensors: Sequence[Any]) -> Any:
    """The component whose values in a row are these tensors."""
    if isinstance(spec, TensorSpec):
        return tensors[0]
    if not isinstance(spec, BatchableExtensionTypeSpec):
        return spec._with_tensors(tensors)
    feed = iter(tensors)
    inner = spec._encoding_specs()
    return spec._decoded([with_row_values(s, list(islice(feed, width(s)))) for s in inner])


def is_handle(spec: Any) -> bool:
    """Whether a component is a dataset, an optional or a TensorArray, which are no arrays."""
    return not is_plain(spec) and any(
        tensor_spec.dtype is variant for tensor_spec in spec._tensors()
    )


def structure_key(spec: Any) -> Hashable:
    """Something hashable that is equal for equal specs."""
    leaves, structure = treedef.flatten(spec)
    return structure.kinds(), tuple(leaves)


def batched_spec(spec: Any, size: int | None, caller: str) -> Any:
    """The type of a batch of components; TypeError for those of which there are none."""
    if isinstance(spec, TensorSpec):
        return TensorSpec(TensorShape([size]).concatenate(spec.shape), spec.dtype)
    if hasattr(spec, "_batch"):
        return spec._batch(size)
    if hasattr(spec, "_dataset_shape"):
        return type(spec)(spec.element_spec, TensorShape([size]).concatenate(spec._dataset_shape))
    raise TypeError(f"{caller} is not supported for components of type {spec}")


def unbatched_spec(spec: Any, caller: str) -> Any:
    """The type of the entries of a component; TypeError where it has none."""
    if isinstance(spec, TensorSpec):
        return TensorSpec(spec.shape[1:], spec.dtype)
    if hasattr(spec, "_unbatch"):
        return spec._unbatch()
    if hasattr(spec, "_dataset_shape"):
        return type(spec)(spec.element_spec, spec._dataset_shape[1:])
    raise TypeError(f"{caller} is not supported for components of type {spec}")


def ragged_spec(spec: Any) -> Any:
    """The type that a tensor whose size may differ has in a ragged batch, before it is batched."""
    if not is_plain(spec) or spec.shape.rank is None or spec.shape.is_fully_defined():
        return spec
    levels = max(axis for axis, size in enumerate(spec.shape.as_list()) if size is None)
    return RaggedTensorSpec(spec.shape, spec.dtype, levels)


def leading_dimension(specs: Sequence[Any]) -> int | None:
    """The size that components have along their first axis, as far as it is known.

    ValueError for scalars, and for sizes that differ.
    """
    size = None
    for spec in specs:
        if isinstance(spec, NoneTensorSpec):
            continue
        shape = getattr(spec, "_dataset_shape", None)
        if shape is None:
            shape = spec.shape if hasattr(spec, "shape") else row_specs(spec)[0].shape
        if shape.rank == 0:
            raise ValueError(f"Unbatching a tensor is only supported for rank >= 1, got {spec}")
        first = shape[0] if shape.rank else None
        if None not in (size, first) and size != first:
            raise ValueError(
                f"Dimensions {size} and {first} are not compatible: the components "
                f"{tuple(specs)} must have one size along their first axis"
            )
        size = first if size is None else size
    return size
