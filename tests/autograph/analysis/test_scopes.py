"""Whose variable a name is, and what statements read and write."""

from __future__ import annotations

import sys

import gast
import pytest

from tests.autograph.analysis.trees import Sample

# source -> {attribute of FunctionScope: expected names}
VARIABLES = [
    ("def f(a, /, b, *c, d, **e): pass", {"bound": "a b c d e"}),
    ("def f():\n x = y", {"bound": "x", "free": "y"}),
    ("def f():\n x += 1", {"bound": "x", "free": ""}),
    ("def f():\n x: T", {"bound": "x", "free": "T"}),
    ("def f():\n x: T = y", {"bound": "x", "free": "T y"}),
    ("def f():\n (x): T", {"bound": "", "free": "T"}),
    ("def f():\n (x): T = y", {"bound": "x", "free": "T y"}),
    ("def f():\n x[0]: T = y", {"bound": "", "free": "T x y"}),
    ("def f():\n (a, *b), c.d = e", {"bound": "a b", "free": "c e"}),
    ("def f():\n import a.b, c as d\n from e import g as h, i", {"bound": "a d h i"}),
    ("def f():\n del x", {"bound": "x"}),
    ("def f():\n with a as b, c as (d, e): pass", {"bound": "b d e", "free": "a c"}),
    ("def f():\n for i, x[i] in y: pass", {"bound": "i", "free": "x y"}),
    ("def f():\n try: pass\n except E as e: pass", {"bound": "e", "free": "E"}),
    ("def f():\n class A(B): x = y; y = z", {"bound": "A", "free": "B z"}),
    ("def f():\n def g(x=y): return z", {"bound": "g", "free": "y z", "captured": ""}),
    ("def f():\n global x\n x = y", {"bound": "", "globals": "x", "free": "y"}),
    ("def f():\n nonlocal x\n x = y", {"bound": "", "nonlocals": "x", "free": "y"}),
    ("def f():\n (x := y)", {"bound": "x", "free": "y"}),
    ("def f():\n [x := i for i in y]", {"bound": "x", "free": "y"}),
    ("def f(y):\n any((x := i) for i in y)", {"bound": "x y", "captured": "x",
                                              "captured_writes": "x"}),
    ("def f():\n [i for i in i]", {"bound": "", "free": "i"}),
    ("def f():\n [j for i in a for j in i if k]", {"bound": "", "free": "a k"}),
    ("def f(x):\n [x for _ in a]", {"captured": ""}),
    ("def f(x):\n {x: x for _ in a}", {"captured": ""}),
    ("def f(x):\n (x for _ in a)", {"captured": "x", "captured_writes": ""}),
    ("def f(x):\n (0 for _ in x)", {"captured": ""}),
    ("def f(x):\n [lambda: (x, i) for i in a]", {"captured": "x", "free": "a"}),
    ("def f(x):\n lambda x: x", {"captured": ""}),
    ("def f(x):\n lambda y=x: y", {"captured": ""}),
    ("def f(x):\n class A:\n  y = x", {"captured": "x"}),
    ("def f(x):\n class A:\n  x = x", {"captured": ""}),
    ("def f(x):\n class A:\n  x = 1\n  def g(self): return x", {"captured": "x"}),
    ("def f(x):\n class A:\n  x = 1\n  y = [x for _ in z]", {"captured": "x"}),
    ("def f(x):\n def g():\n  global x\n  x = 1", {"captured": "", "captured_writes": ""}),
    ("def f():\n global x\n def g():\n  global x\n  x = 1", {"captured_writes": "x"}),
    ("def f(x):\n def g():\n  nonlocal x\n  x = 1", {"captured": "x", "captured_writes": "x"}),
    ("def f(x):\n def g():\n  nonlocal x\n  x", {"captured": "x", "captured_writes": ""}),
    ("def f(x):\n def g():\n  def h():\n   nonlocal x\n   x = 1", {"captured_writes": "x"}),
    ("def f(x):\n def g(x):\n  def h():\n   nonlocal x\n   x = 1", {"captured_writes": ""}),
    ("def f(x):\n class A:\n  nonlocal x\n  x = 1", {"captured": "x", "captured_writes": "x"}),
    ("def f():\n class A:\n  nonlocal x\n  x = 1", {"bound": "A", "free": "x",
                                                        "captured_writes": "x"}),
    ("def f():\n def g(): return super().g", {"free": "super __class__"}),
    ("def f():\n class A:\n  def g(self): super()", {"free": "super"}),
    ("def f():\n match x:\n  case [a, *b]: pass\n  case {'k': c, **d}: pass\n"
     "  case P.q | 1: pass\n  case C(e, z=g) as h: pass\n  case _: pass",
     {"bound": "a b c d e g h", "free": "x P C"}),
    ("lambda x: x + y", {"bound": "x", "free": "y"}),
]  # fmt: skip

# source of a statement -> what it reads, writes and deletes
ACTIVITY = [
    ("x = y", "y", "x", ""),
    ("x += y", "x y", "x", ""),
    ("x = y = z", "z", "x y", ""),
    ("self.x = 1", "self", "self.x", ""),
    ("self.x += 1", "self self.x", "self.x", ""),
    ("self.a.b = c.d", "self self.a c c.d", "self.a.b", ""),
    ("d['k'] = l[0]", "d l l[0]", "d['k']", ""),
    ("d[k] += l[-1]", "d k d[k] l l[-1]", "d[k]", ""),
    ("d[k].x['y'] = 1", "d k d[k] d[k].x", "d[k].x['y']", ""),
    ("d[i + 1] = d[a:b]", "d i a b", "", ""),
    ("f(x).y = 1", "f x", "", ""),
    ("f().y[i] = 1", "f i", "", ""),
    ("l.append(x)", "l l.append x", "", ""),
    ("del x, d['k'], s.y", "d s", "", "x d['k'] s.y"),
    ("x: T = y", "y", "x", ""),
    ("x: T", "", "", ""),
    ("x.y: T", "x", "", ""),
    ("import a.b", "", "a", ""),
    ("[i.a for i in x if i.b > y.c]", "x y y.c", "", ""),
    ("[d[i] for i in x]", "x d", "", ""),
    ("[(z := i) for i in x]", "x", "z", ""),
    ("f = lambda a: a + x.y", "x", "f", ""),
    ("def g(a=b): return a + x", "b x", "g", ""),
    ("if a:\n x = 1\nelse:\n del y", "a", "x", "y"),
    ("while a < b:\n a += 1\nelse:\n c = 0", "a b", "a c", ""),
    ("for i in x:\n s += i", "x s i", "i s", ""),
    ("with a.b as c, d:\n e", "a a.b d e", "c", ""),
    ("try:\n a\nexcept E as e:\n b = e\nelse:\n c\nfinally:\n d", "a E e c d", "e b", "e"),
    ("match a.b:\n case {'k': x} if x > y:\n  z = x", "a a.b x y", "x z", ""),
    ("class A(B):\n x = y", "B y", "A", ""),
    ("return x", "x", "", ""),
    ("f'{x:{y}}'", "x y", "", ""),
    ("f(*a, **b)", "f a b", "", ""),
    ("{**a, b: c}", "a b c", "", ""),
]

SUSPENDS = [
    ("yield x", True),
    ("if x:\n y = yield from z", True),
    ("lambda: (yield)", False),
    ("def g(): yield", False),
    ("def g(a=(yield)): pass", True),
    ("for x in (yield): pass", True),
    ("async for x in y: pass", True),
    ("async with x: pass", True),
    ("[x async for x in y]", True),
    ("(x async for x in y)", False),
    ("while await x: pass", True),
    ("async def g(): await x", False),
]


@pytest.mark.parametrize("source, expected", VARIABLES)
def test_variables(source, expected):
    scopes = Sample(source).analyses.scopes
    found = {name: getattr(scopes, name) for name in expected}
    assert found == {name: set(names.split()) for name, names in expected.items()}


def test_parameters_in_order():
    assert Sample("def f(a, /, b, *c, d, **e): pass").analyses.scopes.params == (
        "a", "b", "c", "d", "e",
    )  # fmt: skip


@pytest.mark.parametrize("source, reads, writes, deletes", ACTIVITY)
def test_activity(source, reads, writes, deletes):
    sample = Sample("def f():\n" + "\n".join("    " + line for line in source.splitlines()))
    activity = sample.analyses.scopes.activity(sample.node.body[0])
    assert activity.reads == set(reads.split())
    assert activity.writes == set(writes.split())
    assert activity.deletes == set(deletes.split())


@pytest.mark.parametrize("source, calls", [
    ("f(x)", True), ("x + y", False), ("lambda: f()", False), ("[f() for f in x]", True),
    ("if x:\n f()", True), ("@d\ndef g(): pass", True), ("def g(): f()", False),
    ("class A: pass", True),
])  # fmt: skip
def test_calls(source, calls):
    sample = Sample("def f():\n" + "\n".join("    " + line for line in source.splitlines()))
    assert sample.analyses.scopes.activity(sample.node.body[0]).calls is calls


@pytest.mark.parametrize("source, expected", SUSPENDS)
def test_suspends(source, expected):
    lines = "\n".join("    " + line for line in source.splitlines())
    sample = Sample("async def f():\n" + lines)
    assert sample.analyses.scopes.suspends(sample.node.body[0]) is expected


@pytest.mark.parametrize("source, expected", [
    ("eval('x')", True), ("if x:\n  y = [eval(i) for i in x]", True), ("x.eval('x')", False),
    ("eval", False), ("lambda: eval('x')", False), ("def g(): eval('x')", False),
    ("[eval(1) for eval in x]", False), ("print(eval('x'))", True),
])  # fmt: skip
def test_calls_by_name(source, expected):
    sample = Sample("def f():\n" + "\n".join("    " + line for line in source.splitlines()))
    scopes = sample.analyses.scopes
    assert scopes.has_call_to(sample.node.body[0], ("exec", "eval")) is expected
    assert not scopes.has_call_to(sample.node.body[0], ("exec", "locals"))


def test_activity_of_an_expression_and_of_new_code():
    sample = Sample("def f(x, y):\n    while x < g(y):\n        x += 1")
    scopes = sample.analyses.scopes
    call = sample.find(gast.Call)
    assert scopes.activity(call).reads == {"g", "y"}
    new = gast.parse("if new:\n    x = old").body[0]
    assert scopes.activity(new).reads == {"new", "old"}
    assert scopes.activity(new).writes == {"x"}
    assert scopes.bound == {"x", "y"}


def test_answers_are_about_the_tree_as_it_was():
    sample = Sample("def f(x):\n    if x:\n        y = 1")
    conditional = sample.node.body[0]
    scopes = sample.analyses.scopes
    conditional.body = [gast.Pass()]
    assert scopes.activity(conditional).writes == {"y"}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters came with Python 3.12")
def test_type_parameters():
    sample = Sample("def f(x):\n    def g[T: x](a: T, b: S) -> T: return y\n    type A[V] = V | x")
    scopes = sample.analyses.scopes
    assert scopes.bound == {"x", "g", "A"}
    assert scopes.free == {"S", "y"}
    assert scopes.captured == {"x"}
