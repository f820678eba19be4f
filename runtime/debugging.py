"""``runtime.debugging``: assertions on tensors, as in TensorFlow."""

from typing import TYPE_CHECKING

from runtime.devices.placement_log import get_log_device_placement as get_log_device_placement
from runtime.devices.placement_log import set_log_device_placement as set_log_device_placement
from runtime.ops.control_flow.assertions import assert_all_finite as assert_all_finite
from runtime.ops.control_flow.assertions import assert_equal as assert_equal
from runtime.ops.control_flow.assertions import assert_greater as assert_greater
from runtime.ops.control_flow.assertions import assert_greater_equal as assert_greater_equal
from runtime.ops.control_flow.assertions import assert_integer as assert_integer
from runtime.ops.control_flow.assertions import assert_less as assert_less
from runtime.ops.control_flow.assertions import assert_less_equal as assert_less_equal
from runtime.ops.control_flow.assertions import assert_near as assert_near
from runtime.ops.control_flow.assertions import assert_negative as assert_negative
from runtime.ops.control_flow.assertions import assert_non_negative as assert_non_negative
from runtime.ops.control_flow.assertions import assert_non_positive as assert_non_positive
from runtime.ops.control_flow.assertions import assert_none_equal as assert_none_equal
from runtime.ops.control_flow.assertions import assert_positive as assert_positive
from runtime.ops.control_flow.assertions import assert_proper_iterable as assert_proper_iterable
from runtime.ops.control_flow.assertions import assert_rank as assert_rank
from runtime.ops.control_flow.assertions import assert_rank_at_least as assert_rank_at_least
from runtime.ops.control_flow.assertions import assert_rank_in as assert_rank_in
from runtime.ops.control_flow.assertions import assert_same_float_dtype as assert_same_float_dtype
from runtime.ops.control_flow.assertions import assert_scalar as assert_scalar
from runtime.ops.control_flow.assertions import assert_shapes as assert_shapes
from runtime.ops.control_flow.assertions import assert_type as assert_type
from runtime.ops.control_flow.assertions import check_numerics as check_numerics
from runtime.ops.control_flow.assertions import is_numeric_tensor as is_numeric_tensor
from runtime.ops.control_flow.print_assert import Assert as Assert
from runtime.types.annexes import explained as _explained

__all__ = [
    "Assert", "assert_all_finite", "assert_equal", "assert_greater", "assert_greater_equal",
    "assert_integer", "assert_less", "assert_less_equal", "assert_near", "assert_negative",
    "assert_non_negative", "assert_non_positive", "assert_none_equal", "assert_positive",
    "assert_proper_iterable", "assert_rank", "assert_rank_at_least", "assert_rank_in",
    "assert_same_float_dtype", "assert_scalar", "assert_shapes", "assert_type", "check_numerics",
    "get_log_device_placement", "is_numeric_tensor", "set_log_device_placement",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
