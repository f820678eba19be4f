"""Calls of classes while a backend is tracing: convert ``__new__`` and ``__init__``, too.

``type.__call__`` is written in C and calls the unconverted methods; this module does the same in
Python.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from autograph.operators.state.new_objects import note_new
from autograph.operators.state.special_methods import is_users, patch_class
from autograph.staging.registry import tracing_backend
from autograph.tracing import TRACES

Convert = Callable[[types.FunctionType], Callable[..., Any]]


def constructor(cls: Any, convert: Convert) -> Any:
    """Return what to call instead of a class: itself, unless its constructors can be converted."""
    if not TRACES or tracing_backend() is None:
        return cls
    patch_class(cls)
    if _method_of_classes(type(cls), "__call__") is not vars(type)["__call__"]:
        return cls  # its metaclass makes the objects
    new = _convert_method(cls, "__new__", convert)
    init = _convert_method(cls, "__init__", convert)
    after = None
    if init is None and _method_of_classes(cls, "__dataclass_params__") is not None:
        after = _convert_method(cls, "__post_init__", convert)
    if new is None and init is None and after is None:
        return _noting(cls) if is_users(cls) else cls

    def construct(*args: Any, **kwargs: Any) -> Any:
        instance = (new or cls.__new__)(cls, *args, **kwargs)
        if cls not in type(instance).__mro__:
            return instance
        note_new(instance)
        if after is not None and hasattr(instance, "__dict__"):
            _with_post_init(instance, after, args, kwargs)
            return instance
        kind = type(instance)
        run = init if kind is cls else _convert_method(kind, "__init__", convert)
        result = (run or type(instance).__init__)(instance, *args, **kwargs)
        if result is not None:
            raise TypeError(f"__init__() should return None, not '{type(result).__name__}'")
        return instance

    return construct


def _noting(cls: Any) -> Any:
    def construct(*args: Any, **kwargs: Any) -> Any:
        instance = cls(*args, **kwargs)
        note_new(instance)
        return instance

    return construct


def _with_post_init(
    instance: Any, after: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Run the ``__init__`` that ``dataclass`` wrote with a converted ``__post_init__``."""
    instance.__dict__["__post_init__"] = types.MethodType(after, instance)
    try:
        type(instance).__init__(instance, *args, **kwargs)
    finally:
        del instance.__dict__["__post_init__"]


def _convert_method(cls: type, name: str, convert: Convert) -> Callable[..., Any] | None:
    """Return the conversion of a method, or None when it has none."""
    method = _method_of_classes(cls, name)
    function = method.__func__ if isinstance(method, staticmethod) else method
    if type(function) is not types.FunctionType:
        return None
    converted = convert(function)
    return None if converted is function else converted


def _method_of_classes(cls: type, name: str) -> Any:
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)
