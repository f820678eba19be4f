"""Programs whose tests are lists, dicts, sets, texts and optional values instead of truths."""

from collections import deque


def list_asserted(n):
    found = [n, 2]
    for i in range(n):
        found.append(i)
    assert found, "nothing"
    known = found[:2]
    assert known
    return len(found)


def list_found_empty(n):
    found = []
    for i in range(n):
        found.append(i)
    assert found, "nothing"
    return found[0]


def dict_asserted(n):
    found = {}
    for i in range(n):
        found[i] = 1
    assert found, len(found)
    return len(found)


def queue_asserted(n):
    queue, turns = deque(), 0
    for i in range(n):
        queue.append(i)
    while queue:
        queue.popleft()
        turns += 1
    assert not queue
    return turns


def while_a_dict_has_items(n):
    left, turns = {}, 0
    for i in range(n):
        left[i] = 1
    while left:
        left.popitem()
        turns += 1
    return turns


def while_a_set_has_items(n):
    left, turns = set(), 0
    for i in range(n):
        left.add(i)
    while left and turns < 2:
        left.discard(turns)
        turns += 1
    return turns, len(left)


def while_a_list_has_items(n):
    left, turns = [1, 2, 3] if n > 1 else [1], 0
    while left:
        left.pop()
        turns += 1
    return turns


def while_there_is_a_value(n):
    left, turns = n if n > 1 else None, 0
    while left:
        left = left - 1 if left > 1 else None
        turns += 1
    return turns


CASES = [
    (function, [(0,), (1,), (3,)])
    for function in (
        list_asserted, list_found_empty, dict_asserted, queue_asserted, while_a_dict_has_items,
        while_a_set_has_items, while_a_list_has_items, while_there_is_a_value,
    )
]
