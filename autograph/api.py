"""The public functions: ``to_graph``, ``to_code``, ``convert`` and ``do_not_convert``."""

from __future__ import annotations

import functools
import types
import weakref
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar, overload

from autograph.backends import expect_libraries
from autograph.errors import NoSourceError, NotAFunctionError
from autograph.features import Feature
from autograph.operators.calls.calls import exclude
from autograph.operators.namespaces import namespace
from autograph.syntax.code_markers import is_converted
from autograph.tracing import load_announced

if TYPE_CHECKING:
    from autograph.syntax.line_links import LinkedCode

F = TypeVar("F", bound=Callable[..., Any])
_ROUTINES = (
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    types.ClassMethodDescriptorType,
)
Features = Feature | Iterable[Feature] | None


def to_graph(
    entity: F, recursive: bool = True, experimental_optional_features: Features = None
) -> F:
    """Convert a function so that its control flow can be staged.

    Args:
        entity: a function, lambda, method, static or class method, ``functools.partial``, or an
            object whose ``__call__`` is a Python function.
        recursive: whether the functions that it calls are converted, too, when they are called.
        experimental_optional_features: a ``Feature``, several of them, or None for all.

    Returns:
        The converted function, with the same name, signature, defaults, documentation and closure.
        A function that is already converted is returned unchanged.

    Raises:
        NotAFunctionError: ``entity`` is a builtin, a C function, a class or a value.
        NoSourceError: the source of the function cannot be found.
        ConversionError: the function cannot be converted; base class of both.
    """
    operators = _operators(experimental_optional_features, recursive)
    return _converted(entity, operators)


def to_code(
    entity: Callable[..., Any],
    recursive: bool = True,
    experimental_optional_features: Features = None,
) -> str:
    """Return the source of the converted function that ``to_graph`` compiles.

    Args:
        entity: as for ``to_graph``; also a converted function, or a traced function (an object with
            a ``python_function``), whose Python function is shown.
        recursive: as for ``to_graph``.
        experimental_optional_features: as for ``to_graph``.

    Returns:
        The text of one ``def`` statement or lambda expression at column 0.  It refers to the
        operators as ``ag__``.

    Raises:
        ConversionError: as for ``to_graph``.
    """
    text: str = _shown(entity, recursive, experimental_optional_features, "text")
    return text


def linked_code(entity: Callable[..., Any]) -> LinkedCode:
    """Return what ``to_code`` shows and the source, with links between their lines.

    Arguments and errors are those of ``to_code``.
    """
    code: LinkedCode = _shown(entity, True, None, "linked")
    return code


def _shown(entity: Any, recursive: bool, features: Features, how: str) -> Any:
    """Call the method ``how`` of the converter on the Python function behind an entity."""
    function = _function_of(getattr(entity, "python_function", entity))
    if function in _originals:
        code, converter = _originals[function]
        cells = tuple(types.CellType() for _ in code.co_freevars)
        original = types.FunctionType(code, function.__globals__, None, None, cells)
        return getattr(converter, how)(original)
    if is_converted(function.__code__):
        raise NoSourceError(
            f"{function.__qualname__} was converted as a part of the function around it",
            where=(function.__code__.co_filename, function.__code__.co_firstlineno),
            help="show the code of the function around it",
        )
    return getattr(_operators(features, recursive).converter, how)(function)


# What to_graph converted: the code and the converter of each converted function.
_originals: weakref.WeakKeyDictionary[types.FunctionType, tuple[types.CodeType, Any]] = (
    weakref.WeakKeyDictionary()
)


@overload
def convert(function: F) -> F: ...


@overload
def convert(
    function: None = None, *, recursive: bool = True, optional_features: Features = None
) -> Callable[[F], F]: ...


def convert(
    function: F | None = None, *, recursive: bool = True, optional_features: Features = None
) -> Any:
    """Decorator that replaces a function by its conversion; used with or without parentheses.

    Args:
        function: the function to convert.
        recursive: whether the functions that it calls are converted, too.
        optional_features: a ``Feature``, several of them, or None for all.

    Returns:
        The converted function; without ``function``, a decorator.

    Raises:
        ConversionError: as for ``to_graph``, at the line of the decorator.
    """
    if function is None:
        return functools.partial(
            convert, recursive=recursive, optional_features=optional_features
        )
    return to_graph(function, recursive, optional_features)


def do_not_convert(function: F | None = None) -> Any:
    """Decorator that excludes a function from conversion, also when converted code calls it.

    Using a staged value as a condition in such a function is an error.

    Args:
        function: a callable; None if the decorator is written with parentheses.

    Returns:
        The function itself, or a wrapper of a callable object.

    Raises:
        TypeError: ``function`` is not callable.
    """
    if function is None:
        return do_not_convert
    target: Any = function
    while not isinstance(target, types.FunctionType) and hasattr(target, "__func__"):
        target = target.__func__
    if isinstance(target, types.FunctionType):
        exclude(target)
        return function
    if not callable(function):
        raise TypeError(f"do_not_convert takes a callable, got {function!r}")

    @functools.wraps(function, updated=())
    def as_it_is(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return as_it_is


def _operators(features: Features, recursive: bool) -> Any:
    return namespace(Feature.resolve(features), recursive)


def _converted(entity: Any, operators: Any) -> Any:
    if isinstance(entity, types.MethodType):
        inner = _converted(entity.__func__, operators)
        return entity if inner is entity.__func__ else types.MethodType(inner, entity.__self__)
    if isinstance(entity, functools.partial):
        inner = _converted(entity.func, operators)
        return functools.partial(inner, *entity.args, **entity.keywords)
    if isinstance(entity, (staticmethod, classmethod)):
        return type(entity)(_converted(entity.__func__, operators))
    function = _function_of(entity)
    if is_converted(function.__code__):
        return entity
    converted = operators.converter.function(function)
    if converted is not function:
        _originals[converted] = function.__code__, operators.converter
    return converted if function is entity else types.MethodType(converted, entity)


def _function_of(entity: Any) -> types.FunctionType:
    """The Python function behind something callable."""
    if isinstance(entity, types.FunctionType):
        return entity
    if isinstance(entity, (types.MethodType, staticmethod, classmethod)):
        return _function_of(entity.__func__)
    if isinstance(entity, functools.partial):
        return _function_of(entity.func)
    if not isinstance(entity, type) and not isinstance(entity, _ROUTINES):
        for base in type(entity).__mro__:
            method = base.__dict__.get("__call__")
            if isinstance(method, types.FunctionType):
                return method
    raise NotAFunctionError(
        f"{_name_of(entity)} cannot be converted: {_reason(entity)}",
        help="pass a function, a lambda or a method that is written in Python",
    )


def _name_of(entity: Any) -> str:
    name = getattr(entity, "__qualname__", None)
    return name if isinstance(name, str) else repr(entity)


def _reason(entity: Any) -> str:
    if isinstance(entity, type):
        return "it is a class; convert its methods"
    if isinstance(entity, _ROUTINES):
        return "it is built in or written in C, and has no Python source"
    return f"an object of type {type(entity).__name__} is not a function"


load_announced()
expect_libraries()
