"""Every element-wise function for every dtype: values as NumPy's, and the same inputs refused."""

from __future__ import annotations

import contextvars
import inspect
import itertools
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import runtime as tf
import runtime.array_api as xp
from tests.runtime.array_api.standard import FFT, LINALG, MAIN, NEXT
from tests.support.nightly import examples

GROUPS = {
    "b": ["bool"],
    "i": ["int8", "int16", "int32", "int64"],
    "u": ["uint8", "uint16", "uint32", "uint64"],
    "f": ["float32", "float64"],
    "c": ["complex64", "complex128"],
}
UNARY = {
    "iufc": "abs negative positive sign square conj real imag isfinite isinf isnan round",
    "iuf": "ceil floor trunc",
    "fc": "acos acosh asin asinh atan atanh cos cosh exp expm1 log log10 log1p log2 reciprocal sin "
    "sinh sqrt tan tanh",
    "f": "signbit",
    "b": "logical_not",
    "biu": "bitwise_invert",
}
BINARY = {
    "iufc": "add subtract multiply",
    "fc": "divide",
    "iuf": "less less_equal greater greater_equal maximum minimum",
    "biufc": "equal not_equal",
    "f": "atan2 copysign hypot logaddexp nextafter",
    "b": "logical_and logical_or logical_xor",
    "biu": "bitwise_and bitwise_or bitwise_xor",
}
UNARY_NAMES = [(n, k) for k, names in UNARY.items() for n in names.split()]
BINARY_NAMES = [(n, k) for k, names in BINARY.items() for n in names.split()]


def dtypes(kinds):
    return [d for k in kinds for d in GROUPS[k]]


def elements(dtype):
    kind = np.dtype(dtype).kind
    if kind == "b":
        return st.booleans()
    if kind in "iu":
        info = np.iinfo(dtype)
        return st.integers(max(info.min + 1, -9), min(info.max, 9))
    width = 32 if dtype in ("float32", "complex64") else 64
    floats = st.floats(-8, 8, width=width, allow_subnormal=False) | st.sampled_from(
        [0.0, -0.0, np.inf, -np.inf, np.nan]
    )
    if kind == "f":
        return floats
    small = st.floats(-3, 3, width=32, allow_subnormal=False)
    return st.builds(complex, small, small)


def arrays(dtype, shape):
    return hnp.arrays(dtype, shape, elements=elements(dtype))


PAIRS = hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=2, max_side=3)
SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)


def agree(found, expected):
    assert isinstance(found, tf.Tensor)
    expected = np.asarray(expected)
    assert tuple(found.shape) == expected.shape
    assert found.dtype.name == expected.dtype.name
    fine = found.dtype in (tf.float64, tf.complex128)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12 if fine else 2e-5, atol=1e-6)


@pytest.mark.parametrize(("name", "kinds"), UNARY_NAMES)
@settings(max_examples=examples(4, kept=2), deadline=None, derandomize=True)
@given(data=st.data())
def test_one_array(name, kinds, data):
    for dtype in dtypes(kinds):
        x = data.draw(arrays(dtype, data.draw(SHAPES)))
        with np.errstate(all="ignore"):
            agree(getattr(xp, name)(xp.asarray(x)), getattr(np, name)(x))


@pytest.mark.parametrize(("name", "kinds"), BINARY_NAMES)
@settings(max_examples=examples(2, kept=1), deadline=None, derandomize=True)
@given(data=st.data())
def test_two_arrays(name, kinds, data):
    for group in ("b", "iu", "fc" if "c" in kinds else "f"):
        for left, right in itertools.product(dtypes(set(group) & set(kinds)), repeat=2):
            if "uint64" in (left, right) and "int" in (left[:3], right[:3]):
                continue
            shapes = data.draw(PAIRS)
            a, b = (data.draw(arrays(d, s)) for d, s in zip((left, right), shapes.input_shapes))
            with np.errstate(all="ignore"):
                expected = getattr(np, name)(a, b)
            agree(getattr(xp, name)(xp.asarray(a), xp.asarray(b)), expected)


@pytest.mark.parametrize("name", ["floor_divide", "remainder", "pow", "bitwise_left_shift",
                                  "bitwise_right_shift"])  # fmt: skip
def test_arithmetic_with_limits(name):
    kinds = "iu" if "shift" in name else "iuf"
    for left, right in itertools.product(dtypes(kinds), repeat=2):
        same = {left[:3], right[:3]} <= {"int", "uin"} or left[0] == right[0] == "f"
        if not same or ("uint64" in (left, right) and "int" in (left[:3], right[:3])):
            continue
        a, b = np.array([7, 0, 3, 5], left), np.array([2, 3, 1, 4], right)
        agree(getattr(xp, name)(xp.asarray(a), xp.asarray(b)), getattr(np, name)(a, b))


@pytest.mark.parametrize(("name", "kinds"), UNARY_NAMES)
def test_other_kinds_are_refused(name, kinds):
    for dtype in dtypes(set("biufc") - set(kinds)):
        with pytest.raises(TypeError, match=f"{name} takes arrays"):
            getattr(xp, name)(xp.ones(2, dtype=tf.as_dtype(dtype)))
    for other in (1.0, [1.0], np.ones(2), None):
        with pytest.raises(TypeError):
            getattr(xp, name)(other)


@pytest.mark.parametrize(("name", "kinds"), BINARY_NAMES)
def test_two_kinds_are_refused(name, kinds):
    ones = {d: xp.ones(2, dtype=tf.as_dtype(d)) for d in dtypes("biufc")}
    for left, right in itertools.product(ones, repeat=2):
        kind = {np.dtype(d).kind for d in (left, right)}
        meet = kind <= {"b"} or kind <= {"i", "u"} or kind <= {"f", "c"}
        if kind == {"i", "u"} and "uint64" in (left, right):
            meet = False
        if meet and kind <= set(kinds):
            getattr(xp, name)(ones[left], ones[right])
        else:
            with pytest.raises(TypeError):
                getattr(xp, name)(ones[left], ones[right])


SCALARS = [
    ("add", "int8", 3, "int8"), ("add", "float32", 3, "float32"),
    ("add", "float32", 1.5, "float32"),
    ("multiply", "complex64", 1j, "complex64"), ("multiply", "float32", 1j, "complex64"),
    ("multiply", "float64", 1j, "complex128"), ("logical_and", "bool", True, "bool"),
    ("maximum", "uint8", 200, "uint8"), ("equal", "int16", 1, "bool"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "dtype", "scalar", "result"), SCALARS)
def test_python_numbers_take_the_arrays_dtype(name, dtype, scalar, result):
    x = xp.ones(3, dtype=tf.as_dtype(dtype))
    for found in (getattr(xp, name)(x, scalar), getattr(xp, name)(scalar, x)):
        assert found.dtype.name == result
    with pytest.raises(TypeError, match="at least one array"):
        getattr(xp, name)(scalar, scalar)


@pytest.mark.parametrize(("dtype", "scalar", "error"), [
    ("int32", 1.5, TypeError), ("bool", 1, TypeError), ("int8", True, TypeError),
    ("int32", 1j, TypeError), ("uint8", 300, OverflowError), ("uint8", -1, OverflowError),
])  # fmt: skip
def test_python_numbers_that_do_not_fit(dtype, scalar, error):
    with pytest.raises(error):
        xp.equal(xp.ones(2, dtype=tf.as_dtype(dtype)), scalar)


def test_floor_divide_goes_by_the_quotient_at_infinity():
    inf = float("inf")
    x, y = xp.asarray([inf, 3.0, -3.0, 3.0, -inf]), xp.asarray([2.0, inf, inf, -inf, -2.0])
    found = xp.floor_divide(x, y).numpy()
    np.testing.assert_array_equal(found, [inf, 0.0, -0.0, -0.0, inf])
    assert np.signbit(found).tolist() == [False, False, True, True, False]


def test_every_name_of_the_standard_is_there():
    assert {*MAIN, *NEXT[""]} <= set(dir(xp))
    assert {*LINALG, *NEXT["linalg"]} == set(dir(xp.linalg)) and set(FFT) == set(dir(xp.fft))
    assert xp.__array_api_version__ == "2024.12"
    for name in dir(xp):
        value = getattr(xp, name)
        if inspect.isfunction(value):
            assert value.__doc__, name


def test_signatures_are_the_standards():
    strict = pytest.importorskip("array_api_strict")
    for space in ("", "linalg", "fft"):
        theirs, ours = (getattr(m, space) if space else m for m in (strict, xp))
        for name in ours.__all__:
            if not inspect.isfunction(getattr(ours, name)) or not hasattr(theirs, name):
                continue
            if name.startswith("__") or name == "promote_operators":
                continue
            mine = inspect.signature(getattr(ours, name)).parameters.values()
            wanted = inspect.signature(getattr(theirs, name)).parameters.values()
            found = [(p.name, p.kind) for p in mine if p.kind is not p.POSITIONAL_ONLY]
            expected = [(p.name, p.kind) for p in wanted if p.kind is not p.POSITIONAL_ONLY]
            assert found == expected, name
            assert len(mine) == len(wanted), name


def test_info():
    info = xp.__array_namespace_info__()
    assert info.devices() == [info.default_device()]
    assert xp.zeros(1).device in info.devices()
    defaults = info.default_dtypes()
    assert xp.asarray(1.0).dtype is defaults["real floating"]
    assert xp.asarray(1).dtype is defaults["integral"]
    assert xp.asarray(1j).dtype is defaults["complex floating"]
    assert xp.argmax(xp.asarray([1.0])).dtype is defaults["indexing"]
    assert info.dtypes(kind="real floating") == {"float32": xp.float32, "float64": xp.float64}
    assert len(info.dtypes()) == 13
    assert set(info.dtypes(kind=("bool", "unsigned integer"))) == {"bool", *GROUPS["u"]}
    assert info.capabilities()["boolean indexing"] is True
    with pytest.raises(ValueError, match="unsupported kind"):
        info.dtypes(kind="numbers")


def test_namespace_of_a_tensor():
    x = tf.constant([[1.0, 2.0]])
    assert x.__array_namespace__() is xp is x.__array_namespace__(api_version="2024.12")
    with pytest.raises(ValueError, match="not supported"):
        x.__array_namespace__(api_version="1999.01")
    assert x.to_device(x.device) is x
    with pytest.raises(ValueError, match="GPU:0 unknown device"):
        x.to_device("GPU:0")
    with pytest.raises(ValueError, match="one device"):
        xp.zeros(2, device="GPU:0")
    assert x.T.shape == (2, 1) and x.mT.shape == (2, 1) and x.size == 2
    with pytest.raises(ValueError, match="matrices"):
        tf.constant([1]).T


def test_operators_promote_in_the_context_that_asked_for_it():
    x, y = tf.constant([1, 2]), tf.constant([3, 4], tf.int64)
    found = []

    def elsewhere():
        with pytest.raises(tf.errors.InvalidArgumentError):
            x + y
        found.append("refused")

    def inside():
        xp.promote_operators()
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        found.append((x + y).dtype)

    contextvars.copy_context().run(inside)
    assert found == ["refused", tf.int64]
    with pytest.raises(tf.errors.InvalidArgumentError):
        x + y


def test_operators_promote_only_when_asked_to():
    x, y = tf.constant([1, 2]), tf.constant([3, 4], tf.int64)
    with pytest.raises(tf.errors.InvalidArgumentError):
        x + y
    xp.promote_operators()
    try:
        assert (x + y).dtype is tf.int64 and (y * x).dtype is tf.int64
        assert (x < y).numpy().tolist() == [True, True]
        assert (tf.constant(1.0) / tf.constant(2.0, tf.float64)).dtype is tf.float64
        with pytest.raises(TypeError):
            x + tf.constant(1.0)
        assert (tf.constant([1.0]) * 2j).dtype is tf.complex64
        assert (x @ y).numpy() == 11 and (y @ tf.constant([[1, 2], [3, 4]])).shape == (2,)
        assert (1 + x).dtype is tf.int32 and (x == y).numpy().tolist() == [False, False]

        @tf.function
        def staged(a, b):
            return a - b

        assert staged(x, y).dtype is tf.int64
    finally:
        xp.promote_operators(False)
    with pytest.raises(tf.errors.InvalidArgumentError):
        x + y


def test_arange_does_not_wrap():
    assert xp.arange(0, 2**33, 2**32).numpy().tolist() == [0, 2**32]
    assert xp.arange(2**63 - 2, 2**63, dtype=xp.uint64).numpy().tolist() == [2**63 - 2, 2**63 - 1]
    assert xp.arange(5, -6, -5).numpy().tolist() == [5, 0, -5]
    assert xp.arange(-(2**63), -(2**63) + 2).numpy().tolist() == [-(2**63), -(2**63) + 1]
    assert xp.arange(3, 3).shape == xp.arange(3, 0).shape == (0,)
    assert xp.arange(0.0, 1.0, 0.25).numpy().tolist() == [0.0, 0.25, 0.5, 0.75]
    assert xp.arange(1, 3, dtype=xp.float64).numpy().tolist() == [1.0, 2.0]
    with pytest.raises(OverflowError):
        xp.arange(300, dtype=xp.uint8)


def test_too_many_indices_are_index_errors():
    x = xp.zeros((2, 3))
    for key in ((0, 0, 0), xp.ones((2, 3, 1), dtype=xp.bool), xp.ones((4,), dtype=xp.bool), 5):
        with pytest.raises(IndexError):
            x[key]


@pytest.mark.parametrize("key", [0, slice(1), xp.asarray([True, False]), xp.asarray([1])])
def test_items_are_not_assigned(key):
    x = xp.asarray([1.0, 2.0])
    with pytest.raises(TypeError, match="'Tensor' object does not support item assignment.*where"):
        x[key] = 3.0
    with pytest.raises(TypeError, match="does not support item assignment"):
        x[key] += 1.0
    with pytest.raises(TypeError, match="does not support item deletion"):
        del x[key]
    assert x.numpy().tolist() == [1.0, 2.0]


@pytest.mark.parametrize(("value", "dtype", "error"), [
    (2**100, None, OverflowError), ([2**63, -1], None, OverflowError),
    ([300], "uint8", OverflowError), (float("nan"), "int32", OverflowError),
    ([1e10], "int32", OverflowError), (1j, "float32", TypeError),
    ([1.0, 1j], "int8", TypeError), (["a"], None, TypeError),
])  # fmt: skip
def test_numbers_that_do_not_fit_are_refused(value, dtype, error):
    with pytest.raises(error):
        xp.asarray(value, dtype=dtype and tf.as_dtype(dtype))


def test_arrays_are_converted_as_by_cast():
    for x in (xp.asarray([1 + 2j]), np.array([1 + 2j])):
        assert xp.asarray(x, dtype=xp.float32).numpy().tolist() == [1.0]
        assert xp.asarray(x, dtype=xp.int8).numpy().tolist() == [1]
        with pytest.raises(TypeError, match="use real or imag"):
            xp.astype(xp.asarray(x), xp.float32)


def test_complex_numbers_are_no_floats():
    z = xp.asarray(1 + 2j)
    assert complex(z) == 1 + 2j
    for kind in (int, float):
        with pytest.raises(TypeError, match="complex"):
            kind(z)
