"""Direct calls of machine code with nested lists, and with results of several types."""

import pytest

import runtime as tf
from runtime.types.flags import JIT
from runtime.types.python_source import MISS
from tests.runtime.functions.test_native_call import alike, warm
from tests.support.extras import needs

pytestmark = needs("jit")


@pytest.fixture(autouse=True)
def _at_once():
    with JIT("always"):
        yield


def nested(rows, n):
    total = 0.0
    for row in rows:
        for x in row:
            total = total * 0.5 + x
    return total, [[x * n for x in row] for row in rows]


class Rows(list):
    pass


def test_nested_lists_go_in_and_out_as_they_are():
    compiled = warm(tf.jit(nested), [[1.0, 2.0], [3.0]], 2)
    direct = compiled._direct[2]
    shared = [1.5]
    for rows in [[2.0], [], [1.0, 0.5]], [shared, shared], [[], [7.0]]:
        before = repr(rows)
        alike(direct(rows, 3), nested(rows, 3))
        assert repr(rows) == before
    for rows in [[1, 2]], [[], []], [], [[1.0], [2]]:
        assert direct(rows, 3) is MISS
        alike(compiled(rows, 3), nested(rows, 3))
    assert direct([Rows([1.0])], 3) is MISS


def test_lists_four_deep_go_in_as_they_are():
    def deepest(x):
        total = 0
        for a in x:
            for b in a:
                for c in b:
                    for d in c:
                        total = total * 10 + d
        return total, len(x)

    compiled = warm(tf.jit(deepest), [[[[1]], [[2, 3], []]], [[[4]]]])
    direct = compiled._direct[1]
    for value in [[[[1]], [[2, 3], []]], [[[4]]]], [[], [[], [[5]]]]:
        alike(direct(value), deepest(value))
    for value in [[[[]]]], [[[]]], [[]], [[[[], []]], []], [1, 2], [[1]]:
        assert direct(value) is MISS
        if value in ([1, 2], [[1]]):
            with pytest.raises(TypeError):
                compiled(value)
            continue
        alike(compiled(value), deepest(value))


def test_changes_of_nested_lists_are_the_callers():
    def change(rows):
        rows[0][0] = 5
        rows.append([len(rows)])
        return rows[1][0]

    compiled = warm(tf.jit(change), [[0], [1]])
    direct = compiled._direct[1]
    for call in compiled, direct:
        rows, wanted = [[0], [1]], [[0], [1]]
        first = rows[0]
        alike(call(rows), change(wanted))
        assert rows == wanted and rows[0] is first
    row, other = [0], [0]
    rows, wanted = [row, row], [other, other]
    assert direct(rows) is MISS
    alike(compiled(rows), change(wanted))
    assert rows == wanted and row == [5]
    rows, wanted = [[0], []], [[0], []]
    for function, value in (compiled, rows), (change, wanted):
        with pytest.raises(IndexError):
            function(value)
    assert rows == wanted


def test_numbers_that_are_an_int_or_a_float():
    def total(numbers, n):
        found = 0
        for x in numbers:
            if x > n:
                found += x
        return found, {"parts": [found, n]}

    compiled = warm(tf.jit(total), [1.5, 2.5], 2)
    for n in 2, 0, 9:
        alike(compiled._direct[2]([1.5, 2.5], n), total([1.5, 2.5], n))


@pytest.mark.parametrize("value", [["a", "bc"], [1, 2], [0.5], [(1, 2.5), (3, 4.5)]])
def test_lists_go_in_and_out_as_they_are(value):
    compiled = tf.jit(lambda values: [item for item in values], strict=True, jit_compile=True)
    for _ in range(3):
        alike(compiled(value), value)
    alike(compiled._direct[1](value), value)
