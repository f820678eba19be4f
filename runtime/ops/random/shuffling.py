"""Op definitions of random choice: permutations, positions of indices, classes by weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array.gather_scatter import slice as slice_of
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.control_flow.print_assert import assert_op
from runtime.ops.op import STATEFUL, Missing, define
from runtime.ops.random.sampling import generator_of, seed_of, source_of, uniform
from runtime.ops.random_seed import RandomStream
from runtime.ops.rules.inference import same, scalar_value
from runtime.ops.rules.kernels import checked
from runtime.ops.rules.samples import case, spread
from runtime.ops.rules.static_arguments import whole_numbers
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.dtypes import Array, DType, as_dtype, int64
from runtime.types.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.types.shapes import TensorSpec

__all__ = ["multinomial", "random_crop", "random_shuffle"]


def _shuffle(value: Array, *, stream: Any) -> Any:
    if not value.ndim:
        return value
    with stream.drawing() as rng:
        return value[rng.permutation(len(value))]


shuffle_op = define(
    "random_shuffle", inputs="value", same_dtype_inputs=None, kernel=_shuffle, infer=same,
    grad=Missing("its order is not among its outputs: gather by a shuffled range instead"),
    node_name="RandomShuffle", traits=(STATEFUL,),
    samples=lambda: [case(spread(0, 1, 5, 2), stream=RandomStream(1, 2))],
    doc="Shuffle the entries along the first axis.",
)  # fmt: skip


def shuffle(value: TensorLike, seed: int | None = None, name: str | None = None) -> Any:
    """Shuffle the entries of a tensor along its first axis.

    Durstenfeld: Algorithm 235: Random Permutation (1964).

    Args:
        value: tensor of any dtype.
        seed: Python int of this op, or None.
    Returns:
        Tensor of the shape and dtype of ``value``.
    Raises:
        TypeError: ``seed`` is no int.
    """
    return shuffle_op(value, stream=source_of("shuffle", seed), name=name)


def _generator_of_two(seed: Array) -> Any:
    if seed.shape != (2,):
        raise InvalidArgumentError(f"seed must have shape [2], not {list(seed.shape)}")
    return generator_of(seed)


def _stateless_shuffle(value: Array, seed: Array) -> Any:
    rng = _generator_of_two(seed)
    return value[rng.permutation(len(value))] if value.ndim else value


stateless_shuffle_op = define(
    "stateless_shuffle", inputs="value seed", same_dtype_inputs=None, infer=same,
    kernel=_stateless_shuffle, node_name="StatelessShuffle",
    grad=Missing("its order is not among its outputs: gather by a shuffled range instead"),
    samples=lambda: [case(spread(0, 1, 5, 2), np.array([1, 2])), case(3.0, np.array([1, 2]))],
    doc="Shuffle the entries along the first axis, a function of the seed.",
)  # fmt: skip


def stateless_shuffle(value: TensorLike, seed: TensorLike, alg: Any = "auto_select",
                      name: str | None = None) -> Any:  # fmt: skip
    """Shuffle the entries of a tensor along its first axis, a function of the seed alone.

    Args:
        value: tensor of any dtype.
        seed: two integers.
        alg: 'philox' or 'auto_select', which is the same.
    Returns:
        Tensor of the shape and dtype of ``value``.
    Raises:
        ValueError: ``alg`` is unknown.
        InvalidArgumentError: ``seed`` does not hold two integers.
    """
    return stateless_shuffle_op(value, seed_of(seed), name=name)


def _mixed(numbers: Any, key: int) -> Any:
    """Whole numbers, each replaced by one that cannot be foreseen (splitmix64)."""
    mixed = numbers * np.uint64(0x9E3779B97F4A7C15) + np.uint64(key)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))


def _index_shuffle(index: Array, seed: Array, max_index: Array) -> Any:
    """A keyed permutation: halves of the bits are mixed in turn, until inside (Feistel)."""
    last_index = int(max_index)
    if np.any((index < 0) | (index > last_index)):
        raise InvalidArgumentError(
            f"index_shuffle: index must be in [0, {last_index}], got {index}"
        )
    half = max((last_index.bit_length() + 1) // 2, 1)
    low = np.uint64((1 << half) - 1)
    keys = generator_of(np.asarray(seed)[:2]).integers(0, 2**63, 8) ^ int(seed[2])
    values = np.atleast_1d(index).astype(np.uint64)
    todo = np.ones(values.shape, bool)
    while todo.any():
        high_half, low_half = values >> np.uint64(half), values & low
        for key in keys.tolist():
            high_half, low_half = low_half, high_half ^ (_mixed(low_half, key & (2**64 - 1)) & low)
        values = np.where(todo, high_half << np.uint64(half) | low_half, values)
        todo &= values > last_index
    return values.reshape(index.shape).astype(index.dtype)


index_shuffle_op = define(
    "random_index_shuffle", inputs="index seed max_index", same_dtype_inputs=None,
    kernel=_index_shuffle, infer=same, grad=None, dtype_kinds="iu", node_name="RandomIndexShuffle",
    samples=lambda: [case([0, 1, 2, 3, 4], [1, 2, 3], 4), case(7, [1, 2, 3], 1000)],
    doc="Compute the position of an index in the permutation of ``0 .. max_index`` of a seed.",
)  # fmt: skip


def index_shuffle(index: Any, seed: Any, max_index: Any) -> Any:
    """Compute the position of an index in a random permutation, a function of the seed alone.

    Args:
        index: integer scalar from 0 to ``max_index``.
        seed: integers of the permutation.
        max_index: greatest index.
    Returns:
        Integer scalar from 0 to ``max_index``.
    """
    return index_shuffle_op(whole_numbers(index, "index"), seed_of(seed),
                            whole_numbers(max_index, "max_index"))  # fmt: skip


def _classes(rng: Any, logits: Array, num_samples: Array, dtype: DType) -> Any:
    noise = rng.gumbel(size=(len(logits), int(num_samples), logits.shape[1]))
    return np.argmax(logits[:, None, :] + noise, -1).astype(dtype.as_numpy_dtype)


def _categorical(logits: Array, num_samples: Array, *, dtype: DType, stream: Any) -> Any:
    with stream.drawing() as rng:
        return _classes(rng, logits, num_samples, dtype)


def _categorical_infer(
    logits: TensorSpec, num_samples: TensorSpec, *_: TensorSpec, dtype: DType, stream: Any = None
) -> TensorSpec:
    if logits.shape.dims is not None and len(logits.shape.dims) != 2:
        raise IncompatibleShapesError(f"logits should be a matrix, got shape {logits.shape}")
    count = scalar_value(num_samples, "num_samples")
    if count is not None and count < 0:
        raise InvalidArgumentError(f"num_samples must be 0 or more, got {count}")
    return TensorSpec([logits.shape.with_rank(2)[0], count], dtype)


categorical_op = define(
    "random_categorical", inputs="logits num_samples", same_dtype_inputs=slice(0, 1),
    kernel=checked(_categorical, _categorical_infer),
    infer=_categorical_infer, dtype_kinds="f", grad=None, node_name="Multinomial",
    traits=(STATEFUL,),
    samples=lambda: [case(spread(-2, 2, 3, 4), 5, dtype=int64, stream=RandomStream(1, 2))],
    doc="Draw class numbers by unnormalised log-probabilities.",
)  # fmt: skip
stateless_categorical_op = define(
    "stateless_random_categorical", inputs="logits num_samples seed", same_dtype_inputs=slice(0, 1),
    kernel=checked(
        lambda logits, count, seed, *, dtype: _classes(
            _generator_of_two(seed), logits, count, dtype
        ),
        _categorical_infer,
    ),
    infer=_categorical_infer, dtype_kinds="f", grad=None, node_name="StatelessMultinomial",
    samples=lambda: [case(spread(-2, 2, 3, 4), 5, np.array([1, 2]), dtype=int64)],
    doc="Draw class numbers by unnormalised log-probabilities, a function of the seed.",
)  # fmt: skip


def categorical(logits: TensorLike, num_samples: TensorLike, dtype: DTypeLike | None = None,
                seed: int | None = None, name: str | None = None) -> Any:  # fmt: skip
    """Draw class numbers by unnormalised log-probabilities.

    By Gumbel noise: Maddison, Tarlow, Minka: A* Sampling (2014).

    Args:
        logits: tensor of a floating dtype, of shape (batch, classes).
        num_samples: number of draws for each row, an integer scalar.
        dtype: dtype of the result, int32 or int64; int64 by default.
        seed: Python int of this op, or None.
    Returns:
        Tensor of shape (batch, num_samples).
    Raises:
        InvalidArgumentError: ``logits`` is no matrix or has no classes, or its dtype is another one
            (also a TypeError).
        TypeError: ``seed`` is no int.
    """
    attrs = {"dtype": int64 if dtype is None else as_dtype(dtype)}
    source = source_of(f"categorical {attrs['dtype'].name}", seed)
    return categorical_op(logits, num_samples, stream=source, name=name, **attrs)


def stateless_categorical(logits: TensorLike, num_samples: TensorLike, seed: TensorLike,
                          dtype: DTypeLike = int64, name: str | None = None) -> Any:  # fmt: skip
    """Draw class numbers by unnormalised log-probabilities, a function of the seed alone.

    By Gumbel noise: Maddison, Tarlow, Minka: A* Sampling (2014).

    Args:
        logits: tensor of a floating dtype, of shape (batch, classes).
        num_samples: number of draws for each row, an integer scalar.
        seed: two integers.
        dtype: dtype of the result, int32 or int64.
    Returns:
        Tensor of shape (batch, num_samples).
    Raises:
        InvalidArgumentError: ``logits`` is no matrix or has no classes, or ``seed`` does not hold
            two integers.
    """
    return stateless_categorical_op(
        logits, num_samples, seed_of(seed), dtype=as_dtype(dtype), name=name
    )


def multinomial(logits: TensorLike, num_samples: TensorLike, seed: int | None = None,
                name: str | None = None, output_dtype: DTypeLike | None = None) -> Any:  # fmt: skip
    """Draw class numbers as ``random.categorical`` does, with TensorFlow 1's name and arguments.

    Args:
        logits: tensor of a floating dtype, of shape (batch, classes).
        num_samples: number of draws for each row, an integer scalar.
        seed: Python int of this op, or None.
        output_dtype: dtype of the result, int32 or int64; int64 by default.
    Returns:
        Tensor of shape (batch, num_samples).
    Raises:
        InvalidArgumentError: ``logits`` is no matrix or has no classes, or its dtype is another one
            (also a TypeError).
        TypeError: ``seed`` is no int.
    """
    return categorical(logits, num_samples, output_dtype, seed, name)


random_shuffle = shuffle


def random_crop(
    value: TensorLike, size: TensorLike, seed: int | None = None, name: str | None = None
) -> Any:
    """Extract a block of a tensor at a random position; all positions are equally likely.

    Args:
        value: tensor of any dtype.
        size: shape of the block, a vector of integers.
        seed: Python int of this op, or None.
    Returns:
        Tensor of shape ``size`` and of the dtype of ``value``.
    Raises:
        InvalidArgumentError: the tensor is smaller than ``size``.
        TypeError: ``seed`` is no int.
    """
    tensor, sizes = dispatch.convert(value), whole_numbers(size, "size")
    room = shape_of(tensor, sizes.dtype) - sizes

    def fail(excess: Array, crop: Array) -> BaseException:
        return InvalidArgumentError(f"Need value.shape >= size, got {excess + crop} vs. {crop}")

    assert_op(room >= 0, room, sizes, fail=fail)
    kind = sizes.dtype
    start = uniform(shape_of(sizes), 0, kind.max, kind, seed) % (room + 1)
    return slice_of(tensor, start, sizes, name=name)
