"""Many threads convert, trace and run at once: the same functions, and each its own."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import autograph
import runtime as tf
from autograph.syntax.parse import parse
from runtime.ops.dispatch import ACTIVE

THREADS = 8


@pytest.fixture(autouse=True)
def hurried():
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_once(work, count=THREADS):
    """The results of ``work(number)`` in as many threads, all of which start together."""
    barrier = threading.Barrier(count)

    def run(number):
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def fresh(number):
    """A function with code of its own, which calls others."""

    def helper(x):
        return x * 2 if x > number else x

    def outer(n):
        total = 0
        while n > 0:
            if n % 2 == 0:
                total += helper(n)
            n -= 1
        return total

    outer.__code__ = outer.__code__.replace(co_firstlineno=outer.__code__.co_firstlineno)
    helper.__code__ = helper.__code__.replace(co_firstlineno=helper.__code__.co_firstlineno)
    return outer


def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return a


def staged(function, value):
    """The result of a converted function, traced in a graph of the thread's own."""
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.int32, [])
        return session.run(autograph.to_graph(function)(x), {x: value})


def test_one_function_is_converted_once():
    function = fresh(3)
    converted = at_once(lambda number: autograph.to_graph(function))
    assert len({id(one.__code__) for one in converted}) == 1
    assert {one(6) for one in converted} == {function(6)}


def test_own_functions():
    functions = [fresh(number) for number in range(THREADS)]
    results = at_once(lambda number: autograph.to_graph(functions[number])(9))
    assert results == [function(9) for function in functions]


def test_all_convert_and_trace_all():
    functions = [fresh(number) for number in range(THREADS)]

    def work(number):
        order = functions[number:] + functions[:number]
        return {id(f): (int(staged(f, 7)), autograph.to_graph(f)(8)) for f in order}

    expected = {id(f): (f(7), f(8)) for f in functions}
    assert at_once(work) == [expected] * THREADS


def test_one_graph_function_is_traced_once_for_each_type():
    counted = tf.function(gcd)
    dtypes = [tf.int32, tf.int64]

    def work(number):
        dtype = dtypes[number % 2]
        return [
            int(counted(tf.constant(12 * n, dtype), tf.constant(18, dtype))) for n in range(1, 6)
        ]

    assert at_once(work) == [[gcd(12 * n, 18) for n in range(1, 6)]] * THREADS
    assert counted.experimental_get_tracing_count() == len(dtypes)


def test_errors_stay_in_their_thread():
    def mixed(x):
        if x > 0:
            y = x
        else:
            y = "none"
        return y

    def work(number):
        if number % 2:
            return int(staged(fresh(number), 5))
        with pytest.raises(autograph.DtypeJoinError) as caught:
            staged(mixed, 5)
        return [related.text for related in caught.value.related_lines]

    wrong = ["y = x", 'y = "none"']
    expected = [fresh(n)(5) if n % 2 else wrong for n in range(THREADS)]
    assert at_once(work) == expected


def test_parsing_takes_turns():
    text = "\n".join(f"x{n} = [a + {n} for a in b]" for n in range(100))

    def work(number):
        return [len(parse(text).body) for _ in range(5)]

    assert at_once(work) == [[100] * 5] * THREADS


def test_a_tape_ends_after_a_graph_of_another_thread():
    building, watched = threading.Event(), threading.Event()

    def build():
        with tf.Graph().as_default():
            building.set()
            watched.wait(5)

    other = threading.Thread(target=build)
    other.start()
    building.wait(5)
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        watched.set()
        other.join()
        y = x * x
    assert float(tape.gradient(y, x)) == 6.0
    assert not ACTIVE
