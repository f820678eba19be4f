"""Dicts and sets in native code: results, order, errors, and that no loop calls Python."""

import random
from collections import Counter, defaultdict

import pytest

import runtime
from tests.runtime.engine.llvm.native_programs import check_native, outcome, plain

pytest.importorskip("llvmlite")


def two_sum(numbers, goal):
    seen = {}
    for i in range(len(numbers)):
        other = goal - numbers[i]
        if other in seen:
            return seen[other], i
        seen[numbers[i]] = i
    return -1, -1


def counts(numbers, least):
    found = Counter()
    lengths = defaultdict(int)
    for x in numbers:
        found[x] += 1
        lengths[x % 10] += 1
    total = 0
    for x, count in found.items():
        if count >= least:
            total += x * count + lengths[x % 10]
    return total, len(found), list(lengths), list(lengths.values())


def collatz_lengths(most):
    known = {1: 0}
    best = 0
    for start in range(1, most):
        n = start
        steps = 0
        while n not in known:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        known[start] = steps + known[n]
        best = max(best, known[start])
    return best, len(known)


def reached(starts, ends, source):
    seen = {source}
    todo = [source]
    while todo:
        u = todo.pop()
        for e in range(starts[u], starts[u + 1]):
            if ends[e] not in seen:
                seen.add(ends[e])
                todo.append(ends[e])
    return len(seen)


def life(xs, ys):
    """Count the neighbours of cells: keys are pairs."""
    near = {}
    for i in range(len(xs)):
        for dx in range(-1, 2):
            for dy in range(-1, 2):
                near[xs[i] + dx, ys[i] + dy] = near.get((xs[i] + dx, ys[i] + dy), 0) + 1
    total = 0
    for place, count in near.items():
        total = (total * 31 + place[0] * 7 + place[1] + count) % 1000003
    return total, len(near)


def changes(codes, keys):
    """Change a dict as the codes say; return all that was seen."""
    held = {}
    out = []
    for i in range(len(codes)):
        code = codes[i]
        key = keys[i]
        if code < 4:
            held[key] = i
        elif code < 6:
            out.append(held.pop(key, -1))
        elif code == 6:
            out.append(held.setdefault(key, i))
        elif code == 7 and len(held) > 0:
            last, value = held.popitem()
            out.append(value)
            out.append(1 if last in held else 0)
        elif code == 8:
            other = held.copy()
            other[key] = -5
            out.append(len(other) - len(held))
            if i % 2:
                held.update(other)
        elif code == 9:
            for one in held:
                held[one] += 1
        elif code == 10:
            del held[key]
    return out, list(held), list(held.values())


def members(codes, keys):
    seen = set()
    out = []
    for i in range(len(codes)):
        if codes[i] < 6:
            seen.add(keys[i])
        elif codes[i] < 9:
            seen.discard(keys[i])
        elif codes[i] == 9:
            out.append(keys[i] in seen)
        else:
            seen.remove(keys[i])
    total = 0
    for key in seen:
        total += 1 if key in seen else 100
    return out, total, len(seen), len(seen | {keys[0]}), seen >= {keys[0]}


SQUARES = {k * k: k for k in range(100)}


def roots(numbers):
    total = 0
    for x in numbers:
        total += SQUARES.get(x, -1)
    return total


def combined(left, right):
    one = set()
    for x in left:
        one.add(x)
    other = set(right)
    total = 0.0
    for x in one:
        total = total * 0.5 + x
    parts = list(one | other), list(one & other), list(one - other), list(other & one)
    return total, parts, one <= other, one == other, one.isdisjoint(other), len(one ^ other)


GRAPH = [0, 3, 5, 5, 6, 8, 8], [1, 2, 3, 4, 0, 5, 1, 2]
NUMBERS = random.Random(1)
MANY = [NUMBERS.randrange(-99, 99) for _ in range(400)]


@pytest.mark.parametrize(("function", "cases"), [
    (two_sum, [(MANY, 190), (MANY, 1000), ([2**63 - 1, -(2**63)], -1), ([], 0)]),
    (counts, [(MANY, 2), ([-1, -2, -1], 1), ([0], 1)]),
    (collatz_lengths, [(2,), (200,)]),
    (reached, [(*GRAPH, 0), (*GRAPH, 2), (*GRAPH, 9)]),
    (roots, [([4, 5, 9, 81 * 81],), ([],)]),
    (combined, [([3, 1, 5, 2], [5, 2, 6]), ([1, 2], [2, 1, 2]), ([3], [4, 5]), ([7], [8, 7]),
                ([0.0, 2.5], [-0.0]), ([0.0], [-0.0, 4.0])]),
    (life, [([3, 4, 5], [4, 4, 4]), (MANY[:40], MANY[40:80])]),
], ids=lambda value: getattr(value, "__name__", ""))  # fmt: skip
def test_programs_run_whole_in_native_code(function, cases):
    check_native(function, *cases)


DRAWN = {
    "ints": [
        lambda: NUMBERS.randrange(-60, 60), lambda: NUMBERS.randrange(-60, 60) << 40,
        lambda: NUMBERS.choice([2**63 - 1, -(2**63), 2**61 - 1, -1, -2, NUMBERS.randrange(2**62)]),
    ],
    "floats": [
        lambda: NUMBERS.choice([-0.0, 0.0, 5e-324, float("inf"), NUMBERS.randrange(60) / 4]),
    ],
}  # fmt: skip


@pytest.mark.parametrize("kind", DRAWN)
@pytest.mark.parametrize("function", [changes, members])
def test_random_changes(function, kind):
    cases = []
    for number in range(60):
        count, errors = NUMBERS.choice([4, 30, 300]), number % 8 == 0
        codes = [NUMBERS.randrange(11 if errors else 10) for _ in range(count)]
        draw = DRAWN[kind][number % len(DRAWN[kind])]
        cases.append((codes, [draw() for _ in range(count)]))
    check_native(function, *cases)


def test_tables_are_made_before_the_loop():
    text = runtime.jit(roots, jit_compile=True).kernel_ir([4, 9])
    before, _, body = text.partition("loop ")
    assert before.count("keys<i64> = list.new 0, 1, 4, 9") == before.count("list.new 0, 1, 2") == 1
    assert "list.new" not in body


def test_nan_is_no_key_that_is_found():
    nan = float("nan")

    def filled(keys):
        held = {}
        for key in keys:
            held[key] = 1.0
            held[key + 1.0] = 2.0
        return list(held.values())

    keys = [nan, 1.0, nan, 2.0, *[nan] * 20]
    native, reference = (runtime.jit(filled, jit_compile=choice) for choice in (True, False))
    assert plain(native(keys)) == plain(reference(keys))


def test_a_missing_key_is_named():
    def second(numbers, n):
        held = {}
        for x in numbers:
            held[x] = 2 * x
        return held[n]

    check_native(second, ([1, 2], 2), ([1, 2], -7), (list(range(20)), 20))
    found = outcome(runtime.jit(second, jit_compile=True), [1, 2], -7)
    assert found[0] is KeyError, found
