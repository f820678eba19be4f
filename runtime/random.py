"""``runtime.random``: the public names of random numbers, as in TensorFlow."""

from runtime.ops.random import categorical as categorical
from runtime.ops.random import normal as normal
from runtime.ops.random import set_seed as set_seed
from runtime.ops.random import shuffle as shuffle
from runtime.ops.random import stateless_normal as stateless_normal
from runtime.ops.random import stateless_truncated_normal as stateless_truncated_normal
from runtime.ops.random import stateless_uniform as stateless_uniform
from runtime.ops.random import truncated_normal as truncated_normal
from runtime.ops.random import uniform as uniform

__all__ = [
    "categorical", "normal", "set_seed", "shuffle", "stateless_normal",
    "stateless_truncated_normal", "stateless_uniform", "truncated_normal", "uniform",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
