"""Recurrent networks of TensorFlow 1: what TensorFlow's ``compat.v1`` with tf-keras computes.

``TF_USE_LEGACY_KERAS=1 python -m tests.runtime.compat.rnn_golden``, where TensorFlow and tf-keras
are installed, writes rnn_golden.json; test_rnn.py compares this runtime with it.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

PAGE = Path(__file__).with_suffix(".json")
X = np.linspace(-1, 1, 2 * 4 * 3).reshape(2, 4, 3).astype("float32")
LENGTHS = [2, 4]


def start(shape, dtype=None, partition_info=None):
    return np.linspace(-0.5, 0.75, int(np.prod(shape))).reshape(shape).astype("float32")


def _dynamic(make: Callable[[Any], Any], **kwargs: Any) -> Callable[[Any, Any], Any]:
    return lambda t, x: t.nn.dynamic_rnn(make(t.nn.rnn_cell), x, dtype=t.float32, **kwargs)


def _static(t, x):
    cell = t.nn.rnn_cell.GRUCell(2)
    return t.nn.static_rnn(cell, t.unstack(x, axis=1), dtype=t.float32, sequence_length=LENGTHS)


def _both(t, x):
    cells = [t.nn.rnn_cell.BasicLSTMCell(2), t.nn.rnn_cell.GRUCell(3)]
    return t.nn.bidirectional_dynamic_rnn(*cells, x, sequence_length=LENGTHS, dtype=t.float32)


def _both_static(t, x):
    cells = [t.nn.rnn_cell.BasicRNNCell(2), t.nn.rnn_cell.BasicRNNCell(2)]
    return t.nn.static_bidirectional_rnn(*cells, t.unstack(x, axis=1), dtype=t.float32)


def _shared(t, x):
    with t.variable_scope("m"):
        first, _ = t.nn.dynamic_rnn(t.nn.rnn_cell.GRUCell(2), x, dtype=t.float32)
    with t.variable_scope("m", reuse=True):
        second, _ = t.nn.dynamic_rnn(t.nn.rnn_cell.GRUCell(2), x * 2, dtype=t.float32)
    return first, second


def _from_state(t, x):
    cell = t.nn.rnn_cell.LSTMCell(2, state_is_tuple=False)
    return t.nn.dynamic_rnn(cell, x, initial_state=t.ones([2, 4]))


CASES: dict[str, Callable[[Any, Any], Any]] = {
    "basic": _dynamic(lambda c: c.BasicRNNCell(2)),
    "lengths": _dynamic(lambda c: c.BasicLSTMCell(2), sequence_length=LENGTHS),
    "time_major": _dynamic(lambda c: c.BasicRNNCell(2), time_major=True),
    "lstm": _dynamic(lambda c: c.LSTMCell(2, forget_bias=0.5)),
    "peepholes": _dynamic(lambda c: c.LSTMCell(2, use_peepholes=True, cell_clip=0.3)),
    "projection": _dynamic(lambda c: c.LSTMCell(3, num_proj=2, proj_clip=0.1)),
    "gru": _dynamic(lambda c: c.GRUCell(2)),
    "named": _dynamic(lambda c: c.GRUCell(2, name="mine"), scope="outer"),
    "deep": _dynamic(lambda c: c.MultiRNNCell([c.BasicLSTMCell(2), c.GRUCell(3)])),
    "residual": _dynamic(lambda c: c.ResidualWrapper(c.BasicRNNCell(3))),
    "kept": _dynamic(lambda c: c.DropoutWrapper(c.BasicRNNCell(3), input_keep_prob=1.0)),
    "static": _static, "both": _both, "both_static": _both_static, "shared": _shared,
    "from_state": _from_state,
}  # fmt: skip


def facts(t: Any, nest: Any) -> dict[str, Any]:
    """Names of variables, and the numbers of all results, by case."""
    result = {}
    for name, case in CASES.items():
        with t.Graph().as_default():
            with t.variable_scope("top", initializer=start):
                outputs = case(t, t.constant(X))
            names = [variable.name for variable in t.global_variables()]
            with t.Session() as session:
                session.run(t.global_variables_initializer())
                values = [session.run(tensor).tolist() for tensor in nest.flatten(outputs)]
        result[name] = [names, values]
    return result


if __name__ == "__main__":
    tf = importlib.import_module("tensorflow")
    tf.compat.v1.disable_eager_execution()
    lines = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in facts(tf.compat.v1, tf.nest).items()]
    PAGE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
