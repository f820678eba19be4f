"""Special functions at numbers that are far out: a value or NaN, never an exception."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import runtime as tf
from runtime.ops.math import special_statistics as distributions
from runtime.ops.op import TABLE
from tests.support.extras import marked, needs

EXTREMES = [
    0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1e-30, 5e-324, 171.7, 1e5, -1e10, 1e308, -1e308, np.inf,
    -np.inf, np.nan, 1 - 1e-16,
]  # fmt: skip
ROWS = [n for n in distributions.__all__ if n in TABLE]


@pytest.mark.parametrize("name", marked(ROWS))
def test_extremes_have_a_value(name):
    kernel = TABLE[name].kernel
    for point in itertools.islice(itertools.product(EXTREMES, repeat=len(TABLE[name].inputs)), 900):
        assert kernel(*map(np.array, point)).dtype == np.float64
        if any(map(math.isnan, point)):
            assert np.isnan(kernel(*map(np.array, point))), point


@needs("special")
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


@pytest.mark.parametrize("a", [0.01, 0.5, 1.0, 3.7, 55.0, 99.0, 101.0, 2000.0, 5e4, 3e5])
def test_the_incomplete_gamma_moves_with_its_first_argument(a):
    special = pytest.importorskip("scipy.special")
    moved = TABLE["igamma_by_a"].kernel
    step = 1e-4 * min(a, math.sqrt(a))
    for deviations in (-3, -1, 0, 0.5, 2, 5.9, 8, 12):
        x = max(a + deviations * math.sqrt(a), 0.05 * a) + (10 if deviations > 6 else 0)
        upper = x > a + 1
        function = special.gammaincc if upper else special.gammainc
        value = [function(a + k * step, x) for k in (-2, -1, 1, 2)]
        slope = (8 * (value[2] - value[1]) - (value[3] - value[0])) / (12 * step)
        found = float(moved(np.array(a), np.array(x)))
        assert math.isclose(found, -slope if upper else slope, rel_tol=1e-6, abs_tol=1e-11), x
    assert moved(np.array(a), np.array([0.0, math.inf])).tolist() == [0.0, 0.0]
    assert np.isnan(moved(np.array(-a), np.array(1.0)))


def test_the_incomplete_gamma_moves_as_in_50_digits():
    """Values of the derivative that mpmath gave."""
    known = {
        (0.5, 0.3): -0.77057035137535192, (3.7, 0.4): -0.0037908084996923383,
        (30.0, 62.3): -1.5434955933096914e-06, (1e8, 1e8 + 5e3): -3.5205799256812726e-05,
    }  # fmt: skip
    for (a, x), slope in known.items():
        found = float(TABLE["igamma_by_a"].kernel(np.array(a), np.array(x)))
        assert math.isclose(found, slope, rel_tol=1e-12), (a, x, found)


@needs("special")
def test_both_gradients_of_the_incomplete_gammas():
    a, x = tf.constant([0.5, 2.0, 9.0], tf.float64), tf.constant([0.3, 3.0, 7.0], tf.float64)
    for function in (tf.math.igamma, tf.math.igammac):
        theoretical, numeric = tf.test.compute_gradient(function, [a, x], delta=1e-5)
        for one, other in zip(theoretical, numeric, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-10)


@needs("special")
def test_recurrences_hold():
    x = np.linspace(0.3, 30, 50)
    digamma, zeta, polygamma = (TABLE[n].kernel for n in ("digamma", "zeta", "polygamma"))
    np.testing.assert_allclose(digamma(x + 1), digamma(x) + 1 / x, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(zeta(np.array(2.5), x), zeta(np.array(2.5), x + 1) + x**-2.5)
    np.testing.assert_allclose(polygamma(np.array(1.0), np.array(1.0)), math.pi**2 / 6)


@needs("special")
def test_inverses_invert():
    erf, erfinv = TABLE["erf"].kernel, TABLE["erfinv"].kernel
    p = np.concatenate([np.linspace(-0.999, 0.999, 41), [1e-8, -3e-4, 2e-3]])
    np.testing.assert_allclose(erf(erfinv(p)), p, rtol=1e-12)
    np.testing.assert_allclose(TABLE["erfcinv"].kernel(1 - p), erfinv(p), rtol=1e-7, atol=1e-12)


@needs("special")
def test_edges_are_tensorflows():
    def at(name, *numbers):
        return float(TABLE[name].kernel(*map(np.array, numbers)))

    inf = math.inf
    assert [at(n, x) for n in ("bessel_i0", "bessel_i1") for x in (inf, -inf)] == [
        inf, inf, inf, -inf]  # fmt: skip
    assert (at("igamma", 1e308, 171.0), at("igammac", 1e308, 171.0)) == (0.0, 1.0)
    assert at("igammac", 1e-30, 0.5) == pytest.approx(0.5597735947761608e-30)
    assert math.isnan(at("betainc", 0.0, 1.0, 0.5)) and math.isnan(at("betainc", 1.0, 0.0, 0.5))
    assert at("zeta", 2.0, 0.0) == at("zeta", 1.0, 2.0) == inf
    assert math.isnan(at("zeta", math.nan, 0.0)) and math.isnan(at("zeta", 2.5, -0.5))
    assert math.isnan(at("polygamma", 0.5, 1.0)) and math.isnan(at("polygamma", -1.0, 1.0))
    assert math.isnan(at("polygamma", 0.0, 0.0)) and at("polygamma", 1.0, 0.0) == inf
    # psi'(x) + psi'(1 - x) = (pi / sin(pi x)) ** 2, and left of 0 without adding 1e8 terms
    for x in (-0.3, -7.75, -1e8 - 0.25):
        both = at("polygamma", 1.0, x) + at("polygamma", 1.0, 1.0 - x)
        assert both == pytest.approx((math.pi / math.sin(math.pi * (x % 1.0))) ** 2, rel=1e-12)
    assert TABLE["igamma"].kernel(np.zeros((0, 3)), np.zeros((2, 1, 3))).shape == (2, 0, 3)


def test_complex_keeps_infinite_parts_apart():
    value = TABLE["complex"].kernel(np.array([1.0, np.inf]), np.array([np.inf, 2.0]))
    assert value.real.tolist() == [1.0, np.inf] and value.imag.tolist() == [np.inf, 2.0]
