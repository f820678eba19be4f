"""Faults of staging reach the user, whatever stands ready to swallow them."""

import contextlib
import functools
import itertools
import operator
import types

import pytest

import runtime as tf


def handled(x):
    try:
        return memoryview(x)
    except TypeError:
        return -1


def handled_anyhow(x):
    try:
        return memoryview(x)
    except:  # noqa: E722
        return -1


def returned_over(x):
    try:
        return memoryview(x)
    finally:
        return -1  # noqa: B012


def suppressed(x):
    with contextlib.suppress(TypeError):
        return memoryview(x)
    return -1


class Swallowing:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return True


@contextlib.contextmanager
def swallowing():
    with contextlib.suppress(TypeError):
        yield


def swallowed(x):
    with Swallowing():
        return memoryview(x)
    return -1


def swallowed_by_a_generator(x):
    with swallowing():
        return memoryview(x)
    return -1


def swallowed_by_a_stack(x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(Swallowing())
        return memoryview(x)
    return -1


SWALLOWING = (
    handled, handled_anyhow, returned_over, suppressed, swallowed, swallowed_by_a_generator,
    swallowed_by_a_stack,
)  # fmt: skip

CALLERS = {
    "call": lambda g, x: g(x),
    "map": lambda g, x: list(map(g, [x])),
    "map of two": lambda g, x: list(map(lambda a, b: g(a), [x], [x])),
    "filter": lambda g, x: list(filter(g, [x])),
    "filterfalse": lambda g, x: list(itertools.filterfalse(g, [x])),
    "sorted": lambda g, x: sorted([x, x], key=g),
    "sort": lambda g, x: [x, x].sort(key=g),
    "max": lambda g, x: max([x, x], key=g),
    "reduce": lambda g, x: functools.reduce(lambda a, b: g(a), [x, x]),
    "partial": lambda g, x: functools.partial(g, x)(),
    "map of a partial": lambda g, x: list(map(functools.partial(lambda a, b: g(a), x), [1])),
    "starmap": lambda g, x: list(itertools.starmap(g, [(x,)])),
    "accumulate": lambda g, x: list(itertools.accumulate([x, x], lambda a, b: g(a))),
    "groupby": lambda g, x: list(itertools.groupby([x], g)),
    "takewhile": lambda g, x: list(itertools.takewhile(g, [x])),
    "dropwhile": lambda g, x: list(itertools.dropwhile(g, [x])),
    "generator expression": lambda g, x: sum(g(x) for _ in range(2)),
    "comprehension": lambda g, x: [g(x) for _ in range(2)],
    "method": lambda g, x: list(map(types.MethodType(g, x), [])) or types.MethodType(g, x)(),
}


@pytest.mark.parametrize("caller", CALLERS)
@pytest.mark.parametrize("function", SWALLOWING)
def test_nothing_swallows_a_fault(function, caller):
    call = CALLERS[caller]
    with pytest.raises(TypeError, match="staged value"):
        tf.function(lambda x: call(function, x))(tf.constant(2))


def index(x):
    try:
        return operator.index(x)
    except TypeError:
        return -1


def test_callbacks_are_converted():
    for caller in ("call", "map", "starmap", "partial", "comprehension", "map of a partial"):
        call = CALLERS[caller]
        result = tf.function(lambda x, call=call: call(index, x))(tf.constant(2))
        (value,) = {int(t) for t in tf.nest.flatten(result)}
        assert value == 2


def test_callbacks_stay_as_they_are_where_nothing_is_traced():
    taken = []

    def note(value):
        taken.append(value)
        return value < 2

    converted = tf.autograph.to_graph(lambda: list(itertools.takewhile(note, [1, 2, 3])))
    assert converted() == [1] and taken == [1, 2]
