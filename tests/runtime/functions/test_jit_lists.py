"""Programs on lists and tuples under ``runtime.jit``: as plain Python, natively and not."""

import contextlib
import copy
import io

import numpy as np
import pytest

import runtime as tf
from autograph.errors import EffectError
from runtime.types import flags
from tests.programs import list_slices, nested_lists, repetitions, tuples
from tests.runtime.functions import list_recursion_programs
from tests.runtime.functions.jit_results import as_python, same
from tests.support.nightly import always

CASES = [
    *list_slices.CASES, *list_slices.OF_NUMBERS, *repetitions.CASES,
    *tuples.CASES, *nested_lists.CASES, *tuples.OF_NUMBERS, *list_recursion_programs.CASES,
]  # fmt: skip


def outcome(function, args):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            value = function(*args)
        except Exception as error:
            value = type(error), str(error)
    return [value, list(args), printed.getvalue()]


@pytest.mark.parametrize("engine", always(["never", "always"], ["never", "auto", "always"]))
@pytest.mark.parametrize("function, inputs", [pytest.param(*c, id=c[0].__name__) for c in CASES])
def test_as_plain_python(function, inputs, engine):
    with flags.JIT(engine):
        staged = tf.jit(function)
        for args in inputs * 3:
            expected = outcome(function, copy.deepcopy(args))
            assert same(outcome(staged, copy.deepcopy(args)), expected), args


def changed_or_copied(xs, n):
    if n > 3:
        xs = xs[:]
    xs.append(n)
    return xs


def changed_unless_replaced(xs, n):
    while n > 3:
        xs = []
        n -= 1
    xs.append(n)
    return n


@pytest.mark.parametrize("given", [[], [1]])
def test_changes_of_what_may_be_an_argument_are_refused(given):
    function = changed_unless_replaced
    with pytest.raises(EffectError, match="this list may be the same object as another") as caught:
        tf.jit(function)(given, 2)
    code = function.__code__
    assert code.co_firstlineno < caught.value.where[1] <= code.co_firstlineno + 5


@pytest.mark.parametrize("n", [2, 5])
def test_an_argument_or_a_copy_of_it_changes(n):
    plain, staged = [1], [1]
    assert tf.jit(changed_or_copied)(staged, n) == changed_or_copied(plain, n)
    assert staged == plain


# Python sees the change by both names: staged, either is refused once the other is changed.


def read_after_a_change(n):
    rows = [[1], [2]]
    row = rows[n % 2]
    rows[0].append(5)
    return row


def put_in_a_longer_list(n):
    rows, found = [[1], [2]], []
    for i in range(n):
        found.append(rows[i % 2])
    rows[0].append(5)
    return found


def put_in_a_loop_that_changes(n):
    rows, found = [[1], [2]], []
    for i in range(n):
        rows[n % 2].append(5)
        found.append(rows[i % 2])
    return found


def put_in_a_dict(n):
    rows = [[1], [2]]
    found = {n: rows[n % 2]}
    rows[n % 2].append(5)
    return found


def on_one_path(n):
    rows = [[1], [2]]
    row = rows[n % 2] if n > 2 else [9]
    row.append(5)
    return rows


def assigned_elsewhere(n):
    rows = [[1], [2]]
    rows[(n + 1) % 2] = rows[n % 2]
    rows[0].append(5)
    return rows


def assigned_and_changed(n):
    rows, row = [[1], [2]], [7]
    rows[n % 2] = row
    row.append(5)
    return rows


def read_how_long(n):
    rows = [[1], [2]]
    for i in range(n):
        rows[1].append(i)
    row = rows[n % 2]
    row.append(1)
    return len(row)


def put_on_one_path(n):
    rows, row = [[0]], [1]
    for i in range(n):
        rows.append([i])
    if n > 2:
        row.append(2)
        rows.append(row)
    row.append(3)
    return rows


@pytest.mark.parametrize(
    "function",
    [read_after_a_change, put_in_a_longer_list, put_in_a_loop_that_changes, put_in_a_dict,
     on_one_path, assigned_elsewhere, assigned_and_changed, read_how_long,
     put_on_one_path],
)  # fmt: skip
def test_one_of_several_lists_by_two_names(function):
    with pytest.raises(EffectError):
        tf.jit(function)(3)


def dict_of(n):
    made = {}
    for i in range(n):
        made[i] = 1
    return made


UNSUPPORTED = [
    lambda xs, n: xs - n,
    lambda xs, n: xs < n,
    lambda xs, n: xs["a"],
    lambda xs, n: xs[n / 2],
    lambda xs, n: (int(xs), float(xs)),
    lambda xs, n: range(xs),
    lambda xs, n: "a" + xs,
    lambda xs, n: abs(xs),
    lambda xs, n: xs.missing,
    lambda xs, n: {xs: n},
    lambda xs, n: dict_of(n) - 1,
]


@pytest.mark.parametrize("function", UNSUPPORTED)
def test_errors_name_lists_and_dicts_as_python_does(function):
    staged = tf.jit(function)
    for _ in range(3):
        assert outcome(staged, ([1, 2], 3)) == outcome(function, ([1, 2], 3))


# An array that a staged value changes lets the call be traced twice: the second trace has to start
# with the arguments as the caller gave them.


def item_in_an_empty_list(xs, n):
    xs.append(1)
    made = np.zeros(2)
    made[0] = n
    return len(xs), made[0]


def staged_item_in_an_empty_list(xs, n):
    xs.append(n)
    made = np.zeros(2)
    made[0] = n
    return xs


def list_in_an_empty_list(xs, n):
    xs.append([])
    made = np.zeros(2)
    made[0] = n
    return len(xs)


def item_in_an_inner_list(xs, n):
    xs[0].append(2)
    made = np.zeros(2)
    made[0] = n
    return xs


def count_in_a_dict(counts, n):
    counts["k"] = counts.get("k", 0) + 1
    made = np.zeros(2)
    made[0] = n
    return counts["k"]


def member_of_a_set(members, n):
    members.add(len(members))
    made = np.zeros(2)
    made[0] = n
    return len(members)


@pytest.mark.parametrize(
    "function, given",
    [(item_in_an_empty_list, []), (staged_item_in_an_empty_list, []), (list_in_an_empty_list, []),
     (item_in_an_inner_list, [[]]), (count_in_a_dict, {}), (count_in_a_dict, {"a": "b"}),
     (member_of_a_set, set())],
)  # fmt: skip
def test_each_trace_starts_with_the_arguments_as_they_are(function, given):
    staged = tf.jit(function)
    for _ in range(3):
        expected = outcome(function, copy.deepcopy((given, 2)))
        assert same(outcome(staged, copy.deepcopy((given, 2))), expected)


def with_bools(items, new):
    items[True::True] = new
    return items, items[False:True], items[True:]


def with_steps(items, new, n):
    items[::n] = new
    items[n:] = new
    del items[n > 0 :: n]
    return items


def test_slices_whose_step_may_be_one():
    lists = [1, 2, 3, 4], [5.5, 6.5], [7]
    for items in lists:
        as_python(with_bools, *((items, [type(items[0])(k) for k in new]) for new in lists))
        inputs = [(items, [type(items[0])(k) for k in new], n) for new in lists for n in (1, 2, -1)]
        as_python(with_steps, *inputs, texts=True)
    as_python(with_bools, ([1, 2, 3], []), ([], [1]))
    for array in (np.arange(4.0), np.arange(3)):
        as_python(with_bools, (array, array[1:] * 2))
