"""Parts of graphs: layers, gradients and optimizers are boxes of a large drawing."""

from __future__ import annotations

import pytest

import runtime as tf
from autograph.drawing.folding import folded
from runtime import keras
from runtime.graph.parts import scopes_of


def training_step(blocks):
    """A step of training of convolutions with normalisation: the larger, the more blocks."""
    keras.backend.clear_session()  # so that names begin anew
    layers = [keras.Input((8, 8, 1))]
    for _ in range(blocks):
        layers += [keras.layers.Conv2D(2, 3, padding="same"), keras.layers.BatchNormalization()]
    model = keras.Sequential([*layers, keras.layers.Flatten(), keras.layers.Dense(3)])
    optimizer = keras.optimizers.Adam(1e-3)
    optimizer.build(model.trainable_variables)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            value = loss(y, model(x, training=True))
        gradients = tape.gradient(value, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return value

    images = tf.TensorSpec([4, 8, 8, 1], tf.float32)
    return step.get_concrete_function(images, tf.TensorSpec([4], tf.int32))


def test_a_training_step_is_its_model_its_gradients_and_its_optimizer():
    trace = training_step(3)
    top = folded(trace.__diagram__())
    titles = [vertex.title for vertex in top.vertices]
    assert {"sequential", "gradients", "adam"} <= set(titles) and len(titles) < 16
    model = next(v for v in top.vertices if v.title == "sequential")
    inner = {v.title for v in model.inside[0].vertices}
    assert {"conv2d", "batch_normalization_2", "dense"} <= inner


@pytest.mark.nightly
def test_a_step_of_a_thousand_operations_fits_a_screen():
    trace = training_step(6)
    assert len(trace.graph.operations) > 970
    assert len(folded(trace.__diagram__()).vertices) <= 16


def test_operations_outside_of_layers_have_no_part():
    @tf.function
    def square(x):
        return x * x + 1.0

    graph = square.get_concrete_function(tf.TensorSpec([], tf.float32)).graph
    assert set(scopes_of(graph)) == {()}


def test_boxes_show_the_time_of_a_profile():
    @tf.function
    def product(x):
        return tf.matmul(x, x) + 1.0

    x = tf.ones([64, 64])
    with tf.profiler.trace() as profile:
        product(x)
    trace = product.get_concrete_function(x)
    (box,) = [v for v in trace.__diagram__(profile.by_name()).vertices if v.title == "matmul"]
    assert box.seconds > 0 and box.lines[-1].endswith(("us", "ms", " s"))
    assert box.lines[-1] in trace.to_html(profile) and box.lines[-1] in trace.to_svg(profile)
    with pytest.raises(TypeError, match="profile must be what tf.profiler.trace gives"):
        trace.to_svg(profile=3)
