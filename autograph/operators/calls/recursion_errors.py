"""Errors about staged recursion; raised by recursion.py."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError, JoinError
from autograph.staging.staged_array import storage_of


def unsupported(function: types.FunctionType, backend: str) -> EffectError:
    """Return the error for a backend without functions that call themselves."""
    return EffectError(
        f"{function.__qualname__} calls itself on a path that depends on a staged "
        f"value, which {backend} cannot do",
        where=user_line(),
        help="write a loop, or let a Python value end the recursion",
    )


def changing_types(function: types.FunctionType) -> JoinError:
    """Return the error for types that are others in each call, such as a tuple that grows."""
    return JoinError(
        f"the types of the arguments or results of {function.__qualname__} change with "
        "every recursive call",
        where=user_line(),
        help="give arguments and results the same structure and types in each call",
    )


def changing_state(function: types.FunctionType, label: str) -> EffectError:
    """Return the error for an object that the calls change, and that they cannot carry."""
    return EffectError(
        f"'{label.lstrip('.')}' changes in {function.__qualname__}, whose recursion a staged value "
        "ends",
        where=user_line(),
        help="pass it as an argument, and return the changed value",
        subject=label,
    )


def check_result(
    function: types.FunctionType, arguments: Mapping[str, Any], result: Any
) -> None:
    """EffectError for an array that the function hands back to whom it got it from."""
    arrays = {id(value): name for name, value in arguments.items() if storage_of(value) is not None}
    is_nest = type(result) is tuple or type(result) is list  # no list that is staged
    for value in result if is_nest else (result,):
        if (name := arrays.get(id(value))) is not None:
            raise EffectError(
                f"{function.__qualname__}, whose recursion a staged value ends, returns its "
                f"argument '{name}' as it is: that would have to be the caller's own array",
                where=(function.__code__.co_filename, function.__code__.co_firstlineno),
                help=f"return `{name}.copy()`, or write a loop",
                subject=name,
            )
