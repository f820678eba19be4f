"""What is known outside is known inside, before and after."""

from tests.runtime.engine.passes.before_after import check


def test_constants_equal_captures_and_shapes_enter_branches():
    check(
        """
        f(p: bool[], x: float32[3]):
          two = constant(value=2.0) : float32[]
          c = cond(p, x, x, two, x, splits=(3, 1)) : float32[?]
            true_graph: then(a: float32[?], b: float32[?], k: float32[])
              add = add(a, b) : float32[?]
              mul = multiply(add, k) : float32[?]
              return mul
            false_graph: otherwise(a: float32[?])
              return a
          Shape = shape(c, out_type=int32) : int32[1]
          return c, Shape
        """,
        """
        f(p: bool[], x: float32[3]):
          c = cond(p, x, x, splits=(1, 1)) : float32[3]
            true_graph: then(a: float32[3])
              two = constant(value=2.0) : float32[]
              add = add(a, a) : float32[3]
              mul = multiply(add, two) : float32[3]
              return mul
            false_graph: otherwise(a: float32[3])
              return a
          Shape = constant(value=[3]) : int32[1]
          return c, Shape
        """,
        "fold", "propagate", "prune",
    )  # fmt: skip


def test_shapes_enter_loops_that_keep_them():
    check(
        """
        f(n: int32[], x: float32[3], y: float32[3]):
          w = while(n, x, y, splits=(0, 0)) : int32[], float32[?], float32[?]
            test_graph: test(i: int32[], a: float32[?], b: float32[?])
              zero = constant(value=0) : int32[]
              Greater = greater(i, zero) : bool[]
              return Greater
            body_graph: body(i: int32[], a: float32[?], b: float32[?])
              one = constant(value=1) : int32[]
              sub = subtract(i, one) : int32[]
              Exp = exp(a) : float32[?]
              concat = concat(b, b, axis=0) : float32[?]
              return sub, Exp, concat
          return w:1, w:2
        """,
        """
        f(n: int32[], x: float32[3], y: float32[3]):
          w = while(n, x, y, splits=(0, 0)) : int32[], float32[3], float32[?]
            test_graph: test(i: int32[], a: float32[3], b: float32[?])
              zero = constant(value=0) : int32[]
              Greater = greater(i, zero) : bool[]
              return Greater
            body_graph: body(i: int32[], a: float32[3], b: float32[?])
              one = constant(value=1) : int32[]
              sub = subtract(i, one) : int32[]
              Exp = exp(a) : float32[3]
              concat = concat(b, b, axis=0) : float32[?]
              return sub, Exp, concat
          return w:1, w:2
        """,
        "propagate",
    )
