"""Random programs of variables, tensor arrays, tables, random numbers, Python calls and strings.

Each runs eagerly, as a function and in a session, natively and not: values, what is left in the
state, and the order in which Python functions were called are the same.  ``FUZZ_PROGRAMS`` and
``FUZZ_FIRST`` as in ``test_fuzz``.
"""

from __future__ import annotations

import importlib.util
import os
import random

import numpy as np
import pytest

import autograph
import runtime as tf
from runtime.engine.llvm.engine import is_available
from runtime.types.flags import JIT
from tests.support.nightly import seeds

FIRST = int(os.environ.get("FUZZ_FIRST", "0"))
COUNT = int(os.environ.get("FUZZ_PROGRAMS", "40")) * 2 // 5

HEAD = """import runtime as tf


def program(v, c, table, g, log, x, n):
    ta = tf.TensorArray(tf.float32, 3, element_shape=[], clear_after_read=False)
    items = [x]
    d = {"k": x}
    s = tf.constant("")
    w = v + 1.0
"""
TAIL = """    keys, values = table.export()
    return (
        x, v + 0.0, s, ta.stack(), items[-1], d["k"], tf.reduce_sum(keys), tf.reduce_sum(values),
        c + 0.0, w,
    )
"""
LEAVE = (
    'return x, v + 0.0, s, ta.stack(), items[-1], d["k"], tf.constant(0), tf.constant(0), c + 0, w',
    "break", "continue",
)  # fmt: skip
STATEMENTS = (
    "v.assign_add([1.0, 2.0, x])", "v.assign_sub(v * 0.5)", "v.assign(v[::-1] + x)",
    "c.assign_add(x)", "x = c + 1.0", "c.assign(x * 0.5)", "x = x + v[{k}] * c", "w = v * 2.0",
    "v.assign(w)", "v[0].assign(c)", "x = x + w[0]", "v.scatter_add(tf.IndexedSlices([x], [{k}]))",
    "v.scatter_update(tf.IndexedSlices([x], [{k}]))", "v[{k}].assign(x + 3.0)",
    "ta.write({k}, x)", "ta = ta.write({k}, v[{k}])", "x = x + ta.read({k})",
    "table.insert([{k}], [tf.cast(x, tf.int32)])", "table.remove([{k}])",
    "x = x + tf.cast(table.lookup({k}), tf.float32)", "x = x + tf.random.uniform([])",
    "x = x * tf.random.normal([], seed=3)", "x = x + g.uniform([])", "tf.py_function(log, [x], [])",
    "s = tf.strings.join([s, tf.as_string(tf.cast(x, tf.int32))])", "x = x + v[{k}] * 0.5",
    "items.append(x)", 'd["k"] = d["k"] + x', "x = x + 1.0",
)  # fmt: skip


class Writer:
    """Writes one random program."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        for _ in range(self.rng.randint(4, 8)):
            self.statement(1, [])

    def block(self, depth: int, counters: list[str]) -> None:
        for _ in range(self.rng.randint(1, 3)):
            self.statement(depth, counters)

    def statement(self, depth: int, counters: list[str]) -> None:
        rng, pad = self.rng, "    " * depth
        kind = rng.random()
        if kind < 0.12 and depth < 4:
            self.lines.append(f"{pad}if x > {rng.randint(-3, 10)}.0:")
            self.block(depth + 1, counters)
            if rng.random() < 0.6:
                self.lines.append(f"{pad}else:")
                self.block(depth + 1, counters)
        elif kind < 0.22 and len(counters) < 2:
            name = f"i{len(counters)}"
            if rng.random() < 0.5:
                self.lines.append(f"{pad}for {name} in tf.range({rng.choice(['n', '2'])}):")
            else:
                self.lines += [f"{pad}{name} = tf.constant(0)", f"{pad}while {name} < n:",
                               f"{pad}    {name} += 1"]  # fmt: skip
            self.block(depth + 1, [*counters, name])
        elif kind < 0.28 and counters:
            self.lines.append(f"{pad}if x > {rng.randint(5, 50)}.0:")
            self.lines.append(f"{pad}    {rng.choice(LEAVE)}")
        else:
            place = f"({rng.choice([*counters, '0', '1', 'n'])}) % 3"
            self.lines.append(pad + rng.choice(STATEMENTS).format(k=place))

    @property
    def text(self) -> str:
        return HEAD + "\n".join(self.lines) + "\n" + TAIL


def world():
    table = tf.lookup.experimental.MutableHashTable(tf.int32, tf.int32, -1)
    return tf.Variable([1.0, 2.0, 3.0]), tf.Variable(0.5), table, tf.random.Generator.from_seed(5)


def outcome(run):
    """What a program gives, or the class of what it raises, and what it logged."""
    calls: list[float] = []
    try:
        result = run(lambda value: calls.append(float(value)))
        given = tf.nest.map_structure(lambda t: np.asarray(t).tolist(), result)
    except (ValueError, TypeError, tf.errors.OpError) as error:
        given = type(error)
    return repr(given), calls  # as text, so that NaN is NaN


def in_session(program, log, x, n):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(7)
        holders = [tf.placeholder(tf.float32, []), tf.placeholder(tf.int32, [])]
        result = autograph.to_graph(program)(*world(), log, *holders)
        session.run(tf.global_variables_initializer())
        return session.run(result, dict(zip(holders, (x, n), strict=True)))


@pytest.mark.parametrize("seed", seeds(FIRST, COUNT, 1, kept=1))
def test_state_is_the_same_every_way(seed, tmp_path):
    path = tmp_path / f"state_{seed}.py"
    path.write_text(Writer(seed).text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    x, n = float(seed % 5), seed % 4 + 1
    arguments = tf.constant(x), tf.constant(n)
    tf.random.set_seed(7)
    eager = outcome(lambda log: module.program(*world(), log, *arguments))
    for jit in ("never", *(["always"] if is_available() else [])):
        with JIT(jit):
            tf.random.set_seed(7)
            staged = tf.function(module.program)
            assert outcome(lambda log: staged(*world(), log, *arguments)) == eager, jit
            assert outcome(lambda log: in_session(module.program, log, x, n)) == eager, jit
