"""TensorArray: values, errors, dropped writes; eagerly, in loops, branches, functions, sessions."""

import threading

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph.errors import EffectError
from runtime.ops.resource.tensor_array import ArrayValue, Config
from runtime.types.shapes import TensorShape
from tests.support.ways import everywhere, given

F, N = tf.float32, tf.int32


def array(size=2, dtype=F, **options):
    return tf.TensorArray(dtype, size, **options)


def of(*values, **options):
    return array(len(values), **options).unstack(list(values))


def again(a):
    return a.read(0) + a.read(0)


GIVES = {
    "written": (lambda: array().write(0, 1.0).write(1, 2.0).stack(), [1, 2]),
    "never written": (lambda: array().write(1, [1.0, 2.0]).stack(), [[0, 0], [1, 2]]),
    "element_shape": (lambda: array(element_shape=[2]).read(0), [0, 0]),
    "written twice": (lambda: array(1).write(0, 1.0).write(0, 5.0).stack(), [5]),
    "grows": (lambda: array(0, dynamic_size=True).write(2, 1.0).stack(), [0, 0, 1]),
    "size of grown": (lambda: array(1, dynamic_size=True).write(2, 1.0).size(), 3),
    "unstack": (lambda: of(1.0, 2.0, 3.0).stack(), [1, 2, 3]),
    "unstack grows": (lambda: array(0, dynamic_size=True).unstack([1.0, 2.0]).size(), 2),
    "gather": (lambda: of(1.0, 2.0, 3.0).gather([2, 0, 2]), [3, 1, 3]),
    "gather none": (lambda: of(1.0, element_shape=[]).gather(tf.zeros([0], N)), []),
    "scatter": (lambda: array(4).scatter([2, 0], [1.0, 2.0]).stack(), [2, 0, 1, 0]),
    "scatter grows": (lambda: array(0, dynamic_size=True).scatter([1], [1.0]).stack(), [0, 1]),
    "split": (lambda: array().split([[1.0], [2.0], [3.0]], [1, 2]).read(1), [[2], [3]]),
    "concat": (
        lambda: array(infer_shape=False).write(0, [1.0]).write(1, [2.0, 3.0]).concat(), [1, 2, 3],
    ),
    "split and concat": (lambda: array().split([1.0, 2.0, 3.0], [0, 3]).concat(), [1, 2, 3]),
    "int64 index": (lambda: array().write(tf.constant(1, tf.int64), 1.0).stack(), [0, 1]),
    "strings": (lambda: array(dtype=tf.string).write(1, "a").stack(), [b"", b"a"]),
    "one string": (lambda: array(dtype=tf.string).write(1, "a").read(1), b"a"),
    "none": (lambda: array(0, element_shape=[3]).stack(), []),
    "identity": (lambda: of(1.0, 2.0).identity().write(0, 5.0).stack(), [5, 2]),
    "numbers take the dtype": (lambda: array().write(0, 1).stack(), [1, 0]),
    "read again": (lambda: again(of(1.0, clear_after_read=False)), 2),
}  # fmt: skip


@pytest.mark.parametrize("name", GIVES)
def test_gives(name):
    program, expected = GIVES[name]
    assert everywhere(program) == expected


REFUSES = {
    "behind the end": (lambda: array().write(2, 1.0).stack(), tf.errors.OutOfRangeError,
                       "Tried to write to index 2 but array is not resizeable and size is: 2"),
    "negative": (lambda: array().write(-1, 1.0).stack(), tf.errors.OutOfRangeError,
                 "negative indices"),
    "read behind": (lambda: array().read(2), tf.errors.OutOfRangeError,
                    "Tried to read from index 2 but array size is: 2"),
    "gather behind": (lambda: of(1.0).gather([1]), tf.errors.InvalidArgumentError, "index 1"),
    "read twice": (lambda: again(of(1.0, 2.0)), tf.errors.InvalidArgumentError,
                   "Could not read index 0 twice"),
    "dtype": (lambda: array().write(0, tf.constant(1)).stack(), tf.errors.InvalidArgumentError,
              "TensorArray dtype is float32 but Op is trying to write dtype int32"),
    "shape": (lambda: array().write(0, 1.0).write(1, [1.0, 2.0]).stack(), ValueError,
              "Incompatible shape for value ((2,)), expected (())"),
    "element_shape": (lambda: array(element_shape=[2]).write(0, 1.0).stack(), ValueError,
                      "Incompatible shape for value (()), expected ((2,))"),
    "not alike": (lambda: array(infer_shape=False).write(0, 1.0).write(1, [1.0]).stack(),
                  ValueError, "Shapes of all inputs must match"),
    "not known": (lambda: array().read(0), tf.errors.InvalidArgumentError,
                  "element_shape is not fully defined"),
    "unstack": (lambda: array().unstack([1.0, 2.0, 3.0]).stack(), ValueError,
                "Cannot unstack 3 tensors into a TensorArray of static size 2"),
    "a scalar": (lambda: array().unstack(1.0).size(), tf.errors.InvalidArgumentError, "vector"),
    "lengths": (lambda: array().split([1.0, 2.0, 3.0], [1, 1]).concat(),
                tf.errors.InvalidArgumentError, "sum of lengths is 2"),
    "lengths and size": (lambda: array(3).split([1.0, 2.0], [1, 1]).concat(),
                         tf.errors.InvalidArgumentError, "(3 vs. 2)"),
    "concat": (lambda: of(1.0).concat(), tf.errors.InvalidArgumentError, "Concat saw a scalar"),
    "no size": (lambda: tf.TensorArray(F).size(), ValueError, "`size` must be provided"),
    "float index": (lambda: array().write(0.5, 1.0).stack(), TypeError, "whole numbers"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSES)
def test_refuses(name):
    program, kind, words = REFUSES[name]
    with pytest.raises(kind) as raised:
        program()
    assert words in str(raised.value)
    given, _ = everywhere(program)
    assert issubclass(given, kind)


def dropped(n):
    a = tf.TensorArray(F, 0, dynamic_size=True)
    for i in tf.range(n):
        a.write(i, tf.cast(i, F) * 2)
        if i > 1:
            a.write(i, -1.0)
    return a.stack()


def in_nests(n):
    made = {"a": [tf.TensorArray(N, n), tf.TensorArray(N, n)]}
    i = 0
    while i < n:
        made["a"][0] = made["a"][0].write(i, i)
        made["a"][1].write(n - 1 - i, i)
        i += 1
    return made["a"][0].stack() * 10 + made["a"][1].stack()


def in_calls(n):
    a = tf.TensorArray(N, n)

    def note(k):
        a.write(k, k * k)

    for i in tf.range(n):
        note(i)
    return a.stack()


def chosen(n):
    a, b = tf.TensorArray(N, 2), tf.TensorArray(N, 2)
    c = a if n > 2 else b
    c.write(0, 7)
    a.write(1, 1)
    return a.stack(), b.write(1, 2).stack()


def made_on_both_paths(n):
    if n > 2:
        a = tf.TensorArray(N, 2).write(0, 1)
    else:
        a = tf.TensorArray(N, 2).write(1, 2)
    return a.stack()


def read_in_a_loop(n):
    a = tf.TensorArray(N, n).unstack(tf.range(n))
    total = 0
    for i in tf.range(n):
        total += a.read(i) * 2
    return total


def left_early(n):
    a = tf.TensorArray(N, 0, dynamic_size=True)
    for i in tf.range(n):
        if i == 3:
            break
        a.write(a.size(), i)
    return a.stack(), a.size()


LOOPS = [dropped, in_nests, in_calls, chosen, made_on_both_paths, read_in_a_loop, left_early]


@pytest.mark.parametrize("program", LOOPS)
@pytest.mark.parametrize("n", [2, 5])
def test_in_staged_python(program, n):
    eager = given(lambda: program(tf.constant(n)))
    assert not (isinstance(eager, tuple) and isinstance(eager[0], type)), eager
    assert given(lambda: tf.function(program)(tf.constant(n))) == eager
    with tf.Graph().as_default(), tf.Session() as session:
        holder = tf.placeholder(N, [])
        result = autograph.to_graph(program)(holder)
        found = tf.nest.map_structure(np.asarray, session.run(result, {holder: n}))
        assert tf.nest.map_structure(lambda a: a.tolist(), found) == eager


def test_by_hand():
    def program():
        source = tf.TensorArray(F, 3).unstack([1.0, 2.0, 3.0])

        def body(i, target, total):
            x = source.read(i)
            return i + 1, target.write(i, x * x), total + x

        start = (0, tf.TensorArray(F, 3), 0.0)
        _, target, total = tf.while_loop(lambda i, *_: i < 3, body, start)
        target = tf.cond(total > 5.0, lambda: target.write(0, 100.0), lambda: target)
        return target.stack(), total

    eager = program()
    with tf.Graph().as_default(), tf.Session() as session:
        found = session.run(program())
    for got in (eager, found, tf.function(program, autograph=False)()):
        assert [np.asarray(g).tolist() for g in got] == [[100, 4, 9], 6]


def test_what_a_branch_by_hand_did_is_not_forgotten():
    with tf.Graph().as_default():
        a = tf.TensorArray(F, 1)
        flag = tf.placeholder(tf.bool, [])
        b = tf.cond(flag, lambda: a.write(0, 1.0), lambda: a.write(0, 2.0))
        with tf.Session() as session:
            assert session.run(b.stack(), {flag: False}).tolist() == [2]
        with pytest.raises(EffectError, match="the branch 'false_fn'"):
            a.stack()


def test_in_and_out_of_functions():
    @tf.function
    def fill(a, n):
        for i in tf.range(n):
            a = a.write(i, i)
        return {"a": a, "n": n}

    given = tf.TensorArray(N, 3)
    result = fill(given, tf.constant(3))
    assert result["a"].stack().numpy().tolist() == [0, 1, 2]
    fill(tf.TensorArray(N, 3), tf.constant(2))
    assert fill.experimental_get_tracing_count() == 1
    fill(tf.TensorArray(N, 3, dynamic_size=True), tf.constant(2))
    assert fill.experimental_get_tracing_count() == 2


def test_sessions_hand_them_out():
    with tf.Graph().as_default(), tf.Session() as session:
        found = session.run(of(1.0, 2.0))
    assert found.stack().numpy().tolist() == [1, 2]


def test_shapes_that_are_known():
    @tf.function
    def f(x):
        a = tf.TensorArray(F, 4)
        for i in tf.range(4):
            if x[0, 0] > 0:
                a.write(i, x[0])
            else:
                a.write(i, x[1])
        return a.stack()

    trace = f.get_concrete_function(tf.TensorSpec([2, 3], F))
    assert trace.graph.outputs[0].shape.as_list() == [4, 3]
    assert of(1.0).element_shape.as_list() == []


def test_old_values_keep_their_meaning():
    config = Config(N, True, True, True)
    values = [ArrayValue([None] * 3, 3, TensorShape(None), config)]
    expected = [[None] * 3]
    rng = np.random.RandomState(0)
    for _ in range(300):
        k = rng.randint(len(values))
        index, item = int(rng.randint(6)), int(rng.randint(100))
        values.append(values[k].changed(index, item))
        entries = list(expected[k])
        entries += [None] * (index + 1 - len(entries))
        entries[index] = item
        expected.append(entries)
        k = rng.randint(len(values))
        assert values[k].items() == expected[k]
    assert [v.items() for v in values] == expected


def test_many_writes_cost_no_copies():
    a = tf.TensorArray(N, 20_000, clear_after_read=False)
    for i in range(20_000):
        a.write(i, 1)
    assert tf.reduce_sum(a.stack()).numpy() == 20_000


def test_threads_share_old_values():
    base = ArrayValue(list(range(50)), 50, TensorShape(None), Config(N, False, True, True))
    wrong = []

    def work(seed):
        value = base
        for k in range(200):
            value = value.changed((seed * 7 + k) % 50, seed)
        if value.at((seed * 7 + 199) % 50) != seed or base.items() != list(range(50)):
            wrong.append(seed)

    threads = [threading.Thread(target=work, args=(s,)) for s in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_text():
    a = tf.TensorArray(F, 2, element_shape=[3])
    assert repr(a) == "<TensorArray dtype=float32 element_shape=(3,)>"
    assert (a.dtype, a.dynamic_size, a.flow.dtype) == (F, False, tf.variant)
    assert "tensor array of 2" in repr(a.flow)
    assert a.close() is None
    with pytest.raises(NotImplementedError, match="GradientTape"):
        a.grad("x")


def test_concatenating_nothing_keeps_the_rows_shape():
    def shapes():
        known = tf.TensorArray(F, 0).unstack(tf.zeros([0, 3, 5]))
        return known.stack(), tf.TensorArray(F, 0).unstack(tf.zeros([0, 3, 5])).concat(), (
            tf.TensorArray(F, 0, element_shape=[None]).concat()
        )  # fmt: skip

    for found in (shapes(), tf.function(shapes)()):
        assert [x.numpy().shape for x in found] == [(0, 3, 5), (0, 5), (0,)]
