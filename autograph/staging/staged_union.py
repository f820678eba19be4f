"""Staged unions: values that are None, or different Python objects, on different staged paths.

A part of the staging protocol.  ``operators.control.optionals`` stages an operation of each
alternative; backends know the classes, because they return, print and convert such values.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.staging.protocol import Backend
from autograph.staging.staged_array import StagedArray
from autograph.staging.staged_collection import kind_of

_TEXTS = frozenset(("__name__", "__qualname__", "__module__"))
"""Attributes of functions and classes that are texts, and so may be staged."""


class StagedUnion:
    """One of several Python objects; which one is known only at run time.

    An operation on the union is staged for each of its alternatives.  The union's own attributes
    begin with ``ag__``, so that they hide no attribute of the program's objects.
    """

    __slots__ = ("ag__backend",)

    ag__backend: Backend

    def ag__apply_to_each(self, operation: Callable[[Any], Any]) -> Any:
        """Stage ``operation`` of each alternative, and return the joined result."""
        return APPLY_TO_EACH[type(self)](self, operation)

    def ag__operand(self) -> Any:
        """Return the value to compute with.  Where it is None, TypeError is raised at run time."""

        def present_value(value: Any) -> Any:
            if value is None:
                raise TypeError("a number or tensor is needed, but the value is None")
            return self.ag__backend.read(value)

        return self.ag__apply_to_each(present_value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("__", "ag__")) and name not in _TEXTS:
            raise AttributeError(
                f"{self!r} has no attribute {name!r} before it is known at run time"
            )
        return self.ag__apply_to_each(lambda value: getattr(value, name))

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("ag__"):
            object.__setattr__(self, name, value)
        else:
            self.ag__apply_to_each(lambda target: setattr(target, name, value))

    def __setitem__(self, key: Any, value: Any) -> None:
        self.ag__apply_to_each(lambda target: target.__setitem__(key, value))

    def __delitem__(self, key: Any) -> None:
        self.ag__apply_to_each(lambda target: target.__delitem__(key))

    @property
    def ag__possible_objects(self) -> tuple[Any, ...]:
        """Return the Python objects that the value may be, except None."""
        raise NotImplementedError

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the value."""
        return self.ag__apply_to_each(lambda value: value(*args, **kwargs))

    def __bool__(self) -> bool:
        raise self._unknown("the truth value")

    def __iter__(self) -> Iterator[Any]:
        return iter(self.ag__apply_to_each(list))

    def __len__(self) -> int:
        raise self._unknown("the length")

    def __hash__(self) -> int:
        raise self._unknown("the hash")

    def _unknown(self, need: str) -> Exception:
        return ConcreteValueError(
            f"{need} of {self!r}, which depends on a staged value, is known only at run time",
            where=user_line(),
            help="test it with 'is None' first, or use it inside the branches",
        )


APPLY_TO_EACH: dict[type, Callable[[Any, Callable[[Any], Any]], Any]] = {}
"""How an operation is staged for each kind of union; filled by ``operators.control.optionals``."""


class StagedAlternatives(StagedUnion):
    """One of several values: ``ag__index`` is a staged number."""

    __slots__ = ("ag__alternatives", "ag__index")

    def __init__(self, alternatives: tuple[Any, ...], index: Any, backend: Backend) -> None:
        self.ag__alternatives = alternatives
        self.ag__index = index
        self.ag__backend = backend

    @property
    def ag__possible_objects(self) -> tuple[Any, ...]:
        """Return the values."""
        return self.ag__alternatives


class StagedChoice(StagedAlternatives):
    """One of several functions, classes or variables."""

    __slots__ = ()

    def __len__(self) -> int:
        lengths = {len(alternative) for alternative in self.ag__alternatives}
        if len(lengths) > 1:
            raise self._unknown("the length")
        return lengths.pop()

    def __repr__(self) -> str:
        names = [getattr(value, "__qualname__", repr(value)) for value in self.ag__alternatives]
        return f"<one of {', '.join(names)}>"


class StagedVariant(StagedAlternatives):
    """A value of one of several kinds, such as a number or a text.

    Of its alternatives, one of each kind, only the one that the index says means anything.
    """

    __slots__ = ()

    def __copy__(self) -> Any:
        return self.ag__apply_to_each(copy.copy)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self.ag__apply_to_each(lambda value: copy.deepcopy(value, memo))

    def __repr__(self) -> str:
        return f"<{' or '.join(type(value).__name__ for value in self.ag__alternatives)}>"


class StagedReference(StagedVariant):
    """One of several lists, dicts or sets, to each of which other names may refer, too."""

    __slots__ = ()

    def __copy__(self) -> Any:
        return self.ag__apply_to_each(lambda value: value.copy())

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return copy.deepcopy(copy.copy(self), memo)

    def __repr__(self) -> str:
        kind = kind_of(self.ag__alternatives[0]).__name__
        return f"<one of {len(self.ag__alternatives)} {kind}s>"


class StagedOptional(StagedUnion):
    """A value that is None on some staged path: ``ag__present`` is a staged bool.

    An operation on it is staged for the value and for None; for None most operations raise, at
    run time, what Python raises.  A backend returns or prints None where ``ag__present`` is false.
    """

    __slots__ = ("ag__facts", "ag__present", "ag__value")

    def __init__(self, value: Any, present: Any, backend: Backend) -> None:
        self.ag__value = value
        self.ag__present = present
        self.ag__backend = backend
        self.ag__facts: list[tuple[Any, bool | None, bool | None]] = []

    @property
    def ag__possible_objects(self) -> tuple[Any, ...]:
        """Return the value that is there unless it is None."""
        return (self.ag__value,)

    def ag__learn(self, test: Any, when_true: bool | None, when_false: bool | None) -> None:
        """Record whether there is a value where a staged test is true, and where it is false."""
        self.ag__facts.append((test, when_true, when_false))

    def ag__known(self, test: Any, outcome: bool) -> bool | None:
        """Return whether there is a value where ``test`` has that outcome; None if that is not
        known.
        """
        if test is self.ag__present:
            return outcome
        for fact, when_true, when_false in self.ag__facts:
            if fact is test:
                return when_true if outcome else when_false
        return None

    def __repr__(self) -> str:
        return f"<None or {self.ag__value!r}>"


def of_each_kind(call: Callable[[list[Any]], Any], values: Sequence[Any]) -> Any:
    """Call with the values for each kind of the first variant; NotImplemented if there is none."""
    number = next((n for n, value in enumerate(values) if type(value) is StagedVariant), None)
    if number is None:
        return NotImplemented
    before, after = values[:number], values[number + 1 :]
    return values[number].ag__apply_to_each(lambda value: call([*before, value, *after]))


def _in_place(name: str) -> Callable[..., Any]:
    operation: Callable[..., Any] = getattr(operator, f"__i{name}__")

    def method(self: StagedUnion, other: Any) -> Any:
        if not all(_changes(holder, f"__i{name}__") for holder in self.ag__possible_objects):
            return self.ag__apply_to_each(lambda value: operation(value, other))
        self.ag__apply_to_each(lambda value: _without_result(operation(value, other)))
        return self

    return method


def _changes(value: Any, name: str) -> bool:
    """Whether an in-place operator changes a value, rather than return another one."""
    if isinstance(value, StagedArray):
        return value.storage is not None
    method = getattr(type(value), name, None)
    return method is not None and not getattr(method, "rebinds", False)


def _without_result(value: Any) -> None:
    """Return the object itself instead of the result of an operation that changes it in place."""


def _delegate(name: str, swapped: bool) -> Callable[..., Any]:
    operation: Callable[..., Any] = getattr(operator, f"__{name}__")

    def method(self: StagedUnion, *operands: Any) -> Any:
        if len(operands) == 1 and type(operands[0]) is StagedVariant:
            return operands[0].ag__apply_to_each(lambda operand: operation(self, operand))
        if swapped:
            return self.ag__apply_to_each(lambda value: operation(*operands, value))
        return self.ag__apply_to_each(lambda value: operation(value, *operands))

    return method


_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
           "lshift", "rshift")  # fmt: skip
_OTHERS = ("neg", "pos", "abs", "invert", "getitem", "eq", "ne", "lt", "le", "gt", "ge")

for _name in (*_BINARY, *_OTHERS):
    setattr(StagedUnion, f"__{_name}__", _delegate(_name, swapped=False))
for _name in _BINARY:
    setattr(StagedUnion, f"__r{_name}__", _delegate(_name, swapped=True))
    setattr(StagedUnion, f"__i{_name}__", _in_place(_name))
