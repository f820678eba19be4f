"""Replacements for Python's builtins: a table from each builtin to the function to call instead.

A replacement behaves as the builtin unless an argument is staged; then it calls the backend's
version, if the backend has one.
"""

from __future__ import annotations

import builtins
import functools
import math
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.features import Feature
from autograph.operators.calls import compiled_callables, library, map_constructors
from autograph.operators.containers import list_ops, strings
from autograph.operators.containers.map_ops import length
from autograph.operators.containers.map_views import as_items
from autograph.operators.containers.sequences import sequence_of
from autograph.operators.control import optionals
from autograph.operators.control.conditionals import call_truth_method, checked_length, truth
from autograph.operators.iteration import itertools, lazy_iterables, sorting
from autograph.operators.iteration.iterables import LOOPS, gather
from autograph.operators.iteration.loops import open_iterable
from autograph.operators.iteration.staged_iterators import OF_SEQUENCES, OF_VALUES
from autograph.operators.names import caller_frames, optional_attributes, type_queries
from autograph.operators.state.array_creations import note_creation
from autograph.operators.state.special_methods import is_users, special
from autograph.staging.joined_number import JoinedNumber
from autograph.staging.protocol import Backend
from autograph.staging.registry import (
    lazy_backend,
    python_type,
    staging_backend,
    staging_backend_of,
    tracing_backend,
)
from autograph.staging.staged_list import StagedList, kind_of
from autograph.staging.staged_list import length as length_of_list
from autograph.staging.staged_map import StagedMap
from autograph.staging.staged_string import StagedText
from autograph.staging.staged_union import (
    StagedChoice,
    StagedReference,
    StagedUnion,
    StagedVariant,
    of_each_kind,
)
from autograph.staging.state_spec import StagedValue
from autograph.tracing import TRACES

STAGED: tuple[Callable[..., Any], ...] = (
    len, range, abs, int, float, bool, complex, max, min, sum, any, all, round, divmod, pow,
    enumerate, zip, map, filter, reversed, sorted, list, tuple, iter, next, functools.reduce,
)
"""Builtins for which a backend may have a staged version."""

def stand_in(builtin: Callable[..., Any]) -> Callable[..., Any]:
    """Return the replacement that converted code calls instead of a builtin."""
    loop = LOOPS.get(builtin)

    @functools.wraps(builtin, assigned=("__name__", "__qualname__", "__doc__"), updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs and builtin in _NAMED:
            by_position = _by_position(_NAMED[builtin], args, kwargs)
            if by_position is None:
                return builtin(*args, **kwargs)  # raises
            args, kwargs = by_position, {}
        if args and isinstance(args[0], StagedList) and builtin in _OF_LISTS and not kwargs:
            return _OF_LISTS[builtin](*args)
        # first what an argument is by its class, then which backend owns it: a union or a text
        # asks its backend for something else than a tensor of the same backend
        if TRACES and (loop is not None and builtin is not next or builtin is iter):
            args = _open_iterables(builtin, args)
        if TRACES and builtin in _STREAMING and (tracing := tracing_backend()) is not None:
            args = tuple(map(tracing.open_iterable, args))
        if any(isinstance(arg, StagedMap) for arg in args):
            if builtin is len or builtin is bool:
                return _OF_MAPS[builtin](*args)
            args = tuple(map(as_items, args))
        if builtin in _LAZY:
            args = tuple([
                sequence_of(arg, arg.ag__backend) if isinstance(arg, StagedReference) else arg
                for arg in args
            ])  # fmt: skip
        if any(isinstance(arg, StagedText) for arg in args):
            args = tuple([arg.staged() if isinstance(arg, StagedText) else arg for arg in args])
        backend = staging_backend_of(args)
        if backend is None and TRACES:
            backend = lazy_backend(args)
        if any(isinstance(arg, StagedUnion) for arg in args):
            if builtin is bool:
                return truth(*args)
            return _of_each(call, args, kwargs)
        if builtin in _ASKING and len(args) == 1 and not kwargs:
            said = _call_own_method(builtin, args[0])
            if said is not NotImplemented:
                return said if _is_of(said, builtin) else call(said)
        if loop is not None and tracing_backend() is not None:
            result = loop(*args, **kwargs)
            if result is not NotImplemented:
                return result
        if backend is None:
            return builtin(*args, **kwargs)
        return _staged_version(backend, builtin, args)(*args, **kwargs)

    return call


def _open_iterables(builtin: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the arguments of a builtin, the iterables among them opened."""
    if builtin in (max, min) and len(args) > 1:
        return args  # these are compared
    start, stop = _ITERABLES.get(builtin, (0, 1))
    return tuple([
        open_iterable(arg) if start <= place < stop and is_users(type(arg)) else arg
        for place, arg in enumerate(args)
    ])  # fmt: skip


_ITERABLES: dict[Callable[..., Any], tuple[int, float]] = {
    filter: (1, 2), functools.reduce: (1, 2), map: (1, math.inf),
}  # fmt: skip
"""Where the iterables are among the arguments of a builtin, if not in the first place alone."""

_STREAMING = (enumerate, zip, map, list)
"""Builtins that go through items of a library's own iterables, such as datasets."""

_LAZY = (enumerate, zip, map, filter, reversed, iter)
"""Builtins that go through their arguments later: one of several lists must not change then."""

_NAMED: dict[Callable[..., Any], dict[str, Any]] = {
    round: {"number": ..., "ndigits": None},
    pow: {"base": ..., "exp": ..., "mod": None},
    complex: {"real": 0.0, "imag": 0.0},
}
"""Arguments of builtins that may be given by name, in order, with their defaults."""


def _by_position(
    names: dict[str, Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, ...] | None:
    """Return the arguments by position; None for names that a builtin does not take."""
    defaults = dict([*names.items()][len(args) :])
    last_given = max([n for n, name in enumerate(defaults) if name in kwargs], default=-1)
    values = [kwargs.get(name, default) for name, default in [*defaults.items()][: last_given + 1]]
    return None if ... in values or kwargs.keys() - defaults.keys() else (*args, *values)


def staged_function(function: Any) -> Any:
    """Return the recording backend's version of a function in C, or the function itself."""
    backend = tracing_backend()
    if backend is None:
        return function
    if function not in backend.builtins:
        module: str = getattr(function, "__module__", None) or ""
        is_blind = type(function) is types.BuiltinFunctionType and module not in _ASK_THE_OBJECT
        if compiled_callables.needs_values(function):
            return compiled_callables.refusing(function)
        if not is_blind:
            return function
        return compiled_callables.refusing(function, f"{module.lstrip('_')}.{function.__name__}")

    @functools.wraps(function, assigned=("__name__", "__qualname__", "__doc__"), updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        arguments = (*args, *kwargs.values())
        if any(map(_is_given, arguments)):
            choice = of_each_kind(lambda these: call(*these, **kwargs), args)
            if choice is not NotImplemented:
                return choice
            return backend.builtins[function](*args, **kwargs)
        return note_creation(function(*args, **kwargs), arguments)

    return call


_ASK_THE_OBJECT = ("", "builtins", "_operator", "math", "cmath")
"""Modules in C whose functions use the methods of a list or dict, and so meet those of a staged."""


def _is_given(value: Any) -> bool:
    """Whether an argument is staged, or is a list or tuple with a staged item."""
    if isinstance(value, StagedText | StagedUnion | StagedList | StagedMap):
        return True
    if isinstance(value, list | tuple):
        return any(map(_is_given, value))
    return staging_backend(value) is not None


def staged_method(bound: Any) -> Any:
    """Return the recording backend's version of a builtin object's method, or the method."""
    function = getattr(type(bound.__self__), bound.__name__, None)
    stand_in = staged_function(function)
    return bound if stand_in is function else functools.partial(stand_in, bound.__self__)


_OF_LISTS: Mapping[Callable[..., Any], Callable[..., Any]] = {
    bool: truth, len: length_of_list, list: list_ops.copy, tuple: list_ops.tuple_of,
}  # fmt: skip
_OF_MAPS: Mapping[Callable[..., Any], Callable[..., Any]] = {bool: truth, len: length}
_ASKING: tuple[Callable[..., Any], ...] = (bool, len, int, float)
"""Builtins that ask a method of the value's class, which has to give a value of their kind."""

_plain_list = stand_in(list)


def _list(*args: Any) -> list[Any]:
    """``list``: returns a list that can become staged, where a backend records."""
    if args and isinstance(args[0], StagedReference):
        return args[0].ag__apply_to_each(_list)
    items = _plain_list(*args)
    return list_ops.list_(items if isinstance(items, list) else gather(items))


def _of_each(call: Callable[..., Any], args: tuple[Any, ...], kwargs: Any) -> Any:
    """Call a builtin for each object that an argument may be, and join the results."""
    position = next(n for n, arg in enumerate(args) if isinstance(arg, StagedUnion))
    before, union, after = args[:position], args[position], args[position + 1 :]
    if isinstance(union, JoinedNumber) and call.__name__ == "range":
        index = union.ag__index("{kind!r} object cannot be interpreted as an integer")
        return call(*before, index, *after, **kwargs)
    if isinstance(union, StagedVariant) and call.__name__ == "range":
        return call(*before, union.ag__apply_to_each(_index), *after, **kwargs)
    if isinstance(union, (StagedChoice, StagedVariant, JoinedNumber)):
        return union.ag__apply_to_each(lambda value: call(*before, value, *after, **kwargs))
    return call(*before, union.ag__operand(), *after, **kwargs)


def _index(value: Any) -> Any:
    """Return an int; TypeError, at run time, for a value of another kind."""
    backend = staging_backend(value)
    scalar = None if backend is None else backend.array_type(value)
    if backend is not None and _is_whole_scalar(scalar):
        return backend.builtins[int](value)
    kind = scalar or python_type(value) or kind_of(value)
    if kind not in (int, bool) and not isinstance(value, JoinedNumber):
        raise TypeError(f"{kind.__name__!r} object cannot be interpreted as an integer")
    return value


def _is_whole_scalar(kind: Any) -> bool:
    """Whether a class is one of an array's whole scalars, and not of arrays."""
    return hasattr(kind, "__index__") and not hasattr(kind, "__setitem__")


def _is_of(value: Any, builtin: Any) -> bool:
    return builtin is len or staging_backend(value) is None or python_type(value) is builtin


def _call_own_method(builtin: Any, value: Any) -> Any:
    """Call the method of the value's class, written in Python, that a builtin would call."""
    if builtin is bool:
        result = call_truth_method(value)
        return NotImplemented if result is value else result
    name = f"__{builtin.__name__}__"
    method = special(value, name)
    if method is None:
        return NotImplemented
    said = method()
    expected = int if builtin is len else builtin
    if staging_backend(said) is None and not isinstance(said, expected):
        kind, expected_name = type(said).__name__, expected.__name__
        raise TypeError(f"{type(value).__name__}.{name} returned non-{expected_name} (type {kind})")
    return checked_length(said) if builtin is len else said


def _staged_version(
    backend: Backend, builtin: Callable[..., Any], args: tuple[Any, ...]
) -> Callable[..., Any]:
    """Return a builtin's staged version for these arguments: autograph's own or the backend's."""
    if builtin in lazy_iterables.BUILTINS and any(map(lazy_iterables.is_lazy, args)):
        return functools.partial(lazy_iterables.BUILTINS[builtin], backend)
    if builtin in OF_VALUES:
        return functools.partial(OF_VALUES[builtin], backend)
    if builtin in OF_SEQUENCES and args and isinstance(args[0], StagedValue):
        return functools.partial(OF_SEQUENCES[builtin], backend)
    if builtin is sorted:
        return functools.partial(sorting.staged_sorted, backend)
    version = backend.builtins.get(builtin)
    if version is None and builtin is bool:
        return truth
    if version is None:
        raise ConcreteValueError(
            f"{builtin.__name__}() needs concrete values, but got a staged one",
            where=user_line(),
            help=f"use an operation of {backend.name} that does the same",
        )
    return version


def print_(
    *values: Any, sep: str | None = " ", end: str | None = "\n", file: Any = None,
    flush: bool = False,
) -> None:
    """``print``: staged while a backend records, so that all lines keep their order."""
    backend = staging_backend_of(values) or tracing_backend()  # it knows optionals and texts
    if backend is None:
        builtins.print(*values, sep=sep, end=end, file=file, flush=flush)
        return
    backend.print(
        *[as_text(value) for value in values],
        sep=_text_between("sep", sep, " "),
        end=_text_between("end", end, "\n"),
        file=sys.stdout if file is None else file,
        flush=flush,
    )


def _text_between(name: str, text: Any, default: str) -> Any:
    if text is None:
        return default
    kind = type(text)
    if not (kind is str or isinstance(text, str | StagedText)):
        kind = python_type(text) or kind
        if kind is not str:
            raise TypeError(f"{name} must be None or a string, not {kind.__name__}")
    return text


def as_text(value: Any) -> Any:
    """Return a value to print: its text as it is now, if what it refers to may change."""
    is_leaf = strings.is_leaf(value) and not isinstance(value, StagedUnion)
    return value if is_leaf else strings.str_(value)


def stand_ins(features: frozenset[Feature]) -> Mapping[Any, Callable[..., Any]]:
    """Return the table of replacements for a set of features."""
    table: dict[Any, Callable[..., Any]] = {}
    for stand_ins_of in (caller_frames, optional_attributes, optionals, type_queries, strings):
        table.update(stand_ins_of.STAND_INS)
    if Feature.BUILTIN_FUNCTIONS in features:
        table.update((builtin, stand_in(builtin)) for builtin in STAGED)
        table.update(itertools.STAND_INS)
        table.update(library.STAND_INS)
        table.update(compiled_callables.STAND_INS)
        table.update(map_constructors.STAND_INS)
        table[list] = _list
    if Feature.PRINT in features:
        table[print] = print_
    return table
