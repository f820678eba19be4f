"""More programs that can be differentiated: what they carry along is of all kinds."""

from __future__ import annotations

import runtime as tf

V = tf.Variable(1.5, dtype=tf.float64)


def tensor_arrays(x):
    found = tf.TensorArray(tf.float64, size=0, dynamic_size=True)
    for i in tf.range(4):
        found = found.write(i, x * tf.cast(i, tf.float64) * x)
    return tf.reduce_sum(tf.sin(found.stack()))


def read_arrays(xs):
    items = tf.TensorArray(tf.float64, size=3).unstack(xs)
    s = tf.constant(0.0, tf.float64)
    for i in tf.range(3):
        s = s * 0.5 + tf.sin(items.read(i))
    return s


def optionals(x):
    best = None
    for i in tf.range(4):
        c = tf.sin(x * tf.cast(i, tf.float64))
        if best is None or c > best:
            best = c
    return best * x


def asserts_and_raises(x):
    for _ in tf.range(3):
        assert x < 100.0, "too large"
        x = x * x + 0.1
    if x > 50.0:
        raise ValueError("too large")
    return x


def texts_and_integers(x):
    name, n = "a", 0
    while n < 3:
        x = tf.sin(x) + tf.cast(n, tf.float64)
        n += 1
        name = name + "b"
    return x


def variables(x):
    s = x
    for _ in tf.range(3):
        s = s * V
        V.assign_add(0.5)
    result = s * V
    V.assign(1.5)
    return result


def dictionaries(x):
    d = {"a": x, "b": [x * 2.0, x]}
    for _ in tf.range(3):
        d["a"] = tf.sin(d["a"]) * d["b"][0]
        d["b"][0] = d["b"][0] + d["a"]
    return d["a"] + d["b"][0]


class Cell:
    def __init__(self, h):
        self.h = h

    def step(self, y):
        self.h = tf.tanh(self.h * y)
        return self.h


def objects(x, y):
    cell = Cell(x)
    for _ in tf.range(3):
        if cell.step(y) > 0.2:
            y = y * 1.1
    return cell.h * y


def changing_lists(x):
    items = [x]
    for i in tf.range(5):
        items.append(items[-1] * items[0] * 0.7 + tf.cast(i, tf.float64) * 0.1)
        if items[-1] > 2.0:
            items.pop()
    items[0] = x * x
    return items[0] + items[-1] + sum(items[1:3])


def matrices(x):
    h = tf.eye(2, dtype=tf.float64)
    for _ in tf.range(3):
        h = tf.matmul(h, x) + x[:, :1]
        x = x + tf.transpose(h) * 0.1
    return tf.reduce_sum(h * h)


def comprehensions(x):
    return tf.reduce_sum(tf.stack([tf.sin(x * float(k)) for k in range(3)]))


def expressions(x, y):
    z = x if x > y else y * 2.0
    w = (x * x if z > 1.0 else z) if x > 0.0 else y
    return z * w


def numbered_branches(x):
    k = tf.cast(x * 2.0, tf.int32)
    return tf.switch_case(k, [lambda: x * x, lambda: tf.sin(x), lambda: x]) * x


def cases(x):
    pairs = [(x < 0.5, lambda: x * x), (x < 1.0, lambda: tf.exp(x))]
    return tf.case(pairs, default=lambda: x) * x


def adaptive_steps(y, k):
    t, h = 0.0, 0.1
    while t < 1.0:
        first = -k * y
        second = -k * (y + h * first)
        error = tf.abs(h * (second - first) / 2.0)
        if error < 0.01:
            y = y + h * (first + second) / 2.0
            t = t + h
            if t + h > 1.0:
                h = 1.0 - t + 1e-12
        else:
            h = h * 0.5
    return y


def training_step(w, rate):
    def loss(w):
        return tf.reduce_sum((w * w - 2.0) ** 2)

    for _ in tf.range(2):
        with tf.GradientTape() as tape:
            tape.watch(w)
            value = loss(w)
        w = w - rate * tape.gradient(value, w)
    return loss(w)


def tries(x):
    try:
        y = tf.sin(x) * x
        if x > 0.5:
            raise ValueError("large")
        z = y * y
    except ValueError:
        z = x * x * x
    else:
        z = z * x
    return z * x


def tries_in_loops(x, y):
    s = x
    for _ in tf.range(4):
        try:
            if s > 0.9:
                raise KeyError("large")
            s = s * y + tf.sin(s)
        except KeyError:
            s = x * 0.5
    return s


STATE_CASES = [
    (tries, (0.3,)),
    (tries, (0.7,)),
    (tries_in_loops, (0.3, 0.8)),
    (tries_in_loops, (0.95, 0.8)),
    (tensor_arrays, (0.7,)),
    (read_arrays, ([0.3, 0.5, 1.0],)),
    (optionals, (0.8,)),
    (asserts_and_raises, (0.5,)),
    (texts_and_integers, (0.3,)),
    (variables, (0.7,)),
    (dictionaries, (0.6,)),
    (objects, (0.6, 0.9)),
    (changing_lists, (0.9,)),
    (matrices, ([[0.1, 0.2], [0.3, 0.4]],)),
    (comprehensions, (0.5,)),
    (expressions, (0.7, 0.9)),
    (numbered_branches, (0.7,)),
    (cases, (0.7,)),
    (adaptive_steps, (1.0, 0.8)),
    (training_step, ([0.7, 1.9], 0.05)),
]
