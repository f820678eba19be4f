"""The structure of nested values: taken apart, compared, written, and put together again."""

from __future__ import annotations

import collections
import dataclasses
import types
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.types.node_types import NODE_TYPES, NodeType, register
from runtime.types.treedef import StructureError, TreeDef, flatten
from tests.support.nightly import examples

Point = collections.namedtuple("Point", "x y")
Pair = collections.namedtuple("Pair", "x y")


@dataclasses.dataclass
class State:
    h: Any
    c: Any


@dataclasses.dataclass(frozen=True, slots=True)
class Fixed:
    h: Any


@attrs.define
class Cell:
    size: Any
    _hidden: Any = 0


class Stack(list):
    """A list of a class of its own."""


class Track(tuple):
    """A tuple of a class of its own."""


class Rows:
    """Takes itself apart, in TensorFlow's way."""

    def __init__(self, name: str, values: Any, ends: Any) -> None:
        self.name, self.values, self.ends = name, values, ends

    def __tf_flatten__(self) -> Any:
        return self.name, (self.values, self.ends)

    @classmethod
    def __tf_unflatten__(cls, metadata: Any, components: Any) -> Rows:
        return cls(metadata, *components)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows) and vars(self) == vars(other)

    def __repr__(self) -> str:
        return f"Rows({self.name!r}, {self.values!r}, {self.ends!r})"


keys = st.one_of(
    st.lists(st.sampled_from("abc"), unique=True), st.lists(st.integers(-2, 2), unique=True),
    st.lists(st.tuples(st.integers(0, 2), st.sampled_from("ab")), unique=True),
)  # fmt: skip
mappings = st.sampled_from([
    dict, collections.OrderedDict, collections.Counter, types.MappingProxyType,
    lambda items: collections.defaultdict(list, items),
])  # fmt: skip
leaves = st.one_of(st.none(), st.integers(0, 3), st.text(max_size=1))


def branches(inner: Any) -> Any:
    """Structures of such parts."""
    lists = st.lists(inner, max_size=3)
    items = keys.flatmap(lambda chosen: st.tuples(*[st.tuples(st.just(k), inner) for k in chosen]))
    return st.one_of(
        lists, lists.map(tuple), lists.map(Stack), lists.map(Track),
        st.builds(lambda make, found: make(dict(found)), mappings, items),
        st.builds(Point, inner, inner), st.builds(Pair, inner, inner),
        st.builds(State, inner, inner), st.builds(Fixed, inner), st.builds(Cell, inner, inner),
        st.builds(Rows, st.sampled_from("ab"), inner, inner),
    )  # fmt: skip


nests = st.recursive(leaves, branches, max_leaves=10)


def same(one: Any, other: Any) -> bool:
    """Whether two nests are laid out alike, told without the registry: by a plain recursion."""
    if type(one) is not type(other):
        return NODE_TYPES[type(one)] is None and NODE_TYPES[type(other)] is None
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, collections.abc.Mapping):
        names = list(one), list(other)
        factories = [getattr(mapping, "default_factory", None) for mapping in (one, other)]
        return names[0] == names[1] and factories[0] is factories[1] and all(
            same(one[name], other[name]) for name in one
        )  # fmt: skip
    if isinstance(one, Rows):
        parts = zip(one.__tf_flatten__()[1], other.__tf_flatten__()[1])
        return one.name == other.name and all(same(a, b) for a, b in parts)
    if isinstance(one, State | Fixed | Cell):
        names = getattr(type(one), "__slots__", None) or list(vars(one))
        return all(
            same(getattr(one, n), getattr(other, n)) for n in names if not n.startswith("__")
        )
    return True


@settings(max_examples=examples(300, kept=40), deadline=None)
@given(nests)
def test_flatten_then_unflatten_gives_the_value_back(nest: Any) -> None:
    found, treedef = flatten(nest)
    back = treedef.unflatten(found)
    assert back == nest and type(back) is type(nest) and repr(back) == repr(nest)
    assert same(back, nest)
    assert treedef.num_leaves == len(found) == len(treedef.paths()) == len(treedef.labels("x"))


@settings(max_examples=examples(500, kept=60), deadline=None)
@given(nests, nests)
def test_treedefs_are_equal_for_nests_that_are_laid_out_alike(one: Any, other: Any) -> None:
    left, right = flatten(one)[1], flatten(other)[1]
    assert (left == right) == same(one, other)
    if left == right:
        assert hash(left) == hash(right) and repr(left) == repr(right)


@settings(max_examples=examples(200, kept=40), deadline=None)
@given(nests)
def test_other_leaves_leave_the_structure_as_it_is(nest: Any) -> None:
    found, treedef = flatten(nest)
    others = [object() for _ in found]
    made = treedef.unflatten(others)
    assert flatten(made)[0] == others and flatten(made)[1] == treedef
    assert treedef.flatten_up_to(made) == others
    assert treedef.flatten_up_to(treedef.unflatten([(leaf,) for leaf in found])) == [
        (leaf,) for leaf in found
    ]


@settings(max_examples=examples(200, kept=40), deadline=None)
@given(nests)
def test_paths_lead_to_the_leaves(nest: Any) -> None:
    found, treedef = flatten(nest)
    for leaf, path, label in zip(found, treedef.paths(), treedef.labels("x"), strict=True):
        place = nest
        for key in path:
            if isinstance(place, Rows):
                place = place.__tf_flatten__()[1][key]
            elif isinstance(key, str) and not isinstance(place, collections.abc.Mapping):
                place = getattr(place, key)
            else:
                place = place[key]
        assert place is leaf
        if ".0" not in label and ".1" not in label:  # the parts of what takes itself apart
            assert eval(label, {"x": nest}) is leaf


@pytest.mark.parametrize(
    ("nest", "text"),
    [
        (5, "*"),
        (None, "*"),
        ([], "[]"),
        ((), "()"),
        ({}, "{}"),
        ({"a": 1, "b": [2, 3]}, "{'a': *, 'b': [*, *]}"),
        ({"b": 1, "a": 2}, "{'b': *, 'a': *}"),
        ((1,), "(*,)"),
        ((1, (2, 3)), "(*, (*, *))"),
        (Stack([1]), "Stack([*])"),
        (Track([1]), "Track((*,))"),
        (Point(1, [2]), "Point(x=*, y=[*])"),
        (State(1, {"k": 2}), "State(h=*, c={'k': *})"),
        (Cell(1), "Cell(size=*, _hidden=*)"),
        (collections.OrderedDict(b=1, a=2), "OrderedDict({'b': *, 'a': *})"),
        (collections.defaultdict(list, a=1), "defaultdict(list, {'a': *})"),
        (collections.defaultdict(None, a=1), "defaultdict(None, {'a': *})"),
        (types.MappingProxyType({1: 2}), "mappingproxy({1: *})"),
        (Rows("r", 1, [2]), "Rows(*, [*])"),
    ],
    ids=repr,
)
def test_texts(nest: Any, text: str) -> None:
    assert repr(flatten(nest)[1]) == text


def test_labels_are_written_as_in_python() -> None:
    nest = {"a": [1, (2,)], "b": Point(State(3, 4), 5)}
    assert flatten(nest)[1].labels("x") == [
        "x['a'][0]", "x['a'][1][0]", "x['b'].x.h", "x['b'].x.c", "x['b'].y",
    ]  # fmt: skip


def test_keys_that_are_equal_but_of_other_types_are_told_apart() -> None:
    assert flatten({1: 0})[1] != flatten({True: 0})[1]


def test_attributes_that_are_no_fields_are_metadata() -> None:
    state, other = State(1, 2), State(1, 2)
    state.note = "n"
    treedef = flatten(state)[1]
    assert treedef.unflatten([3, 4]).note == "n"
    assert treedef.metadata == ({"note": "n"},)
    assert treedef != flatten(other)[1]
    other.note = "n"
    assert treedef == flatten(other)[1] and hash(treedef) == hash(flatten(other)[1])


def test_metadata_that_cannot_be_compared_differs() -> None:
    one, other = State(1, 2), State(1, 2)
    one.note, other.note = np.zeros(2), np.zeros(2)
    assert flatten(one)[1] != flatten(other)[1]


def test_leaves_can_be_chosen() -> None:
    nest = {"a": [1, 2], "b": (3, [4])}
    found, treedef = flatten(nest, is_leaf=lambda value: isinstance(value, list))
    assert found == [[1, 2], 3, [4]]
    assert repr(treedef) == "{'a': *, 'b': (*, *)}"
    assert flatten([1], is_leaf=lambda value: True)[0] == [[1]]


def test_unflatten_counts() -> None:
    treedef = flatten([1, {"a": 2}])[1]
    for wrong in ([1], [1, 2, 3]):
        with pytest.raises(ValueError, match=r"\[\*, \{'a': \*\}\] takes 2 leaves, got"):
            treedef.unflatten(wrong)


def test_flatten_up_to_names_the_place() -> None:
    treedef = flatten({"a": [1, Point(2, 3)], "b": 4})[1]
    assert treedef.flatten_up_to({"a": (1, {"x": [2], "y": 3}), "b": (4,)}) == [1, [2], 3, (4,)]
    for wrong, path in (
        ({"a": [1, (2, 3)], "b": 4}, ("a", 1)), ({"a": [1], "b": 4}, ("a",)), ([1, 2], ()),
        ({"a": [1, 5], "b": 4}, ("a", 1)), (5, ()),
    ):  # fmt: skip
        with pytest.raises(StructureError) as caught:
            treedef.flatten_up_to(wrong)
        assert caught.value.path == path


def test_flatten_up_to_by_another_rule() -> None:
    treedef = flatten((1, [2]))[1]
    with pytest.raises(StructureError) as caught:
        treedef.flatten_up_to((1, (2,)), lambda kind, data, arity, value: kind.cls is type(value))
    assert caught.value.path == (1,) and caught.value.value == (2,)


def test_keys_of_several_classes() -> None:
    leaves, treedef = flatten([{"b": 2, 1: "a"}])
    assert leaves == ["a", 2] and flatten([{"b": "d", 1: "c"}]) == (["c", "d"], treedef)


def test_deep_nests() -> None:
    depth = 5_000  # five times what Python's own recursion can walk
    nest: Any = 0
    for number in range(depth):
        nest = (nest,) if number % 2 else {"a": nest}
    found, treedef = flatten(nest)
    assert found == [0] and treedef == flatten(nest)[1] and hash(treedef) == hash(flatten(nest)[1])
    assert flatten(treedef.unflatten([1]))[0] == [1]
    assert treedef.flatten_up_to(nest) == [0]
    assert len(treedef.paths()[0]) == depth


def test_wide_nests_that_share_parts() -> None:
    shared = [1, 2]
    nest = [shared] * 20_000
    assert len(flatten(nest)[0]) == 40_000


def test_what_contains_itself() -> None:
    nest: Any = {"a": [1]}
    nest["a"].append((nest,))
    with pytest.raises(ValueError, match=r"the dict at nest\['a'\]\[1\]\[0\] holds what it is in"):
        flatten(nest)
    around = [nest]
    with pytest.raises(ValueError, match=r"nest\[0\]\['a'\]\[1\]\[0\] holds"):
        flatten(around)
    many: Any = [0, 0]
    many[:] = [many, many]
    with pytest.raises(ValueError, match="must not contain itself"):
        flatten(many)


def test_a_long_circle_is_written_in_short() -> None:
    first: Any = []
    nest = first
    for _ in range(30):
        nest = [nest]
    first.append(nest)
    with pytest.raises(ValueError, match=r"at nest(\[0\]){5}\.\.\.(\[0\]){5} holds"):
        flatten(nest)


def test_classes_can_be_registered() -> None:
    class Box:
        def __init__(self, *values: Any) -> None:
            self.values = values

    class Opaque(Box):
        pass

    class BoxType(NodeType):
        def flatten(self, value: Any) -> Any:
            return value.values, None, None

        def unflatten(self, data: Any, metadata: Any, children: Any) -> Any:
            return self.cls(*children)

    class OpaqueType(BoxType):
        opaque = True

    box, opaque = Box(1, [2]), Opaque(1, 2)
    assert flatten(box)[0] == [box]
    register(Opaque, OpaqueType)
    register(Box, BoxType)
    assert flatten(box)[0] == [1, 2] and repr(flatten(box)[1]) == "Box(*, [*])"
    assert flatten([opaque])[0] == [opaque]
    found, treedef = flatten([opaque], expand_composites=True)
    assert found == [1, 2] and isinstance(treedef, TreeDef)
    assert treedef.unflatten([3, 4])[0].values == (3, 4)
