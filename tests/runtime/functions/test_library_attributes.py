"""Attributes of libraries' objects and of modules, set on a staged path: joined, or refused."""

import ctypes
import sys
import threading
import types

import pytest

import runtime as tf
from autograph.errors import EffectError

SETTINGS = types.ModuleType("settings")
sys.modules["settings"] = SETTINGS


def on_a_path(n, event):
    if n > 0:
        event.count = n
    return event.count


def in_place(n, event):
    for _ in range(n):
        event.count += 2
    return event.count


def by_name(n, event):
    if n > 0:
        setattr(event, "count", n)  # noqa: B010
    return event.count


def on_each_path(n, event):
    event.count = n + 1 if n > 0 else -n
    return event.count


def helper(event):
    event.count = 7


def in_a_helper(n, event):
    if n > 0:
        helper(event)
    return event.count


def event():
    made = threading.Event()
    made.count = 5
    return made


def namespace():
    return types.SimpleNamespace(count=5)


def module():
    made = types.ModuleType("made_here")
    made.count = 5
    return made


def error():
    made = ValueError(1)
    made.count = 5
    return made


@pytest.mark.parametrize("make", [event, namespace, module, error])
@pytest.mark.parametrize(
    "function", [on_a_path, in_place, by_name, on_each_path, in_a_helper], ids=lambda f: f.__name__
)
def test_attributes_are_set_on_the_path_that_sets_them(function, make):
    strict = tf.jit(function, strict=True)
    holders = make(), make()
    for number in (0, 2, -1, 3):
        expected = function(number, holders[0])
        assert strict(number, holders[1]) == expected
        assert holders[0].count == holders[1].count
        assert type(holders[1].count) is int


def test_attributes_hold_tensors_of_a_function():
    made = event()
    function = tf.function(on_a_path)
    assert int(function(tf.constant(0), made)) == made.count == 5
    assert int(function(tf.constant(2), made)) == int(made.count) == 2


def sets_the_arguments(n, holder):
    if n > 0:
        holder.args = (n, 2)
    return n


def always_sets_the_arguments(n, holder):
    holder.args = (n, 2)
    return n


def sets_the_name(n, holder):
    if n > 0:
        holder.name = "other"
    return n


def sets_the_value(n, holder):
    if n > 0:
        holder.value += 1
    return n


REFUSED = [
    (sets_the_arguments, lambda: ValueError(1), lambda e: e.args),
    (always_sets_the_arguments, lambda: ValueError(1), lambda e: e.args),
    (sets_the_name, lambda: threading.Thread(name="first"), lambda t: t.name),
    (sets_the_value, lambda: ctypes.c_int(3), lambda c: c.value),
]


@pytest.mark.parametrize(("function", "make", "look"), REFUSED)
@pytest.mark.parametrize("strict", [True, False])
def test_computed_attributes_are_refused(function, make, look, strict):
    staged = tf.jit(function, strict=True) if strict else tf.function(function)
    holder = make()
    before = look(holder)
    with pytest.raises(EffectError) as caught:
        staged(tf.constant(0) if not strict else 0, holder)
    assert caught.value.where[0] == __file__
    assert look(holder) == before


def sets_a_setting(n):
    if n > 0:
        SETTINGS.level = n
    return SETTINGS.level


def keeps_in_a_setting(n):
    if n > 0:
        SETTINGS.items.append(n)
    return len(SETTINGS.items)


def sets_in_a_setting(n):
    if n > 0:
        SETTINGS.holder.count = n
    return n


def adds_to_the_path(n):
    if n > 0:
        sys.path.append("nowhere")
    return sys.path.count("nowhere")


def test_variables_of_modules():
    strict = tf.jit(sets_a_setting, strict=True)
    for number in (0, 2, -1):
        SETTINGS.level = 1
        expected = sets_a_setting(number)
        level, SETTINGS.level = SETTINGS.level, 1
        assert (strict(number), SETTINGS.level) == (expected, level)
    SETTINGS.holder = types.SimpleNamespace(count=1)
    tf.function(sets_in_a_setting)(tf.constant(0))
    assert int(SETTINGS.holder.count) == 1


@pytest.mark.parametrize(("function", "held"), [
    (keeps_in_a_setting, lambda: SETTINGS.items), (adds_to_the_path, lambda: sys.path),
])  # fmt: skip
def test_lists_of_modules(function, held):
    SETTINGS.items = []
    before = list(held())
    with pytest.raises(EffectError, match=r"(SETTINGS\.items|sys\.path)"):
        tf.function(function)(tf.constant(0))
    assert held() == before


def count_arguments(n):
    return n + len(sys.argv)


def test_a_list_of_a_library_may_be_replaced(monkeypatch):
    strict = tf.jit(count_arguments, strict=True)
    monkeypatch.setattr(sys, "argv", ["a", "b"])
    assert strict(1) == 3
    monkeypatch.setattr(sys, "argv", ["a"])
    assert strict(1) == 2
    sys.argv.append("c")
    assert strict(1) == 3


COUNT = 0


class Counter:
    """What counts its calls, in a global, in its class, and in the closure of a method."""

    calls = 0

    def count(self):
        global COUNT
        COUNT += 1

    @property
    def counted(self):
        global COUNT
        COUNT += 10
        return 1

    def __add__(self, other):
        global COUNT
        COUNT += 100
        return other

    @classmethod
    def of_class(cls):
        cls.calls += 1

    @staticmethod
    def of_none():
        global COUNT
        COUNT += 1000


def counting_calls():
    calls = [0]

    def method(self):
        calls[0] += 1
        Counter.calls = calls[0]

    return method


Counter.in_closure = counting_calls()


def calls_a_method(n, counter):
    if n > 0:
        counter.count()
    return n


def asks_for_a_property(n, counter):
    if n > 0:
        n += counter.counted
    return n


def adds(n, counter):
    if n > 0:
        n = counter + n
    return n


def calls_a_class_method(n, counter):
    if n > 0:
        counter.of_class()
    return n


def calls_a_static_method(n, counter):
    while n > 0:
        n -= 1
        Counter.of_none()
    return n


def calls_a_new_object(n, counter):
    if n > 0:
        Counter().count()
    return n


def sets_an_attribute_of_the_class(n, counter):
    if n > 0:
        counter.__class__.calls = 3
    return n


@pytest.mark.parametrize("function", [
    calls_a_method, asks_for_a_property, adds, calls_a_class_method, calls_a_static_method,
    calls_a_new_object, sets_an_attribute_of_the_class,
], ids=lambda f: f.__name__)  # fmt: skip
@pytest.mark.parametrize("strict", [True, False])
def test_methods_that_write_elsewhere(function, strict):
    global COUNT
    staged = tf.jit(function, strict=True) if strict else tf.function(function)
    for number in (0, 2, -1, 1):
        COUNT = Counter.calls = 0
        function(number, Counter())
        expected = COUNT, Counter.calls
        COUNT = Counter.calls = 0
        staged(number if strict else tf.constant(number), Counter())
        assert (int(COUNT), int(Counter.calls)) == expected


def test_a_method_that_writes_in_its_closure():
    def function(n, counter):
        if n > 0:
            counter.in_closure()
        return n

    strict = tf.jit(function, strict=True)
    Counter.calls = 0
    for number, expected in ((0, 0), (1, 1), (0, 1), (2, 2)):
        strict(number, Counter())
        assert Counter.calls == expected
