"""Programs on lists in native code: results, errors, and that no loop calls Python."""

import itertools

import pytest

from tests.runtime.engine.llvm.native_programs import check_native

pytest.importorskip("llvmlite")

BOUNDS = (-6, -4, -3, -1, 0, 1, 2, 4, 5)


def slices_of_numbers(xs, i, j):
    total = 0
    for x in xs:
        total += x
    return total, xs[i:j], xs[i:], xs[:j], xs[::-1], xs[1::2], xs[i:j:-1], xs[:i:3], xs[::-7]


def replaced_slices(xs, i, j):
    ys = xs[:]
    ys[i:j] = [7, 8, 9]
    ys.insert(i, 5)
    ys.extend(ys)
    del ys[1:2]
    ys += xs
    ys.insert(-1, 6)
    total = 0
    for y in ys:
        total = total * 3 + y
    return total, ys


def slices_of_lists(count, i, j):
    rows = []
    for k in range(count):
        row = []
        for m in range(k):
            row.append(m)
        rows.append(row)
    part = rows[i:j]
    rows[i:j] = part + part
    rows.extend(rows)
    total = 0
    for row in rows:
        for x in row:
            total = (total * 31 + x) % 1000003
        total += 1
    return total


def entries_of_two_types(count):
    flags = []
    numbers = []
    names = []
    for k in range(count):
        flags.append(k % 3 == 0)
        numbers.append(k * 0.5)
        names.append(k)
    total = 0.0
    for k in range(count):
        if flags[k]:
            total += numbers[k] * names[k]
    return total


def empty_or_filled(count, wanted):
    first = [] if wanted > 0 else [1.5]
    second = [] if wanted > 1 else [2]
    for k in range(count):
        first.append(k * 0.25)
        second.append(k)
    return first, second


def chosen_of_a_few(xs, i):
    rows = [[], [5], []]
    total = 0
    for x in xs:
        rows[x].append(i)
        total += (10, 20, 30)[i]
        i -= 1
    return total, rows


def checked(xs, least):
    total = 0
    for x in xs:
        assert x >= least, "too small"
        total += x
    return total


def raising(xs, least):
    total = 0
    for x in xs:
        if x < least:
            raise ValueError(f"{x} is below {least}")
        total += x
    return total


@pytest.mark.parametrize("xs", [[1, 2, 3, 4], [5]], ids=len)
@pytest.mark.parametrize("function", [slices_of_numbers, replaced_slices])
def test_slices_of_numbers(function, xs):
    check_native(function, *[(xs, i, j) for i, j in itertools.product(BOUNDS, BOUNDS)])


def test_slices_of_lists():
    check_native(slices_of_lists, *[(5, i, j) for i, j in itertools.product(BOUNDS, BOUNDS)])


def test_empty_lists_have_types_of_their_own():
    check_native(entries_of_two_types, (0,), (1,), (50,))
    check_native(empty_or_filled, (0, 2), (3, 0), (3, 1), (3, 2))


def test_items_of_a_known_number_are_chosen_in_native_code():
    check_native(chosen_of_a_few, ([0, 2, -3, 1], 2), ([0], 3), ([3], 0), ([-4], 0), ([1], -4))


@pytest.mark.parametrize("function", [checked, raising])
def test_checks_in_loops_call_python_only_to_raise(function):
    check_native(function, ([3, 4, 5], 3), ([3, 2, 1], 2), ([1], 9))


def bounds_of_other_sizes(xs, n):
    ys = xs[:]
    ys.insert(bool(2), n)
    ys[True:] = ys[: 2**70] + ys[-(2**70) : False]
    return ys


def test_bounds_that_are_bools_or_long_ints():
    check_native(bounds_of_other_sizes, ([], 1), ([3, 4], 5))
