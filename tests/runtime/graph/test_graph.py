"""Graphs: recording, names, scopes, symbolic tensors and their refusals."""

import numpy as np
import pytest

import runtime as tf
from runtime import errors


@pytest.fixture
def graph():
    with tf.Graph().as_default() as g:
        yield g


def test_recording_and_names(graph):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = x + x
    z = x + 1.0
    assert str(y) == 'Tensor("add:0", shape=(None, 2), dtype=float32)'
    assert repr(z) == "<tf.Tensor 'add_1:0' shape=(None, 2) dtype=float32>"
    assert [op.type for op in graph.get_operations()] == ["Placeholder", "AddV2", "Const", "AddV2"]
    assert graph.get_tensor_by_name("add_1:0") is z
    assert graph.get_operation_by_name("add").outputs[0] is y
    assert y.op.inputs == (x, x) and x.consumers() == [y.op, z.op]
    assert repr(graph) == "<Graph of 4 operations>"


def test_unknown_names_suggest(graph):
    tf.placeholder(tf.float32, name="features")
    with pytest.raises(KeyError, match="Did you mean 'features'"):
        graph.get_operation_by_name("feature")
    with pytest.raises(ValueError, match="'features:0'"):
        graph.get_tensor_by_name("features")
    with pytest.raises(KeyError, match="has 1 outputs"):
        graph.get_tensor_by_name("features:1")


def test_name_scopes(graph):
    with tf.name_scope("layer") as scope:
        a = tf.constant(1, name="a")
        with tf.name_scope("inner"):
            b = a + a
    with tf.name_scope("layer"):
        c = tf.constant(1, name="a")
    with tf.name_scope(scope):
        d = tf.constant(1, name="a")
    assert scope == "layer/"
    assert [t.name for t in (a, b, c, d)] == [
        "layer/a:0", "layer/inner/add:0", "layer_1/a:0", "layer/a_1:0",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="not a valid"):
        tf.constant(1, name="a b")


def test_inference(graph):
    a = tf.placeholder(tf.float32, [None, 3])
    b = tf.placeholder(tf.float32, [3, 4])
    assert tf.matmul(a, b).shape == [None, 4]
    assert tf.reduce_sum(a, axis=1).shape == [None]
    assert tf.reduce_sum(a, keepdims=True).shape == [1, 1]
    assert (a + tf.placeholder(tf.float32)).shape.rank is None
    assert (a < 1.0).dtype is tf.bool
    assert tf.stack([a, a], axis=1).shape == [None, 2, 3]
    with pytest.raises(errors.InvalidArgumentError, match="inner dimensions.* 4 and 3"):
        tf.matmul(b, b)
    with pytest.raises(ValueError, match="Incompatible shapes"):
        a + tf.constant([1.0, 2.0])
    with pytest.raises(errors.InvalidArgumentError, match="out of range for a tensor of rank 2"):
        tf.reduce_sum(a, axis=2)
    with pytest.raises(TypeError, match="runtime.cast"):
        a + tf.constant(1)


def test_placeholder_needs_a_graph():
    with pytest.raises(RuntimeError, match="not compatible with eager execution"):
        tf.placeholder(tf.float32)
    assert tf.placeholder_with_default(3, []).numpy() == 3


@pytest.mark.parametrize(
    ("use", "error", "text"),
    [
        (bool, TypeError, "(?s)symbolic tensor as a Python bool.*autograph.to_graph"),
        (int, NotImplementedError, "symbolic"),
        (float, NotImplementedError, "symbolic"),
        (iter, TypeError, "known first dimension"),
        (len, TypeError, r"runtime\.shape\(x\)\[0\]"),
        (np.asarray, NotImplementedError, "NumPy array"),
        (lambda t: np.add(t, 1), NotImplementedError, "NumPy array"),
        (lambda t: range(t), TypeError, "Python index"),
        (lambda t: t.numpy(), AttributeError, "only available on eager"),
        (lambda t: f"{t:d}", TypeError, "symbolic"),
    ],
)
def test_symbolic_tensors_have_no_value(graph, use, error, text):
    t = tf.placeholder(tf.float32, [None])
    with pytest.raises(error, match=text) as caught:
        use(t)
    if "eager" not in text and error is not TypeError:
        assert __file__ in str(caught.value)  # where the tensor was made


def test_iteration_with_known_length(graph):
    a, b = tf.constant([1, 2])
    assert a.name == "unstack:0" and b.name == "unstack:1"


def test_eager_tensors_become_constants_once():
    t = tf.constant(2.0)
    with tf.Graph().as_default() as g:
        x = tf.placeholder(tf.float32)
        y = x * t + t
        assert len([op for op in g.operations if op.type == "Const"]) == 1
        assert y.eval({x: 3.0}, tf.Session()) == 8.0


def test_operations_on_symbolic_tensors_go_to_their_graph():
    g, other = tf.Graph(), tf.Graph()
    with g.as_default():
        x = tf.placeholder(tf.float32)
    assert (x + 1.0).graph is g
    with other.as_default():
        assert (x + 1.0).graph is g
        y = tf.constant(1.0)
        with pytest.raises(ValueError, match="must be from the same graph"):
            x + y


def test_other_inputs_are_resolved_in_the_graph_that_records():
    class Late:
        graphs = []

    def convert(value, dtype=None, name=None, as_ref=False):
        Late.graphs.append(tf.get_default_graph())
        return tf.constant(1.0)

    tf.register_tensor_conversion_function(Late, convert)
    g = tf.Graph()
    with g.as_default():
        x = tf.placeholder(tf.float32)
    Late() + x
    with tf.Graph().as_default():
        assert (x + Late()).graph is g
    assert tf.stack([x, Late()]).graph is g
    assert Late.graphs[:2] == [g, g]


def test_control_dependencies(graph):
    a = tf.constant(1)
    with tf.control_dependencies([a]):
        b = a + 1
        with tf.control_dependencies([b]):
            c = a + 2
        with tf.control_dependencies(None):
            d = a + 3
    assert b.op.control_inputs == [a.op]
    assert c.op.control_inputs == [a.op, b.op]
    assert d.op.control_inputs == []


def test_finalize(graph):
    graph.finalize()
    with pytest.raises(RuntimeError, match="finalized"):
        tf.constant(1)


def test_collections(graph):
    graph.add_to_collection("losses", 1)
    graph.add_to_collections(["losses", "all"], 2)
    assert graph.get_collection("losses") == [1, 2] and graph.get_collection("none") == []
    graph.get_collection_ref("all").clear()
    assert graph.get_collection("all") == []


def test_default_graph():
    tf.reset_default_graph()
    default = tf.get_default_graph()
    assert tf.get_default_graph() is default
    with tf.Graph().as_default() as g:
        assert tf.get_default_graph() is g and not tf.executing_eagerly()
        with pytest.raises(AssertionError, match="nested graphs"):
            tf.reset_default_graph()
    assert tf.executing_eagerly()
    tf.reset_default_graph()
    assert tf.get_default_graph() is not default


def test_location_is_the_users_line(graph):
    x = tf.placeholder(tf.float32) + 1.0
    assert x.op.location.file == __file__
    lines = open(__file__).read().splitlines()
    assert "tf.placeholder(tf.float32) + 1.0" in lines[x.op.location.line - 1]


def test_hash_by_identity_in_plain_graphs(graph):
    x = tf.placeholder(tf.float32)
    y = tf.placeholder(tf.float32)
    assert {x: 1, y: 2}[y] == 2


def test_set_shape(graph):
    x = tf.placeholder(tf.float32)
    x.set_shape([None, 3])
    assert x.shape == [None, 3]
    with pytest.raises(ValueError, match="incompatible"):
        x.set_shape([2])


def test_device_is_noted(graph):
    with tf.device("/gpu:0"):
        assert tf.constant(1).device == "/device:GPU:0"
    assert tf.constant(1).device == ""
