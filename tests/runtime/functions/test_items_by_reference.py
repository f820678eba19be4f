"""Items of lists of staged length that refer to one of several lists: given and copied by value."""

import copy
import linecache

import pytest

import runtime as tf
from autograph.errors import EffectError

IN_LISTS = {
    "returned": """
def f(n):
    s, t, q = [], [2], []
    if n > 1:
        s.append(n)
    r = s if n > 2 else t
    for i in range(n):
        q.append((r, i))
    return q
""",
    "returned_as_values": """
def f(n):
    s, t, q = [], [2.5], {}
    if n > 1:
        s.append(n)
    r = s if n > 2 else t
    for i in range(n):
        q[i] = r
    s.append(9)
    return q, r, s
""",
    "returned_beside_others": """
def f(n):
    r, w = [n], [n]
    if n > 2:
        r = sorted(set())
    return (r, w, []) if n > 3 else (n, 1)
""",
    "of_staged_length": """
def f(n):
    s, t, q = [], [], []
    if n > 1:
        s.append(n)
    if n > 3:
        t.append(n)
    r = s if n > 2 else t
    for i in range(n):
        q.append(r)
    return q
""",
    "in_dicts": """
def f(n):
    s, q = [], []
    if n > 1:
        s.append(n)
    for i in range(n):
        q.append({"a": s})
    return q
""",
    "copied": """
def f(n):
    s, t, q, u = [1], [n], [], ()
    r = s if n > 2 else t
    for i in range(n):
        q.append(r)
        u += (r,)
    p, v = copy.deepcopy(q), copy.deepcopy(u)
    s.append(7)
    return len(p[0]), len(v[0]), len(q[0]), len(u[0]), len(s)
""",
}


@pytest.mark.parametrize("name", IN_LISTS)
def test_items_that_refer_to_one_of_several_are_given_and_copied_by_what_they_hold(name):
    filename, text = f"<{name}>", IN_LISTS[name]
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    namespace = {"__name__": "program", "copy": copy}
    exec(compile(text, filename, "exec"), namespace)
    function = namespace["f"]
    staged = tf.jit(function, strict=True)
    for n in (1, 3, 5):
        assert repr(staged(n)) == repr(function(n))


class Node:
    """Object of the user's."""

    def __init__(self, value):
        self.value = value


def copied_with_objects(n):
    node, nodes = Node(1), []
    for _ in range(n):
        nodes.append(node)
    copies = copy.deepcopy(nodes)
    node.value = 7
    return copies[0].value


def test_a_deep_copy_of_a_list_of_objects_is_refused():
    staged = tf.jit(copied_with_objects, strict=True)
    with pytest.raises(EffectError, match="is copied with the objects in it"):
        staged(3)
