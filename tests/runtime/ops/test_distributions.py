"""Special functions at numbers that are far out: a value or NaN, never an exception."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import runtime as tf
from runtime.ops.math import special_statistics as distributions
from runtime.ops.op import TABLE

EXTREMES = [
    0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1e-30, 5e-324, 171.7, 1e5, -1e10, 1e308, -1e308, np.inf,
    -np.inf, np.nan, 1 - 1e-16,
]  # fmt: skip
ROWS = [n for n in distributions.__all__ if n in TABLE]


@pytest.mark.parametrize("name", ROWS)
def test_extremes_have_a_value(name):
    kernel = TABLE[name].kernel
    for point in itertools.islice(itertools.product(EXTREMES, repeat=len(TABLE[name].inputs)), 900):
        assert kernel(*map(np.array, point)).dtype == np.float64
        if any(map(math.isnan, point)):
            assert np.isnan(kernel(*map(np.array, point))), point


@pytest.mark.parametrize("a", [0.5, 3.0, 40.0, 9e4, 1.1e5, 1e8])
def test_incomplete_gammas_sum_to_one_and_are_steep_at_the_mean(a):
    kernel, rest = TABLE["igamma"].kernel, TABLE["igammac"].kernel
    points = a + math.sqrt(a) * np.array([-0.5, 0.0, 0.5, 3.0])
    lower, upper = kernel(np.array(a), points), rest(np.array(a), points)
    np.testing.assert_allclose(lower + upper, 1, rtol=1e-12)
    assert np.all(np.diff(lower) > 0)
    if a > 1000:  # nearly a normal distribution
        normal = [0.5 * math.erfc(-z / math.sqrt(2)) for z in (-0.5, 0.0, 0.5, 3.0)]
        np.testing.assert_allclose(lower, normal, atol=0.5 / math.sqrt(a))


def test_uniform_expansion_meets_the_series():
    for x in (0.99e5, 1e5, 1.001e5, 1.01e5):
        near, far = (float(distributions._igamma(a, x)) for a in (1e5, 1e5 * (1 + 1e-15)))
        assert math.isclose(near, far, rel_tol=1e-9, abs_tol=1e-13)


@pytest.mark.parametrize("a", [0.01, 0.5, 1.0, 3.7, 55.0, 2000.0, 5e4, 3e5])
def test_the_incomplete_gamma_moves_with_its_first_argument(a):
    step = 1e-4 * min(a, math.sqrt(a))
    for deviations in (-3, -1, 0, 0.5, 2, 5.9, 8, 12):
        x = max(a + deviations * math.sqrt(a), 0.05 * a) + (10 if deviations > 6 else 0)
        upper = x > a + 1
        value = [distributions._igamma(a + k * step, x, upper) for k in (-2, -1, 1, 2)]
        slope = (8 * (value[2] - value[1]) - (value[3] - value[0])) / (12 * step)
        found = distributions._igamma_by_a(a, x)
        assert math.isclose(found, -slope if upper else slope, rel_tol=1e-6, abs_tol=1e-11), x
    assert distributions._igamma_by_a(a, 0.0) == distributions._igamma_by_a(a, math.inf) == 0.0
    assert math.isnan(distributions._igamma_by_a(-a, 1.0))


def test_both_gradients_of_the_incomplete_gammas():
    a, x = tf.constant([0.5, 2.0, 9.0], tf.float64), tf.constant([0.3, 3.0, 7.0], tf.float64)
    for function in (tf.math.igamma, tf.math.igammac):
        theoretical, numeric = tf.test.compute_gradient(function, [a, x], delta=1e-5)
        for one, other in zip(theoretical, numeric, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-10)


def test_recurrences_hold():
    x = np.linspace(0.3, 30, 50)
    digamma, zeta, polygamma = (TABLE[n].kernel for n in ("digamma", "zeta", "polygamma"))
    np.testing.assert_allclose(digamma(x + 1), digamma(x) + 1 / x, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(zeta(np.array(2.5), x), zeta(np.array(2.5), x + 1) + x**-2.5)
    np.testing.assert_allclose(polygamma(np.array(1.0), np.array(1.0)), math.pi**2 / 6)


def test_inverses_invert():
    erf, erfinv = TABLE["erf"].kernel, TABLE["erfinv"].kernel
    p = np.concatenate([np.linspace(-0.999, 0.999, 41), [1e-8, -3e-4, 2e-3]])
    np.testing.assert_allclose(erf(erfinv(p)), p, rtol=1e-12)
    np.testing.assert_allclose(TABLE["erfcinv"].kernel(1 - p), erfinv(p), rtol=1e-7, atol=1e-12)


def test_complex_keeps_infinite_parts_apart():
    value = TABLE["complex"].kernel(np.array([1.0, np.inf]), np.array([np.inf, 2.0]))
    assert value.real.tolist() == [1.0, np.inf] and value.imag.tolist() == [np.inf, 2.0]
