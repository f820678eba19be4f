"""Calls with ``**value`` of a dict of which only the run knows the keys.

    f(a, **d)            =>  ag__.starred(f)(a, **ag__.keywords(d))

Each parameter that a keyword may give is looked up in the dict at run time; what is wrong raises
Python's TypeError.  A parameter ``**options`` gets what is left as a staged dict.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from autograph.conversion.convert_hook import converted
from autograph.library import keywords as checks
from autograph.operators.calls.dict_methods import update
from autograph.operators.containers.map_ops import keys_of, set_at
from autograph.operators.containers.slices import getitem
from autograph.operators.control.conditionals import if_exp
from autograph.operators.iteration.comparisons import in_
from autograph.staging.registry import python_type
from autograph.staging.staged_map import StagedMap, TracedDict
from autograph.staging.staged_string import StagedText

_numbers = itertools.count()


class KeywordSpread:
    """Stand-in of ``**value`` in a call."""

    def __init__(self, value: StagedMap) -> None:
        self.value = value


def keywords(value: Any) -> Any:
    """Return what to unpack in a call instead of ``**value``."""
    if isinstance(value, StagedMap) and isinstance(value, dict):
        return {f"**{next(_numbers)}": KeywordSpread(value)}
    return value


def are_staged(given: Mapping[str, Any]) -> bool:
    """Whether keywords of a call include a KeywordSpread."""
    return any(type(value) is KeywordSpread for value in given.values())


def with_keywords(
    signature: inspect.Signature, names: tuple[str, str], args: tuple[Any, ...],
    given: Mapping[str, Any],
) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """Return the arguments of a call by place and by name; None where that is not staged.

    ``args`` are given by place.  Where there is ``**options``, they are one argument by its name,
    and so are ``*args``.  ``names`` are the function's, as Python's errors say it: in its module,
    and without that.
    """
    spreads = [value.value for value in given.values() if type(value) is KeywordSpread]
    plain = {key: value for key, value in given.items() if type(value) is not KeywordSpread}
    parameters = signature.parameters.values()
    by_kind = {one.kind: one.name for one in parameters}
    rest, options = by_kind.get(_KIND.VAR_POSITIONAL), by_kind.get(_KIND.VAR_KEYWORD)
    places = [one.name for one in parameters if one.kind <= _KIND.POSITIONAL_OR_KEYWORD]
    if len(spreads) > 1 or (rest is None and len(args) > len(places)):
        return None
    if rest in plain or options in plain:
        return None
    (found,), here = spreads, len(args)
    free = [
        one for one in parameters
        if one.name not in places[:here]
        and one.kind in (_KIND.POSITIONAL_OR_KEYWORD, _KIND.KEYWORD_ONLY)
    ]  # fmt: skip
    own = tuple([one.name for one in free])
    asked = [one for one in free if one.name not in plain]
    converted(checks.check_once)(found, tuple(plain), names[0])
    check_texts(found)
    _check(found, None if options else own, tuple(places[:here]), asked, names[1])
    named = {one.name: _value(found, one) for one in asked}
    named.update((key, value) for key, value in plain.items() if key in own or not options)
    if options is not None:
        named[options] = _others(given, own)
        if rest is not None:
            named[rest] = args[len(places) :]
            args = args[: len(places)]
    return args, named


_KIND = inspect._ParameterKind


def check_texts(found: StagedMap) -> None:
    """Raise Python's TypeError, at run time, for a dict with keys that are no texts."""
    keys = keys_of(found).examples
    if not all(isinstance(one, str | StagedText) or python_type(one) is str for one in keys):
        converted(checks.check_empty)(found)


def _check(
    found: Any, known: tuple[str, ...] | None, given: tuple[str, ...],
    asked: Sequence[inspect.Parameter], name: str,
) -> None:
    """Raise Python's TypeError, at run time, for keywords that do not fit."""
    converted(checks.check_known)(found, known, given, name)
    for kind, words in (
        (_KIND.POSITIONAL_OR_KEYWORD, "positional"), (_KIND.KEYWORD_ONLY, "keyword-only"),
    ):  # fmt: skip
        required = [one.name for one in asked if one.kind is kind and one.default is one.empty]
        converted(checks.check_complete)(found, tuple(required), words, name)


def _value(found: Any, parameter: inspect.Parameter) -> Any:
    """Return the argument for a parameter: what the dict holds, or the default."""
    name, default = parameter.name, parameter.default
    if default is parameter.empty:
        return getitem(found, name)
    return if_exp(in_(name, found), lambda: getitem(found, name), lambda: default)()


def _others(given: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    """Return the dict of the keywords that are no parameters."""
    made: Any = TracedDict()
    for key, value in given.items():
        if type(value) is KeywordSpread:
            update(made, value.value)
        elif key not in names:
            set_at(made, key, value)
    for name in names:
        made.pop(name, None)
    return made
