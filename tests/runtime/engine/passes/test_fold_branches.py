"""Branches that a constant chooses and loops that never run, before and after."""

import pytest

from tests.runtime.engine.passes.before_after import check, unchanged

COND = """
f(x: float32[], y: float32[]):
  p = constant(value={value}) : {type}
  c = cond(p, x, y, x, splits=(2, 1)) : float32[]
    true_graph: then(a: float32[], b: float32[])
      add = add(a, b) : float32[]
      return add
    false_graph: otherwise(a: float32[])
      Exp = exp(a) : float32[]
      return Exp
  return c
"""


@pytest.mark.parametrize(
    "value, kind, line",
    [
        ("True", "bool[]", "c/add = add(x, y)"),
        ("False", "bool[]", "c/Exp = exp(x)"),
        ("2", "int32[]", "c/add = add(x, y)"),
        ("[0.0]", "float32[1]", "c/Exp = exp(x)"),
    ],
)
def test_branches(value, kind, line):
    name = line.partition(" ")[0]
    check(
        COND.format(value=value, type=kind),
        f"""
        f(x: float32[], y: float32[]):
          {line} : float32[]
          return {name}
        """,
        "decide", "prune",
    )  # fmt: skip


def test_a_choice_that_raises_stays():
    unchanged(COND.format(value="[True, False]", type="bool[2]"), "decide", "prune")


def test_cases():
    text = """
        f(x: float32[]):
          i = constant(value={}) : int32[]
          c = case(i, x, x, splits=(1, 1)) : float32[]
            branches[0]: first(a: float32[])
              Exp = exp(a) : float32[]
              return Exp
            branches[1]: second(a: float32[])
              Neg = negative(a) : float32[]
              return Neg
          return c
        """
    first, last = "c/Exp = exp(x)", "c/Neg = negative(x)"
    for index, line in ((0, first), (1, last), (7, last)):
        check(
            text.format(index),
            f"""
            f(x: float32[]):
              {line} : float32[]
              return {line.partition(" ")[0]}
            """,
            "decide", "prune",
        )  # fmt: skip


def test_loops_that_never_run():
    check(
        """
        f(x: float32[]):
          start = constant(value=5) : int32[]
          w = while(start, x, splits=(0, 0)) : int32[], float32[]
            test_graph: test(i: int32[], y: float32[])
              five = constant(value=5) : int32[]
              Less = less(i, five) : bool[]
              return Less
            body_graph: body(i: int32[], y: float32[])
              Assign = assign_variable(y, storage=@v) : float32[]
              return i, y
          none = constant(value=0) : int64[]
          s = scan(none, x, carried=1, reverse=False, splits=(0,)) : float32[], float32[0]
            body_graph: turn(k: int64[], y: float32[])
              Exp = exp(y) : float32[]
              return Exp, y
          return w:1, s, s:1
        """,
        """
        f(x: float32[]):
          s/Const = constant(value=[]) : float32[0]
          return x, x, s/Const
        """,
        "fold", "decide", "prune",
    )  # fmt: skip


def test_a_test_with_effects_stays():
    unchanged(
        """
        f(n: int32[]):
          start = constant(value=5) : int32[]
          w = while(start, n, splits=(1, 0)) : int32[]
            test_graph: test(i: int32[], n: int32[])
              Assign = assign_variable(n, storage=@v) : int32[]
              five = constant(value=5) : int32[]
              Less = less(i, five) : bool[]
              return Less
            body_graph: body(i: int32[])
              add = add(i, i) : int32[]
              return add
          return w
        """,
        "fold", "decide", "prune",
    )  # fmt: skip


def test_loops_that_may_run_stay():
    unchanged(
        """
        f(x: float32[], n: int32[]):
          start = constant(value=5) : int32[]
          w = while(start, n, splits=(1, 0)) : int32[]
            test_graph: test(i: int32[], n: int32[])
              Less = less(i, n) : bool[]
              return Less
            body_graph: body(i: int32[])
              add = add(i, i) : int32[]
              return add
          return w
        """,
        "fold", "decide", "prune",
    )  # fmt: skip
