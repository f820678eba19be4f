"""Collections that a call makes and keeps in an attribute: plain ones, no stand-ins of a trace."""

import collections

import pytest

import runtime as tf
from autograph.errors import EffectError


class Box:
    pass


def empty_set(box, x):
    box.items = set()
    return x


def empty_counter(box, x):
    box.items = collections.Counter()
    return x


def empty_default_dict(box, x):
    box.items = collections.defaultdict(int)
    return x


def empty_lists(box, x):
    box.items = [[], {}, {"a": set()}, ((), [])]
    return x


def constant_counter(box, x):
    box.items = collections.Counter("abca")
    return x


def empty_deque(box, x):
    box.items = collections.deque([1, 2, 3], maxlen=2)
    return x


def kinds(value):
    """Return the classes in a value, which stand-ins compare equal to, by identity."""
    inside = list(value.values()) if isinstance(value, dict) else value
    inside = inside if isinstance(inside, list | tuple) else ()
    return id(type(value)), [kinds(item) for item in inside]


EMPTY = empty_set, empty_counter, empty_default_dict, empty_lists, constant_counter


@pytest.mark.parametrize("function", [*EMPTY, empty_deque])
def test_a_function_leaves_plain_collections(function):
    box, plain = Box(), Box()
    staged = tf.function(function)
    for _ in range(3):
        assert staged(box, tf.constant(2)).numpy() == function(plain, 2)
        assert kinds(box.items) == kinds(plain.items)
        assert box.items == plain.items
        assert repr(box.items) == repr(plain.items)


@pytest.mark.parametrize("function", EMPTY)
def test_jit_leaves_a_new_plain_collection_in_each_call(function):
    box, plain = Box(), Box()
    staged, seen = tf.jit(function), []
    for x in (2, 3, 2):
        assert staged(box, x) == function(plain, x)
        assert kinds(box.items) == kinds(plain.items)
        assert repr(box.items) == repr(plain.items)
        assert all(one is not box.items for one in seen)
        seen.append(box.items)
        for one in (box, plain):
            one.items.clear()


def counted(box, x):
    box.items = collections.Counter()
    box.items[x] += 1
    box.items[x + 1] += 2
    return x


def indexed(box, x):
    box.items = {}
    box.items[x] = x + 1
    return x


def gathered(box, x):
    box.items = set()
    box.items.add(x)
    return x


@pytest.mark.parametrize("function", [counted, indexed, gathered])
def test_staged_keys_are_written_as_plain_collections_or_refused(function):
    box, plain = Box(), Box()
    staged = tf.jit(function)
    for x in (2, 3, 2):
        function(plain, x)
        assert staged(box, x) == x
        assert kinds(box.items) == kinds(plain.items)
        assert repr(box.items) == repr(plain.items)


def lists_by_key(box, x):
    box.items = collections.defaultdict(list)
    box.items["a"].append(1)
    return x


def test_inner_collections_are_new_in_each_call_or_refused():
    box, staged = Box(), tf.jit(lists_by_key)
    try:
        staged(box, 2)
        box.items["a"].append(5)
        staged(box, 2)
        assert box.items == {"a": [1]}
    except EffectError as error:
        assert __file__ in str(error)
