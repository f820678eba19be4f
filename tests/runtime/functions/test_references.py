"""References: what is done to a variable that may be one of several objects is done to that one.

Each cell of the matrix is a program: ``c`` is ``a`` or ``b``, is changed, and all three are read.
"""

import linecache

import numpy as np
import pytest

import runtime as tf
from autograph.errors import EffectError

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
    ("deque([1, 2])", "deque([3, 4, 5])"): [
        "c.append(n)", "c.appendleft(n)", "c.popleft()", "c[0] = n", "c.rotate(1)",
        "c.extend([n, 2])", "c.clear()",
    ],
    ("np.arange(3.0)", "np.arange(3.0) + 5"): [
        "c[0] = n", "c += 1", "c *= n", "c[:2] = 7", "c[n % 3] -= 1", "c[c > 1] = n",
        "c[1:] += n", "c[::-1].sort()",
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
    exec("from collections import Counter, deque\nimport numpy as np\n", namespace)
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


def result(function, n):
    try:
        return held_by(function(n))
    except (IndexError, KeyError) as error:
        return type(error)


def held_by(value):
    """A value of which the arrays can be compared by ``==``."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.tolist()
    return [*map(held_by, value)] if isinstance(value, list | tuple) else value


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


def rows_and_views(n):
    a, b = np.zeros((2, 3)), np.ones((2, 3))
    c = a if n > 2 else b
    c[1][2] = 7
    row = c[0]
    row += n
    d = c
    if n > 3:
        d = a
    d[0, 0] = -1
    return a, b, c, d


def places_in_nested_loops(n):
    u, v = np.arange(4.0), np.zeros(4)
    p, q = u, v
    for _ in range(n):
        for i in range(1, 3):
            v[i] = u[i - 1] + u[i + 1]
        u, v = v, u
    return u, v, p, q


def places_in_a_while(n):
    u, v = np.arange(4.0), np.zeros(4)
    t = 0
    while t < n:
        v[1:-1] = u[:-2] + u[2:]
        u, v = v, u
        t += 1
    return u, v


def one_that_a_path_made(n):
    a = np.arange(3.0)
    b = a
    if n > 1:
        b = a * 2
    b += 1
    b[b > 3] = 0
    return a, b, b.sum(), a + b


def exchanged_on_a_path(n):
    a, b = np.arange(3.0), np.arange(3.0) + 5
    if n > 2:
        a, b = b, a
    a[0] = n
    b[1] = -n
    return a, b


def in_a_list(n):
    a, b = np.arange(3.0), np.arange(3.0) + 5
    c = a if n > 2 else b
    d = [c, a]
    d[0][1] = n
    return a, b, d


def changed_on_paths(n):
    a, b = np.arange(3.0), np.arange(3.0) + 5
    c = a if n > 2 else b
    if n > 1:
        c[0] = n
    else:
        a[2] = 8
        c[1] += a[2]
    return a, b, c


def best_of_a_loop(n):
    best, now = np.zeros(3), np.arange(3.0)
    for i in range(n):
        now[i % 3] += i * 2
        if now.sum() > best.sum():
            best = now
    best[0] = -1
    return best, now


def bound_in_each_turn(n):
    best, now = np.zeros(3), np.arange(3.0)
    for _ in range(n):
        now[0] += 1
        if n > 0:
            best = now
    best[0] = -1
    return best, now


def copy_of_a_loop(n):
    best, now = np.zeros(3), np.arange(3.0)
    for i in range(n):
        now[i % 3] += i * 2
        if now.sum() > best.sum():
            best = now.copy()
    best[0] = -1
    return best, now


def in_an_attribute(n):
    class Holder:
        pass

    holder = Holder()
    holder.value = a = np.arange(3.0)
    c = a if n > 2 else np.zeros(3)
    holder.value = c
    c[1] = n
    holder.value[2] = n
    return a, c, holder.value


def on_paths_that_raise(n):
    a = np.arange(3.0)
    total, row = 0.0, a
    for i in range(n):
        row = a
        try:
            row = a * 2.0
            total += 1 // (i % 3)
            row = a
        except ZeroDivisionError:
            total += row[2]
        row[0] += 1
    return total, row, a


def identities(n):
    a, b = np.arange(3.0), np.arange(3.0)
    a[0] = b[0] = n
    c = a if n > 2 else b
    d = a if n > 2 else a + 1
    e = d
    return c is a, c is b, c is not a, a is b, a is a, d is a, e is d, d is c, a[1:] is a


@pytest.mark.parametrize("function", [
    identities, on_paths_that_raise, rows_and_views, places_in_nested_loops, places_in_a_while,
    one_that_a_path_made, exchanged_on_a_path, in_a_list, changed_on_paths, best_of_a_loop,
    bound_in_each_turn, copy_of_a_loop, in_an_attribute,
])  # fmt: skip
def test_one_of_several_arrays(function):
    staged = tf.jit(function, strict=True)
    for n in range(6):
        assert held_by(staged(n)) == held_by(function(n))


@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize("stage", [tf.function, tf.jit])
def test_one_of_the_arrays_of_the_caller_changes(stage, n):
    def changed(a, b, n):
        c = a if n > 2 else b
        c[0] = n
        return c.sum()

    plain, staged = (np.arange(3.0), np.ones(2 + 1)), (np.arange(3.0), np.ones(2 + 1))
    assert stage(changed)(*staged, n) == changed(*plain, n)
    assert held_by(staged) == held_by(plain)


def shared_by_two_names(n):
    class Holder:
        pass

    holder = Holder()
    holder.value, c = np.zeros(3), np.arange(3.0)
    if n > 2:
        c = c + n
        holder.value = c
    c[0] = 9
    return c, holder.value


def test_an_array_of_a_path_with_two_names_is_refused():
    staged = tf.jit(shared_by_two_names, strict=True)
    with pytest.raises(EffectError, match="shares its memory"):
        staged(3)
