"""Orders by chance: all elements once, the same under the same seeds, another each iteration."""

import collections

import numpy as np
import pytest

import runtime as tf
from tests.support.ways import elements

D = tf.data.Dataset


def shuffled(**options):
    return D.range(20).shuffle(20, **options)


@pytest.mark.parametrize("size", [1, 3, 20, 100])
def test_all_elements_come_once(size):
    data = D.range(20).shuffle(size, seed=3)
    order = elements(data)
    assert sorted(order) == list(range(20))
    # an element can come early only as far as the buffer reaches
    assert all(value <= place + size - 1 for place, value in enumerate(order))
    assert int(data.cardinality()) == 20


def test_seeds_decide():
    assert elements(shuffled(seed=1)) == elements(shuffled(seed=1))
    assert elements(shuffled(seed=1)) != elements(shuffled(seed=2))
    tf.random.set_seed(5)
    first, second = elements(shuffled()), elements(shuffled())
    seeded = elements(shuffled(seed=1))
    tf.random.set_seed(5)
    assert [elements(shuffled()), elements(shuffled())] == [first, second]
    assert first != second
    assert elements(shuffled(seed=1)) == seeded
    tf.random.set_seed(6)
    assert elements(shuffled(seed=1)) != seeded


def test_each_iteration_has_its_order():
    data = shuffled(seed=1)
    first, second = elements(data), elements(data)
    assert first != second
    again = shuffled(seed=1)
    assert [elements(again), elements(again)] == [first, second]
    fixed = shuffled(seed=1, reshuffle_each_iteration=False)
    assert elements(fixed) == elements(fixed)
    rounds = elements(D.range(10).shuffle(10, seed=4).repeat(2))
    assert sorted(rounds[:10]) == sorted(rounds[10:]) and rounds[:10] != rounds[10:]


def test_graphs_have_the_same_order():
    def order():
        found = tf.zeros([0], tf.int64)
        for x in shuffled(seed=7):
            found = tf.concat([found, [x]], 0)
        return found

    expected = elements(shuffled(seed=7))
    staged = tf.function(order)
    assert staged().numpy().tolist() == expected
    assert staged().numpy().tolist() == expected
    with tf.Graph().as_default(), tf.Session() as session:
        iterator = shuffled(seed=7).make_initializable_iterator()
        x = iterator.get_next()
        session.run(iterator.initializer)
        assert [session.run(x) for _ in range(20)] == expected


def test_the_whole_is_shuffled():
    """Every order of three elements is about as likely."""
    counts = collections.Counter(
        tuple(elements(D.range(3).shuffle(3, seed=seed))) for seed in range(600)
    )
    assert len(counts) == 6 and min(counts.values()) > 60


def test_random_numbers():
    assert elements(D.random(seed=1).take(3)) == elements(D.random(seed=1).take(3))
    data = D.random(seed=1)
    assert elements(data) == elements(data)
    anew = D.random(seed=1, rerandomize_each_iteration=True)
    assert elements(anew) != elements(anew)
    assert all(0 <= x < 2**32 for x in elements(data))


def test_sampling_follows_the_weights():
    data = D.sample_from_datasets(
        [D.from_tensors(0).repeat(), D.from_tensors(1).repeat()], [0.25, 0.75], seed=3
    )
    share = np.mean([x.numpy() for x in data.take(2000)])
    assert 0.7 < share < 0.8


def test_sampling_ends_with_the_last():
    def three():
        return [D.range(3), D.range(10, 14)]

    data = D.sample_from_datasets(three(), seed=1)
    assert sorted(elements(data)) == [0, 1, 2, 10, 11, 12, 13]
    pair = [D.range(1), D.range(10, 40)]
    stopped = elements(D.sample_from_datasets(pair, seed=1, stop_on_empty_dataset=True))
    assert stopped.count(0) == 1 and len(stopped) < 25
    weights = D.from_tensor_slices([[1.0, 0.0]] * 3 + [[0.0, 1.0]] * 4)
    assert elements(D.sample_from_datasets(three(), weights)) == [0, 1, 2, 10, 11, 12, 13]


def test_seeds_may_be_tensors():
    assert elements(shuffled(seed=tf.constant(7))) == elements(shuffled(seed=np.int64(7)))


def drawn(seed, **options):
    def draw(x):
        return tf.random.uniform([], 0, 10**6, tf.int32, seed)

    return D.range(4).map(draw, **options)


@pytest.mark.parametrize("options", [{}, {"num_parallel_calls": 1}], ids=["", "in a thread"])
def test_functions_with_a_seed_draw_the_same_in_each_iteration(options):
    data = drawn(5, **options)
    assert elements(data) == elements(data) == elements(drawn(5, **options).prefetch(2))
    assert len(set(elements(data))) == 4
    rounds = elements(data.repeat(2))  # they go on within one iteration
    assert rounds[:4] == elements(data) and rounds[4:] != rounds[:4]
    inside = D.range(1).flat_map(lambda x: drawn(5, **options))
    assert elements(inside) == elements(inside)


def test_functions_without_a_seed_draw_on():
    tf.random.set_seed(3)
    data = drawn(None)
    first, second = elements(data), elements(data)
    assert first != second
    tf.random.set_seed(3)
    assert [elements(data), elements(data)] == [first, second]


def test_seeded_draws_in_graphs():
    with tf.Graph().as_default(), tf.Session() as session:
        total = drawn(5).reduce(0, lambda s, x: s + x)
        iterator = drawn(5).make_initializable_iterator()
        following = iterator.get_next()
        found = []
        for _ in range(2):
            session.run(iterator.initializer)
            found.append([int(session.run(following)) for _ in range(4)])
        assert found[0] == found[1]
        assert session.run(total) == session.run(total)
