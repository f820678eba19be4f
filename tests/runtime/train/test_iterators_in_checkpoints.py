"""Iterators over datasets in checkpoints: they go on where they were saved."""

from __future__ import annotations

import pytest

import runtime as tf


def numbers(count=10):
    return tf.data.Dataset.range(count).map(lambda x: x * x).shuffle(4, seed=1).batch(2)


def drawn(iterator, count):
    return [next(iterator).numpy().tolist() for _ in range(count)]


def test_an_iterator_goes_on_where_it_was_saved(tmp_path):
    iterator, step = iter(numbers()), tf.Variable(7)
    checkpoint = tf.train.Checkpoint(step=step, iterator=iterator)
    drawn(iterator, 2)
    assert bool(iterator._has_next())  # what it has looked at, nobody has got
    path = checkpoint.save(tmp_path / "c")
    rest = drawn(iterator, 3)
    again, own = iter(numbers()), tf.Variable(0)
    status = tf.train.Checkpoint(step=own, iterator=again).restore(path).assert_consumed()
    assert status and own.numpy() == 7 and drawn(again, 3) == rest
    assert next(again, None) is None
    checkpoint.restore(path)  # back again, after the end, in the next order of the shuffle
    assert sum(len(batch) for batch in drawn(iterator, 3)) == 6
    assert ("iterator/position", []) in tf.train.list_variables(path)


def test_iterators_of_functions_modules_and_shorter_datasets(tmp_path):
    module = tf.Module()
    module.data = iter(tf.data.Dataset.range(100))

    @tf.function
    def total(iterator, count):
        found = tf.constant(0, tf.int64)
        for _ in tf.range(count):
            found += next(iterator)
        return found

    assert total(module.data, tf.constant(4)).numpy() == 6
    path = tf.train.Checkpoint(module).write(tmp_path / "c")
    assert total(module.data, tf.constant(2)).numpy() == 9
    tf.train.Checkpoint(module).restore(path).assert_consumed()
    assert total(module.data, tf.constant(2)).numpy() == 9
    tf.saved_model.save(module, tmp_path / "m")  # holds functions and variables, and no iteration
    assert not tf.saved_model.load(tmp_path / "m").variables
    module.data = iter(tf.data.Dataset.range(3))
    tf.train.Checkpoint(module).restore(path)
    with pytest.raises(StopIteration):
        next(module.data)
    with tf.Graph().as_default():
        made = tf.data.Dataset.range(3).make_one_shot_iterator()
        with pytest.raises(ValueError, match="checkpoints hold eager iterators"):
            tf.train.Checkpoint(it=made).write(tmp_path / "g")
