"""Sweep over the definitions of ops: eager operations on a virtual GPU give what the CPU gives."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.ops.op import TABLE
from tests.runtime.engine.xla.test_sweep import NAMES, compare, is_numeric
from tests.support.extras import marked, needs
from tests.support.nightly import NIGHTLY

pytestmark = [needs("xla"), pytest.mark.usefixtures("gpus")]

ALWAYS = {"add", "argmax", "cast", "cumsum", "gather", "pad", "reshape", "stack", "strided_slice"}


def outcome(op, inputs, attrs):
    try:
        results = op(*map(tf.constant, inputs), **attrs)
    except Exception as error:
        return type(error), str(error)
    return [*results] if isinstance(results, list | tuple) else [results]


@pytest.mark.parametrize(
    "name",
    [p if p.values[0] in ALWAYS else pytest.param(*p.values, marks=[*p.marks, NIGHTLY])
     for p in marked(NAMES)],
)  # fmt: skip
def test_a_gpu_agrees_with_the_cpu(name):
    op = TABLE[name]
    for sample in [s for s in op.samples() if is_numeric(s)][:2]:
        inputs = [np.asarray(x) for x in sample.inputs]
        expected = outcome(op, inputs, sample.attrs)
        for _ in range(2):  # compiled, and taken from the table
            with tf.device("/gpu:0"):
                found = outcome(op, inputs, sample.attrs)
            compare(found, expected, name)
