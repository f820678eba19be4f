"""Tuples and lists that arrive as arguments or come out of others, compared item by item."""

from __future__ import annotations

from collections import namedtuple

import pytest

import runtime as tf

Point = namedtuple("Point", "x y")


def compared(left, right):
    return left < right, left <= right, left > right, left >= right


def least(pairs):
    best = None
    for pair in pairs:
        if best is None or pair < best:
            best = pair
    return best


def of_lists(left, right):
    return list(left) < list(right), tuple(left) >= tuple(right), sorted(left) < sorted(right)


def merged(left, right):
    result = []
    i = j = 0
    while i < len(left) and j < len(right):
        a, b = left[i], right[j]
        if b < a:
            result.append(b)
            j += 1
        else:
            result.append(a)
            i += 1
    return result + left[i:] + right[j:]


PAIRS = [(1, 2), (1, 3)], [(1, 3), (1, 3)], [(2, 1), (1, 3)], [(1,), (1, 3)], [(), ()]


@pytest.mark.parametrize("pair", PAIRS, ids=repr)
@pytest.mark.parametrize("kind", [tuple, list, lambda items: Point(*(*items, 0, 0)[:2])])
def test_arguments_are_compared(pair, kind):
    left, right = map(kind, pair)
    assert tf.jit(compared, strict=True)(left, right) == compared(left, right)


def test_items_are_compared():
    pairs = [(3, 1), (2, 7), (2, 5)]
    assert tf.jit(least, strict=True)(pairs) == (2, 5)
    assert tf.jit(of_lists, strict=True)((1, 2), (1, 3)) == (True, False, True)
    left, right = [(1, 2), (3, 1)], [(1, 1), (3, 0), (4, 0)]
    assert tf.jit(merged, strict=True)(left, right) == sorted(left + right)


def test_numbers_are_compared_as_before():
    assert tf.jit(compared, strict=True)(1, 2.5) == compared(1, 2.5)
    with pytest.raises(TypeError, match="not supported between instances of 'tuple' and 'int'"):
        tf.jit(compared, strict=True)((1, 2), 1)


def affixes(text, affix):
    return text.startswith(affix), text.endswith(affix), text.startswith((affix[0], "q"), 1)


@pytest.mark.parametrize("affix", [("he", "lo"), ("x",), ("lo", 3)])
def test_texts_begin_and_end_with_one_of_several(affix):
    try:
        expected = affixes("hello", affix)
    except TypeError as error:
        with pytest.raises(TypeError, match=str(error)):
            tf.jit(affixes, strict=True)("hello", affix)
    else:
        assert tf.jit(affixes, strict=True)("hello", affix) == expected
