"""The surface gives what TensorFlow gave for the same calls: values, dtypes and shapes."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import runtime as tf
from runtime.ops.op import TABLE
from tests.runtime.ops.tensorflow_calls import CALLS, NAMESPACE, VALUES, outcome
from tests.support.extras import needs

RECORDED = json.loads(VALUES.read_text(encoding="utf-8"))


def by_extra(calls):
    """The calls as parameters, with the marks of the extras that the ops in them need."""
    found = []
    for call in calls:
        names = [name for name in re.findall(r"\.(\w+)\(", call) if name in TABLE]
        extras = {TABLE[name].extra for name in names} - {""}
        found.append(pytest.param(call, marks=[needs(extra) for extra in extras]))
    return found


def test_the_record_has_every_call():
    assert list(RECORDED) == CALLS


@pytest.mark.parametrize("call", by_extra(CALLS))
def test_gives_what_tensorflow_gives(call):
    found, expected = outcome(tf, call.replace("compat.v1.", "")), RECORDED[call]
    assert [(r["dtype"], r["shape"]) for r in found] == [(r["dtype"], r["shape"]) for r in expected]
    for ours, theirs in zip(found, expected):
        np.testing.assert_allclose(ours["values"], theirs["values"], rtol=2e-4, atol=3e-5)


@pytest.mark.parametrize(
    "call", by_extra(c for c in CALLS if "np." not in c and "lambda" not in c)
)
def test_in_a_graph_as_eagerly(call):
    """Traced with arrays whose values are not known, where the call takes any."""
    names = sorted(n for n in NAMESPACE if f"{n}" in call and n not in ("np", "numbers"))
    arrays = [np.asarray(NAMESPACE[n]) for n in names]

    def staged(*tensors):
        space = {**NAMESPACE, "tf": tf, **dict(zip(names, tensors))}
        result = eval(call.replace("compat.v1.", ""), space)
        return list(result) if isinstance(result, tuple | list) else [result]

    eager = [np.asarray(r) for r in staged(*map(tf.constant, arrays))]
    with tf.Graph().as_default() as graph:
        holders = [tf.placeholder(a.dtype, a.shape) for a in arrays]
        fetches = staged(*holders)
        found = tf.Session(graph=graph).run(fetches, dict(zip(holders, arrays)))
    for ours, theirs, tensor in zip(found, eager, fetches):
        np.testing.assert_array_equal(ours, theirs, strict=True)
        assert not isinstance(tensor, tf.Tensor) or tensor.shape.is_compatible_with(theirs.shape)
