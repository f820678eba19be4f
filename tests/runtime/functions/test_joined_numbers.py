"""Numbers of ``runtime.jit`` that are an int on one path and a float on another, as in Python."""

from __future__ import annotations

import linecache
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runtime
from autograph.errors import ConcreteValueError, DtypeJoinError
from tests.runtime.functions.joined_number_programs import CALLS, outcome, quotient


@pytest.mark.parametrize(("function", "calls"), CALLS, ids=lambda p: getattr(p, "__name__", ""))
def test_results_are_pythons(function, calls):
    compiled = runtime.jit(function)
    for args in calls:
        assert outcome(compiled, args) == outcome(function, args), args


def test_one_trace_for_both_types():
    compiled = runtime.jit(quotient)
    assert [compiled(v, 3.0) for v in (0, 2, 0)] == [0, 1.5, 0]
    assert compiled.experimental_get_tracing_count() == 1


def test_a_bit_operation_of_a_float_is_a_type_error():
    @runtime.jit
    def masked(i):
        x = 6 if i == 0 else 1.5
        return x | 1

    assert masked(0) == 7
    with pytest.raises(TypeError):
        masked(1)


def test_state_that_outlives_a_call():
    class Meter:
        def __init__(self):
            self.total = 0
            self.last = [0]

        def add(self, xs):
            for x in xs:
                self.total += x
            self.last[0] = 0 if self.total > 3 else self.total
            return self.total

    class StagedMeter(Meter):
        add = runtime.jit(Meter.add)

    plain, staged = Meter(), StagedMeter()
    for xs in ([1.0, 2.0], [2], [0.5], [1, 2.5], [1.5, -6.0]):
        assert repr(staged.add(xs)) == repr(plain.add(xs))
        assert repr(vars(staged)) == repr(vars(plain))


def test_beside_tensors_and_arrays():
    @runtime.jit
    def beside(i, a):
        x = 1 if i == 0 else 2.5
        return a * x, x * a, a[0] + x, x - a[0]

    floats, ints = np.array([1.0, 4.0]), np.array([1, 4])
    for args in ((0, floats), (1, floats), (0, floats)):
        assert repr(beside(*args)) == repr(beside.python_function(*args))
    with pytest.raises(DtypeJoinError, match=r"test_joined_numbers.py:\d+"):
        beside(1, ints)  # its dtype would depend on the path
    (product, *_) = beside(1, runtime.constant([1.0, 2.0]))
    assert product.dtype is runtime.float32
    assert product.numpy().tolist() == [2.5, 5.0]


def test_numpys_functions():
    @runtime.jit
    def root(i):
        x = 4 if i == 0 else 6.25
        return np.sqrt(x)

    assert repr([root(0), root(1)]) == repr([np.float64(2.0), np.float64(2.5)])


def test_what_needs_one_type_is_refused():
    @runtime.jit
    def product(xs):
        found = []
        for x in xs:
            found.append(x if x > 1 else 1)
        return math.prod(found)

    @runtime.jit
    def array(i):
        x = 4 if i == 0 else 6.25
        return np.array([x, 1])

    with pytest.raises(ConcreteValueError):
        product([2.5, 0.5])
    with pytest.raises(ConcreteValueError, match=r"float\(x\)"):
        array(0)


def test_functions_that_return_tensors_give_floats():
    @runtime.function
    def chosen(x):
        return 0 if x > 0 else 2.5

    found = chosen(runtime.constant(1))
    assert found.dtype is runtime.float32
    assert found.numpy() == 0.0


def test_unknown_attributes():
    @runtime.jit
    def asks(i):
        x = 1 if i == 0 else 2.5
        return x.nothing

    with pytest.raises(AttributeError, match="nothing"):
        asks(0)


# -- random programs -------------------------------------------------------------------------------

_NAMES = ("a", "b", "c")
_atoms = st.one_of(
    st.sampled_from(_NAMES),
    st.integers(-3, 5).map(repr),
    st.sampled_from((0.5, 2.0, -1.5)).map(repr),
)
_expressions = st.recursive(
    _atoms,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+ - * // % /".split()), inner).map(
            lambda parts: f"({' '.join(parts)})"
        ),
        st.tuples(st.sampled_from(("max", "min")), inner, inner).map(
            lambda parts: f"{parts[0]}({parts[1]}, {parts[2]})"
        ),
        st.tuples(inner, inner, inner).map(
            lambda parts: f"({parts[0]} if {parts[1]} > 1 else {parts[2]})"
        ),
        inner.map(lambda text: f"abs({text})"),
    ),
    max_leaves=4,
)


@st.composite
def _programs(draw):
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        name, value = draw(st.sampled_from(_NAMES)), draw(_expressions)
        form = draw(st.sampled_from(("if", "for", "while", "plain")))
        if form == "if":
            lines += [f"    if {draw(_expressions)} < 2:", f"        {name} = {value}"]
        elif form == "for":
            lines += ["    for k in range(n % 3):", f"        {name} = {value}"]
        elif form == "while":
            lines += ["    k = n % 3", "    while k > 0:", "        k -= 1"]
            lines += [f"        {name} = {value}"]
        else:
            lines += [f"    {name} = {value}"]
    lines += ["    return a, b, c, [a, b], isinstance(c, int), str(b)"]
    return "\n".join(["def program(n, a):", "    b, c = 1, 0.5", *lines])


@settings(max_examples=12, deadline=None)
@given(_programs())
def test_random_programs(source):
    name = f"<program {hash(source)}>"
    linecache.cache[name] = len(source), None, source.splitlines(True), name
    namespace: dict[str, Any] = {}
    exec(compile(source, name, "exec"), namespace)
    program = namespace["program"]
    converted = runtime.jit(program)
    for args in ((0, 3), (1, 3), (2, 2)):
        expected = outcome(program, args)
        if expected[0].startswith("ZeroDivisionError"):
            continue  # a division whose result nothing uses is not computed
        assert outcome(converted, args) == expected, (source, args)


def power(x, n):
    return x**n, isinstance(x**n, int), pow(2, n)


def constant_power(x):
    return x**-2, 2**-x, (-2) ** x


def sum_of_powers(n, k):
    total = 0
    for i in range(1, n):
        total += i**k
    return total


def printed_power(x, n):
    print(x)
    return x**n


@pytest.mark.parametrize(
    ("function", "calls"),
    [
        (power, [(2, 3), (2, -1), (0, 0), (0, -1), (-3, -3), (True, -2), (2, -2000), (7, 4)]),
        (constant_power, [(2,), (-2,), (3,)]),
        (sum_of_powers, [(5, 2), (5, -2), (300, -2), (300, 2)]),
        (printed_power, [(3, 2)]),
    ],
)
def test_negative_powers_of_ints_are_floats(function, calls):
    compiled = runtime.jit(function)
    for args in calls:
        assert outcome(compiled, args) == outcome(function, args), args


def test_powers_are_ints_until_one_is_negative():
    compiled = runtime.jit(lambda x, n: x**n)
    assert compiled(2, 3) == 8
    first = compiled.get_concrete_function(2, 3).structured_outputs
    assert first.dtype is runtime.int64
    assert [compiled(2, -1), compiled(2, 3)] == [0.5, 8]
    assert not hasattr(compiled.get_concrete_function(2, 3).structured_outputs, "dtype")


def test_a_negative_power_after_an_effect_is_an_error():
    with pytest.raises(TypeError, match="Python gives the float 0.5 here"):
        runtime.jit(printed_power)(2, -1)


def filled(array, n, x):
    array[1:] = n if x > 1 else x
    array[array > 2] = min(n, x)
    array[0] += n if x > 1 else x
    return array[0], array


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_numbers_of_either_kind_become_items_of_arrays(dtype):
    for n, x in ((2, 0.5), (3, 2.5)):
        expected, array = np.arange(4, dtype=dtype), np.arange(4, dtype=dtype)
        results = filled(expected, n, x), runtime.jit(filled, strict=True)(array, n, x)
        assert repr(results[0]) == repr(results[1])
        assert repr(array) == repr(expected)
