"""``runtime.jit``: attributes and library functions that have no staged version are refused."""

from __future__ import annotations

import base64
import collections
import os.path
import pathlib
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime
from autograph.errors import ConcreteValueError
from tests.runtime.functions.jit_results import as_python


def caught(text: str) -> str:
    try:
        return str(text.encode())
    except AttributeError:
        return "none"


def probed(text: str) -> bool:
    return hasattr(text, "encode")


REFUSED = [
    (lambda text: text.encode(), "ab", "'str.encode'"),
    (lambda text: text.format(1), "a{}", "'str.format'"),
    (lambda number: number.to_bytes(2, "big"), 5, "int.to_bytes()"),
    (caught, "ab", "'str.encode'"),
    (lambda text: bytes(text, "utf8"), "ab", "bytes()"),
    (lambda text: int.from_bytes([text, 1], "big"), 3, "int.from_bytes()"),
    (lambda text: os.path.join("a", text), "b", "posixpath.join()"),
    (lambda text: pathlib.PurePosixPath(text).name, "a/b", "pathlib.PurePosixPath()"),
    (lambda number: statistics.mean([number, 2]), 4, "statistics.mean()"),
    (lambda x: (np.log(x) / 2).is_integer(), 1.5, "'float64.is_integer'"),
    (lambda x: x.tobytes(), np.ones(2), "'ndarray.tobytes'"),
    (lambda text: base64.b64encode(text), "ab", "base64.b64encode()"),
]


@pytest.mark.parametrize("function, argument, name", REFUSED)
def test_refused(function: Callable[[Any], Any], argument: Any, name: str) -> None:
    with pytest.raises(ConcreteValueError) as refusal:
        runtime.jit(function)(argument)
    assert refusal.value.message.startswith(name)
    assert refusal.value.where is not None
    assert refusal.value.where[0] == __file__


def parts(number: Any) -> Any:
    return number.numerator, number.denominator, number.real, number.imag


def missing(value: Any) -> Any:
    return value.nothing


def added(value: Any) -> Any:
    return value + "a"


def test_as_python() -> None:
    as_python(parts, (5,), (True,), (-3,))
    as_python(missing, (5,), ("a",), (2.5,))
    as_python(added, (5,), (2.5,))
    as_python(lambda x: hasattr(x, "nothing"), (5,), ("a",))
    as_python(probed, ("ab",))


def in_base(base: Any) -> Any:
    try:
        return int("12", base)
    except TypeError:
        return -1


def test_tensors_are_refused_with_the_line() -> None:
    with pytest.raises(ConcreteValueError, match="takes Python values") as refusal:
        runtime.function(in_base)(runtime.constant(5))
    assert refusal.value.where == (__file__, in_base.__code__.co_firstlineno + 2)


class Recent:
    """Cache of the last used keys."""

    def __init__(self):
        self.found = collections.OrderedDict()

    def put(self, key, value):
        self.found[key] = value
        self.found.move_to_end(key)


class Named(collections.OrderedDict):
    """A mapping of a class of the user's."""


def recent(n):
    cache = Recent()
    cache.put(n, 1)
    return len(cache.found)


def of_a_class(n):
    found = Named()
    found[n] = 1
    return found[n]


@pytest.mark.parametrize("function", [recent, of_a_class])
def test_other_mappings_refuse_staged_keys_with_the_line_and_the_remedy(function):
    assert function(3) == 1
    staged = runtime.jit(function)
    for _ in range(2):
        with pytest.raises(ConcreteValueError, match="The hash of a staged number") as caught:
            staged(3)
        assert __file__ in str(caught.value)
        assert "help: use a dict" in str(caught.value)
