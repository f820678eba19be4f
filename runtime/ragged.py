"""``runtime.ragged``: the public names of ragged tensors, as in TensorFlow."""

# ruff: noqa: F403, F405 - what a star brings is what the module's __all__ says

from typing import TYPE_CHECKING

from runtime.composite.ragged_ops import map_flat_values as map_flat_values
from runtime.composite.ragged_shapes import *
from runtime.composite.ragged_tensor import ragged_constant as constant
from runtime.composite.ragged_tensor import ragged_range as range
from runtime.types.annexes import explained as _explained

__all__ = [
    "boolean_mask", "constant", "map_flat_values", "range", "row_splits_to_segment_ids",
    "segment_ids_to_row_splits", "stack", "stack_dynamic_partitions",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
