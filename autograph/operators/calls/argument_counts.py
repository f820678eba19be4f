"""How many arguments a callable takes, and the TypeError that Python raises for other numbers.

For ``starred_calls``, which stages calls of which only the run knows the number of arguments.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import types
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from autograph.operators.calls.variadic_functions import method_name
from autograph.staging.staged_list import TracedList, kind_of
from autograph.staging.staged_map import TracedMap

_UNDOCUMENTED: Mapping[Any, tuple[int, int]] = {
    range: (1, 3), slice: (1, 3), int: (0, 2), str: (0, 3), set: (0, 1), frozenset: (0, 1),
    dict: (0, 1), bool: (0, 1), iter: (1, 2), next: (1, 2), getattr: (2, 3), filter: (2, 2),
    itertools.islice: (2, 4), complex: (0, 2), float: (0, 1), list: (0, 1), tuple: (0, 1),
    reversed: (1, 1),
}  # fmt: skip
"""The numbers of arguments of callables in C that have no signature, in some Python at least."""

class ArgumentCounts:
    """Numbers of further arguments that a call takes, after those ``given`` and with keywords."""

    def __init__(self, function: Any, passed: int, keywords: Mapping[str, Any]) -> None:
        self._given = passed
        self._keywords = keywords
        in_python = type(function) is types.FunctionType
        self._called: Callable[..., Any] = _stub(*_form(function)) if in_python else function
        signature = signature_of(function)
        self.is_known = signature is not None
        """Whether anything is known of the callable's parameters."""
        self._signature = signature or inspect.Signature()
        kinds = [parameter.kind for parameter in self._signature.parameters.values()]
        starred = inspect.Parameter.VAR_POSITIONAL
        self.is_variadic = starred in kinds
        self.rest = [*self._signature.parameters][kinds.index(starred)] if starred in kinds else ""
        """Name of ``*args``."""
        by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        places = sum(kind in by_place for kind in kinds)
        self.places = max(places - passed, 0)
        """Number of parameters that are not given yet and take an argument by place."""
        self.surplus = max(passed - places, 0)
        """Number of arguments that are given and go to ``*args``."""

    def takes(self, count: int) -> bool:
        """Whether so many further arguments are right."""
        try:
            self._signature.bind(*[None] * (self._given + count), **self._keywords)
        except TypeError:
            return False
        return True

    def error(self, count: int) -> str:
        """Return the words of Python's error for a number that is wrong."""
        try:
            self._called(*[None] * (self._given + count), **self._keywords)
        except TypeError as error:
            return str(error)
        raise AssertionError(f"{self._called} takes {count} arguments")

    def error_around(self, count: int) -> tuple[str, str, int] | str:
        """Return the words of the error for this number and more of them.

        They are the words before the number of all arguments and behind it, and how many of these
        come before the further ones; or all words, where they do not say how many.
        """
        words, words_for_more = self.error(count), self.error(count + 1)
        if words == words_for_more:
            return words
        before, _, behind = words.rpartition(str(self._given + count))
        assert words_for_more == f"{before}{self._given + count + 1}{behind}"
        return before, behind, self._given


def signature_of(function: Any) -> inspect.Signature | None:
    """Return the parameters of a callable itself; None where they are not known."""
    if type(function) is types.FunctionType:
        # its own parameters, whatever it says of itself in __signature__ and __wrapped__
        bare = types.FunctionType(
            function.__code__, {}, function.__name__, function.__defaults__, function.__closure__
        )
        bare.__kwdefaults__ = function.__kwdefaults__
        return inspect.signature(bare)
    try:
        if function in _UNDOCUMENTED:
            least, most = _UNDOCUMENTED[function]
            return inspect.Signature([_place(n, n >= least) for n in range(most)])
        return inspect.signature(function)
    except (ValueError, TypeError):
        return None


def _place(number: int, has_default: bool) -> inspect.Parameter:
    default = None if has_default else inspect.Parameter.empty
    return inspect.Parameter(f"x{number}", inspect.Parameter.POSITIONAL_ONLY, default=default)


def _form(function: types.FunctionType) -> tuple[str, str]:
    """Return the parameters of a function as text, with None for defaults; and its long name."""
    signature = signature_of(function)
    assert signature is not None
    parameters = [
        p.replace(
            annotation=p.empty, default=p.empty if p.default is p.empty else None
        )
        for p in signature.parameters.values()
    ]
    return str(inspect.Signature(parameters)), function.__qualname__


@lru_cache(maxsize=256)
def _stub(parameters: str, name: str) -> Callable[..., Any]:
    """Return a function with these parameters that does nothing: calls of it raise for others."""
    namespace: dict[str, Any] = {}
    exec(f"def stub{parameters}: pass", namespace)
    stub: Callable[..., Any] = namespace["stub"]
    stub.__qualname__ = name
    return stub


def parameters_of(function: Any) -> tuple[Any, int]:
    """Return what has the parameters of a callable, and how many Python passes by itself."""
    kind = type(function)
    holder = getattr(function, "__self__", None)
    if kind is types.MethodType and isinstance(holder, TracedList | TracedMap):
        return getattr(kind_of(holder)(), method_name(function)), 0  # Python's own method
    if kind is types.MethodType:
        inner, number = parameters_of(function.__func__)
        return inner, number + 1
    if isinstance(function, functools._lru_cache_wrapper):
        return parameters_of(function.__wrapped__)
    if kind in (types.FunctionType, types.BuiltinFunctionType):
        return function, 0
    if issubclass(kind, type):
        names: tuple[str, ...] = ("__init__", "__new__")
        owner = function if kind.__call__ is type.__call__ else object
    else:
        names, owner = ("__call__",), kind
    for name in names:
        method = next((vars(base)[name] for base in owner.__mro__ if name in vars(base)), None)
        inner = method.__func__ if isinstance(method, staticmethod) else method
        if type(inner) is types.FunctionType:
            return inner, 1
    return function, 0
