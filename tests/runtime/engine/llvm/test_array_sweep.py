"""Sweep over the definitions that native code computes on arrays by loops: their own samples, in
several dtypes and layouts, of known and unknown sizes, with gradients.

The native engine gives what the reference engine gives, errors included, and calls no kernel where
sizes are known.
"""

from __future__ import annotations

import numpy as np
import pytest

from runtime.engine.llvm import formula_code  # noqa: F401 - fills the table
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.opcodes import FORMULAS
from runtime.ops.op import TABLE
from runtime.ops.rules.lowering import Composes, Native, OnArrays
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



def is_formula(op):
    """Whether the opcode is a formula, for the attributes of some sample."""
    rule = op.lower
    return any(rule.opcode_for("f", False, s.attrs) in FORMULAS for s in op.samples())


NAMES = [
    name for name, op in TABLE.items()
    if isinstance(op.lower, Composes) or (isinstance(op.lower, OnArrays) and op.lower.fills)
    or (isinstance(op.lower, Native) and op.elementwise and is_formula(op))
]  # fmt: skip
FLOATS = (np.dtype("f4"), np.dtype("f8"))
CLOSE = {"f4": 2e-5, "f8": 1e-11}
"""How far floats may differ: sums are taken in another order, functions have other errors."""


def as_float(x, dtype):
    return x.astype(dtype) if x.dtype in FLOATS else x


WHOLE = pytest.mark.parametrize("whole", always([False], [False, True]))
"""Whether all samples are taken in all layouts."""


def samples(op, whole):
    """The samples of a definition, or some of them where there are many."""
    found = op.samples()
    return found if whole else found[:: 1 + len(found) // 4]


def layouts(op, sample, whole):
    """The inputs of a sample, and whether their sizes are known: in several dtypes and layouts."""
    inputs = [np.asarray(x) for x in sample.inputs]
    if any(x.dtype.kind not in "biuf" or x.dtype == np.float16 for x in inputs):
        return
    narrow, wide = ([as_float(x, dtype) for x in inputs] for dtype in FLOATS)
    yield narrow, True
    yield [strided(grown(op, x)) for x in narrow], False
    yield [grown(op, x) for x in wide], whole
    if whole:
        yield [strided(x) for x in narrow], True
        yield [grown(op, x) for x in narrow], False


def compare(op, graph, arrays):
    """Compare the results of both engines."""
    expected = outcome(reference_code(graph), arrays)
    found = outcome(native_code(graph), arrays)
    text = f"{op.name} of {[x.shape for x in arrays]}, {[x.dtype for x in arrays]}"
    if isinstance(expected, tuple) or isinstance(found, tuple):
        assert found == expected, text
        return
    for one, other in zip(found, expected, strict=True):
        one, other = np.asarray(one), np.asarray(other)
        assert (one.dtype, one.shape) == (other.dtype, other.shape), text
        if other.dtype.kind != "f":
            np.testing.assert_array_equal(one, other, text)
            continue
        most = CLOSE[other.dtype.str[1:]]
        size = np.abs(other[np.isfinite(other)]).max(initial=1.0)
        np.testing.assert_allclose(one, other, rtol=most, atol=most * size, err_msg=text)
        if op.elementwise:
            zeros = (one == 0) & (other == 0)
            np.testing.assert_array_equal(np.signbit(one[zeros]), np.signbit(other[zeros]), text)


def callbacks_in(graph):
    """The names of the definitions whose kernels native code calls where nothing is special."""
    found, todo = [], [native_code(graph).native.module.entry.block]
    while todo:
        for instruction in todo.pop().instructions:
            if isinstance(instruction, ir.Callback) and instruction.site.step is not None:
                found.append(instruction.site.step.operation.op_def.name)
            elif isinstance(instruction, ir.Switch):  # the second branch may be a guard's
                todo.append(instruction.branches[0])
            elif not isinstance(instruction, Fusion):
                todo += instruction.blocks()
    return found


@WHOLE
@pytest.mark.parametrize("name", NAMES)
def test_results(name, whole):
    op = TABLE[name]
    for sample in samples(op, whole):
        for inputs, known in layouts(op, sample, whole):
            graph = graph_of(op, inputs, sample.attrs, known)
            compare(op, graph, fed(op, inputs, known))


@WHOLE
@pytest.mark.parametrize("name", [n for n in NAMES if isinstance(TABLE[n].lower, Composes)])
def test_no_kernel_is_called(name, whole):
    op, count = TABLE[name], 0
    for sample in samples(op, whole):
        for inputs, known in layouts(op, sample, whole):
            if known:
                count += not callbacks_in(graph_of(op, inputs, sample.attrs, True))
    assert count


@WHOLE
@pytest.mark.parametrize("name", [n for n in NAMES if TABLE[n].grad])
def test_gradients(name, whole):
    op = TABLE[name]
    for sample in samples(op, whole)[:: 1 if whole else 3]:
        for inputs, known in layouts(op, sample, whole):
            if any(x.dtype in FLOATS for x in inputs):
                graph = graph_of(op, inputs, sample.attrs, known, gradient=True)
                compare(op, graph, fed(op, inputs, known))


PAIRS = [n for n in NAMES if TABLE[n].elementwise and TABLE[n].arity == 2]


@pytest.mark.parametrize("name", PAIRS)
def test_shapes_that_do_not_fit(name):
    op = TABLE[name]
    kind = np.float32 if not op.dtype_kinds or "f" in op.dtype_kinds else np.bool_
    kind = np.int32 if op.dtype_kinds and set(op.dtype_kinds) <= set("iu") else kind
    attrs = op.samples()[0].attrs
    arrays = [np.ones((2, 3), kind), np.ones((2, 4), kind)]
    try:
        graph = graph_of(op, arrays, attrs, False)
    except TypeError:
        pytest.skip("it takes other dtypes")
    compare(op, graph, arrays)
    assert isinstance(outcome(native_code(graph), arrays), tuple)
