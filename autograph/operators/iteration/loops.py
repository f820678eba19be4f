"""``while`` and ``for`` loops, and the options of staged ones."""

from __future__ import annotations

import functools
import itertools
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from autograph.conversion.convert_hook import converted
from autograph.library import sequences
from autograph.operators.containers.changed_collections import check_each_turn, unchanged_items
from autograph.operators.containers.list_ops import changed_list, item_at
from autograph.operators.containers.map_views import MapView, view
from autograph.operators.containers.sequences import known_items, range_, sequence_of
from autograph.operators.control.conditionals import (
    Owners,
    call_truth_method,
    if_stmt,
    nothing,
    staged_if,
    testing_backend,
)
from autograph.operators.control.long_loops import Turns, exhaust, is_decided_by_loops, turns_of
from autograph.operators.control.path_tracing import loop_options, note_taking, unrolling
from autograph.operators.control.streams import Consumer, StagedStream
from autograph.operators.control.traced_loop import ChangingTest, FirstTurnDiffers, TracedLoop
from autograph.operators.iteration.endless_generators import endless, refuse_changes
from autograph.operators.joins.exact_joins import joining_exactly
from autograph.operators.state.closure_cells import Symbols
from autograph.operators.state.sentinels import BREAK, MaybeValue
from autograph.operators.state.unroll_limits import check_unrolling, many_numbers
from autograph.staging.access import access_of
from autograph.staging.iterable_protocol import LazyIterable
from autograph.staging.protocol import Backend
from autograph.staging.registry import iterating_backend, tracing_backend
from autograph.staging.staged_list import StagedList, TracedList, contents_of, length
from autograph.staging.staged_map import StagedMap, TracedMap
from autograph.staging.staged_string import as_staged
from autograph.staging.staged_union import StagedUnion, StagedVariant

Test = Callable[[], Any] | bool
_PERHAPS_ENDLESS = (types.GeneratorType, enumerate)
_PLAIN = (list, tuple, range, dict, str, set, enumerate, zip, map)


def while_stmt(test: Test, body: Callable[[], Any], names: Symbols = ()) -> None:
    """Run a loop in Python until its test, or a ``break``, turns out to be staged.

    From then on the rest of the loop is staged.  ``test`` is a constant when the user wrote one.
    """
    if not callable(test):
        if test:
            _endless(body, names)
        return
    turns = turns_of(body)
    while True:
        going_on = test()
        if going_on is not True:
            if going_on is False:
                return
            going_on = call_truth_method(going_on)
            backend = testing_backend(going_on)
            if backend is not None:
                _staged_while(backend, test, body, names, None, going_on)
                return
            if not going_on:
                return
        stop = body()
        if stop is not None:
            if stop is BREAK:
                return
            _staged_while(stop.ag__backend, test, body, names, stop)
            return
        if turns is not None and turns.are_many():
            with turns.staging():
                _staged_while(turns.backend, test, body, names)
            return


def _endless(body: Callable[[], Any], names: Symbols) -> None:
    turns = turns_of(body)
    while True:
        stop = body()
        if stop is not None:
            if stop is not BREAK:
                _staged_while(stop.ag__backend, True, body, names, stop)
            return
        if turns is not None and turns.are_many():
            with turns.staging():
                _staged_while(turns.backend, True, body, names)
            return


def for_stmt(
    iterable: Iterable[Any], body: Callable[[Any], Any], names: Symbols = (),
    owners: Owners | None = None, element: Callable[..., Any] | None = None,
) -> None:
    """Run the body for each item; staged where the iterable's backend stages the loop.

    ``owners`` are the functions whose closures hold the variables, if not the body itself;
    ``element`` gives the elements of a comprehension.
    """
    if type(iterable) is StagedVariant:
        iterable = iterable.ag__apply_to_each(converted(list))
    if isinstance(iterable, (TracedList, TracedMap)):
        if isinstance(iterable, StagedList):
            _for_list(iterable, body, names, owners or (body,))
            return
        iterable = view(iterable) if isinstance(iterable, StagedMap) else unchanged_items(iterable)
    if isinstance(iterable, MapView):
        body, owners = check_each_turn(iterable, body), owners or (body,)
    if type(iterable) not in _PLAIN:
        iterable = open_iterable(as_staged(iterable))
        if isinstance(iterable, StagedStream):
            iterable.drive(Consumer(body, names, owners or (body,), unrolling()))
            return
        backend = iterating_backend(iterable)
        listed = known_items(iterable, backend) if backend is not None and unrolling() else None
        if listed is not None:
            iterable = listed
        elif backend is not None:
            _staged_for(backend, iterable, body, names, owners)
            return
    items = iter(iterable)
    note_taking(items)
    turns = turns_of(body, element)
    if turns is not None and (numbers := turns.whole(items, names)) is not None:
        _stage_turns(turns, numbers, items, iterable, body, names, owners, None)
        return
    numbered = endless(items) if type(items) in _PERHAPS_ENDLESS else None
    for item in items if numbered is None else numbered:
        stop = body(item)
        if stop is BREAK:
            return
        if turns is not None and (numbers := turns.rest(items)) is not None:
            _stage_turns(turns, numbers, items, iterable, body, names, owners, stop)
            return
        if stop is not None:
            if numbered is None or not numbered.go_on(stop, body, names, owners or (body,)):
                _rest_of_for(stop, items, body, names, owners or (body,))
            return


def _stage_turns(
    turns: Turns, numbers: range, items: Iterator[Any], iterable: Any, body: Callable[[Any], Any],
    names: Symbols, owners: Owners | None, stop: MaybeValue | None,
) -> None:  # fmt: skip
    """Stage what is left of a loop over a range, perhaps stopped by the turn before."""
    with turns.staging(len(numbers)):
        stopped = _numbers_for(turns.backend, numbers, body, names, owners, stop)
        if items is iterable:
            exhaust(items, stopped)


def _for_list(
    holder: StagedList, body: Callable[[Any], Any], names: Symbols, owners: Owners
) -> None:
    """Loop over a staged list, which must not change during the loop."""
    numbers = range_(holder.backend, length(holder))

    def iteration(number: Any) -> Any:
        item, before = item_at(holder, number), contents_of(holder)
        home = getattr(access_of(item), "home", None)
        stop = body(item)
        after = contents_of(holder)
        if not (after.same(before) or home is not None and home.is_in_place(after)):
            raise changed_list()
        return stop

    _staged_for(holder.backend, numbers, iteration, names, (*owners, (holder,)))


def open_iterable(iterable: Any) -> Any:
    """Return an iterable or, while a backend records, the converted result of its ``__iter__``.

    A class may have only ``__getitem__``: which number is the last one can depend on the run.
    """
    kind = type(iterable)
    method = getattr(kind, "__iter__", None) or _items_by_number(kind)
    backend = tracing_backend() if type(method) is types.FunctionType else None
    if backend is None:
        return iterable
    iterable = backend.open_iterable(iterable)
    if isinstance(iterable, (StagedStream, StagedUnion)) or iterating_backend(iterable) is not None:
        return iterable
    return converted(method)(iterable)


def _items_by_number(kind: type) -> Callable[[Any], Iterator[Any]] | None:
    """Return what iterates over objects of a class without ``__iter__``, as Python does."""
    has_items = type(getattr(kind, "__getitem__", None)) is types.FunctionType
    return sequences.items if has_items and not hasattr(kind, "__iter__") else None


def _rest_of_for(
    stop: MaybeValue, items: Iterator[Any], body: Callable[[Any], Any], names: Symbols,
    owners: Owners,
) -> None:
    """Run the remaining iterations of a Python loop with a staged ``break``, each under a test.

    Numbers are staged where many are left.  The code of a generator is part of the iteration: it
    continues only where the loop does.
    """
    backend = stop.ag__backend
    numbers = many_numbers(items)
    if numbers is not None:
        _numbers_for(backend, numbers, body, names, owners, stop)
        return
    if not isinstance(items, types.GeneratorType):
        for iterations, item in enumerate(items):
            check_unrolling(iterations, items)
            iteration = functools.partial(body, item)
            stop = staged_if(backend, stop.ag__present, _breaks, iteration, names, owners)
            if not isinstance(stop, MaybeValue):
                return  # every path has left the loop
        return
    refuse_changes(items)
    has_more = True

    def resume() -> Any:
        nonlocal has_more
        try:
            item = next(items)
        except StopIteration:
            has_more = False
            return None
        return body(item)

    for iterations in itertools.count():
        check_unrolling(iterations, items)
        stop = staged_if(backend, stop.ag__present, _breaks, resume, names, owners)
        if not has_more or not isinstance(stop, MaybeValue):
            return


def _numbers_for(
    backend: Backend, numbers: range, body: Callable[[Any], Any], names: Symbols,
    owners: Owners | None, stopped: MaybeValue | None,
) -> Any:
    """Stage a loop over a range of Python's numbers."""
    staged = range_(backend, numbers.start, numbers.stop, numbers.step)
    return _staged_for(backend, staged, body, names, owners, stopped)


def _breaks() -> Any:
    return BREAK


def _staged_while(
    backend: Backend,
    test: Test,
    body: Callable[[], Any],
    names: Symbols,
    stopped: MaybeValue | None = None,
    going_on: Any = None,
    is_first: bool = True,
) -> None:
    """Stage the rest of a loop, perhaps ``stopped`` by the last iteration.

    ``going_on`` is what its test has said for the next one, if it was called.  ``is_first``:
    whether the next iteration is the first that is staged.
    """
    bodies = (test, body) if callable(test) else (body,)
    alone = is_first and callable(test) and stopped is None and not joining_exactly.value
    loop = TracedLoop(
        backend, names, bodies, stopped, body, test if callable(test) else None,
        may_differ=not alone,
    )  # fmt: skip
    try:
        loop.run(backend.while_loop)
    except FirstTurnDiffers:
        assert callable(test)
        first = test() if going_on is None else going_on

        def turns() -> Any:
            stop = body()
            if stop is not BREAK:
                _staged_while(backend, test, body, names, stop, is_first=False)

        if_stmt(first, turns, nothing, names, bodies)()  # Python may know the truth: of a list
    except ChangingTest:
        assert callable(test)
        _rotated_while(backend, test, body, names, stopped, going_on)


def _rotated_while(
    backend: Backend,
    test: Callable[[], Any],
    body: Callable[[], Any],
    names: Symbols,
    stopped: MaybeValue | None,
    going_on: Any,
) -> None:
    """Stage a loop whose test changes variables: the test becomes the end of each iteration."""
    owners = (test, body)

    def left() -> Any:
        return if_stmt(test(), nothing, _breaks, names, owners)()

    def left_unless(stop: Any) -> Any:
        if not isinstance(stop, MaybeValue):
            return left() if stop is None else stop
        return staged_if(backend, stop.ag__present, _breaks, left, names, owners)

    if stopped is not None:
        first = left_unless(stopped)
    elif going_on is not None:
        first = staged_if(backend, going_on, nothing, _breaks)
    else:
        first = left()
    iteration = functools.partial(_iteration_and_test, body, left_unless)
    TracedLoop(backend, names, owners, first, iteration).run(backend.while_loop)


def _iteration_and_test(body: Callable[[], Any], left_unless: Callable[[Any], Any]) -> Any:
    return left_unless(body())


def _staged_for(
    backend: Backend, iterable: Any, body: Callable[[Any], Any], names: Symbols,
    owners: Owners | None, stopped: MaybeValue | None = None,
) -> Any:
    """Stage a loop; return what is known of its ``break`` afterwards, as of a body."""
    if isinstance(iterable, LazyIterable):
        loop = TracedLoop(backend, names, owners or (body,), stopped, body)
        return loop.run(iterable.__for_loop__)
    items = sequence_of(iterable, backend)
    # the arrays of the iterable may be changed, too
    holders = (*(owners or (body,)), (iterable, items.at))
    exactly = joining_exactly.value or is_decided_by_loops(items.count, backend)

    def turns(start: int, stopped: MaybeValue | None) -> Any:
        loop = TracedLoop(
            backend, names, holders, stopped, lambda k: body(items.at(k + start if start else k)),
            source=(iterable, items.count), may_differ=start > 0 or exactly or stopped is not None,
        )  # fmt: skip
        count = items.count - start if start else items.count
        with joining_exactly(exactly):
            return loop.run(lambda loop: backend.for_loop(count, loop))

    def first_and_others() -> Any:
        stop = body(items.at(0))
        return stop if stop is BREAK else turns(1, stop)

    try:
        return turns(0, stopped)
    except FirstTurnDiffers:
        if type(items.count) is int:
            return first_and_others() if items.count else None
        return staged_if(backend, items.count != 0, first_and_others, nothing, names, holders)


def set_loop_options(
    parallel_iterations: int | None = None, swap_memory: bool | None = None,
    maximum_iterations: Any = None, shape_invariants: Any = None, checkpoint: int | None = None,
    maximum_size: int | None = None,
) -> None:
    """Set options of the loop whose body makes this call, for its staged version.

    A loop that Python runs, because nothing in it is staged, ignores all of them.

    Args:
        parallel_iterations: hint without effect.
        swap_memory: hint without effect.
        maximum_iterations: greatest number of iterations.
        shape_invariants: pairs ``(variable, shape)`` for variables whose shape changes between
            iterations.
        checkpoint: number of iterations after which the gradient saves the loop's state; the
            iterations in between are computed again.
        maximum_size: greatest length of the lists that the loop makes longer, for libraries whose
            arrays have fixed sizes.
    Returns:
        None.
    """
    options = loop_options()
    if options is None:
        return
    given = {
        "parallel_iterations": parallel_iterations,
        "swap_memory": swap_memory,
        "maximum_iterations": maximum_iterations,
        "shape_invariants": shape_invariants,
        "checkpoint": checkpoint,
        "maximum_size": maximum_size,
    }
    options.update({name: value for name, value in given.items() if value is not None})
