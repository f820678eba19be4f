"""NumPy's functions on staged arrays and numbers: NumPy's results, dtypes, shapes and errors."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

import runtime
from autograph.errors import ConcreteValueError, EffectError
from tests.support.nightly import examples

A, B = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])
INTS, SINGLE = np.arange(5), np.float32([1, 2, 3])
MATRIX, LARGE = np.array([[2.0, 1.0], [1.0, 3.0]]), np.arange(600.0).reshape(30, 20) % 7
ARRAYS = [A, INTS, SINGLE, MATRIX, LARGE, np.zeros((0, 3)), np.array(2.5), A > 1]


def outcome(function, arguments):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*arguments)
        except Exception as error:
            return type(error)


def agree(found, wanted) -> bool:
    if isinstance(wanted, tuple):
        return len(found) == len(wanted) and all(map(agree, found, wanted))
    if isinstance(wanted, type) or isinstance(found, type):
        return found is wanted
    one, other = np.asarray(found), np.asarray(wanted)
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    return np.allclose(one, other, equal_nan=True, rtol=1e-12, atol=0)


def check(function, *cases):
    """Under ``jit``, and for arrays alone as a ``function``, a call gives what NumPy gives."""
    for make in (runtime.jit, runtime.function):
        staged = make(function)
        for arguments in cases:
            if make is runtime.function and not all(isinstance(a, np.ndarray) for a in arguments):
                continue
            wanted = outcome(function, arguments)
            for _ in range(2):
                assert agree(outcome(staged, arguments), wanted), (make, arguments, wanted)


UNARY = """sin cos tanh exp log sqrt abs floor ceil sign square negative isnan isfinite rint sum
prod mean std var max min argmax any all cumsum cumprod sort argsort ravel transpose copy zeros_like
ones_like count_nonzero diff flip ptp median nan_to_num atleast_2d squeeze array asarray unique
nonzero float64 int32""".split()


@pytest.mark.parametrize("name", UNARY)
def test_of_one_array(name):
    function = getattr(np, name)
    cases = [(a,) for a in ARRAYS]
    if name in ("float64", "int32", "negative"):  # scalars turn NumPy's types; bools are refused
        cases = [(a,) for a in ARRAYS if a.ndim and a.dtype != bool]
    check(lambda x: function(x), *cases)


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "arctan2", "less", "power", "dot"])
def test_of_two_arrays(name):
    function = getattr(np, name)
    pairs = [(A, B), (A, SINGLE), (INTS, INTS), (A, INTS), (MATRIX, MATRIX)]
    check(lambda x, y: function(x, y), *pairs)
    check(lambda x: function(x, 2), (A,), (INTS,), (SINGLE,))


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "subtract", "logical_and"])
def test_methods_of_elementwise_functions(name):
    function = getattr(np, name)
    check(lambda x, y: function.outer(x, y), (A, B), (A, INTS), (MATRIX, A))
    check(lambda x: (function.reduce(x), function.accumulate(x)), (A,), (INTS,), (MATRIX,))
    check(lambda x: function.reduce(x, axis=1), (MATRIX,), (A,))
    check(lambda x: function.reduceat(x, [0, 2]), (A,), (INTS,))


def test_added_at_indices():
    def counted(x):
        found = np.zeros(3)
        np.add.at(found, [0, 0, 2], 1)
        np.maximum.at(found, [1], x[0])
        return found

    check(counted, (A,), (A * 2,))


def products_of_a_grid(n):
    rows, columns = np.mgrid[0:n, 0:n]
    return rows * columns


def solved(n, right):
    system = np.zeros((n, n))
    for i in range(n):
        system = system + (i + 1) * np.eye(n)
    return np.linalg.solve(system, right)


def test_what_is_made_by_an_index():
    check(lambda n: (np.mgrid[0:n], np.ogrid[1:n:2], np.r_[0:n], np.r_[n, 1.5, 2]), (3,), (5,))
    check(lambda n: np.mgrid[0:n, 0:2], (3,), (5,))
    check(products_of_a_grid, (3,), (5,))
    check(lambda x: (np.c_[x, x], np.r_[x, 0, x]), (A,), (INTS,))
    check(lambda x: np.mgrid[0:x:0.1], (1.0,), (2.5,))
    check(lambda x: np.histogram(x, 3), (A,), (INTS,))


def test_arguments_by_name():
    check(lambda x: np.sum(x, axis=1, keepdims=True), (MATRIX,), (LARGE,), (A,))
    check(lambda x: np.mean(x, axis=0, dtype=np.float32), (LARGE,), (INTS,))
    check(lambda x: (np.clip(x, 0, 2), np.round(x, 1)), (A / 3,), (INTS,))
    check(lambda x: np.linalg.norm(x, axis=0), (MATRIX,), (LARGE,))


def test_linear_algebra():
    check(lambda x: np.linalg.inv(x), (MATRIX,), (np.zeros((2, 2)),))
    check(lambda x: (np.linalg.det(x), np.linalg.cholesky(x), np.trace(x)), (MATRIX,))
    check(lambda x: tuple(np.linalg.eigh(x)), (MATRIX,))
    check(lambda x: np.linalg.eigh(x).eigenvalues, (MATRIX,))
    check(lambda x, y: np.linalg.solve(x, y), (MATRIX, A[:2]))
    check(solved, (4, np.arange(12.0).reshape(4, 3)))
    check(lambda x, y: np.linalg.norm(x - y), (A, B))
    check(lambda x, y: np.matmul(x, y), (A, B), (MATRIX, MATRIX), (LARGE, LARGE))


def test_several_arrays():
    check(lambda x: np.where(x > 1, x, -x), (A,), (INTS,))
    check(lambda x: np.concatenate([x, x]), (A,), (INTS,), (LARGE,))
    check(lambda x: (np.vstack([x, x]), np.stack([x, x], axis=1)), (A,), (LARGE,))
    check(lambda x: np.array([x[0], x[1]]), (A,))
    check(lambda x: np.array([[x[0], 1.0], [0.0, x[1]]]), (A,))


def test_python_numbers():
    check(lambda x: np.sqrt(x), (4,), (2.5,), (-1.0,))
    check(lambda x: int(np.ceil(x / 2)), (4,), (2.5,))
    check(lambda x: np.float64(x) * 2, (4,), (2.5,))
    check(lambda x: np.exp(-x) / (1 + np.exp(-x)), (0.5,), (3,))
    check(lambda n: np.zeros(n), (3,), (5,), (0,), (-1,))
    check(lambda n: np.ones((n, 2)), (3,), (5,))
    check(lambda n: np.linspace(0, 1, n), (3,), (7,))
    check(lambda n: np.eye(n), (3,), (5,))
    check(lambda x, n: np.full(n, x), (2.5, 3), (4, 3))


def test_lists():
    check(lambda x: np.mean(x), ([1, 2, 4],), ([1.5],))
    check(lambda x: np.array(x) * 2, ([1, 2, 4],), ([1, 2],))
    check(lambda x: np.sum(np.array(x), axis=0), ([[1, 2], [3, 4]],), ([[1, 2, 3]],))
    check(lambda x: np.max(np.array(x)), ([True, False],))


def test_conditions():
    check(lambda x: x if np.allclose(x, x.T) else -x, (MATRIX,), (LARGE[:2, :2],))
    check(lambda x: x if np.any(x > 2) and np.all(x > 0) else -x, (A,), (A - 3,))

    def newton(x):
        while np.max(np.abs(x * x - 2)) > 1e-12:
            x = (x + 2 / x) / 2
        return x

    check(newton, (A,), (LARGE[1:3, 1:3] + 1,))


METHODS = """sum mean max min std var argmax cumsum copy flatten ravel transpose round any all
argsort prod squeeze conj""".split()


@pytest.mark.parametrize("name", METHODS)
def test_methods(name):
    check(lambda x: getattr(x, name)(), (A,), (INTS,), (MATRIX,), (LARGE,))


def test_methods_with_arguments():
    check(lambda x: (x.sum(axis=0), x.mean(axis=1, keepdims=True), x.T.dot(x)), (MATRIX,), (LARGE,))
    check(lambda x: (x.reshape(-1), x.reshape(2, -1), x.astype(np.float32)), (MATRIX,), (LARGE,))
    check(lambda x: x.astype(int) // 2, (A,), (INTS,))
    check(lambda x: np.sin(x).sum() / x.size, (A,), (MATRIX,))


def test_item_is_a_python_number():
    @runtime.jit
    def items(x):
        return x.max().item(), x[0].item() // 2

    assert repr(items(A)) == "(3.0, 0.0)"
    assert repr(items(INTS)) == "(4, 0)"
    with pytest.raises(ConcreteValueError, match="more than one axis"):
        runtime.jit(lambda x: x.item())(A)


def test_results_are_arrays_that_can_be_changed():
    def table(x):
        found = np.zeros_like(x)
        other = found
        for i in range(len(x)):
            found[i] = x[i] * 2
        return other

    def row(x):
        found = np.transpose(x)
        x = x + 1
        found = found * 2
        return found, x

    check(table, (A,), (INTS,))
    check(row, (MATRIX,))


def test_a_change_that_a_view_would_see_is_refused():
    @runtime.function
    def through_a_view(x):
        view = np.transpose(x + 0)
        view[0] = 5.0
        return view

    @runtime.function
    def under_a_view(x):
        base = x + 0
        view = np.reshape(base, -1)
        base[0] = 5.0
        return view

    @runtime.function
    def seen(x):
        base = x + 0
        view = np.transpose(base)
        base[0] = 5.0
        return view

    for function in (through_a_view, under_a_view):
        with pytest.raises(EffectError, match="shares memory"):
            function(MATRIX)
    assert seen(MATRIX).numpy().tolist() == [[5.0, 1.0], [5.0, 3.0]]


def test_the_shape_of_a_result_is_known_where_sizes_decide_it():
    @runtime.function
    def f(x):
        sums, halves = np.sum(x, axis=0), np.concatenate([x, x])
        assert sums.shape == (20,)
        assert runtime.convert_to_tensor(halves).shape.as_list() == [60, 20]
        assert runtime.convert_to_tensor(np.unique(x)).shape.as_list() == [None]
        assert np.zeros_like(x).shape == (30, 20)
        return sums

    f(LARGE)


def test_grids_windows_and_sets():
    table = np.arange(12.0).reshape(3, 4)
    for function, *more in (
        (lambda a: (*np.meshgrid(a[0], a[1]), *np.meshgrid(a[0], a[1], indexing="ij")),),
        (lambda a: (np.lexsort((a[0], a[1])), np.lexsort(a)),),
        (lambda a: (np.block([[a, a], [a, a]]), np.block([a[0], a[1]])),),
        (lambda a: (np.intersect1d(a, [1, 2]), np.setxor1d(a, [1, 100]), np.trim_zeros(a[0])),),
        (lambda a: (*np.gradient(a), np.gradient(a[0], 2.0), np.gradient(a, axis=0)),),
        (lambda a: np.histogram2d(a[0], a[1], bins=3),),
        (lambda a: (np.isreal(a), np.fix(a), np.i0(a), np.nanquantile(a, 0.3, axis=0)),),
        (lambda a: (np.polyadd(a[0], a[1]), np.polyder(a[0]), np.polyint(a[0])),),
        (lambda a: (np.ascontiguousarray(a.T), np.choose([0, 1, 0, 1], [a[0], a[1]])),),
        (lambda a: (np.packbits(a > 3), np.unpackbits(np.packbits(a > 3))),),
        (lambda a, n: (np.hanning(n), np.kaiser(n, 2.0), np.tri(n), *np.tril_indices(n)), 5, 0),
        (lambda a, k: (*np.unravel_index(k, (3, 4)), *np.unravel_index(k, a.shape)), 7, 77),
    ):
        staged = runtime.jit(function)
        for number in more or [None]:
            arguments = (table,) if number is None else (table, number)
            assert agree(outcome(staged, arguments), outcome(function, arguments)), arguments


CUBE = np.arange(12.0).reshape(2, 3, 2)
ON_AXES = [
    (lambda a, i, j: np.sum(a, axis=i), [(0, 0), (1, 0), (2, 0), (-1, 0), (3, 0)]),
    (lambda a, i, j: np.expand_dims(a, i), [(0, 0), (1, 0), (3, 0), (-1, 0)]),
    (lambda a, i, j: np.swapaxes(a, i, j), [(0, 1), (0, 2), (1, 2), (1, 1)]),
    (lambda a, i, j: np.moveaxis(a, i, j), [(0, 1), (1, 0), (2, 0)]),
    (lambda a, i, j: np.take(a, [0], axis=i), [(0, 0), (1, 0), (2, 0)]),
    (lambda a, i, j: np.concatenate([a, a], i), [(0, 0), (1, 0), (2, 0)]),
    (lambda a, i, j: np.sum(a[0], axis=i), [(0, 0), (1, 0), (-1, 0)]),
    (lambda a, i, j: np.cumsum(a[0, 0], axis=i), [(0, 0), (-1, 0), (1, 0)]),
    (lambda a, i, j: np.full((i, j, 2), a[0, 0, 0]), [(1, 2), (0, 3), (5, 5)]),
    (lambda a, i, j: np.repeat(a, i, axis=j), [(2, 0), (3, 1), (0, 2)]),
    (lambda a, i, j: np.arange(i, j, 0.5), [(0.0, 3.0), (1.5, 2.5), (-1.0, 2.2)]),
    (lambda a, i, j: np.quantile(a, i, axis=j), [(0.3, 0), (0.7, 2)]),
]


@pytest.mark.parametrize("number", range(len(ON_AXES)))
def test_axes_and_sizes_that_are_staged(number):
    function, cases = ON_AXES[number]

    def shaped(a, i, j):
        found = function(a, i, j)
        return found.shape, found + 1.0

    staged = runtime.jit(shaped)
    for i, j in cases:
        assert agree(outcome(staged, (CUBE, i, j)), outcome(shaped, (CUBE, i, j))), (i, j)


def test_the_number_of_axes_may_be_staged():
    summed = runtime.jit(lambda a, keep: np.sum(a, axis=0, keepdims=keep) * 2)
    for keep in True, False, True:
        assert agree(summed(CUBE, keep), np.sum(CUBE, axis=0, keepdims=keep) * 2)
    with pytest.raises(ConcreteValueError, match="a staged value decides how many results"):
        runtime.jit(lambda a, counted: np.unique(a, return_counts=counted))(A, True)


def test_sizes_of_one_may_decide_the_number_of_axes():
    rows = np.arange(6.0).reshape(3, 2)
    check(lambda x, n: np.squeeze(x[:n]) + 1, (rows, 1), (rows, 2), (rows[:, :1], 1))
    check(lambda x, n: (x[:n].squeeze().shape, np.cov(x[:n])), (rows, 1), (rows, 3))
    check(lambda x, n: np.squeeze(x[:n], axis=1), (rows[:, :1], 1), (rows[:, :1], 2))
    with pytest.raises(ConcreteValueError, match="a scalar where a size is 1, and an array"):
        runtime.jit(lambda x, n: np.corrcoef(x[:n]))(rows, 2)


def test_values_that_decide_about_complex_results_are_refused():
    rotation = np.array([[0.0, -1.0], [1.0, 0.0]])
    with pytest.raises(ConcreteValueError, match="decide whether its result is real or complex"):
        runtime.jit(lambda x: np.linalg.eigvals(x))(rotation)
    check(lambda x: np.linalg.eigvals(x + 0j), (rotation,), (np.eye(3),))


def test_what_cannot_be_staged_is_refused():
    @runtime.function(input_signature=[runtime.TensorSpec(None, runtime.float64)])
    def total(x):
        return np.sum(x)

    with pytest.raises(ConcreteValueError, match="unknown rank"):
        total(A)


@settings(deadline=None, max_examples=examples(60, kept=20))
@given(
    arrays_of.arrays(
        st.sampled_from([np.float64, np.float32, np.int64, np.uint8]),
        arrays_of.array_shapes(min_dims=1, max_dims=3, max_side=12),
        elements=st.integers(0, 9),
    ),
    st.sampled_from(["sum", "mean", "max", "argmin", "cumsum", "sort", "std", "flip"]),
    st.integers(-3, 2),
)
def test_reductions_over_an_axis(x, name, axis):
    function = getattr(np, name)
    staged = runtime.jit(lambda x: function(x, axis=axis))
    assert agree(outcome(staged, (x,)), outcome(lambda: function(x, axis=axis), ()))
