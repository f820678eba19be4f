"""Comprehensions and generator expressions.

Each operator takes the iterable, a function from the loop variables to the element, a function for
the conditions and, unless the target is a single name, the text of the target.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.operators.containers.list_ops import list_
from autograph.operators.containers.map_ops import add, set_at
from autograph.operators.control.conditionals import if_stmt, testing_backend
from autograph.operators.control.long_loops import may_be_long, note_long_generator
from autograph.operators.control.streams import Consumer, StagedStream
from autograph.operators.iteration.iterables import branch, is_staged, known_items, loop
from autograph.operators.iteration.loops import open_iterable
from autograph.operators.iteration.unpacking import unpacked
from autograph.operators.state.closure_cells import Local
from autograph.operators.state.sentinels import BREAK
from autograph.staging.registry import tracing_backend
from autograph.staging.staged_map import TracedDict, TracedSet
from autograph.staging.staged_string import as_staged

Element = Callable[..., Any]
Test = Callable[..., Any] | None


class Nested:
    """Element of a comprehension with another ``for``: the elements of the inner one."""

    __slots__ = ("element", "iterable", "target", "test")

    def __init__(
        self, iterable: Any, element: Element, test: Test = None, target: str | None = None
    ) -> None:
        self.iterable = iterable
        self.element = element
        self.test = test
        self.target = target


nested = Nested


def list_comp(
    iterable: Any, element: Element, test: Test = None, target: str | None = None
) -> Any:
    """``[element for target in iterable if test]``."""
    elements: list[Any] = list_([])
    if tracing_backend() is None:
        _fill(elements.append, iterable, element, test, target)
    else:
        clauses = Nested(iterable, element, test, target)
        _run(clauses, Consumer(elements.append, (), ((elements,),), unroll=True))
    return elements


def set_comp(
    iterable: Any, element: Element, test: Test = None, target: str | None = None
) -> Any:
    """``{element for target in iterable if test}``."""
    if tracing_backend() is None:
        elements: set[Any] = set()
        _fill(elements.add, iterable, element, test, target)
        return elements
    traced = TracedSet()
    clauses = Nested(iterable, element, test, target)
    _run(clauses, Consumer(lambda item: add(traced, item), (), ((traced,),), unroll=True))
    return traced


def dict_comp(
    iterable: Any, element: Element, test: Test = None, target: str | None = None
) -> Any:
    """``{key: value for target in iterable if test}``; the element is the pair."""
    if tracing_backend() is None:
        entries: dict[Any, Any] = {}
        _fill(lambda pair: entries.__setitem__(*pair), iterable, element, test, target)
        return entries
    traced = TracedDict()
    clauses = Nested(iterable, element, test, target)
    put = Consumer(lambda pair: set_at(traced, *pair), (), ((traced,),), unroll=True)
    _run(clauses, put)
    return traced


def generator(
    iterable: Any, element: Element, test: Test = None, target: str | None = None
) -> Any:
    """``(element for target in iterable if test)``; a stream where it may be staged."""
    iterable = open_iterable(as_staged(iterable))
    staged = tracing_backend() is not None and is_staged(iterable)
    source = iterable if staged else iter(iterable)
    if tracing_backend() is None or not (staged or test is not None or _is_nested(element)):
        elements = _generator(source, element, test, target)
        if may_be_long(iterable):
            inner_clauses = Nested(iterable[1:], element, test, target)
            note_long_generator(elements, lambda consumer: _run(inner_clauses, consumer))
        return elements
    clauses = Nested(source, element, test, target)

    def pull() -> Iterator[Any] | None:
        items = known_items(source) if staged else source
        if items is None:
            return None
        generated: Iterator[Any] = _generator(items, element, test, target)
        return generated

    return StagedStream(
        "a generator expression", lambda consumer: _run(clauses, consumer), pull, staged
    )


def _is_nested(element: Element) -> bool:
    return "nested" in element.__code__.co_names


def _fill(
    add: Callable[[Any], object], iterable: Iterable[Any], element: Element, test: Test,
    target: str | None,
) -> None:
    """Pass each element to ``add``, in Python."""
    unpack = None if target is None else _unpacking(target)
    for item in iterable:
        args = (item,) if unpack is None else unpack(item)
        if test is None or _python_bool(test(*args)):
            value = element(*args)
            if type(value) is Nested:
                _fill(add, value.iterable, value.element, value.test, value.target)
            else:
                add(value)


def _python_bool(value: Any) -> Any:
    """Return a test; refuse a staged one, which would decide about an item or a key."""
    if value is not True and value is not False and testing_backend(value) is not None:
        raise ConcreteValueError(
            "the items of a set or the keys of a dict cannot depend on a staged value",
            where=user_line(),
            help="build a list, or store a value for each key",
        )
    return value


def _generator(source: Iterator[Any], element: Element, test: Test, target: str | None) -> Any:
    elements = _elements(source, element, test, target)
    elements.__name__ = "<genexpr>"
    elements.__qualname__ = element.__qualname__.removesuffix("<lambda>") + "<genexpr>"
    return elements


def _elements(
    source: Iterable[Any], element: Element, test: Test, target: str | None
) -> Any:
    unpack = None if target is None else _unpacking(target)
    for item in source:
        args = (item,) if unpack is None else unpack(item)
        if test is None or test(*args):
            value = element(*args)
            if type(value) is Nested:
                yield from _elements(value.iterable, value.element, value.test, value.target)
            else:
                yield value


@lru_cache(maxsize=1024)
def _unpacking(target: str) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that assigns an item to a target and returns its variables' values."""
    names = ", ".join(dict.fromkeys(re.findall(r"\w+", target)))
    value = f"unpacked(item, {target!r})" if "*" in target else "item"
    plain = target.replace("*", "")
    text = f"def unpack(item):\n    {plain} = {value}\n    return ({names},)\n"
    space: dict[str, Any] = {"unpacked": unpacked}
    exec(compile(text, __file__, "exec"), space)
    unpack: Callable[[Any], tuple[Any, ...]] = space["unpack"]
    return unpack


def _run(clauses: Nested, consumer: Consumer) -> None:
    """Loop over elements for a consumer, staged where iterables or tests are."""
    test, element = clauses.test, clauses.element
    unpack = None if clauses.target is None else _unpacking(clauses.target)
    inner = replace(consumer, owners=(*consumer.owners, (element, test)))

    def iteration(item: Any) -> Any:
        args = (item,) if unpack is None else unpack(item)
        if test is None:
            return hand_on(args)
        return branch(test(*args), lambda: hand_on(args), inner)

    def hand_on(args: tuple[Any, ...]) -> Any:
        value = element(*args)
        return _run_inside(value, inner) if type(value) is Nested else consumer.body(value)

    loop(clauses.iterable, iteration, inner, element=element)


def _run_inside(clauses: Nested, consumer: Consumer) -> Any:
    """Pass on the elements of an inner ``for``; return what ends the outer loop, if anything."""
    has_left = Local("left", False)
    names = (*consumer.names, has_left)
    ends = False

    def body(value: Any) -> Any:
        nonlocal ends
        stop = consumer.body(value)
        if stop is None:
            return None
        ends = True
        if stop is BREAK:
            return leave()
        return if_stmt(stop.ag__present, leave, None, names, consumer.owners)()

    def leave() -> Any:
        has_left.value = True
        return BREAK

    _run(clauses, replace(consumer, body=body, names=names))
    if not ends:
        return None
    return if_stmt(has_left.value, lambda: BREAK, None, consumer.names, consumer.owners)()
