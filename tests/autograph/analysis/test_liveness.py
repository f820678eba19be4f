"""Which variables still matter where, on functions small enough to check by eye."""

from __future__ import annotations

import gast
import pytest

from tests.autograph.analysis.trees import Sample

# source, line of a statement, live before it, live after it
CASES = [
    ("def f(x):\n y = x\n return y", 2, "x", "y"),
    ("def f(x):\n y = x\n return y", 3, "y", ""),
    ("def f(x):\n x += 1\n return x", 2, "x", "x"),
    ("def f(x):\n if x:\n  y = 1\n else:\n  z = 1\n return y", 2, "x y", "y"),
    ("def f(x):\n while x:\n  t = x\n  x = t\n return 0", 2, "x", ""),
    ("def f(x):\n while x:\n  t = x\n  x = t\n return 0", 4, "t", "x"),
    ("def f(a):\n for i in a:\n  s += i\n return s", 2, "a s", "s"),
    ("def f(a):\n for i in a:\n  pass\n return i", 2, "a i", "i"),
    ("def f(x):\n del x\n return 0", 2, "x", ""),
    ("def f(x):\n self.y = x\n return 0", 2, "x self.y", "self.y"),
    ("def f(x):\n global g\n g = x\n return 0", 3, "x g", "g"),
    ("def f(x):\n nonlocal g\n g = x\n return 0", 3, "x g", "g"),
    # An inner function may look at the variable at any later time, but not before it exists.
    ("def f(x):\n x = 1\n g = lambda: x\n x = 2\n return g", 2, "", "x"),
    ("def f(x):\n x = 1\n g = lambda: x\n x = 2\n return g", 4, "x g", "x g"),
    ("def f(x):\n x = 1\n g = lambda: x\n x = 2\n return g", 5, "x g", ""),
    ("def f(x):\n while c:\n  x = 1\n  g = lambda: x\n return 0", 3, "x", "x"),
    ("def f(x):\n x = 1\n return locals()", 2, "", "x"),
    ("def f(x):\n x = 1\n return mylocals()", 2, "", ""),
    # A jump leaves the statement, too.
    ("def f(x):\n while 1:\n  if c:\n   x = 1\n   break\n  x = 2\n return x", 3, "", "x"),
    ("def f(x):\n while 1:\n  if c:\n   x = 1\n   continue\n  x = 2\n return 0", 3, "", ""),
    ("def f(x):\n try:\n  if c:\n   x = 1\n   return 0\n finally:\n  g(x)", 3, "x", "x"),
    ("def f(x):\n try:\n  x = g()\n except E:\n  return x", 3, "x", "x"),
    ("def f(x):\n with c:\n  x = g()\n return x", 3, "x", "x"),
    ("def f(x):\n try:\n  x = g()\n except E:\n  return 0\n return x", 3, "", "x"),
    ("def f(x):\n try:\n  raise x\n except E as e:\n  x = e\n return x", 5, "e", "x"),
    # Walrus and short circuits
    ("def f(x):\n if a and (x := g()):\n  return x\n return 0", 2, "", ""),
    ("def f(x):\n if a or (x := g()):\n  return x\n return 0", 2, "x", ""),
    ("def f(x):\n y = (x := g()) + x\n return y", 2, "", "y"),
    ("def f(x):\n match c:\n  case [x, 1]: return x\n  case _: return 0", 2, "", ""),
    ("def f(x):\n match c:\n  case [y, 1]: pass\n return y", 2, "y", "y"),
    ("def f(x):\n while True:\n  y = 1\n return x", 2, "", ""),
]


@pytest.mark.parametrize("source, line, before, after", CASES)
def test_live(source, line, before, after):
    sample = Sample(source)
    liveness, statement = sample.analyses.liveness, sample.line(line)
    assert liveness.live_in(statement) == set(before.split()) | paths(sample)
    assert liveness.live_out(statement) == set(after.split()) | paths(sample)


def paths(sample: Sample) -> set[str]:
    """Paths such as ``self.y`` are live everywhere."""
    everything = sample.analyses.scopes.activity(sample.node.body[0])
    return {symbol for symbol in everything.writes | everything.reads if not symbol.isidentifier()}


@pytest.mark.parametrize("source, expected", [
    ("def f(a):\n while a:\n  b = a\n  a = b\n return c", "a"),
    ("def f(a):\n c = 1\n while a:\n  b = a\n  a = b\n return c", "a c"),
    ("def f(a):\n for i in a:\n  s += i\n return 0", "s"),
    ("def f(a):\n for i in a:\n  pass\n return i", "i"),
    ("def f(a):\n for i in a:\n  if i:\n   break\n  t = i\n else:\n  return t", "t"),
])  # fmt: skip
def test_live_at_head(source, expected):
    sample = Sample(source)
    loop = sample.find((gast.While, gast.For))
    assert sample.analyses.liveness.live_at_head(loop) == set(expected.split())


def test_an_unknown_statement_is_refused():
    sample = Sample("def f(x):\n    return x")
    stranger = gast.parse("x = 1").body[0]
    with pytest.raises(LookupError, match=r"no Assign statement .* Analyses.changed\(\)"):
        sample.analyses.liveness.live_in(stranger)
