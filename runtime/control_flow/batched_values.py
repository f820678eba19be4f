"""Values of batchable types in ``map_fn``: as elements their rows, as results their components."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from runtime.ops.array.shape import shape
from runtime.types import nest, treedef
from runtime.types.composite import Batchable, Composite, CompositeSpec, HasRows
from runtime.types.dtypes import int64


class BatchRows(Composite):
    """Value of a batchable type along the first axis of its components."""

    def __init__(self, value: Batchable) -> None:
        self._value = value
        self._components = value._encoded(1)
        for component in self._components:
            if nest.is_composite(component) and not isinstance(component, HasRows):
                raise TypeError(f"a {type(component).__name__} has no rows")

    def _tensors(self) -> list[Any]:
        return nest.flatten(self._components)

    def _type_key(self) -> Hashable:
        return self._value._type_key()

    @property
    def shape(self) -> Any:
        """Static shape of a component, whose first dimension is the number of rows."""
        return self._components[0].shape

    def nrows(self) -> Any:
        """Return the number of rows."""
        first = self._components[0]
        return first.nrows() if nest.is_composite(first) else shape(first, int64)[0]

    def __getitem__(self, key: Any) -> Any:
        return self._value._row([component[key] for component in self._components])


class EncodedResults:
    """Results of a function, batchable values in them by the tensors that are stacked."""

    def __init__(self) -> None:
        self.like: Any = None

    def encoded(self, result: Any) -> Any:
        """Return the nest of the tensors of a result."""
        leaves, layout = treedef.flatten(result, nest.is_composite)
        self.like = leaves, layout
        return [_encoded(leaf) for leaf in leaves]

    def decoded(self, stacks: Any, size: int | None) -> Any:
        """Return the nest of stacked results."""
        leaves, layout = self.like
        pairs = zip(leaves, stacks, strict=True)
        return layout.unflatten([
            leaf._batch_of(parts, size) if isinstance(leaf, Batchable) else parts
            for leaf, parts in pairs
        ])  # fmt: skip


def _encoded(leaf: Any) -> Any:
    return leaf._encoded() if isinstance(leaf, Batchable) else leaf


def encoded_signature(signature: Any, result: Any) -> Any:
    """Return a signature as results are encoded; None without one."""
    if signature is None:
        return None
    try:
        nest.assert_same_structure(signature, result)
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"map_fn: fn must return the structure of fn_output_signature: {error}"
        ) from None
    specs, leaves = nest.flatten(signature), nest.flatten(result)
    return [_encoded_spec(spec, leaf) for spec, leaf in zip(specs, leaves, strict=True)]


def _encoded_spec(spec: Any, leaf: Any) -> Any:
    if not isinstance(leaf, Batchable):
        return spec
    if not isinstance(spec, CompositeSpec) or not spec.is_compatible_with(leaf):
        raise ValueError(f"map_fn: fn_output_signature asks for {spec}, but fn returned {leaf!r}")
    return [component.dtype for component in leaf._encoded()]
