"""Calls in unstaged versions look up what they call, and remember it: never the wrong thing."""

from __future__ import annotations

import pytest

import autograph
from autograph import staging


@pytest.fixture(autouse=True)
def plain():
    with staging.force_version(staged=False):
        yield


def clip(x):
    if x > 3:
        return 3
    return x


def down(n):
    if n == 0:
        return 0
    return 1 + down(n - 1)


class Strange:
    """An object that does not want to be hashed or compared, only called."""

    __hash__ = None

    def __eq__(self, other):
        raise AssertionError("nobody asked")

    def __call__(self, x):
        return x + 1


def test_look_ups_ask_the_users_objects_nothing():
    def run(strange, items, x):
        items.append(strange(x))
        items.extend([strange(v) for v in (1, 2)])
        return items, strange.__call__(x), str(x).strip().upper()

    assert autograph.to_graph(run)(Strange(), [], 3) == ([4, 2, 3], 4, "3")


def test_a_call_that_meets_another_callee_calls_that():
    class Listener(list):
        def append(self, item):
            super().append(-item)

    def run(items, function, x):
        items.append(function(x))
        return list(items)

    converted = autograph.to_graph(run)
    for items, function in (([], clip), ([], abs), (Listener(), clip), ([], down), ([], Strange())):
        expected = run(type(items)(items), function, 5)
        assert converted(items, function, 5) == expected
