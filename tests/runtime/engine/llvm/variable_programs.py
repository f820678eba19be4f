"""Programs with variables for test_native_variables.py: what they leave is compared, too.

Each is called with ``v``, a float, ``k``, an int32, ``w``, three floats, and an int.
"""

import runtime as tf

SEEN = []
"""What Python functions in the programs were called with."""


def note(*values):
    """Note the values of a variable that Python code sees."""
    SEEN.append([value.numpy().tolist() for value in values])


def counters(v, k, w, n):
    for i in tf.range(n):
        v.assign_add(0.25)
        if i % 3 == 0:
            k.assign_add(i)
        elif v > 1.0:
            k.assign(k - 2)
            v.assign(v * 0.5)
        else:
            w.assign_sub(v * w)
    return v + tf.cast(k, tf.float32)


def old_values(v, k, w, n):
    before, row = v.read_value(), w.read_value()
    first = row[0]
    for _ in tf.range(n):
        v.assign_add(1.0)
        w.assign_sub(w * 0.5)
    w.assign_add(row)
    return before, v.read_value(), row, first, row[1] + w[1]


def halves(v, k, w, n):
    for _ in tf.range(n):
        w.assign(w * 0.5 + row_of(w))
        if tf.reduce_sum(w) < 1.0:
            w.assign_add([1.0, 2.0, 3.0])
    return tf.reduce_sum(w)


def row_of(w):
    return tf.reverse(w, [0]) * 0.25


def fails_at(v, k, w, n):
    for i in tf.range(10):
        k.assign_add(1)
        w.assign_add([1.0, 1.0, 1.0])
        tf.debugging.assert_less(i, n, message="too many")
        v.assign_add(tf.cast(12 // (n - 1 - i), tf.float32))
    return v + 0.0


def fails_in_python(v, k, w, n):
    while k < 100:
        k.assign_add(1)
        v.assign_sub(0.5)
        tf.py_function(refuse, [k, n], [])
        w.assign(w + v)
    return w + 0.0


def refuse(k, n):
    if k > n:
        raise ValueError(f"{k.numpy()} is too many")


def caught(v, k, w, n):
    for i in tf.range(4):
        try:
            k.assign_add(1)
            v.assign_add(tf.cast(6 // (n - i), tf.float32))
            k.assign_add(1)
        except ZeroDivisionError:
            v.assign(-v)
            w.assign_sub(w)
    return v + tf.cast(k, tf.float32)


def shown(v, k, w, n):
    for i in tf.range(n):
        v.assign_add(1.5)
        w.assign_sub(v + tf.zeros(3))
        if i % 2 == 1:
            tf.print("v", v, "k", k, "w", w)
        k.assign_add(1)
        tf.py_function(note, [v.read_value(), k.read_value(), w.read_value()], [])
    return v + 0.0


def changed_by_python(v, k, w, n):
    def change():
        v.assign(v.numpy() * 2.0 if tf.executing_eagerly() else 0.0)
        w.assign_add([1.0, 1.0, 1.0])

    for _ in tf.range(n):
        v.assign_add(1.0)
        w.assign_sub([0.5, 0.5, 0.5])
        tf.py_function(change, [], [])
        v.assign_add(w[0])
        w.assign(w + v)
    return v + 0.0


def step(v, w):
    v.assign_sub(0.125)
    w.assign_add(v * tf.ones(3))
    return w[1]


def in_functions(v, k, w, n):
    inner = tf.function(step)
    total = inner(v, w)
    for _ in tf.range(n):
        total = total * 0.5 + inner(v, w)
    return total


def recursive(v, k, w, n):
    def down(m):
        v.assign_add(1.0)
        if m > 0:
            k.assign_sub(m)
            down(m - 1)
            v.assign(v * 1.5)
            w.assign_add([0.0, v, 1.0])

    down(n)
    return v + 0.0


def shared(v, k, w, n):
    x = w * 2.0
    w.assign(x)
    u = x + 1.0
    for _ in tf.range(n):
        w.assign_add(x)
        v.assign(w[0])
    return x, u, w.read_value()


def counted(v, k, w, n):
    total = 0
    for _ in tf.range(n):
        total += k.count_up_to(6)
        w.scatter_nd_add([[1]], [1.0])
        w[0].assign(v)
    return total


def two_names(v, k, w, n):
    x = tf.linspace(0.0, 1.0, 3)
    w.assign(x)
    y = w.assign_add(x) + 0.0
    z = w.assign_sub(x) + 0.0
    return x, y, z


def sums_alone(v, k, w, n):
    for _ in tf.range(n):
        w.assign_add(tf.cast(n, tf.float32) * tf.ones(3))


def elements(v, k, w, n):
    before = w.read_value()
    for i in tf.range(n):
        w[i % 3].assign(w[i % 2] * 0.5 + v)
        w[-1].assign(w[i % 3] + 1.0)
        row = w.read_value()
        k.assign_add(tf.cast(row[2], tf.int32))
    w[n - 2].assign(9.0)
    return before[0] + w[0], before


def elements_beyond(v, k, w, n):
    for i in tf.range(n):
        k.assign_add(1)
        w[i].assign(v)
        v.assign_add(1.0)
    return v + 0.0


def widths(v, k, w, n):
    for _ in tf.range(n):
        k.assign_add(2_000_000_000)
        v.assign(v * 1e30)
        v.assign_sub(v)
    return k + 1


PROGRAMS = (
    counters, old_values, halves, fails_at, fails_in_python, caught, shown, changed_by_python,
    in_functions, recursive, shared, counted, two_names, sums_alone, elements,
    elements_beyond, widths,
)  # fmt: skip
NATIVE = (counters, old_values, halves, in_functions, shared, two_names, elements, widths)
"""Programs that call no kernel in loops."""
