"""Gradient functions: of a function by its arguments, or by the variables that it reads."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from runtime.autodiff.tape import GradientTape
from runtime.ops.array.constants import convert_to_tensor, identity
from runtime.ops.resource.list_gradients import differentiable
from runtime.types import nest

__all__ = [
    "gradients_function", "implicit_gradients", "implicit_value_and_gradients",
    "value_and_gradients_function",
]  # fmt: skip

Function = Callable[..., Any]


def gradients_function(f: Function, params: Sequence[int | str] | None = None) -> Function:
    """Make a function that computes the gradients of ``f`` with respect to its arguments.

    Args:
        f: function of tensors; it returns a nest of tensors, whose elements are summed.
        params: names or indices of arguments of ``f``; all by default.
    Returns:
        Function of the same arguments and of ``dy=``, initial gradients in the structure of the
        result.  It returns a list of tensors with the shapes and dtypes of these arguments, and
        raises ValueError for keyword arguments or if ``f`` returns None, TypeError for integer
        arguments.
    """
    value_and_gradients = value_and_gradients_function(f, params)

    @_name_after("gradients of", f)
    def gradients(*args: Any, **kwargs: Any) -> list[Any]:
        by_argument: list[Any] = value_and_gradients(*args, **kwargs)[1]
        return by_argument

    return gradients


def value_and_gradients_function(
    f: Function, params: Sequence[int | str] | None = None
) -> Function:
    """Make a function that computes the value of ``f`` and its gradients.

    Args:
        f: function of tensors, as for ``gradients_function``.
        params: names or indices of arguments of ``f``; all by default.
    Returns:
        Function that returns a pair: the result of ``f`` and the list of gradients.
    Raises:
        ValueError: the function is called with keyword arguments, or ``f`` returns None.
    """

    @_name_after("value and gradients of", f)
    def value_and_gradients(*args: Any, **kwargs: Any) -> tuple[Any, list[Any]]:
        dy = kwargs.pop("dy", None)
        if kwargs:
            raise ValueError(
                "Functions to be differentiated cannot receive keyword arguments, got "
                f"{', '.join(kwargs)}. Pass them by position."
            )
        places = _places(f, params, args)
        values = list(args)
        for index in places:
            values[index] = identity(convert_to_tensor(values[index]))  # each its own tensor
        sources = [values[index] for index in places]
        flags = _differentiable_flags(f, sources, params is not None)
        watched = [s for s, flag in zip(sources, flags, strict=True) if flag]
        with GradientTape() as tape:
            tape.watch(watched)
            result = _call_checked(f, values, {})
        initial_gradients = None if dy is None else nest.flatten(dy)
        remaining = iter(tape.gradient(nest.flatten(result), watched, initial_gradients))
        return result, [next(remaining) if flag else None for flag in flags]

    return value_and_gradients


def implicit_gradients(f: Function) -> Function:
    """Make a function that computes the gradients of ``f`` with respect to the variables it reads.

    Args:
        f: function that returns a nest of tensors, whose elements are summed.
    Returns:
        Function of the same arguments.  It returns a list of pairs (gradient, variable) of the
        trainable variables, in the order of their creation, and raises ValueError if ``f`` reads
        none or returns None.
    """
    value_and_gradients = implicit_value_and_gradients(f)

    @_name_after("gradients of", f)
    def gradients(*args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        pairs: list[tuple[Any, Any]] = value_and_gradients(*args, **kwargs)[1]
        return pairs

    return gradients


def implicit_value_and_gradients(f: Function) -> Function:
    """Make a function that computes the value of ``f`` and the gradients of its variables.

    Args:
        f: function, as for ``implicit_gradients``.
    Returns:
        Function that returns a pair: the result of ``f`` and the list of pairs (gradient,
            variable).
    Raises:
        ValueError: the function is called and ``f`` reads no trainable variable, or returns None.
    """

    @_name_after("value and gradients of", f)
    def value_and_gradients(*args: Any, **kwargs: Any) -> tuple[Any, list[tuple[Any, Any]]]:
        with GradientTape() as tape:
            result = _call_checked(f, args, kwargs)
        variables = tape.watched_variables()
        if not variables:
            raise ValueError(
                "No trainable variables were accessed while the function was being computed."
            )
        leaves = nest.flatten(result) if nest.is_nested(result) else [result]
        return result, list(zip(tape.gradient(leaves, list(variables)), variables, strict=True))

    return value_and_gradients


def _name_after(description: str, f: Function) -> Callable[[Function], Function]:
    """Return a decorator that names a function after ``f``."""

    def decorate(function: Function) -> Function:
        functools.update_wrapper(function, f)
        function.__doc__ = f"The {description} {getattr(f, '__name__', f)!s}."
        return function

    return decorate


def _call_checked(f: Function, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    result = f(*args, **kwargs)
    if result is None:
        raise ValueError(
            "Cannot differentiate a function that returns None; did you forget to return a value "
            f"from {getattr(f, '__name__', f)}?"
        )
    return result


def _places(f: Function, params: Sequence[int | str] | None, args: Sequence[Any]) -> list[int]:
    """Return the indices of the arguments to differentiate by."""
    if params is None:
        return list(range(len(args)))
    if all(isinstance(p, int) for p in params):
        places = [int(p) for p in params]
    elif all(isinstance(p, str) for p in params):
        names = list(inspect.signature(f).parameters)
        unknown = [p for p in params if p not in names]
        if unknown:
            raise ValueError(f"params: there is no argument {unknown[0]!r} among {names}")
        places = [names.index(str(p)) for p in params]
    else:
        raise ValueError(f"params must be all strings or all integers; got {params}.")
    if any(not -len(args) <= index < len(args) for index in places):
        raise ValueError(f"params: {params} are not all among the {len(args)} arguments given")
    return places


def _differentiable_flags(f: Function, sources: Sequence[Any], chosen: bool) -> list[bool]:
    """Return which arguments are differentiable; TypeError if none is, or a chosen one is not."""
    flags = [differentiable(s) for s in sources]
    if sources and (not any(flags) or (chosen and not all(flags))):
        number = flags.index(False)
        raise TypeError(
            f"{getattr(f, '__name__', f)}: gradients are by floating-point arguments, but "
            f"parameter {number} is of dtype {sources[number].dtype.name}. Pass 3.0 instead of 3, "
            "or use runtime.cast."
        )
    return flags
