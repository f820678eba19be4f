"""Lists in lists of staged length: as in Python, or an error where a list may have two names."""

from __future__ import annotations

import pytest

import runtime as tf
from autograph.errors import EffectError


def changed(n):
    rows = [[i, 0] for i in range(n)]
    rows[0][0] = 5
    rows[1][1] += 2
    return rows


def swapped(n):
    rows = [[i, 0] for i in range(n)]
    rows[0], rows[1] = rows[1], rows[0]
    rows[0][0] += 5
    return rows


def changed_in_loops(n):
    rows = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            rows[i][j] = i * j
    return rows


def copied_rows(n):
    rows = [[i, 0] for i in range(n)]
    others = [row[:1] for row in rows]
    copies = [row.copy() for row in rows]
    copies[0][0] = 9
    return rows, others, copies


def copied_outside(n):
    rows = [[i, 0] for i in range(n)]
    others = list(rows)
    others[0] = [1, 1]
    return rows, others


def sorted_rows(n):
    found = []
    for i in range(n):
        found.append(sorted([i, 2, 1]))
    return found


@pytest.mark.parametrize(
    "function",
    [changed, swapped, changed_in_loops, copied_rows, copied_outside, sorted_rows],
)
def test_as_in_python(function):
    staged = tf.jit(function)
    for n in (3, 2, 4):
        assert staged(n) == function(n)


def one_list_many_times(n):
    rows, row = [], [0, 0]
    for _ in range(n):
        rows.append(row)
    rows[0][0] = 1
    return rows


def in_two_lists(n):
    rows, others = [[i, 0] for i in range(n)], []
    for i in range(n):
        others.append(rows[i])
    others[0][0] = 9
    return rows


def named_before(n):
    rows = [[i, 0] for i in range(n)]
    row = rows[0]
    rows[0][0] = 5
    return row


def assigned_twice(n):
    rows = [[i, 0] for i in range(n)]
    rows[0] = rows[1]
    rows[0][0] += 5
    return rows


def chosen_in_loop(n):
    rows = [[i, 0] for i in range(n)]
    best = rows[0]
    for row in rows:
        if row[0] > best[0]:
            best = row
    rows[0][0] = 8
    return best


def sorted_into_another(n):
    rows = [[i, 0] for i in range(n)]
    others = sorted(rows)
    others[0][0] = 9
    return rows


def sliced(n):
    rows = [[i, 0] for i in range(n)]
    others = rows[:]
    others[0][0] = 9
    return rows


def changed_before_it_is_stored(n):
    rows, others = [[i, 0] for i in range(n)], []
    for i in range(n):
        rows[0][0] += 1
        others.append(rows[i])
    return others


def repeated(n):
    rows = [[0] * n] * n
    rows[0][0] = 1
    return rows


def read_after_it_was_stored(n):
    rows, row = [[i] for i in range(n)], [1]
    rows.append(row)
    rows[n][0] = 9
    return row


def last_of_a_loop(n):
    rows, row = [], [0]
    for i in range(n):
        row = [i]
        rows.append(row)
    rows[n - 1][0] = 9
    return row


def chosen_before_a_change(n):
    rows = [[1, 2], [3, 4]]
    row = rows[n % 2]
    rows[0][0] = rows[1][0] = 9
    return row[0]


def chosen_in_a_tuple(n):
    rows = [([1, 2], 3), ([3, 4], 5)]
    row, _ = rows[n % 2]
    rows[1][0][0] = 9
    return row[0]


def taken_out_before_a_change(n):
    rows = [[i] for i in range(n)]
    row = rows[0]
    rows.insert(0, [7])
    row.append(4)
    return rows


@pytest.mark.parametrize(
    "function",
    [read_after_it_was_stored, last_of_a_loop, chosen_before_a_change, chosen_in_a_tuple,
     taken_out_before_a_change, one_list_many_times, in_two_lists, named_before, assigned_twice,
     chosen_in_loop, sorted_into_another, sliced, changed_before_it_is_stored, repeated],
)  # fmt: skip
def test_a_list_that_may_have_two_names_is_not_changed_silently(function):
    staged = tf.jit(function)
    for _ in range(3):
        with pytest.raises(EffectError, match="list"):
            staged(3)
