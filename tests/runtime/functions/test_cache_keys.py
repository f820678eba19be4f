"""Which calls of a traced function share a trace: their keys, and the direct calls of some."""

from __future__ import annotations

import collections
import dataclasses
import weakref
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runtime as tf
from runtime.functions.direct_call import MOST_LEAVES
from runtime.functions.signature import FunctionSignature
from runtime.types.python_source import MISS
from tests.support.nightly import examples

Point = collections.namedtuple("Point", "x y")
Size = collections.namedtuple("Size", "x y")


@dataclasses.dataclass
class State:
    h: object
    c: object


@dataclasses.dataclass(frozen=True)
class Frozen:
    h: object
    c: object


@attrs.define
class Cell:
    h: object
    c: object


class Stack(list):
    """A list of a class of its own."""


class Plain:
    """An object that is told by identity."""


class Equal:
    """An object that is told by its value."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Equal) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def method(self) -> None:
        """A bound method is told by its object and its function."""


def with_note(state: Any, note: Any) -> Any:
    """The dataclass's object with an attribute that is no field."""
    state.note = note
    return state


ONE, TWO, INT = tf.constant(1.0), tf.constant(2.0), tf.constant(1)
VECTOR, PAIR = tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0, 3.0])
FIRST, SECOND, SHARED, OTHER = Plain(), Plain(), Equal(0), Equal(0)
VARIABLE, VARIABLE2 = tf.Variable(1.0), tf.Variable(1.0)
ROWS, MORE_ROWS = tf.ragged.constant([[1.0], [2.0, 3.0]]), tf.ragged.constant([[1.0, 2.0], [3.0]])
THREE_ROWS, INT_ROWS = tf.ragged.constant([[1.0], [], [2.0]]), tf.ragged.constant([[1], [2, 3]])
SLICES = tf.IndexedSlices(VECTOR, tf.constant([0, 1]), tf.constant([4]))
LIKE_SLICES = tf.IndexedSlices(VECTOR + 1, tf.constant([2, 1]), tf.constant([5]))
FEWER_SLICES = tf.IndexedSlices(tf.constant([1.0]), tf.constant([2]), tf.constant([5]))
NUMBERS, LETTERS = tf.data.Dataset.range(3), tf.data.Dataset.from_tensor_slices(["a", "b"])


def array(size: int | None = 2, **options: Any) -> Any:
    """A tensor array."""
    return tf.TensorArray(tf.float32, size, **options)


# Each line: argument lists that share a trace.  Those of different lines do not.
GROUPS: list[list[tuple[Any, ...]]] = [
    [()],
    [(ONE,), (TWO,), (np.float32(1),), (np.array(3, np.float32),)],
    [(INT,), (np.int32(1),)],
    [(tf.constant(1, tf.int64),), (np.int64(1),)],
    [(VECTOR,), (VECTOR + 1,), (np.ones(2, np.float32),)],
    [(PAIR,)],
    [(tf.constant("a"),), (tf.constant("b"),)],
    [(np.bool_(True),), (tf.constant(False),)],
    [(1,)], [(2,)], [(True,)], [(False,)], [(None,)], [("a",)], [(b"a",)],
    [(1.0,)], [(0.0,)], [(-0.0,)], [(float("nan"),), (float("nan"),)],
    [(1j,)], [(complex(0.0, -0.0),)], [(complex(0.0, 0.0),)],
    [([],)], [((),)], [({},)], [(collections.OrderedDict(),)],
    [([ONE],), ([TWO],)], [((ONE,),)], [(Stack([ONE]),), (Stack([TWO]),)], [([[ONE]],)],
    [([ONE, None],), ([TWO, None],)], [([None, ONE],)], [([VECTOR],)],
    [([1, 2],)], [([2, 1],)], [((1, 2),)], [([True, 2],)], [([1.0, 2],)],
    [({"a": ONE, "b": INT},), ({"a": TWO, "b": INT},)], [({"b": INT, "a": ONE},)],
    [({"a": INT, "b": ONE},)], [({"a": ONE},)], [({"c": ONE},)], [({1: ONE},)],
    [(collections.OrderedDict(a=ONE),)],
    [(collections.defaultdict(list, a=ONE),), (collections.defaultdict(list, a=TWO),)],
    [(collections.defaultdict(dict, a=ONE),)], [({True: ONE},)],
    [(collections.deque([[ONE]]),), (collections.deque([[ONE]]),)],
    [(Cell(ONE, 1),), (Cell(TWO, 1),)], [(Cell(ONE, 2),)], [(Cell(INT, 1),)],
    [(Point(ONE, 1),), (Point(TWO, 1),)], [(Size(ONE, 1),)], [((ONE, 1),)], [(ONE, 1)],
    [(State(ONE, 1),), (State(TWO, 1),)], [(State(ONE, 2),)], [(State(INT, 1),)],
    [(Frozen(ONE, 1),)],
    [(with_note(State(ONE, 1), 5),), (with_note(State(TWO, 1), 5),)],
    [(with_note(State(ONE, 1), 6),)],
    [(with_note(State(ONE, 1), ONE),), (with_note(State(TWO, 1), ONE),)],
    [(with_note(State(ONE, 1), TWO),)],
    [(with_note(State(ONE, 1), [5]),), (with_note(State(ONE, 1), [5]),)],
    [(FIRST,), (FIRST,)], [(SECOND,)], [([FIRST],), ([FIRST],)],
    [(SHARED,), (OTHER,)], [(Equal(1),)],
    [(SHARED.method,), (SHARED.method,)], [(OTHER.method,)],
    [({1, 2},), ({2, 1},)], [(frozenset({1, 2}),)], [({1, 3},)], [({True, 2},)],
    [(collections.deque([1, 2]),)], [(collections.deque([1, 2], 5),)],
    [(collections.deque([ONE]),), (collections.deque([ONE]),)], [(collections.deque([TWO]),)],
    [(slice(1, 2),), (slice(1, 2),)], [(slice(1, 3),)],
    [(bytearray(b"a"),), (bytearray(b"a"),)],
    [(int,)], [(float,)], [(tf.float32,)], [(tf.int32,)], [(len,)],
    [(VARIABLE,)], [(VARIABLE2,)], [([VARIABLE],)], [(VARIABLE, VARIABLE)],
    [(ROWS,), (MORE_ROWS,)], [(THREE_ROWS,)], [(INT_ROWS,)], [([ROWS],), ([MORE_ROWS],)],
    [(SLICES,), (LIKE_SLICES,)], [(FEWER_SLICES,)],
    [(array(),), (array(),)], [(array(3),)],
    [(array(clear_after_read=False),)], [(array(element_shape=[2]),)],
    [(NUMBERS,), (tf.data.Dataset.range(7),)], [(LETTERS,)], [(NUMBERS.map(lambda x: (x, x)),)],
    [(iter(NUMBERS),), (iter(NUMBERS),)],
    [(ONE, TWO), (TWO, ONE)], [(ONE, INT)], [(INT, ONE)], [(ONE, ONE, ONE)],
]  # fmt: skip

CASES = [(number, args) for number, group in enumerate(GROUPS) for args in group]


def parts_of(*args: Any) -> Any:
    """What tells a call apart: its key and the shapes of its tensors."""
    call = FunctionSignature(lambda *values: None).call(args, {})
    return call.key, call.shapes


def test_calls_share_a_trace_as_listed() -> None:
    told = [(number, parts_of(*args)) for number, args in CASES]
    for number, parts in told:
        for other, others in told:
            assert (parts == others) == (number == other), (GROUPS[number], GROUPS[other])
            assert parts != others or hash(parts) == hash(others)


def test_a_default_factory_is_the_one_of_the_call() -> None:
    @tf.function
    def filled(counts: Any) -> Any:
        counts = counts.copy()
        return counts["new"] + counts["a"]

    for factory, result in ((int, 1.0), (lambda: 5, 6.0), (int, 1.0)):
        assert filled(collections.defaultdict(factory, a=ONE)).numpy() == result


def test_keys_of_dicts_keep_their_types() -> None:
    kinds = tf.function(lambda values: [x * (2.0 if type(k) is bool else 3.0)
                                        for k, x in values.items()])  # fmt: skip
    assert [kinds({1: ONE})[0].numpy(), kinds({True: ONE})[0].numpy()] == [3.0, 2.0]


def test_keywords_are_told_by_name_and_order_of_the_signature() -> None:
    parameters = FunctionSignature(lambda a, b=1, *, c=2: None)
    key = parameters.call((ONE,), {}).key
    assert key == parameters.call((), {"a": TWO}).key
    assert key == parameters.call((ONE, 1), {"c": 2}).key
    assert key != parameters.call((ONE,), {"b": 2}).key
    assert key != parameters.call((ONE,), {"c": 1}).key
    free = FunctionSignature(lambda **rest: None)
    assert free.call((), {"a": ONE}).key != free.call((), {"b": ONE}).key


numbers = st.one_of(
    st.booleans(), st.integers(-2, 2), st.sampled_from([0.0, -0.0, 1.0, float("nan")]),
    st.sampled_from(["a", "b", b"a", None]),
)  # fmt: skip
tensors = st.builds(
    lambda shape, dtype: tf.zeros(shape, dtype),
    st.sampled_from([(), (2,), (2, 1)]), st.sampled_from([tf.float32, tf.int32, tf.string]),
)  # fmt: skip
arrays = st.builds(np.zeros, st.sampled_from([(), (2,)]), st.sampled_from(["f4", "i4", "?"]))
leaves = st.one_of(numbers, tensors, arrays)
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3),
        st.builds(Point, inner, inner),
        st.builds(State, inner, inner),
    ),
    max_leaves=6,
)


def direct(value: Any) -> Any:
    """The direct call of a function that was called with one argument; None if there is none."""
    function = tf.function(lambda x: 1)
    for _ in range(2):
        function(value)
    return function._direct.get(1)


@settings(max_examples=examples(400, kept=75), deadline=None)
@given(values, values)
def test_direct_calls_take_arguments_of_equal_keys(value: Any, other: Any) -> None:
    call = direct(value)
    if call is not None:
        assert call(other) is MISS or parts_of(value) == parts_of(other)


@settings(max_examples=examples(200, kept=50), deadline=None)
@given(values)
def test_a_direct_call_takes_each_such_value(value: Any) -> None:
    """A copy of a value, with other tensors of the same types in it."""
    copied = tf.nest.map_structure(lambda leaf: tf.identity(leaf) if tf.is_tensor(leaf) else leaf,
                                   value)  # fmt: skip
    assert parts_of(copied) == parts_of(value)
    call = direct(value)
    assert call is None or call(copied) == 1


SIMPLE = [
    ONE, 1, 0.5, "a", None, [ONE, 1], (ONE,), {"a": [ONE, 2]}, {1: ONE}, {(1, "b"): ONE},
    Point(ONE, 1), State(ONE, [1]), Cell(ONE, 1), Stack([1]), collections.OrderedDict(a=1), b"a",
    FIRST, VARIABLE, [FIRST], int, len,
]  # fmt: skip
OTHERS = [
    SHARED.method, {1, 2}, 1j, ROWS, SLICES, array(), NUMBERS, with_note(State(ONE, 1), 5),
    collections.defaultdict(list), collections.deque([1]), slice(1), bytearray(b"a"),
    np.ma.masked_array([1.0]),
]  # fmt: skip


@pytest.mark.parametrize("value", SIMPLE)
def test_simple_arguments_are_called_directly(value: Any) -> None:
    call = direct(value)
    assert call(value) == 1
    for other in [*SIMPLE, *OTHERS, SECOND, -0.5, OTHER]:
        assert other is value or call(other) is MISS


@pytest.mark.parametrize("value", OTHERS)
def test_others_are_not(value: Any) -> None:
    assert direct(value) is None


def test_direct_calls_keep_no_argument_alive() -> None:
    value = Plain()
    call, reference = direct(value), weakref.ref(value)
    assert call(value) == 1
    del value
    assert reference() is None and call(None) is MISS and call(Plain()) is MISS


def test_many_parts_go_the_general_way() -> None:
    value = [ONE] * (MOST_LEAVES + 1)
    assert direct(value) is None and direct(value[:9])(value[:9]) == 1


def test_deep_arguments_and_those_that_contain_themselves() -> None:
    deep: Any = ONE
    for _ in range(5000):
        deep = [deep]
    depths = tf.function(lambda value: 1)
    assert depths(deep).numpy() == 1
    around: Any = {"a": []}
    around["a"].append(around)
    with pytest.raises(ValueError, match="must not contain itself"):
        depths(around)
    many: Any = []
    many += [many, many]
    with pytest.raises(ValueError, match="must not contain itself"):
        depths(many)


def test_arrays_are_copied_for_a_run():
    function = tf.function(lambda x: x)
    for _ in range(3):
        given = np.arange(3.0)
        result = function(given)
        given[:] = 9.0
        np.testing.assert_array_equal(result, [0.0, 1.0, 2.0])


@pytest.mark.parametrize("compiles", [False, True])
def test_defaults_that_change_are_looked_at_in_each_call(compiles: bool) -> None:
    factors, sizes, levels = {"a": 2.0}, [3.0], {5.0}

    def scaled(x: Any, by: Any = factors, *, more: Any = (sizes, 1), levels: Any = levels) -> Any:
        return x * by["a"] * more[0][0] * len(levels)

    function = tf.function(scaled, jit_compile=compiles)
    for _ in range(3):
        assert function(ONE).numpy() == scaled(1.0) == 6.0
    factors["a"] = 4.0
    assert function(ONE).numpy() == scaled(1.0) == 12.0
    sizes[0] = 5.0
    assert function(ONE).numpy() == scaled(1.0) == 20.0
    levels.add(6.0)
    assert function(ONE).numpy() == scaled(1.0) == 40.0
    assert function(ONE, {"a": 1.0}).numpy() == scaled(1.0, {"a": 1.0}) == 10.0


@pytest.mark.parametrize("decorate", [tf.function, lambda f: tf.jit(f, strict=True)])
def test_keywords_come_in_any_order(decorate: Any) -> None:
    function = decorate(lambda x, y, z=0.0: x - 2 * y + z)
    for make in (tf.constant, float, np.float64):
        one, two, three = map(make, (1.0, 2.0, 3.0))
        for _ in range(3):
            assert function(y=one, x=one) == -1 and function(z=one, y=one, x=one) == 0
        assert function(y=two, x=three) == -1 and function(x=three, y=two) == -1
        assert function(three, z=two, y=one) == 3 and function(z=one, x=two, y=three) == -3
