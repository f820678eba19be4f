"""TensorShape and TensorSpec: shape and type of a tensor, as far as they are known before a run.

Inference rules compute them, tensors have them, messages print them.  The rank may be unknown
(``None``), or single dimensions.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

from runtime.types.dtypes import Array, DType, as_dtype, float32

__all__ = ["TensorShape", "TensorSpec", "TypeSpec"]

Dims = tuple[int | None, ...]


def dims_text(dims: Any) -> str:
    """Return the text of dimensions: ``[?, 2]``; ``[*]`` for an unknown rank."""
    inside = "*" if dims is None else ", ".join("?" if d is None else str(d) for d in dims)
    return f"[{inside}]"


class TensorShape:
    """Static shape of a tensor; any dimension, or the rank, may be unknown.

    ``dims`` is a sequence of sizes, with None for an unknown one, a single size, another
    TensorShape, or None for an unknown rank.  A shape behaves like a sequence of its dimensions;
    its length and items raise ValueError when the rank is unknown.  TypeError for dimensions that
    are not integers, ValueError for negative ones.
    """

    __slots__ = ("dims",)

    @property  # type: ignore[misc]
    def __class__(self) -> type[Any]:
        """What ``isinstance`` sees beside the type: the array API standard has tuples as shapes.

        The type is no subclass of tuple, or ``"%s" % shape`` would take a shape for its items.  A
        shape of unknown rank has no items, and is no tuple.
        """
        return TensorShape if self.dims is None else tuple

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
        """Number of dimensions; None when unknown."""
        return None if self.dims is None else len(self.dims)

    @property
    def ndims(self) -> int | None:
        """Number of dimensions: ``rank``."""
        return self.rank

    def as_list(self) -> list[int | None]:
        """Return the dimensions as a list; ValueError when the rank is unknown."""
        return list(self._known())

    def num_elements(self) -> int | None:
        """Return the number of elements; None when a dimension is unknown."""
        if self.dims is None or None in self.dims:
            return None
        size = 1
        for d in self.dims:
            size *= d if d is not None else 1
        return size

    def is_fully_defined(self) -> bool:
        """Return whether every dimension is known."""
        return self.dims is not None and None not in self.dims

    def assert_is_fully_defined(self) -> None:
        """Raise ValueError unless every dimension is known."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def is_compatible_with(self, other: Any) -> bool:
        """Return whether a tensor may have both shapes."""
        other = TensorShape(other)
        if self.dims is None or other.dims is None:
            return True
        return len(self.dims) == len(other.dims) and all(
            a is None or b is None or a == b for a, b in zip(self.dims, other.dims, strict=True)
        )

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise ValueError unless a tensor may have both shapes."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {TensorShape(other)} are incompatible")

    def merge_with(self, other: Any) -> TensorShape:
        """Combine the known dimensions of both shapes; ValueError when they are incompatible."""
        other = TensorShape(other)
        self.assert_is_compatible_with(other)
        if self.dims is None or other.dims is None:
            return other if self.dims is None else self
        pairs = zip(self.dims, other.dims, strict=True)
        return TensorShape([b if a is None else a for a, b in pairs])

    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """Return the most specific shape compatible with both: differing sizes become unknown."""
        other = TensorShape(other)
        if self.dims is None or other.dims is None or len(self.dims) != len(other.dims):
            return TensorShape(None)
        pairs = zip(self.dims, other.dims, strict=True)
        return TensorShape([a if a == b else None for a, b in pairs])

    def is_subtype_of(self, other: Any) -> bool:
        """Return whether every tensor of this shape also has the shape ``other``."""
        return self.most_specific_compatible_shape(other) == TensorShape(other)

    def concatenate(self, other: Any) -> TensorShape:
        """Return the shape of these dimensions followed by those of ``other``."""
        other = TensorShape(other)
        if self.dims is None or other.dims is None:
            return TensorShape(None)
        return TensorShape(self.dims + other.dims)

    def with_rank(self, rank: int) -> TensorShape:
        """Return this shape with rank ``rank``; ValueError when it has another one."""
        if self.dims is not None and len(self.dims) != rank:
            raise ValueError(f"Shape {self} must have rank {rank}")
        return TensorShape([None] * rank) if self.dims is None else self

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """Return this shape; ValueError when its rank is known and less than ``rank``."""
        if self.dims is not None and len(self.dims) < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """Return this shape; ValueError when its rank is known and greater than ``rank``."""
        if self.dims is not None and len(self.dims) > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    def assert_has_rank(self, rank: int) -> None:
        """Raise ValueError unless this shape has, or may have, rank ``rank``."""
        self.with_rank(rank)

    def assert_same_rank(self, other: Any) -> None:
        """Raise ValueError when both ranks are known and differ."""
        other = TensorShape(other)
        if None not in (self.rank, other.rank) and self.rank != other.rank:
            raise ValueError(f"Shapes {self} and {other} must have the same rank")

    def most_specific_common_supertype(self, others: Sequence[Any]) -> TensorShape:
        """Return the most specific shape that every tensor of these shapes has."""
        shape = self
        for other in others:
            shape = shape.most_specific_compatible_shape(other)
        return shape

    def _known(self) -> Dims:
        if self.dims is None:
            raise ValueError(
                "The rank of this shape is unknown. Set it with set_shape, or use runtime.shape(x)."
            )
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

    def count(self, value: int | None) -> int:
        """Return how many dimensions have a size."""
        return self._known().count(value)

    def index(self, value: int | None, *between: int) -> int:
        """Return the first dimension of a size; ValueError when there is none."""
        return self._known().index(value, *between)

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return TensorShape(other).concatenate(self)

    def __eq__(self, other: object) -> bool:
        try:
            return self.dims == TensorShape(other).dims
        except (TypeError, ValueError):
            return self.dims == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.dims)

    def __str__(self) -> str:
        return "<unknown>" if self.dims is None else str(self.dims)

    def __repr__(self) -> str:
        return f"TensorShape({None if self.dims is None else list(self.dims)})"

    def graph_text(self) -> str:
        """Return the text of the shape in a graph: ``shape[?, 2]``."""
        return f"shape{dims_text(self.dims)}"

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorShape, (self.dims,)


def _length(key: slice) -> list[None] | None:
    """Return the dimensions of a slice of an unknown shape; None when their number is unknown."""
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
    """Base of type specs: TensorSpec, RaggedTensorSpec, DatasetSpec and others."""

    __slots__ = ()


class TensorSpec(TypeSpec):
    """Type of a tensor: static shape, dtype (float32 by default) and an optional name.

    Two more attributes serve inference and do not count in comparisons.  ``value``: the array, if
    it is known before the run.  ``sizes``: for a vector of sizes, a tuple of the known ones with
    None for the others.
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
        """Return the spec of a tensor."""
        return cls(tensor.shape, tensor.dtype, name)

    @classmethod
    def from_spec(cls, spec: TensorSpec, name: str | None = None) -> TensorSpec:
        """Return the same spec with another name."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Return whether a tensor or spec has this dtype and a compatible shape."""
        return self.dtype is as_dtype(spec_or_tensor.dtype) and self.shape.is_compatible_with(
            spec_or_tensor.shape
        )

    def most_specific_compatible_type(self, other: TensorSpec) -> TensorSpec:
        """Return the most specific spec of values of both; ValueError when the dtypes differ."""
        if self.dtype is not other.dtype:
            raise ValueError(f"No TensorSpec holds both {self} and {other}: the dtypes differ")
        return TensorSpec(self.shape.most_specific_compatible_shape(other.shape), self.dtype)

    def without_value(self) -> TensorSpec:
        """Return the spec of all tensors of this type: what is known of one value is left out."""
        return TensorSpec(self.shape, self.dtype)

    def after_loop(self, state: Any, result: Any) -> TensorSpec:
        """Return the spec of what a loop gives, whose state has this spec: ``state`` is the tensor
        at the start of the body, ``result`` the one at its end.
        """
        return self.without_value()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TensorSpec):
            return NotImplemented
        mine = (self.shape, self.dtype, self.name)
        return mine == (other.shape, other.dtype, other.name)

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))

    def graph_text(self) -> str:
        """Return the text of the spec in a graph: ``float32[?, 2]``."""
        return f"{self.dtype.name}{dims_text(self.shape.dims)}"

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorSpec, (self.shape, self.dtype, self.name)
