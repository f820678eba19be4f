"""Options of datasets: accepted as programs set them, without effect."""

import pytest

import runtime as tf

D = tf.data.Dataset


def test_options_are_accepted():
    options = tf.data.Options()
    assert options.deterministic is None and options.autotune.enabled is None
    options.deterministic = options.experimental_deterministic = False
    options.threading.private_threadpool_size = 4
    options.experimental_optimization.map_parallelization = True
    policy = tf.data.experimental.AutoShardPolicy.DATA
    options.experimental_distribute.auto_shard_policy = policy
    assert options.experimental_distribute.auto_shard_policy == policy
    assert tf.data.Options().threading.private_threadpool_size is None
    assert repr(options.threading) == "Options({'private_threadpool_size': 4})"


def test_elements_stay_the_same():
    options = tf.data.Options()
    options.deterministic = False
    data = D.range(20).map(lambda x: x * 2, num_parallel_calls=2).with_options(options)
    assert [int(x) for x in data] == list(range(0, 40, 2))


def test_other_names_and_values_are_refused():
    with pytest.raises(AttributeError, match="no option 'speed'. It has max_intra_op_parallelism"):
        tf.data.Options().threading.speed = 9
    with pytest.raises(TypeError, match="must be a tf.data.Options, got 3"):
        D.range(2).with_options(3)
