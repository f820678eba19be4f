"""GraphDefs: what a graph was described as is recorded again, under other names and with others."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf


def loop(x, n):
    total = x
    while n > 0:
        total = total * 2.0 if tf.reduce_sum(total) < 100.0 else total + x
        n -= 1
    return total


@pytest.fixture
def described():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None], name="x")
        n = tf.placeholder(tf.int32, [], name="n")
        v = tf.Variable([1.0], name="v")
        with tf.control_dependencies([v.assign_add([1.0])]):
            y = tf.identity(v.read_value() + x, name="y")
        tf.split(tf.autograph.to_graph(loop)(y, n), 2, name="parts")
    return graph.as_graph_def()


def values_of(x, n):
    (one, other) = tf.split(loop(tf.constant(x) + 2.0, tf.constant(n)), 2)
    return one.numpy().tolist(), other.numpy().tolist()


@pytest.mark.parametrize("written", [False, True])
def test_a_graph_is_recorded_in_another(described, written):
    if written:
        described = tf.GraphDef.FromString(described.SerializeToString())
    with tf.Graph().as_default() as graph:
        tf.constant(1, name="import/x")
        mine = tf.placeholder(tf.float32, [None], name="mine")
        first, second, n, init = tf.import_graph_def(
            described, {"x:0": mine}, ["parts:0", "parts:1", "n:0", "v/Assign"], name="copy"
        )
        assert first.name == "copy/parts:0" and init.name == "copy/v/Assign"
        again = tf.import_graph_def(described, return_elements=["y"])
        assert again[0].name == "import_1/y"
        with tf.Session() as session:
            session.run(init)
            found = session.run([first, second], {mine: [1.0, 30.0], n: 5})
    wanted = values_of(np.array([1.0, 30.0], np.float32), 5)
    assert [part.tolist() for part in found] == list(wanted)
    assert "copy/while" in [operation.name for operation in graph.get_operations()]


def test_the_text_reads_well_and_comes_back(described):
    text = described.SerializeToString().decode()
    assert "\nn = placeholder() : int32[]\n" in text
    assert "\n    test_graph: test(" in text or "\n  test_graph: test(" in text
    again = tf.GraphDef()
    assert again.ParseFromString(text.encode()) == len(text)
    assert again.SerializeToString().decode() == text
    with pytest.raises(tf.errors.InvalidArgumentError, match="graph text, line 1: there is no op"):
        tf.GraphDef.FromString(b"x = nothing() : int32[]")
    with pytest.raises(tf.errors.InvalidArgumentError, match="these bytes are no text"):
        tf.GraphDef.FromString(b"x = placeholder() : int32[]\xff")


def test_what_cannot_be_recorded_is_refused_and_leaves_the_graph(described):
    with tf.Graph().as_default() as graph:
        for arguments, text in (
            ({"input_map": {"z:0": 1.0}}, r"were not found in graph_def: \['z'\]"),
            ({"return_elements": ["z"]}, "return_element 'z' not found in graph_def"),
            ({"input_map": {"x": tf.constant(["a"], name="text")}}, "of the types float32, string"),
        ):
            before = len(graph.get_operations())
            with pytest.raises(ValueError, match=text):
                tf.import_graph_def(described, **arguments)
            assert len(graph.get_operations()) == before
        tf.import_graph_def(described, name="")
        with pytest.raises(ValueError, match="the graph has an operation 'x' already"):
            tf.import_graph_def(described, name="")
        with pytest.raises(TypeError, match="must be a GraphDef"):
            tf.import_graph_def(graph)
        bad = tf.GraphDef(node=[tf.NodeDef(name="a", op="Nothing")])
        with pytest.raises(ValueError, match="the op 'Nothing', which is not known"):
            tf.import_graph_def(bad)


def test_nodes_that_are_changed_or_written_by_hand():
    nodes = [
        tf.NodeDef(name="a", op="Placeholder", attr={"dtype": tf.float32, "shape": [2]}),
        tf.NodeDef(name="b", op="Exp", input=["a"]),
    ]
    with tf.Graph().as_default():
        (a, b) = tf.import_graph_def(tf.GraphDef(node=nodes), return_elements=["a:0", "b:0"])
        assert b.shape == [2]
        assert tf.Session().run(b, {a: [0.0, 1.0]}).tolist() == np.exp(np.float32([0, 1])).tolist()


def test_python_functions_stay_in_the_process():
    with tf.Graph().as_default() as graph:
        tf.py_function(lambda x: x + 1.0, [tf.constant(1.0)], tf.float32, name="call")
    with tf.Graph().as_default():
        (y,) = tf.import_graph_def(graph.as_graph_def(), return_elements=["call:0"])
        assert tf.Session().run(y) == 2.0
    text = graph.as_graph_def().SerializeToString()
    with pytest.raises(tf.errors.InvalidArgumentError, match="line 2: @.* is not given"):
        tf.GraphDef.FromString(text)
