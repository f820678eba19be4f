"""Values that are None, or different functions, on staged paths, as the user's code meets them.

How to choose between what they may be is told by ``operators.optionals``; backends know the
classes, to hand such a value out, print it or take it as an operand.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from autograph.diagnostics.user_frame import user_place
from autograph.errors import ConcreteValueError
from autograph.staging.protocol import Backend


class Undecided:
    """A value of which it is known only at run time which of several Python objects it is.

    What Python code does to it is staged for each of them.  As an operand, ``chosen()`` is what
    to take.
    """

    __slots__ = ("backend",)

    backend: Backend

    def choose(self, operation: Callable[[Any], Any]) -> Any:
        """Stage ``operation`` of each object that this may be."""
        return CHOICES[type(self)](self, operation)

    def chosen(self) -> Any:
        """The value; where it is None, a TypeError at run time."""

        def taken(value: Any) -> Any:
            if value is None:
                raise TypeError("a number or tensor is needed, but the value is None")
            return self.backend.read(value)

        return self.choose(taken)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"{self!r} has no attribute {name!r} before it is decided")
        return self.choose(lambda value: getattr(value, name))

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _SLOTS:
            object.__setattr__(self, name, value)
        else:
            self.choose(lambda target: setattr(target, name, value))

    def __setitem__(self, key: Any, value: Any) -> None:
        self.choose(lambda target: target.__setitem__(key, value))

    def may_be(self) -> tuple[Any, ...]:
        """The objects of which it is one."""
        raise NotImplementedError

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the value."""
        return self.choose(lambda value: value(*args, **kwargs))

    def __bool__(self) -> bool:
        raise self._unknown("whether it is true")

    def __iter__(self) -> Iterator[Any]:
        return iter(self.choose(list))

    def __len__(self) -> int:
        raise self._unknown("its length")

    def __hash__(self) -> int:
        raise self._unknown("its hash")

    def _unknown(self, what: str) -> Exception:
        return ConcreteValueError(
            f"of {self!r}, which depends on a staged value, {what} is known only at run time",
            where=user_place(),
            help="test it with 'is None' first, or use it inside the branches",
        )


_SLOTS = frozenset(("alternatives", "backend", "facts", "index", "present", "value"))

CHOICES: dict[type, Callable[[Any, Callable[[Any], Any]], Any]] = {}
"""How each kind of undecided value is decided; filled by ``operators.optionals``."""


class StagedChoice(Undecided):
    """One of several functions, classes or variables: ``index`` is a staged number."""

    __slots__ = ("alternatives", "index")

    def __init__(self, alternatives: tuple[Any, ...], index: Any, backend: Backend) -> None:
        self.alternatives = alternatives
        self.index = index
        self.backend = backend

    def may_be(self) -> tuple[Any, ...]:
        """The functions, classes or variables."""
        return self.alternatives

    def __len__(self) -> int:
        lengths = {len(one) for one in self.alternatives}
        if len(lengths) > 1:
            raise self._unknown("its length")
        return lengths.pop()

    def __repr__(self) -> str:
        names = [getattr(one, "__qualname__", repr(one)) for one in self.alternatives]
        return f"<one of {', '.join(names)}>"


class StagedOptional(Undecided):
    """A value that is None on some staged path: ``present`` is a staged bool.

    What Python code does to it is done to the value where there is one, and to None elsewhere,
    which mostly raises, at run time, what Python raises.  A backend that hands out or prints one
    gives None where ``present`` does not hold.
    """

    __slots__ = ("facts", "present", "value")

    def __init__(self, value: Any, present: Any, backend: Backend) -> None:
        self.value = value
        self.present = present
        self.backend = backend
        self.facts: list[tuple[Any, bool | None, bool | None]] = []

    def may_be(self) -> tuple[Any, ...]:
        """The value, if there is one."""
        return (self.value,)

    def learn(self, test: Any, when_true: bool | None, when_false: bool | None) -> None:
        """Remember what the outcome of a staged test says about there being a value."""
        self.facts.append((test, when_true, when_false))

    def known(self, test: Any, outcome: bool) -> bool | None:
        """Whether there is a value where ``test`` has that outcome; None when it says nothing."""
        if test is self.present:
            return outcome
        for known, when_true, when_false in self.facts:
            if known is test:
                return when_true if outcome else when_false
        return None

    def __repr__(self) -> str:
        return f"<None or {self.value!r}>"


def _in_place(name: str) -> Callable[..., Any]:
    operation: Callable[..., Any] = getattr(operator, f"__i{name}__")

    def method(self: Undecided, other: Any) -> Any:
        if not any(hasattr(one, f"__i{name}__") for one in self.may_be()):
            return self.choose(lambda value: operation(value, other))
        self.choose(lambda value: _without_result(operation(value, other)))
        return self

    return method


def _without_result(value: Any) -> None:
    """What an operation that changes an object in place hands out is that object."""


def _delegate(name: str, swapped: bool) -> Callable[..., Any]:
    operation: Callable[..., Any] = getattr(operator, f"__{name}__")

    def method(self: Undecided, *others: Any) -> Any:
        if swapped:
            return self.choose(lambda value: operation(*others, value))
        return self.choose(lambda value: operation(value, *others))

    return method


_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
           "lshift", "rshift")  # fmt: skip
_OTHERS = ("neg", "pos", "abs", "invert", "getitem", "eq", "ne", "lt", "le", "gt", "ge")

for _name in (*_BINARY, *_OTHERS):
    setattr(Undecided, f"__{_name}__", _delegate(_name, swapped=False))
for _name in _BINARY:
    setattr(Undecided, f"__r{_name}__", _delegate(_name, swapped=True))
    setattr(Undecided, f"__i{_name}__", _in_place(_name))
