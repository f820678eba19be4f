"""Makes random graphs of arrays: element-wise operations, reductions, views, moves, control flow.

Floats are small halves, so that sums are exact in any order.  What is not exact - ``exp``, long
products, sums of such values - is *rough*: only smooth operations read it.
"""

from __future__ import annotations

import io
from typing import Any

import runtime as tf
from runtime.ops.op import lookup
from tests.fuzz.array_inputs import NARROW, WIDE
from tests.runtime.engine.passes.makers import BINARY, ORDER, Maker, kind_of

UNARY = {
    "f": "negative abs floor ceil rint sqrt square sign reciprocal is_nan is_inf is_finite "
    "identity relu zeros_like ones_like",
    "i": "negative abs square sign identity zeros_like ones_like invert",
    "u": "square sign identity zeros_like ones_like invert",
    "b": "logical_not identity",
}
ROUGH = "sin cos tanh sigmoid exp erf softplus atan sinh log1p expm1 log sqrt reciprocal"
BOUNDED = "sin tanh sigmoid atan"
VIEWS = (
    "reshape transpose expand_dims squeeze reverse flat slice slice newaxis stride ellipsis row "
    "broadcast roll swap column diagonal"
)
MOVES = "stack concat gather tile pad unstack split fill range one_hot shape zeros repeat update"
REDUCTIONS = "sum mean max min prod any all count argmax argmin cumsum logsumexp norm variance"
NARROW_FLOATS = ["float16", "bfloat16"]


class ArrayMaker(Maker):
    """Builds one graph of arrays."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, [], io.StringIO())
        self.wide = seed >= WIDE
        self.narrow = seed >= NARROW
        self.rough: set[int] = set()
        self.kept: list[Any] = []
        """Rough tensors, so that no other has their ``id``."""
        self.budget = self.random.randint(4, 26)

    def is_rough(self, *values: Any) -> bool:
        """Whether one of some values is not exact."""
        return any(id(v) in self.rough for v in values)

    def roughly(self, value: Any) -> Any:
        """Mark a float as not exact."""
        if kind_of(value) in "fc":
            self.rough.add(id(value))
            self.kept.append(value)
        return value

    def pick(self, pool: list[Any], kinds: str = "fiub") -> Any:
        """An exact tensor, mostly a late one; or a constant."""
        found = [t for t in pool if kind_of(t) in kinds and not self.is_rough(t)]
        if not found or self.random.random() < 0.05:
            return self.constant()
        return found[max(self.random.randrange(len(found)), self.random.randrange(len(found)))]

    def pick_any(self, pool: list[Any], kinds: str = "fiub") -> Any:
        """A tensor, rough or not."""
        rough = [t for t in pool if self.is_rough(t) and kind_of(t) != "c"]
        if rough and "f" in kinds and self.random.random() < 0.5:
            return self.random.choice(rough)
        return self.pick(pool, kinds)

    def step(self, pool: list[Any]) -> Any:
        """One operation, or several."""
        if self.wide and self.random.random() < 0.3:
            return self.complex_step(pool)
        roll = self.random.random()
        if roll < 0.1:
            x = self.pick(pool)
            return lookup(self.random.choice(UNARY[kind_of(x)].split()))(x)
        if roll < 0.36:
            return self.binary(pool)
        if roll < 0.44:
            return self.roughened(pool)
        if roll < 0.5:
            return self.chosen(pool)
        if roll < 0.56:
            x = self.pick(pool)
            names = "float32 float64 int64 int32 int8 uint8 uint64 bool".split()
            return tf.cast(x, self.random.choice(names + NARROW_FLOATS * self.narrow))
        if roll < 0.7:
            return self.view(pool)
        if roll < 0.78:
            return self.moved(pool)
        if roll < 0.9:
            return self.reduced(pool)
        if roll < 0.93:
            return self.product(pool)
        if self.depth > 1 or self.budget < 0:
            return self.binary(pool)
        self.depth += 1
        try:
            return self.choice(pool) if roll < 0.96 else self.loop(pool)
        finally:
            self.depth -= 1

    def complex_step(self, pool: list[Any]) -> Any:
        """One operation on complex numbers, or one that makes some.  All are rough."""
        found, choose = [t for t in pool if kind_of(t) == "c"], self.random.choice
        if not found or self.random.random() < 0.2:
            x = tf.cast(self.pick(pool, "fiub"), choose(("float32", "float64")))
            return self.roughly(tf.complex(x, choose((x, -x, tf.zeros_like(x)))))
        x = choose(found)
        y = choose([t for t in found if t.dtype == x.dtype])
        axis = choose((None, 0, -1))
        function, *args = choose((
            (tf.add, x, y), (tf.multiply, x, y), (tf.subtract, x, y), (tf.divide, x, y + 3.0),
            (tf.equal, x, y), (tf.not_equal, x, x), (tf.negative, x), (tf.square, x),
            (tf.math.conj, x), (tf.math.real, x), (tf.math.imag, x), (tf.abs, x), (tf.pow, x, 2),
            (tf.math.angle, x + 20.0), (tf.exp, x * 0.125), (tf.sqrt, x), (tf.sin, x),
            (tf.cast, x, choose(("complex64", "complex128", "float32", "bool"))),
            (tf.where, self.pick(pool, "b"), x, y), (tf.reduce_sum, x, axis),
            (tf.reduce_mean, x, axis), (tf.reduce_prod, x * 0.25, axis), (tf.transpose, x),
            (lambda z: z[1:], x), (lambda z: z[..., ::-2], x), (lambda z: z[0], x),
            (tf.concat, [x, y], 0), (tf.gather, x, tf.constant([0, 0])), (tf.zeros_like, x),
            (lambda z: tf.boolean_mask(z, z == y), x), (tf.reshape, x, [-1]),
        ))  # fmt: skip
        return self.roughly(function(*args))

    def partner(self, pool: list[Any], x: Any) -> Any:
        """Another value of the same dtype."""
        same = [t for t in pool if t.dtype == x.dtype and self.is_rough(t) <= self.is_rough(x)]
        if same and self.random.random() < 0.8:
            return self.random.choice(same)
        return self.random.choice((0, 1, 2, -1, 3) if kind_of(x) in "iu" else (0.5, -2.0, 1.0, 0.0))

    def binary(self, pool: list[Any]) -> Any:
        """Arithmetic or a comparison."""
        x = self.pick(pool)
        kind, y = kind_of(x).replace("u", "i"), self.partner(pool, x)
        if kind == "b" and not isinstance(y, tf.Tensor):
            y = x
        if self.random.random() < 0.5:
            x, y = y, x
        names = ORDER if self.random.random() < 0.25 and kind != "b" else BINARY[kind]
        name = self.random.choice(names.split())
        if name in ("pow", "left_shift"):  # NumPy's powers are less exact
            name = "multiply"
        if kind == "i" and ("floor" in name or "truncate" in name) and self.random.random() < 0.7:
            name = "maximum"  # mostly there is a zero to divide by
        return lookup(name)(x, y)

    def roughened(self, pool: list[Any]) -> Any:
        """A smooth function of what may be rough."""
        x = self.pick_any(pool, "f")
        roll = self.random.random()
        if kind_of(x) != "f":
            return self.binary(pool)
        if roll < 0.5:
            names = BOUNDED if self.is_rough(x) else ROUGH
            return self.roughly(lookup(self.random.choice(names.split()))(x))
        y = self.random.choice([t for t in pool if t.dtype == x.dtype] or [x])
        if roll < 0.8:
            name = self.random.choice(("add", "subtract"))
            return self.roughly(lookup(name)(x, y))
        return self.roughly(tf.tanh(x) * tf.sigmoid(y))

    def chosen(self, pool: list[Any]) -> Any:
        """An element of one of two arrays, or of an interval."""
        x = self.pick_any(pool, "fiu")
        if self.random.random() < 0.3 and not self.is_rough(x):
            low, high = (1, 5) if kind_of(x) in "iu" else (-1.5, 2.0)
            return tf.clip_by_value(x, low, high)
        y = self.random.choice([t for t in pool if t.dtype == x.dtype] or [x])
        found = tf.where(self.pick(pool, "b"), x, y)
        return self.roughly(found) if self.is_rough(x, y) else found

    def view(self, pool: list[Any]) -> Any:
        """The same elements, or some of them, in another order or shape."""
        x, choose = self.pick_any(pool), self.random.choice
        axis = choose((0, -1, 1))
        stop, start = choose((None, -1, 2, 5)), choose((None, 1, 0, -3))
        made = {
            "reshape": lambda: tf.reshape(x, choose(([-1, 1], [1, -1], tf.shape(x), [2, -1]))),
            "transpose": lambda: tf.transpose(x),
            "swap": lambda: tf.transpose(x, choose(([1, 0], [0, 2, 1], [2, 0, 1]))),
            "expand_dims": lambda: tf.expand_dims(x, axis),
            "squeeze": lambda: tf.squeeze(x),
            "reverse": lambda: tf.reverse(x, [axis]),
            "flat": lambda: tf.reshape(x, [-1]),
            "slice": lambda: x[start:stop],
            "newaxis": lambda: x[:, None],
            "stride": lambda: x[:: choose((2, -1, 3, -2))],
            "ellipsis": lambda: x[..., start:stop],
            "row": lambda: x[choose((0, -1, 1))],
            "column": lambda: x[..., choose((0, -1))],
            "broadcast": lambda: tf.broadcast_to(x, tf.shape(self.pick(pool))),
            "roll": lambda: tf.roll(x, 1, axis),
            "diagonal": lambda: tf.linalg.diag_part(x),
        }[choose(VIEWS.split())]()
        return self.roughly(made) if self.is_rough(x) else made

    def moved(self, pool: list[Any]) -> Any:
        """New arrays whose elements are those of others."""
        x, choose = self.pick_any(pool), self.random.choice
        y = choose([t for t in pool if t.dtype == x.dtype] or [x])
        axis = choose((0, -1))
        made = {
            "stack": lambda: tf.stack([x, y], axis),
            "concat": lambda: tf.concat([x, y], axis),
            "gather": lambda: tf.gather(x, tf.constant([0, 0, 1])),
            "tile": lambda: tf.tile(x, [2] * len(x.shape)),
            "pad": lambda: tf.pad(x, [[1, 2]] * len(x.shape)),
            "unstack": lambda: tf.unstack(x),
            "split": lambda: tf.split(x, choose((1, 2, 3)), axis),
            "fill": lambda: tf.fill(tf.shape(x), y[0]),
            "range": lambda: tf.range(tf.size(x)),
            "one_hot": lambda: tf.one_hot(self.pick(pool, "i"), 3),
            "shape": lambda: tf.shape(x),
            "zeros": lambda: tf.zeros_like(x),
            "repeat": lambda: tf.repeat(x, 2, axis),
            "update": lambda: tf.tensor_scatter_nd_update(x, [[0]], [y[0]]),
        }[choose(MOVES.split())]()
        for one in made if isinstance(made, list | tuple) else [made]:
            if self.is_rough(x, y):
                self.roughly(one)
        return made

    def reduced(self, pool: list[Any]) -> Any:
        """A reduction of numbers whose sums are exact, or a rough one."""
        x, name = self.pick_any(pool), self.random.choice(REDUCTIONS.split())
        axis = self.random.choice((None, 0, -1, 1, [0, 1], [0, -1], None))
        if name in ("any", "all"):
            return getattr(tf, f"reduce_{name}")(self.pick(pool, "b"), axis)
        keep = self.random.random() < 0.3
        if name == "count":
            return tf.math.count_nonzero(self.pick(pool), axis, keep)
        if name in ("logsumexp", "norm", "variance"):
            x = self.pick_any(pool, "f")
            if self.is_rough(x) and name == "norm":
                x = x + 0.5
            function = {"logsumexp": tf.reduce_logsumexp, "norm": tf.norm,
                        "variance": tf.math.reduce_variance}[name]  # fmt: skip
            return self.roughly(function(tf.tanh(x), axis=axis, keepdims=keep))
        if kind_of(x) == "b":
            x = tf.cast(x, tf.int32)
        if name.startswith("arg") or name == "cumsum":
            axis = self.random.choice((0, -1))
            if name == "cumsum":
                return self.kept_exact(x, tf.cumsum, axis)
            return getattr(tf, name)(self.pick(pool, "fiu"), axis)
        reduce = getattr(tf, f"reduce_{name}")
        if name in ("max", "min"):
            found = reduce(x, axis, keep)
            if kind_of(x) == "f":
                found = found + 0.0  # of zeros of both signs, NumPy finds either
            return self.roughly(found) if self.is_rough(x) else found
        if name == "prod" and kind_of(x) == "f":
            return self.roughly(reduce(tf.tanh(x), axis, keep))
        return self.kept_exact(x, lambda v, a: reduce(v, a, keep), axis)

    def kept_exact(self, x: Any, function: Any, axis: Any) -> Any:
        """A reduction of an array: of floats that sum up exactly, or it is rough."""
        if kind_of(x) != "f":
            return function(x, axis)
        if self.is_rough(x) or self.random.random() < 0.3 or x.dtype.name in NARROW_FLOATS:
            return self.roughly(function(x, axis))
        return function(tf.clip_by_value(tf.math.rint(x), -8.0, 8.0), axis)

    def product(self, pool: list[Any]) -> Any:
        """A product of matrices or vectors."""
        x = self.pick_any(pool, "fi")
        y = self.random.choice([t for t in pool if t.dtype == x.dtype] or [x])
        if kind_of(x) == "f":
            x, y = tf.tanh(x), tf.tanh(y)
        which = self.random.randrange(5)
        if which == 0:
            return self.roughly(tf.matmul(x, y))
        if which == 1:
            return self.roughly(tf.matmul(x, y, transpose_b=True))
        if which == 2:
            return self.roughly(tf.matmul(x, x, transpose_a=True))
        if which == 3:
            return self.roughly(tf.tensordot(x, y, 1))
        return self.roughly(tf.einsum("...i,...i->...", x, y))

    def body(self, pool: list[Any], count: int, like: list[Any]) -> list[Any]:
        """Results of the dtypes and static shapes of ``like``, by some new operations."""
        inner = list(pool)
        self.grow(inner, count)
        found = []
        for wanted in like:
            fitting = [
                t for t in inner if t.dtype == wanted.dtype and t.shape.dims == wanted.shape.dims
                and self.is_rough(t) <= self.is_rough(wanted)
            ]  # fmt: skip
            found.append(self.random.choice(fitting[-3:]) if fitting else wanted)
        return found

    def choice(self, pool: list[Any]) -> Any:
        """A cond of arrays."""
        like = [self.pick_any(pool) for _ in range(self.random.randint(1, 3))]
        like = [v for v in like if v.shape.dims is not None]
        count = self.random.randint(1, 4)
        pred = tf.reduce_any(self.pick(pool, "b"))
        found = tf.cond(pred, *[lambda: self.body(pool, count, like) for _ in range(2)])
        return self.like_their_starts(found, like)

    def loop(self, pool: list[Any]) -> Any:
        """A loop of a few turns, perhaps none, over arrays."""
        state = [self.pick_any(pool) for _ in range(self.random.randint(1, 3))]
        still = self.random.randrange(8)
        limit = self.random.choice((0, 1, 3, 6))
        count = self.random.randint(1, 5)

        def body(turn: Any, *values: Any) -> Any:
            values = tuple(self.like_their_starts(values, state))
            new = self.body([*pool, *values, turn], count, list(values))
            new = [v if still >> k & 1 else n for k, (v, n) in enumerate(zip(values, new))]
            return [turn + 1, *new]

        found = tf.while_loop(lambda turn, *_: turn < limit, body, [tf.constant(0), *state])
        return self.like_their_starts(found[1:], state)

    def like_their_starts(self, values: Any, starts: list[Any]) -> list[Any]:
        """The values; those whose starts are rough are."""
        for value, start in zip(values, starts):
            if self.is_rough(start):
                self.roughly(value)
        return list(values)
