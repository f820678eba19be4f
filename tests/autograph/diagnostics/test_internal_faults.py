"""Mistakes of our own while a function is traced are InternalFaultErrors; the user's are not."""

from __future__ import annotations

import linecache

import pytest

import autograph
import runtime as tf
from runtime.types.source_location import PACKAGE_FOLDER

FAULTS = {
    "assert value is None": AssertionError,
    "value._array": AttributeError,
    "value = ()[len(())]": IndexError,
    "first, second = (value,)": ValueError,
    "unbound += 1": UnboundLocalError,
}


def faulty(line):
    """A function of the room ``graph`` that makes a mistake."""
    file = f"{PACKAGE_FOLDER}graph/faulty.py"
    text = f"def fault(value):\n    {line}\n"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    namespace = {"__name__": "runtime.graph.faulty"}
    exec(compile(text, file, "exec"), namespace)
    return namespace["fault"]


@pytest.mark.parametrize("line", FAULTS)
def test_a_mistake_of_our_own_names_the_users_line(line):
    fault = faulty(line)

    def program(x):
        y = x + 1
        try:
            fault(y)
        except Exception:
            y = x
        return y

    with pytest.raises(autograph.InternalFaultError, match="program could not be staged") as caught:
        tf.function(program)(tf.constant(1))
    assert type(caught.value.__cause__) is FAULTS[line]
    file, number = caught.value.where
    assert linecache.getline(file, number).strip() == "fault(y)"


@pytest.mark.parametrize(
    "program, error",
    [
        (lambda x: (x, x).__getitem__(2), IndexError),
        (lambda x: {"a": x}["b"], KeyError),
        (lambda x: x.no_such_name, AttributeError),
        (lambda x: [x, *5], TypeError),
        (lambda x: None.shape, AttributeError),
        (lambda x: int("a") + x, ValueError),
    ],
)
def test_an_error_of_the_users_stays_as_it_is(program, error):
    with pytest.raises(error) as caught:
        tf.function(program)(tf.constant(1))
    assert not isinstance(caught.value, autograph.InternalFaultError)


class Text(str):
    pass


@pytest.mark.parametrize(
    "program",
    [
        lambda s: Text("abc").replace(s, "z"),
        lambda s: s in Text("abc"),
    ],
)
def test_errors_of_python_about_staged_values_are_refusals_in_its_words(program):
    with pytest.raises(autograph.ConcreteValueError, match="a staged value") as caught:
        tf.jit(program)("a")
    assert caught.value.where == (__file__, program.__code__.co_firstlineno)
    assert "Symbolic" not in str(caught.value) and "MapView" not in str(caught.value)
