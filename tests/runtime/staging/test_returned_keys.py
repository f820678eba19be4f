"""Keys of returned dicts and sets that a staged path changes: Python's own, as in plain Python."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

import autograph
import runtime


def text_keys(x):
    made = {"a": x}
    if x > 0:
        made["b"] = 1
    return made


def texts(x):
    made = {"a"}
    if x > 0:
        made.add("b")
    return made


def pairs(x):
    made = {("a", 1): x}
    if x > 0:
        made["b", 2] = 1
    return made


def inner_dict(x):
    made = {"k": {"a": x}}
    if x > 0:
        made["k"]["b"] = x
    return made


def dicts_of_several_keys(x):
    made = [{"a": x}]
    if x > 0:
        made.append({"b": x})
    return made


def default_dict(x):
    made = defaultdict(int)
    made["a"] = x
    if x > 0:
        made["b"] += 1
    return made


def counter(x):
    made = Counter("aa")
    if x > 0:
        made["b"] += 1
    return made


def made_keys(x):
    made = {}
    number = 0
    while number < x:
        made[str(number)] = number
        number += 1
    return made


FUNCTIONS = [
    text_keys, texts, pairs, inner_dict, dicts_of_several_keys, default_dict, counter, made_keys
]  # fmt: skip


def in_session(function, x):
    with runtime.Graph().as_default(), runtime.Session() as session:
        given = runtime.placeholder(runtime.int32, ())
        return session.run(autograph.to_graph(function)(given), {given: x})


WAYS = {
    "function": lambda function, x: runtime.function(function)(runtime.constant(x)),
    "concrete": lambda function, x: (
        runtime.function(function).get_concrete_function(runtime.constant(0))(runtime.constant(x))
    ),
    "jit": lambda function, x: runtime.jit(function)(x),
    "session": in_session,
}


def keys(value):
    """The keys of dicts and sets, with their classes, in order."""
    if isinstance(value, list):
        return list(map(keys, value))
    if isinstance(value, set):
        return sorted(map(repr, value))
    if isinstance(value, dict):
        return type(value), [(repr(key), keys(item)) for key, item in value.items()]
    return None


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_keys_are_as_in_python(function, way):
    for x in (0, 2):
        assert keys(WAYS[way](function, x)) == keys(function(x))


def test_values_of_text_keys_have_gradients():
    @runtime.function
    def halves(x):
        made = {"a": x}
        if x > 0.0:
            made["b"] = x * x
        return made

    x = runtime.constant(3.0)
    with runtime.GradientTape() as tape:
        tape.watch(x)
        total = halves(x)["b"]
    assert float(tape.gradient(total, x)) == 6.0
