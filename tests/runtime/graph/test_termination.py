"""Loops whose results nothing uses: left out where they are known to end, else kept."""

import signal
import threading

import pytest

import autograph
import runtime as tf
from runtime.graph.run_request import request_for


def counts_up(n):
    k = 0
    while k < n:
        k += 1
    return n


def counts_down(n):
    k = n
    while k > 0 and n > 3:
        k -= 1
        if k == 3:
            continue
        tf.abs(k)
    return n


def over_range(n):
    for i in tf.range(n):
        if i > 3:
            break
    return n


def over_python_range(n):
    for _ in range(0, n, 2):
        tf.abs(n)
    return n


def at_most_five(n):
    tf.while_loop(lambda k: k > 0, lambda k: k, [n], maximum_iterations=5)
    return n


def stands_still(n):
    while n > 0:
        pass
    return 1


def waits_for_nothing(n):
    while n > 0:
        pass
    return n + 3


def counts_away(n):
    k = 0
    while k > n:
        k += 1
    return n


def towards_what_moves(n):
    k, end = 0, n
    while k < end:
        k += 1
        end += 1
    return n


def may_step_over(n):
    k = 0
    while k != n:
        k += 1
    return n


def collatz(n):
    k = n
    while k > 1:
        if k % 2 == 0:
            k = k // 2
        else:
            k = 3 * k + 1
    return n


def by_floats(x):
    k = x
    while k < 1e30:
        k += 1.0
    return x


def in_a_branch(n):
    if n > 0:
        while n > 0:
            pass
    return 1


def in_a_loop(n):
    for _ in tf.range(n):
        k = n
        while k > 0:
            k = k * 2
    return n


ENDING = (counts_up, counts_down, over_range, over_python_range, at_most_five)
OPEN = (
    stands_still, waits_for_nothing, counts_away, towards_what_moves, may_step_over, collatz,
    by_floats, in_a_branch, in_a_loop,
)  # fmt: skip


def kept(function):
    dtype = tf.float32 if function is by_floats else tf.int32
    concrete = tf.function(function).get_concrete_function(tf.TensorSpec((), dtype))
    return request_for(concrete.graph).operations


@pytest.mark.parametrize("function", ENDING)
def test_loops_that_end_are_left_out(function):
    assert kept(function) == []


@pytest.mark.parametrize("function", OPEN)
def test_loops_that_may_not_end_are_kept(function):
    (loop,) = kept(function)
    assert loop.type in ("While", "If")


def test_a_list_that_each_iteration_shortens_ends_the_loop():
    @tf.function
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            while y < 9.0:
                y = y * y
        tape.gradient(y, x)
        return y

    graph = gradient.get_concrete_function(tf.TensorSpec((), tf.float32)).graph
    loops = [node for node in graph.get_operations() if node.type == "While"]
    assert len(loops) == 2
    assert [node.name for node in request_for(graph).operations] == [loops[0].name]


class Late(Exception):
    pass


def runs_on(call):
    """Whether a call still runs after a while."""

    def stop(signum, frame):
        raise Late

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        call()
    except Late:
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return False


main_thread = pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="signals need it"
)


@main_thread
def test_a_function_waits_in_an_endless_loop():
    assert runs_on(lambda: tf.function(stands_still)(tf.constant(1)))
    assert not runs_on(lambda: tf.function(stands_still)(tf.constant(0)))


@main_thread
def test_a_function_that_calls_one_with_an_endless_loop_waits():
    inner = tf.function(stands_still)

    @tf.function
    def outer(x):
        inner(x)
        return x

    assert runs_on(lambda: outer(tf.constant(1)))


@main_thread
def test_a_session_waits_in_an_endless_loop_of_converted_code():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.int32, [])
        y = autograph.to_graph(waits_for_nothing)(x)
        assert runs_on(lambda: session.run(y, {x: 1}))
        assert session.run(y, {x: 0}) == 3


def test_a_session_runs_loops_made_by_hand_for_their_results_only():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(1)
        tf.while_loop(lambda k: k > 0, lambda k: k, [x])
        assert session.run(x + 1) == 2
