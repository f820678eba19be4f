"""Inlining, before and after."""

import textwrap

from tests.runtime.engine.passes.before_after import after, check

CALL = """
f(x: float32[?]):
  y = call(x) : float32[?]
    graph: square(a: float32[?])
      mul = multiply(a, a) : float32[?]
      return mul
  z = call(y) : float32[?]
    graph: square(a: float32[?])
      mul = multiply(a, a) : float32[?]
      return mul
  return z
"""


def test_small_graphs():
    check(
        CALL,
        """
        f(x: float32[?]):
          y/mul = multiply(x, x) : float32[?]
          z/mul = multiply(y/mul, y/mul) : float32[?]
          return z/mul
        """,
        "inline",
    )


def test_effects_stay_in_their_places():
    check(
        """
        f(x: float32[]):
          Assign = assign_variable(x, storage=@v) : float32[]
          y = call(x) : float32[]
            graph: count(a: float32[])
              Read = read_variable(storage=@v) : float32[]
              add = add(a, Read) : float32[]
              Assign = assign_variable(add, storage=@v) : float32[]
              return a
          Read = read_variable(storage=@v) : float32[]
          return y, Read
        """,
        """
        f(x: float32[]):
          Assign = assign_variable(x, storage=@v) : float32[]
          y/Read = read_variable(storage=@v) : float32[]
          y/add = add(x, y/Read) : float32[]
          y/Assign = assign_variable(y/add, storage=@v) : float32[]
          Read = read_variable(storage=@v) : float32[]
          return x, Read
        """,
        "inline",
    )


def test_large_graphs_are_called():
    lines = [
        f"    mul_{i} = multiply({f'mul_{i - 1}' if i else 'a'}, a) : float32[?]"
        for i in range(100)
    ]
    text = "f(x: float32[?]):\n  y = call(x) : float32[?]\n    graph: large(a: float32[?])\n"
    text += "".join(f"  {line}\n" for line in lines) + "      return mul_99\n  return y\n"
    assert after(text, "inline", "propagate") == text


def test_calls_share_no_inner_graph():
    body = """
        graph: twice(a: float32[], n: int32[])
          w = while(n, a, a, splits=(0, 0)) : int32[], float32[], float32[]
            test_graph: test(i: int32[], y: float32[], z: float32[])
              zero = constant(value=0) : int32[]
              Greater = greater(i, zero) : bool[]
              return Greater
            body_graph: body(i: int32[], y: float32[], z: float32[])
              one = constant(value=1) : int32[]
              sub = subtract(i, one) : int32[]
              add = add(y, y) : float32[]
              Exp = exp(z) : float32[]
              return sub, add, Exp
          return w:1, w:2
    """.rstrip()
    text = (
        "f(x: float32[], n: int32[]):\n"
        f"  c = call(x, n) : float32[], float32[]{textwrap.indent(textwrap.dedent(body), '    ')}\n"
        f"  d = call(c, n) : float32[], float32[]{textwrap.indent(textwrap.dedent(body), '    ')}\n"
        "  return c, d, d:1\n"
    )
    found = after(text, "inline", "propagate", "freeze", "prune")
    assert "c/w = while(n, x, splits=(0, 0)) : int32[], float32[]\n" in found
    assert "d/w = while(n, c/w:1, c/w:1, splits=(0, 0)) : int32[], float32[], float32[]\n" in found
