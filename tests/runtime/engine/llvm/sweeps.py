"""What sweeps over the op definitions share: graphs of one operation, on both engines."""

from __future__ import annotations

import numpy as np

import runtime as tf
from runtime.engine.executable import executable
from runtime.graph.func_graph import FuncGraph
from runtime.graph.run_request import request_for
from runtime.ops.op import REDUCTION
from runtime.types import flags
from runtime.types.dtypes import as_dtype


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


def outcome(run, arrays):
    try:
        with np.errstate(all="ignore"):
            return run(list(arrays))
    except Exception as error:
        return type(error), str(error)
