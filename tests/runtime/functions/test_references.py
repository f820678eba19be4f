"""References: what is done to a variable that may be one of several containers is done to that one.

Each cell of the matrix is a program: ``c`` is ``a`` or ``b``, is changed, and all three are read.
"""

import linecache

import pytest

import runtime as tf

CHANGES = {
    ("[1, 2, 3]", "[4, 5, 6, 7]"): [
        "c.append(n)", "c[0] = n", "c.pop()", "c.extend([n, n])", "c += [n]", "del c[0]",
        "c.sort(reverse=True)", "c.insert(1, n)", "c[n % 3] = 9", "c.clear()", "c[:] = [n]",
    ],
    ("{'x': 1}", "{'x': 2}"): [
        "c['x'] += n", "c['y'] = n", "c.update(z=n)", "c.pop('x')", "c.setdefault('q', n)",
        "c.clear()", "c |= {'w': n}",
    ],
    ("{1, 2, 3}", "{4, 5}"): ["c.add(n)", "c.discard(4)", "c.update([n, 9])", "c |= {n}"],
    ("Counter('aab')", "Counter('xyz')"): [
        "c['a'] += 1", "c.update('ab')", "c['q'] = n", "c.subtract('a')",
    ],
}  # fmt: skip
CELLS = [(*pair, change) for pair, changes in CHANGES.items() for change in changes]

CHOICE = """
def f(n):
    a, b = {a}, {b}
    c = a if n > 2 else b
    {change}
    return a, b, c
"""
PATHS = """
def f(n):
    a, b = {a}, {b}
    if n > 2:
        b = a
    c = b
    {change}
    return a, b, c
"""
LOOP = """
def f(n):
    a, b = {a}, {b}
    for i in range(n):
        c = a if i % 2 == 0 else b
        {change}
    return a, b
"""
PLACES = """
def f(n):
    a, b = {a}, {b}
    c = a
    for i in range(n):
        a, b = b, a
        c = a
    {change}
    return a, b, c
"""
FORMS = {"choice": CHOICE, "paths": PATHS, "loop": LOOP, "places": PLACES}


def program(text, name):
    """The function of a program, its source known to linecache."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace = {"__name__": "program"}
    exec("from collections import Counter\n", namespace)
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


def result(function, n):
    try:
        return function(n)
    except (IndexError, KeyError) as error:
        return type(error)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("a, b, change", CELLS)
def test_a_change_of_one_of_several(a, b, change, form):
    function = program(FORMS[form].format(a=a, b=b, change=change), f"<{form} {change} {a}>")
    staged = tf.jit(function, strict=True)
    for n in (1, 2, 3):
        assert result(staged, n) == result(function, n)


USES = [
    "return len(c), [x * 2 for x in c], 3 in c, c + [1], c[1:], sorted(c), sum(c), max(c)",
    "first, *others = c\n    return first, others, c.index(n), c.count(n), list(reversed(c))",
    "return [i * x for i, x in enumerate(c)], [x + y for x, y in zip(c, a)], list(map(str, c))",
    "box = [c]\n    box[0].append(7)\n    return a, b, box",
    "kept = {'k': c}\n    kept['k'].append(7)\n    return a, b, kept",
    "return c is a, c is b, c == a, c != b, isinstance(c, list), type(c) is list, id(c) == id(a)",
    "d = [0] if n > 3 else c\n    d.append(8)\n    a.append(1)\n    return a, b, c, d",
    "d = c if n > 3 else [0]\n    d.append(8)\n    a.append(1)\n    return a, b, c, d",
    "c = None if n > 3 else c\n    return a, b, c",
    "c = 3 if n > 3 else c\n    return a, b, c",
    "while len(c) > 2:\n        c.pop()\n    return a, b",
    "for i in range(n):\n        c.append(i)\n        c = a if i % 2 else b\n    return a, b, c",
    "try:\n        c.remove(5)\n    except ValueError:\n        c.append(-1)\n    return a, b, c",
    "def add():\n        c.append(1)\n    add()\n    return a, b, c",
    "c[0], c[1] = c[1], c[0]\n    return a, b, c",
    "return f'{c}', c.copy(), c[:], tuple(c), [*c, *a]",
]


@pytest.mark.parametrize("use", USES)
def test_a_use_of_one_of_several(use):
    text = CHOICE.format(a="[1, 2, 3]", b="[4, 5, 6, 7]", change="c.append(n)\n    " + use)
    function = program(text, f"<use {use}>")
    staged = tf.jit(function, strict=True)
    for n in (1, 2, 3, 5):
        assert staged(n) == function(n)


def levenshtein(a, b):
    before, now = list(range(len(b) + 1)), [0] * (len(b) + 1)
    for i in range(len(a)):
        now[0] = i + 1
        for j in range(len(b)):
            differs = 0 if a[i] == b[j] else 1
            now[j + 1] = min(before[j + 1] + 1, now[j] + 1, before[j] + differs)
        before, now = now, before
    return before[len(b)]


def test_lists_that_change_places():
    assert tf.jit(levenshtein, strict=True)([1, 2, 3, 4], [2, 3, 5]) == 2


def longer(a, b, n):
    if n == 0:
        return a if len(a) > len(b) else b
    return longer(b, a, n - 1)


def of_a_recursion(n):
    a, b = [1, 2], [3]
    c = longer(a, b, n)
    c.append(n)
    return a, b, c


def test_what_a_recursion_returns_is_one_of_its_arguments():
    staged = tf.jit(of_a_recursion, strict=True)
    for n in range(4):
        assert staged(n) == of_a_recursion(n)


@pytest.mark.parametrize("n", [1, 5])
def test_one_of_the_arguments_changes(n):
    def changed(xs, known, n):
        ys = xs if n > 3 else [0]
        ys.append(n)
        names = known if n > 3 else {"new": 1}
        names["n"] = n
        return ys is xs, len(names)

    plain, staged = ([1], {"a": 1}), ([1], {"a": 1})
    assert tf.jit(changed, strict=True)(*staged, n) == changed(*plain, n)
    assert staged == plain
