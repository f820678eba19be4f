"""Dicts, sets and counters in dicts of staged keys, and what changes of copies are refused."""

from collections import Counter, defaultdict

import pytest

import runtime as tf
from autograph.errors import EffectError


def set_in_a_defaultdict(n):
    groups = defaultdict(set)
    for i in range(n):
        groups[i % 2].add(i)
    return len(groups), groups[0]


def dict_in_a_defaultdict(n):
    rows = defaultdict(dict)
    for i in range(n):
        rows[i % 2][i] = i * i
    return len(rows[0]), rows


def counter_in_a_defaultdict(n):
    counts = defaultdict(Counter)
    for i in range(n):
        counts[i % 2][i % 3] += 1
    return counts[0].most_common(1)


def defaultdicts(n):
    table = defaultdict(lambda: defaultdict(int))
    for i in range(n):
        table[i % 2][i] += 1
    return table[0][0]


def set_on_demand(n):
    groups = {}
    for i in range(n):
        if i not in groups:
            groups[i] = set()
        groups[i].add(4)
    return groups


def graph(n):
    g = {}
    for u in range(n):
        g[u] = {}
        for v in range(n):
            g[u][v] = u * v
    total = 0
    for u in g:
        for v in g[u]:
            total += g[u][v]
        for v, w in g[u].items():
            total += v * w
    return total, len(g), g


def setdefaults(n):
    g = {}
    for i in range(n):
        for j in range(2):
            g.setdefault(i, {}).setdefault(j, []).append(i * j)
    return g


def undirected(n):
    g = defaultdict(set)
    for a, b in [(0, 1), (1, 2), (0, 2)]:
        g[a + n].add(b + n)
        g[b + n].add(a + n)
    return [sorted(g[u]) for u in sorted(g)]


def records(n):
    table = {}
    for i in range(n):
        table[i] = {"w": i, "seen": False}
    for i in range(n):
        table[i]["seen"] = True
    total = 0
    for _, row in table.items():
        if row["seen"]:
            total += row["w"]
    return total


def union(n):
    g = {}
    for i in range(n):
        g[i % 2] = g.get(i % 2, set()) | {i}
    return g


def dicts_in_a_list(n):
    rows = []
    for i in range(n):
        rows.append({"i": i})
    return rows


def unpacked(n):
    d = {}
    for i in range(n):
        d[i] = i
    return {**d, 1: 10, n + 5: 2, **{"a": 1}.fromkeys([7], 3)}


def changed_through_a_variable(n):
    g = {}
    g[n] = {1}
    s = g[n]
    s.add(5)
    return len(g[n]), len(s)


def objects_in_a_list(n):
    nodes = []
    for i in range(n):
        node = Node(i)
        nodes.append(node)
        node.value += 1
    total = 0
    for node in nodes:
        total += node.value
    while nodes:
        total += nodes.pop().value
    return total


def set_of_several(n):
    groups = {0: set(), 1: set()}
    groups[n % 2].add(4)
    return len(groups[0])


def set_in_a_list(n):
    groups = []
    for _ in range(n):
        groups.append(set())
    groups[0].add(1)
    return len(groups[0])


def lists_in_dicts_in_a_list(n):
    rows = []
    for i in range(n + 1):
        rows.append({"i": i, "more": [i]})
    rows[0]["more"].append(5)
    for row in rows:
        row["more"].append(len(row["more"]))
        row["i"] += 1
    last = rows[n]
    last["more"].append(6)
    last["i"] += 1
    return rows, last


def dicts_in_dicts_in_a_list(n):
    rows = []
    for i in range(n + 1):
        rows.append({"inner": {"x": i}})
    rows[n // 2]["inner"]["x"] = 5
    row = rows[n]
    row["inner"]["x"] += 1
    return rows, row["inner"]["x"]


def lists_of_staged_keys_in_a_list(n):
    rows = []
    for i in range(n + 1):
        rows.append({i: [i]})
    rows[n][n].append(5)
    return rows


def popped_and_changed(n):
    g = {}
    for i in range(n):
        g[i] = [i]
    items = g.pop(0)
    items.append(5)
    return items, len(g)


def moved_and_changed(n):
    g = {}
    g[n] = [1]
    g[n + 1] = g.pop(n)
    g[n + 1].append(5)
    return sorted(g.items())


def part_of_one_of_several(n):
    records, rows = [{"r": [1], "x": 1}, {"r": [2], "x": 2}], [[[1]], [[2]]]
    records[n % 2]["r"].append(3)
    records[n % 2]["x"] = n
    rows[n % 2][0].append(4)
    return records, rows


class Node:
    def __init__(self, value):
        self.value = value
        self.parts = [value]


@pytest.mark.parametrize(
    "function",
    [set_in_a_defaultdict, dict_in_a_defaultdict, counter_in_a_defaultdict, defaultdicts,
     set_on_demand, graph, setdefaults, undirected, records, union, dicts_in_a_list,
     unpacked, changed_through_a_variable, objects_in_a_list, set_of_several, set_in_a_list,
     lists_in_dicts_in_a_list, dicts_in_dicts_in_a_list, lists_of_staged_keys_in_a_list,
     popped_and_changed, moved_and_changed, part_of_one_of_several],
)  # fmt: skip
def test_as_python(function):
    traced = tf.jit(function)
    for n in (3, 1, 6, 3):
        found, expected = traced(n), function(n)
        assert found == expected
        assert repr(type(found)) == repr(type(expected))


def put_and_changed(n):
    inner, g = {}, {}
    g[n] = inner
    inner[1] = 4
    return len(g[n])


def put_and_read(n):
    inner, g = {}, {}
    g[n] = inner
    g[n][1] = 4
    return len(inner)


def taken_twice(n):
    g = {}
    g[n] = {1}
    one, other = g[n], g[n]
    one.add(5)
    return len(other)


def list_in_a_dict_that_was_put(n):
    row, g = [1], {}
    g[n] = {"r": row}
    row.append(5)
    return g[n]["r"]


def list_in_a_dict_of_a_dict(n):
    row, g = [1], {}
    g[n] = {"r": row}
    g[n]["r"].append(5)
    return len(row)


def changed_default(n):
    g, row = {}, [7]
    for i in range(n):
        g[i] = [i]
    items = g.get(1, row)
    row.append(5)
    return items


def part_that_was_moved(n):
    rows = [{"a": [1], "b": [2]} for _ in range(n)]
    row = rows[0]
    part = row["a"]
    row["a"] = [7]
    part.append(5)
    return rows


def set_appended(n):
    seen, groups = set(), []
    for _ in range(n):
        groups.append(seen)
    seen.add(1)
    return len(groups[0])


def object_in_a_list(n):
    nodes = []
    for i in range(n):
        nodes.append(Node(i))
    nodes[0].value = 9
    return nodes[0].value


def list_in_an_object(n):
    nodes = []
    for i in range(n):
        nodes.append(Node(i))
    nodes[0].parts.append(9)
    return len(nodes[0].parts)


def object_appended(n):
    kept, nodes = Node(5), []
    for i in range(n):
        nodes.append(Node(i))
    nodes.append(kept)
    first = nodes[0].value
    kept.value = 8
    return nodes[n].value + first


def one_of_two_objects(n):
    nodes = [Node(n), Node(n + 1)]
    nodes[n % 2].value += 5
    return nodes[0].value


@pytest.mark.parametrize(
    "function, text",
    [
        (put_and_changed, "a dict is changed although it was put into a list or dict"),
        (put_and_read, "this dict may be the same object as another dict that was changed"),
        (taken_twice, "this set may be the same object as another set that was changed"),
        (list_in_a_dict_that_was_put, "a list is changed although it was put into a list or dict"),
        (list_in_a_dict_of_a_dict, "this list may be the same object as another list"),
        (changed_default, "this list may be the same object as another list"),
        (part_that_was_moved, "a list that was taken out of a dict is changed after"),
        (set_appended, "a set is changed although it was put into a list or dict"),
        (object_in_a_list, "'value' of an object of type Node changes, which a staged value chose"),
        (list_in_an_object, "a list that a staged value chose from several is changed"),
        (object_appended, "'value' of an object of type Node changes, which was put into a list"),
        (one_of_two_objects, "'value' of an object of type Node changes, which a staged value"),
    ],
)
def test_changes_of_copies_are_refused(function, text):
    with pytest.raises(EffectError, match=text) as caught:
        tf.jit(function)(3)
    assert caught.value.where[0] == __file__
    assert "__setattr__" not in vars(Node)
    assert Node(1).value == 1
