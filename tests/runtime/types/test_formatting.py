"""The text of graphs."""

import runtime as tf
from runtime.graph.func_graph import FuncGraph


def test_one_line_per_operation():
    with tf.Graph().as_default() as g:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        y = tf.reduce_sum(x + 1.5, axis=1)
        with tf.control_dependencies([y]):
            tf.unstack(y, num=2)
            tf.placeholder(tf.int32, name="n")
    assert str(g) == (
        "x = placeholder() : float32[?, 2]\n"
        "Const = constant(value=1.5) : float32[]\n"
        "add = add(x, Const) : float32[?, 2]\n"
        "Sum = reduce_sum(add, axis=1, keepdims=False) : float32[?]\n"
        "unstack = unstack(Sum, num=2, axis=0) : float32[], float32[] after Sum\n"
        "n = placeholder() : int32[*] after Sum\n"
    )


def test_subgraphs():
    with tf.Graph().as_default():
        k = tf.constant(2.0, name="k")
        body = FuncGraph("body")
        with body.as_default():
            i = body.add_input(tf.TensorSpec([], tf.int64, "i"), weak=True)
            body.set_outputs([k * i])
    assert str(body) == (
        "body(i: int64~[], input: float32[]):\n"
        "  Cast = strengthen(i, dtype=float32) : float32[]\n"
        "  mul = multiply(input, Cast) : float32[]\n"
        "  return mul\n"
    )
