"""Sessions on two tasks give what a session of this process gives; errors name what is wrong."""

from __future__ import annotations

import numpy as np
import pytest

import runtime.compat.v1 as tf
from runtime import errors
from tests.runtime.distribute.sessions.programs import PROGRAMS, W0, W1, chain, results
from tests.support.extras import needs

pytestmark = needs("dask")


@pytest.fixture(scope="module")
def target():
    """A cluster of two workers in threads of this process."""
    from runtime.distribute.sessions.local_cluster import local_cluster

    cluster = local_cluster(2, processes=False)
    yield f"dask://{cluster.scheduler_address.partition('://')[2]}"
    cluster.close()


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_results_are_those_of_a_local_session(name, target):
    tf.Session.reset(target)
    expected = results(PROGRAMS[name], "")
    actual = results(PROGRAMS[name], target)
    for left, right in zip(tf.nest.flatten(expected), tf.nest.flatten(actual), strict=True):
        assert type(left) is type(right)
        if left is not None:
            assert np.asarray(left).dtype == np.asarray(right).dtype
            np.testing.assert_array_equal(left, right)


@pytest.fixture
def graph(target):
    tf.Session.reset(target)
    with tf.Graph().as_default() as graph:
        yield graph


def test_sessions_share_the_variables_of_a_task(graph, target):
    with tf.device(W1):
        v = tf.get_variable("v", initializer=[1.0, 2.0])
        more = v.assign_add([1.0, 1.0])
    with tf.Session(target) as first, tf.Session(target) as second:
        first.run(v.initializer)
        second.run(more)
        np.testing.assert_array_equal(first.run(v), [2.0, 3.0])
        assert [d.name for d in first.list_devices()][1] == (
            "/job:worker/replica:0/task:1/device:CPU:0"
        )
        assert first.sess_str == target
    with tf.Graph().as_default(), tf.device(W1):
        other = tf.get_variable("v", initializer=3)
        with tf.Session(target) as session:
            with pytest.raises(errors.InvalidArgumentError, match="of .* is float32 of shape"):
                session.run(other.initializer)
            tf.Session.reset(target)
        with tf.Session(target) as session:
            session.run(other.initializer)
            assert session.run(other) == 3
    with pytest.raises(RuntimeError, match="closed Session"):
        session.run(other)


def test_placements_are_logged(graph, target, capsys):
    with tf.device(W1):
        y = tf.placeholder_with_default(2.0, []) * 3.0
    with tf.Session(target, config=tf.ConfigProto(log_device_placement=True)) as session:
        session.run(y)
    assert f"mul: (Mul): {W1}" in capsys.readouterr().err


def test_what_cannot_run_is_refused_by_name(graph, target):
    with tf.device("/job:worker/task:7"):
        lost = tf.constant(1.0) + tf.placeholder_with_default(2.0, [])

    def body(i, x):
        with tf.device(W0):
            x = x * 2.0
        with tf.device(W1):
            return i + 1, x + 1.0

    loop = tf.while_loop(lambda i, x: i < 3, body, [0, 1.0])
    with tf.device(f"{W1}/gpu:0"):
        on_gpu = tf.placeholder_with_default(2.0, []) * 3.0
    with tf.Session(target, config=tf.ConfigProto(allow_soft_placement=True)) as session:
        assert session.run(on_gpu) == 6.0
    with tf.Session(target) as session:
        with pytest.raises(errors.InvalidArgumentError, match="assigned to /job:worker/task:7 but"):
            session.run(lost)
        with pytest.raises(errors.InvalidArgumentError, match="task:1/device:GPU:0 but available"):
            session.run(on_gpu)
        with pytest.raises(errors.UnimplementedError) as refusal:
            session.run(loop)
        with pytest.raises(NotImplementedError, match="partial_run"):
            session.partial_run_setup(lost)
    for text in f"{W0} by '", f"{W1} by '", "test_sessions.py:", "runs as a whole":
        assert text in str(refusal.value)


def test_errors_are_those_of_the_task_and_name_it(graph, target):
    x = tf.placeholder(tf.float32, [])
    with tf.device(W1):
        v = tf.get_variable("v", initializer=1.0)
        with tf.control_dependencies([tf.Assert(x > 0.0, ["x is", x])]):
            write = v.assign(x)
        item = tf.FIFOQueue(2, [tf.float32]).dequeue()
    config = tf.ConfigProto(operation_timeout_in_ms=300)
    with tf.Session(target, config=config) as session:
        with pytest.raises(errors.FailedPreconditionError, match="'v:0': it has no value") as lacks:
            session.run(v)
        assert lacks.value.__notes__ == [f"Raised on {W1}."]
        session.run(v.initializer)
        with pytest.raises(errors.InvalidArgumentError, match="x is"):
            session.run(write, {x: -1.0})
        assert session.run(v) == 1.0
        with pytest.raises(errors.InvalidArgumentError, match="must feed a value|You must feed"):
            session.run(write)
        with pytest.raises(errors.DeadlineExceededError, match="Timed out waiting for the queue"):
            session.run(item)


def test_what_waits_for_a_session_that_is_gone_gives_up(graph, target, monkeypatch):
    from runtime.distribute.sessions import cluster, task

    monkeypatch.setattr(cluster, "QUIET_SECONDS", 20.0)  # no sign of life
    monkeypatch.setattr(task, "PATIENCE_SECONDS", 0.2)
    with tf.device(W1):
        item = tf.FIFOQueue(2, [tf.float32]).dequeue()
    with tf.Session(target) as session:
        with pytest.raises(errors.CancelledError, match="session that waits .* was closed, or"):
            session.run(item)


def test_iterators_stay_in_this_process(graph, target):
    calls = []

    class Unsendable:
        def __reduce__(self):
            raise TypeError("it stays")

        def __call__(self, x):
            calls.append(1)
            return x * 2.0

    with tf.device(W0):
        x = tf.constant([1.0, 2.0]) + 1.0
    y = tf.py_func(Unsendable(), [x], tf.float32)
    with tf.device(W1):
        z = y + 1.0
        bad = tf.py_func(Unsendable(), [x], tf.float32)
    with tf.Session(target) as session:
        np.testing.assert_array_equal(session.run(z), [5.0, 7.0])
        with pytest.raises(errors.UnimplementedError, match=f"cannot run on {W1}.*it stays"):
            session.run(bad)
    assert calls == [1]


def test_addresses(target, monkeypatch):
    from runtime.distribute.sessions import cluster

    for text in "far", "dask://", "grpc://far", "http://localhost:1", "dask://localhost:x":
        with pytest.raises(errors.NotFoundError, match="There is no cluster at"):
            tf.Session(text, graph=tf.Graph())
    for text in "workers=0", "workers=many", "threads=2":
        with pytest.raises(errors.InvalidArgumentError, match="An example"):
            tf.Session(f"dask://local?{text}", graph=tf.Graph())
    monkeypatch.setattr(cluster, "START_SECONDS", 0.1)
    with pytest.raises(errors.UnavailableError, match="Nothing answers at tcp://127.0.0.1:1"):
        tf.Session("dask://localhost:1", graph=tf.Graph())
    with pytest.raises(errors.PermissionDeniedError, match=r"Other machines reach '192.0.2.7'"):
        tf.Session("dask://192.0.2.7:2222", graph=tf.Graph())


def test_servers_say_which_task_they_are():
    spec = tf.train.ClusterSpec({"ps": ["localhost:2222"], "worker": ["localhost:2223"]})
    with pytest.raises(ValueError, match="job_name"):
        tf.train.Server(spec)
    with pytest.raises(ValueError, match="No task with index 4"):
        tf.train.Server(spec, "worker", 4)
    with pytest.raises(errors.PermissionDeniedError, match="DASK|tls"):
        tf.train.Server({"worker": ["192.0.2.7:2222"]})
    server = tf.train.Server(spec, "ps", start=False)
    assert server.target == "dask://127.0.0.1:2222" and server.task.name == "/job:ps/task:0"
    assert tf.ConfigProto(cluster_def=spec.as_cluster_def()).cluster_def == spec


def test_a_server_of_its_own():
    server = tf.train.Server.create_local_server()
    with tf.Graph().as_default(), tf.Session(server.target) as session:
        with tf.device("/job:local/task:0"):
            v = tf.get_variable("v", initializer=2.0)
        session.run(v.initializer)
        assert session.run(v * tf.random_uniform([], seed=1)) < 2.0


def test_names_of_tasks_by_address(target):
    from distributed import Client

    with Client(f"tcp://{target[7:]}", set_as_default=False) as client:
        places = [address[6:] for address in client.scheduler_info()["workers"]]
    config = tf.ConfigProto(cluster_def=tf.train.ClusterSpec({"a": places[:1], "b": places[1:]}))
    with tf.Graph().as_default(), tf.device("/job:b/task:0"):
        y = tf.placeholder_with_default(3.0, []) * 2.0
        with tf.Session(target, config=config) as session:
            assert session.run(y) == 6.0


def test_variables_go_to_the_parameter_servers_in_turn():
    spec = {"ps": ["a:1", "b:1"], "worker": ["c:1"]}
    with tf.Graph().as_default():
        with tf.device(tf.train.replica_device_setter(cluster=spec)):
            v = [tf.get_variable(f"v{k}", initializer=1.0) for k in range(3)]
            total = v[0] + v[1]
            with tf.device("/job:worker/task:3/cpu:0"):
                own = total * 2.0
        step = tf.train.MomentumOptimizer(0.1, 0.9).minimize(total)
    assert [x.device[-6:] for x in v] == ["task:0", "task:1", "task:0"]
    assert all(x.device.startswith("/job:ps") for x in v)
    assert (total.device, own.device) == ("/job:worker", "/job:worker/task:3/device:CPU:0")
    updates = [n for n in step.graph.operations if "Momentum" in n.name and "Assign" in n.type]
    assert {n.device for n in updates} == {x.device for x in v[:2]}
    assert tf.train.replica_device_setter() is None
    with pytest.raises(TypeError, match="callable"):
        tf.train.replica_device_setter(2, ps_strategy=3)


def test_drawings_show_a_box_for_each_part_of_a_task():
    with tf.Graph().as_default() as graph:
        chain()
        diagram = graph.__diagram__()
        assert [vertex.title for vertex in diagram.vertices] == ["Placeholder", W0, W1, W0]
        edges = sorted((edge.source, edge.target) for edge in diagram.edges)
        assert edges == [(0, 1), (1, 2), (1, 3), (2, 3)]
        assert "Tanh" in graph.to_svg() or "tanh" in graph.to_svg()
