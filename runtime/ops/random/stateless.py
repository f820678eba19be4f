"""Random numbers that are a function of a seed alone, and seeds derived from seeds.

The op definitions stand in sampling.py; ``runtime.random`` shows these functions.
"""

from __future__ import annotations

from typing import Any

from runtime.ops.array.concat_split import stack_op
from runtime.ops.random.sampling import (
    BY_SEED,
    check_algorithm,
    floats_of,
    parameters_of,
    seed_of,
    stateless_between_op,
    stateless_binomial_op,
    stateless_gamma_op,
    stateless_normal_op,
    stateless_poisson_op,
    stateless_truncated_op,
    stateless_uniform_op,
    stateless_whole_op,
    trials,
)
from runtime.ops.rules.static_arguments import whole_numbers
from runtime.types.aliases import DTypeLike, ShapeLike, TensorLike
from runtime.types.dtypes import as_dtype, float32, int32

__all__: list[str] = []


def stateless_uniform(shape: ShapeLike, seed: TensorLike, minval: TensorLike = 0,
                      maxval: TensorLike | None = None, dtype: DTypeLike = float32,
                      name: str | None = None, alg: Any = "auto_select") -> Any:  # fmt: skip
    """Draw uniformly distributed numbers, a function of the seed alone.

    By the Philox generator: Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3
    (2011).

    Args:
        shape: shape of the result; it may be a tensor.
        seed: two integers.
        minval: least number, a tensor that broadcasts to ``shape``; None with ``maxval=None`` for
            any integers.
        maxval: limit, itself left out; 1 by default; integers need it.
        dtype: floating or integer dtype of the result.
        alg: 'philox' or 'auto_select', which is the same.
    Returns:
        Tensor of shape ``shape`` and of dtype ``dtype``.
    Raises:
        ValueError: ``dtype`` is an integer dtype and ``maxval`` alone is None, or ``alg`` is
            unknown.
        InvalidArgumentError: ``seed`` does not hold two integers, or integers with ``minval >=
            maxval``.
    """
    check_algorithm(alg)
    kind = as_dtype(dtype)
    if minval is None and maxval is None and kind.is_integer:
        return stateless_whole_op(whole_numbers(shape), seed, dtype=kind, name=name, **BY_SEED)
    low, high = parameters_of(minval, maxval, kind)
    return stateless_uniform_op(
        whole_numbers(shape), low, high, seed_of(seed), name=name, **BY_SEED
    )


def stateless_normal(shape: ShapeLike, seed: TensorLike, mean: TensorLike = 0.0,
                     stddev: TensorLike = 1.0, dtype: DTypeLike = float32, name: str | None = None,
                     alg: Any = "auto_select") -> Any:  # fmt: skip
    """Draw normally distributed numbers, a function of the seed alone.

    By the ziggurat method: Marsaglia and Tsang: The Ziggurat Method for Generating Random Variables
    (2000).

    Args:
        shape: shape of the result; it may be a tensor.
        seed: two integers.
        mean: mean, a tensor that broadcasts to ``shape``.
        stddev: standard deviation, a tensor that broadcasts to ``shape``.
        dtype: floating dtype of the result.
        alg: 'philox' or 'auto_select', which is the same.
    Returns:
        Tensor of shape ``shape`` and of dtype ``dtype``.
    Raises:
        ValueError: ``alg`` is unknown.
        InvalidArgumentError: ``seed`` does not hold two integers, or ``dtype`` is not floating
            (also a TypeError).
    """
    check_algorithm(alg)
    first, second = parameters_of(mean, stddev, as_dtype(dtype))
    return stateless_normal_op(
        whole_numbers(shape), first, second, seed_of(seed), name=name, **BY_SEED
    )


def stateless_truncated_normal(shape: ShapeLike, seed: TensorLike, mean: TensorLike = 0.0,
                               stddev: TensorLike = 1.0, dtype: DTypeLike = float32,
                               name: str | None = None,
                               alg: Any = "auto_select") -> Any:  # fmt: skip
    """Draw normally distributed numbers within two standard deviations, a function of the seed
    alone.

    Args:
        shape: shape of the result; it may be a tensor.
        seed: two integers.
        mean: mean, a tensor that broadcasts to ``shape``.
        stddev: standard deviation before truncation, a tensor that broadcasts to ``shape``.
        dtype: floating dtype of the result.
        alg: 'philox' or 'auto_select', which is the same.
    Returns:
        Tensor of shape ``shape`` and of dtype ``dtype``.
    Raises:
        ValueError: ``alg`` is unknown.
        InvalidArgumentError: ``seed`` does not hold two integers, or ``dtype`` is not floating
            (also a TypeError).
    """
    check_algorithm(alg)
    first, second = parameters_of(mean, stddev, as_dtype(dtype))
    return stateless_truncated_op(
        whole_numbers(shape), first, second, seed_of(seed), name=name, **BY_SEED
    )


def stateless_parameterized_truncated_normal(
    shape: ShapeLike, seed: TensorLike, means: TensorLike = 0.0, stddevs: TensorLike = 1.0,
    minvals: TensorLike = -2.0, maxvals: TensorLike = 2.0, name: str | None = None,
) -> Any:  # fmt: skip
    """Draw normally distributed numbers between two limits, a function of the seed alone.

    Args:
        shape: shape of the result; it may be a tensor.
        seed: two integers.
        means: means, a tensor of a floating dtype that broadcasts to ``shape``, as the next three.
        stddevs: standard deviations before truncation.
        minvals: lower limits.
        maxvals: upper limits.
    Returns:
        Tensor of shape ``shape`` and of the dtype of the parameters.
    Raises:
        InvalidArgumentError: ``seed`` does not hold two integers, or the shapes do not broadcast.
    """
    parameters = [floats_of(p) for p in (means, stddevs, minvals, maxvals)]
    return stateless_between_op(
        whole_numbers(shape), *parameters, seed_of(seed), name=name, **BY_SEED
    )


def stateless_gamma(shape: ShapeLike, seed: TensorLike, alpha: TensorLike,
                    beta: TensorLike | None = None, dtype: DTypeLike = float32,
                    name: str | None = None) -> Any:  # fmt: skip
    """Draw gamma distributed numbers, a function of the seed alone.

    For ``alpha`` above 1: Marsaglia and Tsang: A Simple Method for Generating Gamma Variables
    (2000).

    Args:
        shape: shape of the result, to which the parameters broadcast.
        seed: two integers.
        alpha: shape parameter, a tensor above 0.
        beta: rate, a tensor above 0; 1 by default.
        dtype: floating dtype of the result.
    Returns:
        Tensor of shape ``shape`` and of dtype ``dtype``.
    Raises:
        ValueError: ``dtype`` is an integer dtype and ``beta`` is None.
        InvalidArgumentError: ``seed`` does not hold two integers, or ``dtype`` is not floating
            (also a TypeError).
    """
    first, second = parameters_of(alpha, beta, as_dtype(dtype))
    return stateless_gamma_op(
        whole_numbers(shape), first, second, seed_of(seed), name=name, **BY_SEED
    )


def stateless_poisson(shape: ShapeLike, seed: TensorLike, lam: TensorLike, dtype: DTypeLike = int32,
                      name: str | None = None) -> Any:  # fmt: skip
    """Draw Poisson distributed numbers, a function of the seed alone.

    For rates of 10 and more Hörmann: The Transformed Rejection Method for Generating Poisson Random
    Variables (1993).

    Args:
        shape: shape of the result, to which the rates broadcast.
        seed: two integers.
        lam: rates, a tensor of a floating dtype, 0 or more.
        dtype: dtype of the result.
    Returns:
        Tensor of shape ``shape`` and of dtype ``dtype``.
    Raises:
        InvalidArgumentError: ``seed`` does not hold two integers, or a rate is negative or too
            large.
    """
    attrs = {**BY_SEED, "dtype": as_dtype(dtype)}
    return stateless_poisson_op(
        whole_numbers(shape), floats_of(lam), seed_of(seed), name=name, **attrs
    )


def stateless_binomial(shape: ShapeLike, seed: TensorLike, counts: TensorLike, probs: TensorLike,
                       output_dtype: DTypeLike = int32,
                       name: str | None = None) -> Any:  # fmt: skip
    """Draw binomially distributed numbers, a function of the seed alone.

    For ``counts * probs`` above 30: Kachitvichyanukul and Schmeiser: Binomial Random Variate
    Generation (1988).

    Args:
        shape: shape of the result, to which the parameters broadcast.
        seed: two integers.
        counts: numbers of trials, 0 or more.
        probs: probabilities of success, from 0 to 1.
        output_dtype: dtype of the result.
    Returns:
        Tensor of shape ``shape`` and of dtype ``output_dtype``.
    Raises:
        InvalidArgumentError: ``seed`` does not hold two integers, or a parameter is out of range.
    """
    attrs = {**BY_SEED, "dtype": as_dtype(output_dtype)}
    return stateless_binomial_op(
        whole_numbers(shape), *trials(counts, probs), seed_of(seed), name=name, **attrs
    )


def split(seed: Any, num: int = 2, alg: Any = "auto_select") -> Any:
    """Derive several seeds of one.

    Args:
        seed: two integers.
        num: number of seeds.
        alg: 'philox' or 'auto_select', which is the same.
    Returns:
        Tensor of shape (num, 2) and of the dtype of ``seed``.
    Raises:
        ValueError: ``alg`` is unknown.
        InvalidArgumentError: ``seed`` does not hold two integers.
    """
    check_algorithm(alg)
    old = seed_of(seed)
    attrs = {**BY_SEED, "dtype": old.dtype}
    return stateless_whole_op(whole_numbers([num, 2]), old, **attrs)


def fold_in(seed: Any, data: Any, alg: Any = "auto_select") -> Any:
    """Derive a seed of a seed and a number.

    Args:
        seed: two integers.
        data: integer scalar.
        alg: 'philox' or 'auto_select', which is the same.
    Returns:
        Tensor of shape (2,) and of the dtype of ``data``.
    Raises:
        ValueError: ``alg`` is unknown.
        InvalidArgumentError: ``seed`` does not hold two integers.
    """
    check_algorithm(alg)
    number = whole_numbers(data, "data")
    attrs = {**BY_SEED, "dtype": number.dtype}
    return stack_op(stateless_whole_op(whole_numbers([]), seed_of(seed), **attrs), number, axis=0)
