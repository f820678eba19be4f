"""Networks of convolutions: a training step, a residual block with gradient, one small layer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.against_peers.line import BEST_PEER, Call, Line, Target
from benchmarks.against_peers.systems import (
    function,
    jax,
    jax_gradient,
    tape_gradient,
    tensorflow,
    torch_gradient,
)
from benchmarks.against_peers.systems import torch as torch_eager

LAYOUT = ("NHWC", "HWIO", "NHWC")


def network_with_tensors(tf: Any) -> Callable[..., Any]:
    """Give the losses of two convolutions with pooling and a dense layer."""

    def losses(x, labels, first, second, dense):
        x = tf.nn.relu(tf.nn.conv2d(x, first, 1, "SAME"))
        x = tf.nn.max_pool2d(x, 2, 2, "VALID")
        x = tf.nn.relu(tf.nn.conv2d(x, second, 1, "SAME"))
        x = tf.nn.max_pool2d(x, 2, 2, "VALID")
        logits = tf.matmul(tf.reshape(x, [x.shape[0], dense.shape[0]]), dense)
        return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)

    return losses


def network_in_jax(jax: Any) -> Callable[..., Any]:
    """Give the losses of the network."""
    lax, np = jax.lax, jax.numpy

    def layer(x: Any, w: Any) -> Any:
        x = lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=LAYOUT)
        windows = (1, 2, 2, 1)
        return lax.reduce_window(jax.nn.relu(x), -np.inf, lax.max, windows, windows, "VALID")

    def losses(x: Any, labels: Any, first: Any, second: Any, dense: Any) -> Any:
        x = layer(layer(x, first), second)
        logits = jax.nn.log_softmax(x.reshape(x.shape[0], -1) @ dense)
        return -np.take_along_axis(logits, labels[:, None], 1)

    return losses


def in_torch_layout(x: Any) -> Any:
    """Give images as torch's convolutions want them, without a copy."""
    return x.permute(0, 3, 1, 2)


def network_in_torch(torch: Any) -> Callable[..., Any]:
    """Give the losses of the network."""
    nn = torch.nn.functional

    def layer(x: Any, w: Any) -> Any:
        return nn.max_pool2d(torch.relu(nn.conv2d(x, w.permute(3, 2, 0, 1), padding=1)), 2)

    def losses(x: Any, labels: Any, first: Any, second: Any, dense: Any) -> Any:
        x = layer(layer(in_torch_layout(x), first), second)
        logits = x.permute(0, 2, 3, 1).reshape(x.shape[0], -1) @ dense
        return nn.cross_entropy(logits, labels.long(), reduction="none")

    return losses


def network_inputs(batch: int, width: int) -> tuple[Any, ...]:
    """Draw images, labels and the weights of the layers."""
    draw = np.random.default_rng(0)
    x = draw.normal(0, 1, (batch, width, width, 1))
    shapes = [(3, 3, 1, 16), (3, 3, 16, 32), (width // 4 * (width // 4) * 32, 10)]
    weights = [draw.normal(0, 0.1, shape).astype(np.float32) for shape in shapes]
    return x.astype(np.float32), draw.integers(0, 10, batch, np.int32), *weights


def residual_with_tensors(tf: Any) -> Callable[..., Any]:
    """Give a residual block of two convolutions with normalisation over the batch."""

    def normalise(x, scale, shift):
        mean, variance = tf.nn.moments(x, [0, 1, 2])
        return (x - mean) * (tf.math.rsqrt(variance + 1e-5) * scale) + shift

    def block(x, first, second, scale, shift):
        y = tf.nn.relu(normalise(tf.nn.conv2d(x, first, 1, "SAME"), scale[0], shift[0]))
        y = normalise(tf.nn.conv2d(y, second, 1, "SAME"), scale[1], shift[1])
        return tf.nn.relu(x + y) ** 2

    return block


def residual_in_jax(jax: Any) -> Callable[..., Any]:
    """Give the residual block."""

    def convolve(x: Any, w: Any) -> Any:
        return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=LAYOUT)

    def normalise(x: Any, scale: Any, shift: Any) -> Any:
        mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
        return (x - mean) * (jax.lax.rsqrt(variance + 1e-5) * scale) + shift

    def block(x: Any, first: Any, second: Any, scale: Any, shift: Any) -> Any:
        y = jax.nn.relu(normalise(convolve(x, first), scale[0], shift[0]))
        y = normalise(convolve(y, second), scale[1], shift[1])
        return jax.nn.relu(x + y) ** 2

    return block


def residual_in_torch(torch: Any) -> Callable[..., Any]:
    """Give the residual block."""
    nn = torch.nn.functional

    def layer(x: Any, w: Any, scale: Any, shift: Any) -> Any:
        x = nn.conv2d(x, w.permute(3, 2, 0, 1), padding=1)
        return nn.batch_norm(x, None, None, scale, shift, training=True, eps=1e-5)

    def block(x: Any, first: Any, second: Any, scale: Any, shift: Any) -> Any:
        x = in_torch_layout(x)
        y = torch.relu(layer(x, first, scale[0], shift[0]))
        return torch.relu(x + layer(y, second, scale[1], shift[1])) ** 2

    return block


def residual_inputs(batch: int, width: int, channels: int) -> tuple[Any, ...]:
    """Draw images and weights."""
    draw = np.random.default_rng(0)
    x = draw.normal(0, 1, (batch, width, width, channels)).astype(np.float32)
    shape = (2, 3, 3, channels, channels)
    first, second = draw.normal(0, 0.1, shape).astype(np.float32)
    return x, first, second, np.ones((2, channels), np.float32), np.zeros((2, channels), np.float32)


def layer_with_tensors(tf: Any) -> Callable[..., Any]:
    """Give one convolution with a bias."""
    return lambda x, w, bias: tf.nn.relu(tf.nn.conv2d(x, w, 1, "SAME") + bias)


def layer_in_jax(jax: Any) -> Callable[..., Any]:
    """Give one convolution with a bias."""
    convolve = jax.lax.conv_general_dilated
    return lambda x, w, bias: jax.nn.relu(
        convolve(x, w, (1, 1), "SAME", dimension_numbers=LAYOUT) + bias
    )


def layer_in_torch(x: Any, w: Any, bias: Any) -> Call:
    """Give one convolution with a bias, on weights in torch's order."""
    import torch

    torch.set_num_threads(1)
    image = in_torch_layout(torch.as_tensor(x))
    weights = torch.as_tensor(w).permute(3, 2, 0, 1).contiguous()
    shift, convolve = torch.as_tensor(bias), torch.nn.functional.conv2d
    return lambda: torch.relu(convolve(image, weights, shift, padding=1)).permute(0, 2, 3, 1)


def layer_in_onnxruntime(x: Any, w: Any, bias: Any) -> Call:
    """Give one convolution with a bias as a graph of ONNX, which orders channels before pixels."""
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper

    image = np.ascontiguousarray(x.transpose(0, 3, 1, 2))
    nodes = [
        helper.make_node("Conv", ["x", "w", "bias"], ["y"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["y"], ["z"]),
    ]
    weights = [
        numpy_helper.from_array(np.ascontiguousarray(w.transpose(3, 2, 0, 1)), "w"),
        numpy_helper.from_array(bias, "bias"),
    ]
    of_float = TensorProto.FLOAT
    inputs = [helper.make_tensor_value_info("x", of_float, image.shape)]
    outputs = [helper.make_tensor_value_info("z", of_float, None)]
    graph = helper.make_graph(nodes, "layer", inputs, outputs, weights)
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10
    )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    return lambda: session.run(None, {"x": image})[0].transpose(0, 2, 3, 1)


def layer_inputs(width: int) -> tuple[Any, ...]:
    """Draw an image of one channel, 16 filters and a bias."""
    draw = np.random.default_rng(0)
    shapes = [(1, width, width, 1), (3, 3, 1, 16), (16,)]
    return tuple(draw.normal(0, 1, shape).astype(np.float32) for shape in shapes)


TARGETS = (Target("runtime.function", 0.9, BEST_PEER),)
LINES = [
    Line(
        "gradient of a CNN, 32 images of 28x28",
        inputs=lambda: network_inputs(32, 28),
        small=lambda: network_inputs(2, 8),
        systems={
            "JAX": jax(jax_gradient(network_in_jax, 2, 3, 4)),
            "TensorFlow": tensorflow(tape_gradient(network_with_tensors, 2, 3, 4)),
            "torch": torch_eager(torch_gradient(network_in_torch, 2, 3, 4)),
            "runtime.function": function(tape_gradient(network_with_tensors, 2, 3, 4)),
        },
        targets=TARGETS,
        tolerance=1e-4,
    ),
    Line(
        "gradient of a residual block, 8 images of 14x14x64",
        inputs=lambda: residual_inputs(8, 14, 64),
        small=lambda: residual_inputs(2, 4, 3),
        systems={
            "JAX": jax(jax_gradient(residual_in_jax, 0, 1, 2, 3, 4)),
            "TensorFlow": tensorflow(tape_gradient(residual_with_tensors, 0, 1, 2, 3, 4)),
            "torch": torch_eager(torch_gradient(residual_in_torch, 0, 1, 2, 3, 4)),
            "runtime.function": function(tape_gradient(residual_with_tensors, 0, 1, 2, 3, 4)),
        },
        targets=TARGETS,
        tolerance=1e-3,
    ),
    Line(
        "convolution of 28x28 with 16 filters, bias and relu",
        inputs=lambda: layer_inputs(28),
        small=lambda: layer_inputs(5),
        systems={
            "JAX": jax(layer_in_jax),
            "TensorFlow": tensorflow(layer_with_tensors),
            "torch": layer_in_torch,
            "onnxruntime": layer_in_onnxruntime,
            "runtime.function": function(layer_with_tensors),
        },
        targets=TARGETS,
        tolerance=1e-5,
    ),
]
