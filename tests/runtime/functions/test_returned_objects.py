"""Objects and functions that a traced function returns."""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest

import runtime
from autograph.errors import ConcreteValueError
from runtime.types import flags
from tests.runtime.functions.jit_results import as_python
from tests.support.extras import needs


class Item:
    def __init__(self, value: Any) -> None:
        self.value = value


SMALL, LARGE = Item(1), Item(2)


def chosen(n: int) -> list[Item]:
    found = []
    for i in range(n):
        found.append(LARGE if i > 1 else SMALL)
    return found


def methods(n: int) -> list[Any]:
    found = []
    for i in range(n):
        found.append(max if i > 1 else len)
    return found


def best(items: list[Item], most: int) -> list[Item]:
    found = []
    for item in sorted(items, key=lambda item: item.value, reverse=True):
        if item.value <= most:
            found.append(item)
            most -= item.value
    return found


def test_objects_that_a_staged_value_chooses() -> None:
    staged = runtime.jit(chosen)
    for n in (3, 2, 4):
        assert staged(n) == chosen(n)
    as_python(methods, (3,), (1,))
    items = [Item(4), Item(1), Item(3)]
    for most in (4, 5, 8):
        assert runtime.jit(best)(items, most) == best(items, most)


def made_before(n: int) -> list[Item]:
    item = Item(n)
    found = []
    for _ in range(n):
        found.append(item)
    return found


def unlike(n: int) -> list[Item]:
    found = []
    for i in range(n):
        found.append(Item(None if i else 1))
    return found


def closures(n: int) -> list[Any]:
    def inner() -> int:
        return n

    found = []
    for _ in range(n):
        found.append(inner)
    return found


def closure(n: int) -> Any:
    return lambda: n


@pytest.mark.parametrize("function, words", [
    (made_before, "an object of class Item that it makes"),
    (unlike, "an object with an attribute that a staged value chooses"),
    (closures, "a function, inner, that uses variables of the call"),
    (closure, "a function, <lambda>, that uses variables of the call"),
])  # fmt: skip
def test_what_each_call_would_share(function: Any, words: str) -> None:
    with pytest.raises(ConcreteValueError) as caught:
        runtime.jit(function)(3)
    assert words in caught.value.message
    assert caught.value.where == (__file__, function.__code__.co_firstlineno)


@dataclasses.dataclass
class Point:
    x: Any
    y: Any = 2


POINT = Point(3)


def listed(n: int) -> Any:
    found, point = [], Point(n)
    if n > 1:
        found.append(point)
    return found


def kept(n: int) -> Any:
    found, point = {}, Point(3)
    if n > 1:
        found["a"] = {"point": point}
        point.x = n
    return found


def extended(n: int) -> Any:
    POINT.z = n  # type: ignore[attr-defined]
    return [POINT]


@pytest.mark.parametrize("function", [listed, kept, extended])
def test_staged_attributes_of_records_do_not_go_out(function: Any) -> None:
    for stage in (runtime.jit, runtime.function):
        with pytest.raises(ConcreteValueError, match="staged attribute") as caught:
            stage(function)(runtime.constant(3) if stage is runtime.function else 3)
        assert caught.value.where == (__file__, function.__code__.co_firstlineno)


def counted(text: str) -> tuple[Any, Any]:
    words: defaultdict[str, int] = defaultdict(int)
    for word in text.split():
        words[word] += 1
    return words, Counter(text)


def test_collections_are_of_pythons_classes() -> None:
    for stage in (runtime.jit, runtime.function):
        words, letters = stage(counted)("a b a")
        assert type(words) is defaultdict and type(letters) is Counter
        assert words.default_factory is int and list(words) == ["a", "b"]
        assert int(words["a"]) == int(letters[" "]) == 2


def pair(values: Any, n: int) -> Any:
    return n, values


def renamed(values: Any, n: int) -> Any:
    other = values
    return {"first": other, "more": [values, n]}, other


def changed(values: Any, n: int) -> Any:
    values[0] = values[n]
    return values, values[0]


def test_arguments_that_are_returned_are_the_caller_s_own() -> None:
    arrays = np.arange(4.0), np.array([1, 2]), np.zeros((2, 2))
    lists: list[Any] = [[1, 2], [0.5, 1.5], ["a", "b"], [[1], [2]], [(1, 2), (3, 4)], [None, 1]]
    for function in (pair, renamed):
        inputs = [*arrays, np.array(2.5), *lists, [], {"a": 1}, {}, {1, 2}]
        as_python(function, *((value, n) for value in inputs for n in (1, 3)))
    as_python(changed, *((value, 1) for value in (*arrays, *lists[:5], {0: 1, 1: 2})))


@pytest.mark.parametrize("mode", ["never", pytest.param("always", marks=needs("jit"))])
def test_such_arguments_of_every_kind_of_call(mode: str) -> None:
    staged = runtime.jit(pair)
    with flags.JIT(mode):
        for _ in range(4):
            for value in ([1, 2], [[1], [2]], np.arange(3.0), np.array(1), np.ones(600)):
                assert staged(value, 1)[1] is value
                assert staged(values=value, n=1)[1] is value
                assert staged.get_concrete_function(value, 1)(value, 1)[1] is value
