"""Data classes and named tuples that wait for their first instance mean what Python's mean."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import threading
from typing import Any

import pytest

from autograph.named_tuples import NamedTuple
from autograph.syntax.data_classes import dataclass


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 2
    more: list[int] = dataclasses.field(default_factory=list)


@dataclass(frozen=True)
class Named(Point):
    name: str = "p"

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", len(self.name))


class Sub(Named):
    def __init__(self, x: int) -> None:
        super().__init__(x, 3, [], "sub")


def test_data_classes_have_pythons_methods() -> None:
    assert not dataclasses.is_dataclass(Sub)
    assert Sub(1).name == "sub" and Sub(1).length == 3
    assert dataclasses.is_dataclass(Point) and [f.name for f in dataclasses.fields(Named)] == [
        "x", "y", "more", "name",
    ]  # fmt: skip
    assert Point(1) == Point(1, 2) and Point(1) != Point(2) and repr(Point(1)) == (
        "Point(x=1, y=2, more=[])"
    )
    assert dataclasses.replace(Point(1), y=5).y == 5
    with pytest.raises(dataclasses.FrozenInstanceError):
        Point(1).x = 2  # type: ignore[misc]
    with pytest.raises(TypeError):
        Point()  # type: ignore[call-arg]
    match Named(1, name="n"):
        case Named(1, _, [], name):
            assert name == "n"


def test_threads_share_the_first_instance() -> None:
    for _ in range(30):

        @dataclass(frozen=True)
        class Local:
            x: int

        values: list[Any] = []
        threads = [threading.Thread(target=lambda: values.append(Local(4))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert values == [Local(4)] * 4


def test_an_interrupt_leaves_the_class_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class Local:
        x: int
        more: list[int] = dataclasses.field(default_factory=list)

    def interrupted(**options: bool) -> Any:
        def declare(cls: type) -> None:
            dataclass_of_python(**options)(cls)
            raise KeyboardInterrupt

        return declare

    dataclass_of_python = dataclasses.dataclass
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(dataclasses, "dataclass", interrupted)
        Local(1)
    assert Local(1) == Local(1, []) and repr(Local(2)).endswith("Local(x=2, more=[])")


class Pair(NamedTuple):
    """A pair."""

    left: int
    right: int = 3

    def total(self) -> int:
        return self.left + self.right


class Doubled(Pair):
    def total(self) -> int:
        return 2 * super().total()


def test_named_tuples_have_pythons_methods() -> None:
    assert Doubled(1, 2).total() == 6 and Pair(1).total() == 4 and Pair(right=1, left=2) == (2, 1)
    assert repr(Pair(1)) == "Pair(left=1, right=3)" and Pair(1)._asdict() == {"left": 1, "right": 3}
    assert Pair._make([5, 6]) == (5, 6) and Pair._fields == ("left", "right")
    assert type(Doubled(1)._replace(left=4)) is Doubled and Pair._field_defaults == {"right": 3}
    assert pickle.loads(pickle.dumps(Pair(1))) == Pair(1) and type(copy.copy(Pair(1))) is Pair
    assert Pair.__doc__ == "A pair."
    wrong_calls: list[Any] = [lambda: Pair(), lambda: Pair(1, 2, 3), lambda: Pair._make([1])]  # type: ignore[call-arg]
    for wrong in wrong_calls:
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError):
        Pair(1)._replace(middle=1)
    match Pair(1):
        case Pair(left, right=3):
            assert left == 1
