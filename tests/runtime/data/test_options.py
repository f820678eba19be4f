"""Options of datasets: kept, and joined where datasets are."""

import runtime as tf

D = tf.data.Dataset
Options = tf.data.Options
experimental = tf.data.experimental


def with_budget(budget):
    options = Options()
    options.autotune.cpu_budget = budget
    return options


def unordered():
    options = Options()
    options.deterministic = False
    return options


def test_they_begin_unset():
    options = Options()
    assert options == Options() == D.range(3).options()
    assert options.deterministic is None and options.autotune.enabled is None
    assert options.threading == tf.data.ThreadingOptions()
    assert options.experimental_optimization == experimental.OptimizationOptions()
    assert options.experimental_distribute.auto_shard_policy == experimental.AutoShardPolicy.AUTO
    assert options.threading is not Options().threading


def test_what_comes_of_a_dataset_has_its_options():
    data = D.range(3).with_options(with_budget(2))
    assert data.map(lambda x: x).batch(2).options() == with_budget(2)
    joint = D.zip((data, {"a": D.range(3).with_options(unordered())})).options()
    assert joint.autotune.cpu_budget == 2 and joint.deterministic is False
    assert data.concatenate(data.with_options(with_budget(3))).options() == with_budget(3)
    assert D.range(3).options() == Options()


def test_later_ones_win():
    data = D.range(3).with_options(with_budget(2)).with_options(unordered())
    assert data.options().autotune.cpu_budget == 2 and data.options().deterministic is False
    assert data.with_options(with_budget(5)).options().autotune.cpu_budget == 5
    merged = with_budget(1).merge(unordered())
    merged.deterministic = True  # unlike a dataset's
    assert merged.autotune.cpu_budget == 1 and merged != unordered()


def test_other_names():
    options = Options()
    options.experimental_deterministic = True
    options.experimental_threading.private_threadpool_size = 4
    assert options.deterministic is True and options.threading.private_threadpool_size == 4


def test_elements_stay_the_same():
    data = D.range(20).map(lambda x: x * 2, num_parallel_calls=2).with_options(unordered())
    assert [int(x) for x in data] == list(range(0, 40, 2))
