"""Tests of staged recursion: functions that change lists and variables, and call themselves."""

from __future__ import annotations

import copy

import pytest

import runtime
from tests.support.nightly import NIGHTLY


def quick_sort(items, low, high):
    """Sort a part of a list in place."""
    if low < high:
        pivot, place = items[high], low - 1
        for k in range(low, high):
            if items[k] <= pivot:
                place += 1
                items[place], items[k] = items[k], items[place]
        items[place + 1], items[high] = items[high], items[place + 1]
        quick_sort(items, low, place)
        quick_sort(items, place + 2, high)


def sorted_in_place(items):
    quick_sort(items, 0, len(items) - 1)


def bubble_sort(items):
    swapped = False
    for k in range(len(items) - 1):
        if items[k] > items[k + 1]:
            items[k], items[k + 1] = items[k + 1], items[k]
            swapped = True
    return bubble_sort(items) if swapped else items


def merge_sort(items):
    if len(items) < 2:
        return items
    middle = len(items) // 2
    left, right = merge_sort(items[:middle]), merge_sort(items[middle:])
    merged = []
    while left and right:
        merged.append(left.pop(0) if left[0] <= right[0] else right.pop(0))
    return merged + left + right


def closure_variable(n):
    total = 0

    def go(k):
        nonlocal total
        total += k
        if k > 0:
            go(k - 1)

    go(n)
    return total


def closure_list(n):
    found = []

    def go(k):
        if k > 0:
            go(k - 1)
            found.append(k)

    go(n)
    return found


def fill(items, n):
    if n > 0:
        other = items[:]
        other.append(n)
        fill(other, n - 1)
        items.append(len(other))


def list_of_each_call(n):
    items = [7]
    fill(items, n)
    return items


def queens(n):
    def fits(board, row, column):
        return all(
            board[r] != column and abs(board[r] - column) != row - r for r in range(row)
        )

    def go(board, row):
        if row == n:
            return 1
        count = 0
        for column in range(n):
            if fits(board, row, column):
                board[row] = column
                count += go(board, row + 1)
        return count

    return go([0] * n, 0)


LISTS = ([3, 1, 2, 1], [5], [9, 8, 7, 1, 2], [])


@pytest.mark.parametrize(
    ("function", "inputs"),
    [
        (sorted_in_place, LISTS),
        (bubble_sort, LISTS),
        (merge_sort, LISTS),
        (closure_variable, (3, 0, 10)),
        (closure_list, (3, 0, 10)),
        (list_of_each_call, (3, 0)),
        pytest.param(queens, (4, 5), marks=NIGHTLY),
    ],
)
def test_what_a_recursive_function_changes_is_carried(function, inputs):
    staged = runtime.jit(function)
    for value in inputs:
        for _ in range(3):
            mine, its = copy.deepcopy(value), copy.deepcopy(value)
            assert staged(its) == function(mine)
            assert its == mine
