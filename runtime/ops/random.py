"""Rows of random numbers, and the seeds they start from.

Each application draws from a stream of its own.  With a global seed (``set_seed``), the k-th
application without a seed of its own gets stream k, so a program draws the same numbers eagerly
and as a graph.  With a seed of its own, eager calls with equal seeds share a stream.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any

import numpy as np

from runtime import interpreter
from runtime.dtypes import Array, DType, as_dtype, float32, int64
from runtime.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.facets.arguments import dims_of, whole_numbers
from runtime.facets.derivatives import written
from runtime.facets.infer import broadcast_last, same, scalar_value, shape_from
from runtime.facets.kernels import checked
from runtime.facets.samples import case, spread
from runtime.op import STATEFUL, Missing, define
from runtime.types import TensorSpec

__all__ = [  # the flat names of TensorFlow 1; the others stand in runtime.random
    "random_normal", "random_shuffle", "random_uniform", "set_random_seed", "truncated_normal",
]  # fmt: skip

MASK = 2**63 - 1


class Stream:
    """A source of random numbers that goes on from draw to draw."""

    __slots__ = ("_generator", "lock", "seed")

    def __init__(self, *seed: int) -> None:
        self.seed = seed
        self._generator: Any = None
        self.lock = threading.Lock()

    @property
    def generator(self) -> Any:
        """NumPy's generator, made on first use: importing numpy.random takes a while."""
        if self._generator is None:
            self._generator = _generator(*self.seed)
        return self._generator

    def __repr__(self) -> str:
        return f"<random stream {self.seed or 'without seed'}>"


def _generator(*seed: int) -> Any:
    return np.random.Generator(np.random.Philox([s & MASK for s in seed] if seed else None))


def _program(current: Any) -> Any:
    """What counts its random ops together: a graph with its branches and bodies, or the rest.

    A function that is traced under eager execution goes on counting where eager calls stopped.
    """
    while getattr(current, "outer", None) is not None:
        current = current.outer
    return EAGER if current.eager or current.temporary else current


class _Eager:
    """Stands for eager execution among the programs."""


EAGER = _Eager()


class _Seeds:
    """The global seed, and what was drawn under it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.reset(None)

    def reset(self, seed: int | None) -> None:
        self.seed = seed
        self.counts: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self.streams: dict[tuple[int, int], Stream] = {}

    def next_stream(self, seed: int | None) -> Stream:
        """The stream of one application of a random op."""
        current = interpreter.current()
        with self.lock:
            if seed is None and self.seed is None:
                return Stream()
            if seed is None:
                assert self.seed is not None
                program = _program(current)
                count = self.counts[program] = self.counts.get(program, 0) + 1
                return Stream(self.seed, count)
            key = (DEFAULT_SEED if self.seed is None else self.seed, int(seed))
            if not current.eager:
                return Stream(*key)
            return self.streams.setdefault(key, Stream(*key))


DEFAULT_SEED = 87654321
_seeds = _Seeds()


def set_seed(seed: int) -> None:
    """Set the global seed, from which all random ops without a seed of their own start anew."""
    if not isinstance(seed, int | np.integer):
        raise TypeError(f"set_seed: seed must be an int, got {seed!r}")
    with _seeds.lock:
        _seeds.reset(int(seed))


def _draw_uniform(rng: Any, dims: Any, low: Array, high: Array) -> Any:
    dtype = low.dtype
    if dtype.kind in "iu":
        if np.any(low >= high):
            raise InvalidArgumentError(f"Need minval < maxval, got {low} >= {high}")
        return rng.integers(low, high, dims, dtype)
    base = rng.random(dims, np.float64 if dtype == np.float64 else np.float32).astype(dtype)
    result = base * (high - low) + low
    return np.minimum(result, np.nextafter(high, low)).astype(dtype)  # rounding may reach maxval


def _draw_normal(rng: Any, dims: Any, mean: Array, stddev: Array) -> Any:
    dtype = mean.dtype
    kind = np.float64 if dtype == np.float64 else np.float32
    return (rng.standard_normal(dims, kind) * stddev + mean).astype(dtype)


def _draw_truncated(rng: Any, dims: Any, mean: Array, stddev: Array) -> Any:
    dtype = mean.dtype
    values = rng.standard_normal(dims)
    wrong = np.abs(values) > 2
    while np.any(wrong):  # one draw in 22 lies farther out than two deviations
        values = np.where(wrong, rng.standard_normal(dims), values)
        wrong = np.abs(values) > 2
    return (values * stddev + mean).astype(dtype)


def _dims(shape: Array, first: Array, second: Array) -> tuple[int, ...]:
    return np.broadcast_shapes(dims_of(shape), first.shape, second.shape)


def _from_stream(draw: Any) -> Any:
    def kernel(shape: Array, first: Array, second: Array, *, stream: Stream) -> Any:
        with stream.lock:
            return draw(stream.generator, _dims(shape, first, second), first, second)

    return kernel


def _from_seed(draw: Any) -> Any:
    def kernel(shape: Array, first: Array, second: Array, seed: Array) -> Any:
        if seed.shape != (2,):
            raise InvalidArgumentError(f"seed must have shape [2], not {list(seed.shape)}")
        return draw(_generator(*seed.tolist()), _dims(shape, first, second), first, second)

    return kernel


def _drawn(
    shape: TensorSpec, first: TensorSpec, second: TensorSpec, *_: TensorSpec, **attrs: Any
) -> TensorSpec:
    return broadcast_last(TensorSpec(shape_from(shape)), second, first)


def _rows(name: str, draw: Any, label: str, names: str, kinds: str, doc: str) -> Any:
    """The stateful row of a distribution and its stateless twin."""
    grad = written("random.uniform" if name == "uniform" else "random.normal")
    whole = [case([2, 3], 1, 7)] if "i" in kinds else []
    samples = [case([2, 3], 0.5, 2.0), case(np.zeros(0, np.int32), -1.0, 0.5), *whole]
    stateful = define(
        f"random_{name}", inputs=f"shape {names}", together=slice(1, 3), kinds=kinds,
        kernel=checked(_from_stream(draw), _drawn), infer=_drawn, grad=grad, label=label,
        traits=(STATEFUL,),
        samples=lambda: [case(*c.inputs, stream=Stream(1, 2)) for c in samples],
        doc=f"{doc}, from a stream that goes on.",
    )  # fmt: skip
    stateless = define(
        f"stateless_random_{name}", inputs=f"shape {names} seed", together=slice(1, 3),
        kinds=kinds, kernel=checked(_from_seed(draw), _drawn), infer=_drawn, grad=grad,
        label=f"Stateless{label}",
        samples=lambda: [case(*c.inputs, [3, 4]) for c in samples],
        doc=f"{doc}: the same for the same seed.",
    )  # fmt: skip
    return stateful, stateless


uniform_op, stateless_uniform_op = _rows(
    "uniform", _draw_uniform, "RandomUniform", "minval maxval", "iuf",
    "Numbers from ``minval`` to before ``maxval``, all equally likely",
)  # fmt: skip
normal_op, stateless_normal_op = _rows(
    "normal", _draw_normal, "RandomStandardNormal", "mean stddev", "f",
    "Normally distributed numbers",
)  # fmt: skip
truncated_op, stateless_truncated_op = _rows(
    "truncated_normal", _draw_truncated, "TruncatedNormal", "mean stddev", "f",
    "Normally distributed numbers at most two deviations from the mean",
)  # fmt: skip


def _ends(low: Any, high: Any, dtype: DType) -> tuple[Any, Any]:
    if high is None:
        if dtype.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")
        high = 1
    return interpreter.convert(low, dtype), interpreter.convert(high, dtype)


def uniform(shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = float32,
            seed: int | None = None, name: str | None = None) -> Any:  # fmt: skip
    """Numbers from ``minval`` to before ``maxval`` (1; integers need one), equally likely."""
    low, high = _ends(minval, maxval, as_dtype(dtype))
    return uniform_op(whole_numbers(shape), low, high, stream=_seeds.next_stream(seed), name=name)


def normal(shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32,
           seed: int | None = None, name: str | None = None) -> Any:  # fmt: skip
    """Normally distributed numbers."""
    first, second = _ends(mean, stddev, as_dtype(dtype))
    return normal_op(whole_numbers(shape), first, second, stream=_seeds.next_stream(seed),
                     name=name)  # fmt: skip


def truncated_normal(shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32,
                     seed: int | None = None, name: str | None = None) -> Any:  # fmt: skip
    """Normally distributed numbers, drawn anew when more than two deviations from the mean."""
    first, second = _ends(mean, stddev, as_dtype(dtype))
    return truncated_op(whole_numbers(shape), first, second, stream=_seeds.next_stream(seed),
                        name=name)  # fmt: skip


def stateless_uniform(shape: Any, seed: Any, minval: Any = 0, maxval: Any = None,
                      dtype: Any = float32, name: str | None = None) -> Any:  # fmt: skip
    """As ``uniform``, but a function of ``seed`` (two whole numbers) alone."""
    low, high = _ends(minval, maxval, as_dtype(dtype))
    return stateless_uniform_op(whole_numbers(shape), low, high, seed, name=name)


def stateless_normal(shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0,
                     dtype: Any = float32, name: str | None = None) -> Any:  # fmt: skip
    """As ``normal``, but a function of ``seed`` (two whole numbers) alone."""
    first, second = _ends(mean, stddev, as_dtype(dtype))
    return stateless_normal_op(whole_numbers(shape), first, second, seed, name=name)


def stateless_truncated_normal(shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0,
                               dtype: Any = float32, name: str | None = None) -> Any:  # fmt: skip
    """As ``truncated_normal``, but a function of ``seed`` (two whole numbers) alone."""
    first, second = _ends(mean, stddev, as_dtype(dtype))
    return stateless_truncated_op(whole_numbers(shape), first, second, seed, name=name)


def _shuffle(value: Array, *, stream: Stream) -> Any:
    if not value.ndim:
        return value
    with stream.lock:
        return value[stream.generator.permutation(len(value))]


shuffle_op = define(
    "random_shuffle", inputs="value", together=None, kernel=_shuffle, infer=same,
    grad=Missing("its order is not among its outputs: gather by a shuffled range instead"),
    label="RandomShuffle", traits=(STATEFUL,),
    samples=lambda: [case(spread(0, 1, 5, 2), stream=Stream(1, 2))],
    doc="The entries along the first axis in a random order.",
)  # fmt: skip


def shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Any:
    """The entries of ``value`` along its first axis in a random order."""
    return shuffle_op(value, stream=_seeds.next_stream(seed), name=name)


def _categorical(logits: Array, num_samples: Array, *, dtype: DType, stream: Stream) -> Any:
    with stream.lock:
        noise = stream.generator.gumbel(size=(len(logits), int(num_samples), logits.shape[1]))
    return np.argmax(logits[:, None, :] + noise, -1).astype(dtype.as_numpy_dtype)


def _categorical_infer(
    logits: TensorSpec, num_samples: TensorSpec, *, dtype: DType, stream: Stream
) -> TensorSpec:
    if logits.shape.dims is not None and len(logits.shape.dims) != 2:
        raise IncompatibleShapesError(f"logits should be a matrix, got shape {logits.shape}")
    count = scalar_value(num_samples, "num_samples")
    if count is not None and count < 0:
        raise InvalidArgumentError(f"num_samples must be 0 or more, got {count}")
    return TensorSpec([logits.shape.with_rank(2)[0], count], dtype)


categorical_op = define(
    "random_categorical", inputs="logits num_samples", together=slice(0, 1),
    kernel=checked(_categorical, _categorical_infer),
    infer=_categorical_infer, kinds="f", grad=None, label="Multinomial", traits=(STATEFUL,),
    samples=lambda: [case(spread(-2, 2, 3, 4), 5, dtype=int64, stream=Stream(1, 2))],
    doc="Numbers of classes, drawn by their unnormalised log-probabilities.",
)  # fmt: skip


def categorical(logits: Any, num_samples: Any, dtype: Any = None, seed: int | None = None,
                name: str | None = None) -> Any:  # fmt: skip
    """``num_samples`` class numbers for each row of unnormalised log-probabilities."""
    wanted = int64 if dtype is None else as_dtype(dtype)
    stream = _seeds.next_stream(seed)
    return categorical_op(logits, num_samples, dtype=wanted, stream=stream, name=name)


random_normal = normal
random_shuffle = shuffle
random_uniform = uniform
set_random_seed = set_seed
