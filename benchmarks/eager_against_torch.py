"""40 everyday eager operations at three sizes, beside torch: the ratios of their times.

Needs torch, of the extra `bench`.  Both use one thread, take turns in rounds, and compute from the
same float32 numbers; that their results agree is checked first.  A ratio above 1 says that torch is
faster.

    taskset -c 1 python benchmarks/eager_against_torch.py [NAME ...]
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.timing import medians, use_one_thread

use_one_thread()
import numpy as np  # noqa: E402 - after the settings

import runtime as tf  # noqa: E402

try:
    import torch
except ImportError:
    sys.exit("this comparison needs torch: pip install 'pyautograph[bench]'")

torch.set_num_threads(1)
torch.set_grad_enabled(False)
functional = torch.nn.functional
SIZES = {"10": (2, 5), "10k": (100, 100), "1M": (1000, 1000)}
"""Shapes by the name of the number of elements."""

WARM_SECONDS = 0.3
"""Time to warm up with the two larger sizes."""

Work = tuple[Callable[..., Any], Callable[..., Any]]
"""Ours and torch's, of x, y (both of the shape) and b (of the last axis)."""

WORKS: dict[str, Work] = {
    "x + y": (lambda x, y, b: x + y,) * 2,
    "x - y": (lambda x, y, b: x - y,) * 2,
    "x * y": (lambda x, y, b: x * y,) * 2,
    "x / y": (lambda x, y, b: x / y,) * 2,
    "x + b, by rows": (lambda x, y, b: x + b,) * 2,
    "x * 2.5": (lambda x, y, b: x * 2.5,) * 2,
    "-x": (lambda x, y, b: -x,) * 2,
    "x ** 2": (lambda x, y, b: x**2,) * 2,
    "abs": (lambda x, y, b: abs(x),) * 2,
    "x < y": (lambda x, y, b: x < y,) * 2,
    "maximum": (lambda x, y, b: tf.maximum(x, y), lambda x, y, b: torch.maximum(x, y)),
    "where": (lambda x, y, b: tf.where(x > 1, x, y), lambda x, y, b: torch.where(x > 1, x, y)),
    "where, places": (lambda x, y, b: tf.where(x > 1), lambda x, y, b: torch.argwhere(x > 1)),
    "boolean_mask": (lambda x, y, b: tf.boolean_mask(x, x > 1), lambda x, y, b: x[x > 1]),
    "clip": (
        lambda x, y, b: tf.clip_by_value(x, 0.5, 1.5), lambda x, y, b: torch.clamp(x, 0.5, 1.5),
    ),
    "exp": (lambda x, y, b: tf.exp(x), lambda x, y, b: torch.exp(x)),
    "log": (lambda x, y, b: tf.math.log(x), lambda x, y, b: torch.log(x)),
    "sqrt": (lambda x, y, b: tf.sqrt(x), lambda x, y, b: torch.sqrt(x)),
    "sin": (lambda x, y, b: tf.sin(x), lambda x, y, b: torch.sin(x)),
    "tanh": (lambda x, y, b: tf.tanh(x), lambda x, y, b: torch.tanh(x)),
    "erf": (lambda x, y, b: tf.math.erf(x), lambda x, y, b: torch.erf(x)),
    "sigmoid": (lambda x, y, b: tf.sigmoid(x), lambda x, y, b: torch.sigmoid(x)),
    "relu": (lambda x, y, b: tf.nn.relu(x), lambda x, y, b: torch.relu(x)),
    "gelu": (lambda x, y, b: tf.nn.gelu(x), lambda x, y, b: functional.gelu(x)),
    "softplus": (lambda x, y, b: tf.nn.softplus(x), lambda x, y, b: functional.softplus(x)),
    "softmax": (lambda x, y, b: tf.nn.softmax(x), lambda x, y, b: torch.softmax(x, -1)),
    "log_softmax": (
        lambda x, y, b: tf.nn.log_softmax(x), lambda x, y, b: torch.log_softmax(x, -1),
    ),
    "sum": (lambda x, y, b: tf.reduce_sum(x), lambda x, y, b: torch.sum(x)),
    "mean of rows": (lambda x, y, b: tf.reduce_mean(x, -1), lambda x, y, b: torch.mean(x, -1)),
    "max of columns": (lambda x, y, b: tf.reduce_max(x, 0), lambda x, y, b: torch.amax(x, 0)),
    "argmax": (lambda x, y, b: tf.argmax(x, -1), lambda x, y, b: torch.argmax(x, -1)),
    "cumsum": (lambda x, y, b: tf.cumsum(x, -1), lambda x, y, b: torch.cumsum(x, -1)),
    "sort": (lambda x, y, b: tf.sort(x, -1), lambda x, y, b: torch.sort(x, -1)[0]),
    "matmul": (
        lambda x, y, b: tf.matmul(x, y, transpose_b=True), lambda x, y, b: torch.matmul(x, y.T),
    ),
    "reshape": (lambda x, y, b: tf.reshape(x, [-1]), lambda x, y, b: torch.reshape(x, [-1])),
    "transpose, + 1": (lambda x, y, b: tf.transpose(x) + 1, lambda x, y, b: x.T + 1),
    "x[:, 0]": (lambda x, y, b: x[:, 0],) * 2,
    "concat": (lambda x, y, b: tf.concat([x, y], 0), lambda x, y, b: torch.cat([x, y], 0)),
    "stack": (lambda x, y, b: tf.stack([x, y]), lambda x, y, b: torch.stack([x, y])),
    "cast to float64": (
        lambda x, y, b: tf.cast(x, tf.float64), lambda x, y, b: x.to(torch.float64),
    ),
}  # fmt: skip


def warm_up(call: Callable[[], object]) -> None:
    """Call until what becomes machine code has become so (eager/costly_kernels.py)."""
    end = time.process_time() + WARM_SECONDS
    while time.process_time() < end:
        call()


def ratios(work: Work, shape: tuple[int, int], rounds: int = 9) -> tuple[float, float, float]:
    """Ours per call, torch's, and their ratio: medians of rounds in which both take turns."""
    noise = np.random.default_rng(1)
    numbers = [noise.uniform(0.1, 2, s).astype(np.float32) for s in (shape, shape, shape[-1:])]
    ours = [tf.constant(array) for array in numbers]
    torchs = [torch.from_numpy(array) for array in numbers]
    np.testing.assert_allclose(
        work[0](*ours).numpy(), work[1](*torchs).numpy(), rtol=1e-3, atol=1e-5
    )
    calls = {"ours": lambda: work[0](*ours), "torch": lambda: work[1](*torchs)}
    if shape[0] > 2:
        warm_up(calls["ours"])
    seconds = medians(calls, rounds, least=0.003, clock=time.process_time)
    return seconds["ours"], seconds["torch"], seconds["ours"] / seconds["torch"]


def main() -> None:
    """Print the table, and of each size how many ratios are at most 1, and their middle."""
    tf.function(lambda x: x + 1, jit_compile=True)(1)  # loads the compiler
    chosen = sys.argv[1:] or list(WORKS)
    print("| operation | " + " | ".join(SIZES) + " |")
    print("|---|" + "---:|" * len(SIZES))
    columns: list[list[float]] = [[] for _ in SIZES]
    for name in chosen:
        cells = []
        for shape, column in zip(SIZES.values(), columns, strict=True):
            ours, theirs, ratio = ratios(WORKS[name], shape)
            column.append(ratio)
            cells.append(f"{ratio:.2f} ({ours * 1e6:.3g} / {theirs * 1e6:.3g} us)")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    for size, column in zip(SIZES, columns, strict=True):
        fast, middle = sum(ratio <= 1 for ratio in column), statistics.median(column)
        print(f"{size}: {fast} of {len(column)} at most 1 x torch, median {middle:.2f}")


if __name__ == "__main__":
    main()
