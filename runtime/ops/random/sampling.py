"""Op definitions of random numbers: distributions, drawn from a stream or from a seed.

random_seed.py says where streams begin and how global seeds and seeds of ops combine.
"""

from __future__ import annotations

import binascii
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array.constants import cast_op
from runtime.ops.op import RAISES, SEEDS, STATEFUL, Missing, define
from runtime.ops.random_seed import (
    PROCESS,
    STRIDE,
    RandomSource,
    RandomStream,
    current_random_state,
    generator,
)
from runtime.ops.resource.variable import VariableStorage
from runtime.ops.rules.inference import (
    broadcast,
    nothing,
    shape_from,
)
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.lowering import ByKernel, Control
from runtime.ops.rules.samples import OpSample, array, case
from runtime.ops.rules.static_arguments import dims_of, whole_numbers
from runtime.types.aliases import DTypeLike, ShapeLike, TensorLike
from runtime.types.dtypes import Array, DType, as_dtype, float32, int32, uint64
from runtime.types.errors import InvalidArgumentError
from runtime.types.shapes import TensorShape, TensorSpec
from runtime.types.value import Value

__all__ = [  # the flat names of TensorFlow 1; the others stand in runtime.random
    "random_gamma", "random_normal", "random_poisson", "random_uniform", "set_random_seed",
    "truncated_normal",
]  # fmt: skip


# -- seeds ----------------------------------------------------------------------------------------

_SOURCES: dict[Any, RandomSource] = {}


def _root(current: Any) -> Any:
    """The outermost graph that records now, unless it is a function's; else None."""
    while getattr(current, "outer", None) is not None:
        current = current.outer
    return None if current.eager or current.temporary else current


def source_of(kind: str, seed: int | None) -> RandomSource:
    """What one application of a random op draws from."""
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int | np.integer)):
        raise TypeError(f"seed must be an int or None, got {seed!r}")
    number = None if seed is None else int(seed)
    root = _root(dispatch.current())
    base = None if root is None else getattr(root, "seed", None)
    if root is not None and base is None:
        base = PROCESS.seed
    key = (kind, number, base)
    source = _SOURCES.get(key)
    if source is None:
        source = _SOURCES[key] = RandomSource(number, binascii.crc32(kind.encode()), base)
    return source


set_seed_op = define(
    "set_seed", inputs="", kernel=lambda *, seed: _set_seed(seed), infer=nothing, grad=None,
    node_name="SetSeed", traits=(STATEFUL, SEEDS), samples=Missing("it has no outputs"),
    doc="Restart all streams of random numbers from a global seed.",
)  # fmt: skip


def _set_seed(seed: int) -> tuple[()]:
    current_random_state().reset(seed)
    return ()


def set_seed(seed: int) -> None:
    """Set the global seed, from which all random ops start anew.

    In a graph that is built by hand it is the seed of the ops made from then on; a function sets it
    each time that it gets there.

    Args:
        seed: Python int.
    Returns:
        None.
    Raises:
        TypeError: ``seed`` is no int.
    """
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
        raise TypeError(f"set_seed: seed must be an int, got {seed!r}")
    current = dispatch.current()
    root = _root(current)
    if current is root:
        setattr(root, "seed", int(seed))  # noqa: B010 - only graphs have one
    else:
        set_seed_op(seed=int(seed))


# -- kernels --------------------------------------------------------------------------------------


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
    return (_within(rng, dims, np.float64(-2), np.float64(2)) * stddev + mean).astype(mean.dtype)


def _within(rng: Any, dims: Any, low: Any, high: Any) -> Any:
    """Normally distributed numbers between two limits: those outside are drawn anew."""
    low, high = np.broadcast_to(low, dims), np.broadcast_to(high, dims)
    values = rng.standard_normal(dims)
    wrong = (values < low) | (values > high)
    for _ in range(100):
        if not np.any(wrong):
            return values
        values = np.where(wrong, rng.standard_normal(dims), values)
        wrong = (values < low) | (values > high)
    return np.where(wrong, rng.uniform(low, high, dims), values)  # far out, where it is flat


def _draw_between(
    rng: Any, dims: Any, means: Array, stddevs: Array, minvals: Array, maxvals: Array
) -> Any:
    if np.any(minvals >= maxvals):
        raise InvalidArgumentError(f"Need minvals < maxvals, got {minvals} >= {maxvals}")
    low, high = (minvals - means) / stddevs, (maxvals - means) / stddevs
    return (_within(rng, dims, low, high) * stddevs + means).astype(means.dtype)


def _draw_gamma(rng: Any, dims: Any, alpha: Array, beta: Array) -> Any:
    drawn = (rng.standard_gamma(alpha, dims) / beta).astype(alpha.dtype)
    return np.maximum(drawn, np.finfo(alpha.dtype).tiny)  # never 0, as in TensorFlow


def _draw_poisson(rng: Any, dims: Any, lam: Array, *, dtype: DType) -> Any:
    endless = np.isposinf(lam) & dtype.is_floating
    if not np.all((lam >= 0) & ((lam <= _MOST) | endless)):
        raise InvalidArgumentError(f"poisson: lam must be from 0 to {_MOST:g}, got {lam}")
    drawn = rng.poisson(np.where(endless, 0, lam), dims).astype(dtype.as_numpy_dtype)
    return np.where(endless, lam, drawn).astype(drawn.dtype)


_MOST = 9e18
"""The largest rate that NumPy draws for: beyond it numbers have more than 64 bits."""


def _draw_binomial(rng: Any, dims: Any, counts: Array, probs: Array, *, dtype: DType) -> Any:
    if np.any((probs < 0) | (probs > 1)) or np.any(counts < 0):
        raise InvalidArgumentError("binomial: counts must be 0 or more, probs from 0 to 1")
    return rng.binomial(counts.astype(np.int64), probs, dims).astype(dtype.as_numpy_dtype)


def _draw_whole(rng: Any, dims: Any, *, dtype: DType) -> Any:
    kind = np.dtype(dtype.as_numpy_dtype)
    return rng.integers(np.iinfo(kind).min, np.iinfo(kind).max, dims, kind, endpoint=True)


# -- op definitions -----------------------------------------------------------------------------


def _dims(shape: Array, parameters: Any, inner: bool) -> tuple[int, ...]:
    """The shape to draw; ``inner``: each of the parameters' places gets numbers of ``shape``."""
    requested = dims_of(shape)
    if not any(p.ndim for p in parameters):
        return requested
    joined = np.broadcast_shapes(*[p.shape for p in parameters])
    if inner:
        return (*requested, *joined)
    return np.broadcast_shapes(requested, joined)


def _from_stream(draw: Any) -> Any:
    def kernel(shape: Array, *parameters: Array, stream: Any, inner: bool, **attrs: Any) -> Any:
        dims = _dims(shape, parameters, inner)
        with stream.drawing() as rng, np.errstate(all="ignore"):
            return draw(rng, dims, *parameters, **attrs)

    return kernel


def _from_seed(draw: Any) -> Any:
    def kernel(shape: Array, *parameters: Array, words: int, inner: bool, **attrs: Any) -> Any:
        *distribution, seed = parameters
        if seed.shape != (words,):
            raise InvalidArgumentError(
                f"seed must have shape [{words}], not {list(seed.shape)}"
            )
        rng = generator_of(seed)
        return draw(rng, _dims(shape, distribution, inner), *distribution, **attrs)

    return kernel


def generator_of(seed: Array) -> Any:
    """NumPy's generator for two words of a seed, or three of a Generator's state."""
    words = [int(word) & (2**64 - 1) for word in seed]
    if len(words) == 2:
        return generator(*seed.tolist())
    low, high, key = words
    counter = (high << 64 | low) << 64  # below it, the numbers of one draw are counted
    return np.random.Generator(np.random.Philox(key=key, counter=counter))


def _drawn(
    shape: TensorSpec, *parameters: TensorSpec, inner: bool, words: int = 0,
    dtype: DType | None = None, stream: Any = None,
) -> TensorSpec:  # fmt: skip
    distribution = parameters[:-1] if words else parameters
    if words and not parameters[-1].shape.is_compatible_with([words]):
        raise InvalidArgumentError(
            f"seed must have shape [{words}], not {parameters[-1].shape}"
        )
    requested = shape_from(shape)
    joined = broadcast(*distribution).shape if distribution else TensorShape(())
    kind = distribution[0].dtype if dtype is None else dtype
    if inner:
        return TensorSpec(requested.concatenate(joined), kind)
    return TensorSpec(broadcast(TensorSpec(requested), TensorSpec(joined)).shape, kind)


def _definitions(name: str, draw: Any, node_name: str, names: str, dtype_kinds: str, doc: str,
          samples: Any, inner: bool = False, grad: Any = None,
          lower: Control | ByKernel = ByKernel("NumPy draws it")) -> Any:  # fmt: skip
    """Define the stateful op of a distribution and its stateless twin."""
    count = len(names.split())
    same_dtype_inputs = slice(1, 1 + count)
    shared: dict[str, Any] = {"grad": grad, "infer": _drawn}
    if count:
        shared |= {"dtype_kinds": dtype_kinds, "same_dtype_inputs": same_dtype_inputs}
    else:
        shared["same_dtype_inputs"] = None

    def with_stream() -> list[OpSample]:
        extra = {"stream": RandomStream(1, 2), "inner": inner}
        return [OpSample(c.inputs, {**c.attrs, **extra}) for c in samples()]

    def with_seed() -> list[OpSample]:
        cases = []
        for c in samples():
            joined = np.broadcast_shapes(*[np.shape(p) for p in c.inputs[1:]])
            shape = array([*c.inputs[0].tolist(), *joined]) if inner else c.inputs[0]
            seed = np.array([3, 4])
            cases.append(OpSample((shape, *c.inputs[1:], seed), {
                **c.attrs, "inner": False, "words": 2,
            }))  # fmt: skip
        return cases

    stateful = define(
        f"random_{name}", inputs=f"shape {names}", kernel=_from_stream(draw),
        node_name=node_name, traits=(STATEFUL,), samples=with_stream, lower=lower,
        doc=f"{doc}, from a stream.", **shared,
    )  # fmt: skip
    stateless = define(
        f"stateless_random_{name}", inputs=f"shape {names} seed",
        kernel=_from_seed(draw), node_name=f"Stateless{node_name}", samples=with_seed, lower=lower,
        doc=f"{doc}, a function of the seed.", **shared,
    )  # fmt: skip
    return stateful, stateless


def _two(with_number: bool = False) -> Any:
    def samples() -> list[OpSample]:
        numbers = [case([2, 3], 1, 7)] if with_number else []
        return [case([2, 3], 0.5, 2.0), case(np.zeros(0, np.int32), -1.0, 0.5), *numbers]

    return samples


uniform_op, stateless_uniform_op = _definitions(
    "uniform", _draw_uniform, "RandomUniform", "minval maxval", "iuf",
    "Draw numbers from ``minval`` to before ``maxval``, all equally likely", _two(with_number=True),
    grad=lazy_gradient("random.uniform"), lower=Control("draw_uniform"),
)  # fmt: skip
normal_op, stateless_normal_op = _definitions(
    "normal", _draw_normal, "RandomStandardNormal", "mean stddev", "f",
    "Draw normally distributed numbers", _two(), grad=lazy_gradient("random.normal"),
    lower=Control("draw_normal"),
)  # fmt: skip
truncated_op, stateless_truncated_op = _definitions(
    "truncated_normal", _draw_truncated, "TruncatedNormal", "mean stddev", "f",
    "Draw normally distributed numbers at most two deviations from the mean", _two(),
    grad=lazy_gradient("random.normal"), lower=Control("draw_truncated"),
)  # fmt: skip
between_op, stateless_between_op = _definitions(
    "parameterized_truncated_normal", _draw_between, "ParameterizedTruncatedNormal",
    "means stddevs minvals maxvals", "f", "Draw normally distributed numbers between two limits",
    lambda: [case([2, 3], 0.0, 1.0, -1.0, 0.5), case([4], 0.0, 1.0, 9.0, 9.5)],
    grad=Missing("the derivative of what is drawn by its limits is not written"),
)  # fmt: skip
gamma_op, stateless_gamma_op = _definitions(
    "gamma", _draw_gamma, "RandomGamma", "alpha beta", "f", "Draw gamma distributed numbers",
    lambda: [case([2], [0.5, 3.0], [1.0, 2.0]), case([2, 3], 1.0, 2.0)], inner=True,
    grad=lazy_gradient("random.gamma"),
)  # fmt: skip
poisson_op, stateless_poisson_op = _definitions(
    "poisson", _draw_poisson, "RandomPoissonV2", "lam", "f", "Draw Poisson distributed numbers",
    lambda: [case([2], [0.5, 30.0], dtype=float32), case([2, 3], 1.0, dtype=int32)], inner=True,
)  # fmt: skip
binomial_op, stateless_binomial_op = _definitions(
    "binomial", _draw_binomial, "RandomBinomial", "counts probs", "f",
    "Draw binomially distributed numbers",
    lambda: [case([2, 3], 10.0, [0.1, 0.5, 0.9], dtype=int32)],
)  # fmt: skip
whole_op, stateless_whole_op = _definitions(
    "uniform_full_int", _draw_whole, "RandomUniformFullInt", "", "",
    "Draw integers, all of the dtype equally likely",
    lambda: [case([2, 3], dtype=int32), case([2], dtype=uint64)], lower=Control("draw_whole"),
)  # fmt: skip


def _skipped(state: Array, delta: Array) -> Any:
    low, high, key = (int(word) & (2**64 - 1) for word in state)
    counter = ((high << 64 | low) + int(delta) * STRIDE) & (2**128 - 1)
    words = [counter & (2**64 - 1), counter >> 64, key]
    return np.array(words, np.uint64).astype(np.int64)


def _read_and_skip(delta: Array, *, storage: VariableStorage) -> Array:
    with storage.lock:
        before = storage.read()
        storage.write(_skipped(before, delta))
    return before


skip_op = define(
    "rng_read_and_skip",
    inputs="delta",
    kernel=_read_and_skip,
    infer=lambda delta, *, storage: TensorSpec(storage.shape, storage.dtype),
    grad=None,
    node_name="RngReadAndSkip",
    traits=(STATEFUL, RAISES),
    lower=Control("skip_draws"),
    doc="Return the state of a random generator in ``storage``, and advance its counter at once.",
)


# -- functions ------------------------------------------------------------------------------------


def parameters_of(low: Any, high: Any, dtype: DType) -> tuple[Any, Any]:
    """Two parameters as tensors of a dtype; the second is 1 where a floating dtype allows that."""
    if high is None:
        if dtype.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")
        high = 1
    return dispatch.convert(low, dtype), dispatch.convert(high, dtype)


def _drawing(kind: str, dtype: DType, seed: int | None) -> dict[str, Any]:
    """The attributes of a stateful op: ops of one kind and dtype with one seed share a stream."""
    return {"stream": source_of(f"{kind} {dtype.name}", seed), "inner": False}


BY_SEED = {"inner": False, "words": 2}


def check_algorithm(alg: Any) -> None:
    """ValueError unless it is Philox, or left open."""
    name = getattr(alg, "name", alg)
    if isinstance(name, str):
        name = name.upper()
    if name not in (None, "PHILOX", "AUTO_SELECT", 1, 3):
        raise ValueError(f"Unsupported algorithm {alg!r}: there is 'philox' only")


def uniform(shape: ShapeLike, minval: TensorLike = 0, maxval: TensorLike | None = None,
            dtype: DTypeLike = float32, seed: int | None = None,
            name: str | None = None) -> Any:  # fmt: skip
    """Draw uniformly distributed numbers.

    By the Philox generator: Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3
    (2011).

    Args:
        shape: shape of the result; it may be a tensor.
        minval: least number, a tensor that broadcasts to ``shape``.
        maxval: limit, itself left out; 1 by default; integers need it.
        dtype: floating or integer dtype of the result.
        seed: Python int of this op, or None.
    Returns:
        Tensor of shape ``shape`` and of dtype ``dtype``.
    Raises:
        ValueError: ``dtype`` is an integer dtype and ``maxval`` is None.
        InvalidArgumentError: integers with ``minval >= maxval``, or a size is negative (also a
            ValueError).
        TypeError: ``seed`` is no int.
    """
    kind = as_dtype(dtype)
    low, high = parameters_of(minval, maxval, kind)
    attrs = _drawing("uniform", kind, seed)
    return uniform_op(whole_numbers(shape), low, high, name=name, **attrs)


def normal(shape: ShapeLike, mean: TensorLike = 0.0, stddev: TensorLike = 1.0,
           dtype: DTypeLike = float32, seed: int | None = None,
           name: str | None = None) -> Any:  # fmt: skip
    """Draw normally distributed numbers.

    By the ziggurat method: Marsaglia and Tsang: The Ziggurat Method for Generating Random Variables
    (2000).

    Args:
        shape: shape of the result; it may be a tensor.
        mean: mean, a tensor that broadcasts to ``shape``.
        stddev: standard deviation, a tensor that broadcasts to ``shape``.
        dtype: floating dtype of the result.
        seed: Python int of this op, or None.
    Returns:
        Tensor of shape ``shape`` and of dtype ``dtype``.
    Raises:
        TypeError: ``dtype`` is not floating, or ``seed`` is no int.
    """
    kind = as_dtype(dtype)
    first, second = parameters_of(mean, stddev, kind)
    attrs = _drawing("normal", kind, seed)
    return normal_op(whole_numbers(shape), first, second, name=name, **attrs)


def truncated_normal(shape: ShapeLike, mean: TensorLike = 0.0, stddev: TensorLike = 1.0,
                     dtype: DTypeLike = float32, seed: int | None = None,
                     name: str | None = None) -> Any:  # fmt: skip
    """Draw normally distributed numbers within two standard deviations of the mean, by rejection.

    Args:
        shape: shape of the result; it may be a tensor.
        mean: mean, a tensor that broadcasts to ``shape``.
        stddev: standard deviation before truncation, a tensor that broadcasts to ``shape``.
        dtype: floating dtype of the result.
        seed: Python int of this op, or None.
    Returns:
        Tensor of shape ``shape`` and of dtype ``dtype``.
    Raises:
        TypeError: ``dtype`` is not floating, or ``seed`` is no int.
    """
    kind = as_dtype(dtype)
    first, second = parameters_of(mean, stddev, kind)
    attrs = _drawing("truncated", kind, seed)
    return truncated_op(whole_numbers(shape), first, second, name=name, **attrs)


def gamma(shape: ShapeLike, alpha: TensorLike, beta: TensorLike | None = None,
          dtype: DTypeLike = float32, seed: int | None = None,
          name: str | None = None) -> Any:  # fmt: skip
    """Draw gamma distributed numbers, ``shape`` of them for each pair of parameters.

    For ``alpha`` above 1: Marsaglia and Tsang: A Simple Method for Generating Gamma Variables
    (2000).

    Args:
        shape: shape of the numbers for one pair of parameters.
        alpha: shape parameter, a tensor above 0.
        beta: rate, a tensor above 0 that broadcasts with ``alpha``; 1 by default.
        dtype: floating dtype of the result.
        seed: Python int of this op, or None.
    Returns:
        Tensor of dtype ``dtype``: ``shape``, then the parameters' broadcast shape.
    Raises:
        ValueError: ``dtype`` is an integer dtype and ``beta`` is None.
        TypeError: ``dtype`` is not floating, or ``seed`` is no int.
    """
    first, second = parameters_of(alpha, beta, as_dtype(dtype))
    attrs = {**_drawing("gamma", as_dtype(dtype), seed), "inner": True}
    return gamma_op(whole_numbers(shape), first, second, name=name, **attrs)


def poisson(shape: ShapeLike, lam: TensorLike, dtype: DTypeLike = float32, seed: int | None = None,
            name: str | None = None) -> Any:  # fmt: skip
    """Draw Poisson distributed numbers, ``shape`` of them for each rate.

    For rates of 10 and more Hörmann: The Transformed Rejection Method for Generating Poisson Random
    Variables (1993).

    Args:
        shape: shape of the numbers for one rate.
        lam: rates, a tensor of a floating dtype, 0 or more.
        dtype: dtype of the result.
        seed: Python int of this op, or None.
    Returns:
        Tensor of dtype ``dtype``: ``shape``, then the shape of ``lam``.
    Raises:
        InvalidArgumentError: a rate is negative or too large.
        TypeError: ``seed`` is no int.
    """
    kind = as_dtype(dtype)
    attrs = {**_drawing("poisson", kind, seed), "inner": True, "dtype": kind}
    return poisson_op(whole_numbers(shape), floats_of(lam), name=name, **attrs)


def floats_of(value: Any) -> Any:
    """A parameter as a floating tensor."""
    tensor = dispatch.convert(value)
    return tensor if tensor.dtype.is_floating else cast_op(tensor, dtype=float32)


def seed_of(seed: Any) -> Any:
    """A seed as a tensor of whole numbers."""
    return whole_numbers(seed, "seed")


def trials(counts: Any, probs: Any) -> tuple[Any, Any]:
    """Counts and probabilities as tensors of one floating dtype."""
    chances = floats_of(probs)
    tensor = dispatch.convert(counts) if isinstance(counts, Value) else counts
    dtype = getattr(tensor, "dtype", chances.dtype)
    if isinstance(tensor, Value) and dtype is not chances.dtype:
        tensor = cast_op(tensor, dtype=chances.dtype)
    return dispatch.convert(tensor, chances.dtype), chances


random_gamma = gamma
random_normal = normal


def random_poisson(lam: TensorLike, shape: ShapeLike, dtype: DTypeLike = float32,
                   seed: int | None = None, name: str | None = None) -> Any:  # fmt: skip
    """Draw Poisson distributed numbers as ``random.poisson`` does, with TensorFlow 1's order of
    arguments.

    Args:
        lam: rates, a tensor of a floating dtype, 0 or more.
        shape: shape of the numbers for one rate.
        dtype: dtype of the result.
        seed: Python int of this op, or None.
    Returns:
        Tensor of dtype ``dtype``: ``shape``, then the shape of ``lam``.
    Raises:
        InvalidArgumentError: a rate is negative or too large.
        TypeError: ``seed`` is no int.
    """
    return poisson(shape, lam, dtype, seed, name)


random_uniform = uniform
set_random_seed = set_seed
