"""Objects that an object refers to although they are not among its contents; used by ``heap``."""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator
from typing import Any

from autograph.operators.state.attributes import attributes
from autograph.operators.state.code_names import assigned_globals, names_in
from autograph.operators.state.holders import GlobalNames, held_by, is_users
from autograph.operators.state.iterator_progress import ITERATORS, wrapped_iterators
from autograph.operators.state.sentinels import MaybeValue
from autograph.operators.state.skip_list import is_skipped_function
from autograph.staging.access import TracedContainer
from autograph.staging.chosen_storage import ChosenStorage
from autograph.staging.staged_array import StagedArray
from autograph.staging.staged_list import TracedList, contents_of
from autograph.staging.staged_map import TracedMap, map_contents
from autograph.staging.staged_sequence import StagedSequence
from autograph.staging.staged_union import StagedUnion
from autograph.tracing import CallsPython


def reached_from(holder: Any, label: str) -> Iterator[tuple[str, Any]]:
    """Return what a holder reaches although it is not among its contents."""
    if isinstance(holder, StagedUnion):
        yield from ((label, reached) for reached in holder.ag__possible_objects)
    elif isinstance(holder, ChosenStorage):
        yield from ((label, storage) for storage in holder.possibly_changed())
    elif isinstance(holder, ITERATORS):
        yield from ((label, reached) for reached in wrapped_iterators(holder))
    elif isinstance(holder, MaybeValue):
        yield label, holder.ag__value
    elif isinstance(holder, CallsPython):
        yield label, holder.python_function
    elif isinstance(holder, types.BuiltinMethodType | types.MethodWrapperType):
        yield label, holder.__self__
    elif isinstance(holder, functools.partial):
        yield label, holder.func
        yield from ((label, value) for value in (*holder.args, *holder.keywords.values()))
    elif isinstance(holder, types.MethodType):
        yield label, holder.__self__
        yield label, holder.__func__
    elif isinstance(holder, types.FunctionType):
        code = holder.__code__
        cells = zip(code.co_freevars, holder.__closure__ or (), strict=True)
        if is_skipped_function(holder):  # an operator's own function: only what it calls matters
            inner = ((n, v) for n, cell in cells for v in held_by(cell).values())
            called = ((n, f) for n, v in inner for f in (v if type(v) is tuple else (v,)))
            for name, reached in called:
                if isinstance(reached, (types.FunctionType, StagedArray, StagedSequence)):
                    yield name, reached.at if isinstance(reached, StagedSequence) else reached
            return
        yield from cells
        yield from _defaults(holder)
        yield holder.__name__, vars(holder)  # its attributes
        yield from globals_of(holder)
    elif isinstance(holder, TracedList):
        items = enumerate(contents_of(holder).items)
        yield from ((f"{label}[{number}]", item) for number, item in items)
        yield from _homes(holder, label)
    elif isinstance(holder, TracedMap):
        yield from _homes(holder, label)
        contents = map_contents(holder)
        if contents.backend is None:
            pairs = zip(contents.keys.items, contents.values.items, strict=False)
            yield from ((f"{label}[{key!r}]", item) for key, item in pairs)
    elif isinstance(holder, (dict, list)) and type(holder) not in (dict, list):
        contents = attributes(holder)
        if isinstance(contents, dict):
            yield label, contents
    elif is_users(type(holder)):
        yield from ((base.__name__, base) for base in type(holder).__mro__ if is_users(base))


def _homes(holder: TracedContainer, label: str) -> Iterator[tuple[str, Any]]:
    if holder.access is not None and holder.access.home is not None:
        yield label, holder.access.home.holder


def _defaults(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """Return the default values of a function's parameters, with their names."""
    code, values = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[: code.co_argcount]
    yield from zip(names[len(names) - len(values) :], values, strict=True)
    yield from (function.__kwdefaults__ or {}).items()


def globals_of(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """Return what the global names in a function refer to, and a holder of those it assigns."""
    code, namespace = function.__code__, function.__globals__
    yield from ((name, namespace[name]) for name in names_in(code) if name in namespace)
    assigned = assigned_globals(code)
    if assigned:
        yield "", GlobalNames(namespace, assigned)
