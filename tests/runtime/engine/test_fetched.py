"""What a run gives: arrays of the caller's own, copied only where somebody else has them."""

import numpy as np

import runtime as tf
from runtime.engine.fetched import is_unshared


def test_an_item_that_only_its_list_has_is_unshared():
    values = [np.zeros(3), np.zeros(3)]
    kept = values[1]
    value = values[0]
    assert is_unshared(values, 0)
    del value
    assert not is_unshared([*values, kept], 1)
    value = values[1]
    assert not is_unshared(values, 1) and value is kept


def test_large_results_are_nobody_elses():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [2000])
        v = tf.Variable(np.zeros(2000, np.float32))
        session.run(v.initializer)
        y = x * 2.0
        first, again, read = session.run([y, y, v.read_value()], {x: np.ones(2000)})
        first[0] = again[1] = read[2] = 7
        assert first[1] == again[0] == 2 and not session.run(v).any()
        alone = session.run(y, {x: np.ones(2000)})
        assert alone.flags.owndata and alone.flags.writeable
        constant = session.run(tf.constant(np.arange(2000)))
        constant[0] = 5
        assert session.run(tf.constant(np.arange(2000)))[0] == 0
