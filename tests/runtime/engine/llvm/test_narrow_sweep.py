"""Sweep over the definitions of floats: their own samples in float16 and bfloat16, in several
layouts, of known and unknown sizes, with gradients.

The native engine gives what the reference engine gives, errors included.
"""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.ops.op import TABLE
from runtime.ops.rules.lowering import ByKernel, Control, Native
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

DTYPES = ("float16", "bfloat16")
EPSILON = {"float16": 2.0**-10, "bfloat16": 2.0**-7}
NAMES = [
    name for name, op in TABLE.items()
    if not isinstance(op.lower, ByKernel | Control) and "f" in (op.dtype_kinds or "f")
    and not (isinstance(op.lower, Native) and op.elementwise)
    and any(np.asarray(x).dtype.kind == "f" for s in op.samples() for x in s.inputs)
]  # fmt: skip
SMOOTH = [name for name in NAMES if TABLE[name].grad]
WHOLE = pytest.mark.parametrize("whole", always([False], [False, True]))
"""Whether all samples are taken, in both dtypes and all layouts."""


def narrowed(x, dtype):
    x = np.asarray(x)
    with np.errstate(all="ignore"):
        return x.astype(tf.as_dtype(dtype).as_numpy_dtype) if x.dtype.kind == "f" else x


def layouts(op, sample, whole):
    """The inputs of a sample, and whether their sizes are known."""
    if any(np.asarray(x).dtype.kind not in "biuf" for x in sample.inputs):
        return
    for number, dtype in enumerate(DTYPES):
        inputs = [narrowed(x, dtype) for x in sample.inputs]
        if whole or number == len(op.name) % 2:
            yield inputs, True
        if whole or number != len(op.name) % 2:
            yield [strided(grown(op, x)) for x in inputs], False
        if whole:
            yield [strided(grown(op, x)) for x in inputs], True
            yield inputs, False


def compare(op, graph, arrays, gradient=False):
    """Compare both engines: sums may be rounded to a neighbour, or to several after some steps."""
    expected, found = outcome(reference_code(graph), arrays), outcome(native_code(graph), arrays)
    text = f"{op.name} of {[x.shape for x in arrays]}, {[x.dtype for x in arrays]}"
    if isinstance(expected, tuple) or isinstance(found, tuple):
        assert found == expected, text
        return
    for one, other in zip(found, expected, strict=True):
        one, other = np.asarray(one), np.asarray(other)
        assert (one.dtype, one.shape) == (other.dtype, other.shape), text
        most = EPSILON.get(tf.as_dtype(other.dtype).name)
        if most is None or (not op.grad and not gradient):
            np.testing.assert_array_equal(one, other, text)
            continue
        with np.errstate(all="ignore"):
            one, other = one.astype(np.float64), other.astype(np.float64)
        size = np.abs(other[np.isfinite(other)]).max(initial=0.0)
        most *= 4 if gradient else 1
        np.testing.assert_allclose(one, other, rtol=most, atol=most * size, err_msg=text)


def sweep(op, whole, few, gradient=False):
    found = op.samples()
    for sample in found if whole else found[:: 1 + len(found) // few]:
        for inputs, known in layouts(op, sample, whole):
            try:
                graph = graph_of(op, inputs, sample.attrs, known, gradient)
            except (TypeError, ValueError, tf.errors.OpError):
                continue  # the attributes are for float32
            if graph.outputs:
                compare(op, graph, fed(op, inputs, known), gradient)


@WHOLE
@pytest.mark.parametrize("name", NAMES)
def test_results(name, whole):
    sweep(TABLE[name], whole, 1)


@pytest.mark.parametrize("name", always(SMOOTH[::8], SMOOTH))
def test_gradients(name):
    sweep(TABLE[name], False, 1, gradient=True)
