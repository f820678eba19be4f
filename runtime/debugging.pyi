"""Types of the names of ``runtime.debugging``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime import Assert as Assert
from runtime import assert_equal as assert_equal
from runtime import assert_greater as assert_greater
from runtime import assert_greater_equal as assert_greater_equal
from runtime import assert_integer as assert_integer
from runtime import assert_less as assert_less
from runtime import assert_less_equal as assert_less_equal
from runtime import assert_near as assert_near
from runtime import assert_negative as assert_negative
from runtime import assert_non_negative as assert_non_negative
from runtime import assert_non_positive as assert_non_positive
from runtime import assert_none_equal as assert_none_equal
from runtime import assert_positive as assert_positive
from runtime import assert_proper_iterable as assert_proper_iterable
from runtime import assert_rank as assert_rank
from runtime import assert_rank_at_least as assert_rank_at_least
from runtime import assert_rank_in as assert_rank_in
from runtime import assert_same_float_dtype as assert_same_float_dtype
from runtime import assert_scalar as assert_scalar
from runtime import assert_type as assert_type
from runtime import check_numerics as check_numerics
from runtime import is_numeric_tensor as is_numeric_tensor
from runtime.devices.placement_log import get_log_device_placement as get_log_device_placement
from runtime.devices.placement_log import set_log_device_placement as set_log_device_placement
from runtime.eager.tensor import Tensor
from runtime.ops.control_flow.assertions import assert_shapes as assert_shapes
from runtime.types.aliases import TensorLike
from typing import Any

def assert_all_finite(x: TensorLike, message: str, name: str | None = None) -> Tensor: ...
