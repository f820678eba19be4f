"""Values of ``runtime.jit`` that are of one kind on one path and of another elsewhere."""

from __future__ import annotations

import runpy
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime
from autograph.errors import DtypeJoinError, EffectError, InternalFaultError, JoinError
from autograph.operators.joins import aliases, variant_nodes
from runtime.graph.graph import Graph
from tests.runtime.functions.joined_number_programs import outcome
from tests.runtime.functions.variant_programs import CALLS, text_or_number
from tests.support.extras import needs


@pytest.mark.parametrize(("function", "calls"), CALLS, ids=lambda p: getattr(p, "__name__", ""))
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=needs("jit"))])
def test_results_are_pythons(function, calls, compiled):
    staged = runtime.jit(function, jit_compile=compiled)
    for args in calls:
        assert outcome(staged, args) == outcome(function, args), args


def test_one_trace_for_all_kinds():
    staged = runtime.jit(text_or_number)
    assert [staged(n) for n in (1, -1, 2)] == [1, "negative", 2]
    assert staged.experimental_get_tracing_count() == 1
    assert "str" in str(staged.get_concrete_function(1))


def test_in_a_function_that_calls_it():
    inner = runtime.jit(text_or_number)

    @runtime.jit
    def outer(n):
        found = inner(n)
        return found if isinstance(found, str) else found + 1

    assert [outer(n) for n in (1, -1)] == [2, "negative"]


def test_state_that_outlives_a_call():
    class Meter:
        last = 0

        @runtime.jit
        def note(self, n):
            self.last = "low" if n < 0 else n

    meter = Meter()
    with pytest.raises(EffectError, match="last"):
        meter.note(1)
    assert meter.last == 0


def test_changed_lists_that_may_be_one():
    @runtime.jit
    def changed(n):
        if n < 0:
            p = [n]
            q = p
        else:
            p, q = n, n + 1
        if isinstance(p, list):
            p.append(5)
        return q

    with pytest.raises(EffectError, match="may be the same object"):
        changed(-1)


def test_of_tensors_one_kind_remains():
    with pytest.raises(DtypeJoinError):
        runtime.function(text_or_number)(runtime.constant(1))

    @runtime.jit
    def arrays(n, a):
        return a if n > 0 else a > 0

    with pytest.raises(DtypeJoinError):
        arrays(1, np.ones(2))


def test_a_variable_of_a_loop_keeps_its_kind():
    @runtime.jit
    def nested(n):
        x = n
        for _ in range(n):
            x = (x, 1)
        return x

    with pytest.raises(JoinError):
        nested(3)


def number_or_list_changed(n: int) -> Any:
    held = [1]
    value = held if n > 2 else 5
    other = value
    value *= 2
    return value, other, held


def default_list_beside_numbers(n: int) -> Any:
    held = defaultdict(list, {1: 5})
    held[n] += [n] if n > 1 else n
    return held


@pytest.mark.parametrize("function", [number_or_list_changed, default_list_beside_numbers])
def test_operators_in_place_on_what_may_change(function: Any) -> None:
    staged = runtime.jit(function, strict=True)
    for n in (3, 1, 4):
        assert staged(n) == function(n)


_BESIDE_NONE = ("i", "(i, 'a')", "[i]", "{'v': i}", "t", "x", "x > 1")
"""Items that a loop appends, of which the first is as the one before the loop."""


@pytest.mark.parametrize(
    ("start", "put", "later"),
    [("[{}]", "r.append({})", "r.append(None)"), ("[{}]", "r.append({})", "r = [None] + r"),
     ("{{0: {}}}", "r[i + 1] = {}", "r[77] = None")],
)  # fmt: skip
@pytest.mark.parametrize("item", _BESIDE_NONE)
def test_items_are_their_own_beside_none(
    item: str, start: str, put: str, later: str, tmp_path: Path
) -> None:
    text = f"""
def program(n):
    i, t, x = 0, "a", 0.5
    r = {start.format(item)}
    for i in range(n):
        {put.format(item)}
        t, x = t + "b", x * 2
    if n == 3:
        {later}
    return r
"""
    path = tmp_path / "program.py"
    path.write_text(text)
    function = runpy.run_path(str(path))["program"]
    staged = runtime.jit(function, strict=True)
    for n in (2, 0, 3):
        assert staged(n) == function(n)


def test_a_text_in_a_joined_list_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """It refers to the graph that it is from, and so to all that the graph knows."""

    def program(n):
        r = [f"{n}"]
        try:
            if n == 3:
                raise KeyError
            r.append(None)
        except KeyError:
            r.append(f"{n}!")
        return r

    visited: list[Any] = []
    held = aliases._held

    def counted(value: Any, *args: Any) -> Any:
        visited.append(type(value))
        return held(value, *args)

    monkeypatch.setattr(aliases, "_held", counted)
    staged = runtime.jit(program, strict=True)
    assert [staged(n) for n in (3, 4)] == [program(n) for n in (3, 4)]
    assert visited and not any(issubclass(kind, Graph) for kind in visited)


def tuple_that_grows_twice(n):
    t = ()
    if n < 9:
        t = t + (n,)
    if n <= 2:
        if n < 9:
            t = t + (n,)
    return t


def tuple_until_a_break(n):
    t = ()
    for i in range(5):
        if n < 9:
            t = t + ((i, 2),)
        if n > 2:
            break
    return t, 5


def tuple_returned_early(n):
    t = ()
    for _ in range(3):
        if n < 9:
            t = t + (n,)
        if n > 2:
            return t
    return t, 1


class Point:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return isinstance(other, Point) and self.x == other.x


def objects_among_texts_and_numbers(n):
    r = [str(n)]
    for i in range(4):
        try:
            if n < 9:
                raise ValueError(Point(i))
            r.append("k")
        except ValueError:
            r.append(i if n % 2 == 0 else n)
        r.insert(0, Point(i))
    return [item.x if isinstance(item, Point) else item for item in r]


@pytest.mark.parametrize("function", [
    tuple_that_grows_twice, tuple_until_a_break, tuple_returned_early,
    objects_among_texts_and_numbers,
])  # fmt: skip
def test_tuples_and_objects_of_later_kinds(function: Any) -> None:
    staged = runtime.jit(function, strict=True)
    for n in (3, 0, 1, 10):
        assert staged(n) == function(n)


def test_an_error_of_a_join_is_no_exception_of_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Taken for one, it ran the handler, or the call returned None."""

    def program(n):
        x = "a"
        try:
            if n < 9:
                x = n
        except ValueError:
            x = None
        return x

    failing = "def failing(self, value, backend):\n    return ().index(value)"
    names: dict[str, Any] = {}
    exec(compile(failing, variant_nodes.__file__, "exec"), names)
    monkeypatch.setattr(variant_nodes.VariantNode, "_own_kind", names["failing"])
    with pytest.raises(InternalFaultError, match="not in tuple") as caught:
        runtime.jit(program, strict=True)(1)
    assert caught.value.where[0] == __file__


def test_an_object_that_is_none_of_those_known_is_refused() -> None:
    def program(n):
        r = [Point(0)]
        if n == 0:
            try:
                if n > 2:
                    raise KeyError("ok")
            except KeyError:
                r.append(Point(1))
        return len(r)

    with pytest.raises(JoinError, match="an object of type Point"):
        runtime.jit(program, strict=True)(3)


def test_a_loop_that_is_staged_after_a_turn_asks_python_for_the_truth_of_a_list() -> None:
    def program(n):
        a, b = 0, n
        r, d = [b, a], {0: 0, 5: 1}
        c = 0
        while c < 3 and r:
            c += 1
            a = d.get(d.get(b, a), -3)
            r.sort()
        return r, c, a

    staged = runtime.jit(program, strict=True)
    for n in (3, 0, 5):
        assert staged(n) == program(n)
