"""Programs on two tasks: each makes a graph and returns its runs, pairs of fetches and feeds."""

from __future__ import annotations

import numpy as np

import runtime.compat.v1 as tf

W0, W1 = "/job:worker/task:0", "/job:worker/task:1"
ROWS = np.random.default_rng(0).normal(size=(6, 4)).astype("float32")


def chain():
    x = tf.placeholder(tf.float32, [None, 4])
    with tf.device(W0):
        h = tf.tanh(x) * 2.0
    with tf.device(W1):
        y = tf.matmul(h, tf.ones([4, 3]))
    with tf.device(W0):
        z = tf.reduce_sum(y, axis=0) + h[0, 0]
    return [((z, y), {x: ROWS}), ({"z": [z]}, {x: ROWS[:2]}), (z, {h: ROWS})]


def variables():
    with tf.device(W0):
        v = tf.Variable([1.0, 2.0])
    with tf.device(W1):
        w = tf.Variable(v.initialized_value() * 3.0)
        total = v.assign_add(w)
    with tf.device(W0):
        after = w.assign(total + v)
    init = tf.global_variables_initializer()
    return [(init, {}), ([v, w], {}), (total, {}), ([after, total], {}), ([v, w], {})]


def trained(make):
    def program():
        x = tf.placeholder(tf.float32, [None, 4])
        with tf.device(W0):
            w = tf.Variable(np.full([4, 5], 0.1, "float32"))
            h = tf.nn.sigmoid(tf.matmul(x, w))
        with tf.device(W1):
            b = tf.Variable(tf.ones([5, 1]))
            loss = tf.reduce_mean(tf.square(tf.matmul(h, b) - x[:, :1]))
        step = make().minimize(loss, global_step=tf.train.get_or_create_global_step())
        init = tf.global_variables_initializer()
        return [(init, {}), *[((loss, step), {x: ROWS})] * 6, (tf.global_variables(), {})]

    return program


def condition():
    x = tf.placeholder(tf.float32, [])
    with tf.device(W0):
        v = tf.Variable(1.0)
        limit = x * 2.0
    with tf.device(W1):
        y = tf.cond(x > 1.0, lambda: limit + 1.0, lambda: tf.exp(limit) * v)
    init = tf.global_variables_initializer()
    return [(init, {}), ((y, limit), {x: 0.5}), (y, {x: 3.0})]


def loop():
    n = tf.placeholder(tf.int32, [])
    with tf.device(W0):
        start = tf.cast(n, tf.float32) / 3.0
    with tf.device(W1):
        _, total = tf.while_loop(lambda i, t: i < n, lambda i, t: (i + 1, t * 0.5 + start),
                                 [0, start])  # fmt: skip
    with tf.device(W0):
        result = total - start
    return [((result, tf.gradients(result, start)), {n: 7})]


def loop_that_reads():
    with tf.device(W0):
        w = tf.Variable([[0.5, 0.1], [0.2, 0.3]])
    with tf.device(W1):
        _, x = tf.while_loop(lambda i, x: i < 5, lambda i, x: (i + 1, tf.tanh(tf.matmul(x, w))),
                             [0, tf.ones([1, 2])])  # fmt: skip
        loss = tf.reduce_sum(x)
    step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    init = tf.global_variables_initializer()
    return [(init, {}), *[((loss, step), {})] * 3, ((w, x), {})]


def loop_that_writes():
    with tf.device(W1):
        v = tf.Variable(0)

        def body(i):
            with tf.control_dependencies([v.assign_add(i)]):
                return i + 1

        last = tf.while_loop(lambda i: i < 6, body, [0])
    init = tf.global_variables_initializer()
    return [(init, {}), (last, {}), (v, {})]


def random_of_graph_seed():
    tf.set_random_seed(3)
    draws = []
    for k in range(6):
        with tf.device((W0, W1)[k % 2]):
            draws.append(tf.random_normal([3]) if k % 3 else tf.random_uniform([2]))
    return [(draws, {}), (draws[1:4], {}), (draws, {})]


def random_of_op_seeds():
    with tf.device(W0):
        a = tf.random_uniform([4], seed=5)
    with tf.device(W1):
        b = tf.random_uniform([4], seed=5)
        w = tf.Variable(tf.truncated_normal([2, 2], seed=9))
    init = tf.global_variables_initializer()
    return [(init, {}), ((a, b, w), {}), ((b, a), {})]


def strings():
    x = tf.placeholder(tf.string, [None])
    with tf.device(W0):
        parts = tf.strings.join([x, tf.constant(["!", "?", ""])])
    with tf.device(W1):
        lengths = tf.strings.length(parts)
        text = tf.strings.reduce_join(parts, separator="-")
    return [((parts, lengths, text), {x: np.array(["a", "bc", "d\u00e9"], object)})]


def ragged():
    with tf.device(W0):
        rows = tf.ragged.constant([[1.0, 2.0], [], [3.0]])
        doubled = rows * 2.0
    with tf.device(W1):
        sums = tf.reduce_sum(doubled, axis=1)
    return [((doubled.flat_values, sums), {})]


def order_of_effects():
    with tf.device(W0):
        v = tf.Variable(1.0)
    with tf.device(W1):
        first = v + 0.0
        with tf.control_dependencies([first]):
            write = v.assign(5.0)
        with tf.control_dependencies([write]):
            second = v.read_value() * 2.0
        with tf.control_dependencies([second]):
            third = v.assign_add(second)
    init = tf.global_variables_initializer()
    return [(init, {}), ((first, second, third), {}), (v, {}), ((third, first), {})]


def function_call():
    @tf.function
    def scaled(x, k):
        return tf.reduce_sum(x) * k if k > 1.0 else k

    with tf.device(W0):
        a = scaled(tf.constant([1.0, 2.0]), tf.constant(3.0))
    with tf.device(W1):
        b = scaled(tf.constant([1.0, 2.0]) + a, tf.constant(0.5))
    return [((a, b), {})]


def embedding():
    ids = tf.placeholder(tf.int32, [None])
    with tf.device(W0):
        table = tf.Variable(np.arange(20, dtype="float32").reshape(10, 2))
        rows = tf.gather(table, ids)
    with tf.device(W1):
        loss = tf.reduce_sum(tf.square(rows))
    step = tf.train.AdagradOptimizer(0.3).minimize(loss)
    init = tf.global_variables_initializer()
    return [(init, {}), *[((loss, step), {ids: [1, 3, 3]})] * 2, (table, {})]


def mapped():
    with tf.device(W0):
        x = tf.constant(ROWS) * 2.0
    with tf.device(W1):
        y = tf.map_fn(lambda row: tf.cumsum(row), x)
    return [((y, tf.gradients(y, x)), {})]


def python_functions():
    scale = 3.0

    def scaled(x):
        return np.asarray(x * scale, "float32")

    with tf.device(W0):
        x = tf.constant(ROWS)
    with tf.device(W1):
        y = tf.py_func(scaled, [x], tf.float32)
    return [(y, {})]


def large_values():
    with tf.device(W0):
        x = tf.reshape(tf.range(200_000, dtype=tf.float64), [1000, 200])
    with tf.device(W1):
        y = tf.sqrt(x)
        narrow = tf.reduce_max(y, axis=1)
    with tf.device(W0):
        z = tf.reduce_sum(x - y * y)
    return [((z, narrow), {}), ((x[3], y, z), {})]


def dtypes():
    with tf.device(W0):
        c = tf.complex([1.0, 2.0], [0.5, 1.0])
        i = tf.constant([2**40, -3], tf.int64)
        f = tf.constant([True, False])
        u = tf.constant([250, 3], tf.uint8)
    with tf.device(W1):
        return [((c * c, i // 7, tf.logical_not(f), u + u, tf.cast(i, tf.float16)), {})]


def batch_norm():
    x = tf.placeholder(tf.float32, [None, 4])
    with tf.device(W0):
        h = tf.layers.batch_normalization(x, training=True)
    with tf.device(W1):
        y = tf.layers.dense(h, 2, kernel_initializer=tf.constant_initializer(0.3))
        loss = tf.reduce_mean(y * y)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        step = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    init = tf.global_variables_initializer()
    return [(init, {}), *[((loss, step), {x: ROWS})] * 3, (tf.global_variables(), {})]


def queue():
    with tf.device(W0):
        q = tf.FIFOQueue(10, [tf.float32], shapes=[[2]])
        put = q.enqueue_many([tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])])
    with tf.device(W1):
        item = q.dequeue() * 10.0
        size = q.size()
    return [(put, {}), (item, {}), (size, {}), (item, {})]


def lookup():
    with tf.device(W1):
        table = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1
        )
        found = table.lookup(tf.constant(["b", "c"]))
    with tf.device(W0):
        result = found * 2
    return [(tf.tables_initializer(), {}), (result, {})]


def unplaced():
    x = tf.placeholder(tf.float32, [2])
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    with tf.device(W1):
        y = v * x
    init = tf.global_variables_initializer()
    return [(init, {}), ((y, v.assign_add(y)), {x: [1.0, 3.0]}), (v, {})]


PROGRAMS = {
    f.__name__: f for f in (
        chain, variables, condition, loop, loop_that_reads, loop_that_writes, random_of_graph_seed,
        random_of_op_seeds, strings, ragged, order_of_effects, function_call, embedding, mapped,
        python_functions, large_values, dtypes, batch_norm, queue, lookup, unplaced,
    )
}  # fmt: skip
PROGRAMS["gradient descent"] = trained(lambda: tf.train.GradientDescentOptimizer(0.2))
PROGRAMS["Adam"] = trained(lambda: tf.train.AdamOptimizer(0.05))


def results(program, target):
    """What the runs of a program give in a session."""
    with tf.Graph().as_default():
        runs = program()
        with tf.Session(target) as session:
            return [session.run(fetches, feeds) for fetches, feeds in runs]
