"""A block of a transformer with its gradient, and its layers: normalisation with GELU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.against_peers.line import BEST_PEER, Line, Target
from benchmarks.against_peers.systems import (
    function,
    jax,
    jax_gradient,
    tape_gradient,
    tensorflow,
    torch_gradient,
)
from benchmarks.against_peers.systems import torch as torch_eager

HEADS = 4


def normalised_with_tensors(tf: Any) -> Callable[..., Any]:
    """Give a normalised layer, by TensorFlow's names."""

    def normalise(x, scale, shift):
        mean, variance = tf.nn.moments(x, [-1], keepdims=True)
        return (x - mean) * tf.math.rsqrt(variance + 1e-5) * scale + shift

    return normalise


def gelu_with_tensors(tf: Any) -> Callable[..., Any]:
    """Give GELU of a normalised layer."""
    normalise = normalised_with_tensors(tf)
    return lambda x, scale, shift: tf.nn.gelu(normalise(x, scale, shift))


def block_with_tensors(tf: Any) -> Callable[..., Any]:
    """Give attention and two dense layers, each with normalisation before and a sum after."""
    normalise = normalised_with_tensors(tf)

    def block(x, scale, shift, project, out, up, down):
        batch, steps, width = x.shape
        z = tf.matmul(normalise(x, scale[0], shift[0]), project)
        q, k, v = tf.split(tf.reshape(z, [batch, steps, 3 * HEADS, width // HEADS]), 3, axis=2)
        q, k, v = (tf.transpose(part, [0, 2, 1, 3]) for part in (q, k, v))
        scores = tf.matmul(q, k, transpose_b=True) * (width // HEADS) ** -0.5
        attended = tf.transpose(tf.matmul(tf.nn.softmax(scores), v), [0, 2, 1, 3])
        x = x + tf.matmul(tf.reshape(attended, [batch, steps, width]), out)
        hidden = tf.nn.gelu(tf.matmul(normalise(x, scale[1], shift[1]), up))
        return (x + tf.matmul(hidden, down)) ** 2

    return block


def normalised_in_jax(jax: Any) -> Callable[..., Any]:
    """Give a normalised layer."""

    def normalise(x: Any, scale: Any, shift: Any) -> Any:
        mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + shift

    return normalise


def gelu_in_jax(jax: Any) -> Callable[..., Any]:
    """Give GELU of a normalised layer."""
    normalise = normalised_in_jax(jax)
    return lambda *inputs: jax.nn.gelu(normalise(*inputs), approximate=False)


def block_in_jax(jax: Any) -> Callable[..., Any]:
    """Give the block."""
    np, normalise = jax.numpy, normalised_in_jax(jax)

    def block(
        x: Any, scale: Any, shift: Any, project: Any, out: Any, up: Any, down: Any
    ) -> Any:
        batch, steps, width = x.shape
        z = normalise(x, scale[0], shift[0]) @ project
        q, k, v = np.split(z.reshape(batch, steps, 3 * HEADS, width // HEADS), 3, axis=2)
        q, k, v = (part.transpose(0, 2, 1, 3) for part in (q, k, v))
        scores = q @ k.transpose(0, 1, 3, 2) * (width // HEADS) ** -0.5
        attended = (jax.nn.softmax(scores) @ v).transpose(0, 2, 1, 3)
        x = x + attended.reshape(batch, steps, width) @ out
        hidden = jax.nn.gelu(normalise(x, scale[1], shift[1]) @ up, approximate=False)
        return (x + hidden @ down) ** 2

    return block


def gelu_in_torch(torch: Any) -> Callable[..., Any]:
    """Give GELU of a normalised layer."""
    nn = torch.nn.functional
    return lambda x, scale, shift: nn.gelu(nn.layer_norm(x, x.shape[-1:], scale, shift))


def block_in_torch(torch: Any) -> Callable[..., Any]:
    """Give the block."""
    nn = torch.nn.functional

    def block(
        x: Any, scale: Any, shift: Any, project: Any, out: Any, up: Any, down: Any
    ) -> Any:
        batch, steps, width = x.shape
        z = nn.layer_norm(x, (width,), scale[0], shift[0]) @ project
        q, k, v = z.reshape(batch, steps, 3 * HEADS, width // HEADS).chunk(3, 2)
        q, k, v = (part.transpose(1, 2) for part in (q, k, v))
        attended = nn.scaled_dot_product_attention(q, k, v).transpose(1, 2)
        x = x + attended.reshape(batch, steps, width) @ out
        hidden = nn.gelu(nn.layer_norm(x, (width,), scale[1], shift[1]) @ up)
        return (x + hidden @ down) ** 2

    return block


def block_inputs(batch: int, steps: int, width: int) -> tuple[Any, ...]:
    """Draw a batch of sequences and the weights."""
    draw = np.random.default_rng(0)
    shapes = [(width, 3 * width), (width, width), (width, 4 * width), (4 * width, width)]
    weights = [draw.normal(0, 0.1, shape).astype(np.float32) for shape in shapes]
    x = draw.normal(0, 1, (batch, steps, width)).astype(np.float32)
    return x, np.ones((2, width), np.float32), np.zeros((2, width), np.float32), *weights


def layer_inputs(rows: int, width: int) -> tuple[Any, ...]:
    """Draw a layer, a scale and a shift."""
    draw = np.random.default_rng(0)
    x = draw.normal(0, 1, (rows, width)).astype(np.float32)
    return x, np.ones(width, np.float32), np.zeros(width, np.float32)


LINES = [
    Line(
        "gradient of a transformer block, batch 8, 64 steps of 128",
        inputs=lambda: block_inputs(8, 64, 128),
        small=lambda: block_inputs(2, 3, 8),
        systems={
            "JAX": jax(jax_gradient(block_in_jax, 1, 2, 3, 4, 5, 6)),
            "TensorFlow": tensorflow(tape_gradient(block_with_tensors, 1, 2, 3, 4, 5, 6)),
            "torch": torch_eager(torch_gradient(block_in_torch, 1, 2, 3, 4, 5, 6)),
            "runtime.function": function(tape_gradient(block_with_tensors, 1, 2, 3, 4, 5, 6)),
        },
        targets=(Target("runtime.function", 0.9, BEST_PEER),),
        tolerance=1e-4,
    ),
    Line(
        "normalised layer with GELU, 1,024x512",
        inputs=lambda: layer_inputs(1024, 512),
        small=lambda: layer_inputs(3, 4),
        systems={
            "JAX": jax(gelu_in_jax),
            "TensorFlow": tensorflow(gelu_with_tensors),
            "torch": torch_eager(gelu_in_torch),
            "runtime.function": function(gelu_with_tensors),
        },
        targets=(Target("runtime.function", 0.9, BEST_PEER),),
        tolerance=1e-5,
    ),
]
