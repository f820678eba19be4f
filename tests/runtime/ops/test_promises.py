"""What rows promise to passes holds for all values: never to raise, neutral elements, involutions.

The rows' samples give the dtypes and shapes; the values are drawn anew, special ones among them.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import runtime as tf
from runtime.engine.purity import never_raises
from runtime.ops.op import (
    CAST,
    COMMUTATIVE,
    FORWARD,
    HIGHER_ORDER,
    IDEMPOTENT,
    INVOLUTION,
    RESHAPES,
    STATEFUL,
    TABLE,
)
from runtime.ops.rules.never_raises import fitting
from runtime.types.shapes import TensorSpec
from tests.support.extras import needs

SHAPES = [(), (1,), (3,), (2, 3), (2, 1), (0, 3)]


def rows(promise):
    return [
        pytest.param(op, id=name, marks=needs(op.extra) if op.extra else ())
        for name, op in sorted(TABLE.items())
        if promise(op)
    ]


def values(rng, dtype, shape):
    """Any values of a dtype: extremes, zeros of both signs, infinities and NaN."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        pool = [0, 1, 2, 3, 7, info.min, info.max, info.max - 1, -1 if dtype.kind == "i" else 5]
        return np.array(pool, dtype)[rng.integers(0, len(pool), shape)]
    if dtype.kind in "fc":
        pool = [0.0, -0.0, 1.0, -1.5, 3e4, -1e-7, np.inf, -np.inf, np.nan, np.finfo(dtype).max]
        drawn = np.asarray(np.array(pool).astype(dtype)[rng.integers(0, len(pool), shape)])
        if dtype.kind == "c":
            drawn.imag = np.roll(drawn.real, 1)
        return drawn
    return None


def cases(op):
    found = op.samples() if callable(op.samples) else []
    return [c for c in found if all(isinstance(x, np.ndarray) for x in c.inputs)]


def same_bits(one, other):
    one, other = np.asarray(one), np.asarray(other)
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if one.dtype.kind in "fc":
        both = np.isnan(one) & np.isnan(other)
        one, other = np.where(both, 0, one), np.where(both, 0, other)
    return one.tobytes() == other.tobytes()


def spec_of(array, known):
    return TensorSpec(array.shape, array.dtype, None, array if known else None)


@pytest.mark.parametrize("op", rows(lambda op: not op.traits & {STATEFUL, HIGHER_ORDER}))
def test_what_never_raises_does_not(op):
    rng = np.random.default_rng(1)
    for case in cases(op):
        for _ in range(2):
            arrays = [values(rng, x.dtype, x.shape) for x in case.inputs]
            if any(a is None for a in arrays):
                continue
            together = [np.asarray(x) for x in case.inputs]
            mixes = itertools.product(*zip(arrays, together, strict=True)) if arrays else []
            for mix in itertools.islice(mixes, 8):
                specs = [spec_of(x, known=True) for x in mix]
                try:
                    op.infer(*specs, **case.attrs)
                except (tf.errors.OpError, ValueError, TypeError, OverflowError):
                    continue
                blind = [spec_of(x, known=False) for x in mix]
                if never_raises(op, specs, case.attrs) or never_raises(op, blind, case.attrs):
                    with np.errstate(all="ignore"):
                        op.kernel(*mix, **case.attrs)


def test_fitting_is_what_numpy_broadcasts():
    for one, other in itertools.product(SHAPES, repeat=2):
        try:
            np.broadcast_shapes(one, other)
            fits = True
        except ValueError:
            fits = False
        assert fitting(TensorSpec(one), TensorSpec(other)) == fits
        for blurred in itertools.product(*[(d, None) for d in one]):
            if fitting(TensorSpec(blurred), TensorSpec(other)):
                assert fits
    assert fitting(TensorSpec(None), TensorSpec(()))
    assert not fitting(TensorSpec(None), TensorSpec((2,)))
    assert not fitting(TensorSpec([None]), TensorSpec([None]))
    assert fitting(TensorSpec([None]), TensorSpec([1, 1]))


@pytest.mark.parametrize("op", rows(lambda op: op.identity))
def test_neutral_elements_change_no_bit(op):
    rng = np.random.default_rng(2)
    for kinds, ends in op.identity.items():
        for kind, (place, number) in itertools.product(kinds, enumerate(ends)):
            for dtype in (d for d in map(np.dtype, "?bBhHiIlLefd") if d.kind == kind):
                x = values(rng, dtype, (40,))
                if number is None:
                    continue
                neutral = np.array(number).astype(dtype)
                with np.errstate(all="ignore"):
                    pair = (neutral, x) if place == 0 else (x, neutral)
                    assert same_bits(op.kernel(*pair), x), (dtype, place)


def drawn(op, rng):
    for case in cases(op):
        arrays = [values(rng, x.dtype, (30,)) for x in case.inputs]
        if all(a is not None for a in arrays):
            yield arrays, case.attrs


@pytest.mark.parametrize("op", rows(lambda op: INVOLUTION in op.traits))
def test_involutions_give_their_input_back(op):
    for (x,), attrs in drawn(op, np.random.default_rng(3)):
        assert same_bits(op.kernel(op.kernel(x, **attrs), **attrs), x)


@pytest.mark.parametrize("op", rows(lambda op: IDEMPOTENT in op.traits))
def test_idempotent_rows_change_nothing_again(op):
    for (x, *more), attrs in drawn(op, np.random.default_rng(4)):
        with np.errstate(all="ignore"):
            if more:
                assert same_bits(op.kernel(x, x, **attrs), x)
            else:
                once = op.kernel(x, **attrs)
                assert same_bits(op.kernel(once, **attrs), once)


@pytest.mark.parametrize("op", rows(lambda op: COMMUTATIVE in op.traits))
def test_commutative_rows(op):
    for (x, y), attrs in drawn(op, np.random.default_rng(5)):
        with np.errstate(all="ignore"):
            assert same_bits(op.kernel(x, y, **attrs), op.kernel(y, x, **attrs))


@pytest.mark.parametrize("op", rows(lambda op: op.traits & {FORWARD, CAST, RESHAPES}))
def test_rows_that_hand_on_elements(op):
    for case in cases(op):
        x = case.inputs[0]
        if CAST in op.traits and x.dtype != case.attrs["dtype"].as_numpy_dtype:
            continue
        result = op.kernel(*case.inputs, **case.attrs)
        if RESHAPES in op.traits:
            result = np.reshape(result, x.shape)
        assert same_bits(result, x) or x.dtype == object
