"""Refusals name what is the matter, and a remedy that works and is not followed already."""

import collections
import functools

import numpy as np
import pytest

import autograph
import runtime as tf


def positions(seed, count):
    for _ in range(count):
        seed = (3 * seed + 3) % 5
        yield seed


def with_next(count):
    generator = positions(0, count)
    total = 0
    for _ in range(count):
        total = total * 7 % 101 + next(generator)
    return total


def with_for(count):
    total = 0
    for position in positions(0, count):
        total = total * 7 % 101 + position
    return total


def with_send(count):
    return positions(0, count).send(None)


def write_to_a_reshaped_array(array):
    flat = array.reshape(-1)
    flat[0] = 7.0
    return flat.sum()


def write_before_reshape(array):
    array[0, 0] = 7.0
    flat = array.reshape(-1)
    return flat.sum()


def keys_of_a_dict(counts, count):
    for number in range(count):
        counts[number] = number
    return counts.keys()


def falling(count):
    return sorted(range(count), key=functools.cmp_to_key(lambda left, right: right - left))


def by_remainder(left, right):
    return left % 3 - right % 3


def rising_by_remainder(items):
    items.sort(key=functools.cmp_to_key(by_remainder))
    return items


def falling_by_remainder(items):
    items.sort(key=functools.cmp_to_key(by_remainder), reverse=True)
    return items


def refusal(function, *args):
    with pytest.raises(autograph.StagingError) as caught:
        tf.jit(function, strict=True)(*args)
    assert str(caught.value).startswith(__file__)
    return str(caught.value)


def test_next_of_a_generator_with_a_staged_loop():
    message = refusal(with_next, 5)
    assert "which takes the next item: total = total * 7 % 101 + next(generator)" in message
    assert "loop over the generator positions() with `for`" in message
    assert tf.jit(with_for, strict=True)(5) == with_next(5)


def test_send_to_a_staged_generator():
    assert "positions() of staged values cannot be asked for its 'send'" in refusal(with_send, 5)


def test_a_write_through_reshape_is_not_to_be_lost():
    message = refusal(write_to_a_reshaped_array, np.ones((2, 2)))
    assert "change the array itself" in message
    assert "copy" not in message
    changed, expected = np.ones((2, 2)), np.ones((2, 2))
    assert tf.jit(write_before_reshape, strict=True)(changed) == write_before_reshape(expected)
    np.testing.assert_array_equal(changed, expected)


def test_returned_keys_are_called_as_in_python():
    message = refusal(keys_of_a_dict, {}, 3)
    assert "returned the dict_keys of a staged value" in message
    assert "MapView" not in message


@pytest.mark.parametrize("count", [0, 1, 5])
def test_staged_items_sorted_by_cmp_to_key(count):
    assert tf.jit(falling, strict=True)(count) == falling(count)


@pytest.mark.parametrize("sort", [rising_by_remainder, falling_by_remainder])
def test_sorting_by_cmp_to_key_is_stable(sort):
    items, expected = [7, 4, 9, 3, 1, 6, 5], [7, 4, 9, 3, 1, 6, 5]
    assert tf.jit(sort, strict=True)(items) == sort(expected)
    assert items == expected


def into_an_ordered_dict(counts, count):
    for number in range(count):
        counts[number] = number
    ordered = collections.OrderedDict()
    ordered.update(counts)
    return ordered


def test_a_dict_of_an_unstaged_class_is_not_said_to_come_from_outside_alone():
    message = refusal(into_an_ordered_dict, {}, 3)
    assert "or by code that is not staged" in message
    assert "change a dict that is made in the function, dict(x)" in message
