"""Monitored sessions: hooks, checkpoints, recovery, synchronous updates, threads."""

from __future__ import annotations

import logging
import threading

import numpy as np
import pytest

import runtime.compat.v1 as tf
from runtime import errors


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def counting():
    """A variable, a step that adds 2 to it, and the global step."""
    v = tf.get_variable("v", initializer=1.0)
    step = tf.train.get_or_create_global_step()
    return v, tf.group(v.assign_add(2.0), step.assign_add(1)), step


def test_training_goes_on_from_the_last_checkpoint(tmp_path):
    for last in 5, 10:
        with tf.Graph().as_default():
            v, train, step = counting()
            with tf.train.MonitoredTrainingSession(
                checkpoint_dir=str(tmp_path), hooks=[tf.train.StopAtStepHook(num_steps=5)],
                save_checkpoint_steps=2,
            ) as session:
                while not session.should_stop():
                    session.run(train)
                assert session.raw_session().run([v, step]) == [1.0 + 2 * last, last]
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("model.ckpt-10")
    assert list(tmp_path.glob("events*"))


class Recorder(tf.train.SessionRunHook):
    def __init__(self, v):
        self.v, self.calls = v, []

    def begin(self):
        self.calls.append("begin")

    def after_create_session(self, session, coord):
        self.calls.append(f"created {session.run(self.v):g}")

    def before_run(self, context):
        assert context.original_args.feed_dict is None
        return tf.train.SessionRunArgs({"v": self.v})

    def after_run(self, context, values):
        self.calls.append(f"ran {values.results['v']:g}")
        if values.results["v"] > 4:
            context.request_stop()

    def end(self, session):
        self.calls.append("end")


def test_hooks_take_part_in_each_run():
    v, train, _ = counting()
    hook = Recorder(v)
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        while not session.should_stop():
            assert session.run([train, v])[1] in (3.0, 5.0)
    assert hook.calls == ["begin", "created 1", "ran 3", "ran 5", "end"]
    with pytest.raises(RuntimeError, match="after should_stop"):
        session.run(v)


def test_a_session_is_made_anew_when_a_task_was_lost(tmp_path, monkeypatch):
    v, train, step = counting()
    lost = iter([False, False, True, False, False, True])
    run = tf.Session.run

    def failing(self, fetches, *args, **kwargs):
        if isinstance(fetches, dict) and next(lost, False):
            raise errors.AbortedError(None, None, "lost")
        return run(self, fetches, *args, **kwargs)

    monkeypatch.setattr(tf.Session, "run", failing)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    hooks = [tf.train.StopAtStepHook(last_step=6)]
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=str(tmp_path), hooks=hooks, save_checkpoint_steps=1
    ) as session:
        while not session.should_stop():
            session.run(train)
        assert session.raw_session().run([v, step]) == [13.0, 6]
    with tf.Graph().as_default():
        _, train, _ = counting()
        lost = iter([True])
        with pytest.raises(errors.AbortedError):
            with tf.train.SingularMonitoredSession() as session:
                session.run(train)


def test_losses_that_are_no_numbers_end_training():
    x = tf.placeholder(tf.float32, [])
    loss = tf.math.log(x)
    with pytest.raises(tf.train.NanLossDuringTrainingError, match="NaN loss"):
        with tf.train.MonitoredSession(hooks=[tf.train.NanTensorHook(loss)]) as session:
            assert session.run(loss, {x: 1.0}) == 0.0
            session.run(loss, {x: -1.0})


def test_values_are_logged(caplog):
    v, train, _ = counting()
    hooks = [
        tf.train.LoggingTensorHook({"v": v}, every_n_iter=2),
        tf.train.StopAtStepHook(last_step=3),
    ]
    with caplog.at_level(logging.INFO, "runtime"):
        with tf.train.MonitoredSession(hooks=hooks) as session:
            while not session.should_stop():
                session.run(train)
    lines = [r.message for r in caplog.records if r.message.startswith("v = ")]
    assert lines[0] == "v = 3.0" and lines[1].startswith("v = 7.0 (") and len(lines) == 2


def test_steps_of_functions_and_ends_of_data():
    v, train, _ = counting()
    with tf.train.MonitoredSession() as session:
        assert session.run_step_fn(lambda step: step.run_with_hooks([train, v])[1]) == 3.0
        session.run_step_fn(lambda step: step.request_stop())
        assert session.should_stop()
        raise errors.OutOfRangeError(None, None, "no more data")
    with pytest.raises(KeyError):
        with tf.train.MonitoredSession():
            raise KeyError


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="num_steps and last_step"):
        tf.train.StopAtStepHook()
    with pytest.raises(RuntimeError, match="Global step should be created"):
        tf.train.MonitoredSession(hooks=[tf.train.StopAtStepHook(last_step=1)])
    with pytest.raises(ValueError, match="saver and scaffold"):
        tf.train.CheckpointSaverHook("x", 1, saver=1, scaffold=1)


def test_a_worker_that_waits_in_vain_is_refused():
    with tf.Graph().as_default():
        tf.get_variable("weight", [2])
        with pytest.raises(tf.errors.FailedPreconditionError, match=r"initialize weight, but.*Mul"):
            tf.train.MonitoredTrainingSession(is_chief=False)
    with tf.Graph().as_default():
        tf.get_variable("weight", [2])
        scaffold = tf.train.Scaffold(ready_for_local_init_op=tf.constant(["a table"]))
        with pytest.raises(tf.errors.DeadlineExceededError, match="a table"):
            tf.train.MonitoredTrainingSession(is_chief=False, scaffold=scaffold, max_wait_secs=0)
    with tf.Graph().as_default():
        three = tf.constant(3)  # without variables there is nothing to wait for
        with tf.train.MonitoredTrainingSession(is_chief=False) as session:
            assert session.run(three) == 3


def test_gradients_of_stale_steps_are_left_out():
    accumulator = tf.ConditionalAccumulator(tf.float32, [2])
    step = tf.placeholder(tf.int64, [])
    add = accumulator.apply_grad([1.0, 4.0], step)
    with tf.Session() as session:
        session.run(add, {step: 0})
        session.run(accumulator.apply_grad([3.0, 0.0], 0))
        assert session.run(accumulator.num_accumulated()) == 2
        np.testing.assert_array_equal(session.run(accumulator.take_grad(2)), [2.0, 2.0])
        session.run(add, {step: 0})  # of the step before
        assert session.run(accumulator.num_accumulated()) == 0
        session.run(accumulator.set_global_step(5))
        session.run([add, accumulator.apply_grad([0.0, 0.0], 5)], {step: 4})
        np.testing.assert_array_equal(session.run(accumulator.take_grad(1)), [0.0, 0.0])
        with pytest.raises(errors.InvalidArgumentError, match="takes gradients of shape"):
            session.run(accumulator.apply_grad(tf.placeholder_with_default([1.0], None), 9))
    total = tf.ConditionalAccumulator(tf.float32, [], reduction_type="SUM")
    with tf.Session() as session:
        session.run([total.apply_grad(2.0), total.apply_grad(5.0)])
        assert session.run(total.take_grad(2)) == 7.0
    with pytest.raises(ValueError, match="reduction_type"):
        tf.ConditionalAccumulator(tf.float32, [], reduction_type="MAX")


def test_closing_a_session_ends_what_waits():
    item = tf.FIFOQueue(2, [tf.float32]).dequeue()
    session = tf.Session()
    raised = []

    def wait():
        try:
            session.run(item)
        except errors.CancelledError as error:
            raised.append(str(error))

    thread = threading.Thread(target=wait)
    thread.start()
    session.close()
    thread.join(20)
    assert not thread.is_alive() and (not raised or "was closed" in raised[0])


def test_synchronous_updates_are_those_of_the_mean_gradient():
    """Without tokens ahead each gradient counts, and the worker waits for its update."""
    x = tf.placeholder(tf.float32, [])
    w = tf.get_variable("w", initializer=0.0)
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.SyncReplicasOptimizer(
        tf.train.GradientDescentOptimizer(0.5), replicas_to_aggregate=1
    )
    train = optimizer.minimize(x * w, global_step=step)
    hooks = [optimizer.make_session_run_hook(True, 0), tf.train.StopAtStepHook(last_step=3)]
    fed = []
    with tf.train.MonitoredTrainingSession(hooks=hooks) as session:
        while not session.should_stop():
            fed.append(len(fed) + 1.0)
            session.run(train, {x: fed[-1]})
        value, steps = session.raw_session().run([w, step])
    assert steps == 3
    np.testing.assert_allclose(value, -0.5 * sum(fed))


def test_threads_fill_a_queue_until_the_coordinator_stops():
    queue = tf.FIFOQueue(4, [tf.float32])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1.0)] * 2))
    item = queue.dequeue()
    with tf.Session() as session:
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        assert [session.run(item) for _ in range(20)] == [1.0] * 20
        coordinator.request_stop()
        coordinator.join(threads, stop_grace_period_secs=20)
    other = tf.train.Coordinator()
    with other.stop_on_exception():
        raise ValueError("of a thread")
    assert other.should_stop()
    with pytest.raises(ValueError, match="of a thread"):
        other.join()
