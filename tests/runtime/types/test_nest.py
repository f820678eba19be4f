"""Nests: order, packing, and errors that name the place."""

import collections
import dataclasses

import pytest

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


def test_unsortable_keys():
    with pytest.raises(TypeError, match="keys that can be sorted"):
        nest.flatten({1: "a", "b": 2})


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
