"""Sweep over the ops that move elements by computed indexes: native code does what kernels do.

The samples of the definitions run in all dtypes, layouts and with sizes more or less known.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import runtime as tf
from runtime.engine.executable import executable
from runtime.graph.func_graph import FuncGraph
from runtime.graph.run_request import request_for
from runtime.ops.op import TABLE
from runtime.ops.rules.lowering import OnArrays
from runtime.types import flags
from runtime.types.dtypes import DTYPE_OF_NUMPY
from tests.runtime.engine.llvm.native_arrays import agree
from tests.support.extras import needs
from tests.support.nightly import examples

pytestmark = needs("jit")

SWEPT = [
    name for name, op in TABLE.items()
    if isinstance(op.lower, OnArrays) and (op.lower.element or op.lower.plan)
]
ROUNDED = ("cumulative_logsumexp",)
"""Ops that call functions of the C library, whose results may differ in the last places."""
MANY = examples(2, kept=1)
"""So many samples run in all dtypes, and with all that may be known."""
DTYPES = "bool int8 uint8 int32 int64 uint64 float32 float64".split()
KNOWN = ("all", "ranks", "constants", "constants and ranks")
"""What the graph knows of the inputs; constants are those besides the first."""


def executables(op, inputs, attrs, known):
    """The executables of one operation on the reference engine and on the native one, and which
    inputs they are fed.
    """
    graph, fed = FuncGraph("sweep"), []
    with graph.as_default():
        given = []
        for number, value in enumerate(inputs):
            if number and "constants" in known:
                given.append(tf.constant(value))
                continue
            dims = [None] * value.ndim if "ranks" in known else value.shape
            given.append(graph.add_input(tf.TensorSpec(dims, DTYPE_OF_NUMPY[value.dtype])))
            fed.append(number)
        results = op(*given, **attrs)
        graph.set_outputs(list(results) if isinstance(results, tuple | list) else [results])
    with flags.JIT("never"), flags.OPTIMIZE(False):
        reference = executable(request_for(graph))
    with flags.JIT("always"):
        native = executable(request_for(graph))
    assert native.engine == "llvm"
    return reference, native, fed


def outcome(run, args):
    """What a run gives, or the class and text of its error."""
    try:
        return [np.array(found) for found in run([*args])]
    except Exception as error:
        return type(error).__name__, str(error)


def laid_out(x):
    """The same elements, laid out in several ways."""
    yield x
    if x.ndim:
        yield np.asfortranarray(x)
        yield np.repeat(x, 2, axis=-1)[..., ::2]
        yield x[::-1][::-1]


def check(op, inputs, attrs, known, variants):
    """Compare the engines on variants of the inputs."""
    try:
        reference, native, fed = executables(op, inputs, attrs, known)
    except (TypeError, ValueError):
        return  # the op does not take these dtypes
    for values in variants:
        args = [values[number] for number in fed]
        with np.errstate(all="ignore"):
            wanted, found = outcome(reference, args), outcome(native, args)
        where = f"{op.name} {attrs} {known} {args}"
        if isinstance(wanted, tuple) or isinstance(found, tuple):
            assert found == wanted, where
            continue
        for one, other in zip(found, wanted, strict=True):
            if op.name in ROUNDED:
                np.testing.assert_allclose(one, other, 1e-6, err_msg=where)
            else:
                np.testing.assert_array_equal(one, other, where, strict=True)


def typed(op, inputs):
    """The inputs in other dtypes: those that share one, and those that are indexes."""
    same = op.same_dtype_inputs
    data = set(range(len(inputs))[same]) if same is not None else {0}
    for name in DTYPES:
        kind = np.dtype(name).kind
        if op.dtype_kinds and kind not in op.dtype_kinds:
            continue
        if any(inputs[n].dtype.kind in "f" for n in data) or kind != "f":
            yield [x.astype(name) if n in data else x for n, x in enumerate(inputs)]
    for name in ("int32", "int64"):
        yield [
            x.astype(name) if n not in data and x.dtype.kind in "iu" else x
            for n, x in enumerate(inputs)
        ]


@pytest.mark.parametrize("name", SWEPT)
def test_samples(name):
    op = TABLE[name]
    for number, case in enumerate(op.samples()):
        inputs = [np.asarray(x) for x in case.inputs]
        if any(x.dtype.kind not in "biuf" for x in inputs):
            continue
        for values in typed(op, inputs) if number < MANY else ():
            check(op, values, case.attrs, "all", [values])
        for known in KNOWN if number < MANY else KNOWN[:1]:
            ways = itertools.islice(itertools.product(*map(laid_out, inputs)), 12)
            check(op, inputs, case.attrs, known, ways)


UNKNOWN = [tf.TensorSpec([None, None], "float32"), tf.TensorSpec([None], "int32")]
TABLE_OF_ROWS = np.arange(12, dtype=np.float32).reshape(4, 3)


@pytest.mark.parametrize("specs", [None, UNKNOWN])
@pytest.mark.parametrize("indices", [[0, 3, 3, 1], [], [4], [-1], [0, -5], [2**31 - 1]])
def test_indexes_are_checked(specs, indices):
    def f(x, i):
        return (
            tf.gather(x + 1, i) * 2, tf.gather(x, i, axis=1), x[i] + 1,
            tf.gather_nd(x, i[:, None]), tf.one_hot(i, 3),
        )

    for k in range(5):
        agree(lambda x, i, k=k: f(x, i)[k], TABLE_OF_ROWS, np.array(indices, np.int32),
              specs=specs)  # fmt: skip


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1)])
def test_nothing_to_pick_from(shape):
    for indices in ([], [0]):
        args = np.ones(shape, np.float32), np.array(indices, np.int32)
        for f in (lambda x, i: tf.gather(x, i), lambda x, i: x[i], lambda x, i: x[:, i]):
            agree(f, *args)
            agree(f, *args, specs=UNKNOWN)


def test_sizes_that_contradict_each_other():
    specs = [tf.TensorSpec([None, None], "float32"), tf.TensorSpec([2, None], "int32")]

    def f(x, i):
        return tf.gather(x, i, batch_dims=1, axis=1)

    agree(f, TABLE_OF_ROWS[:2], np.array([[0], [2]], np.int32), specs=specs)
    agree(f, TABLE_OF_ROWS, np.array([[0], [2]], np.int32), specs=specs)
    agree(f, TABLE_OF_ROWS[:1], np.array([[0], [2]], np.int32), specs=specs)


def test_memory_that_is_read_later_is_not_taken_over():
    """An array of the code's own, which is read at other places than those that are written."""

    def f(x):
        y = x * 2
        return tf.roll(y, 1, 0) + y, tf.roll(tf.identity(y), 2, 0)

    def last_read(x):
        y = tf.cumsum(x)
        return y * 2 + tf.roll(y, 1, 0)

    agree(last_read, np.arange(1000.0))
    agree(f, np.arange(1000.0))
    agree(lambda x: tf.roll(x * 2, 1, 0) * 3, np.arange(1000.0))


def test_sizes_that_only_the_run_knows():
    def f(n, x):
        count = tf.range(n)
        return count * 2, tf.one_hot(count, n), tf.eye(n), tf.sequence_mask(count, n)

    for n in (5, 1, 0, -1):
        for k in range(4):
            agree(lambda n, x, k=k: f(n, x)[k], np.int32(n), np.ones(3),
                  specs=[tf.TensorSpec([], "int32"), tf.TensorSpec([None], "float64")])  # fmt: skip


def test_places_that_fusions_compute():
    """What computes the indexes, and what uses the elements, is one loop with the read."""
    from tests.runtime.engine.llvm.native_arrays import modules_of

    def f(table, i):
        return tf.gather(table, i * 2 + 1) + 1.0

    args = tf.constant(np.arange(100.0)), tf.constant([3, 9, 0])
    found, text = modules_of(f, *args)
    np.testing.assert_array_equal(found, [8.0, 20.0, 2.0])
    assert text.count("= fusion") == 1
    assert "callback" not in text
