"""Sharing of equal operations, before and after."""

import runtime as tf
from runtime.types import flags
from tests.runtime.engine.passes.before_after import check, unchanged


def test_equal_operations_are_one():
    check(
        """
        f(x: float32[?], y: float32[?]):
          Exp = exp(x) : float32[?]
          Exp_1 = exp(x) : float32[?]
          add = add(Exp, y) : float32[?]
          add_1 = add(y, Exp_1) : float32[?]
          mul = multiply(add, add_1) : float32[?]
          return mul
        """,
        """
        f(x: float32[?], y: float32[?]):
          Exp = exp(x) : float32[?]
          add = add(Exp, y) : float32[?]
          mul = multiply(add, add) : float32[?]
          return mul
        """,
        "share",
    )


def test_what_differs_stays():
    unchanged(
        """
        f(x: float32[?], s: string[], t: string[]):
          sub = subtract(x, x) : float32[?]
          Const = constant(value=0.0) : float32[]
          Const_1 = constant(value=-0.0) : float32[]
          Const_2 = constant(value=0.0) : float64[]
          Const_3 = constant(value=0.0) : float64~[]
          Const_4 = constant(value=1) : int32[]
          Const_5 = constant(value=True) : bool[]
          Max = reduce_max(x, axis=0, keepdims=False) : float32[]
          Max_1 = reduce_max(x, axis=0, keepdims=True) : float32[1]
          add = add(s, t) : string[]
          add_1 = add(t, s) : string[]
          return Const, Const_1, Const_2, Const_3, Const_4, Const_5, Max, Max_1, add, add_1, sub
        """,
        "share",
    )


def test_never_across_effects():
    check(
        """
        f(x: float32[]):
          Read = read_variable(storage=@v) : float32[]
          Read_1 = read_variable(storage=@v) : float32[]
          Assign = assign_variable(x, storage=@v) : float32[]
          Read_2 = read_variable(storage=@v) : float32[]
          Assign_1 = assign_variable(x, storage=@v) : float32[]
          Read_3 = read_variable(storage=@v) : float32[]
          return Read, Read_1, Read_2, Read_3
        """,
        """
        f(x: float32[]):
          Read = read_variable(storage=@v) : float32[]
          Assign = assign_variable(x, storage=@v) : float32[]
          Read_2 = read_variable(storage=@v) : float32[]
          Assign_1 = assign_variable(x, storage=@v) : float32[]
          Read_3 = read_variable(storage=@v) : float32[]
          return Read, Read, Read_2, Read_3
        """,
        "share",
    )


def test_what_may_raise_is_shared_with_what_raised_before():
    check(
        """
        f(n: int32[], m: int32[]):
          FloorDiv = floordiv(n, m) : int32[]
          FloorDiv_1 = floordiv(n, m) : int32[]
          return FloorDiv, FloorDiv_1
        """,
        """
        f(n: int32[], m: int32[]):
          FloorDiv = floordiv(n, m) : int32[]
          return FloorDiv, FloorDiv
        """,
        "share",
    )


def test_iterators_stay_apart():
    @tf.function
    def f():
        dataset = tf.data.Dataset.range(3)
        one, other = iter(dataset), iter(dataset)
        return next(one), next(other), next(one), next(other)

    assert [int(t) for t in f()] == [0, 0, 1, 1]


def test_reductions_of_random_datasets_stay_apart():
    def f():
        dataset = tf.data.Dataset.range(50).shuffle(50, seed=3)
        zero = tf.constant(0, tf.int64)
        return [dataset.reduce(zero, lambda s, x: s * 3 + x) for _ in range(2)]

    with flags.OPTIMIZE(False):
        expected = [int(t) for t in tf.function(f)()]
    assert [int(t) for t in tf.function(f)()] == expected
