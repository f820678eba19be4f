"""Programs that change lists, dicts and sets that outlive their calls.

``test_jit_containers.py`` runs each in a fresh ``World``, staged and in plain Python.
"""

from collections import Counter, defaultdict


class World:
    """What the calls of a program change."""

    def __init__(self):
        self.memo = {}
        self.seen = set()
        self.found = []
        self.counts = Counter()
        self.groups = defaultdict(list)
        self.totals = defaultdict(int)
        self.units = {"a": 1.5}
        self.alias = self.memo
        self.rows = {"a": [1, 2]}


def memoise(world, n):
    if n in world.memo:
        return world.memo[n]
    world.memo[n] = n * n
    return world.memo[n]


def fibonacci(world, n):
    if n in world.memo:
        return world.memo[n]
    world.memo[n] = n if n < 2 else fibonacci(world, n - 1) + fibonacci(world, n - 2)
    return world.memo[n]


def visit(world, n):
    if n in world.seen:
        return True
    world.seen.add(n)
    return False


def forget(world, n):
    world.seen |= {1, 2, 3}
    world.seen.discard(n)
    return len(world.seen), sorted(world.seen)


def collect(world, n):
    world.found.append(n)
    return len(world.found)


def collect_some(world, n):
    for k in range(n):
        if k % 2 == 0:
            world.found.append(k)
    return sum(world.found)


def take_back(world, n):
    world.found.append(n)
    world.found.append(2 * n)
    if n > 2:
        world.found.pop()
    return world.found[-1]


def count(world, n):
    for k in range(n):
        world.counts[k % 3] += 1
    return world.counts[0], len(world.counts)


def total(world, n):
    world.totals[n] += 5
    return world.totals[n], world.totals[n + 1]


def group(world, n):
    world.groups[n % 2].append(n)
    return len(world.groups)


def rename(world, n):
    world.units.setdefault("b", 2.0)
    world.units["a" if n > 2 else "c"] = n * 0.5
    return world.units.pop("b"), len(world.units)


def by_two_names(world, n):
    world.memo[n] = 1
    world.alias[n] = world.memo[n] + 1
    return world.memo[n], len(world.alias)


def raising(world, n):
    world.found.append(n)
    if n == 3:
        raise ValueError("three")
    world.memo[n] = 1
    return len(world.found)


def on_a_path(world, n):
    if n > 2:
        world.seen.add(100)
        world.memo["last"] = n
    return len(world.seen)


def emptied(world, n):
    world.found.append(n)
    if n > 2:
        world.found.clear()
    return world.found


def longer_rows(world, n):
    world.rows["a"].append(n)
    return len(world.rows["a"])


PROGRAMS = [
    memoise, fibonacci, visit, forget, collect, collect_some, take_back, count, total, group,
    rename, by_two_names, raising, on_a_path, emptied, longer_rows,
]  # fmt: skip
