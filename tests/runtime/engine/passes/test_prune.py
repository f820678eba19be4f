"""Pruning, before and after."""

from tests.runtime.engine.passes.before_after import check


def test_only_what_can_neither_raise_nor_have_effects_goes():
    check(
        """
        f(x: float32[?], y: float32[?], n: int32[], m: int32[]):
          assert = assign_variable(x, storage=@v) : float32[?]
          Exp = exp(x) : float32[?]
          add = add(x, x) : float32[?]
          add_1 = add(x, y) : float32[?]
          three = constant(value=3) : int32[]
          FloorDiv = floordiv(n, three) : int32[]
          FloorDiv_1 = floordiv(n, m) : int32[]
          zero = constant(value=[0]) : int32[1]
          GatherV2 = getitem(x, n, key=($0,)) : float32[]
          return x
        """,
        """
        f(x: float32[?], y: float32[?], n: int32[], m: int32[]):
          assert = assign_variable(x, storage=@v) : float32[?]
          add_1 = add(x, y) : float32[?]
          FloorDiv_1 = floordiv(n, m) : int32[]
          GatherV2 = getitem(x, n, key=($0,)) : float32[]
          return x
        """,
        "fold", "prune",
    )  # fmt: skip
