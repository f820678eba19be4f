"""Queues: eagerly, in functions, in sessions, and between threads."""

import threading

import numpy as np
import pytest

import runtime as tf

errors = tf.errors


@pytest.fixture(params=["eager", "graph"])
def run(request):
    """A function that gives the values of what is made, eagerly or in a session."""
    if request.param == "eager":
        yield lambda x: tf.nest.map_structure(lambda t: t if t is None else t.numpy(), x)
    else:
        with tf.Graph().as_default(), tf.Session() as session:
            yield session.run


def lists(x):
    return tf.nest.map_structure(lambda a: np.asarray(a).tolist(), x)


def test_rows_come_in_the_order_they_went(run):
    q = tf.queue.FIFOQueue(10, [tf.int32, tf.float32])
    assert run(q.size()) == 0
    for row in ((5, 10.0), (10, [20.0, 21.0])):
        run(q.enqueue(row))
    assert run(q.size()) == 2
    assert lists(run(q.dequeue())) == [5, 10.0] and lists(run(q.dequeue())) == [10, [20.0, 21.0]]


def test_many_rows_at_once(run):
    q = tf.FIFOQueue(10, (tf.float32, tf.int32), shapes=((), (2,)))
    pairs = [[1, 2], [3, 4], [5, 6]]
    run(q.enqueue_many(([10.0, 20.0, 30.0], pairs)))
    taken = q.dequeue_many(2)
    assert [t.shape.as_list() for t in taken] == [[2], [2, 2]]
    assert lists(run(taken)) == [[10.0, 20.0], pairs[:2]]
    assert lists(run(q.dequeue_many(0))) == [[], []]
    assert lists(run(q.dequeue())) == [30.0, [5, 6]]
    run(q.enqueue_many((tf.zeros([0]), tf.zeros([0, 2], tf.int32))))
    assert run(q.size()) == 0


def test_texts_and_names(run):
    q = tf.FIFOQueue(3, [tf.string, tf.int32], [[], []], names=["text", "number"])
    run(q.enqueue({"number": 1, "text": "a"}))
    run(q.enqueue_many({"text": ["b", "c"], "number": [2, 3]}))
    assert run(q.dequeue()) == {"text": b"a", "number": 1}
    assert lists(run(q.dequeue_many(2))) == {"text": [b"b", b"c"], "number": [2, 3]}
    for wrong in ({"text": "a"}, ("a", 1)):
        with pytest.raises(ValueError, match="names"):
            q.enqueue(wrong)
    with pytest.raises(ValueError, match="must have names"):
        tf.FIFOQueue(1, tf.int32).enqueue({"a": 1})


def test_closed_queues_give_what_they_have(run):
    q = tf.FIFOQueue(10, tf.int32, shapes=())
    run(q.enqueue_many([[1, 2, 3]]))
    assert not run(q.is_closed())
    run(q.close())
    assert run(q.is_closed())
    with pytest.raises(errors.CancelledError, match="is closed"):
        run(q.enqueue(4))
    with pytest.raises(errors.OutOfRangeError, match=r"requested 4, current size 3\)"):
        run(q.dequeue_many(4))
    assert lists(run(q.dequeue_up_to(2))) == [1, 2] and lists(run(q.dequeue_up_to(2))) == [3]
    for take in (q.dequeue, lambda: q.dequeue_up_to(1)):
        with pytest.raises(errors.OutOfRangeError, match="insufficient elements"):
            run(take())


def test_shapes_are_checked(run):
    q = tf.FIFOQueue(10, tf.float32, shapes=(3, 2))
    run(q.enqueue(([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],)))
    with pytest.raises(ValueError, match=r"shape \(3, 2\) is given \(2,\)"):
        q.enqueue(([1.0, 2.0],))
    with pytest.raises(ValueError, match="rows of shape"):
        q.enqueue_many(([1.0, 2.0],))
    with pytest.raises(ValueError, match="has 1 components, but 2 are given"):
        q.enqueue((1.0, 2.0))
    with pytest.raises(errors.InvalidArgumentError, match="specified shapes"):
        run(tf.FIFOQueue(10, tf.float32).dequeue_many(0))
    with pytest.raises(ValueError, match="same length as dtypes"):
        tf.FIFOQueue(1, [tf.int32], shapes=[[], []])


def test_padding(run):
    q = tf.PaddingFIFOQueue(10, [tf.int32], [[None, 2]])
    run(q.enqueue(([[1, 1]],)))
    run(q.enqueue(([[2, 2], [3, 3]],)))
    assert lists(run(q.dequeue_many(2))) == [[[1, 1], [0, 0]], [[2, 2], [3, 3]]]
    with pytest.raises(ValueError, match="Shapes must be provided"):
        tf.PaddingFIFOQueue(10, tf.int32, None)


def test_priorities(run):
    q = tf.PriorityQueue(10, tf.string, [[]])
    for row in ((3, "c"), (1, "a"), (3, "d"), (2, "b")):
        run(q.enqueue((tf.constant(row[0], tf.int64), row[1])))
    assert lists(run(q.dequeue_many(4))) == [[1, 2, 3, 3], [b"a", b"b", b"c", b"d"]]


def test_shuffling(run):
    q = tf.RandomShuffleQueue(100, 0, tf.int32, shapes=(), seed=3)
    run(q.enqueue_many([list(range(50))]))
    found = lists(run(q.dequeue_many(50)))
    assert sorted(found) == list(range(50)) and found != sorted(found)


@pytest.mark.parametrize("kind", [tf.FIFOQueue, tf.PriorityQueue, tf.RandomShuffleQueue])
def test_what_was_taken_in_vain_is_put_back(kind):
    if kind is tf.PriorityQueue:
        q = kind(10, [], [])
    else:
        q = kind(10, *([0] if kind is tf.RandomShuffleQueue else []), tf.int64, shapes=())
    q.enqueue_many([tf.constant([1, 2, 3], tf.int64)])
    q.close()
    with pytest.raises(errors.OutOfRangeError):
        q.dequeue_many(4)
    assert sorted(q.dequeue_many(3).numpy().tolist()) == [1, 2, 3]


def test_functions_and_loops_use_queues():
    q = tf.FIFOQueue(10, tf.int32, shapes=())

    @tf.function
    def f(n):
        for k in tf.range(n):
            q.enqueue(k * k)
        return q.dequeue() + q.dequeue_many(2)

    assert f(tf.constant(4)).numpy().tolist() == [1, 4] and q.dequeue().numpy() == 9


def test_sessions_have_queues_of_their_own():
    with tf.Graph().as_default():
        q = tf.FIFOQueue(10, tf.int32)
        put, size = q.enqueue(1), q.size()
        with tf.Session() as first, tf.Session() as second:
            first.run(put)
            assert (first.run(size), second.run(size)) == (1, 0)


@pytest.mark.parametrize("least", [None, 2])
def test_threads_wait_for_each_other(least):
    with tf.Graph().as_default(), tf.Session() as session:
        if least is None:
            q = tf.FIFOQueue(2, tf.int32, shapes=())
        else:
            q = tf.RandomShuffleQueue(4, least, tf.int32, shapes=(), seed=1)
        x = tf.placeholder(tf.int32, [None])
        put, take, end = q.enqueue_many(x), q.dequeue_up_to(3), q.close()

        def feed():
            for start in range(0, 12, 4):
                session.run(put, {x: range(start, start + 4)})
            session.run(end)

        thread = threading.Thread(target=feed)
        thread.start()
        found = []
        with pytest.raises(errors.OutOfRangeError):
            while True:
                found += session.run(take).tolist()
        thread.join()
    assert sorted(found) == list(range(12)) and (found == sorted(found)) == (least is None)


def test_who_waits_to_put_a_row_in_can_be_cancelled():
    q = tf.FIFOQueue(1, tf.int32)
    q.enqueue(1)
    caught = []

    def wait():
        try:
            q.enqueue(2)
        except errors.CancelledError as error:
            caught.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    q.close(cancel_pending_enqueues=True)
    thread.join()
    assert len(caught) == 1 and q.size().numpy() == 1


def test_sessions_may_limit_how_long_their_runs_wait_for_queues():
    config = tf.ConfigProto(operation_timeout_in_ms=20)
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        q = tf.FIFOQueue(3, tf.int32, shapes=())
        with pytest.raises(errors.DeadlineExceededError, match="Timed out waiting"):
            session.run(q.dequeue())
        session.run(q.enqueue_many([[1, 2, 3]]))
        for wait in (q.enqueue(4), q.dequeue_many(4), q.dequeue_up_to(4)):
            with pytest.raises(errors.DeadlineExceededError, match="Timed out waiting"):
                session.run(wait, run_metadata=tf.RunMetadata())
        assert lists(session.run(q.dequeue_many(3))) == [1, 2, 3]
