"""Algebra, before and after: what holds for every bit, and what only looks so."""

import pytest

from tests.runtime.engine.passes.before_after import check, unchanged

UNITS = [
    ("add", "int32", "0", "both"),
    ("add", "float32", "-0.0", "both"),
    ("subtract", "float32", "0.0", "right"),
    ("multiply", "float32", "1.0", "both"),
    ("truediv", "float64", "1.0", "right"),
    ("floordiv", "int32", "1", "right"),
    ("pow", "int64", "1", "right"),
    ("logical_and", "bool", "True", "both"),
    ("logical_or", "bool", "False", "both"),
    ("bitwise_and", "int32", "-1", "both"),
    ("left_shift", "int32", "0", "right"),
]


@pytest.mark.parametrize("op, dtype, number, side", UNITS)
def test_neutral_elements(op, dtype, number, side):
    for inputs in ("x, c", "c, x")[: 2 if side == "both" else 1]:
        check(
            f"""
            f(x: {dtype}[?]):
              c = constant(value={number}) : {dtype}[]
              y = {op}({inputs}) : {dtype}[?]
              return y
            """,
            f"""
            f(x: {dtype}[?]):
              return x
            """,
            "simplify", "prune",
        )  # fmt: skip


LOOKALIKES = [
    ("add", "float32", "0.0", "x, c"),  # -0.0 + 0.0 is 0.0
    ("subtract", "float32", "-0.0", "x, c"),
    ("subtract", "float32", "0.0", "c, x"),
    ("multiply", "float32", "0.0", "x, c"),  # NaN
    ("multiply", "int32", "0", "x, c"),
    ("truediv", "float32", "1.0", "c, x"),
    ("floordiv", "float32", "1.0", "x, c"),
    ("maximum", "int32", "0", "x, c"),
]


@pytest.mark.parametrize("op, dtype, number, inputs", LOOKALIKES)
def test_what_only_looks_alike_stays(op, dtype, number, inputs):
    unchanged(
        f"""
        f(x: {dtype}[?]):
          c = constant(value={number}) : {dtype}[]
          y = {op}({inputs}) : {dtype}[?]
          return y
        """,
        "simplify", "prune",
    )  # fmt: skip


def test_broadcasting_is_not_forgotten():
    unchanged(
        """
        f(x: float32[], y: float32[?]):
          ones = constant(value=[1.0, 1.0]) : float32[2]
          mul = multiply(x, ones) : float32[2]
          one = constant(value=[1.0]) : float32[1]
          mul_1 = multiply(y, one) : float32[?]
          return mul, mul_1
        """,
        "simplify", "prune",
    )  # fmt: skip


def test_dtypes_are_not_forgotten():
    unchanged(
        """
        f(x: int32[]):
          one = constant(value=1) : int32[]
          div = truediv(x, one) : float64[]
          wide = cast(x, dtype=int64) : int64[]
          narrow = cast(wide, dtype=float32) : float32[]
          back = cast(narrow, dtype=int32) : int32[]
          return div, back
        """,
        "simplify", "prune",
    )  # fmt: skip


def test_twice_is_not_at_all_or_once():
    check(
        """
        f(x: float32[?], p: bool[]):
          Neg = negative(x) : float32[?]
          Neg_1 = negative(Neg) : float32[?]
          LogicalNot = logical_not(p) : bool[]
          LogicalNot_1 = logical_not(LogicalNot) : bool[]
          Abs = abs(Neg_1) : float32[?]
          Abs_1 = abs(Abs) : float32[?]
          Maximum = maximum(Abs_1, Abs_1) : float32[?]
          wide = cast(Maximum, dtype=float64) : float64[?]
          back = cast(wide, dtype=float32) : float32[?]
          Identity = identity(back) : float32[?]
          return Identity, LogicalNot_1
        """,
        """
        f(x: float32[?], p: bool[]):
          Abs = abs(x) : float32[?]
          return Abs, p
        """,
        "simplify", "prune",
    )  # fmt: skip


def test_python_ints_may_overflow_on_the_way():
    unchanged(
        """
        f(x: int64~[]):
          Neg = negative(x) : int64~[]
          Neg_1 = negative(Neg) : int64~[]
          return Neg_1
        """,
        "simplify", "prune",
    )  # fmt: skip


def test_reshapes():
    check(
        """
        f(x: float32[2, 3]):
          flat = constant(value=[-1]) : int32[1]
          Reshape = reshape(x, flat) : float32[6]
          sizes = constant(value=[3, 2]) : int32[2]
          Reshape_1 = reshape(Reshape, sizes) : float32[3, 2]
          ExpandDims = expand_dims(x, axis=0) : float32[1, 2, 3]
          Squeeze = squeeze(ExpandDims, axis=(0,)) : float32[2, 3]
          return Reshape_1, Squeeze
        """,
        """
        f(x: float32[2, 3]):
          sizes = constant(value=[3, 2]) : int32[2]
          Reshape_1 = reshape(x, sizes) : float32[3, 2]
          return Reshape_1, x
        """,
        "simplify", "prune",
    )  # fmt: skip


def test_a_python_int_is_no_tensor():
    unchanged(
        """
        f(x: int64[]):
          y = cast(x, dtype=int64) : int64~[]
          z = add(y, y) : int64~[]
          return z
        """,
        "simplify", "prune",
    )  # fmt: skip
