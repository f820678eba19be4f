"""Constant folding, before and after."""

from tests.runtime.engine.passes.before_after import check, unchanged


def test_operations_on_constants():
    check(
        """
        f(x: float32[?]):
          Const = constant(value=2.0) : float32[]
          Const_1 = constant(value=[1.0, 3.0]) : float32[2]
          mul = multiply(Const, Const_1) : float32[2]
          add = add(x, mul) : float32[?]
          return add
        """,
        """
        f(x: float32[?]):
          Const = constant(value=2.0) : float32[]
          Const_1 = constant(value=[1.0, 3.0]) : float32[2]
          mul = constant(value=[2.0, 6.0]) : float32[2]
          add = add(x, mul) : float32[?]
          return add
        """,
        "fold",
    )


def test_what_inference_knows():
    check(
        """
        f(x: float32[2, 3], y: float32[2, ?]):
          Shape = shape(x, out_type=int32) : int32[2]
          Rank = rank(y, out_type=int32) : int32[]
          Shape_1 = shape(y, out_type=int32) : int32[2]
          return Shape, Rank, Shape_1
        """,
        """
        f(x: float32[2, 3], y: float32[2, ?]):
          Shape = constant(value=[2, 3]) : int32[2]
          Rank = constant(value=2) : int32[]
          Shape_1 = shape(y, out_type=int32) : int32[2]
          return Shape, Rank, Shape_1
        """,
        "fold",
    )


def test_several_outputs():
    check(
        """
        f():
          Const = constant(value=[1, 2]) : int32[2]
          unstack = unstack(Const, num=2, axis=0) : int32[], int32[]
          return unstack, unstack:1
        """,
        """
        f():
          unstack = constant(value=1) : int32[]
          unstack_output = constant(value=2) : int32[]
          return unstack, unstack_output
        """,
        "fold", "prune",
    )  # fmt: skip


def test_python_numbers_as_python_has_them():
    check(
        """
        f():
          Const = constant(value=7) : int64~[]
          Const_1 = constant(value=-2) : int64~[]
          FloorDiv = floordiv(Const, Const_1) : int64~[]
          return FloorDiv
        """,
        """
        f():
          FloorDiv = constant(value=-4) : int64~[]
          return FloorDiv
        """,
        "fold", "prune",
    )  # fmt: skip


def test_what_raises_is_left_for_the_run():
    unchanged(
        """
        f():
          Const = constant(value=1) : int32[]
          Const_1 = constant(value=0) : int32[]
          FloorDiv = floordiv(Const, Const_1) : int32[]
          Const_2 = constant(value=9223372036854775807) : int64~[]
          add = add(Const_2, Const_2) : int64~[]
          return FloorDiv, add
        """,
        "fold", "prune",
    )  # fmt: skip


def test_powers_that_would_take_for_ever_are_left_for_the_run():
    unchanged(
        """
        f():
          Const = constant(value=7) : int64~[]
          Const_1 = constant(value=4611686018427387904) : int64~[]
          Pow = pow(Const, Const_1) : int64~[]
          return Pow
        """,
        "fold", "prune",
    )  # fmt: skip


def test_what_is_large_or_has_effects_is_left_for_the_run():
    unchanged(
        """
        f():
          Const = constant(value=[100, 1000]) : int32[2]
          Const_1 = constant(value=0.0) : float32[]
          Fill = fill(Const, Const_1) : float32[100, 1000]
          Const_2 = constant(value=[1.0]) : float32[1]
          AssignVariableOp = assign_variable(Const_2, storage=@v) : float32[1]
          return Fill
        """,
        "fold", "prune",
    )  # fmt: skip
