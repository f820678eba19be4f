"""One sweep over the table of ops: every row, with every one of its samples.

Derivatives have a sweep of their own, test_derivatives.py.

``infer`` agrees with the kernel however little it knows, and the kernel, eager execution and a
session agree on value and dtype.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import runtime as tf
from runtime.ops.op import HIGHER_ORDER, STATEFUL, TABLE, Missing
from runtime.ops.rules.lowering import Composes, Multiplies, Native, OnWindows, Reduces
from runtime.types import flags
from runtime.types.conversion import as_object_scalar
from runtime.types.dtypes import DTYPE_OF_NUMPY
from runtime.types.shapes import TensorSpec
from tests.support.extras import marked, needs
from tests.support.nightly import always

SAMPLED = {name: op for name, op in TABLE.items() if callable(op.samples)}
SIZES = {name: range(len(op.samples())) for name, op in SAMPLED.items()}


def sample(name, i):
    """A case made anew: random streams start afresh."""
    return SAMPLED[name].samples()[i]


def outputs(result):
    """What a kernel or an op gave, as a list of arrays."""
    if result is None:
        return []
    several = result if isinstance(result, tuple | list) else (result,)
    arrays = [r.numpy() if isinstance(r, tf.Tensor) else r for r in several]
    return [as_object_scalar(a) if isinstance(a, bytes) else np.asarray(a) for a in arrays]


def kernel_outputs(name, i):
    case = sample(name, i)
    with np.errstate(all="ignore"):
        return outputs(TABLE[name].kernel(*case.inputs, **case.attrs))


def specs_of(result):
    return [result] if isinstance(result, TensorSpec) else list(result)


def same(found, expected, where):
    assert len(found) == len(expected), where
    for f, e in zip(found, expected):
        np.testing.assert_array_equal(f, e, where, strict=True)


def test_enough_rows():
    assert len(TABLE) >= 110
    assert len(SAMPLED) >= 110


@pytest.mark.parametrize("name", TABLE)
def test_row_is_complete(name):
    op = TABLE[name]
    assert op.__doc__.strip() and not op.__doc__.startswith("The op ``"), "say what it does"
    if not callable(op.samples):
        stated = isinstance(op.samples, Missing) and op.samples.reason
        assert stated or op.traits & {STATEFUL, HIGHER_ORDER}, "give samples, or Missing(reason)"


FORGET = {
    "nothing": lambda x: TensorSpec(x.shape, x.dtype, None, x),
    "value": lambda x: TensorSpec(x.shape, x.dtype),
    "some sizes": lambda x: TensorSpec([None, *x.shape[1:]][: x.ndim], x.dtype),
    "last size": lambda x: TensorSpec([*x.shape[:-1], None][-x.ndim :][: x.ndim], x.dtype),
    "all sizes": lambda x: TensorSpec([None] * x.ndim, x.dtype),
    "rank": lambda x: TensorSpec(None, x.dtype),
}


@pytest.mark.parametrize("name", marked(SAMPLED))
def test_infer_agrees_with_kernel(name):
    for i in SIZES[name]:
        computed = kernel_outputs(name, i)
        for what, forget in FORGET.items():
            case = sample(name, i)
            inferred = specs_of(TABLE[name].infer(*map(forget, case.inputs), **case.attrs))
            where = f"sample {i}, forgotten: {what}"
            assert len(inferred) == len(computed), where
            for spec, array in zip(inferred, computed):
                assert spec.dtype is DTYPE_OF_NUMPY[array.dtype], where
                assert spec.shape.is_compatible_with(array.shape), where
                if what == "nothing" and name not in SIZE_BY_VALUE:
                    assert spec.shape.is_fully_defined(), f"{where}: {spec}"
                if spec.value is not None:
                    np.testing.assert_array_equal(np.asarray(spec.value), array, where, strict=True)


# How much comes out is known only when the elements are.
SIZE_BY_VALUE = {
    "argwhere", "bincount", "bytes_split", "decode_raw", "dynamic_partition", "dynamic_stitch",
    "getitem", "parse_example", "parse_sequence_example", "parse_tensor",
    "ragged_string_ngrams", "ragged_to_tensor", "setdiff1d", "string_split",
    "unicode_decode", "unique_with_counts",
} | {
    f"segment_{how}" for how in ("max", "mean", "min", "prod", "sum")
}


@pytest.mark.parametrize("name", marked(SAMPLED))
def test_eager_agrees_with_kernel(name):
    for i in SIZES[name]:
        case = sample(name, i)
        result = TABLE[name](*map(tf.constant, case.inputs), **case.attrs)
        same(outputs(result), kernel_outputs(name, i), f"sample {i}")


@pytest.mark.parametrize("name", marked(SAMPLED))
def test_session_agrees_with_kernel(name):
    for i, known in itertools.product(SIZES[name], (True, False)):
        case = sample(name, i)
        with tf.Graph().as_default() as graph:
            if known:
                feeds = {}
                tensors = [tf.constant(x) for x in case.inputs]
            else:
                tensors = [tf.placeholder(DTYPE_OF_NUMPY[x.dtype]) for x in case.inputs]
                feeds = dict(zip(tensors, case.inputs))
            result = TABLE[name](*tensors, **case.attrs)
            fetches = list(result) if isinstance(result, tuple) else [result]
            found = tf.Session(graph=graph).run(fetches, feeds)
        same(outputs(found), kernel_outputs(name, i), f"sample {i}, {known=}")


FEW = 4


def telling(name):
    """Of the samples those with an array or attributes not met before, a few from all of them."""
    met, kept = set(), []
    for i, case in enumerate(SAMPLED[name].samples()):
        kinds = {(x.dtype, x.shape) for x in case.inputs} | {str(case.attrs)}
        if not kinds <= met:
            kept.append(i)
        met |= kinds
    return kept[:: -(-len(kept) // FEW)]


@needs("jit")
@pytest.mark.parametrize("choose", always([telling], [telling, SIZES.get]))
@pytest.mark.parametrize("name", marked(SAMPLED))
def test_native_engine_agrees_with_kernel(name, choose):
    """Machine code of an op on its own.  Sums and functions such as exp are rounded otherwise."""
    for i in choose(name):
        case = sample(name, i)
        with tf.Graph().as_default() as graph, flags.JIT("always"):
            tensors = [tf.placeholder(DTYPE_OF_NUMPY[x.dtype], x.shape) for x in case.inputs]
            result = TABLE[name](*tensors, **case.attrs)
            fetches = list(result) if isinstance(result, tuple) else [result]
            found = tf.Session(graph=graph).run(fetches, dict(zip(tensors, case.inputs)))
        expected = kernel_outputs(name, i)
        rounding = Native, Reduces, Multiplies, OnWindows, Composes
        is_exact = not isinstance(TABLE[name].lower, rounding)
        if is_exact or expected[0].dtype.kind != "f":
            same(outputs(found), expected, f"sample {i}")
            continue
        for one, other in zip(outputs(found), expected):
            eps = np.finfo(other.dtype).eps
            np.testing.assert_allclose(one, other, 8 * eps, eps, strict=True)
