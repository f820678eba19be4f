"""Lists, dicts and sets that calls of ``runtime.jit`` change: as plain Python in every call."""

import pytest

import runtime as tf
from autograph.errors import EffectError, StagingError
from tests.runtime.functions import container_programs
from tests.runtime.functions.container_programs import World

MEMO = {}
RESULTS = []


def outcome(function, args):
    try:
        return function(*args)
    except Exception as error:
        return type(error), str(error)


def held(world):
    return {
        name: (type(value), repr(sorted(value) if isinstance(value, set) else value))
        for name, value in vars(world).items()
    }


@pytest.mark.parametrize("function", container_programs.PROGRAMS, ids=lambda f: f.__name__)
def test_containers_of_an_object_change_in_each_call(function):
    staged, world, plain = tf.jit(function), World(), World()
    objects = dict(vars(world))
    for n in (3, 4, 3, 7, 0):
        assert outcome(staged, (world, n)) == outcome(function, (plain, n)), n
        assert held(world) == held(plain), n
    assert all(vars(world)[name] is one for name, one in objects.items())


@pytest.mark.parametrize("function", container_programs.PROGRAMS, ids=lambda f: f.__name__)
def test_changes_between_calls_are_seen(function):
    staged, world, plain = tf.jit(function), World(), World()
    for n in (3, 4):
        for one in (world, plain):
            one.found.append(8)
            one.memo.clear()
            one.seen.update((4, 9))
            one.totals[5] = 7
        assert outcome(staged, (world, n)) == outcome(function, (plain, n)), n
        assert held(world) == held(plain), n


def into_globals(n):
    if n not in MEMO:
        MEMO[n] = n + 1
    RESULTS.append(MEMO[n])
    return RESULTS[-1]


def test_globals_change_in_each_call():
    MEMO.clear()
    RESULTS.clear()
    staged = tf.jit(into_globals)
    assert [staged(n) for n in (1, 5, 1)] == [2, 6, 2]
    assert {1: 2, 5: 6} == MEMO
    assert [2, 6, 2] == RESULTS
    assert staged.experimental_get_tracing_count() <= 5


def test_traces_do_not_multiply_with_what_a_dict_holds():
    staged, world = tf.jit(container_programs.memoise), World()
    for n in range(3):
        staged(world, n)
    before = staged.experimental_get_tracing_count()
    for n in range(20):
        assert staged(world, n) == n * n
    assert staged.experimental_get_tracing_count() == before


def by_default(n, memo={}):  # noqa: B006
    if n in memo:
        return memo[n]
    memo[n] = n if n < 2 else by_default(n - 1, memo) + by_default(n - 2, memo)
    return memo[n]


def test_a_default_is_kept_from_call_to_call():
    staged = tf.jit(by_default)
    assert [staged(n) for n in (5, 6, 5)] == [5, 8, 5]
    assert by_default.__defaults__[0] == {1: 1, 0: 0, 2: 1, 3: 2, 4: 3, 5: 5, 6: 8}
    assert staged(3, {}) == 2


def test_a_container_that_is_returned_is_the_same_object():
    staged, world = tf.jit(container_programs.emptied), World()
    for n in (1, 3, 2):
        assert staged(world, n) is world.found
    assert world.found == [2]


def added(items, n):
    items.add(n)
    return items


def test_a_set_among_the_arguments_changes():
    staged = tf.jit(added)
    for items, n in (({1, 2}, 3), ({1, 2}, 2), (set(), 5), ({"a"}, "b")):
        expected = added(set(items), n)
        assert staged(items, n) is items
        assert items == expected


def test_values_of_several_classes_are_refused():
    staged, world = tf.jit(container_programs.collect), World()
    world.found.append("text")
    for _ in range(3):
        with pytest.raises(StagingError, match=r"container_programs.py:\d+"):
            staged(world, 1)
        assert world.found == ["text"]


def test_tensors_are_refused_in_every_call():
    staged, world = tf.jit(container_programs.collect), World()
    for _ in range(3):
        with pytest.raises(EffectError, match=r"container_programs.py:\d+: 'world.found'"):
            staged(world, tf.constant(1.0))
        assert world.found == []


def test_a_function_refuses_what_it_cannot_carry_in_every_call():
    staged, world = tf.function(container_programs.collect), World()
    for _ in range(3):
        with pytest.raises(EffectError, match=r"container_programs.py:\d+: 'world.found'"):
            staged(world, tf.constant(1))
        assert world.found == []
