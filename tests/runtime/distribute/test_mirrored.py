"""``MirroredStrategy`` on four devices: what replicas exchange, variables, datasets, errors."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.engine.device_registry import REGISTRY
from runtime.types import flags
from tests.support.extras import needs

pytestmark = needs("xla")

COUNT = 4


@pytest.fixture
def strategy(monkeypatch):
    """Strategy of four virtual GPUs."""
    monkeypatch.setattr(REGISTRY, "_devices", None)
    with flags.VIRTUAL_GPUS(COUNT):
        yield tf.distribute.MirroredStrategy()


def as_is(function):
    return function


EAGER_AND_GRAPH = pytest.mark.parametrize("way", [as_is, tf.function], ids=["eager", "graph"])


def global_batches(strategy, size=8, count=16):
    dataset = tf.data.Dataset.range(count).map(lambda n: tf.cast(n, tf.float32)).batch(size)
    return strategy.experimental_distribute_dataset(dataset)


def rows(strategy, value):
    return [np.asarray(x).tolist() for x in strategy.experimental_local_results(value)]


def test_what_it_is(strategy):
    assert strategy.num_replicas_in_sync == COUNT
    assert strategy.extended.worker_devices == tuple(
        f"/job:localhost/replica:0/task:0/device:GPU:{n}" for n in range(COUNT)
    )
    two = tf.distribute.MirroredStrategy(["/gpu:0", "/gpu:2"])
    assert two.num_replicas_in_sync == 2
    assert tf.distribute.MirroredStrategy(["/gpu:3"]).num_replicas_in_sync == 1
    by_nccl = tf.distribute.NcclAllReduce(num_packs=2)
    assert tf.distribute.MirroredStrategy(cross_device_ops=by_nccl).num_replicas_in_sync == COUNT
    with pytest.raises(ValueError, match="NcclAllReduce requires `num_packs` >= 0"):
        tf.distribute.NcclAllReduce(-1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="/gpu:9 unknown device. All avail"):
        tf.distribute.MirroredStrategy(["/gpu:0", "/gpu:9"])
    with pytest.raises(tf.errors.InvalidArgumentError, match="/gpu:1 comes twice"):
        tf.distribute.MirroredStrategy(["/gpu:1", "/gpu:1"])


@EAGER_AND_GRAPH
def test_what_replicas_exchange(strategy, way):
    def replica(x):
        context = tf.distribute.get_replica_context()
        assert context.num_replicas_in_sync == COUNT
        assert not tf.distribute.in_cross_replica_context()

        def merge(current, value, scale):
            assert current is strategy and tf.distribute.in_cross_replica_context()
            total = current.reduce("SUM", value, axis=None)
            return total * scale, current.extended.reduce_to("MEAN", value, value)

        return {
            "own": x,
            "number": context.replica_id_in_sync_group,
            "sum": context.all_reduce("SUM", x),
            "means": context.all_reduce(tf.distribute.ReduceOp.MEAN, [x, 2.0 * x]),
            "all": context.all_gather(x, axis=0),
            "merged": context.merge_call(merge, args=(x,), kwargs={"scale": 2.0}),
        }

    (batch,) = global_batches(strategy, size=8, count=8)
    results = strategy.run(way(replica), args=(batch,))
    assert rows(strategy, results["own"]) == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert rows(strategy, results["number"]) == [0, 1, 2, 3]
    for value in strategy.experimental_local_results(results):
        assert value["sum"].numpy().tolist() == [12.0, 16.0]
        assert [mean.numpy().tolist() for mean in value["means"]] == [[3.0, 4.0], [6.0, 8.0]]
        assert value["all"].numpy().tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
        assert [x.numpy().tolist() for x in value["merged"]] == [[24.0, 32.0], [3.0, 4.0]]
    assert strategy.reduce("SUM", results["number"], axis=None).numpy() == 6
    assert strategy.reduce("MEAN", results["own"], axis=0).numpy() == 3.5
    assert strategy.gather(results["own"], axis=0).numpy().tolist() == list(range(8))


@EAGER_AND_GRAPH
def test_gradients_of_a_sum_over_replicas(strategy, way):
    def replica(x):
        context = tf.distribute.get_replica_context()
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = context.all_reduce("SUM", tf.reduce_sum(x * x))
            loss = tf.reduce_sum(x) * total
        return tape.gradient(loss, x)

    (batch,) = global_batches(strategy, size=4, count=4)
    # the loss of all is (sum of x) (sum of squares): d/dx = sum of squares + 2 x (sum of x)
    expected = [[14.0 + 2.0 * x * 6.0] for x in range(4)]
    assert rows(strategy, strategy.run(way(replica), args=(batch,))) == expected


@EAGER_AND_GRAPH
@pytest.mark.parametrize(
    ("aggregation", "expected"), [("SUM", 6.0), ("MEAN", 1.5), ("ONLY_FIRST_REPLICA", 0.0)]
)
def test_assignments_of_replicas_are_aggregated(strategy, way, aggregation, expected):
    with strategy.scope():
        v = tf.Variable(1.0, aggregation=getattr(tf.VariableAggregation, aggregation))

    def replica():
        number = tf.distribute.get_replica_context().replica_id_in_sync_group
        v.assign(tf.cast(number, tf.float32))
        v.assign_add(tf.cast(number, tf.float32))
        return v.read_value()

    results = strategy.run(way(replica))
    assert rows(strategy, results) == [2 * expected] * COUNT and v.numpy() == 2 * expected


def test_variables_in_the_scope_are_ordinary_elsewhere(strategy):
    with strategy.scope():
        v = tf.Variable([1.0, 2.0])
        assert strategy.extended.variable_created_in_scope(v)
        v.assign_add([1.0, 1.0])
    assert v.device == strategy.extended.worker_devices[0]
    assert tf.function(lambda: v.assign(v * 2.0) + 1.0)().numpy().tolist() == [5.0, 7.0]
    assert (v + 1.0).numpy().tolist() == [5.0, 7.0]
    assert not strategy.extended.variable_created_in_scope(tf.Variable(1.0))


def test_variables_are_saved_and_restored(strategy, tmp_path):
    module = tf.Module()
    with strategy.scope():
        module.v = tf.Variable([1.0, 2.0], aggregation=tf.VariableAggregation.SUM)
    module.doubled = tf.function(lambda: module.v * 2.0, input_signature=[])
    path = tf.train.Checkpoint(module=module).save(str(tmp_path / "ckpt"))
    tf.saved_model.save(module, str(tmp_path / "model"))
    strategy.run(lambda: module.v.assign_add([1.0, 1.0]))
    assert module.v.numpy().tolist() == [5.0, 6.0]
    tf.train.Checkpoint(module=module).restore(path)
    assert module.v.numpy().tolist() == [1.0, 2.0]
    assert strategy.extended.variable_created_in_scope(module.v)
    assert tf.saved_model.load(str(tmp_path / "model")).doubled().numpy().tolist() == [2.0, 4.0]
    plain = tf.Module()
    plain.v = tf.Variable([0.0, 0.0])
    tf.train.Checkpoint(module=plain).restore(path)
    assert plain.v.numpy().tolist() == [1.0, 2.0] and plain.v.device.endswith("CPU:0")


PLAIN = "was not made in the scope of its strategy"
FAULTS = {
    "no aggregation": (ValueError, "You must specify an aggregation method to update"),
    "another variable": (ValueError, PLAIN),
    "a part": (tf.errors.UnimplementedError, "a part of the variable .* is assigned in a replica"),
    "a run": (RuntimeError, "Method requires being in cross-replica context"),
    "an exception": (KeyError, "x"),
}


@EAGER_AND_GRAPH
@pytest.mark.parametrize("fault", FAULTS)
def test_errors_in_replicas(strategy, way, fault):
    with strategy.scope():
        v = tf.Variable([0.0])
    outside = tf.Variable([0.0])

    def replica():
        if fault == "no aggregation":
            v.assign([1.0])
        elif fault == "another variable":
            outside.assign_add([1.0])
        elif fault == "a part":
            v.scatter_nd_add([[0]], [1.0])
        elif fault == "a run":
            strategy.run(replica)
        else:
            raise KeyError("x")

    error, text = FAULTS[fault]
    with pytest.raises(error, match=text):
        strategy.run(way(replica))
    assert v.numpy() == outside.numpy() == 0.0


def test_replicas_that_do_not_meet(strategy):
    def replica(x):
        context = tf.distribute.get_replica_context()
        if tf.reduce_sum(x) > 6.0:
            return context.all_reduce("SUM", x)
        return x

    (batch,) = global_batches(strategy, size=8, count=8)
    with pytest.raises(RuntimeError, match="2 of 4 replicas wait in merge_call, which the others"):
        strategy.run(replica, args=(batch,))
    with pytest.raises(RuntimeError, match="`merge_call` called while defining a new graph"):
        strategy.run(tf.function(replica), args=(batch,))


def test_a_tape_around_a_run(strategy):
    with strategy.scope():
        v = tf.Variable(2.0)

    def gradient():
        with tf.GradientTape() as tape:
            total = strategy.reduce("SUM", strategy.run(lambda: v * v), axis=None)
        return tape.gradient(total, v)

    with pytest.raises(RuntimeError, match="open the tape in the function that runs in them"):
        gradient()
    with pytest.raises(LookupError, match="a tape inside of the replica's function records"):
        tf.function(gradient)()


def test_functions_have_traces_of_their_own_in_replicas(strategy):
    @tf.function
    def total(x):
        context = tf.distribute.get_replica_context()
        return x if context is None else context.all_reduce("SUM", x)

    ones = tf.ones([1])
    assert total(ones).numpy() == 1.0
    assert rows(strategy, strategy.run(lambda: total(ones))) == [[4.0]] * COUNT
    assert total(ones).numpy() == 1.0


def test_datasets(strategy):
    distributed = global_batches(strategy, size=8, count=13)
    assert int(distributed.cardinality()) == 2
    assert [rows(strategy, x) for x in distributed] == [
        [[0, 1], [2, 3], [4, 5], [6, 7]], [[8, 9], [10, 11], [12], []],
    ]  # fmt: skip
    with pytest.raises(ValueError, match="batch the dataset with the global batch size first"):
        strategy.experimental_distribute_dataset(tf.data.Dataset.range(3))

    def make(context):
        return tf.data.Dataset.range(11).batch(context.get_per_replica_batch_size(8))

    from_function = strategy.distribute_datasets_from_function(make)
    assert [rows(strategy, x) for x in from_function] == [
        [[0, 1], [2, 3], [4, 5], [6, 7]], [[8, 9], [10], [], []],
    ]  # fmt: skip
    numbers = strategy.experimental_distribute_values_from_function(
        lambda context: context.replica_id_in_sync_group * 10
    )
    assert numbers.values == (0, 10, 20, 30)


def test_datasets_in_functions(strategy):
    def replica(x):
        return tf.reduce_sum(x)

    @tf.function
    def total(dataset):
        result = tf.constant(0.0)
        for x in dataset:
            result += strategy.reduce("SUM", strategy.run(replica, args=(x,)), axis=None)
        return result

    @tf.function
    def following(iterator):
        return strategy.reduce("SUM", next(iterator), axis=0)

    distributed = global_batches(strategy, size=8, count=13)  # the last batch has uneven parts
    assert total(distributed).numpy() == sum(range(13))
    iterator = iter(distributed)
    assert [following(iterator).numpy() for _ in range(2)] == [28.0, 50.0]
    with pytest.raises(tf.errors.OutOfRangeError):
        following(iterator)


def test_random_numbers_are_those_of_the_cpu(strategy):
    def replica():
        context = tf.distribute.get_replica_context()
        first = tf.random.normal([2])
        total = context.all_reduce("SUM", first)
        return first, tf.random.uniform([3]), total

    results = []
    for way in as_is, tf.function:
        tf.random.set_seed(5)
        run = way(lambda: strategy.run(replica))
        values = strategy.experimental_local_results(run())
        results.append([np.concatenate([np.asarray(x) for x in value]) for value in values])
    assert "last run" not in run.explain()
    np.testing.assert_allclose(results[0], results[1], rtol=1e-6)
    assert len({tuple(row) for row in results[0]}) == COUNT
