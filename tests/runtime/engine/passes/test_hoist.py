"""Loop-invariant operations, before and after."""

from tests.runtime.engine.passes.before_after import check


def test_only_what_cannot_raise_moves():
    check(
        """
        f(n: int32[], x: float32[], m: int32[]):
          w = while(n, x, x, m, splits=(0, 2)) : int32[], float32[]
            test_graph: test(i: int32[], a: float32[])
              zero = constant(value=0) : int32[]
              Greater = greater(i, zero) : bool[]
              return Greater
            body_graph: body(i: int32[], a: float32[], x: float32[], m: int32[])
              one = constant(value=1) : int32[]
              sub = subtract(i, one) : int32[]
              two = constant(value=2.0) : float32[]
              Exp = exp(x) : float32[]
              mul = multiply(Exp, two) : float32[]
              add = add(a, mul) : float32[]
              FloorDiv = floordiv(one, m) : int32[]
              sub_1 = subtract(sub, FloorDiv) : int32[]
              Read = read_variable(storage=@v) : float32[]
              add_1 = add(add, Read) : float32[]
              return sub_1, add_1
          return w:1
        """,
        """
        f(n: int32[], x: float32[], m: int32[]):
          w/Exp = exp(x) : float32[]
          w/two = constant(value=2.0) : float32[]
          w/mul = multiply(w/Exp, w/two) : float32[]
          w = while(n, x, m, w/mul, splits=(0, 2)) : int32[], float32[]
            test_graph: test(i: int32[], a: float32[])
              zero = constant(value=0) : int32[]
              Greater = greater(i, zero) : bool[]
              return Greater
            body_graph: body(i: int32[], a: float32[], m: int32[], mul: float32[])
              one = constant(value=1) : int32[]
              sub = subtract(i, one) : int32[]
              add = add(a, mul) : float32[]
              FloorDiv = floordiv(one, m) : int32[]
              sub_1 = subtract(sub, FloorDiv) : int32[]
              Read = read_variable(storage=@v) : float32[]
              add_1 = add(add, Read) : float32[]
              return sub_1, add_1
          return w:1
        """,
        "propagate", "hoist", "prune",
    )  # fmt: skip
