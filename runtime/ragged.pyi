"""Types of the names of ``runtime.ragged``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime.composite.ragged_shapes import stack as stack
from runtime.composite.ragged_shapes import stack_dynamic_partitions as stack_dynamic_partitions
from runtime.composite.ragged_tensor import map_flat_values as map_flat_values
from runtime.composite.ragged_tensor import ragged_constant as constant
from runtime.composite.ragged_tensor import ragged_range as range
from runtime.eager.tensor import Tensor
from runtime.types.aliases import DTypeLike
from runtime.types.aliases import TensorLike
from typing import Any

def boolean_mask(data: Any, mask: Any, name: str | None = None) -> Tensor: ...
def row_splits_to_segment_ids(splits: TensorLike, name: str | None = None, out_type: DTypeLike = ...) -> Tensor: ...
def segment_ids_to_row_splits(segment_ids: TensorLike, num_segments: TensorLike | None = None, out_type: DTypeLike = ..., name: str | None = None) -> Tensor: ...
