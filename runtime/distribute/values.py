"""Values of replicas: ``PerReplica`` holds one for each; functions pass it by its tensors."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from runtime.ops.array.constants import convert_to_tensor
from runtime.types import nest
from runtime.types.composite import Composite, CompositeSpec
from runtime.types.shapes import TensorSpec
from runtime.types.value import Value

__all__ = ["DistributedValues", "PerReplica"]


class DistributedValues:
    """Base of what has a value for each replica; TensorFlow's name for annotations."""


class PerReplica(DistributedValues, Composite):
    """Values of the replicas, in their order; they may have several shapes.

    It is no tensor: ``reduce``, ``gather`` and ``experimental_local_results`` of the strategy make
    tensors of it, and functions that ``run`` calls get the one of their replica.
    """

    def __init__(self, values: Sequence[Any]) -> None:
        self._values = tuple(values)

    @property
    def values(self) -> tuple[Any, ...]:
        """Values in the order of the replicas."""
        return self._values

    @property
    def dtype(self) -> Any:
        """Dtype of the values."""
        return convert_to_tensor(self._values[0]).dtype

    @property
    def shape(self) -> Any:
        """Static shape that all values are compatible with."""
        return _joint_spec([convert_to_tensor(value).spec for value in self._values]).shape

    def _tensors(self) -> list[Any]:
        return [convert_to_tensor(value) for value in self._values]

    def _type_key(self) -> Hashable:
        return PerReplica, len(self._values)

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        is_spec = bool(tensors) and isinstance(tensors[0], TensorSpec)
        return PerReplicaSpec(tensors) if is_spec else PerReplica(tensors)

    @property
    def _type_spec(self) -> PerReplicaSpec:
        return PerReplicaSpec([tensor.spec for tensor in self._tensors()])

    def __repr__(self) -> str:
        rows = ",\n".join(f"  {n}: {value!r}" for n, value in enumerate(self._values))
        return f"PerReplica:{{\n{rows}\n}}"


class PerReplicaSpec(CompositeSpec):
    """Types of the values of a ``PerReplica``."""

    def __init__(self, specs: Sequence[TensorSpec]) -> None:
        self._specs = tuple(specs)

    @property
    def value_type(self) -> type:
        """Class of the values."""
        return PerReplica

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Return whether values, or those of another type, are of these types."""
        if not isinstance(spec_or_value, PerReplica | PerReplicaSpec):
            return False
        pairs = list(zip(self._specs, spec_or_value._tensors(), strict=False))
        return len(self._specs) == len(spec_or_value._tensors()) and all(
            spec.is_compatible_with(value) for spec, value in pairs
        )

    def _tensors(self) -> list[Any]:
        return list(self._specs)

    def _type_key(self) -> Hashable:
        return PerReplica, len(self._specs)

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        return PerReplica(tensors)._with_tensors(tensors)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PerReplicaSpec) and self._specs == other._specs

    def __hash__(self) -> int:
        return hash(self._specs)

    def __repr__(self) -> str:
        return f"PerReplicaSpec({', '.join(map(repr, self._specs))})"


def joint_spec(values: Sequence[Any]) -> TensorSpec:
    """Return the type that all tensors of some have; TypeError where dtypes differ."""
    return _joint_spec([value.spec for value in values])


def _joint_spec(specs: Sequence[TensorSpec]) -> TensorSpec:
    joint = TensorSpec(specs[0].shape, specs[0].dtype)
    for spec in specs[1:]:
        if spec.dtype is not joint.dtype:
            raise TypeError(
                f"values of replicas have different dtypes: {joint.dtype.name} and "
                f"{spec.dtype.name}"
            )
        shape = joint.shape.most_specific_compatible_shape(spec.shape)
        joint = TensorSpec(shape, joint.dtype)
    return joint


def of_replica(structure: Any, index: int) -> Any:
    """Return a nest with the value of one replica in the place of each ``PerReplica``."""
    return nest.map_structure(
        lambda leaf: leaf.values[index] if isinstance(leaf, PerReplica) else leaf, structure
    )


def regrouped(structures: Sequence[Any]) -> Any:
    """Return the nest whose leaves are those of the replicas' nests, as ``PerReplica``.

    A leaf that is one object in all replicas stays that.  ValueError where structures differ.
    """
    first = structures[0]
    if isinstance(first, Value) or not nest.is_nested(first):
        if all(structure is first for structure in structures[1:]):
            return first
        return PerReplica(structures)
    for structure in structures[1:]:
        nest.assert_same_structure(first, structure)
    leaves = [nest.flatten(structure) for structure in structures]
    return nest.pack_sequence_as(
        first, [regrouped(column) for column in zip(*leaves, strict=True)]
    )
