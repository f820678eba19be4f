"""Sweep over the definitions of ops: on XLA they give what the reference engine gives.

Inputs that decide about shapes are constants, as graphs mostly have them.
"""

from __future__ import annotations

import itertools
from importlib import import_module

import numpy as np
import pytest

import runtime as tf
from runtime.engine.executable import executable
from runtime.engine.xla import interpreter
from runtime.graph.func_graph import FuncGraph
from runtime.graph.run_request import request_for
from runtime.ops.op import HIGHER_ORDER, STATEFUL, TABLE
from runtime.types import flags
from runtime.types.dtypes import as_dtype
from tests.runtime.engine.llvm.sweeps import outcome, reference_code
from tests.support.extras import marked, needs
from tests.support.nightly import EVERYTHING, always

pytestmark = needs("xla")

CLOSE = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 2e-5, "complex64": 2e-5}
OF_SHAPES = {
    "begin", "delta", "depth", "dims", "k", "limit", "minlength", "multiples", "num", "num_columns",
    "num_lower", "num_rows", "num_segments", "num_upper", "number", "paddings", "perm", "rcond",
    "repeats", "seed", "shape", "shift", "size", "sizes", "start",
}  # fmt: skip
"""Names of inputs that decide about shapes, or about what is computed at all."""

ON_CPU = {
    "as_string", "call_numpy", "call_python", "compare_numbers", "eig", "eigvals", "logm",
    "ragged_to_tensor", "random_index_shuffle", "recurrence", "sqrtm",
}  # fmt: skip
"""Ops on numbers that XLA does not run: they give texts, call Python, or order eigenvalues."""


def is_numeric(sample):
    return all(np.asarray(x).dtype.kind in "biufcV" for x in sample.inputs)


def gives_numbers(name):
    """Whether an op has samples of numbers, and gives numbers."""
    op = TABLE[name]
    samples = [s for s in op.samples() if is_numeric(s)]
    return bool(samples)


NAMES = [
    name for name, op in TABLE.items()
    if callable(op.samples) and not op.traits & {STATEFUL, HIGHER_ORDER} and "string" not in name
    and "unicode" not in name and name != "text" and gives_numbers(name)
]  # fmt: skip


def graph_of(op, inputs, attrs, static):
    """Graph of one operation, some of whose inputs are constants."""
    graph = FuncGraph("sweep")
    with graph.as_default():
        operands = [
            tf.constant(x) if n in static
            else graph.add_input(tf.TensorSpec(x.shape, as_dtype(x.dtype)))
            for n, x in enumerate(inputs)
        ]  # fmt: skip
        results = op(*operands, **attrs)
        graph.set_outputs(list(results) if isinstance(results, list | tuple) else [results])
    return graph


def static_inputs(op, inputs):
    """Numbers of the inputs that are constants: those named so; then all that hold no floats."""
    named = {n for n in range(len(inputs)) if op.arity is not None and op.inputs[n] in OF_SHAPES}
    yield named
    yield named | {n for n, x in enumerate(inputs) if n and x.dtype.kind in "iub"}


def compare(found, expected, where):
    if isinstance(found, tuple) or isinstance(expected, tuple):
        assert found == expected, where
        return
    for ours, reference in zip(map(np.asarray, found), map(np.asarray, expected), strict=True):
        assert (ours.dtype, ours.shape) == (reference.dtype, reference.shape), where
        if reference.dtype.kind not in "fcV":
            np.testing.assert_array_equal(ours, reference, where)
            continue
        most = CLOSE.get(reference.dtype.name, 1e-11)
        if reference.dtype.kind != "c":
            ours, reference = ours.astype(np.float64), reference.astype(np.float64)
        size = np.abs(reference[np.isfinite(reference)]).max(initial=1.0)
        np.testing.assert_allclose(ours, reference, rtol=most, atol=most * size, err_msg=where)


@pytest.mark.parametrize("name", marked(NAMES))
def test_xla_agrees_with_the_reference(name):
    op, runs = TABLE[name], 0
    samples = [s for s in op.samples() if is_numeric(s)]
    for sample in samples if EVERYTHING else samples[:2]:
        inputs = [np.asarray(x) for x in sample.inputs]
        for static in static_inputs(op, inputs):
            graph = graph_of(op, inputs, sample.attrs, static)
            arrays = [x for n, x in enumerate(inputs) if n not in static]
            expected = outcome(reference_code(graph), arrays)
            with flags.ENGINE("xla"), flags.OPTIMIZE(False):
                code = executable(request_for(graph))
            compare(outcome(code, arrays), expected, f"{name} {inputs} {sample.attrs}")
            assert code.engine == "xla"
            if not code.progress:
                runs += 1
                break
    assert runs or name in ON_CPU


def test_enough_definitions_run():
    all_rules = import_module("runtime.engine.xla.rules.all_rules")
    assert all_rules
    assert len((set(NAMES) - ON_CPU) | set(interpreter.TAKES_OPERATION)) >= 318


FLOATS = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e30, 0.5, -2.5, 3.0, -7.0, 100.0]
INTS = [0, 1, -1, 2, -7, 2**31 - 1, -(2**31), 31, 32, 100]
SIGNS_DIFFER = {
    "bessel_i1", "bessel_i1e", "clip_by_value", "elu", "erfinv", "maximum", "minimum", "selu",
    "sign",
}  # fmt: skip


def at_the_edges(dtype):
    if dtype.kind == "f":
        return np.array(FLOATS, dtype)
    limits = np.iinfo(dtype)
    return np.array([n for n in INTS if limits.min <= n <= limits.max], dtype)


@pytest.mark.parametrize("name", marked(n for n in NAMES if TABLE[n].elementwise))
def test_edges(name):
    """Infinities, NaN, zeros of both signs, and the ends of ints."""
    op, seen = TABLE[name], set()
    for sample in op.samples():
        inputs = [np.asarray(x) for x in sample.inputs]
        kind = tuple(x.dtype.str for x in inputs), str(sample.attrs)
        if len(inputs) > 2 or kind in seen or any(x.dtype.kind not in "iuf" for x in inputs):
            continue
        seen.add(kind)
        values = [at_the_edges(x.dtype) for x in inputs]
        arrays = [np.array(x) for x in zip(*itertools.product(*values), strict=True)]
        arrays = [x.astype(v.dtype) for x, v in zip(arrays, values, strict=True)]
        graph = graph_of(op, arrays, sample.attrs, ())
        expected = outcome(reference_code(graph), arrays)
        with flags.ENGINE("xla"), flags.OPTIMIZE(False):
            found = outcome(executable(request_for(graph)), arrays)
        if isinstance(found, tuple) or isinstance(expected, tuple):
            assert found == expected
            continue
        (ours,), (reference,) = found, expected
        if reference.dtype.kind != "f":
            np.testing.assert_array_equal(ours, reference, name)
            continue
        info = np.finfo(reference.dtype)
        least = 4 * info.eps if name == "gelu" else info.tiny  # it cancels; below it, XLA gives 0
        most = CLOSE.get(reference.dtype.name, 1e-10)
        np.testing.assert_allclose(ours, reference, rtol=most, atol=least, err_msg=name)
        zeros = (ours == 0) & (reference == 0)
        if name not in SIGNS_DIFFER:
            np.testing.assert_array_equal(np.signbit(ours[zeros]), np.signbit(reference[zeros]))


@pytest.mark.parametrize("size", always([0], [0, 1, 5]))
def test_products_have_full_precision(size):
    x = np.linspace(-1, 1, size * 7, dtype=np.float32).reshape(size, 7)
    product = tf.function(lambda a: a @ tf.transpose(a), jit_compile="xla")
    np.testing.assert_allclose(product(x).numpy(), x @ x.T, rtol=1e-6, atol=1e-6)
