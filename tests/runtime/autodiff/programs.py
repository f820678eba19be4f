"""Programs that can be differentiated, with control flow of all kinds; float64 arguments.

Each is compared, with its derivatives of higher order, every way (``ways.py``).
"""

from __future__ import annotations

import numpy as np

import runtime as tf


def straight(x, y):
    return tf.sin(x) * y + tf.exp(-x * x) / (1.0 + y * y)


def broadcast(x, w):
    return tf.reduce_sum(tf.tanh(w * x + x[0]))


def branches(x, y):
    if x > 1.0:
        z = tf.sin(x) * x
        if y > 0.0:
            z = z * y
    else:
        z = x * y
    return z * x


def grows(x, y):
    s = x
    while s < 10.0:
        s = s * y + x
    return s


def over_items(x, w):
    s = 0.0
    for v in x:
        if v > 0.0:
            s = s + v * tf.sin(w * v)
        else:
            s = s * w
    return s


def leaves_early(x):
    turns = 0
    while True:
        x = x * x * 0.9
        turns += 1
        if x < 0.1:
            break
        if turns > 7:
            return x * 2.0
    return x + tf.cos(x)


def lists(x):
    r = []
    for i in tf.range(4):
        r.append(x * x + tf.cast(i, tf.float64))
    t = tf.constant(0.0, tf.float64)
    while len(r) > 1:
        t = t + tf.sin(r.pop()) * r[0]
    return t


def nested(x):
    for i in tf.range(3):
        for j in tf.range(i + 1):
            x = tf.sin(x) * x + tf.cast(j, tf.float64) * 0.1
    return x


def mapped(x):
    return tf.reduce_sum(tf.map_fn(lambda v: v * v * x[0], x))


def scanned(x):
    return tf.reduce_sum(tf.scan(lambda a, v: tf.sin(a) * v, x, tf.constant(0.4, tf.float64)))


def folded(x):
    return tf.foldl(lambda a, v: tf.sin(a) * v, x, tf.constant(0.4, tf.float64))


def newton(a):
    x = a
    for _ in tf.range(20):
        new = 0.5 * (x + a / x)
        if tf.abs(new - x) < 1e-6:
            return new
        x = new
    return x


def power(x, n):
    if n < 0.5:
        return x * 0.0 + 1.0
    return tf.sin(x) * power(x * 1.1, n - 1.0)


def fibonacci(x, n):
    if n < 1.5:
        return tf.sin(x * n)
    return fibonacci(x, n - 1.0) * x + fibonacci(x, n - 2.0)


def even(x, n):
    if n < 0.5:
        return x
    return odd(x * x, n - 1.0) * 2.0


def odd(x, n):
    if n < 0.5:
        return -x
    return even(tf.sin(x), n - 1.0) + x


CASES = [
    (straight, (0.3, -1.2)),
    (broadcast, ([0.5, -1.0, 2.0], 0.7)),
    (branches, (1.5, 2.0)),
    (branches, (1.5, -2.0)),
    (branches, (0.5, 1.0)),
    (grows, (1.0, 1.5)),
    (over_items, ([1.0, -2.0, 0.5], 0.7)),
    (leaves_early, (1.02,)),
    (lists, (0.3,)),
    (nested, (0.8,)),
    (mapped, ([1.0, -2.0, 0.5],)),
    (scanned, ([1.0, -2.0, 0.5],)),
    (folded, ([1.0, -2.0, 0.5],)),
    (newton, (2.0,)),
    (power, (0.7, 3.0)),
    (fibonacci, (0.7, 3.0)),
    (even, (0.7, 4.0)),
]


THRICE = {straight, branches, grows, leaves_early, lists, nested, power}
"""Programs that are taken to the third order, too."""


def arguments(args):
    """The arguments as eager tensors of dtype float64."""
    return [tf.constant(np.array(a, np.float64)) for a in args]
