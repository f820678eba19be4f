"""Loop state that stands still or does not count, before and after."""

from tests.runtime.engine.passes.before_after import check, unchanged


def test_state_that_stands_still_is_captured():
    check(
        """
        f(n: int32[], x: float32[]):
          w = while(n, x, x, splits=(0, 0)) : int32[], float32[], float32[]
            test_graph: test(i: int32[], a: float32[], b: float32[])
              zero = constant(value=0) : int32[]
              Greater = greater(i, zero) : bool[]
              return Greater
            body_graph: body(i: int32[], a: float32[], b: float32[])
              one = constant(value=1) : int32[]
              sub = subtract(i, one) : int32[]
              add = add(a, b) : float32[]
              return sub, a, add
          return w, w:1, w:2
        """,
        """
        f(n: int32[], x: float32[]):
          w = while(n, x, x, splits=(0, 1)) : int32[], float32[]
            test_graph: test(i: int32[], b: float32[])
              zero = constant(value=0) : int32[]
              Greater = greater(i, zero) : bool[]
              return Greater
            body_graph: body(i: int32[], b: float32[], a: float32[])
              one = constant(value=1) : int32[]
              sub = subtract(i, one) : int32[]
              add = add(a, b) : float32[]
              return sub, add
          return w, x, w:1
        """,
        "propagate", "freeze", "prune",
    )  # fmt: skip


def test_state_that_nobody_looks_at_goes():
    check(
        """
        f(n: int32[], x: float32[]):
          w = while(n, x, n, splits=(0, 0)) : int32[], float32[], int32[]
            test_graph: test(i: int32[], a: float32[], m: int32[])
              zero = constant(value=0) : int32[]
              Greater = greater(i, zero) : bool[]
              return Greater
            body_graph: body(i: int32[], a: float32[], m: int32[])
              one = constant(value=1) : int32[]
              sub = subtract(i, one) : int32[]
              Exp = exp(a) : float32[]
              FloorMod = floormod(m, i) : int32[]
              return sub, Exp, FloorMod
          return w
        """,
        """
        f(n: int32[], x: float32[]):
          w = while(n, n, splits=(0, 0)) : int32[], int32[]
            test_graph: test(i: int32[], m: int32[])
              zero = constant(value=0) : int32[]
              Greater = greater(i, zero) : bool[]
              return Greater
            body_graph: body(i: int32[], m: int32[])
              one = constant(value=1) : int32[]
              sub = subtract(i, one) : int32[]
              FloorMod = floormod(m, i) : int32[]
              return sub, FloorMod
          return w
        """,
        "propagate", "freeze", "prune",
    )  # fmt: skip


def test_state_that_effects_look_at_stays():
    unchanged(
        """
        f(n: int32[], x: float32[]):
          w = while(n, x, splits=(0, 0)) : int32[], float32[]
            test_graph: test(i: int32[], a: float32[])
              zero = constant(value=0) : int32[]
              Greater = greater(i, zero) : bool[]
              return Greater
            body_graph: body(i: int32[], a: float32[])
              one = constant(value=1) : int32[]
              sub = subtract(i, one) : int32[]
              Exp = exp(a) : float32[]
              Assign = assign_variable(Exp, storage=@v) : float32[]
              return sub, Exp
          return w
        """,
        "propagate", "freeze", "prune",
    )  # fmt: skip


def test_scans_keep_their_rows():
    check(
        """
        f(n: int32[], x: bool[]):
          s = scan(n, x, x, carried=2, reverse=False, splits=(0,)) : bool[], bool[], bool[?]
            body_graph: turn(k: int64[], a: bool[], b: bool[])
              Not = logical_not(b) : bool[]
              return a, Not, a
          return s, s:2
        """,
        """
        f(n: int32[], x: bool[]):
          s = scan(n, x, carried=0, reverse=False, splits=(1,)) : bool[?]
            body_graph: turn(k: int64[], a: bool[])
              return a
          return x, s
        """,
        "propagate", "freeze", "prune",
    )  # fmt: skip
