"""Places where carried state is found: modules, partials, slots, nested collections."""

import collections
import functools
import types

import pytest

import runtime as tf


class Slotted:
    """Has no dict of attributes."""

    __slots__ = ("total",)

    def __init__(self):
        self.total = 0


def in_a_slot():
    held = Slotted()

    def step(x):
        held.total += x
        return held.total

    return step


def in_a_namespace():
    held = types.SimpleNamespace(total=0)

    def step(x):
        held.total += x
        return held.total

    return step


def in_a_deque():
    held = collections.deque([0, 0], maxlen=2)

    def step(x):
        held.append(held[1] + x)
        return held[1]

    return step


def in_a_default_dict():
    held = collections.defaultdict(int)

    def step(x):
        held["total"] += x
        return held["total"]

    return step


def deep_inside():
    held = {"a": [0, {"total": 0}]}

    def step(x):
        held["a"][1]["total"] += x
        return held["a"][1]["total"]

    return step


def in_an_object_that_is_called():
    class Sum:
        total = 0

        def __call__(self, x):
            self.total = self.total + x
            return self.total

    return Sum()


PLACES = [
    in_a_slot, in_a_namespace, in_a_deque, in_a_default_dict, deep_inside,
    in_an_object_that_is_called,
]  # fmt: skip


@pytest.mark.parametrize("make", PLACES, ids=lambda f: f.__name__)
def test_it_is_found(make):
    step, plain = tf.function(make()), make()
    for number in (1, 2, 3, 4):
        assert int(step(tf.constant(number))) == plain(number)


def test_attributes_of_modules(monkeypatch):
    module = types.ModuleType("usermodule")
    text = "level = 0\nrises = 0\ndef rise(x):\n    global rises\n    rises = rises + x"
    exec(text, vars(module))
    monkeypatch.setitem(globals(), "usermodule", module)

    @tf.function
    def climb(x):
        usermodule.level = usermodule.level + x  # noqa: F821
        usermodule.rise(x)  # noqa: F821
        return usermodule.level  # noqa: F821

    assert [int(climb(tf.constant(i))) for i in (1, 2, 3)] == [1, 3, 6]
    assert (int(module.level), int(module.rises)) == (6, 6)


def test_a_partial():
    log = {"n": 0}

    def add(by, x):
        log["n"] = log["n"] + by * x
        return log["n"]

    twice = tf.function(functools.partial(add, 2))
    assert [int(twice(tf.constant(i))) for i in (1, 2)] == [2, 6]


HELD = types.SimpleNamespace(total=0)


def add_to_held(x):
    HELD.total = HELD.total + x
    return x


@pytest.mark.parametrize("jit", [False, True])
def test_a_global_of_a_function_that_is_called_in_a_lambda(jit):
    HELD.total = 0

    def step(x):
        return (lambda: [add_to_held(y) for y in [x, x]])()[0]

    call = (tf.jit if jit else tf.function)(step)
    for _ in range(3):
        call(2 if jit else tf.constant(2))
    assert int(HELD.total) == 12
