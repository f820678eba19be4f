"""Types of the names of ``runtime.sparse``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime import SparseTensor as SparseTensor
from runtime.composite.sparse.arithmetic import add as add
from runtime.composite.sparse.arithmetic import bincount as bincount
from runtime.composite.sparse.arithmetic import mask as mask
from runtime.composite.sparse.arithmetic import maximum as maximum
from runtime.composite.sparse.arithmetic import minimum as minimum
from runtime.composite.sparse.arithmetic import reduce_max as reduce_max
from runtime.composite.sparse.arithmetic import reduce_sum as reduce_sum
from runtime.composite.sparse.arithmetic import softmax as softmax
from runtime.composite.sparse.arrangement import concat as concat
from runtime.composite.sparse.arrangement import expand_dims as expand_dims
from runtime.composite.sparse.arrangement import fill_empty_rows as fill_empty_rows
from runtime.composite.sparse.arrangement import reset_shape as reset_shape
from runtime.composite.sparse.arrangement import reshape as reshape
from runtime.composite.sparse.arrangement import retain as retain
from runtime.composite.sparse.arrangement import slice as slice
from runtime.composite.sparse.arrangement import split as split
from runtime.composite.sparse.arrangement import transpose as transpose
from runtime.composite.sparse.conversions import eye as eye
from runtime.composite.sparse.conversions import from_dense as from_dense
from runtime.composite.sparse.conversions import map_values as map_values
from runtime.composite.sparse.conversions import reorder as reorder
from runtime.eager.tensor import Tensor
from runtime.types.aliases import TensorLike
from typing import Any

def segment_mean(data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: TensorLike | None = None, name: str | None = None, sparse_gradient: bool = False) -> Tensor: ...
def segment_sqrt_n(data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: TensorLike | None = None, name: str | None = None, sparse_gradient: bool = False) -> Tensor: ...
def segment_sum(data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: TensorLike | None = None, name: str | None = None, sparse_gradient: bool = False) -> Tensor: ...
def sparse_dense_matmul(sp_a: Any, b: Any, adjoint_a: bool = False, adjoint_b: bool = False, name: str | None = None) -> Tensor: ...
def to_dense(sp_input: Any, default_value: TensorLike | None = None, validate_indices: bool = True, name: str | None = None) -> Tensor: ...
def to_indicator(sp_input: Any, vocab_size: int, name: str | None = None) -> Tensor: ...
