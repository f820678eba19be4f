"""Makes random graphs: operations, control flow, effects, Python numbers, and what raises."""

from __future__ import annotations

import io
import random
from typing import Any

import numpy as np

import runtime as tf
from runtime.errors import OpError
from runtime.graph.python_values import weak_constant
from runtime.ops.op import lookup

UNARY = {
    "f": "negative abs exp floor ceil rint sqrt square sign tanh sigmoid reciprocal is_nan "
    "identity stop_gradient relu log1p zeros_like ones_like",
    "i": "negative abs square sign identity zeros_like ones_like invert",
    "b": "logical_not identity",
}
BINARY = {
    "f": "add subtract multiply truediv floordiv floormod maximum minimum pow squared_difference",
    "i": "add subtract multiply floordiv floormod maximum minimum truediv pow bitwise_and "
    "bitwise_or bitwise_xor truncatediv left_shift",
    "b": "logical_and logical_or logical_xor equal",
}
ORDER = "less less_equal greater greater_equal equal not_equal"
SHAPED = (
    "reshape transpose expand_dims squeeze reverse flat sum mean max all_axes shape size rank "
    "stack concat gather item slice tile broadcast cast cast_back unstack where matmul softmax"
)
NUMBERS = (0, 1, 2, -1, 3, 0.0, -0.0, 1.0, 0.5, -2.0)
REFUSED = (OpError, ValueError, TypeError, OverflowError, NotImplementedError, LookupError)


def kind_of(tensor: Any) -> str:
    """f, i or b; something else for what ops here do not take."""
    kind: str = tensor.dtype.kind
    return kind


class Maker:
    """Builds one graph, the same for the same seed."""

    def __init__(self, seed: int, variables: list[Any], out: io.StringIO) -> None:
        self.random = random.Random(seed)
        self.variables = variables
        self.out = out
        self.depth = 0
        self.budget = self.random.randint(8, 45)

    def constant(self) -> Any:
        """A constant of some dtype and shape."""
        rng = self.random
        kind = rng.choice("ffiib")
        shape = rng.choice(((), (), (3,), (2, 3), (1, 3), (1,)))
        size = int(np.prod(shape))
        if kind == "b":
            values = [rng.random() < 0.5 for _ in range(size)]
            return tf.constant(np.array(values, bool).reshape(shape))
        one = rng.random() < 0.6
        pool = (0, 1, 2, -1, 5) if kind == "i" else (0.0, -0.0, 1.0, -1.5, np.inf, np.nan, 2.0)
        values = [rng.choice(pool)] * size if one else [rng.choice(pool) for _ in range(size)]
        dtype = rng.choice((np.int32, np.int64)) if kind == "i" else np.float32
        return tf.constant(np.array(values, dtype).reshape(shape))

    def weak(self) -> Any:
        """A Python number that is known at run time, as a graph sees it."""
        number = self.random.choice((0, 1, 2, 7, -3, 1.5, -0.0, 2**62))
        return weak_constant(tf.constant(0).graph, number)

    def pick(self, pool: list[Any], kinds: str = "fib") -> Any:
        """A tensor of the pool, mostly a late one; or a constant."""
        found = [t for t in pool if kind_of(t) in kinds]
        if not found or self.random.random() < 0.15:
            return self.constant()
        return found[max(self.random.randrange(len(found)), self.random.randrange(len(found)))]

    def grow(self, pool: list[Any], count: int) -> None:
        """Add results of operations to the pool; what is refused while building is left out."""
        for _ in range(count):
            self.budget -= 1
            try:
                made = self.step(pool)
            except REFUSED:
                continue
            for value in made if isinstance(made, list | tuple) else [made]:
                if isinstance(value, tf.Tensor):
                    pool.append(value)

    def step(self, pool: list[Any]) -> Any:
        """One operation, or several."""
        roll = self.random.random()
        if roll < 0.2:
            x = self.pick(pool)
            return lookup(self.random.choice(UNARY[kind_of(x)].split()))(x)
        if roll < 0.48:
            return self.binary(pool)
        if roll < 0.68:
            return self.shaped(pool)
        if roll < 0.73:
            return self.constant() if roll < 0.71 else self.weak()
        if roll < 0.83:
            return self.effect(pool)
        if self.depth > 2 or self.budget < 0:
            return self.binary(pool)
        self.depth += 1
        try:
            return self.control(pool)
        finally:
            self.depth -= 1

    def binary(self, pool: list[Any]) -> Any:
        """Arithmetic or a comparison, with a tensor or a Python number on either side."""
        x = self.pick(pool)
        kind = kind_of(x)
        same = [t for t in pool if t.dtype == x.dtype]
        y = self.random.choice(same) if same and self.random.random() < 0.7 else None
        if y is None:
            y = x if self.random.random() < 0.2 else self.random.choice(NUMBERS)
        if self.random.random() < 0.5:
            x, y = y, x
        weak = getattr(x, "weak", False) or getattr(y, "weak", False)
        names = ORDER if self.random.random() < 0.15 and kind != "b" else BINARY[kind]
        name = self.random.choice(names.split())
        if weak and name in ("pow", "left_shift"):  # Python's ints may take for ever
            name = "multiply"
        return lookup(name)(x, y)

    def shaped(self, pool: list[Any]) -> Any:
        """Something about shapes."""
        what = self.random.choice(SHAPED.split())
        x = self.pick(pool)
        choose = self.random.choice
        axis = choose((0, -1, 1))
        simple = {
            "transpose": lambda: tf.transpose(x),
            "expand_dims": lambda: tf.expand_dims(x, axis),
            "squeeze": lambda: tf.squeeze(x),
            "reverse": lambda: tf.reverse(x, [axis]),
            "flat": lambda: tf.reshape(x, [-1]),
            "reshape": lambda: tf.reshape(x, choose(([3, 2], [-1, 1], [6], tf.shape(x)))),
            "sum": lambda: tf.reduce_sum(self.pick(pool, "fi"), axis),
            "mean": lambda: tf.reduce_mean(self.pick(pool, "f"), axis, keepdims=True),
            "max": lambda: tf.reduce_max(self.pick(pool, "fi"), axis),
            "all_axes": lambda: tf.reduce_sum(self.pick(pool, "fi")),
            "shape": lambda: tf.shape(x),
            "size": lambda: tf.size(x),
            "rank": lambda: tf.rank(x),
            "stack": lambda: tf.stack([x, x]),
            "concat": lambda: tf.concat([x, x], axis),
            "gather": lambda: tf.gather(x, self.pick(pool, "i")),
            "item": lambda: x[choose((0, 1, 2, 5, self.pick(pool, "i")))],
            "slice": lambda: x[1:],
            "tile": lambda: tf.tile(x, [2] * len(x.shape)),
            "broadcast": lambda: tf.broadcast_to(x, [2, 3]),
            "cast": lambda: tf.cast(x, choose((tf.float32, tf.int32, tf.bool, tf.int64))),
            "cast_back": lambda: tf.cast(tf.cast(x, tf.float64), x.dtype),
            "unstack": lambda: tf.unstack(x),
            "where": lambda: tf.where(self.pick(pool, "b"), x, x),
            "matmul": lambda: tf.matmul(x, x, transpose_b=True),
            "softmax": lambda: tf.nn.softmax(self.pick(pool, "f")),
        }
        return simple[what]()

    def effect(self, pool: list[Any]) -> Any:
        """Printing, asserting, drawing, and variables read and written."""
        roll = self.random.random()
        if roll < 0.25:
            tf.print(self.pick(pool), self.random.randrange(9), output_stream=self.out)
            return None
        if roll < 0.35:
            tf.debugging.Assert(self.pick(pool, "b"), [self.pick(pool)])
            return None
        if roll < 0.45:
            return tf.random_uniform([2], seed=self.random.randrange(99))
        variable = self.random.choice(self.variables)
        if roll < 0.75:
            return variable.read_value()
        if roll < 0.9:
            number = self.random.choice((1.0, 0.5))
            return tf.convert_to_tensor(variable.assign_add([number] * 3))
        with tf.control_dependencies([self.pick(pool)]):
            return tf.identity(variable.read_value())

    def control(self, pool: list[Any]) -> Any:
        """A choice, a loop or a call."""
        roll = self.random.random()
        if roll < 0.35:
            return self.choice(pool)
        if roll < 0.7:
            return self.loop(pool)
        if roll < 0.85:
            return self.call(pool)
        x = self.pick(pool, "fi")
        size = self.random.randint(1, 3)
        return tf.map_fn(lambda row: self.body([*pool, row], size, [row])[0], x)

    def body(self, pool: list[Any], count: int, like: list[Any]) -> list[Any]:
        """Results of the types of ``like``, computed by some new operations."""
        inner = list(pool)
        self.grow(inner, count)
        found = []
        for wanted in like:
            fitting = [
                t for t in inner if t.dtype == wanted.dtype
                and t.shape.is_fully_defined() and t.shape == wanted.shape
            ]  # fmt: skip
            found.append(self.random.choice(fitting) if fitting else wanted)
        return found

    def choice(self, pool: list[Any]) -> Any:
        """A cond or switch_case, at times on a constant."""
        like = [self.pick(pool) for _ in range(self.random.randint(1, 2))]
        count = self.random.randint(1, 4)
        if self.random.random() < 0.7:
            pred = self.pick(pool, "b")
            if self.random.random() < 0.3:
                pred = tf.constant(self.random.random() < 0.5)
            if pred.shape.dims != ():
                pred = tf.reduce_any(pred)
            sides = [lambda: self.body(pool, count, like), lambda: self.body(pool, count, like)]
            return tf.cond(pred, *sides)
        index = self.random.choice((0, 1, 2, 9, tf.size(self.pick(pool))))
        sides = [lambda: self.body(pool, count, like) for _ in range(3)]
        return tf.switch_case(tf.constant(index) if isinstance(index, int) else index, sides)

    def loop(self, pool: list[Any]) -> Any:
        """A while loop of a few turns, perhaps none, whose state may stand still."""
        state = [self.pick(pool) for _ in range(self.random.randint(1, 3))]
        still = self.random.randrange(8)
        limit = self.random.choice((0, 1, 3, tf.size(self.pick(pool))))
        count = self.random.randint(1, 5)

        def test(turn: Any, *values: Any) -> Any:
            return turn < limit

        def body(turn: Any, *values: Any) -> Any:
            new = self.body([*pool, *values], count, list(values))
            new = [v if still >> k & 1 else n for k, (v, n) in enumerate(zip(values, new))]
            return [turn + 1, *new]

        start = tf.constant(0) if self.random.random() < 0.8 else tf.size(self.pick(pool)) - 2
        return tf.while_loop(test, body, [start, *state])

    def call(self, pool: list[Any]) -> Any:
        """One function, called once or twice."""
        arguments = [self.pick(pool) for _ in range(self.random.randint(1, 2))]
        size = self.random.randint(1, 4)

        def called(*values: Any) -> Any:
            return self.body(list(values), size, list(values))

        function = tf.function(called, autograph=False)
        results = list(function(*arguments))
        return results + list(function(*arguments)) if self.random.random() < 0.3 else results
