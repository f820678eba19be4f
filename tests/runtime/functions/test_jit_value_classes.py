"""Subclasses of Python's numbers and texts under ``runtime.jit``: made of staged values they would
hold the description of the value, so that is refused.
"""

from __future__ import annotations

import enum

import pytest

import runtime as tf
from autograph.errors import ConcreteValueError


class Word(str):
    """A text with an addition of its own."""

    def __add__(self, text):
        return f"<{str(self)}{text}>"


class Name(str):
    """A text that its own ``__new__`` makes."""

    def __new__(cls, text):
        """Make a name."""
        return super().__new__(cls, text)


class Digit(int):
    """An int with an addition of its own."""

    def __add__(self, number):
        return int(self) * 10 + number


class Letter(str, enum.Enum):
    """Members are texts."""

    A = "a"
    B = "b"


WORD = Word("q")


@pytest.mark.parametrize(("cls", "value"), [(Word, "a"), (Name, "a"), (Digit, 3)])
def test_objects_of_staged_values_are_refused(cls, value):
    def added(x):
        return cls(x) + x

    with pytest.raises(ConcreteValueError, match="got a staged value"):
        tf.jit(added, strict=True)(value)


@pytest.mark.parametrize(("function", "value"), [
    (lambda x: WORD + "b", 1), (lambda x: Letter(x).name, "b"), (lambda x: Digit(4) + 2, 1),
])  # fmt: skip
def test_other_objects_keep_their_methods(function, value):
    staged = tf.jit(function, strict=True)
    for _ in range(3):
        assert staged(value) == function(value)
