"""What may be undefined when it is read, and which assignments arrive, on small functions."""

from __future__ import annotations

import gast
import pytest

from tests.autograph.analysis.trees import Sample

# source -> reads that may come too early, as name:line
UNDEFINED = [
    ("def f(x):\n return x", ""),
    ("def f():\n return x", ""),
    ("def f():\n y = x\n x = 1", "x:2"),
    ("def f(c):\n if c:\n  x = 1\n return x", "x:4"),
    ("def f(c):\n if c:\n  x = 1\n else:\n  x = 2\n return x", ""),
    ("def f(c):\n if c:\n  x = 1\n elif d:\n  return\n else:\n  raise E\n return x", ""),
    ("def f(c):\n while c:\n  x = 1\n return x", "x:4"),
    ("def f(c):\n while True:\n  x = 1\n  if c: break\n return x", ""),
    ("def f(c):\n while True:\n  if c: break\n  x = 1\n return x", "x:5"),
    ("def f(c):\n while c:\n  x = 1\n else:\n  x = 2\n return x", ""),
    ("def f(c):\n for i in c:\n  pass\n return i", "i:4"),
    ("def f(c):\n for i in c:\n  print(i, x)\n  x = i", "x:3"),
    ("def f(c):\n for i in c:\n  x = i\n  break\n else:\n  x = 1\n return x", ""),
    ("def f(x):\n del x\n return x", "x:3"),
    ("def f(x, c):\n if c:\n  del x\n return x", "x:4"),
    ("def f(x):\n x: int\n y: int\n return x, y", "y:4"),
    ("def f():\n try:\n  x = 1\n except E:\n  pass\n return x", "x:6"),
    ("def f():\n try:\n  x = 1\n except E:\n  return\n return x", ""),
    ("def f():\n try:\n  x = 1\n finally:\n  print(x)\n return x", "x:5"),
    ("def f():\n try:\n  g()\n except E as e:\n  pass\n else:\n  e = 1\n return e", "e:8"),
    ("def f(e):\n try:\n  g()\n except E as e:\n  print(e)\n return e", "e:6"),
    ("def f(e):\n try:\n  g()\n except E as e:\n  return\n return e", ""),
    ("def f():\n while True:\n  try:\n   x = g()\n   break\n  except E: pass\n return x", ""),
    ("def f():\n while True:\n  try:\n   x = g()\n   break\n  finally: h()\n return x", ""),
    ("def f():\n with c:\n  x = 1\n return x", "x:4"),
    ("def f():\n with c as x:\n  pass\n return x", ""),
    ("def f():\n with a, b as x:\n  pass\n return x", "x:4"),
    ("def f():\n with a as (x, y):\n  pass\n return x", "x:4"),
    ("def f(c):\n match c:\n  case 1: x = 1\n return x", "x:4"),
    ("def f(c):\n match c:\n  case 1: x = 1\n  case _: x = 2\n return x", ""),
    ("def f(c):\n match c:\n  case x: pass\n return x", ""),
    ("def f(c):\n match c:\n  case x if x > 1: pass\n return x", ""),
    ("def f(c):\n match c:\n  case [x] if x: pass\n return x", "x:4"),
    ("def f(c):\n if c and (x := c):\n  return x\n return x", "x:4"),
    ("def f(c):\n if not (c and (x := c)):\n  return x\n return x", "x:3"),
    ("def f(c):\n return (x := c) + x", ""),
    ("def f(c):\n return (c and (x := c)) + x", "x:2"),
    ("def f(c):\n return ((x := 1) if c else (x := 2)) + x", ""),
    ("def f(c):\n assert (x := c)\n return x", "x:3"),
    ("def f(c):\n [x for _ in c]\n x = 1", "x:2"),
    ("def f(c):\n [x for x in c]\n x = 1", ""),
    ("def f(c):\n (x for _ in c)\n x = 1", ""),
    ("def f(c):\n [(x := i) for i in c]\n return x", "x:3"),
    ("def f(c):\n g = lambda: x\n x = 1", ""),
    ("def f(c):\n def g(y=x): pass\n x = 1", "x:2"),
    ("def f(c):\n def g():\n  nonlocal x\n  del x\n x = 1\n g()\n return x", "x:7"),
    ("def f(c):\n try:\n  a = 1\n except* E: \n  b = 1\n except* F:\n  print(b)\n return b",
     "b:7 b:8"),
    ("def f(c):\n return 1\n return x\n x = 1", ""),
    ("def f(c):\n try:\n  for i in c:\n   return i\n finally:\n  print(i)", "i:6"),
    ("def f():\n global x\n return x", ""),
    ("lambda c: [x := c, x]", ""),
    ("async def f(c):\n async for i in c:\n  pass\n return i", "i:4"),
]  # fmt: skip


@pytest.mark.parametrize("source, expected", UNDEFINED)
def test_undefined_reads(source, expected):
    reaching = Sample(source).analyses.reaching
    reads = reaching.undefined_reads()
    assert [f"{node.id}:{node.lineno}" for node in reads] == expected.split()
    assert all(reaching.may_be_undefined(node, node.id) for node in reads)


def test_a_staged_loop_that_a_break_ends_leaves_variables_open():
    sample = Sample("def f(c):\n while True:\n  if c:\n   x = 1\n   break\n x += 1\n return x")
    reaching = sample.analyses.reaching
    assert reaching.undefined_reads() == []
    assert reaching.may_be_undefined(sample.line(6), "x")
    assert reaching.left_open(sample.line(2)) == {"x"}


def test_may_be_undefined_at_a_statement():
    sample = Sample("def f(c):\n if c:\n  x = 1\n x += 1\n return x")
    reaching = sample.analyses.reaching
    assert reaching.may_be_undefined(sample.line(4), "x")
    assert not reaching.may_be_undefined(sample.line(5), "x")
    assert not reaching.may_be_undefined(sample.line(4), "c")
    assert not reaching.may_be_undefined(sample.line(4), "elsewhere")


def test_may_be_undefined_at_a_name():
    sample = Sample("def f(c):\n if c:\n  x = 1\n return x + (x := 1) + x")
    reaching = sample.analyses.reaching
    early, _, late = (sample.find(gast.Name, number) for number in (3, 4, 5))
    assert (early.id, late.id) == ("x", "x")
    assert reaching.may_be_undefined(early, "x")
    assert not reaching.may_be_undefined(late, "x")


def test_a_name_of_an_inner_function_is_refused():
    sample = Sample("def f(x):\n return lambda: x")
    with pytest.raises(LookupError, match="'x' .* not read by the function itself"):
        sample.analyses.reaching.may_be_undefined(sample.find(gast.Name, 1), "x")


# source, line, name, lines of the definitions that arrive there
DEFINITIONS = [
    ("def f(x):\n return x", 2, "x", [1]),
    ("def f(x):\n x = 1\n return x", 3, "x", [2]),
    ("def f(x):\n if x:\n  x = 1\n return x", 4, "x", [1, 3]),
    ("def f(x):\n while x:\n  x = 1\n return x", 3, "x", [1, 3]),
    ("def f(x):\n for x in x:\n  pass\n return x", 4, "x", [1, 2]),
    ("def f(x):\n try:\n  x = 1\n  x = 2\n except E as e:\n  return x", 6, "x", [1, 3, 4]),
    ("def f(x):\n try:\n  x = 1\n except E as e:\n  return e", 5, "e", [4]),
    ("def f(x):\n x = 1\n del x\n return x", 4, "x", []),
    ("def f(x):\n while 1:\n  if x: y = 1\n  else: y = 2; break\n return y", 5, "y", [4]),
]


@pytest.mark.parametrize("source, line, name, expected", DEFINITIONS)
def test_definitions(source, line, name, expected):
    sample = Sample(source)
    found = sample.analyses.reaching.definitions(sample.line(line), name)
    assert sorted(node.lineno for node in found) == expected
