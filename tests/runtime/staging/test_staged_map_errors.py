"""What dicts and sets under staged keys refuse, each with an error that says so."""

from __future__ import annotations

import pytest

import autograph
import runtime


def test_keys_of_several_classes_are_refused():
    def mixed(n, text):
        found = {}
        found[n] = 1
        found[text] = 2
        return len(found)

    with pytest.raises(autograph.AutoGraphError, match="several classes, here int and str"):
        runtime.jit(mixed)(1, "a")


def test_a_set_from_outside_of_several_classes_cannot_change():
    outer: set[object] = {2, "a"}

    def change(n):
        if n > 0:
            outer.add(1)
        return n

    with pytest.raises(autograph.EffectError, match="'outer', a set, changes"):
        runtime.jit(change)(1)


def test_pop_of_a_set_is_refused():
    def take(items):
        return set(items).pop()

    with pytest.raises(autograph.AutoGraphError, match=r"pop\(\) of a set of staged items"):
        runtime.jit(take)([1, 2])


def test_a_dict_that_may_be_another_changes():
    def change(n, k):
        one, other = {}, {}
        one[k] = 1
        other[k + 1] = 2
        both = one if n > 0 else other
        both[5] = 1
        return len(one), len(other), len(both)

    for n in (0, 1):
        assert runtime.jit(change)(n, 2) == change(n, 2)


def test_a_list_that_may_have_changed_in_a_dict_is_not_read():
    def stale(k):
        known = {}
        items = [1]
        known[k] = items
        known[k].append(2)
        return len(items)

    with pytest.raises(autograph.EffectError, match="another list that was changed"):
        runtime.jit(stale)(1)


def test_a_list_taken_out_before_its_dict_changed_cannot_change():
    def late(k):
        known = {}
        known[k] = [1]
        items = known[k]
        known[k] = [2]
        items.append(3)
        return known

    with pytest.raises(autograph.EffectError, match="changed after the dict changed"):
        runtime.jit(late)(1)


def twice(k):
    known, row = {}, [1]
    known[k] = row
    known[k + 1] = row
    return known


def under_another_key(k):
    known = {k: [1]}
    known[k + 1] = known[k]
    return known


def copied(k):
    known = {k: [1]}
    return [known, known.copy()][0]


def copied_by_its_class(k):
    known = {k: [1]}
    return [known, dict(known)][0]


def listed(k):
    known = {k: [1]}
    return [known, list(known.values())][0]


def in_a_list(k):
    known, rows = {k: [1]}, []
    for _ in range(k):
        rows.append(known[k])
    return [known, rows][0]


def of_a_list(k):
    rows = [[i] for i in range(k + 1)]
    return {k: rows[0]}


def chosen_of_a_list(k):
    rows = [[0], [1]]
    return {k: rows[k % 2]}


def in_two_lists(k):
    row = [1]
    return {k: [row], k + 1: [row]}


@pytest.mark.parametrize(
    "sharing",
    [twice, under_another_key, copied, copied_by_its_class, listed, in_a_list, of_a_list,
     chosen_of_a_list],
)  # fmt: skip
def test_a_list_in_a_dict_and_elsewhere_cannot_change(sharing):
    def changed(k):
        known = sharing(k)
        known[k].append(5)
        return known

    with pytest.raises(autograph.EffectError, match="may refer to it"):
        runtime.jit(changed)(1)


def test_a_list_in_two_lists_of_a_dict_cannot_change():
    def changed(k):
        known = in_two_lists(k)
        known[k][0].append(5)
        return known

    with pytest.raises(autograph.EffectError, match="may refer to it"):
        runtime.jit(changed)(1)
