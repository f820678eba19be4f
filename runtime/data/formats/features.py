"""Descriptions of features of examples, for ``io.parse_example``: what becomes a tensor, and how.

parse_example.py turns them into plans, which kernels follow.
"""

from __future__ import annotations

from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.types.dtypes import as_dtype, float32, int32, int64, string
from runtime.types.shapes import TensorShape

__all__ = [
    "FixedLenFeature", "FixedLenSequenceFeature", "RaggedFeature", "SparseFeature", "VarLenFeature",
]  # fmt: skip


class FixedLenFeature(NamedTuple):
    """Feature of one shape: a tensor.  Without ``default_value`` every record must have it."""

    shape: Any
    dtype: Any
    default_value: Any = None


class FixedLenSequenceFeature(NamedTuple):
    """Feature whose values are steps of one shape: a tensor, padded with ``default_value``.

    ``allow_missing`` must be true for features of an Example; lists of features of a
    SequenceExample may then be absent.
    """

    shape: Any
    dtype: Any
    allow_missing: bool = False
    default_value: Any = None


class VarLenFeature(NamedTuple):
    """Feature of any number of values: a SparseTensor."""

    dtype: Any


class SparseFeature(NamedTuple):
    """Sparse tensor in features: ``value_key`` has the values, ``index_key`` (or several) indices.

    ``size`` is the size along the axis (or each); ``already_sorted`` says that indices ascend.
    """

    index_key: Any
    value_key: str
    dtype: Any
    size: Any
    already_sorted: bool = False


class RowSplits(NamedTuple):
    """Feature that says where rows begin and end."""

    key: str


class RowLengths(NamedTuple):
    """Feature that says how long rows are."""

    key: str


class RowStarts(NamedTuple):
    """Feature that says where rows begin."""

    key: str


class RowLimits(NamedTuple):
    """Feature that says where rows end."""

    key: str


class ValueRowIds(NamedTuple):
    """Feature that says in which row each value is."""

    key: str


class UniformRowLength(NamedTuple):
    """Rows of one length."""

    length: int


class RaggedFeature(NamedTuple):
    """Feature of rows of values: a RaggedTensor, whose splits are int64.

    ``partitions`` divide the values of a record into rows, the outermost first: ``RowSplits(key)``,
    ``RowLengths``, ``RowStarts``, ``RowLimits``, ``ValueRowIds``, ``UniformRowLength(length)``.
    """

    dtype: Any
    value_key: str | None = None
    partitions: tuple[Any, ...] = ()
    row_splits_dtype: Any = int64
    validate: bool = False


for _partition in (RowSplits, RowLengths, RowStarts, RowLimits, ValueRowIds, UniformRowLength):
    setattr(RaggedFeature, _partition.__name__, _partition)

_KINDS = (int64, float32, string)


class FeaturePlan(NamedTuple):
    """How a feature becomes tensors; of plain Python values, as attributes of operations are.

    kind        fixed, sequence, var, sparse or ragged
    key         name of the feature that has the values
    dtype       name of their dtype
    dims        sizes of one value, or of a sparse tensor
    default     number of the input that has the default; -1: there is none
    required    whether it must be there
    partitions  pairs of a kind and a key, or a length; of ``sparse`` those of the indices
    """

    kind: str
    key: str
    dtype: str
    dims: tuple[int, ...] = ()
    default: int = -1
    required: bool = False
    partitions: tuple[tuple[str, Any], ...] = ()


def plan_of(name: str, feature: Any, defaults: list[Any], in_steps: bool) -> FeaturePlan:
    """Return the plan of a feature; its default, if any, is added to ``defaults``.

    ``in_steps`` features are lists of a SequenceExample.  TypeError for what is no feature or has
    another dtype, ValueError for arguments that do not fit.
    """
    sequence_only = (FixedLenFeature, SparseFeature)
    kinds = (FixedLenFeature, FixedLenSequenceFeature, VarLenFeature, SparseFeature, RaggedFeature)
    if not isinstance(feature, kinds) or (in_steps and isinstance(feature, sequence_only)):
        raise TypeError(f"Unsupported feature of {name!r}: {feature!r}")
    dtype = as_dtype(feature.dtype)
    if dtype not in _KINDS:
        raise TypeError(
            f"feature {name!r}: the values of examples are int64, float32 or string, not "
            f"{dtype.name}; cast them afterwards"
        )
    if isinstance(feature, VarLenFeature):
        return FeaturePlan("var", name, dtype.name)
    if isinstance(feature, SparseFeature):
        return _sparse_plan(name, feature, dtype.name)
    if isinstance(feature, RaggedFeature):
        return _ragged_plan(name, feature, dtype.name)
    return _fixed_plan(name, feature, dtype.name, defaults, in_steps)


def _fixed_plan(
    name: str, feature: Any, dtype: str, defaults: list[Any], in_steps: bool
) -> FeaturePlan:
    shape = TensorShape(feature.shape)
    if not shape.is_fully_defined():
        raise ValueError(f"feature {name!r}: the shape must be known, got {shape}")
    is_sequence = isinstance(feature, FixedLenSequenceFeature)
    if is_sequence and not in_steps and not feature.allow_missing:
        raise ValueError(
            f"Unsupported: FixedLenSequenceFeature requires allow_missing to be True: {name!r}"
        )
    number = -1
    if feature.default_value is not None:
        number = len(defaults)
        defaults.append((feature.default_value, dtype, name))
    required = not feature.allow_missing if is_sequence else number < 0
    dims = tuple([int(size or 0) for size in shape.as_list()])
    return FeaturePlan("sequence" if is_sequence else "fixed", name, dtype, dims, number, required)


def _sparse_plan(name: str, feature: SparseFeature, dtype: str) -> FeaturePlan:
    keys = [feature.index_key] if isinstance(feature.index_key, str) else list(feature.index_key)
    sizes = [feature.size] if isinstance(feature.size, int) else list(feature.size)
    if len(keys) != len(sizes):
        raise ValueError(f"feature {name!r}: {len(keys)} index keys but {len(sizes)} sizes")
    places = tuple([("indices", key) for key in keys])
    dims = tuple(map(int, sizes))
    return FeaturePlan("sparse", feature.value_key, dtype, dims, partitions=places)


def _ragged_plan(name: str, feature: RaggedFeature, dtype: str) -> FeaturePlan:
    if as_dtype(feature.row_splits_dtype) not in (int32, int64):
        raise ValueError(f"feature {name!r}: row_splits_dtype must be int64")
    if as_dtype(feature.row_splits_dtype) is int32:
        raise ValueError(f"feature {name!r}: row_splits are int64 here, got row_splits_dtype=int32")
    partitions = tuple([(type(part).__name__, part[0]) for part in feature.partitions])
    return FeaturePlan("ragged", feature.value_key or name, dtype, partitions=partitions)
