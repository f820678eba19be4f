"""``random.Generator``: random number generator whose state is a variable.

The state is a counter of two words and a key of one, for the counter-based generator Philox
(Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011).  Each draw reads the state
and advances the counter: effects in program order, the same in every mode.
"""

from __future__ import annotations

import enum
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import cast_op, convert_to_tensor
from runtime.ops.math.reduction import reduce_prod
from runtime.ops.random import sampling
from runtime.ops.rules.static_arguments import whole_numbers
from runtime.state.variable import Variable
from runtime.types.aliases import DTypeLike, ShapeLike, TensorLike
from runtime.types.dtypes import as_dtype, float32, int32, int64, uint64
from runtime.types.value import Value

__all__ = [
    "Algorithm", "Generator", "create_rng_state", "get_global_generator", "set_global_generator",
]  # fmt: skip

class Algorithm(enum.Enum):
    """Algorithms of random numbers: only Philox is implemented; AUTO_SELECT means it."""

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


class Generator:
    """Random number generator with its own state, an int64 variable of shape (3,).

    It is made by ``from_seed``, ``from_state``, ``from_key_counter`` or
    ``from_non_deterministic_state``, or as a copy: ``Generator(copy_from=other)``.  A Variable as
    ``state`` is shared, not copied.  ValueError for a state of another shape, and for an algorithm
    other than Philox.
    """

    def __init__(self, copy_from: Any = None, state: Any = None, alg: Any = None) -> None:
        if (copy_from is None) == (state is None):
            raise ValueError("Generator needs one of copy_from and state")
        sampling.check_algorithm(alg)
        if isinstance(state, Variable):
            _state(state)  # raises for another shape
            self._state = state
            return
        start = copy_from.state.read_value() if copy_from is not None else _state(state)
        self._state = Variable(start, trainable=False, name="StateVar", dtype=int64)

    @classmethod
    def from_seed(cls, seed: TensorLike, alg: Any = None) -> Generator:
        """Make a generator from an integer seed, or up to three."""
        return cls(state=_state_of_seed(seed), alg=alg)

    @classmethod
    def from_state(cls, state: Any, alg: Any) -> Generator:
        """Make a generator from the state of another one, of shape (3,)."""
        return cls(state=state, alg=alg)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any) -> Generator:
        """Make a generator from a key, a scalar, and a counter of shape (2,)."""
        return cls(state=_of_key_counter(key, counter), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """Make a generator from the operating system's random numbers."""
        words = np.frombuffer(os.urandom(24), np.int64)
        return cls(state=words, alg=alg)

    def _checkpoint_children(self) -> Iterator[tuple[str, Any]]:
        """Yield what checkpoints and saved models hold."""
        yield "_state_var", self._state

    @property
    def state(self) -> Variable:
        """Variable of the state: int64, shape (3,)."""
        return self._state

    @property
    def algorithm(self) -> int:
        """Number of the algorithm: 1, Philox."""
        return Algorithm.PHILOX.value

    @property
    def key(self) -> Any:
        """Key, an int64 scalar."""
        return self._state.read_value()[2]

    def reset(self, state: Any) -> None:
        """Set the state."""
        self._state.assign(_state(state))

    def reset_from_seed(self, seed: TensorLike) -> None:
        """Set the state that a seed gives."""
        self._state.assign(_state_of_seed(seed))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Set the state from a key, a scalar, and a counter of shape (2,)."""
        self._state.assign(_of_key_counter(key, counter))

    def skip(self, delta: TensorLike) -> Any:
        """Advance the state as ``delta`` draws would; return the state before."""
        numbers = cast_op(whole_numbers(delta, "delta"), dtype=int64)
        return sampling.skip_op(numbers, storage=self._state._storage)

    def _sample(self, op: Any, shape: Any, parameters: Any, **attrs: Any) -> Any:
        sizes = whole_numbers(shape)
        state = self.skip(reduce_prod(cast_op(sizes, dtype=int64)))
        return op(sizes, *parameters, state, inner=False, words=3, **attrs)

    def normal(self, shape: ShapeLike, mean: TensorLike = 0.0, stddev: TensorLike = 1.0,
               dtype: DTypeLike = float32, name: str | None = None) -> Any:  # fmt: skip
        """Draw normally distributed numbers: a tensor of ``shape`` and ``dtype``, a float type.

        ``mean`` and ``stddev`` broadcast to ``shape``.
        """
        parameters = sampling.parameters_of(mean, stddev, as_dtype(dtype))
        return self._sample(sampling.stateless_normal_op, shape, parameters, name=name)

    def truncated_normal(self, shape: ShapeLike, mean: TensorLike = 0.0, stddev: TensorLike = 1.0,
                         dtype: DTypeLike = float32, name: str | None = None) -> Any:  # fmt: skip
        """Draw normally distributed numbers within two standard deviations of the mean."""
        parameters = sampling.parameters_of(mean, stddev, as_dtype(dtype))
        return self._sample(sampling.stateless_truncated_op, shape, parameters, name=name)

    def uniform(self, shape: ShapeLike, minval: TensorLike = 0, maxval: TensorLike | None = None,
                dtype: DTypeLike = float32, name: str | None = None) -> Any:  # fmt: skip
        """Draw uniformly from ``[minval, maxval)``; ``maxval`` is 1 by default, for floats only."""
        parameters = sampling.parameters_of(minval, maxval, as_dtype(dtype))
        return self._sample(sampling.stateless_uniform_op, shape, parameters, name=name)

    def uniform_full_int(
        self, shape: ShapeLike, dtype: DTypeLike = uint64, name: str | None = None
    ) -> Any:
        """Draw integers, all of the dtype equally likely."""
        kind = as_dtype(dtype)
        return self._sample(sampling.stateless_whole_op, shape, (), dtype=kind, name=name)

    def binomial(self, shape: ShapeLike, counts: TensorLike, probs: TensorLike,
                 dtype: DTypeLike = int32, name: str | None = None) -> Any:  # fmt: skip
        """Draw the number of successes among ``counts`` trials of probability ``probs``."""
        parameters = sampling.trials(counts, probs)
        kind = as_dtype(dtype)
        return self._sample(
            sampling.stateless_binomial_op, shape, parameters, dtype=kind, name=name
        )

    def make_seeds(self, count: int = 1) -> Any:
        """Draw seeds for stateless ops: int64 of shape (2, ``count``), a seed in each column."""
        keys = self.uniform_full_int([1, count], int64)
        return concat([keys, keys * 0], 0)

    def split(self, count: int = 1) -> list[Generator]:
        """Make ``count`` generators that are independent of this one and of each other."""
        keys = self.uniform_full_int([count], int64)
        return [Generator(state=_of_key_counter(keys[k], [0, 0])) for k in range(count)]

    def __repr__(self) -> str:
        return f"<Generator {self._state!r}>"


def _state(state: Any) -> Any:
    """Convert a state to an int64 tensor; ValueError unless its shape is (3,)."""
    value = state.read_value() if isinstance(state, Variable) else state
    words = convert_to_tensor(value if isinstance(value, Value) else np.int64(value))
    if not words.shape.is_compatible_with([3]):
        raise ValueError(
            f"For the Philox algorithm, the state must have shape (3,), got {words.shape}"
        )
    return cast_op(words, dtype=int64)


def _state_of_seed(seed: Any) -> Any:
    """Return the state for a seed, one integer or up to three."""
    if isinstance(seed, Value):
        number = cast_op(seed, dtype=int64)
        return concat([number[None], np.zeros(2, np.int64)], 0)
    words = [int(word) for word in np.atleast_1d(seed)]
    if len(words) > 3:
        raise ValueError(f"a seed has at most 3 words, got {seed!r}")
    state_words = [word & (2**64 - 1) for word in [*words, 0, 0][:3]]
    return np.array(state_words, np.uint64).astype(np.int64)


def create_rng_state(seed: TensorLike, alg: Any) -> Any:
    """Compute the state of a generator for a seed.

    Args:
        seed: integer, or integers, of 64 bits.
        alg: 'philox', 'threefry' or a number of ``random.Algorithm``.
    Returns:
        Vector of three int64, for ``Generator.from_state``.
    """
    sampling.check_algorithm(alg)
    return convert_to_tensor(_state_of_seed(seed))


def _of_key_counter(key: Any, counter: Any) -> Any:
    words = convert_to_tensor(
        counter if isinstance(counter, Value) else np.int64(counter)
    )
    if not words.shape.is_compatible_with([2]):
        raise ValueError(f"a counter has two words, shape (2,), got {words.shape}")
    key_tensor = convert_to_tensor(key if isinstance(key, Value) else np.int64(key))
    return concat([cast_op(words, dtype=int64), cast_op(key_tensor, dtype=int64)[None]], 0)


_global: list[Generator] = []


def get_global_generator() -> Generator:
    """Return the global generator, seeded non-deterministically on first use.

    Returns:
        Generator.
    """
    if not _global:
        with dispatch.init_scope():
            _global.append(Generator.from_non_deterministic_state())
    return _global[0]


def set_global_generator(generator: Generator) -> None:
    """Replace the global generator.

    Args:
        generator: Generator.
    Returns:
        None.
    """
    _global[:] = [generator]
