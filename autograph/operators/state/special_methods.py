"""Special methods: operator methods, properties and descriptors, which Python calls implicitly.

    p + q                =>  p + q                     # but P.__add__ is converted

Generated code contains no call to convert.  While a backend is tracing, such methods are therefore
patched in the classes of the objects that converted code can reach: the patched method runs the
conversion in a thread that is tracing, and the original elsewhere.  When the last trace ends, the
classes get their own methods back.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import operator
import sys
import types
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from autograph.conversion.conversion import names_in
from autograph.conversion.convert_hook import converted, converted_anyway
from autograph.operators.state.attributes import members
from autograph.operators.state.closure_cells import UNDEFINED, contents
from autograph.operators.state.guarded_classes import put_back
from autograph.operators.state.skip_list import is_skipped, is_skipped_function
from autograph.operators.state.unroll_limits import check_unrolling, staged_raises
from autograph.staging.registry import owning_backend, staging_backend, tracing_backend
from autograph.staging.staged_list import StagedList
from autograph.staging.staged_map import StagedMap
from autograph.syntax.fork_safe_lock import fork_safe_lock
from autograph.syntax.heap_types import is_heap_type
from autograph.tracing import TRACES, when_traces_end

_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul", "and",
           "or", "xor", "lshift", "rshift")  # fmt: skip
_OTHERS = ("neg", "pos", "abs", "invert", "round", "trunc", "floor", "ceil", "eq", "ne", "lt", "le",
           "gt", "ge", "getitem", "setitem", "delitem", "missing", "getattr", "setattr", "delattr",
           "get", "set", "delete", "iter", "reversed", "contains")  # fmt: skip
IMPLICIT = frozenset(
    f"__{prefix}{name}__" for name in _BINARY for prefix in ("", "r", "i")
) | frozenset(f"__{name}__" for name in _OTHERS)
"""The special methods to patch: those whose result Python does not check."""

_MOST_READS = 100
"""Staged items that are read one after the other in Python's own code: each may raise, and the time
to trace what may raise grows with what may have raised before (500 take a minute)."""

_COLLECTIONS = (list, tuple, dict, set, frozenset, deque)
_PLAIN = (bool, int, float, complex, str, bytes, type(None), types.ModuleType)
_FUNCTIONS = (types.FunctionType, types.MethodType, functools.partial)
_MOST_OBJECTS = 2000
_LONGEST = 200

COMPARED: dict[str, Callable[[Any, Any], Any]] = {}
"""How the tuples of two dataclass objects' fields are compared; filled by ``comparisons``."""

OF_DICTS: dict[str, Callable[[Any, Any], Any]] = {}
"""Operators of dicts in C, and what they do with a staged right operand; filled by
``dict_methods``."""

_lock = fork_safe_lock()
_patched: dict[type, dict[str, tuple[Any, Any]]] = {}
"""For each class patched until the last trace ends: names, originals, replacements of methods."""

# From 3.13 on a class has 1,000 versions; once they are used up, CPython's inline caches no longer
# see its changes.  A class that was patched this often keeps its dispatching methods.
_MOST_PATCHES = 10 if sys.version_info >= (3, 13) else math.inf
_patches: weakref.WeakKeyDictionary[type, int] = weakref.WeakKeyDictionary()
_kept: weakref.WeakSet[type] = weakref.WeakSet()


def patch_reachable(values: Iterable[Any]) -> None:
    """Patch the classes of all objects that can be reached from some values."""
    waiting, seen = deque(values), set[int]()
    while waiting and len(seen) < _MOST_OBJECTS:
        value = waiting.popleft()
        kind = type(value)
        if kind in _PLAIN or isinstance(value, StagedList | StagedMap) or id(value) in seen:
            continue
        seen.add(id(value))
        if kind in _COLLECTIONS:
            items = list.__iter__(value) if isinstance(value, list) else value
            if operator.length_hint(items) <= _LONGEST:
                waiting.extend(value.values() if kind is dict else items)
        elif kind in _FUNCTIONS:
            waiting.extend(_objects_behind(value))
        elif isinstance(value, type):
            patch_class(value)
        elif is_users(kind) and owning_backend(value) is None:
            patch_class(kind)
            waiting.extend(members(value).values())


def _objects_behind(function: Any) -> Iterable[Any]:
    """Return what a function refers to besides its arguments."""
    if isinstance(function, functools.partial):
        return (function.func, *function.args, *function.keywords.values())
    if isinstance(function, types.MethodType):
        return (function.__self__, function.__func__)
    return (*map(contents, function.__closure__ or ()), *_globals(function))


def _globals(function: types.FunctionType) -> list[Any]:
    """Return the objects of the global names in a function, except functions and classes."""
    namespace = function.__globals__
    if is_skipped_function(function):
        return []
    values = (namespace[name] for name in names_in(function.__code__) if name in namespace)
    return [value for value in values if not isinstance(value, (type, *_FUNCTIONS))]


def is_users(kind: type) -> bool:
    """Whether a class was written in Python outside of the skipped libraries."""
    return is_heap_type(kind) and not is_skipped(kind.__module__)


def patch_class(cls: type) -> None:
    """Patch the special methods of a class and its bases until the last trace ends."""
    if _is_patched(cls) or not is_users(cls):
        return
    for base in cls.__mro__:
        if not _is_patched(base) and is_users(base):
            _patch_class(base)


def _is_patched(cls: type) -> bool:
    return cls in _patched or cls in _kept


def _patch_class(cls: type) -> None:
    with _lock:
        if _is_patched(cls):
            return
        if not _patched:
            when_traces_end(_restore_classes)
        mine = _patched[cls] = {}
        for name, value in list(vars(cls).items()):
            instead = _replacement(cls, name, value)
            if instead is not None:
                type.__setattr__(cls, name, instead)
                mine[name] = value, instead
        for name, instead in _combining(cls):
            type.__setattr__(cls, name, instead)
            mine[name] = UNDEFINED, instead
    for value in list(vars(cls).values()):
        if hasattr(type(value), "__get__") and is_users(type(value)):
            patch_class(type(value))


def _replacement(cls: type, name: str, value: Any) -> Any:
    """Return the replacement of a class attribute; None if it stays."""
    kind = type(value)
    if kind is types.FunctionType and name in COMPARED and _has_no_source(cls, value):
        return _comparing(value, COMPARED[name], cls)
    if kind is types.FunctionType and name == "__getitem__" and not hasattr(cls, "__iter__"):
        return _by_number(_dispatching(value))
    if kind is types.FunctionType:
        return _dispatching(value) if name in IMPLICIT else None
    if kind is property and name != "__class__":  # no class takes another one
        get, change, delete = map(_dispatching, (value.fget, value.fset, value.fdel))
        return property(get, change, delete, value.__doc__)
    if kind is functools.cached_property:
        replacement = functools.cached_property(_dispatching(value.func))
        replacement.__set_name__(cls, value.attrname or name)
        return replacement
    return None


def _combining(cls: type) -> Iterator[tuple[str, Any]]:
    """Return the operators in C that a subclass of dict inherits, for staged dicts, too.

    C code does not ask a staged right operand, whose class is no subclass of the left one's.
    """
    for name, combine in OF_DICTS.items() if issubclass(cls, dict) else ():
        plain = vars(dict)[name]
        if getattr(cls, name, None) is plain:
            yield name, _with_staged_operand(plain, combine)


def _with_staged_operand(plain: Any, combine: Callable[[Any, Any], Any]) -> Any:
    @functools.wraps(plain, assigned=("__name__", "__qualname__", "__doc__"), updated=())
    def method(self: Any, other: Any) -> Any:
        return combine(self, other) if isinstance(other, StagedMap) else plain(self, other)

    return method


def _dispatching(function: Any) -> Any:
    """Return a method that runs its conversion where this thread records."""
    if type(function) is not types.FunctionType:
        return function

    @functools.wraps(function)
    def method(*args: Any, **kwargs: Any) -> Any:
        if tracing_backend() is None:
            return function(*args, **kwargs)
        if function.__module__ == "functools":
            return converted_anyway(function)(*args, **kwargs)
        # as a method of an object: it may change what only its class reaches
        return converted(types.MethodType(function, args[0]))(*args[1:], **kwargs)

    return method


def _by_number(getitem: Callable[..., Any]) -> Callable[..., Any]:
    """Return the ``__getitem__`` of a class without ``__iter__``, which Python's own code calls
    with 0, 1, 2, ... until it raises IndexError; that may be known to the run alone.
    """
    reads: tuple[int | None, int] = None, 0  # the identity of the object, how many items in a row

    @functools.wraps(getitem)
    def method(self: Any, key: Any) -> Any:
        nonlocal reads
        raised = staged_raises.count
        item = getitem(self, key)
        if type(key) is int and tracing_backend() is not None:
            count = reads[1] if reads[0] == id(self) else 0
            reads = id(self), count + 1 if key == count else int(key == 0)
            if staged_raises.count != raised or staging_backend(item) is not None:
                check_unrolling(reads[1], self, _MOST_READS)
        return item

    return method


def _has_no_source(cls: Any, function: types.FunctionType) -> bool:
    """Whether ``dataclass`` wrote a method."""
    return dataclasses.is_dataclass(cls) and function.__code__.co_filename == "<string>"


def _comparing(function: Any, compare: Callable[[Any, Any], Any], cls: Any) -> Any:
    """Return a method that does the same as a comparison that ``dataclass`` wrote."""
    names = [field.name for field in dataclasses.fields(cls) if field.compare]

    @functools.wraps(function)
    def method(self: Any, other: Any) -> Any:
        if tracing_backend() is None:
            return function(self, other)
        if other.__class__ is not self.__class__:
            return NotImplemented
        mine, its = ([getattr(instance, name) for name in names] for instance in (self, other))
        return compare(tuple(mine), tuple(its))

    return method


def _restore_classes() -> None:
    """Restore the methods of all patched classes, except those replaced by others meanwhile."""
    with _lock:
        for cls, mine in _patched.items():
            _patches[cls] = _patches.get(cls, 0) + 1
            if _patches[cls] >= _MOST_PATCHES:
                _kept.add(cls)
                continue
            for name, (value, instead) in mine.items():
                put_back(cls, name, instead, value)
        _patched.clear()


def special(value: Any, name: str) -> Callable[..., Any] | None:
    """Return a user class's method that Python calls, converted and bound; None if absent."""
    if not TRACES or not is_users(type(value)) or tracing_backend() is None:
        return None
    method = next((vars(base)[name] for base in type(value).__mro__ if name in vars(base)), None)
    if type(method) is not types.FunctionType or owning_backend(value) is not None:
        return None
    bound: Callable[..., Any] = converted(types.MethodType(method, value))
    return bound
