"""erf, erfc, lgamma and digamma: within a few units in the last place, whatever the range."""

import math

import numpy as np
import pytest

from runtime.ops.math import special_kernels

RANGES = {
    "erf": [(-1, 1), (-6, 6), (0.99, 1.01), (1e-310, 1e-300)],
    "erfc": [(-6, 0.5), (0.49, 0.51), (0.5, 3), (3, 26.5)],
}  # fmt: skip


LOG_GAMMAS = {
    1e-300: 690.7755278982137, 1e-05: 11.512919692895826, 0.1: 2.252712651734206,
    0.3: 1.0957979948180756, 0.499: 0.5743309231606863, 0.5: 0.5723649429247001,
    0.75: 0.20328095143129538, 0.999: 0.0005780385328913802, 1.0001: -5.771334222047127e-05,
    1.25: -0.09827183642181316, 1.4872547239988796: -0.12117109928227636,
    1.5: -0.12078223763524522, 1.999: -0.0004224618006921073, 2.0001: 4.2281658112919945e-05,
    2.25: 0.1248717148923966, 2.499: 0.2839799590505287, 2.5: 0.2846828704729192,
    2.9: 0.6028696102493114, 3.7: 1.428072326665388, 5.5: 3.9578139676187165,
    7.99: 8.50501160608848, 8.0: 8.525161361065415, 12.3: 18.238983407092245,
    100.5: 361.4355404677776, 10000.0: 82099.71749644238, 10000000000.0: 220258509288.81058,
    1e+17: 3.8143946580898775e+18, 2.5e+305: 1.7555118602376452e+308,
}  # fmt: skip
"""Values that mpmath gave: Python's own are less exact."""


@pytest.mark.parametrize("name, low, high", [(n, *r) for n, rs in RANGES.items() for r in rs])
def test_a_few_units_in_the_last_place(name, low, high):
    x = np.random.default_rng(3).uniform(low, high, 3000)
    expected = np.array([getattr(math, name)(v) for v in x.tolist()])
    found = getattr(special_kernels, name)(x)
    assert (np.abs(found - expected) <= 6 * np.spacing(np.abs(expected))).all()


def test_logarithms_of_the_gamma_function():
    x, expected = (np.array(list(part)) for part in (LOG_GAMMAS, LOG_GAMMAS.values()))
    bound = 5 * np.spacing(np.abs(expected))
    one_by_one = [special_kernels.lgamma(np.array(v)).item() for v in x.tolist()]
    for found in (special_kernels.lgamma(x), one_by_one):
        assert (np.abs(found - expected) <= bound).all()
    whole = [math.log(math.factorial(n)) for n in range(2, 160)]
    found = special_kernels.lgamma(np.arange(3.0, 161.0))
    assert (np.abs(found - whole) <= 3 * np.spacing(whole)).all()
    x = np.random.default_rng(3).uniform(0, 30, 5000)
    python = [math.lgamma(v) for v in x.tolist()]
    np.testing.assert_allclose(special_kernels.lgamma(x), python, rtol=1e-14, atol=2e-15)


def test_negative_lgamma_within_the_larger_of_its_terms():
    x = np.random.default_rng(4).uniform(-100, 0, 5000)
    expected = np.array([math.lgamma(v) for v in x.tolist()])
    terms = np.maximum([math.lgamma(-v) for v in x.tolist()], 1)
    assert (np.abs(special_kernels.lgamma(x) - expected) <= 2e-15 * terms).all()


def test_digamma_is_the_sum_of_its_series():
    """``digamma(n + 1) + gamma`` is the sum of 1 / k; at n + 1/2 of 2 / (2 k - 1), less 2 log 2."""
    euler, n = 0.5772156649015329, np.arange(1, 200)
    whole, half = np.cumsum(1 / n), np.cumsum(2 / (2 * n - 1))
    at = special_kernels.digamma(np.concatenate([n + 1.0, n + 0.5]))
    expected = np.concatenate([whole - euler, half - euler - 2 * math.log(2)])
    np.testing.assert_allclose(at, expected, rtol=5e-15)


def test_digamma_recurs_and_mirrors():
    x = np.concatenate([np.random.default_rng(5).uniform(1e-3, 30, 3000), [1.25, 2.25, 7.0, 8.0]])
    digamma = special_kernels.digamma
    np.testing.assert_allclose(digamma(x + 1), digamma(x) + 1 / x, rtol=1e-14, atol=1e-15 / x.min())
    y = np.random.default_rng(6).uniform(0.01, 0.99, 3000) + 4
    mirrored = digamma(y) - digamma(1 - y)
    expected = -math.pi / np.tan(math.pi * (y - 4))
    np.testing.assert_allclose(mirrored, expected, atol=2e-14, rtol=1e-13)
    root = np.array([1.4616321449683622])  # where it is 0 but for what the number rounds away
    assert digamma(root)[0] == pytest.approx(-9.241565e-17, rel=1e-6)


@pytest.mark.parametrize("shape", [(), (1,)])
def test_edges(shape):
    def at(name, *points):
        kernel = getattr(special_kernels, name)
        return [kernel(np.full(shape, p)).item() for p in points]

    inf = math.inf
    assert at("erf", 0.0, 30.0, -30.0, inf, -inf, 5e-324) == [0, 1, -1, 1, -1, 5e-324]
    assert math.copysign(1, at("erf", -0.0)[0]) == -1
    assert at("erfc", 0.0, -30.0, inf, -inf, 30.0) == [1, 2, 0, 2, 0]
    assert at("erfc", 27.0) == pytest.approx([5.237e-319], rel=1e-3)
    assert at("lgamma", 0.0, -0.0, -1.0, -7.0, -1e17, inf, -inf, 1e306) == [inf] * 8
    assert at("lgamma", 1.0, 2.0) == [0, 0]
    assert at("lgamma", 2.5e305) == pytest.approx([1.755511860237645e308])
    assert at("lgamma", 5e-324, -5e-324, -1e-300) == pytest.approx(
        [744.4400719213812, 744.4400719213812, 690.7755278982137])  # fmt: skip
    assert at("digamma", inf, 5e-324, -5e-324, 1e308) == [inf, -inf, inf, math.log(1e308)]
    nothing = at("digamma", 0.0, -0.0, -1.0, -1e17, -inf) + [
        at(name, math.nan)[0] for name in ("erf", "erfc", "lgamma", "digamma")]  # fmt: skip
    assert np.isnan(nothing).all()


@pytest.mark.parametrize("name", special_kernels.__all__)
def test_any_shape_and_dtype(name):
    kernel = getattr(special_kernels, name)
    x = np.linspace(0.1, 5, 2 * special_kernels.BLOCK + 10).reshape(2, -1)
    wide = kernel(x[:, ::-1])
    np.testing.assert_array_equal(wide, kernel(x)[:, ::-1])
    for dtype in (np.float32, np.float16):
        narrow = x.astype(dtype)
        expected = kernel(narrow.astype(np.float64)).astype(dtype)
        np.testing.assert_array_equal(kernel(narrow), expected, strict=True)
    assert kernel(np.zeros((0, 3), np.float32)).shape == (0, 3)
    with np.errstate(all="raise"):
        kernel(np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -3.0, 1e308, -1e308, 5e-324]))
