"""Sweep over the definitions that native code computes on arrays by loops: their own samples, in
several dtypes and layouts, of known and unknown sizes, with gradients.

The native engine gives what the reference engine gives, errors included, and calls no kernel where
sizes are known.
"""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.engine.executable import executable
from runtime.engine.llvm import formula_code  # noqa: F401 - fills the table
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.formulas import FORMULAS
from runtime.graph.func_graph import FuncGraph
from runtime.graph.run_request import request_for
from runtime.ops.op import REDUCTION, TABLE
from runtime.ops.rules.lowering import Composes, Fills, Native
from runtime.types import flags
from runtime.types.dtypes import as_dtype
from tests.support.extras import needs
from tests.support.nightly import always

pytestmark = needs("jit")



def is_formula(op):
    """Whether the opcode is a formula, for the attributes of some sample."""
    rule = op.lower
    return any(rule.opcode_for("f", False, s.attrs) in FORMULAS for s in op.samples())


NAMES = [
    name for name, op in TABLE.items()
    if isinstance(op.lower, Composes | Fills)
    or (isinstance(op.lower, Native) and op.elementwise and is_formula(op))
]  # fmt: skip
FLOATS = (np.dtype("f4"), np.dtype("f8"))
CLOSE = {"f4": 2e-5, "f8": 1e-11}
"""How far floats may differ: sums are taken in another order, functions have other errors."""


def native_code(graph):
    with flags.JIT("always"):
        made = executable(request_for(graph))
    assert made.engine == "llvm"
    return made


def reference_code(graph):
    with flags.JIT("never"), flags.OPTIMIZE(False), flags.WRITE_AFTER(0):
        return executable(request_for(graph))


def graph_of(op, inputs, attrs, known, gradient=False):
    """A graph of one operation, or of the gradient of the sum of its results."""
    graph = FuncGraph("sweep")
    with graph.as_default():
        given = [argument(graph, op, n, x, known) for n, x in enumerate(inputs)]
        results = op(*given, **attrs)
        if gradient:
            wanted = [x for x in given if x.dtype.is_floating]
            found = tf.gradients(results, wanted)
            results = [x for x in found if x is not None]
        graph.set_outputs(list(results) if isinstance(results, list | tuple) else [results])
    return graph


def argument(graph, op, number, x, known):
    """An input; the shape of the result is a constant if it is known, as gradients have it."""
    if known and is_shape(op, number):
        return tf.constant(x)
    shape = x.shape if known else [None] * x.ndim
    return graph.add_input(tf.TensorSpec(shape, as_dtype(x.dtype)))


def is_shape(op, number):
    return op.arity is not None and op.inputs[number] in ("shape", "dims")


def fed(op, inputs, known):
    """The arrays of those inputs that are no constants."""
    return [x for n, x in enumerate(inputs) if not (known and is_shape(op, n))]


def grown(op, x):
    """More of the same along each axis, so that vectors and their tails both come."""
    if not (op.elementwise or REDUCTION in op.traits):
        return x
    return np.tile(x, [37 if size > 1 else 1 for size in x.shape])


def strided(x):
    """The same elements with gaps between them, the last axis from the end to the front."""
    if not x.ndim:
        return x
    wide = np.repeat(x, 2, -1)[..., ::-1].copy()
    return wide[..., ::-2]


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


def outcome(run, arrays):
    try:
        with np.errstate(all="ignore"):
            return run(list(arrays))
    except Exception as error:
        return type(error), str(error)


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
