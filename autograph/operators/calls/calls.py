"""Calls: ``ag__.call`` finds the conversion of a callable that converted code is about to call."""

from __future__ import annotations

import functools
import sys
import types
import weakref
from collections.abc import Callable
from enum import EnumMeta
from typing import Any

from autograph.conversion.conversion import Converter, staged_version
from autograph.diagnostics import verbosity
from autograph.errors import ConversionError
from autograph.operators.calls import (
    cached_functions,
    compiled_callables,
    outside_methods,
    text_methods,
)
from autograph.operators.calls.builtins import staged_function, staged_method, stand_ins
from autograph.operators.calls.constructors import constructor
from autograph.operators.calls.recursion import detect_recursion
from autograph.operators.calls.starred_calls import starred
from autograph.operators.containers.enums import by_value
from autograph.operators.control.path_tracing import note_call
from autograph.operators.iteration import sorting
from autograph.operators.iteration.generators import GENERATOR, as_stream
from autograph.operators.names import caller_frames
from autograph.operators.state.outside_world import check as check_outside_world
from autograph.operators.state.skip_list import is_skipped
from autograph.operators.state.special_methods import patch_reachable
from autograph.staging.possible_numbers import refuse_possible_number
from autograph.staging.registry import may_stage, python_type, staging_backend, tracing_backend
from autograph.staging.staged_union import StagedUnion
from autograph.staging.unsupported import check_supported
from autograph.syntax.code_markers import VersionLink, is_converted, is_inside_unstaged
from autograph.syntax.heap_types import is_heap_type
from autograph.syntax.inline_cache import UNKNOWN, InlineCache
from autograph.tracing import TRACES

_FunctionType = types.FunctionType
_MethodType = types.MethodType
_BuiltinType = types.BuiltinFunctionType
_ModuleType = types.ModuleType
_frame_stand_ins = caller_frames.STAND_INS
_C_TYPES = (types.MethodWrapperType, types.WrapperDescriptorType, types.MethodDescriptorType,
            types.ClassMethodDescriptorType, functools._lru_cache_wrapper)


_SINGLEDISPATCH = getattr(functools.singledispatch(lambda value: value), "__code__", None)
"""The code of all functions that ``functools.singledispatch`` makes."""

_COLLECTIONS = (dict, set, frozenset, tuple, list)

_VALUES = (str, int, float)
"""Classes whose methods a backend may stage."""


class CallResolver:
    """Looks up callables for code converted with one set of features."""

    def __init__(self, converter: Converter, recursive: bool = True) -> None:
        self.converter = converter
        self.look_up = self.call if recursive else self.builtin
        self._stand_ins = stand_ins(converter.features)
        self._functions: dict[
            int, tuple[weakref.ref[Any], types.FunctionType | None, types.CodeType]
        ] = {}

    def call(self, function: Any) -> Any:
        """Return what to call instead of ``function``: its conversion, a replacement, or itself."""
        kind = type(function)
        if not TRACES:
            # the hot path: a builtin is itself, a function that was met before costs one look-up
            if kind is _BuiltinType:
                return _frame_stand_ins.get(function, function)
            met = self._met(function)
            if met is not None:
                return met
        else:
            check_outside_world(function)
        if kind is _FunctionType:
            if function.__code__ is _SINGLEDISPATCH and tracing_backend() is not None:
                return self.dispatching(function)
            if TRACES and (stand_in := self._stand_ins.get(function)) is not None:
                return stand_in
            if TRACES and (staged := staged_function(function)) is not function:
                return staged
            if _yields(function):
                return self.streamed(function)  # its code runs in the loop over it, not now
            converted = self.function(function)
            return detect_recursion(converted) if TRACES and tracing_backend() else converted
        if kind is _MethodType:
            inner = function.__func__
            if type(inner) is cached_functions.WRAPPER and tracing_backend() is not None:
                return cached_functions.stage_cache(inner, self.call, (function.__self__,))
            if type(inner) is not _FunctionType:
                return function
            if TRACES and tracing_backend() is not None:
                stand_in = compiled_callables.python_method(function)
                if stand_in is not function:
                    return stand_in
                # Python calls special methods of the object by itself, and the method may change
                # what only the object reaches
                patch_reachable((function.__self__,))
                note_call(inner, function.__self__)
            yields = _yields(inner)
            conversion = self.streamed(inner) if yields else self.function(inner)
            bound = function if conversion is inner else _MethodType(conversion, function.__self__)
            return detect_recursion(bound) if TRACES and not yields and tracing_backend() else bound
        if kind is _BuiltinType:
            owner = type(function.__self__)
            if owner is _ModuleType or function.__self__ is None:
                stand_in = self._stand_ins.get(function)
                return staged_function(function) if stand_in is None else stand_in
            if owner is type and (stand_in := self._stand_ins.get(function)) is not None:
                return stand_in  # of a class method, such as dict.fromkeys
            if issubclass(owner, list) and function.__name__ == "sort":
                # also where nothing is staged: C would call the key as it is, not its conversion
                return functools.partial(sorting.sort, function.__self__)
            if issubclass(owner, _COLLECTIONS) and tracing_backend() is not None:
                return outside_methods.method(function)
            return _method_in_c(function, owner)
        if kind is type:
            stand_in = self._stand_ins.get(function) or staged_function(function)
            return self.made(function) if stand_in is function else stand_in
        if kind is functools.partial:
            return self.partial(function)
        return self.object(function)

    def _met(self, function: Any) -> Any:
        """As ``call``, for a function or method seen before or already converted; else None.

        Must not be used while anything is traced.
        """
        kind = type(function)
        inner = function.__func__ if kind is _MethodType else function
        if type(inner) is not _FunctionType:
            return None
        code = inner.__code__
        entry = self._functions.get(id(inner))
        if entry is None or entry[2] is not code:
            constants = code.co_consts
            return function if constants and type(constants[-1]) is VersionLink else None
        conversion = entry[1]
        if conversion is None:
            return function
        return conversion if kind is _FunctionType else _MethodType(conversion, function.__self__)

    def call_at(self, cache: InlineCache, function: Any) -> Any:
        """As ``call``, for a callee that the inline cache recognises by identity next time."""
        callee = self.look_up(function)
        if cache.known is UNKNOWN and not TRACES and _is_of_module(function):
            cache.fill(function, callee)
        return callee

    def method_at(self, cache: InlineCache, function: Any) -> Any:
        """As ``call``, for a method; the inline cache recognises objects of builtin types by their
        type.
        """
        if not TRACES and type(function) is _BuiltinType:
            owner = type(function.__self__)
            if not is_heap_type(owner) and owner is not _ModuleType:
                cache.fill(owner, None)
                return function
        return self.look_up(function)

    def starred(self, function: Any) -> Any:
        """As ``call``, for a call with ``*value`` among its arguments."""
        callee = self.look_up(function)
        if not TRACES or tracing_backend() is None:
            return callee
        return starred(function, callee, self)

    def builtin(self, function: Any) -> Any:
        """Return what to call instead of ``function`` where only builtins have replacements."""
        is_builtin = type(function) is _BuiltinType or type(function) is type
        return self.call(function) if is_builtin else function

    def function(self, function: types.FunctionType) -> types.FunctionType:
        """Return the conversion of a function; it is cached as long as the function lives."""
        if TRACES:
            note_call(function)
        key, functions, code = id(function), self._functions, function.__code__
        entry = functions.get(key)
        if entry is not None and entry[2] is code:
            converted = entry[1] or function
        elif is_converted(code):
            converted = function
        elif is_inside_unstaged(code) and not (TRACES and may_stage()):
            return function
        else:
            conversion = self._convert(function)
            if conversion is None:
                return function  # the stack is too deep to convert it now
            converted = conversion
            # the cells and globals of a conversion could keep the function alive forever
            alone = function.__closure__ is None and _is_in_use(function.__globals__)
            if converted is function or alone:
                gone = weakref.ref(function, lambda _: functions.pop(key, None))
                functions[key] = (gone, None if converted is function else converted, code)
        if TRACES and may_stage():
            try:
                return staged_version(converted)
            except ConversionError:
                return function
        return converted

    def _convert(self, function: types.FunctionType) -> types.FunctionType | None:
        module = function.__globals__.get("__name__")
        if is_skipped(module):
            verbosity.note(function, f"left as it is: {module} is on the list of libraries")
            return function
        if is_excluded(function):
            verbosity.note(function, "left as it is: marked do_not_convert")
            return function
        try:
            return self.converter.function(function, check=False)
        except ConversionError as error:
            return None if error.is_transient else function

    def streamed(self, function: types.FunctionType) -> Callable[..., Any]:
        """Return the conversion of a generator function; while a backend records, one that can be
        staged.
        """
        converted = self.function(function)
        is_plain = converted is function and not is_converted(function.__code__)
        if is_plain or tracing_backend() is None:
            return converted
        return self.as_stream(function, converted, lambda form: form)

    def as_stream(
        self, function: types.FunctionType, converted: types.FunctionType,
        adapt: Callable[[types.FunctionType], types.FunctionType],
    ) -> Callable[..., Any]:
        """Return what gives a stream for a generator function; ``adapt`` is applied to the form of
        it that is staged.
        """

        def pushed() -> types.FunctionType | None:
            form = self.converter.pushed(function)
            return None if form is None else adapt(form)

        return as_stream(converted, pushed)

    def dispatching(self, function: Any) -> Callable[..., Any]:
        """Return a single-dispatch function that dispatches on the class Python would see."""

        def call(*args: Any, **kwargs: Any) -> Any:
            backend = staging_backend(args[0]) if args else None
            if backend is None:
                return function(*args, **kwargs)
            refuse_possible_number(args[0], backend, "a single-dispatch function chooses by")
            chosen = function.dispatch(python_type(args[0]) or type(args[0]))
            return self.call(chosen)(*args, **kwargs)

        return call

    def partial(self, function: functools.partial[Any]) -> Any:
        """Return a partial of the conversion of the function it holds."""
        inner = self.call(function.func)
        if inner is function.func:
            return function
        return functools.partial(inner, *function.args, **function.keywords)

    def object(self, value: Any) -> Any:
        """Return the conversion of ``__call__`` of an object of a user's class."""
        kind = type(value)
        backend = tracing_backend() if TRACES else None
        if backend is not None and issubclass(kind, backend.function_types):
            return staged_function(value)
        if kind is cached_functions.WRAPPER and backend is not None:
            return cached_functions.stage_cache(value, self.call)
        if kind in _C_TYPES:
            return value if backend is None else self.compiled(value)
        if issubclass(kind, StagedUnion):
            return lambda *args, **kwargs: value.ag__apply_to_each(
                lambda alternative: self.call(alternative)(*args, **kwargs)
            )
        if issubclass(kind, type):
            return self.made(value)
        for base in kind.__mro__:
            method = base.__dict__.get("__call__")
            if method is not None:
                break
        if method is None and staging_backend(value) is not None:
            return functools.partial(_not_callable, value)
        if type(method) is not _FunctionType:
            in_c = type(method) is types.WrapperDescriptorType and backend is not None
            return compiled_callables.called_object(value) if in_c else value
        converted = self.function(method)
        return value if converted is method else _MethodType(converted, value)

    def made(self, cls: Any) -> Any:
        """Return what to call instead of a class."""
        construct = constructor(cls, self.function)
        if not TRACES or tracing_backend() is None:
            return construct
        if isinstance(cls, EnumMeta):
            return by_value(cls)
        if type(cls) is not type and not compiled_callables.needs_values(cls):
            return construct  # its metaclass makes the objects
        return compiled_callables.made_in_c(cls, construct)

    def compiled(self, function: Any) -> Any:
        """Return what to call instead of a method written in C, while a backend records."""
        kind = type(function)
        if kind is types.MethodDescriptorType:
            stand_in = staged_function(function)
            if stand_in is not function:
                return stand_in
        if kind in (types.MethodDescriptorType, types.WrapperDescriptorType):
            return compiled_callables.unbound_method(function, self.call)
        if kind is types.MethodWrapperType:
            stand_in = outside_methods.special_method(function)
            return compiled_callables.special_method(function) if stand_in is None else stand_in
        return function


def _method_in_c(function: Any, owner: type) -> Any:
    """Return what to call instead of a method of an object of a class in C."""
    stand_in = text_methods.method(function) if owner is str else function
    if stand_in is function and owner in _VALUES:
        return staged_method(stand_in)
    backend = tracing_backend() if TRACES else None
    if backend is not None and issubclass(owner, backend.function_types):
        return staged_function(function)
    if stand_in is function and TRACES and tracing_backend() is not None:
        return compiled_callables.bound_method(function)
    return stand_in


def _not_callable(value: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a staged value that has no ``__call__``: Python's error."""
    check_supported(lambda example: example(), value)
    return value(*args, **kwargs)


def _is_of_module(function: Any) -> bool:
    """Whether a function lives as long as its module, so that caching it forever leaks nothing.

    The code that caches it would keep alive all that is reachable from it, and the garbage
    collector cannot see that.
    """
    kind = type(function)
    if kind is _BuiltinType:
        return type(function.__self__) is _ModuleType
    if kind is not _FunctionType or function.__closure__ is not None:
        return False
    namespace = function.__globals__
    return _is_in_use(namespace) and namespace.get(function.__name__) is function


def _is_in_use(namespace: dict[str, Any]) -> bool:
    """Whether globals are those of an imported module."""
    module = sys.modules.get(namespace.get("__name__", ""))
    return module is not None and vars(module) is namespace


def _yields(function: types.FunctionType) -> bool:
    return function.__code__.co_flags & GENERATOR != 0


_excluded: dict[int, weakref.ref[Any]] = {}  # functions and their code objects


def exclude(function: types.FunctionType) -> None:
    """Never convert ``function`` when converted code calls it."""
    for marked in (function, function.__code__):
        key = id(marked)
        _excluded[key] = weakref.ref(marked, functools.partial(_forget, key))


def _forget(key: int, _: object) -> None:
    _excluded.pop(key, None)


def is_excluded_code(code: types.CodeType) -> bool:
    """Whether ``exclude`` was called for a function with this code."""
    return id(code) in _excluded


def is_excluded(function: types.FunctionType) -> bool:
    """Whether ``exclude`` was called for a function."""
    return id(function) in _excluded
