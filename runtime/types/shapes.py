"""What is known about a tensor before it has a value: its TensorShape and TensorSpec.

The words that rows infer in, tensors answer with and messages print.  Shapes may be unknown
altogether (``None``) or in single dimensions.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

from runtime.types.dtypes import Array, DType, as_dtype, float32

__all__ = ["TensorShape", "TensorSpec", "TypeSpec"]

Dims = tuple[int | None, ...]


def dims_text(dims: Any) -> str:
    """``[?, 2]``; ``[*]`` for an unknown rank."""
    inside = "*" if dims is None else ", ".join("?" if d is None else str(d) for d in dims)
    return f"[{inside}]"


class TensorShape:
    """The shape of a tensor as far as it is known.

    ``dims`` is a tuple of sizes, None standing for an unknown one, or None when not even the rank
    is known.  Behaves as a sequence of its dimensions.
    """

    __slots__ = ("dims",)

    def __init__(self, dims: Any) -> None:
        self.dims: Dims | None
        if dims is None:
            self.dims = None
        elif isinstance(dims, TensorShape):
            self.dims = dims.dims
        elif isinstance(dims, tuple | list) or not hasattr(dims, "__index__"):
            if not isinstance(dims, Iterable):
                raise TypeError(
                    f"Dimensions of a TensorShape must be whole numbers or None, got {dims!r}"
                )
            self.dims = tuple([_dimension(d) for d in dims])
        else:
            self.dims = (_dimension(dims),)

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None when unknown."""
        return None if self.dims is None else len(self.dims)

    @property
    def ndims(self) -> int | None:
        """The same as ``rank``."""
        return self.rank

    def as_list(self) -> list[int | None]:
        """The dimensions as a list; ValueError when the rank is unknown."""
        return list(self._known())

    def num_elements(self) -> int | None:
        """How many elements there are, or None when a dimension is unknown."""
        if self.dims is None or None in self.dims:
            return None
        size = 1
        for d in self.dims:
            size *= d if d is not None else 1
        return size

    def is_fully_defined(self) -> bool:
        """Whether every dimension is known."""
        return self.dims is not None and None not in self.dims

    def assert_is_fully_defined(self) -> None:
        """ValueError unless every dimension is known."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def is_compatible_with(self, other: Any) -> bool:
        """Whether some tensor could have both shapes."""
        other = TensorShape(other)
        if self.dims is None or other.dims is None:
            return True
        return len(self.dims) == len(other.dims) and all(
            a is None or b is None or a == b for a, b in zip(self.dims, other.dims, strict=True)
        )

    def assert_is_compatible_with(self, other: Any) -> None:
        """ValueError unless some tensor could have both shapes."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {TensorShape(other)} are incompatible")

    def merge_with(self, other: Any) -> TensorShape:
        """The shape that knows what either knows; ValueError when they contradict."""
        other = TensorShape(other)
        self.assert_is_compatible_with(other)
        if self.dims is None or other.dims is None:
            return other if self.dims is None else self
        pairs = zip(self.dims, other.dims, strict=True)
        return TensorShape([b if a is None else a for a, b in pairs])

    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """The narrowest shape that both shapes are cases of: what differs becomes unknown."""
        other = TensorShape(other)
        if self.dims is None or other.dims is None or len(self.dims) != len(other.dims):
            return TensorShape(None)
        pairs = zip(self.dims, other.dims, strict=True)
        return TensorShape([a if a == b else None for a, b in pairs])

    def is_subtype_of(self, other: Any) -> bool:
        """Whether every tensor of this shape also has the shape ``other``."""
        return self.most_specific_compatible_shape(other) == TensorShape(other)

    def concatenate(self, other: Any) -> TensorShape:
        """These dimensions followed by the other's."""
        other = TensorShape(other)
        if self.dims is None or other.dims is None:
            return TensorShape(None)
        return TensorShape(self.dims + other.dims)

    def with_rank(self, rank: int) -> TensorShape:
        """This shape, known to have ``rank`` dimensions; ValueError when it has not."""
        if self.dims is not None and len(self.dims) != rank:
            raise ValueError(f"Shape {self} must have rank {rank}")
        return TensorShape([None] * rank) if self.dims is None else self

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """This shape; ValueError when it is known to have fewer than ``rank`` dimensions."""
        if self.dims is not None and len(self.dims) < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """This shape; ValueError when it is known to have more than ``rank`` dimensions."""
        if self.dims is not None and len(self.dims) > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    def assert_has_rank(self, rank: int) -> None:
        """ValueError unless this shape has, or may have, ``rank`` dimensions."""
        self.with_rank(rank)

    def assert_same_rank(self, other: Any) -> None:
        """ValueError unless both shapes may have one rank."""
        other = TensorShape(other)
        if None not in (self.rank, other.rank) and self.rank != other.rank:
            raise ValueError(f"Shapes {self} and {other} must have the same rank")

    def most_specific_common_supertype(self, others: Sequence[Any]) -> TensorShape:
        """The narrowest shape that this one and all the others are cases of."""
        shape = self
        for other in others:
            shape = shape.most_specific_compatible_shape(other)
        return shape

    def _known(self) -> Dims:
        if self.dims is None:
            raise ValueError("The rank of this shape is unknown; set it or use runtime.shape().")
        return self.dims

    def __len__(self) -> int:
        return len(self._known())

    def __bool__(self) -> bool:
        return self.dims is not None

    def __iter__(self) -> Iterator[int | None]:
        return iter(self._known())

    @overload
    def __getitem__(self, key: int) -> int | None: ...
    @overload
    def __getitem__(self, key: slice) -> TensorShape: ...
    def __getitem__(self, key: int | slice) -> int | None | TensorShape:
        if isinstance(key, slice):
            if self.dims is not None:
                return TensorShape(self.dims[key])
            return TensorShape(_length(key))
        return None if self.dims is None else self.dims[key]

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return TensorShape(other).concatenate(self)

    def __eq__(self, other: object) -> bool:
        try:
            return self.dims == TensorShape(other).dims
        except (TypeError, ValueError):
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self.dims)

    def __str__(self) -> str:
        return "<unknown>" if self.dims is None else str(self.dims)

    def __repr__(self) -> str:
        return f"TensorShape({None if self.dims is None else list(self.dims)})"

    def graph_text(self) -> str:
        """How an attribute of a graph's text reads: ``shape[?, 2]``."""
        return f"shape{dims_text(self.dims)}"

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorShape, (self.dims,)


def _length(key: slice) -> list[None] | None:
    """What a slice of an unknown shape has: as many unknown dimensions as its ends say, if any."""
    start = 0 if key.start is None else key.start
    if key.stop is None or start < 0 or key.stop < 0 or key.step not in (None, 1):
        return None
    return [None] * max(0, key.stop - start)


def _dimension(size: Any) -> int | None:
    if size is None:
        return None
    try:
        number = operator.index(size)
    except TypeError:
        raise TypeError(f"A dimension must be a whole number or None, got {size!r}") from None
    if number < 0:
        raise ValueError(f"A dimension must be 0 or more, or None when unknown, got {number}")
    return number


UNKNOWN_SHAPE = TensorShape(None)
SCALAR_SHAPE = TensorShape(())


class TypeSpec:
    """The base of all types of values: of TensorSpec, RaggedTensorSpec, DatasetSpec and others."""

    __slots__ = ()


class TensorSpec(TypeSpec):
    """The type of a tensor: its shape as far as known, and its dtype.

    Two more are for rows' ``infer`` and take no part in comparisons.  ``value``: the array itself
    where it is known before running, else None.  ``sizes``: of a vector of sizes, those that are
    known, as a tuple with None for the others.
    """

    __slots__ = ("dtype", "name", "shape", "sizes", "value")

    sizes: Dims | None

    def __init__(
        self, shape: Any, dtype: Any = float32, name: str | None = None, value: Array | None = None
    ) -> None:
        self.shape: TensorShape = shape if type(shape) is TensorShape else TensorShape(shape)
        self.dtype: DType = dtype if type(dtype) is DType else as_dtype(dtype)
        self.name = name
        self.value = value
        self.sizes = None

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The spec of a tensor as it stands."""
        return cls(tensor.shape, tensor.dtype, name)

    @classmethod
    def from_spec(cls, spec: TensorSpec, name: str | None = None) -> TensorSpec:
        """The same spec under another name."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Whether a value of the other spec, or the tensor, may stand where this is asked for."""
        return self.dtype is as_dtype(spec_or_tensor.dtype) and self.shape.is_compatible_with(
            spec_or_tensor.shape
        )

    def most_specific_compatible_type(self, other: TensorSpec) -> TensorSpec:
        """The narrowest spec that holds values of both; ValueError when the dtypes differ."""
        if self.dtype is not other.dtype:
            raise ValueError(f"No TensorSpec holds both {self} and {other}: the dtypes differ")
        return TensorSpec(self.shape.most_specific_compatible_shape(other.shape), self.dtype)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TensorSpec):
            return NotImplemented
        mine = (self.shape, self.dtype, self.name)
        return mine == (other.shape, other.dtype, other.name)

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))

    def graph_text(self) -> str:
        """How an attribute of a graph's text reads: ``float32[?, 2]``."""
        return f"{self.dtype.name}{dims_text(self.shape.dims)}"

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorSpec, (self.shape, self.dtype, self.name)
