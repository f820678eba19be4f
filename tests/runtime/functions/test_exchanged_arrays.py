"""Arrays that change places, as in stencils with two buffers: staged, and as plain Python does."""

import copy

import numpy as np
import pytest

import runtime as tf
from autograph.errors import ConcreteValueError, EffectError


def jacobi(n, steps):
    u, v = np.zeros(n), np.zeros(n)
    u[0] = v[0] = 1.0
    for _ in range(steps):
        for i in range(1, n - 1):
            v[i] = 0.5 * (u[i - 1] + u[i + 1])
        u, v = v, u
    return u


def life(n, steps):
    a, b = np.zeros((n, n), np.int64), np.zeros((n, n), np.int64)
    for i, j in ((1, 2), (2, 3), (3, 1), (3, 2), (3, 3)):
        a[i, j] = 1
    for _ in range(steps):
        for i in range(n):
            for j in range(n):
                around = -a[i, j]
                for di in range(-1, 2):
                    for dj in range(-1, 2):
                        around += a[(i + di) % n, (j + dj) % n]
                if around == 3 or (around == 2 and a[i, j] == 1):
                    b[i, j] = 1
                else:
                    b[i, j] = 0
        a, b = b, a
    return a


def heat(n, steps):
    u, new = np.zeros((n, n)), np.zeros((n, n))
    u[0, :] = new[0, :] = 1
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                around = u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1]
                new[i, j] = u[i, j] + 0.1 * (around - 4 * u[i, j])
        u, new = new, u
    return u


def wave_of_three(n, steps):
    a, b, c = np.zeros(n), np.ones(n), np.zeros(n)
    a[n // 2] = 1
    for _ in range(steps):
        for i in range(1, len(c) - 1):
            c[i] = 2 * b[i] - a[i] + 0.1 * (b[i - 1] - 2 * b[i] + b[i + 1])
        a, b, c = b, c, a
    return a, b, c


def until_it_settles(n, steps):
    u, v = np.zeros(n), np.zeros(n)
    u[0] = v[0] = 1.0
    turns = 0
    while True:
        change = 0.0
        for i in range(1, n - 1):
            v[i] = 0.5 * (u[i - 1] + u[i + 1])
            change = max(change, abs(v[i] - u[i]))
        u, v = v, u
        turns += 1
        if change < 1e-2 or turns >= steps:
            break
    return u, turns


def now_and_then(n, steps):
    u, v = np.zeros(n), np.zeros(n)
    u[0] = v[0] = 1.0
    for t in range(steps):
        for i in range(1, n - 1):
            v[i] = 0.5 * (u[i - 1] + u[i + 1])
        if t % 3 != 1:
            w = u
            u = v
            v = w
    return u, v, u.sum()


def rows(n, steps):
    u, v = np.full((n, 3), 2.5), np.zeros((n, 3))
    for t in range(steps):
        row = v[t % n]
        row[1] = u[1, 2] + 1
        v[0, :2] += u[-1, :2]
        row[:] = row[::-1]
        u, v = v, u
    return u, v


@pytest.mark.parametrize("function", [
    jacobi, life, heat, wave_of_three, until_it_settles, now_and_then, rows,
])  # fmt: skip
def test_arrays_of_the_function_change_places(function):
    staged = tf.jit(function, strict=True)
    for args in ((6, 5), (5, 0), (7, 2)):
        np.testing.assert_equal(staged(*args), function(*args))


def exchanged(u, v, steps):
    for _ in range(steps):
        for i in range(1, len(u) - 1):
            v[i] = 0.5 * (u[i - 1] + u[i + 1])
        u, v = v, u
    return u


@pytest.mark.parametrize("steps", [0, 3, 4])
def test_arrays_of_the_caller_change_places(steps):
    plain = [np.arange(6.0), np.ones(6)]
    given = copy.deepcopy(plain)
    result = tf.jit(exchanged, strict=True)(*given, steps)
    np.testing.assert_equal(result, exchanged(*plain, steps))
    np.testing.assert_equal(given, plain)


def changed_while_tracing(n):
    a, b = np.full(4, 0.5), np.arange(4.0)
    d = b
    b = a if n % 2 == 0 else b
    d[...] = d + 1  # of values that tracing knows
    return a, b, d


def of_a_loop(n):
    b, c = np.arange(4.0), np.arange(4.0) + 20
    d = b
    for _ in range(n):
        c = c + n
        d = c if n > 2 else b
    c[0] = 9
    return b, c, d


@pytest.mark.parametrize("n", range(4))
def test_an_array_that_tracing_changes_is_one_of_several(n):
    staged = tf.jit(changed_while_tracing, strict=True)
    np.testing.assert_equal(staged(n), changed_while_tracing(n))


def test_an_array_of_a_loop_with_two_names_is_refused():
    with pytest.raises(EffectError, match="shares its memory"):
        tf.jit(of_a_loop, strict=True)(3)


def test_the_identity_of_arrays_that_tracing_knows_is_refused():
    def f(n):
        b, c = np.arange(4.0), np.arange(4.0) + 20
        d = b
        if n > 2:
            c = c + 1
            d = c
        return c is d

    with pytest.raises(ConcreteValueError, match="identity"):
        tf.jit(f, strict=True)(3)
