"""Concrete functions: which trace is handed out, under which names, and what its graph knows."""

import dataclasses
import gc
import weakref

import runtime as tf


def names(concrete):
    return [tensor.op.name for tensor in concrete.inputs]


def test_named_specs_name_the_inputs_also_of_what_was_traced_before():
    @tf.function
    def product(pair):
        return tf.matmul(pair["a"], pair["b"])

    square = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    product({"a": square, "b": square})
    specs = {k: tf.TensorSpec([2, 2], tf.float32, name) for k, name in [("a", "p"), ("b", "q")]}
    named = product.get_concrete_function(specs)
    assert names(named) == ["p", "q"]
    assert named(p=square, q=square).numpy().tolist() == [[7.0, 10.0], [15.0, 22.0]]
    (signature,), _ = named.structured_input_signature
    assert [signature[k].name for k in "ab"] == ["p", "q"]
    assert product.get_concrete_function(specs) is named
    assert product.experimental_get_tracing_count() == 2


def test_without_names_any_trace_will_do():
    f = tf.function(lambda x: x)
    named = f.get_concrete_function(tf.TensorSpec(None, tf.float32, "y"))
    assert f.get_concrete_function(tf.TensorSpec(None, tf.float32)) is named
    other = f.get_concrete_function(tf.TensorSpec(None, tf.float32, "z"))
    assert names(other) == ["z"]


def test_an_input_signature_names_the_inputs_of_calls_too():
    class Layer:
        @tf.function(input_signature=[tf.TensorSpec(None, tf.float64, name="y")])
        def call(self, x, *more):
            return x

    layer = Layer()
    layer.call(tf.ones([], tf.float64))
    assert names(layer.call.get_concrete_function()) == ["y"]


def test_a_wider_trace_is_handed_out_where_it_fits():
    f = tf.function(lambda x: x)
    wide = f.get_concrete_function(tf.TensorSpec([None], tf.int32))
    assert f.get_concrete_function(tf.constant([1, 2])) is wide
    assert f.get_concrete_function(tf.constant([[1, 2]])) is not wide


def test_its_graph_knows_variables_results_and_the_graph_around():
    v, w = tf.Variable(1.0), tf.Variable(2.0, trainable=False)

    @tf.function
    def inner():
        return {"sum": v + w}

    @tf.function
    def outer():
        concrete = inner.get_concrete_function()
        assert concrete.graph.outer_graph is tf.get_default_graph()
        return concrete()["sum"]

    assert outer().numpy() == 3.0
    inner.clear_cache()
    graph = inner.get_concrete_function().graph
    assert graph.outer_graph is None
    assert [x is y for x, y in zip(graph.variables, (v, w), strict=True)] == [True, True]
    assert len(graph.trainable_variables) == 1
    assert graph.trainable_variables[0] is v
    assert list(graph.structured_outputs) == ["sum"]


def test_collections_are_read_from_the_graph_around_and_stay_in_the_function():
    with tf.Graph().as_default(), tf.Session() as session:
        tf.add_to_collection("numbers", 2)

        @tf.function
        def doubled():
            tf.add_to_collection("numbers", 5)
            tf.get_collection_ref("others").append(1)
            v = tf.get_variable("v", initializer=4)
            assert [x is v for x in tf.global_variables()] == [True]
            return tf.constant(sum(tf.get_collection("numbers"))) * v

        with tf.variable_scope("", reuse=tf.AUTO_REUSE):
            result = doubled()
        session.run(tf.global_variables_initializer())
        assert session.run(result) == 28
        assert tf.get_collection("numbers") == [2]
        assert tf.get_collection("others") == []


@dataclasses.dataclass
class Masked:
    """Takes itself apart, with a list among what is no tensor."""

    masks: list
    value: object

    def __tf_flatten__(self):
        return (self.masks,), (self.value,)

    @classmethod
    def __tf_unflatten__(cls, metadata, leaves):
        return cls(metadata[0], leaves[0])


def test_composites_count_by_what_they_hold_besides_tensors():
    f = tf.function(lambda x: Masked([*x.masks, True], x.value * 2))
    assert f(Masked([False], tf.constant(3))).masks == [False, True]
    assert f(Masked([False], tf.constant(4))).value.numpy() == 8
    assert f(Masked([], tf.constant(4))).masks == [True]
    assert f.experimental_get_tracing_count() == 2


def test_clear_cache_starts_anew():
    class Model:
        def __init__(self):
            self.v = None

        @tf.function
        def call(self, x):
            if self.v is None:
                self.v = tf.Variable(1.0)
            return x * self.v

    model, other = Model(), Model()
    assert model.call(2.0).numpy() == other.call(2.0).numpy() == 2.0
    model.call.clear_cache()
    model.v = None
    assert model.call.experimental_get_tracing_count() == 0
    assert model.call(3.0).numpy() == 3.0
    Model.call.clear_cache()
    for each in (model, other):
        assert each.call.experimental_get_tracing_count() == 0
        assert each.call.cache_info().misses == 0


def test_a_trace_that_uses_nothing_of_a_graph_does_not_keep_it():
    f = tf.function(lambda x: tf.reduce_sum(x * x))
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [2])
        (slope,) = tf.gradients(f(x), x)
        assert session.run(slope, {x: [1.0, 2.0]}).tolist() == [2.0, 4.0]
        trace = f.get_concrete_function(x)
        assert trace.graph.outer_graph is graph
    gone = weakref.ref(graph)
    del graph, session, x, slope
    gc.collect()
    assert gone() is None and trace.graph.outer_graph is None
    x = tf.constant([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert tape.gradient(y, x).numpy().tolist() == [6.0, 8.0]
    assert f.experimental_get_tracing_count() == 1


def test_what_composites_hold_counts_by_type_and_value():
    f = tf.function(lambda m: m.value * (10 if m.masks[0] is True else 1))
    assert [f(Masked([flag], tf.constant(3))).numpy() for flag in (1, True, 1)] == [3, 30, 3]
