"""Functions of arrays that NumPy's functions compute, for test_numpy_equivalents.py.

``numbers`` takes arrays of any dtype and shape; the others take those that their names say.
"""

from __future__ import annotations

import numpy as np


def numbers(x, y):
    return (
        np.add(x, y), np.multiply(x, y), np.divide(x, y), np.maximum(x, y), np.minimum(x, y),
        np.less(x, y), np.greater_equal(x, y), np.equal(x, y), np.not_equal(x, y),
        np.logical_and(x, y), np.logical_or(x, y), np.logical_xor(x, y), np.logical_not(x),
        np.absolute(x), np.where(x, x, y), np.where(x > y, x, 1), np.where(x == 0, 1.5, y),
        np.sum(x), np.prod(x), np.any(x), np.all(x), np.sum(x, axis=-1), np.mean(y), np.float64(x),
        np.float32(x), x.astype(np.float32), x.astype(float), x.astype(bool),
        x.astype(np.int32), x.ravel(), np.transpose(x), x.sum(dtype=np.float64),
        np.concatenate([x.ravel(), x.ravel()]),
        np.stack([x, x], axis=-1), np.add(x, 2), np.multiply(x, 0.5), x + y,
    )  # fmt: skip


def numbers_but_bools(x, y):
    return (
        np.subtract(x, y), np.negative(x), np.positive(x), np.sign(x), np.square(x),
        np.clip(x, 1, 3), x.clip(y, 5), np.clip(x, None, 2), np.clip(x, min=1), np.maximum(x, 1),
        np.greater(x, 1), np.var(x, ddof=0) if x.size else x, np.round(x), np.subtract(3, x),
    )  # fmt: skip


def whole_numbers(x, y):
    return (
        np.bitwise_and(x, y), np.bitwise_or(x, y), np.bitwise_xor(x, y), np.invert(x),
        np.floor_divide(x, 2), np.remainder(x, 3), np.power(x, 2), np.sqrt(x), np.exp(x),
        np.cumsum(x),
    )  # fmt: skip


def floats(x, y):
    return (
        np.exp(x), np.expm1(x), np.log(x), np.log1p(x), np.log2(x), np.log10(x), np.sqrt(x),
        np.sin(x), np.cos(x), np.tan(x), np.arcsin(x), np.arccos(x), np.arctan(x), np.sinh(x),
        np.cosh(x), np.tanh(x), np.arcsinh(x), np.arccosh(x), np.arctanh(x), np.floor(x),
        np.ceil(x), np.trunc(x), np.rint(x), np.isnan(x), np.isinf(x), np.isfinite(x),
        np.floor_divide(x, y), np.remainder(x, y), np.arctan2(x, y), np.hypot(x, y),
        np.copysign(x, y), np.logaddexp(x, y), np.power(x, 2), np.power(x, -1.5), np.clip(x, y, 1),
        np.linalg.norm(x),
    )  # fmt: skip


def with_elements(x):
    return (
        np.max(x), np.min(x), x.max(), np.mean(x), np.var(x), np.std(x), x.std(), np.amax(x),
        np.max(x, axis=-1), x.min(axis=0, keepdims=True), x.mean(axis=-1), np.sum(x, axis=0),
    )  # fmt: skip


def tables(x, y):
    return (
        np.sum(x, axis=0), np.sum(x, axis=(0, 1)), x.sum(axis=-2, keepdims=True),
        np.mean(x, axis=1), np.mean(x, 1, np.float32), np.any(x, axis=0), x.all(axis=1),
        np.prod(x, axis=1), np.var(y, axis=-1, ddof=1), y.std(axis=1, keepdims=True),
        np.linalg.norm(y, axis=1), y.max(axis=1), np.swapaxes(x, 0, 1), x.reshape(-1),
        np.reshape(x, (-1, 3, 1)), x.transpose(1, 0), np.concatenate([x, x], axis=1),
        np.hstack([x, y]), np.hstack((x[0], y[0])), np.vstack([x, x]), np.vstack([x[0], x[1]]),
        np.triu(x), np.tril(y), np.triu(y, -1), np.tril(x, 1), np.triu(x, 1), np.tril(x, -1),
        np.triu(y, 2), np.tril(y, -9),
        np.argmin(x), x.argmax(0), np.argmax(y, axis=-1), y.argmin(1),
        np.stack([x, x]), np.dot(x, x.T), np.matmul(x.T, x), np.dot(x, x[0]), x[:, 0].dot(x),
        np.matmul(x[0], x[1]), np.where(x > 1, x, y[0]), np.add(x, y[:, :1]), np.flip(x),
        np.flip(x, 0), np.flip(y, (1, -2)), np.outer(x[0], y[1]), np.outer(x, y[0]),
        np.add.outer(x, y[0]), np.maximum.outer(x[0], y), np.less.outer(x[0], 2),
    )  # fmt: skip
