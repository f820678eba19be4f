"""Functions that give gradients: of a function by its arguments, or by the variables it reads."""

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
    """A function of ``f``'s arguments that gives the list of its gradients by ``params``.

    ``params`` are names or numbers of arguments, all by default.  What ``f`` returns may be any
    nest of tensors, whose elements are added up; or ``dy=``, laid out alike, are the gradients to
    start from.  ValueError when ``f`` returns None, or for keyword arguments; TypeError for
    parameters that hold integers, which have no gradient.
    """
    both = value_and_gradients_function(f, params)

    @_named("gradients of", f)
    def gradients(*args: Any, **kwargs: Any) -> list[Any]:
        found: list[Any] = both(*args, **kwargs)[1]
        return found

    return gradients


def value_and_gradients_function(
    f: Function, params: Sequence[int | str] | None = None
) -> Function:
    """As ``gradients_function``; the function gives the pair of ``f``'s value and the list."""

    @_named("value and gradients of", f)
    def value_and_gradients(*args: Any, **kwargs: Any) -> tuple[Any, list[Any]]:
        dy = kwargs.pop("dy", None)
        if kwargs:
            raise ValueError(
                "Functions to be differentiated cannot receive keyword arguments, got "
                f"{', '.join(kwargs)}. Pass them by position."
            )
        places = _places(f, params, args)
        values = list(args)
        for place in places:
            values[place] = identity(convert_to_tensor(values[place]))  # each its own tensor
        sources = [values[place] for place in places]
        flags = _differentiable_flags(f, sources, params is not None)
        watched = [s for s, flag in zip(sources, flags, strict=True) if flag]
        with GradientTape() as tape:
            tape.watch(watched)
            result = _computed(f, values, {})
        given = None if dy is None else nest.flatten(dy)
        found = iter(tape.gradient(nest.flatten(result), watched, given))
        return result, [next(found) if flag else None for flag in flags]

    return value_and_gradients


def implicit_gradients(f: Function) -> Function:
    """A function of ``f``'s arguments that gives the pairs (gradient, variable).

    The variables are the trainable ones that ``f`` reads, in the order in which they were made;
    what optimizers apply.  ValueError when it reads none, or returns None.
    """
    both = implicit_value_and_gradients(f)

    @_named("gradients of", f)
    def gradients(*args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        found: list[tuple[Any, Any]] = both(*args, **kwargs)[1]
        return found

    return gradients


def implicit_value_and_gradients(f: Function) -> Function:
    """As ``implicit_gradients``; the function gives ``f``'s value and the list of pairs."""

    @_named("value and gradients of", f)
    def value_and_gradients(*args: Any, **kwargs: Any) -> tuple[Any, list[tuple[Any, Any]]]:
        with GradientTape() as tape:
            result = _computed(f, args, kwargs)
        variables = tape.watched_variables()
        if not variables:
            raise ValueError(
                "No trainable variables were accessed while the function was being computed."
            )
        leaves = nest.flatten(result) if nest.is_nested(result) else [result]
        return result, list(zip(tape.gradient(leaves, list(variables)), variables, strict=True))

    return value_and_gradients


def _named(what: str, f: Function) -> Callable[[Function], Function]:
    """A decorator that gives the name of a function to what was made of it."""

    def decorate(made: Function) -> Function:
        functools.update_wrapper(made, f)
        made.__doc__ = f"The {what} {getattr(f, '__name__', f)!s}."
        return made

    return decorate


def _computed(f: Function, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    result = f(*args, **kwargs)
    if result is None:
        raise ValueError(
            "Cannot differentiate a function that returns None; did you forget to return a value "
            f"from {getattr(f, '__name__', f)}?"
        )
    return result


def _places(f: Function, params: Sequence[int | str] | None, args: Sequence[Any]) -> list[int]:
    """The numbers of the arguments to differentiate by."""
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
    if any(not -len(args) <= place < len(args) for place in places):
        raise ValueError(f"params: {params} are not all among the {len(args)} arguments given")
    return places


def _differentiable_flags(f: Function, sources: Sequence[Any], chosen: bool) -> list[bool]:
    """Which arguments can have a gradient; TypeError when none can, or not all that were chosen."""
    flags = [differentiable(s) for s in sources]
    if sources and (not any(flags) or (chosen and not all(flags))):
        number = flags.index(False)
        raise TypeError(
            f"{getattr(f, '__name__', f)}: gradients are by floating-point arguments, but "
            f"parameter {number} is of dtype {sources[number].dtype.name}. Pass 3.0 instead of 3, "
            "or use runtime.cast."
        )
    return flags
