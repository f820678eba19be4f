"""Programs about items of tensors: in lists, and assigned."""

import runtime as tf

ONLY = "tensors"


class Holder:
    """Something with attributes."""


def tensors_by_index(i):
    rows = [tf.constant([1, 2]), tf.constant([3, 4])]
    return rows[i]


def ragged_by_index(i):
    rows = [tf.constant([1, 2]), tf.constant([3, 4, 5])]
    return rows[i]


CASES = [
    (tensors_by_index, [(1,), (-2,), (2,)]),
    (ragged_by_index, [(0,), (1,), (2,)]),
]


def dict_by_key(k):
    prices = {1: 10, 2: 20}
    return prices[k]


def dict_entry_by_key(k):
    counts = {1: 0, 2: 0}
    counts[k] += 5
    return counts[1] + 100 * counts[2]


def assign_items(i):
    t = tf.constant([1, 2, 3])
    u = t
    t[i] = 7
    t[i] += 1
    t[0] -= i
    return t + 100 * u


def assign_slices(n):
    t = tf.zeros([4, 2], tf.int32)
    for j in range(n):
        t[j, 1] += j
        t[j:] += 1
        t[j], t[j - 1] = t[j - 1], t[j]
    return t


def assign_in_branch(i):
    t = tf.constant([1.5, 2.5])
    if i > 0:
        t[i] = 0.5
    else:
        t[0] *= 2.0
    return t


def assign_in_attribute(n):
    box, table = Holder(), {"a": tf.zeros([3], tf.int32)}
    box.t = tf.zeros([3], tf.int32)
    for j in range(n):
        box.t[j] = j * j
        table["a"][j] += j
    return box.t + table["a"]


def assign_in_list(n):
    rows = [tf.zeros([2], tf.int32), tf.ones([2], tf.int32)]
    for j in range(n):
        rows[j][1 - j] = 5
    return rows[0] + 10 * rows[1]


def assign_outer(n):
    t = tf.zeros([3], tf.int32)

    def mark(i):
        nonlocal t
        t[i] = 1

    for j in range(n):
        mark(j)
    return t


def assign_unpacked(i):
    t, k = tf.constant([1, 2, 3]), 0
    t[i], k = 9, i
    k, t[k] = 0, 8
    return t + k


def assign_chained(i):
    t = tf.constant([1, 2, 3])
    t[i] = i = t[0] = i + 5
    return t + i


EAGER_CASES = [
    (dict_by_key, [(1,), (2,), (3,)]),
    (dict_entry_by_key, [(1,), (2,), (3,)]),
    (assign_items, [(0,), (2,), (-1,), (3,)]),
    (assign_slices, [(3,), (0,), (5,)]),
    (assign_in_branch, [(1,), (0,), (3,)]),
    (assign_in_attribute, [(3,), (0,)]),
    (assign_in_list, [(2,), (0,)]),
    (assign_outer, [(2,)]),
    (assign_unpacked, [(1,), (2,)]),
    (assign_chained, [(1,), (2,)]),
]
"""What plain Python refuses of an eager tensor, which has no hash and is immutable."""
