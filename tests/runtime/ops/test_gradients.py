"""One sweep over the derivatives: every row that has one, first and second order, by differences.

In float64, and in complex128 where the row takes that.  Samples are moved off their ties and
kinks; how ties and edges are settled is in test_derivative_edges.py.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import runtime as tf
from runtime.ops.op import TABLE
from runtime.ops.rules.lazy_gradient import LazyGradient
from runtime.types.dtypes import float64
from tests.support.differences import gradient, inner, slope
from tests.support.extras import FOR_DERIVATIVES, marked

DERIVED = {
    n: op for n, op in TABLE.items() if callable(op.grad) and callable(op.samples) and n != "eig"
}
# Their matrices are symmetric, and stay so.
SYMMETRIC = {"cholesky", "eigh", "eigvalsh"}
# Inputs that are whole numbers in truth, or by which there is no derivative.
HELD = {
    "polygamma": {0}, "zeta": {0}, "igamma": {0}, "igammac": {0}, "betainc": {0, 1},
    "igamma_by_a": {0}, "random_gamma": {1}, "stateless_random_gamma": {1},
}  # fmt: skip
TOLERANCE = 2e-4


class Point:
    """A sample in double precision: which inputs move, and the row as a function of those."""

    def __init__(self, name, number, kind):
        self.op, self.number = TABLE[name], number
        case = self.op.samples()[number]
        self.noise = np.random.default_rng(number + 1)
        self.inputs = list(case.inputs)
        self.moving = [i for i in range(len(self.inputs)) if self._moves(i)]
        for i in HELD.get(name, ()):
            self.inputs[i] = self.inputs[i].astype(np.float64)
        for i in self.moving:
            self.inputs[i] = self._moved(self.inputs[i], kind, name in SYMMETRIC)
        self.points = [self.inputs[i] for i in self.moving]
        outputs = self.arrays(*self.points)
        self.smooth = [np.asarray(y).dtype.kind in "fc" for y in outputs]
        self.seeds = [self.like(y) for y, s in zip(outputs, self.smooth) if s]
        results = [y for y, s in zip(outputs, self.smooth) if s]
        # Steps would be lost beside large numbers; false for NaN, too.
        measurable = all((np.abs(x) < 1e4).all() for x in [*self.points, *results])
        self.usable = bool(self.moving and results) and measurable
        self.usable &= not (self._is_not_unique(case) or self._is_pointed(results))
        self.symmetric = name in SYMMETRIC

    def _is_not_unique(self, case):
        """What completes a matrix may be any; complex vectors may be turned."""
        x, attrs = self.inputs[0], case.attrs
        if self.op.name == "pinv":
            return len(self.inputs) > 1
        if self.op.name not in ("qr", "svd"):
            return False
        if self.op.name == "svd" and x.dtype.kind == "c" and attrs["compute_uv"]:
            return True
        rows, columns = x.shape[-2:]
        wide = self.op.name == "svd" and rows < columns
        return attrs["full_matrices"] and (rows > columns or wide)

    def _is_pointed(self, results):
        """A deviation of zero has no slope."""
        return self.op.name == "reduce_std" and not np.all(results)

    def _moves(self, i):
        x = self.inputs[i]
        if i in HELD.get(self.op.name, ()):
            return False
        if x.dtype.kind in "fc":
            return True
        together = self.op.same_dtype_inputs
        shared = together is not None and i in range(len(self.inputs))[together]
        real = "f" in (self.op.dtype_kinds or "f") and "dtype" not in self.attrs
        return shared and x.dtype.kind in "iu" and real

    def _moved(self, x, kind, symmetric):
        x = x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)
        x = x + self.noise.uniform(0.01, 0.03, x.shape)
        if kind == "c":
            x = x + 1j * self.noise.uniform(0.1, 0.5, x.shape)
        return (x + np.swapaxes(x, -1, -2).conj()) / 2 if symmetric else x

    @property
    def attrs(self):
        """Made anew each time: random streams start afresh."""
        found = dict(self.op.samples()[self.number].attrs)
        if getattr(found.get("dtype"), "is_floating", False):
            found["dtype"] = float64
        return found

    def filled(self, points):
        inputs = list(self.inputs)
        for i, p in zip(self.moving, points, strict=True):
            inputs[i] = p
        return inputs

    def arrays(self, *points):
        """The outputs, by the kernel."""
        with np.errstate(all="ignore"):
            found = self.op.kernel(*self.filled(points), **self.attrs)
        return found if isinstance(found, tuple) else (found,)

    def loss(self, *points):
        """A real number: the outputs weighed by the seeds."""
        return inner(self.seeds, [y for y, s in zip(self.arrays(*points), self.smooth) if s])

    def like(self, array):
        """Numbers of the shape and dtype of an array."""
        found = self.noise.uniform(0.5, 1.5, np.shape(array))
        if np.asarray(array).dtype.kind == "c":
            found = found + 1j * self.noise.uniform(-1, 1, np.shape(array))
        return np.asarray(found, np.asarray(array).dtype)

    def direction(self):
        """A direction for all inputs that move."""
        found = [self.like(p) for p in self.points]
        return [v + np.swapaxes(v, -1, -2).conj() for v in found] if self.symmetric else found

    def first(self, *points):
        """The gradients by the row, as arrays."""
        seeds = list(map(tf.constant, self.seeds))
        found = gradient(self.tensors_at, seeds, *map(tf.constant, points))
        return [g.numpy() for g in found]

    def second(self):
        """The gradients of the gradients by the row, weighed by ``weights``, as arrays."""
        seeds = list(map(tf.constant, self.seeds))
        tensors = [tf.constant(p) for p in self.points]

        def first(*tensors):
            return gradient(self.tensors_at, seeds, *tensors)

        return [g.numpy() for g in gradient(first, list(map(tf.constant, self.weights)), *tensors)]

    def tensors_at(self, *tensors):
        """The outputs that have derivatives, by the op."""
        found = self.op(*self.filled(tensors), **self.attrs)
        several = found if isinstance(found, tuple) else (found,)
        return [y for y, smooth in zip(several, self.smooth) if smooth]


def points(name, kind, most=None):
    """The samples that can be differentiated, or the first ones."""
    number = len(DERIVED[name].samples())
    usable = (p for i in range(number) if (p := Point(name, i, kind)).usable)
    return list(itertools.islice(usable, most))


def takes_complex(name):
    """Complex eigenvectors are unique up to a phase only: test_derivative_edges.py."""
    return "c" in DERIVED[name].dtype_kinds and name not in ("eigh", "eig")


WAYS = [(n, k) for n in DERIVED for k in "fc" if k == "f" or takes_complex(n)]


def close(found, expected, where):
    np.testing.assert_allclose(found, expected, TOLERANCE, TOLERANCE, err_msg=where)


@pytest.mark.parametrize(("name", "kind"), marked(WAYS, FOR_DERIVATIVES))
def test_first_order_agrees_with_differences(name, kind):
    cases = points(name, kind)
    assert cases, "no sample of this row can be differentiated: add one"
    for point in cases:
        found, where = point.first(*point.points), f"sample {point.number}"
        for _ in range(2):
            v = point.direction()
            close(inner(found, v), slope(point.loss, point.points, v), where)


@pytest.mark.parametrize(("name", "kind"), marked(WAYS, FOR_DERIVATIVES))
def test_second_order_agrees_with_differences(name, kind):
    for point in points(name, kind):
        point.weights, v = point.direction(), point.direction()

        def along(*points, point=point):
            return inner(point.first(*points), point.weights)

        expected = slope(along, point.points, v)
        close(inner(point.second(), v), expected, f"sample {point.number}")


def by_tapes(point):
    """First and second order by nested tapes."""
    tensors = [tf.constant(p) for p in point.points]
    seeds = list(map(tf.constant, point.seeds))
    with tf.GradientTape() as outer:
        outer.watch(tensors)
        with tf.GradientTape() as tape:
            tape.watch(tensors)
            outputs = point.tensors_at(*tensors)
        found = tape.gradient(outputs, tensors, seeds, tf.UnconnectedGradients.ZERO)
    more = outer.gradient(found, tensors, point.weights, tf.UnconnectedGradients.ZERO)
    return [g.numpy() for g in [*found, *more]]


def in_a_graph(point, shape):
    """First and second order by ``gradients``, where the inputs have the shapes ``shape(x)``."""
    zero = tf.UnconnectedGradients.ZERO
    with tf.Graph().as_default(), tf.Session() as session:
        feeds = {tf.placeholder(p.dtype, shape(p)): p for p in point.points}
        outputs = point.tensors_at(*feeds)
        found = tf.gradients(outputs, list(feeds), point.seeds, unconnected_gradients=zero)
        more = tf.gradients(found, list(feeds), point.weights, unconnected_gradients=zero)
        return session.run([*found, *more], feeds)


def is_refused(point, way):
    """The derivatives of some rows ask how many axes (rows and columns) there are."""
    if point.op.name == "einsum":
        return way == "rank" and "..." in point.attrs["equation"]
    if point.op.name == "irfftn":
        return way == "rank" and point.attrs["axes"][-1] >= 0
    if point.op.name == "svd":
        return point.attrs["full_matrices"]
    return point.op.name == "qr" or (point.op.name == "tensordot" and way == "rank")


UNKNOWN = {"sizes": lambda x: [None] * x.ndim, "rank": lambda x: None}


@pytest.mark.parametrize(("name", "kind"), marked(WAYS, FOR_DERIVATIVES))
def test_every_way_gives_the_same(name, kind):
    for point in points(name, kind, most=3):
        point.weights = point.direction()
        expected = [*point.first(*point.points), *point.second()]
        for way in ("tapes", *UNKNOWN) if kind == "f" else ("rank",):
            if way in UNKNOWN and is_refused(point, way):
                with pytest.raises((ValueError, NotImplementedError), match="rank|rows|square"):
                    in_a_graph(point, UNKNOWN[way])
                continue
            found = by_tapes(point) if way == "tapes" else in_a_graph(point, UNKNOWN[way])
            where = f"sample {point.number} by {way}"
            for f, e in zip(found, expected, strict=True):
                np.testing.assert_allclose(f, e, 1e-9, 1e-12, err_msg=where)


@pytest.mark.parametrize(
    "name", [n for n, op in TABLE.items() if isinstance(op.grad, LazyGradient)]
)
def test_written_derivatives_are_there(name):
    function = TABLE[name].grad.function()
    assert function.__doc__, "say what it does"
