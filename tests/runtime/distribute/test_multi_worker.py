"""``MultiWorkerMirroredStrategy`` in jobs of processes: exchanges, Keras, variables, errors."""

from __future__ import annotations

import json

import numpy as np
import pytest

import runtime as tf
from tests.runtime.distribute import workers
from tests.support.extras import needs

pytestmark = needs("mpi")

SECONDS = 240
"""After which a job is killed: a test that hangs fails."""

CALLS = [
    ("exchanges",), ("variables",), ("own_loop",), ("datasets",), ("faults",), ("files", "FOLDER"),
    ("gradients",), ("steps_of_keras",), ("random_numbers",), ("trained", "dense"),
]  # fmt: skip


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """What each call gives in each of two processes of one job, by its name."""
    folder = tmp_path_factory.mktemp("files")
    calls = [[str(folder) if x == "FOLDER" else x for x in call] for call in CALLS]
    rows = tf.distribute.launch(workers.all_of, calls, processes=2, timeout=SECONDS)
    by_name = {call[0]: list(column) for call, column in zip(CALLS, zip(*rows))}
    return {**by_name, "folder": folder}


@pytest.mark.parametrize("way", ["eager", "graph"])
def test_what_replicas_exchange(results, way):
    for number, values in enumerate(r[way] for r in results["exchanges"]):
        start = 4 * number
        assert values["own"] == [start, start + 1, start + 2, start + 3]
        assert (values["count"], values["number"]) == (2, number)
        assert values["sum"] == [4.0, 6.0, 8.0, 10.0]
        assert values["means"] == [[2.0, 3.0, 4.0, 5.0], [4.0, 6.0, 8.0, 10.0]]
        assert values["all"] == values["gathered"] == list(range(8))
        assert values["merged"] == [8.0, 12.0, 16.0, 20.0]
        assert values["reduced"] == 1 and values["mean over rows"] == 3.5
        assert values["slices"] == {"values": [[1.0], [1.0], [2.0], [2.0]],
                                    "indices": [0, 1, 0, 1]}  # fmt: skip
        assert values["bools"] == [True, False] and values["whole"] == 3
        assert values["large"] == [3.0] and values["narrow"] == [1.5]


def test_variables_begin_as_in_the_first_process(results):
    first, second = results["variables"]
    assert first == second
    assert first["assigned"] == {"SUM": 6.0, "MEAN": 3.0, "ONLY_FIRST_REPLICA": 2.0}


def test_own_training_loops(results):
    """Gradients of a sum over the batch are summed: the weights are those of one process."""
    for weights in results["own_loop"]:
        np.testing.assert_allclose(weights["eager"], weights["alone"], rtol=1e-6)
        np.testing.assert_allclose(weights["graph"], weights["alone"], rtol=1e-6)


def test_datasets(results):
    for number, values in enumerate(results["datasets"]):
        assert values["parts"] == [[[0, 1, 2, 3], [8, 9, 10]], [[4, 5, 6, 7], [11, 12]]][number]
        assert values["in a function"] == sum(range(13))
        assert values["from a function"] == [[number, 2 + number], [4 + number, 6 + number]]
        assert values["value"] == 10 * number
        assert "give them the dataset that" in values["fit"]


def test_gradients_of_a_sum_over_processes(results):
    # the loss of all is (sum of x) (sum of squares): d/dx = sum of squares + 2 x (sum of x)
    for x, gradient in enumerate(results["gradients"]):
        assert gradient == [1.0 + 2.0 * x] * 2


def test_errors_in_replicas(results):
    for errors in results["faults"]:
        assert errors == {
            "no aggregation": "ValueError: You must specify an aggregation method to update the "
            "variable 'v:0' of a MultiWorkerMirroredStrategy",
            "another variable": "ValueError: the variable 'plain:0' is assigned in a replica, but "
            "was not made in the scope of its strategy",
            "a run": "RuntimeError: Method requires being in cross-replica context",
            "a branch": "RuntimeError: `merge_call` called while defining a new graph or a "
            "tf.function",
            "another strategy": "RuntimeError: Mixing different tf.distribute.Strategy objects",
            "parts": "ValueError: a PerReplica of 3 values is passed to a strategy of 2 replicas",
        }


def test_only_the_chief_writes(results):
    written = sorted(p.relative_to(results["folder"]).as_posix()
                     for p in results["folder"].rglob("*") if p.is_file())  # fmt: skip
    events = [name for name in written if "tfevents" in name]
    assert [name for name in written if name not in events] == [
        "0/log.csv", "0/model.safetensors", "0/saved/checkpoint", "0/saved/ckpt-2.safetensors",
        "0/weights.safetensors",
    ]  # fmt: skip
    assert len(events) == 1 and events[0].startswith("0/events/")


def test_keras_gives_the_weights_of_one_process(results):
    check_as_alone("dense", results["trained"])


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        *[pytest.param(kind, 2, marks=pytest.mark.nightly) for kind in ("convolution", "lstm")],
        *[pytest.param(kind, 4, marks=pytest.mark.nightly)
          for kind in ("dense", "convolution", "lstm")],
    ],
)  # fmt: skip
def test_further_networks_give_the_weights_of_one_process(kind, count):
    rows = tf.distribute.launch(workers.trained, (kind,), processes=count, timeout=SECONDS)
    check_as_alone(kind, rows)


def check_as_alone(kind, rows):
    """50 steps of several processes are those of one, whose batches are as large as all of theirs.
    """
    weights, logs = workers.trained(kind)
    for own_weights, own_logs in rows:
        for expected, own, first in zip(weights, own_weights, rows[0][0], strict=True):
            np.testing.assert_allclose(own, expected, atol=1e-6, rtol=0)
            assert (own == first).all()
        for name, expected in logs.items():
            np.testing.assert_allclose(own_logs[name], expected, rtol=1e-5, atol=2e-5)


def test_other_ways_to_step_give_the_same(results):
    for losses in results["steps_of_keras"]:
        np.testing.assert_allclose(losses["eager"], losses["graph"], rtol=1e-5)
        np.testing.assert_allclose(losses["dataset"], losses["graph"], rtol=1e-5)


def test_random_numbers_are_those_of_the_first_process(results):
    first, second = results["random_numbers"]
    assert first["numbers"] == second["numbers"]
    assert "would draw different random numbers" in first["fault"] == second["fault"]


def test_a_process_alone_is_the_only_replica(monkeypatch):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    assert strategy.num_replicas_in_sync == 1
    assert strategy.reduce("SUM", strategy.run(lambda: tf.constant(2)), axis=None).numpy() == 2
    assert repr(strategy) == "<MultiWorkerMirroredStrategy: process 0 of 1>"
    config = {"cluster": {"worker": ["a:1", "b:2"]}, "task": {"type": "worker", "index": 1}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(config))
    with pytest.raises(ValueError, match="names 2 tasks, but there is 1 process of MPI: start"):
        tf.distribute.MultiWorkerMirroredStrategy()
    config["task"]["type"] = "ps"
    monkeypatch.setenv("TF_CONFIG", json.dumps(config))
    with pytest.raises(ValueError, match="No such job in cluster: 'ps'"):
        tf.distribute.MultiWorkerMirroredStrategy()
    config["cluster"] = {"ps": ["a:1"]}
    config["task"] = {"type": "ps", "index": 0}
    monkeypatch.setenv("TF_CONFIG", json.dumps(config))
    with pytest.raises(ValueError, match="the jobs 'chief' and 'worker', got 'ps'"):
        tf.distribute.MultiWorkerMirroredStrategy()
    monkeypatch.setenv("TF_CONFIG", "{")
    with pytest.raises(ValueError, match="TF_CONFIG is no description of a cluster: '{'"):
        tf.distribute.MultiWorkerMirroredStrategy()


@pytest.mark.nightly
def test_the_program_says_its_place():
    rows = tf.distribute.launch(workers.placed, processes=2, timeout=SECONDS)
    assert rows == [("worker", [0, 1]), ("chief", [0, 1])]


def test_cluster_spec():
    from runtime.distribute.cluster_spec import ClusterSpec

    cluster = ClusterSpec({"worker": ["a:1", "b:2"], "ps": {1: "c:3"}})
    assert cluster.jobs == ["ps", "worker"] and cluster.num_tasks("worker") == 2
    assert cluster.job_tasks("ps") == [None, "c:3"] and cluster.task_indices("ps") == [1]
    assert cluster.as_dict() == {"ps": {1: "c:3"}, "worker": ["a:1", "b:2"]}
    assert cluster == ClusterSpec(cluster) and hash(cluster) == hash(ClusterSpec(cluster))
    assert cluster.task_address("worker", 1) == "b:2" and cluster and not ClusterSpec({})
    with pytest.raises(ValueError, match="No task with index 0 in job 'ps'"):
        cluster.task_address("ps", 0)
    with pytest.raises(TypeError, match="must be a dictionary mapping one or more job names"):
        ClusterSpec(["a:1"])
    with pytest.raises(TypeError, match="Task 0 of job 'worker' must have a text as its address"):
        ClusterSpec({"worker": [1]})


def test_a_program_says_the_cluster():
    resolvers = tf.distribute.cluster_resolver
    cluster = tf.train.ClusterSpec({"worker": ["a:1", "b:2"]})
    resolver = resolvers.SimpleClusterResolver(cluster, task_type="worker", task_id=1)
    assert resolver.cluster_spec() is cluster and resolver.master() == "b:2"
    assert resolver.master("worker", 0) == "a:1"
    assert resolvers.SimpleClusterResolver(cluster, master="c:3").master() == "c:3"
    with pytest.raises(TypeError, match="cluster_spec must be a `tf.train.ClusterSpec`, got {}"):
        resolvers.SimpleClusterResolver({})
    with pytest.raises(ValueError, match="No task with index 2 in job 'worker'"):
        resolvers.SimpleClusterResolver(cluster, task_type="worker", task_id=2)
    strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy
    with pytest.raises(ValueError, match="does not say which task this process is"):
        strategy(resolvers.SimpleClusterResolver(cluster))
    with pytest.raises(ValueError, match="names 2 tasks, but there is 1 process of MPI"):
        strategy(resolver)
    with pytest.raises(AttributeError, match="Session.* has parameter servers"):
        tf.distribute.coordinator  # noqa: B018


def test_arguments_of_launch():
    with pytest.raises(TypeError, match="define the function at the top of a module"):
        tf.distribute.launch(lambda: None)
    with pytest.raises(ValueError, match="processes must be an int of at least 1, got 0"):
        tf.distribute.launch(workers.exchanges, processes=0)
    with pytest.raises(ValueError, match="processes must be an int of at least 1, got 0"):
        tf.distribute.launch(workers.exchanges, processes=lambda: 0)
    with pytest.raises(ValueError, match="restarts must be an int of at least 0, got -1"):
        tf.distribute.launch(workers.exchanges, restarts=-1)
    with pytest.raises(ValueError, match="timeout_seconds must be positive, got 0"):
        tf.distribute.experimental.CommunicationOptions(timeout_seconds=0)


@pytest.mark.nightly
@pytest.mark.parametrize("count", [4, 18], ids=["each to each", "by MPI"])
def test_sums_of_more_processes(count):
    """All ways to sum give the sum, equal to the bit everywhere."""
    rows = tf.distribute.launch(workers.sums, processes=count, timeout=SECONDS)
    assert rows == [count] * count
