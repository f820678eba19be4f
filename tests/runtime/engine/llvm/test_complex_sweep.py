"""Sweep over all definitions that take complex numbers: their own samples, made complex, in several
layouts, of known and unknown sizes.

The native engine gives what the reference engine gives, errors included, and loops over the
elements where ``complex_functions`` says how.
"""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.complex_functions import FUNCTIONS
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.ops.op import FORWARD, TABLE
from runtime.ops.rules.lowering import (
    Composes,
    Native,
    OnArrays,
    Reduces,
)
from tests.runtime.engine.llvm.sweeps import (
    fed,
    graph_of,
    grown,
    native_code,
    outcome,
    reference_code,
    strided,
)
from tests.support.extras import needs
from tests.support.nightly import always

pytestmark = needs("jit")

DTYPES = ("complex64", "complex128")
CLOSE = {"c8": 2e-5, "c16": 1e-11, "f4": 2e-5, "f8": 1e-11}


def takes_complex(op):
    """Whether some sample of a definition has floats, which may be complex numbers instead."""
    if op.dtype_kinds and "c" not in op.dtype_kinds:
        return False
    return any(np.asarray(x).dtype.kind in "fc" for s in op.samples() for x in s.inputs)


def is_loop(op):
    """Whether native code computes the elements of complex arrays."""
    rule = op.lower
    if isinstance(rule, Reduces):
        return "c" in rule.kinds
    opcode = rule.of_complex if isinstance(rule, Composes) else getattr(rule, "opcode", "")
    if not isinstance(rule, Native | Composes) or FORWARD in op.traits:
        return False
    return op.elementwise and opcode in FUNCTIONS


NAMES = [
    name for name, op in TABLE.items()
    if isinstance(op.lower, Native | Composes | Reduces) and takes_complex(op)
]  # fmt: skip
MOVING = [
    name for name, op in TABLE.items()
    if isinstance(op.lower, OnArrays) and op.lower.fills is None and takes_complex(op)
]
WHOLE = pytest.mark.parametrize("whole", always([False], [False, True]))
"""Whether all samples are taken, in both dtypes and all layouts."""


def made_complex(x, dtype):
    """The elements of an array of floats, and the same in another order as imaginary parts."""
    x = np.asarray(x)
    if x.dtype.kind not in "fc":
        return x
    with np.errstate(all="ignore"):
        found = np.empty(x.shape, dtype)
        found.real = x.real
        found.imag = np.roll(x.real.ravel(), 1).reshape(x.shape)
    return found


def layouts(op, sample, whole=False):
    """The inputs of a sample, and whether their sizes are known."""
    if any(np.asarray(x).dtype.kind not in "biufc" for x in sample.inputs):
        return
    narrow, wide = (
        [np.asarray(x) if op.name == "complex" else made_complex(x, dtype) for x in sample.inputs]
        for dtype in DTYPES
    )
    yield narrow, True
    yield [strided(grown(op, x)) for x in wide], False
    if whole:
        yield [strided(grown(op, x)) for x in narrow], True
        yield wide, False


def sweep(op, whole, few):
    """Compare both engines on the samples of a definition; those are left out whose attributes are
    for floats alone.
    """
    found = op.samples()
    for sample in found if whole else found[:: 1 + len(found) // few]:
        for inputs, known in layouts(op, sample, whole):
            try:
                graph = graph_of(op, inputs, sample.attrs, known)
            except (TypeError, ValueError, tf.errors.OpError):
                continue
            compare(op, graph, fed(op, inputs, known))


def compare(op, graph, arrays):
    """Compare the results of both engines: complex numbers as points of the plane."""
    expected, found = outcome(reference_code(graph), arrays), outcome(native_code(graph), arrays)
    text = f"{op.name} of {[x.shape for x in arrays]}, {[x.dtype for x in arrays]}"
    if isinstance(expected, tuple) or isinstance(found, tuple):
        assert found == expected, text
        return
    for one, other in zip(found, expected, strict=True):
        one, other = np.asarray(one), np.asarray(other)
        assert (one.dtype, one.shape) == (other.dtype, other.shape), text
        if other.dtype.kind not in "fc":
            np.testing.assert_array_equal(one, other, text)
            continue
        most = CLOSE[other.dtype.str[1:]]
        with np.errstate(all="ignore"):
            size = np.abs(other) if op.elementwise else np.abs(other[np.isfinite(other)]).max(
                initial=1.0)  # fmt: skip
            size = np.where(np.isfinite(size), size, 0)
            for parts in ((one.real, other.real), (one.imag, other.imag)):
                part, wanted = parts
                same = (part == wanted) | (np.isnan(part) & np.isnan(wanted))
                near = np.abs(part - wanted) <= most * size
                assert np.all(same | near), f"{text}: {one} instead of {other}"


@WHOLE
@pytest.mark.parametrize("name", NAMES)
def test_results(name, whole):
    sweep(TABLE[name], whole, 3)


@WHOLE
@pytest.mark.parametrize("name", MOVING)
def test_elements_that_move(name, whole):
    sweep(TABLE[name], whole, 2)


@pytest.mark.parametrize("name", [name for name in NAMES if is_loop(TABLE[name])])
def test_elements_are_computed_in_loops(name):
    op = TABLE[name]
    for sample in op.samples():
        inputs = next(layouts(op, sample), [()])[0]
        if not inputs or not inputs[0].ndim or not inputs[0].size:
            continue
        if sample.attrs.get("axis", 0) == ():
            continue
        graph = graph_of(op, inputs, sample.attrs, True)
        instructions = native_code(graph).native.module.entry.block.instructions
        assert any(isinstance(one, Fusion) for one in instructions), sample
        assert not any(type(one) is ir.Callback for one in instructions), sample
        return


SPECIAL = (0.0, -0.0, 1.5, -2.0, 1e-310, 1e308, np.inf, -np.inf, np.nan)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [
    name for name in NAMES if is_loop(TABLE[name]) and TABLE[name].elementwise
])  # fmt: skip
def test_special_values(name, dtype):
    op = TABLE[name]
    numbers = np.empty(len(SPECIAL) ** 2, dtype)
    with np.errstate(all="ignore"):
        numbers.real, numbers.imag = (x.ravel() for x in np.meshgrid(SPECIAL, SPECIAL))
    arity = 2 if op.arity is None else op.arity
    pairs = [x.ravel() for x in np.meshgrid(*[numbers] * min(arity, 2))]
    if op.name == "where":
        pairs.insert(0, np.arange(pairs[0].size) % 3 == 0)
    if op.name == "complex":
        pairs = [x.real.astype("f4" if dtype == "complex64" else "f8") for x in pairs]
    for attrs in {str(s.attrs): s.attrs for s in op.samples()}.values():
        graph = graph_of(op, pairs, attrs, True)
        compare(op, graph, pairs)


def test_one_special_value_leaves_the_others_as_they_are():
    x = np.array([1 + 1j, np.inf + 0j, 2j, -1e308 - 1e308j], np.complex128)

    def f(x):
        return tf.exp(x * 0.5), tf.sqrt(x) + 1

    found = tf.function(f, jit_compile=True)(x)
    wanted = tf.function(f, jit_compile=False)(x)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("shape", [(), (0,), (1,), (3,), (67,), (5, 0), (3, 65)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_chains_of_operations(shape, dtype):
    rng = np.random.default_rng(5)
    x = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    y = (rng.standard_normal(shape[-1:]) + 1j).astype(dtype)

    def f(x, y):
        z = (x * y + tf.math.conj(x)) / (y + 3.0)
        inside = tf.abs(z) < 1.0
        z = tf.where(inside, z**2 + x, z)
        total = tf.reduce_sum(z) + tf.reduce_mean(z * 0.0 + 1.0 if 0 not in shape else z)
        return z, total, tf.math.real(z) * tf.math.imag(x), tf.cast(z, tf.complex64), z != x

    close = CLOSE[np.dtype(dtype).str[1:]]
    with np.errstate(all="ignore"):
        found, wanted = (tf.function(f, jit_compile=jit)(x, y) for jit in (True, False))
    for one, other in zip(found, wanted, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        np.testing.assert_allclose(one.numpy(), other.numpy(), close, 10 * close)


def test_slices_masks_and_writes():
    def f(z, m, k):
        z[1:, ::2] *= 2j
        z[k] = z[k - 1] + 1
        chosen = z[m]
        z[m] = chosen**2
        return chosen, z[::-1, k], np.real(z).sum(0)

    rng = np.random.default_rng(6)
    z = rng.standard_normal((4, 5)) + 1j * rng.standard_normal((4, 5))
    m = rng.random((4, 5)) < 0.5
    mine, theirs = z.copy(), z.copy()
    found = tf.jit(f, jit_compile=True)(mine, m, 2)
    wanted = f(theirs, m, 2)
    np.testing.assert_allclose(mine, theirs, 1e-13)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, 1e-13)
