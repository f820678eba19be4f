"""A convolution of an image of 200x200 pixels and 100 channels with 100 filters of 3x3."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.against_peers.c_code import CCall
from benchmarks.against_peers.line import Call, Line, Target
from benchmarks.against_peers.systems import eager, function, jax, tensorflow

# The image has a border of zeros; four neighbours share the weights that are loaded.  The sizes are
# known to gcc, as to the other compilers.
IN_C = """
void work(float *image, float *w, float *found) {
    float sums[4][OUT];
    for (int i = 0; i < HEIGHT; i++)
        for (int j = 0; j < WIDTH; j += 4) {
            memset(sums, 0, sizeof sums);
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    for (int c = 0; c < IN; c++) {
                        float *x = image + ((i + a) * (WIDTH + 2) + j + b) * IN + c;
                        float *row = w + ((a * 3 + b) * IN + c) * OUT;
                        for (int k = 0; k < OUT; k++) {
                            sums[0][k] += x[0] * row[k];
                            sums[1][k] += x[IN] * row[k];
                            sums[2][k] += x[2 * IN] * row[k];
                            sums[3][k] += x[3 * IN] * row[k];
                        }
                    }
            memcpy(found + (i * WIDTH + j) * OUT, sums, sizeof sums);
        }
}
"""


def in_c(image: Any, w: Any) -> CCall:
    """Give the call of the C code."""
    _, height, width, inputs = image.shape
    bordered = np.pad(image[0], [(1, 1), (1, 1), (0, 0)])
    found = np.zeros((1, height, width, w.shape[3]), np.float32)
    sizes = f"-DHEIGHT={height} -DWIDTH={width} -DIN={inputs} -DOUT={w.shape[3]}"
    return CCall(IN_C, bordered, w, found, answer=found, flags=f"-ffast-math {sizes}")


def with_tensors(tf: Any) -> Any:
    """Give the convolution by TensorFlow's name."""
    return lambda image, w: tf.nn.conv2d(image, w, strides=1, padding="SAME")


def in_jax(jax: Any) -> Any:
    """Give the convolution by JAX."""
    layout = ("NHWC", "HWIO", "NHWC")
    convolve = jax.lax.conv_general_dilated
    return lambda image, w: convolve(image, w, (1, 1), "SAME", dimension_numbers=layout)


def in_torch(image: Any, w: Any) -> Call:
    """Give the convolution by torch: other names of the axes, the same memory."""
    import torch

    torch.set_num_threads(1)
    x = torch.as_tensor(image).permute(0, 3, 1, 2)
    filters = torch.as_tensor(w).permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)
    return lambda: torch.nn.functional.conv2d(x, filters, padding=1).permute(0, 2, 3, 1)


def sizes(pixels: int, inputs: int, outputs: int) -> tuple[Any, ...]:
    """Give an image and filters."""
    draw = np.random.default_rng(0)
    image = draw.normal(0, 1, (1, pixels, pixels, inputs))
    w = draw.normal(0, 1, (3, 3, inputs, outputs))
    return image.astype(np.float32), w.astype(np.float32)


LINES = [
    Line(
        "convolution of 200x200x100 with 3x3x100x100",
        inputs=lambda: sizes(200, 100, 100),
        small=lambda: sizes(8, 3, 4),
        systems={
            "C": in_c,
            "JAX": jax(in_jax),
            "TensorFlow": tensorflow(with_tensors),
            "torch": in_torch,
            "runtime eager": eager(with_tensors),
            "runtime.function": function(with_tensors),
        },
        targets=(Target("runtime.function", 1, "torch"),),
        tolerance=1e-4,
    ),
]
