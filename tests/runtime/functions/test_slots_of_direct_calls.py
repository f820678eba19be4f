"""Slots that direct calls read and write, wherever they are, while the program changes them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import pytest

import runtime as tf
from runtime.types.flags import JIT
from tests.support.nightly import seeds


class Place(NamedTuple):
    """Function that adds to what a slot holds, and functions that get, set and delete it."""

    step: Callable[[Any], Any]
    get: Callable[[], Any]
    set: Callable[[Any], object]
    delete: Callable[[], object]


class Slotted:
    __slots__ = ("total",)


class Renamed:
    """Attribute behind a property."""

    def __init__(self) -> None:
        self._total = 0

    @property
    def total(self) -> Any:
        return self._total

    @total.setter
    def total(self, value: Any) -> None:
        self._total = value


class Shifted:
    """Attribute that is not set to what it is assigned."""

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__[name] = value + 1


def of_attribute(holder: Any, stored: str = "total") -> Place:
    def step(x: Any) -> Any:
        holder.total = holder.total + x
        return holder.total * 2

    holder.total = 0
    return Place(
        step, lambda: holder.total, lambda value: setattr(holder, "total", value),
        lambda: delattr(holder, stored),
    )  # fmt: skip


def of_item(holder: Any, key: Any) -> Place:
    def step(x: Any) -> Any:
        holder[key] = holder[key] + x
        return holder[key] * 2

    return Place(
        step, lambda: holder[key], lambda value: holder.__setitem__(key, value),
        lambda: holder.pop(key),
    )  # fmt: skip


def of_closure() -> Place:
    total = 0

    def step(x: Any) -> Any:
        nonlocal total
        total = total + x
        return total * 2

    def set(value: Any) -> None:
        nonlocal total
        total = value

    def delete() -> None:
        nonlocal total
        del total

    return Place(step, lambda: total, set, delete)


PLACES: dict[str, Callable[[], Place]] = {
    "object": lambda: of_attribute(type("Plain", (), {})()),
    "class": lambda: of_attribute(type("Plain", (), {})),
    "inherited": lambda: of_attribute(type("Derived", (type("Base", (), {"total": 1}),), {})()),
    "slot": lambda: of_attribute(Slotted()),
    "property": lambda: of_attribute(Renamed(), "_total"),
    "setattr": lambda: of_attribute(Shifted()),
    "dict": lambda: of_item({"total": 0}, "total"),
    "list": lambda: of_item([0], 0),
    "closure": of_closure,
}


def outcome(function: Callable[..., object], *args: Any) -> Any:
    try:
        result = function(*args)
    except Exception as error:
        return type(error)
    return type(result), result


@pytest.mark.parametrize("seed", seeds(0, 5, 1, 1))
@pytest.mark.parametrize("way", ["never", "always"])
@pytest.mark.parametrize("name", PLACES)
def test_slots_hold_what_python_leaves(name: str, way: str, seed: int) -> None:
    random, plain, staged = Random(seed), PLACES[name](), PLACES[name]()
    with JIT(way):
        step = tf.jit(staged.step, strict=True)
        for _ in range(16):
            change, chance = random.choice([5, 2.5, True]), random.random()
            if chance < 0.05:
                assert outcome(plain.delete) == outcome(staged.delete)
            elif chance < 0.25:
                assert outcome(plain.set, change) == outcome(staged.set, change)
            x = random.choice([1, 1, 1, 2, 1.5, True])
            assert outcome(step, x) == outcome(plain.step, x)
            assert outcome(staged.get) == outcome(plain.get)
