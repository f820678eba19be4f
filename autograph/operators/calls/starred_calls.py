"""Calls with ``*value`` of which only the run knows how many arguments they have.

    f(a, *l)             =>  ag__.starred(f)(a, *ag__.spread(l))

What the items of ``l`` are bound to depends on their number.  It is compared at run time with the
numbers that the callable takes: Python's TypeError is raised for others, and for each number that
its fixed parameters take there is one call.  A parameter ``*args`` gets what is left as a staged
tuple, by code of the function in which it is a parameter of its own.
"""

from __future__ import annotations

import functools
import inspect
import types
from typing import Any

from autograph.conversion.convert_hook import from_library
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.library import arguments as checks
from autograph.operators.calls.argument_counts import ArgumentCounts, parameters_of, signature_of
from autograph.operators.calls.collected_arguments import Call, Resolver, taking_collections
from autograph.operators.calls.constructors import constructor
from autograph.operators.calls.keyword_calls import are_staged, check_texts, with_keywords
from autograph.operators.calls.variadic_functions import counterpart, special_call
from autograph.operators.containers import list_ops
from autograph.operators.control.conditionals import if_stmt
from autograph.operators.control.optionals import attempt
from autograph.operators.iteration.iterables import gather
from autograph.operators.iteration.spreads import Spread, list_of
from autograph.staging.staged_list import StagedList
from autograph.staging.staged_list import length as length_of_list
from autograph.staging.staged_union import StagedUnion


def starred(function: Any, callee: Call, resolver: Resolver) -> Call:
    """Return what to call instead of a function where an argument may be a Spread.

    ``callee`` is what to call with a known number of arguments.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        by_name = are_staged(kwargs)
        if not by_name and not any(type(arg) is Spread for arg in args):
            return callee(*args, **kwargs)
        if isinstance(function, StagedUnion):
            return function.ag__apply_to_each(lambda f: resolver.starred(f)(*args, **kwargs))
        if type(function) is functools.partial:
            named = {**function.keywords, **kwargs}
            return resolver.starred(function.func)(*function.args, *args, **named)
        if by_name:
            return _by_name(function, callee, resolver, args, kwargs)
        special = special_call(function, callee)
        if special is not None:
            return special(*args, **kwargs)
        in_python = counterpart(function)
        if in_python is not None:
            return resolver.starred(in_python)(*args, **kwargs)
        return _bind_and_call(function, callee, resolver, args, kwargs)

    return call


def _bind_and_call(
    function: Any, call: Call, resolver: Resolver, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call a function with its parameters bound to arguments, a Spread or more among them."""
    settled = _spreads_of_lists(args)
    first = next((n for n, arg in enumerate(settled) if type(arg) is Spread), None)
    if first is None:
        return call(*settled, **kwargs)
    fixed, spread = settled[:first], _Rest(settled[first:])
    owner, implicit = parameters_of(function)
    counts = ArgumentCounts(owner, implicit + len(fixed), kwargs)
    if not counts.is_known:
        raise _refusal(function)
    # one call for each number of arguments that the fixed parameters take: 0 to 3 for three of
    # them with defaults.  What goes to *args is passed as one tuple, by a variant of the function
    most = max(spread.least, counts.places)
    right: list[int | None] = [n for n in range(spread.least, most + 1) if counts.takes(n)]
    takes_more = counts.is_variadic and most in right
    if takes_more and isinstance(function, type) and owner is not function:
        return constructor(function, resolver.starred)(*settled, **kwargs)  # which binds them
    taking = taking_collections(function, resolver) if takes_more else None
    if takes_more and (taking is None or counts.rest in kwargs):
        raise _refusal(function)
    _check_number(spread, counts, [n for n in right if n is not None], takes_more)

    def with_number(number: int) -> Any:
        items = spread.all(number)
        if len(right) == 1:
            return call(*fixed, *items, **kwargs)
        return attempt(lambda values: call(*fixed, *values, **kwargs), items)

    def with_tuple() -> Any:
        assert taking is not None
        own_count = len(fixed) - counts.surplus
        collected = {counts.rest: spread.after(counts.places, fixed[own_count:])}
        return taking(*fixed[:own_count], *spread.first(counts.places), **kwargs, **collected)

    def choose(numbers: list[Any]) -> Any:
        number, *further = numbers
        if not further:
            return with_tuple() if takes_more else with_number(number)
        return if_stmt(
            spread.size == number, lambda: with_number(number), lambda: choose(further), (),
            (function, *fixed, *spread.args, *kwargs.values(),
             *[arg.value for arg in spread.args if type(arg) is Spread]),
        )()  # fmt: skip

    return choose(right) if right else None


def _by_name(
    function: Any, call: Call, resolver: Resolver, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call a function, with a KeywordSpread among ``kwargs``."""
    if function is dict and len(kwargs) == 1:
        mapping, (spread,) = call(*args), kwargs.values()
        check_texts(spread.value)
        mapping.update(spread.value)
        return mapping
    owner, implicit = parameters_of(function)
    signature = signature_of(owner) if type(owner) is types.FunctionType else None
    if signature is None or any(type(arg) is Spread for arg in args):
        raise _refusal(function, "**")
    kinds = [parameter.kind for parameter in signature.parameters.values()]
    inner: Call | None = call
    if inspect.Parameter.VAR_KEYWORD in kinds:
        if isinstance(function, type):
            return constructor(function, resolver.starred)(*args, **kwargs)  # which binds them
        inner = taking_collections(function, resolver, options=True)
    placed = (*[None] * implicit, *args)
    names = f"{function.__module__}.{_name(function)}", owner.__qualname__
    arguments = with_keywords(signature, names, placed, kwargs)
    if inner is None or arguments is None:
        raise _refusal(function, "**")
    return inner(*arguments[0][implicit:], **arguments[1])


def _spreads_of_lists(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return arguments where each Spread is one of a staged list; other items are arguments."""
    settled: list[Any] = []
    for arg in args:
        if type(arg) is not Spread:
            settled.append(arg)
            continue
        items = arg.value if isinstance(arg.value, StagedList) else gather(arg.value)
        settled.extend((Spread(items),) if isinstance(items, StagedList) else items)
    return tuple(settled)


class _Rest:
    """Arguments from the first Spread on."""

    def __init__(self, args: tuple[Any, ...]) -> None:
        self.args = args
        lists = [arg.value for arg in args if type(arg) is Spread]
        self.least = len(args) - len(lists)
        """How many there are in any case."""
        self.size = sum(map(length_of_list, lists), self.least)
        self._list = lists[0] if len(lists) == 1 else None

    def all(self, number: int) -> list[Any]:
        """Return the arguments, where there are ``number`` of them."""
        if self._list is None:
            return self.first(number)
        arguments: list[Any] = []
        for arg in self.args:
            count = number - self.least
            spread = type(arg) is Spread
            arguments += [list_ops.item_at(arg.value, n) for n in range(count)] if spread else [arg]
        return arguments

    def first(self, number: int) -> list[Any]:
        """Return the first arguments, where there are ``number`` of them at least."""
        if not number:
            return []  # they need not be of one type
        together = self._together()
        return [list_ops.item_at(together, place) for place in range(number)]

    def after(self, number: int, before: tuple[Any, ...]) -> Any:
        """Return a tuple of what stands ``before``, and of the arguments after the first ones."""
        together = self._together()
        further = together[number:] if number else together
        return list_ops.tuple_of(list_of((*before, Spread(further))) if before else further)

    def _together(self) -> Any:
        return self._list if len(self.args) == 1 else list_of(self.args)


def _check_number(
    spread_args: _Rest, counts: ArgumentCounts, right: list[int], takes_more: bool
) -> None:
    """Raise Python's TypeError, at run time, for a wrong number of arguments."""
    least = right[0] if right else max(spread_args.least, counts.places) + 1

    if spread_args.least < least:
        texts = [(number, counts.error(number)) for number in range(spread_args.least, least)]
        _check_least(spread_args.size, texts)
    if not takes_more:
        most = right[-1] if right else least - 1
        words_for_more = counts.error_around(most + 2)
        _check_most(spread_args.size, most, counts.error(most + 1), words_for_more)


_check_least = from_library(checks.check_least)
_check_most = from_library(checks.check_most)


def _name(function: Any) -> str:
    name: str = getattr(function, "__qualname__", type(function).__qualname__)
    return name


def _refusal(function: Any, sign: str = "*") -> ConcreteValueError:
    name = _name(function)
    described_value = "value whose number of items is" if sign == "*" else "dict whose keys are"
    remedy = "f(l[0], l[1])" if sign == "*" else "f(a=d['a'])"
    return ConcreteValueError(
        f"{name}() is called with '{sign}' and a {described_value} known only at run time",
        where=user_line(),
        help=f"pass the items one by one, {remedy}, or write a function that takes the collection",
    )
