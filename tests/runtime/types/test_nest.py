"""Nests: order, packing, and errors that name the place."""

import collections
import dataclasses

import attrs
import pytest

import runtime as tf
from runtime import nest

Point = collections.namedtuple("Point", "x y")


@dataclasses.dataclass(frozen=True)
class State:
    h: object
    c: object


STRUCTURES = [
    5, None, [], (), {}, [1, [2, (3,)]], {"b": 1, "a": [2, 3]}, Point(1, {"k": 2}),
    State(h=1, c=(2, 3)), collections.OrderedDict(z=1, a=2), [None, 1],
]  # fmt: skip


@pytest.mark.parametrize("structure", STRUCTURES, ids=repr)
def test_flatten_then_pack_gives_the_structure_back(structure):
    packed = nest.pack_sequence_as(structure, nest.flatten(structure))
    assert packed == structure
    assert type(packed) is type(structure)


def test_dicts_are_walked_by_sorted_key_but_keep_their_order():
    structure = {"b": 1, "a": 2}
    assert nest.flatten(structure) == [2, 1]
    assert list(nest.map_structure(lambda x: x, structure)) == ["b", "a"]


def test_defaultdict_keeps_its_factory():
    structure = collections.defaultdict(list, a=1)
    assert nest.map_structure(lambda x: x + 1, structure)["new"] == []


def test_map_over_several():
    assert nest.map_structure(lambda a, b: a + b, {"x": [1, 2]}, {"x": [10, 20]}) == {"x": [11, 22]}


def test_pack_counts():
    with pytest.raises(ValueError, match="2 elements, but flat_sequence had 3"):
        nest.pack_sequence_as([1, 2], [1, 2, 3])


@pytest.mark.parametrize(
    ("left", "right", "error", "text"),
    [
        ([1], 1, ValueError, "nested structure"),
        ([1], (1,), TypeError, "list against tuple"),
        ({"a": [1, 2]}, {"a": [1]}, ValueError, r"at \['a'\]"),
        ({"a": 1}, {"b": 1}, ValueError, "keys"),
    ],
)
def test_differences_name_the_place(left, right, error, text):
    with pytest.raises(error, match=text):
        nest.assert_same_structure(left, right)


def test_types_need_not_match_when_asked():
    nest.assert_same_structure([1, 2], (1, 2), check_types=False)


def test_keys_of_several_classes():
    one, other = {1: "a", "b": 2, (3,): None}, {(3,): 30, "b": 20, 1: 10}
    assert nest.flatten(other) == [10, 20, 30] and nest.flatten(one) == ["a", 2, None]
    assert nest.map_structure(lambda x, y: (x, y), other, other)["b"] == (20, 20)
    assert list(nest.map_structure(str, other)) == [(3,), "b", 1]
    nest.assert_same_structure(one, other)


def test_keys_without_an_order():
    class Key:
        def __repr__(self):
            return "key"

    with pytest.raises(TypeError, match="keys that can be sorted"):
        nest.flatten({Key(): "a", Key(): 2})


def test_dataclasses_are_copied_as_they_are():
    @dataclasses.dataclass
    class Sized:
        values: list
        total: int = 0

        def __post_init__(self):
            self.total = sum(self.values)
            self.made = True

    sized = Sized([1, 2])
    sized.total = 10
    doubled = nest.map_structure(lambda x: 2 * x, sized)
    assert (doubled.values, doubled.total, doubled.made) == ([2, 4], 20, True)
    assert (sized.values, sized.total) == ([1, 2], 10)


@attrs.define
class Cell:
    h: object
    _c: object = None


def test_attrs_classes_are_structure():
    assert nest.flatten([Cell(1, {"k": 2})]) == [1, 2]
    assert nest.map_structure(lambda x: x + 1, Cell(1, 2)) == Cell(2, 3)
    added = tf.function(lambda cell: Cell(cell.h + 1, [cell.h]))
    for value in (1.0, 2.0):
        found = added(Cell(tf.constant(value), 5))
        assert (found.h.numpy(), found._c[0].numpy()) == (value + 1, value)
    assert added.experimental_get_tracing_count() == 1


def test_composites_are_leaves_unless_they_are_expanded():
    dataset = tf.data.Dataset.range(3)
    assert nest.flatten([dataset]) == [dataset]
    (tensor,) = nest.flatten({"a": dataset}, expand_composites=True)
    assert tensor.dtype is tf.variant
    (packed,) = nest.pack_sequence_as([dataset], [tensor], expand_composites=True)
    assert list(packed.as_numpy_iterator()) == [0, 1, 2]
    same = nest.map_structure(lambda x: x, {"a": dataset}, expand_composites=True)["a"]
    assert same is not dataset and list(same.as_numpy_iterator()) == [0, 1, 2]


def test_deep_nests_and_those_that_contain_themselves():
    deep = 1
    for _ in range(5_000):
        deep = [deep]
    assert nest.flatten(nest.map_structure(lambda x: x + 1, deep)) == [2]
    nest.assert_same_structure(deep, nest.pack_sequence_as(deep, [3]))
    around = []
    around.append((1, around))
    for what in (nest.flatten, lambda n: nest.map_structure(str, n),
                 lambda n: nest.assert_same_structure([1], n)):  # fmt: skip
        with pytest.raises(ValueError, match=r"the list at nest\[0\]\[1\] holds what it is in"):
            what(around)


def test_map_structure_raises_for_unknown_keywords():
    with pytest.raises(TypeError, match="check_type'"):
        nest.map_structure(lambda x: x, [1], check_type=False)


class Wrapping(collections.abc.Mapping):
    """Mapping that is made of more than its items."""

    def __init__(self, owner, scale):
        self.held = dict(owner.items())
        self.scale = scale

    def __getitem__(self, key):
        return self.held[key]

    def __iter__(self):
        return iter(self.held)

    def __len__(self):
        return len(self.held)


class Computing(Wrapping):
    """Mapping whose items are not those that it holds."""

    def __getitem__(self, key):
        return [self.held[key]]


def test_mappings_keep_what_they_hold_besides_their_items():
    made = nest.map_structure(lambda x: x + 1, Wrapping({"b": 1, "a": 2}, 5))
    assert type(made) is Wrapping
    assert (made.held, made.scale) == ({"b": 2, "a": 3}, 5)

    @tf.function
    def scaled(mapping):
        return mapping["a"] * mapping.scale

    assert int(scaled(Wrapping({"a": tf.constant(3)}, 5))) == 15


def test_mappings_that_cannot_be_made_again_are_refused():
    for mapping in (Computing({"a": 1}, 5), collections.ChainMap({"a": 1}, {"b": 2})):
        with pytest.raises(TypeError, match=r"mapping that does not hold .* Pass dict\(\.\.\.\)"):
            nest.flatten(mapping)
