"""``runtime.random``: the public names of random numbers, as in TensorFlow."""

from types import SimpleNamespace as _Names
from typing import TYPE_CHECKING

from runtime.ops.random.sampling import gamma as gamma
from runtime.ops.random.sampling import normal as normal
from runtime.ops.random.sampling import poisson as poisson
from runtime.ops.random.sampling import set_seed as set_seed
from runtime.ops.random.sampling import truncated_normal as truncated_normal
from runtime.ops.random.sampling import uniform as uniform
from runtime.ops.random.shuffling import categorical as categorical
from runtime.ops.random.shuffling import index_shuffle as _index_shuffle
from runtime.ops.random.shuffling import shuffle as shuffle
from runtime.ops.random.shuffling import stateless_categorical as stateless_categorical
from runtime.ops.random.shuffling import stateless_shuffle as _stateless_shuffle
from runtime.ops.random.stateless import fold_in as fold_in
from runtime.ops.random.stateless import split as split
from runtime.ops.random.stateless import stateless_binomial as stateless_binomial
from runtime.ops.random.stateless import stateless_gamma as stateless_gamma
from runtime.ops.random.stateless import stateless_normal as stateless_normal
from runtime.ops.random.stateless import (
    stateless_parameterized_truncated_normal as stateless_parameterized_truncated_normal,
)
from runtime.ops.random.stateless import stateless_poisson as stateless_poisson
from runtime.ops.random.stateless import stateless_truncated_normal as stateless_truncated_normal
from runtime.ops.random.stateless import stateless_uniform as stateless_uniform
from runtime.state.random_generator import Algorithm as Algorithm
from runtime.state.random_generator import Generator as Generator
from runtime.state.random_generator import create_rng_state as create_rng_state
from runtime.state.random_generator import get_global_generator as get_global_generator
from runtime.state.random_generator import set_global_generator as set_global_generator
from runtime.types.annexes import explained as _explained

experimental = _Names(
    Algorithm=Algorithm,
    Generator=Generator,
    create_rng_state=create_rng_state,
    get_global_generator=get_global_generator,
    index_shuffle=_index_shuffle,
    set_global_generator=set_global_generator,
    stateless_fold_in=fold_in,
    stateless_shuffle=_stateless_shuffle,
    stateless_split=split,
)
"""What TensorFlow keeps in ``random.experimental``."""

__all__ = [
    "Algorithm", "Generator", "categorical", "create_rng_state", "experimental", "fold_in", "gamma",
    "get_global_generator", "normal", "poisson", "set_global_generator", "set_seed", "shuffle",
    "split", "stateless_binomial", "stateless_categorical", "stateless_gamma", "stateless_normal",
    "stateless_parameterized_truncated_normal", "stateless_poisson", "stateless_truncated_normal",
    "stateless_uniform", "truncated_normal", "uniform",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
