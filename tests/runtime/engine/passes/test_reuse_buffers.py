"""Results written over inputs, before and after, and in runs."""

import numpy as np

import runtime as tf
from runtime.engine.passes import reuse_buffers as reuse
from runtime.types import flags
from tests.runtime.engine.passes.before_after import check, unchanged

N = 100_000


def test_new_arrays_that_one_operation_takes():
    check(
        f"""
        f(x: float32[{N}], y: float32[{N}]):
          Exp = exp(x) : float32[{N}]
          add = add(y, Exp) : float32[{N}]
          Less = less(add, y) : bool[{N}]
          mul = multiply(add, add) : float32[{N}]
          return mul, Less
        """,
        f"""
        f(x: float32[{N}], y: float32[{N}]):
          Exp = exp(x) : float32[{N}]
          add = add(y, Exp, into=1) : float32[{N}]
          Less = less(add, y) : bool[{N}]
          mul = multiply(add, add) : float32[{N}]
          return mul, Less
        """,
        "reuse",
    )


def test_never_what_is_fed_fetched_kept_or_a_view():
    unchanged(
        f"""
        f(x: float32[{N}], y: float32[]):
          Neg = negative(x) : float32[{N}]
          Exp = exp(x) : float32[{N}]
          Neg_1 = negative(Exp) : float32[{N}]
          reverse = reverse(x, axis=(0,)) : float32[{N}]
          Neg_2 = negative(reverse) : float32[{N}]
          Assign = assign_variable(Neg_2, storage=@v) : float32[{N}]
          Abs = abs(Neg_2) : float32[{N}]
          small = negative(y) : float32[]
          small_1 = exp(small) : float32[]
          wide = add(small_1, Abs) : float32[{N}]
          return Neg, Exp, Neg_1, Abs, wide
        """,
        "reuse",
    )


def test_the_users_arrays_stay_as_they_are(monkeypatch):
    monkeypatch.setattr(reuse, "LARGE", 0)

    @tf.function
    def f(x, v):
        y = tf.exp(x) + x
        y = -y * 2.0
        v.assign(y - 1.0)
        return y, tf.abs(v.read_value() + y)

    given = np.linspace(-1, 1, 6, dtype=np.float32)
    x, v = tf.constant(given), tf.Variable(np.zeros(6, np.float32))
    with flags.OPTIMIZE(False):
        expected = [t.numpy().tolist() for t in f(x, v)]
    for _ in range(2):
        found = f(x, v)
        assert [t.numpy().tolist() for t in found] == expected
        assert x.numpy().tolist() == given.tolist()
        assert v.numpy().tolist() == (found[0].numpy() - 1).tolist()


def test_a_function_that_ran_alone_is_called_in_another_one(monkeypatch):
    monkeypatch.setattr(reuse, "LARGE", 0)
    inner = tf.function(lambda x: tf.exp(x) + 1.0)
    outer = tf.function(lambda x: (inner(x), tf.exp(x)))
    x = tf.constant([0.0, 1.0])
    assert inner(x).numpy().tolist() == (np.exp(x.numpy()) + 1).tolist()
    assert outer(x)[1].numpy().tolist() == np.exp(x.numpy()).tolist()
