"""References among the arguments of a function that is traced separately: they pass by value.

    rec(c, n)     where ``c`` is one of several lists of the caller's: ``rec`` receives a copy, and
                  ``c`` itself stands in its result for the copy
"""

from __future__ import annotations

import copy
import types
from collections.abc import Callable
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.operators.calls.call_arguments import Arguments
from autograph.staging.access import access_of
from autograph.staging.aliases import link_sources
from autograph.staging.staged_map import contents_held
from autograph.staging.staged_union import StagedReference


class ReferencesByValue:
    """Arguments of a call, copies in place of references to one of several lists, dicts or sets."""

    def __init__(self, function: types.FunctionType, arguments: Arguments) -> None:
        self._function = function
        self._references = {
            name: value for name, value in arguments.items() if isinstance(value, StagedReference)
        }
        self.values = arguments
        self._before: dict[str, Any] = {}
        if not self._references:
            return  # as in nearly all calls of a trace
        copies = {name: copy.copy(value) for name, value in self._references.items()}
        self.values = {**arguments, **copies}
        self._before = {name: contents_held(value) for name, value in copies.items()}
        self._reference_of = {id(copies[name]): value for name, value in self._references.items()}

    def resolved(self, result: Any) -> Any:
        """Return a result with the references in place of their copies, which must not change."""
        for name, before in self._before.items():
            if not contents_held(self.values[name]).same(before):
                raise EffectError(
                    f"{self._function.__name__}(), whose recursion a staged value ends, changes "
                    f"'{name}', which is one of several objects",
                    where=user_line(),
                    help="pass a copy, and return the changed value",
                    subject=name,
                )
        if not self._references:
            return result
        return of_caller(result, lambda value: self._reference_of.get(id(value), value))


def of_caller(result: Any, substituted: Callable[[Any], Any]) -> Any:
    """Return a result with the caller's lists, dicts and sets in place of the function's own.

    ``substituted`` gives that of the caller's, or what it is called with.
    """
    if type(result) is tuple:
        return tuple([of_caller(item, substituted) for item in result])
    access = access_of(result)
    if access is not None and access.sources and isinstance(result, list):
        sources = map(substituted, access.sources)
        link_sources(result, [value for source in sources for value in _alternatives(source)])
    if not isinstance(result, StagedReference):
        return substituted(result)
    alternatives = tuple(map(substituted, result.ag__alternatives))
    reference = StagedReference(alternatives, result.ag__index, result.ag__backend)
    is_nested = any(isinstance(value, StagedReference) for value in alternatives)
    return reference.ag__apply_to_each(lambda value: value) if is_nested else reference


def _alternatives(value: Any) -> tuple[Any, ...]:
    return value.ag__alternatives if isinstance(value, StagedReference) else (value,)
