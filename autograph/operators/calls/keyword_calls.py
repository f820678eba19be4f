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
from autograph.library import arguments as checks
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


def are_staged(keywords: Mapping[str, Any]) -> bool:
    """Whether keywords of a call include a KeywordSpread."""
    return any(type(value) is KeywordSpread for value in keywords.values())


def with_keywords(
    signature: inspect.Signature, names: tuple[str, str], args: tuple[Any, ...],
    keywords: Mapping[str, Any],
) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """Return the arguments of a call by place and by name; None where that is not staged.

    ``args`` are given by place.  Where there is ``**options``, they are one argument by its name,
    and so are ``*args``.  ``names`` are the function's, as Python's errors say it: in its module,
    and without that.
    """
    spreads = [value.value for value in keywords.values() if type(value) is KeywordSpread]
    plain = {key: value for key, value in keywords.items() if type(value) is not KeywordSpread}
    parameters = signature.parameters.values()
    by_kind = {p.kind: p.name for p in parameters}
    starred, options = by_kind.get(_KIND.VAR_POSITIONAL), by_kind.get(_KIND.VAR_KEYWORD)
    places = [p.name for p in parameters if p.kind <= _KIND.POSITIONAL_OR_KEYWORD]
    # which of two dicts gives a parameter, and which argument is one too many, the run would know
    if len(spreads) > 1 or (starred is None and len(args) > len(places)):
        return None
    if starred in plain or options in plain:
        return None
    (spread,), count = spreads, len(args)
    free = [
        p for p in parameters
        if p.name not in places[:count]
        and p.kind in (_KIND.POSITIONAL_OR_KEYWORD, _KIND.KEYWORD_ONLY)
    ]  # fmt: skip
    free_names = tuple([p.name for p in free])
    unnamed = [p for p in free if p.name not in plain]
    converted(checks.check_once)(spread, tuple(plain), names[0])
    check_texts(spread)
    _check(spread, None if options else free_names, tuple(places[:count]), unnamed, names[1])
    named = {p.name: _value(spread, p) for p in unnamed}
    named.update((key, value) for key, value in plain.items() if key in free_names or not options)
    if options is not None:
        named[options] = _others(keywords, free_names)
        if starred is not None:
            named[starred] = args[len(places) :]
            args = args[: len(places)]
    return args, named


_KIND = inspect._ParameterKind


def check_texts(spread: StagedMap) -> None:
    """Raise Python's TypeError, at run time, for a dict with keys that are no texts."""
    keys = keys_of(spread).examples
    if not all(isinstance(key, str | StagedText) or python_type(key) is str for key in keys):
        converted(checks.check_empty)(spread)


def _check(
    spread: Any, names: tuple[str, ...] | None, by_place: tuple[str, ...],
    parameters: Sequence[inspect.Parameter], name: str,
) -> None:
    """Raise Python's TypeError, at run time, for keywords that do not fit."""
    converted(checks.check_known)(spread, names, by_place, name)
    for kind, words in (
        (_KIND.POSITIONAL_OR_KEYWORD, "positional"), (_KIND.KEYWORD_ONLY, "keyword-only"),
    ):  # fmt: skip
        required = [p.name for p in parameters if p.kind is kind and p.default is p.empty]
        converted(checks.check_complete)(spread, tuple(required), words, name)


def _value(spread: Any, parameter: inspect.Parameter) -> Any:
    """Return the argument for a parameter: what the dict holds, or the default."""
    name, default = parameter.name, parameter.default
    if default is parameter.empty:
        return getitem(spread, name)
    return if_exp(in_(name, spread), lambda: getitem(spread, name), lambda: default)()


def _others(given_keywords: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    """Return the dict of the keywords that are no parameters."""
    options: Any = TracedDict()
    for key, value in given_keywords.items():
        if type(value) is KeywordSpread:
            update(options, value.value)
        elif key not in names:
            set_at(options, key, value)
    for name in names:
        options.pop(name, None)
    return options
