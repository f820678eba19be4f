"""Inlining, before and after."""

from tests.runtime.passes.before_after import after, check

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
          Assign = assign_variable(x, place=@v) : float32[]
          y = call(x) : float32[]
            graph: count(a: float32[])
              Read = read_variable(place=@v) : float32[]
              add = add(a, Read) : float32[]
              Assign = assign_variable(add, place=@v) : float32[]
              return a
          Read = read_variable(place=@v) : float32[]
          return y, Read
        """,
        """
        f(x: float32[]):
          Assign = assign_variable(x, place=@v) : float32[]
          y/Read = read_variable(place=@v) : float32[]
          y/add = add(x, y/Read) : float32[]
          y/Assign = assign_variable(y/add, place=@v) : float32[]
          Read = read_variable(place=@v) : float32[]
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
