"""Values made of tensors: what functions take and return by their tensors, and know by their type.

Datasets and iterators are such values.  arguments.py takes them apart in calls, optionals.py in
results.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any


class Composite:
    """A value that a call passes as tensors.

    Two with equal ``_type_key()`` differ in their tensors only.
    """

    def _tensors(self) -> list[Any]:
        """The tensors it is made of."""
        raise NotImplementedError

    def _type_key(self) -> Hashable:
        """All there is to know about it besides."""
        raise NotImplementedError

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        """The like of it, of other tensors; of TensorSpecs, its spec."""
        raise NotImplementedError


class CompositeSpec(Composite):
    """The type of a composite, as a TensorSpec is that of a tensor.

    Its ``_tensors()`` are TensorSpecs; ``_with_tensors`` of tensors is a composite of this type.
    """

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value of the other type, or the value, may stand where this is asked for."""
        raise NotImplementedError
