"""Random chains of transformations against the same chains on Python's lists."""

import itertools
import random

import numpy as np
import pytest

import runtime as tf
from tests.support.ways import elements

D = tf.data.Dataset
LONGEST = 25


def batched(items, size):
    return [items[k : k + size] for k in range(0, len(items), size)]


def interleaved(groups, cycle, block):
    """TensorFlow's rule: a slot whose dataset ends is filled when its turn comes again."""
    waiting, slots, found = iter(groups), [None] * cycle, []
    more, place = True, 0
    while more or any(slot is not None for slot in slots):
        if slots[place] is None and more:
            group = next(waiting, None)
            more = group is not None
            if more:
                slots[place] = list(group)
            continue
        slot = slots[place]
        if slot is not None:
            found += slot[:block]
            slots[place] = slot[block:] if len(slot) >= block else None
        place = (place + 1) % cycle
    return found


def steps(rng):
    """One random step: what it does to a dataset, and to a list."""
    k, n = rng.randrange(1, 5), rng.randrange(0, 8)
    return rng.choice([
        (lambda d: d.map(lambda x: x * k - n), lambda v: [x * k - n for x in v]),
        (lambda d: d.map(lambda x: x + n if x % k == 0 else -x, num_parallel_calls=2),
         lambda v: [x + n if x % k == 0 else -x for x in v]),
        (lambda d: d.filter(lambda x: x % (k + 1) != 0), lambda v: [x for x in v if x % (k + 1)]),
        (lambda d: d.take(n), lambda v: v[:n]),
        (lambda d: d.skip(n), lambda v: v[n:]),
        (lambda d: d.shard(k, k - 1), lambda v: v[k - 1 :: k]),
        (lambda d: d.repeat(2), lambda v: v * 2),
        (lambda d: d.concatenate(D.range(n)), lambda v: v + list(range(n))),
        (lambda d: d.batch(k).unbatch(), lambda v: v),
        (lambda d: d.batch(k).map(tf.reduce_sum), lambda v: [sum(b) for b in batched(v, k)]),
        (lambda d: d.batch(k, drop_remainder=True).map(lambda b: b[0]),
         lambda v: [b[0] for b in batched(v, k) if len(b) == k]),
        (lambda d: d.window(k + 1, 1, drop_remainder=True).flat_map(lambda w: w.skip(k)),
         lambda v: v[k:]),
        (lambda d: d.window(k, k + 1).flat_map(lambda w: w),
         lambda v: [x for j, x in enumerate(v) if j % (k + 1) < k]),
        (lambda d: d.scan(np.int64(n), lambda s, x: (s + x, s - x)),
         lambda v: [s - x for s, x in zip(itertools.accumulate([n, *v]), v)]),
        (lambda d: d.enumerate(n).map(lambda i, x: i * x),
         lambda v: [i * x for i, x in enumerate(v, n)]),
        (lambda d: D.zip((d, d.skip(1))).map(lambda a, b: a * k + b),
         lambda v: [a * k + b for a, b in zip(v, v[1:])]),
        (lambda d: d.take_while(lambda x: x < 10 * k),
         lambda v: list(itertools.takewhile(lambda x: x < 10 * k, v))),
        (lambda d: d.unique(), lambda v: list(dict.fromkeys(v))),
        (lambda d: d.flat_map(lambda x: D.range(x % 3)),
         lambda v: [j for x in v for j in range(x % 3)]),
        (lambda d: d.interleave(lambda x: D.from_tensors(x).repeat(x % 4), k, 2),
         lambda v: interleaved([[x] * (x % 4) for x in v], k, 2)),
        (lambda d: d.interleave(lambda x: D.from_tensors(x).repeat(x % 4), k, 1, 2),
         lambda v: interleaved([[x] * (x % 4) for x in v], k, 1)),
        (lambda d: d.group_by_window(lambda x: x % 1, lambda key, w: w.batch(9).unbatch(), k),
         lambda v: v),
        (lambda d: d.prefetch(k), lambda v: v),
        (lambda d: d.cache(), lambda v: v),
        (lambda d: d.shuffle(1), lambda v: v),
    ])  # fmt: skip


def pipeline(rng):
    """A dataset, made by a function, and the list that it stands for."""
    size = rng.randrange(0, 12)
    chain, expected = [], list(range(size))
    for _ in range(rng.randrange(1, 6)):
        on_dataset, on_list = steps(rng)
        after = on_list(expected)
        if len(after) <= LONGEST:
            chain.append(on_dataset)
            expected = after

    def make():
        data = D.range(size)
        for step in chain:
            data = step(data)
        return data

    return make, expected


@pytest.mark.parametrize("seed", range(60))
def test_pipeline(seed):
    make, expected = pipeline(random.Random(seed))
    data = make()
    assert elements(data) == expected
    assert elements(data) == expected
    size = int(data.cardinality())
    assert size in (len(expected), tf.data.UNKNOWN_CARDINALITY)


@pytest.mark.parametrize("seed", range(60, 85))
def test_pipeline_in_a_function(seed):
    make, expected = pipeline(random.Random(seed))

    @tf.function
    def run():
        found = tf.zeros([0], tf.int64)
        for x in make():
            found = tf.concat([found, [x]], 0)
        return found

    assert run().numpy().tolist() == expected
