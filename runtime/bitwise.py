"""``runtime.bitwise``: the public names of operations on bits, as in TensorFlow."""

from typing import TYPE_CHECKING

from runtime.ops.math.logical import bitwise_and as bitwise_and
from runtime.ops.math.logical import bitwise_or as bitwise_or
from runtime.ops.math.logical import bitwise_xor as bitwise_xor
from runtime.ops.math.logical import invert as invert
from runtime.ops.math.logical import left_shift as left_shift
from runtime.ops.math.logical import right_shift as right_shift
from runtime.types.annexes import explained as _explained

__all__ = [
    "bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
