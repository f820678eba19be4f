"""Makes random graphs of arrays in which any operation definition may occur.

A step takes a definition and one of its samples.  The arrays of the sample become tensors that the
graph computes: some from other tensors, some from the sample.  So attributes and indices fit.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

import runtime as tf
from runtime.ops.op import TABLE, OpDef
from runtime.ops.rules.lowering import OnArrays
from tests.fuzz.array_maker import NARROW_FLOATS, ArrayMaker
from tests.runtime.engine.passes.makers import kind_of

EXACT = (
    "identity stop_gradient cast strengthen broadcast_like negative positive sign abs floor ceil "
    "rint round trunc maximum minimum clip_by_value where relu relu6 copysign expand_reduced "
    "ensure_shape zeros_like ones_like slice split_by_sizes meshgrid stateless_shuffle unstack"
).split()
"""Definitions whose results are elements of their inputs, or whole numbers near them."""
SUMS = (
    "tensor_scatter_nd_add tensor_scatter_nd_sub segment_sum unsorted_segment_sum cumsum "
    "scatter_nd scatter_rows scatter_item reduce_sum sum_to_shape matmul tensordot einsum "
    "subtract add"
).split()
"""Definitions that add: small numbers exactly."""
ROUNDED = "cumprod cumulative_logsumexp recurrence segment_prod unsorted_segment_prod".split()
ORDERS = (
    "maximum minimum max_pool segment_max segment_min unsorted_segment_max unsorted_segment_min "
    "sort tensor_scatter_nd_max tensor_scatter_nd_min top_k reduce_max reduce_min numpy_max "
    "numpy_min clip_by_value"
).split()
"""Definitions that find either of the zeros of both signs, as NumPy's functions do."""
REFUSED = "constant text as_string unicode_encode call_python call_numpy".split()
ILL_CONDITIONED = (
    "svd eig eigvals eigvalsh eigh qr lu expm sqrtm logm inv det slogdet cholesky solve pinv "
    "triangular_solve polygamma zeta igamma igammac igamma_by_a betainc ndtri erfinv erfcinv "
    "lgamma digamma pow tan nextafter"
).split()
"""Definitions of which no derivative is compared."""
SIZES = (1, 2, 5, 9, 17, 40)
SEGMENTS = "sum prod max min mean".split()
FAMILIES = ("segments rows sorted windows folded written state" + 6 * " table").split()


@functools.cache
def samples(name: str) -> list[Any]:
    """The samples of a definition that are numbers."""
    found = TABLE[name].samples()
    return [s for s in found if all(np.asarray(x).dtype.kind != "O" for x in s.inputs)]


@functools.cache
def names() -> list[str]:
    """The definitions that take numbers and have no effects."""
    found = [name for name, op in TABLE.items() if op.plain and callable(op.samples)]
    return sorted(name for name in found if name not in REFUSED and samples(name))


def moves(op: OpDef) -> bool:
    """Whether all elements of its results are such of its inputs, or whole numbers."""
    return op.name in EXACT or (isinstance(op.lower, OnArrays) and op.name not in ROUNDED)


class TableMaker(ArrayMaker):
    """Builds one graph of arrays, by any definitions."""

    def __init__(self, seed: int, smooth: bool, variables: list[Any]) -> None:
        super().__init__(seed)
        self.smooth = smooth
        self.variables = variables

    def step(self, pool: list[Any]) -> Any:
        """One operation, or several."""
        if self.random.random() < 0.4:
            return super().step(pool)
        family = self.random.choice(FAMILIES)
        return getattr(self, family)(pool)

    def table(self, pool: list[Any]) -> Any:
        """A definition, and one of its samples."""
        name = self.random.choice(names())
        if self.smooth and name in ILL_CONDITIONED:
            name = "tanh"
        op, sample = TABLE[name], self.random.choice(samples(name))
        arrays = [np.asarray(x) for x in sample.inputs]
        if moves(op) or name in SUMS:
            arrays = [np.rint(x * 2) / 2 if x.dtype.kind == "f" else x for x in arrays]
        shared = range(len(arrays))[op.same_dtype_inputs] if op.same_dtype_inputs else range(0)
        dtype = self.dtype_for(op, pool, arrays, shared)
        inputs = []
        for number, array in enumerate(arrays):
            wanted = dtype if number in shared else tf.as_dtype(array.dtype)
            inputs.append(self.like_sample(op, pool, array, wanted, number in shared))
        if name in SUMS:
            inputs = [tf.clip_by_value(tf.math.rint(x), -8.0, 8.0)
                      if kind_of(x) == "f" else x for x in inputs]  # fmt: skip
        if name.startswith("conv"):
            inputs[:2] = map(self.finite, inputs[:2])
        if name == "bincount":  # of large numbers it takes much memory
            inputs[0] = tf.math.floormod(inputs[0], 100)
        if name == "searchsorted":
            inputs[0] = tf.sort(inputs[0])
        made = op(*inputs, **sample.attrs)
        sums = name in SUMS and dtype is not None and dtype.name not in NARROW_FLOATS
        exact = (moves(op) or sums) and not self.is_rough(*inputs)
        exact = exact and not any(kind_of(x) == "c" for x in inputs)
        return self.marked(made, exact, name in ORDERS)

    def marked(self, made: Any, exact: bool, either_zero: bool = False) -> Any:
        """Results; rough ones are noted.  What graphs of arrays do not take is left out."""
        results = made if isinstance(made, tuple | list) else [made]
        results = [t for t in results if isinstance(t, tf.Tensor) and kind_of(t) in "fiubc"]
        if either_zero:
            results = [t + 0.0 if kind_of(t) == "f" else t for t in results]
        for one in results:
            if not exact or kind_of(one) == "c":
                self.roughly(one)
        return results

    def dtype_for(self, op: OpDef, pool: list[Any], arrays: list[Any], shared: range) -> Any:
        """The dtype of the inputs that share one: the sample's, or that of a tensor."""
        if not len(shared):
            return None
        own = tf.as_dtype(arrays[shared[0]].dtype)
        kinds = op.dtype_kinds or own.kind
        found = [t.dtype for t in pool if kind_of(t) in kinds]
        return self.random.choice(found) if found and self.random.random() < 0.7 else own

    def like_sample(self, op: OpDef, pool: list[Any], array: Any, dtype: Any, shared: bool) -> Any:
        """A tensor for an array of a sample."""
        roll = self.random.random()
        fitting = [t for t in pool if t.dtype == dtype and not self.is_rough(t)]
        if not shared:
            if roll < 0.5:
                return tf.constant(array)
            if roll < 0.6 and fitting:
                return self.random.choice(fitting)
            return self.at_run_time(pool, array, dtype)
        same = [t for t in fitting if op.elementwise or t.shape.rank == array.ndim]
        if same and roll < 0.5:
            return self.random.choice(same)
        if fitting and roll < 0.8:
            return self.resized(self.random.choice(fitting), array.shape)
        return self.at_run_time(pool, array, dtype)

    def at_run_time(self, pool: list[Any], array: Any, dtype: Any) -> Any:
        """Nearly the elements of an array, which the graph does not know."""
        pred = tf.reduce_any(self.pick(pool, "b"))
        with np.errstate(all="ignore"):
            x = tf.constant(np.asarray(array).astype(dtype.as_numpy_dtype))
        if dtype.kind == "b":
            return tf.logical_or(x, tf.logical_and(x, pred))
        if dtype.kind in "iu":
            return tf.minimum(x, x + tf.cast(pred, dtype))
        return tf.where(pred, x, tf.roll(x, 1, -1) if array.ndim else -x)

    def resized(self, x: Any, shape: Any) -> Any:
        """The first elements of a tensor, and zeros, in a shape."""
        size = int(np.prod(shape))
        flat = tf.reshape(x, [-1])[:size]
        flat = tf.concat([flat, tf.zeros([size], x.dtype)], 0)[:size]
        return tf.reshape(flat, list(shape))

    def finite(self, x: Any) -> Any:
        """Small filters: whether the padding is multiplied by those at the edge is left open."""
        return tf.tanh(tf.where(tf.math.is_finite(x), x, tf.zeros_like(x)))

    def clipped(self, pool: list[Any], kinds: str = "fi") -> Any:
        """A tensor of at least one axis, whose sums are exact."""
        x = self.pick(pool, kinds)
        if x.shape.rank == 0:
            x = tf.expand_dims(x, 0)
        return tf.clip_by_value(tf.math.rint(x), -8.0, 8.0) if kind_of(x) == "f" else x

    def segments(self, pool: list[Any]) -> Any:
        """Sums of segments of rows, or another combination of them; some are empty."""
        x, how = self.clipped(pool), self.random.choice(SEGMENTS)
        count, width = self.random.choice((1, 3, 7)), self.random.choice((1, 2, 5))
        rows = tf.range(tf.shape(x)[0])
        exact = how in ("max", "min") or (how == "sum" and x.dtype.name not in NARROW_FLOATS)
        if self.random.random() < 0.4:
            ids = rows // width * self.random.choice((1, 2))
            made = getattr(tf.math, f"segment_{how}")(x, ids)
            return self.marked(made, exact, how in ("max", "min"))
        ids = (rows * width + 1) % count - self.random.choice((0, 0, 1))
        made = getattr(tf.math, f"unsorted_segment_{how}")(x, ids, count)
        return self.marked(made, exact, how in ("max", "min"))

    def rows(self, pool: list[Any]) -> Any:
        """Rows that are read or written at places with duplicates, or parted."""
        x, choose = self.clipped(pool), self.random.choice
        sums = x.dtype.name not in NARROW_FLOATS
        places = tf.reshape(tf.cast(self.pick(pool, "i"), tf.int32), [-1])[:5]
        some = tf.maximum(tf.shape(x)[0], 1) if self.random.random() < 0.9 else 3
        places = tf.math.floormod(places, some)
        rows = tf.gather(x, places)
        how = choose("gather nd add update max new part along".split())
        made = {
            "gather": lambda: rows,
            "nd": lambda: tf.gather_nd(x, tf.stack([places, places], 1)),
            "add": lambda: tf.tensor_scatter_nd_add(x, places[:, None], rows),
            "update": lambda: tf.tensor_scatter_nd_update(x, places[:, None], rows),
            "max": lambda: tf.tensor_scatter_nd_max(x, places[:, None], rows),
            "new": lambda: tf.scatter_nd(places[:, None], rows, tf.shape(x)),
            "part": lambda: tf.dynamic_partition(rows, tf.math.floormod(places, 2), 2),
            "along": lambda: tf.gather(x, tf.argsort(x), axis=-1, batch_dims=len(x.shape) - 1),
        }[how]()
        return self.marked(made, sums or how not in ("add", "new"), how == "max")

    def sorted(self, pool: list[Any]) -> Any:
        """Elements in order, and where they are; products and sums up to each."""
        x, choose = self.clipped(pool, "fiu"), self.random.choice
        axis, flag, other = choose((0, -1)), choose((True, False)), choose((True, False))
        direction = "DESCENDING" if flag else "ASCENDING"
        how = choose("sort argsort top_k search sum product logs".split())
        made = {
            "sort": lambda: tf.sort(x, axis, direction),
            "argsort": lambda: tf.argsort(x, axis, direction, stable=True),
            "top_k": lambda: tf.math.top_k(x, choose((0, 1, 3)), sorted=True),
            "search": lambda: tf.searchsorted(
                tf.sort(tf.reshape(x, [-1])), tf.reshape(x, [-1])[:40],
                choose(("left", "right")),
            ),
            "sum": lambda: tf.cumsum(x, axis, flag, other),
            "product": lambda: tf.math.cumprod(x, axis, flag, other),
            "logs": lambda: tf.math.cumulative_logsumexp(x, axis, flag, other),
        }[how]()  # fmt: skip
        return self.marked(made, how not in ("product", "logs") and (
            how != "sum" or x.dtype.name not in NARROW_FLOATS
        ), how in ("sort", "top_k"))

    def windows(self, pool: list[Any]) -> Any:
        """A convolution or pooling of a few images."""
        x, choose = self.pick(pool, "f"), self.random.choice
        height, width, deep, new = (choose(SIZES[:5]) for _ in range(4))
        images = self.resized(x, (choose((1, 2)), height, width, deep))
        if self.random.random() < 0.4:  # of a size that is known at run time
            images = tf.concat([images, images[:, : choose((0, 1, 3))]], 1)
        side, stride = choose((1, 2, 3)), choose((1, 1, 2))
        padding = choose(("SAME", "VALID"))
        how = choose("conv depth max mean conv1d transposed".split())
        filters = self.finite(self.resized(x, (side, choose((1, side)), deep, new)))
        made = {
            "conv": lambda: tf.nn.conv2d(images, filters, stride, padding),
            "depth": lambda: tf.nn.depthwise_conv2d(
                images, filters[..., :2], [1, stride, stride, 1], padding
            ),
            "max": lambda: tf.nn.max_pool2d(images, side, stride, padding),
            "mean": lambda: tf.nn.avg_pool2d(images, side, stride, padding),
            "conv1d": lambda: tf.nn.conv1d(images[0], filters[0], stride, padding),
            "transposed": lambda: tf.nn.conv2d_transpose(
                images, tf.transpose(filters, [0, 1, 3, 2]),
                tf.stack([tf.shape(images)[0], height * stride, width * stride, new]),
                stride, "SAME",
            ),
        }[how]()  # fmt: skip
        return self.marked(made, False)

    def folded(self, pool: list[Any]) -> Any:
        """A function of each row, or of each row and what is left of those before."""
        x, choose = self.pick_any(pool, "fi"), self.random.choice
        count, rough = self.random.randint(1, 3), self.is_rough(x)
        x = (tf.expand_dims(x, 0) if x.shape.rank == 0 else x)[:9]

        def step(start: Any, row: Any) -> Any:
            if rough:
                self.roughly(start), self.roughly(row)
            (found,) = self.body([*pool, start, row], count, [start])
            return found

        def of_row(row: Any) -> Any:
            return step(row, row)

        how = choose("map scan foldl vectorized".split())
        if how == "map":
            made = tf.map_fn(of_row, x)
        elif how == "vectorized":
            made = tf.vectorized_map(of_row, x)
        else:
            made = getattr(tf, how)(step, x, tf.zeros(tf.shape(x)[1:], x.dtype))
        return self.marked(made, not rough)

    def written(self, pool: list[Any]) -> Any:
        """A tensor array that a loop fills, perhaps not in order; stacked."""
        x = self.pick(pool, "fiu")
        count = self.random.choice((1, 3, 6))
        stride = self.random.choice((1, -1))

        def body(turn: Any, array: Any, value: Any) -> Any:
            place = turn if stride > 0 else count - 1 - turn
            return turn + 1, array.write(place, value), tf.reverse(value + 1, [0])

        array = tf.TensorArray(x.dtype, count, element_shape=x.shape, clear_after_read=False)
        _, array, last = tf.while_loop(
            lambda turn, *_: turn < count, body, [tf.constant(0), array, x]
        )
        exact = x.dtype.name not in NARROW_FLOATS
        return self.marked([array.stack(), array.read(count // 2), last], exact)

    def state(self, pool: list[Any]) -> Any:
        """A variable that is read, or written to before it is read again."""
        variable, choose = self.random.choice(self.variables), self.random.choice
        before = variable.read_value()
        fitting = [t for t in pool if t.dtype == variable.dtype and not self.is_rough(t)]
        value = self.resized(choose(fitting), variable.shape.dims) if fitting else before + 1
        value = tf.clip_by_value(value, -8, 8)
        how = choose("read assign add sub row rows".split())
        if how == "assign":
            variable.assign(value)
        elif how in ("add", "sub"):
            getattr(variable, f"assign_{how}")(value)
        elif how == "row":
            variable[choose((0, -1))].assign(value[1])
        elif how == "rows":
            variable.scatter_nd_add([[0], [2], [0]], value[:3])
        return self.marked([before, variable.read_value()], True)
