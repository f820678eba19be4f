"""Programs whose dicts and sets have other keys on some staged path."""


def key_on_one_path(x):
    found = {"start": 1}
    if x > 0:
        found["positive"] = x
    return len(found), "positive" in found, "start" in found


def key_missing(x):
    found = {}
    if x > 0:
        found["positive"] = 10
    return found["positive"]


def other_keys(x):
    if x > 0:
        found = {"a": 1, "b": 2}
    else:
        found = {"c": 3}
    found["d"] = 4
    total = 0
    for key in found:
        total = total + found[key]
    return total, list(found.values())


def keys_in_a_loop(x):
    found = {}
    i = 0
    while i < x:
        if i % 2 == 0:
            found["even"] = i
        else:
            found["odd"] = i
        i += 1
    return found.get("even", -1), found.get("odd", -1), len(found)


def key_removed(x):
    found = {"a": 1, "b": 2, "c": 3}
    if x > 0:
        del found["b"]
    taken = found.pop("b", 7)
    return taken, list(found.values()), bool(found)


def values_by_default(x):
    found = {"a": 1}
    if x > 0:
        found.setdefault("a", 5)
        found.setdefault("b", 6)
    return found.setdefault("b", 8), found.setdefault("a", 9)


def set_on_one_path(x):
    seen = {3}
    if x > 0:
        seen.add(1)
        seen.discard(3)
    return 1 in seen, 3 in seen, len(seen), sorted(seen)


def set_in_a_loop(x):
    seen = set()
    i = 0
    while i < x:
        if i > 1:
            seen.add("late")
        else:
            seen.add("early")
        i += 1
    seen.remove("late")
    return len(seen)


def sets_together(x):
    seen, other = {1, 2}, {2, 3}
    if x > 0:
        other.add(1)
    both, all_of_them = seen & other, seen | other
    return len(both), sorted(all_of_them - seen), seen <= other, seen == other, seen < other


def empty_or_not(x):
    seen = set()
    if x > 0:
        seen.add(5)
    if seen:
        return 1
    return 2


_NUMBERS = [(-1,), (1,), (3,)]

CASES = [
    (program, _NUMBERS)
    for program in (
        key_on_one_path, key_missing, other_keys, keys_in_a_loop, key_removed, values_by_default,
        set_on_one_path, set_in_a_loop, sets_together, empty_or_not,
    )
]  # fmt: skip
