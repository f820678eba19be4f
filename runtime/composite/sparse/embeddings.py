"""Embeddings of sparse ids: rows of a matrix, combined for each row of ids."""

from __future__ import annotations

from typing import Any

from runtime.composite.sparse.arrangement import fill_empty_rows, retain
from runtime.composite.sparse.conversions import places_of, rank_of, sparse_of
from runtime.composite.sparse.sparse_tensor import SparseTensor
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import cast, constant
from runtime.ops.array.creation import zeros_like
from runtime.ops.array.shape import reshape
from runtime.ops.array.where import where
from runtime.ops.math.elementwise import sqrt, square
from runtime.ops.math.reduction import reduce_max, reduce_prod
from runtime.ops.math.scans import unsorted_segment_sum
from runtime.ops.nn.normalization import embedding_lookup
from runtime.types.dtypes import int64

__all__ = ["embedding_lookup_sparse", "safe_embedding_lookup_sparse"]

_COMBINERS = ("sum", "mean", "sqrtn")


def embedding_lookup_sparse(params: Any, sp_ids: Any, sp_weights: Any = None,
                            combiner: str | None = None, max_norm: float | None = None,
                            name: str | None = None,
                            allow_fast_lookup: bool = False) -> Any:  # fmt: skip
    """Look up rows of an embedding matrix and combine those of each row of ids.

    Args:
        params: tensor or variable, or a list of them that are concatenated.
        sp_ids: SparseTensor of an integer dtype and rank 2; or a RaggedTensor.
        sp_weights: what each id weighs, of the type and indices of ``sp_ids``; by default 1.
        combiner: 'sum', 'mean', or 'sqrtn': the sum divided by the square root of the sum of the
            squares of the weights; by default 'mean'.
        max_norm: greatest Euclidean norm of a row, to which it is scaled down.
        allow_fast_lookup: not used.
    Returns:
        Tensor with a row for each row of ids up to the last with one; rows without ids are 0.
    Raises:
        ValueError: ``combiner`` is another one.
        TypeError: ``sp_ids`` is no SparseTensor.
    """
    rows, ids, weights = _ids_and_weights(sp_ids, sp_weights, "nn.embedding_lookup_sparse")
    count = reduce_max(concat([rows[:1] * 0 - 1, rows], 0)) + 1
    return _combined(params, rows, ids, weights, count, combiner, max_norm)


def _ids_and_weights(sp_ids: Any, sp_weights: Any, caller: str) -> tuple[Any, Any, Any]:
    if hasattr(sp_ids, "value_rowids"):
        return (sp_ids.value_rowids(), sp_ids.values,
                None if sp_weights is None else sp_weights.values)  # fmt: skip
    sparse = sparse_of(sp_ids, caller)
    weights = None if sp_weights is None else sparse_of(sp_weights, caller).values
    return sparse.indices[:, 0], sparse.values, weights


def _combined(params: Any, rows: Any, ids: Any, weights: Any, count: Any, combiner: str | None,
              max_norm: float | None) -> Any:  # fmt: skip
    how = combiner or "mean"
    if how not in _COMBINERS:
        raise ValueError(f"combiner must be one of 'mean', 'sqrtn' or 'sum', got {combiner}")
    embedded = embedding_lookup(params, ids, max_norm)
    tail = [1] * ((embedded.shape.rank or 2) - 1)
    amounts = constant(1.0, embedded.dtype) + zeros_like(ids, embedded.dtype)
    if weights is not None:
        amounts = cast(weights, embedded.dtype)
        embedded = embedded * reshape(amounts, [-1, *tail])
    sums = unsorted_segment_sum(embedded, rows, count)
    if how == "sum":
        return sums
    squares = square(amounts) if how == "sqrtn" else amounts
    total = unsorted_segment_sum(squares, rows, count)
    divisor = sqrt(total) if how == "sqrtn" else total
    divisor = where(unsorted_segment_sum(rows * 0 + 1, rows, count) > 0, divisor,
                    constant(1.0, embedded.dtype))  # fmt: skip
    return sums / reshape(divisor, [-1, *tail])


def safe_embedding_lookup_sparse(embedding_weights: Any, sparse_ids: Any,
                                 sparse_weights: Any = None, combiner: str = "mean",
                                 default_id: int | None = None, max_norm: float | None = None,
                                 name: str | None = None,
                                 allow_fast_lookup: bool = False) -> Any:  # fmt: skip
    """Look up embeddings as ``embedding_lookup_sparse``, without invalid ids and weights.

    Negative ids and, but for 'sum', weights of 0 or less are left out.

    Args:
        embedding_weights: tensor or variable, or a list of them that are concatenated.
        sparse_ids: SparseTensor of an integer dtype and rank 2 or more.
        sparse_weights: SparseTensor of the weights; by default 1.
        combiner: 'sum', 'mean' or 'sqrtn'.
        default_id: id whose embedding rows without ids have; by default they are 0.
        max_norm: greatest Euclidean norm of a row, to which it is scaled down.
        allow_fast_lookup: not used.
    Returns:
        Tensor whose first axes are those of ``sparse_ids`` but the last.
    Raises:
        ValueError: ``combiner`` is another one.
        TypeError: ``sparse_ids`` is no SparseTensor.
    """
    caller = "nn.safe_embedding_lookup_sparse"
    sparse = sparse_of(sparse_ids, caller)
    rank, sizes = rank_of(sparse, caller), sparse.dense_shape
    rows = sparse.indices[:, 0]
    outer = sizes[:-1]
    if rank > 2:
        rows = places_of(sparse.indices[:, :-1], outer)
    total = reduce_prod(outer)
    matrix = SparseTensor(concat([rows[:, None], sparse.indices[:, -1:]], 1), sparse.values,
                          concat([reshape(total, [1]), sizes[-1:]], 0))  # fmt: skip
    is_valid = sparse.values >= 0
    weights = None if sparse_weights is None else sparse_of(sparse_weights, caller)
    if weights is not None:
        weights = matrix.with_values(weights.values)
        if combiner != "sum":
            is_valid = is_valid & (weights.values > 0)
        weights = retain(weights, is_valid)
    matrix = retain(matrix, is_valid)
    filled, is_empty = fill_empty_rows(matrix, default_id or 0)
    amounts = None if weights is None else fill_empty_rows(weights, 1.0)[0].values
    result = _combined(embedding_weights, filled.indices[:, 0], filled.values, amounts, total,
                       combiner, max_norm)  # fmt: skip
    tail = result.shape[1:].as_list()
    if default_id is None:
        empty = reshape(is_empty, [-1, *[1] * len(tail)])
        result = where(empty, zeros_like(result), result)
    return reshape(result, concat([cast(outer, int64), constant(tail, int64)], 0))
