"""Dicts and sets under staged keys: under ``runtime.jit`` as in plain Python, on every call."""

from __future__ import annotations

from collections import Counter, defaultdict
from copy import deepcopy
from typing import Any

import pytest

import runtime
from autograph.errors import RunTimeLimit


def cycle(n):
    seen = set()
    while n not in seen:
        seen.add(n)
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    return len(seen), n


def test_keys_of_a_tensor_range_come_out_as_numbers():
    def squares(n):
        return {i: i * i for i in range(n)}, {(i, i % 2): i for i in range(n)}

    staged = runtime.function(squares)(runtime.constant(3))
    expected = squares(runtime.constant(3))
    assert [list(one) for one in staged] == [list(one) for one in expected]
    assert {type(key) for key in staged[0]} == {int}


def all_different(items):
    return len(set(items)) == len(items)


def counted_by_get(text):
    counts = {}
    for letter in text:
        counts[letter] = counts.get(letter, 0) + 1
    return counts


def first_repeated(text):
    counts = {}
    for letter in text:
        if letter in counts:
            counts[letter] += 1
        else:
            counts[letter] = 1
    for letter, number in counts.items():
        if number > 1:
            return letter
    return None


def counter(items):
    return Counter(items)


def counter_methods(items):
    counts = Counter(items)
    counts.update([1, 1, 7])
    counts.subtract(items)
    del counts[12345]
    return counts.most_common(2), counts[99], counts.total(), len(counts)


def by_default(items):
    counts = defaultdict(int)
    for item in items:
        counts[item] += 1
    return sorted(counts), max(counts.values()), counts


def inverted(items, key):
    places = {item: place for place, item in enumerate(items)}
    return places[key]


def algebra(first, second):
    one, other = set(first), {item for item in second if item > 0}
    return (
        sorted(one | other), sorted(one & other), sorted(one - other), sorted(one ^ other),
        one <= other, one < other, one >= other, one == other, one != other,
        one.isdisjoint(other), one.issubset(second), one.issuperset(second),
        sorted(one.union(second, [100])), sorted(one.intersection(second)),
    )  # fmt: skip


def changed_sets(first, second):
    one = set(first)
    one |= set(second)
    one -= {1}
    one.update(second, [50])
    one.intersection_update([*first, 50])
    return one, len(one)


def memo(n):
    known = {}
    total = 0
    for i in range(n):
        key = i % 3
        if key in known:
            total += known[key]
        else:
            known[key] = i * i
    return total, known


def dict_methods(items):
    found = {}
    for item in items:
        found.setdefault(item, 10)
    taken = found.pop(items[0]), found.pop(12345, -1)
    del found[items[1]]
    other = found.copy()
    other.update({items[0]: 3})
    return taken, list(found), list(other.items()), list(found.values()), found | other


def last_in_first_out(items):
    found = {item: item * 2 for item in items}
    taken = []
    while found:
        taken.append(found.popitem())
    return taken


def removed(items, key):
    found = {item for item in items if item > 1}
    found.discard(key)
    found.remove(key)
    return found


def pairs(n, m):
    seen = {(n, m)}
    seen.add((n, m))
    return (n, m) in seen, (m, n) in seen, len(seen), seen


def some_keys_known(text):
    found = {"a": 1, "b": 2}
    total = 0
    for letter in text:
        total += found[letter]
    found[text] = 5
    return total, found


def one_path(x):
    found = {}
    if x > 0:
        found["positive"] = x
    else:
        found["other"] = x
    found["end"] = 0
    return found


def grows_while_gone_through(items):
    found = {item: item for item in items}
    for key in found:
        if key == 3:
            found[100] = 1
    return found


def changed_values(items):
    found = {item: 0 for item in items}
    for key in found:
        found[key] += key
    for key, value in found.items():
        found[key] = value * 2
    return found


def printed(text):
    lengths = {}
    for word in text.split():
        lengths[word] = len(word)
    print(lengths, f"{lengths}")
    return {length: word for word, length in lengths.items()}


def without_repeats(items):
    seen, found = set(), []
    for item in items:
        if item in seen:
            continue
        seen.add(item)
        found.append(item)
    return found


def equal_dicts(first, second):
    one, other = Counter(first), Counter(second)
    mine, its = {}, {}
    for item in first:
        mine[item] = 1
    for item in second:
        its[item] = 1
    return one == other, mine == its, mine != its


def gone_through(items):
    total, last = 0, None
    for item in set(items):
        total = total * 3 + item
        last = item
    return total, last, list(set(items)), sum(set(items)), max(set(items))


def other_classes(n):
    seen = set()
    seen.add(n)
    return "a" in seen, None in seen, (n,) in seen, float(n) in seen


def argument(found, key):
    found[key] = found.get(key, 0) + 1
    return len(found)


def unhashable(n):
    seen = set()
    seen.add(n)
    return [n] in seen


def of_tuple_keys(n, m):
    found = {(1, 2): "a", (3, 4): "b"}
    return found[n, m], (n, m) in found


def factory_of_a_function(items):
    def start():
        return 5

    found = defaultdict(start)
    for item in items:
        found[item] += item
    return dict(found)


def lists_by_key(words):
    by_length, others, again = defaultdict(list), {}, {}
    for word in words:
        by_length[len(word)].append(word)
        others.setdefault(len(word), []).append(word)
        if word not in again:
            again[word] = []
        again[word] += [len(word), 1]
        again[word].pop()
    return dict(by_length), others, again, sorted(by_length[1]), by_length[99]


def graph(edges, start):
    neighbours = defaultdict(list)
    for left, right in edges:
        neighbours[left].append(right)
        neighbours[right].append(left)
    seen, waiting, order = {start}, [start], []
    while waiting:
        node = waiting.pop(0)
        order.append(node)
        for other in neighbours[node]:
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return order


def sums(n):
    found = {1, 2}
    found.add(7)
    return found if n > 0 else {3}, found


CASES: list[tuple[Any, list[Any]]] = [
    (cycle, [(27,), (1,)]),
    (all_different, [([1, 2, 3],), ([1, 2, 1],), (["a", "b"],), ([],)]),
    (counted_by_get, [("hello",), ("",)]),
    (first_repeated, [("abcb",), ("abc",)]),
    (counter, [([1, 2, 1],), ("abca",), (["a", "b", "a"],)]),
    (counter_methods, [([1, 1, 2, 3, 3, 3],)]),
    (by_default, [([3, 1, 3],)]),
    (inverted, [([5, 6], 6), ([5, 6], 7)]),
    (algebra, [([1, 2, 3], [2, 3, 4]), ([1, 2], [1, 2]), ([2], [1, 2])]),
    (changed_sets, [([1, 2, 3], [2, 3, 4])]),
    (memo, [(0,), (7,)]),
    (dict_methods, [([4, 5, 6, 4],), ([4, 4],)]),
    (last_in_first_out, [([1, 2, 3],)]),
    (removed, [([1, 2, 3], 2), ([1, 2, 3], 5)]),
    (pairs, [(1, 2), (2, 2)]),
    (some_keys_known, [("abba",), ("abc",)]),
    (one_path, [(3,), (-3,)]),
    (grows_while_gone_through, [([1, 2],), ([1, 3],)]),
    (changed_values, [([1, 2, 3],)]),
    (printed, [("a bc def",)]),
    (without_repeats, [([1, 2, 1, 3, 2],)]),
    (equal_dicts, [([1, 2], [2, 1]), ([1, 1], [1]), ([1], [2])]),
    (gone_through, [([40, 3, 17, 9, 3, 1000],)]),
    (other_classes, [(3,)]),
    (argument, [({"a": 1, "b": 2}, "a"), ({"a": 1, "b": 2}, "c")]),
    (unhashable, [(3,)]),
    (of_tuple_keys, [(1, 2), (1, 3)]),
    (factory_of_a_function, [([1, 2, 1],)]),
    (lists_by_key, [(["a", "bb", "a", "c"],)]),
    (graph, [([(1, 2), (2, 3), (4, 1), (3, 1)], 1)]),
    (sums, [(1,), (-1,)]),
]


def outcome(function: Any, args: Any) -> Any:
    """What a call returns or raises, and what it makes of its arguments."""
    given = deepcopy(args)
    try:
        value = function(*given)
    except Exception as error:
        return type(error), error.args, given
    return value, type(value), repr(value), given


@pytest.mark.parametrize(
    ("function", "inputs"), CASES, ids=[function.__name__ for function, _ in CASES]
)
def test_as_in_python(function, inputs, capsys):
    staged = runtime.jit(function)
    for _ in range(3):
        for args in inputs:
            expected = outcome(function, args)
            text = capsys.readouterr().out
            assert outcome(staged, args) == expected
            assert capsys.readouterr().out in (text, "")


def test_one_trace_for_all_values():
    staged = runtime.jit(cycle)
    assert [staged(n) for n in (27, 5, 1)] == [cycle(n) for n in (27, 5, 1)]
    assert staged.experimental_get_tracing_count() == 1


def counted_by_tensor(x):
    found = defaultdict(int, {1: 5})
    found[x] += 1
    return found[x]


def test_a_default_for_a_tensor_that_is_no_key_is_refused_with_the_line():
    staged = runtime.function(counted_by_tensor)
    assert staged(runtime.constant(1)).numpy() == 6
    for _ in range(2):
        with pytest.raises(RunTimeLimit, match="numpy=2> would be a new key of a dict") as caught:
            staged(runtime.constant(2))
        assert __file__ in "".join(caught.value.__notes__)
