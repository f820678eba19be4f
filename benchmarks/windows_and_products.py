"""Time native convolutions, and products of matrices, against NumPy's BLAS, torch and XLA.

    taskset -c 0 python -m benchmarks.windows_and_products [convolutions] [products]

Answers are compared before anything is timed.  Times are the process's own on one core, so that
what else the machine does counts little; each is the least of some rounds, in which all systems
take turns.  A system that is not installed is left out.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np  # noqa: E402 - the libraries read the variables when they start

import runtime as tf  # noqa: E402

Calls = dict[str, Callable[[], Any]]


class Window(NamedTuple):
    """Sizes of a convolution."""

    batch: int
    size: int
    channels: int
    window: int
    out: int
    stride: int = 1
    groups: int = 1
    kind: str = "result"
    """What is computed: the result, or the gradient of the input or the filters."""


CONVOLUTIONS = [
    Window(1, 200, 100, 3, 100), Window(1, 200, 100, 3, 96), Window(8, 56, 64, 3, 64),
    Window(8, 28, 128, 3, 128), Window(8, 14, 256, 3, 256), Window(8, 7, 512, 3, 512),
    Window(8, 56, 64, 1, 256), Window(8, 56, 256, 1, 64), Window(8, 28, 512, 1, 128),
    Window(8, 56, 128, 3, 128, 2), Window(4, 56, 256, 1, 512, 2), Window(4, 112, 3, 7, 64, 2),
    Window(16, 32, 3, 3, 32), Window(16, 32, 32, 3, 32), Window(16, 32, 32, 3, 64, 2),
    Window(32, 28, 1, 3, 16), Window(32, 28, 1, 5, 32), Window(32, 14, 16, 3, 32),
    Window(8, 28, 40, 3, 40), Window(8, 28, 64, 5, 64), Window(4, 64, 24, 3, 17),
    Window(8, 56, 64, 3, 64, 1, 64), Window(8, 28, 128, 3, 128, 1, 128),
    Window(8, 28, 64, 3, 64, 1, 4), Window(8, 28, 128, 3, 128, 1, 32),
]
CONVOLUTIONS += [
    one._replace(kind=kind)
    for one in (
        CONVOLUTIONS[0], CONVOLUTIONS[2], CONVOLUTIONS[4], CONVOLUTIONS[6], CONVOLUTIONS[9],
        CONVOLUTIONS[13], CONVOLUTIONS[17], CONVOLUTIONS[22],
    )
    for kind in ("input", "filters")
]  # fmt: skip
PRODUCTS = [  # rows, inner, columns
    (8, 8, 8), (16, 16, 16), (24, 24, 24), (32, 32, 32), (48, 48, 48), (64, 64, 64), (96, 96, 96),
    (128, 128, 128), (192, 192, 192), (256, 256, 256), (384, 384, 384), (512, 512, 512),
    (768, 768, 768), (1024, 1024, 1024), (100, 100, 100), (200, 200, 200), (500, 500, 500),
    (1000, 1000, 1000), (40000, 900, 100), (4096, 900, 96), (4096, 27, 32), (4096, 64, 64),
    (4096, 10, 10), (10000, 3, 50), (1, 512, 512), (2, 512, 512), (4, 512, 512), (8, 512, 512),
    (32, 784, 128), (128, 784, 10), (784, 128, 10), (10, 128, 784), (64, 4096, 64),
    (16, 8192, 16), (2048, 64, 2048), (2048, 16, 2048), (333, 777, 555), (17, 33, 65),
    (1000, 1, 1000), (1000, 1000, 1),
]  # fmt: skip


def least(calls: Calls, seconds: float = 0.6) -> dict[str, float]:
    """Return the least time of each call; they take turns for about so many seconds."""
    found = dict.fromkeys(calls, float("inf"))
    end, rounds = time.perf_counter() + seconds, 0
    while rounds < 5 or time.perf_counter() < end:
        rounds += 1
        for name, call in calls.items():
            count = 1 if found[name] > 1e-3 else 20
            start = time.process_time()
            for _ in range(count):
                call()
            found[name] = min(found[name], (time.process_time() - start) / count)
    return found


def products(m: int, k: int, n: int) -> tuple[Calls, float]:
    """Return the calls of a product, and its operations."""
    draw = np.random.default_rng(0)
    a, b = (draw.normal(size=s).astype(np.float32) for s in ((m, k), (k, n)))
    native = tf.function(lambda a, b: tf.matmul(a, b), jit_compile=True)
    ours = tf.constant(a), tf.constant(b)
    calls: Calls = {"ours": lambda: native(*ours), "NumPy": lambda: np.matmul(a, b)}
    if torch is not None:
        theirs = torch.as_tensor(a), torch.as_tensor(b)
        calls["torch"] = lambda: torch.matmul(*theirs)
    if jax is not None:
        compiled = jax.jit(lambda a, b: a @ b)
        others = jax.numpy.asarray(a), jax.numpy.asarray(b)
        calls["XLA"] = lambda: compiled(*others).block_until_ready()
    return calls, 2.0 * m * k * n


def convolutions(*sizes: Any) -> tuple[Calls, float]:
    """Return the calls of a convolution, and its operations."""
    one = Window(*sizes)
    draw = np.random.default_rng(0)
    x = draw.normal(size=(one.batch, one.size, one.size, one.channels)).astype(np.float32)
    shape = one.window, one.window, one.channels // one.groups, one.out
    w = draw.normal(size=shape).astype(np.float32)
    edge = one.window // 2
    y = tf.nn.convolution(x, w, one.stride, [[0, 0], [edge] * 2, [edge] * 2, [0, 0]])
    dy = draw.normal(size=y.shape).astype(np.float32)
    work = 2.0 * np.prod(y.shape) * np.prod(shape[:3])
    calls = {"ours": _by_runtime(one, x, w, dy, edge)}
    if torch is not None:
        calls["torch"] = _by_torch(one, x, w, dy, edge)
    if jax is not None:
        calls["XLA"] = _by_jax(one, x, w, dy, edge)
    return calls, float(work)


def _by_runtime(one: Window, x: Any, w: Any, dy: Any, edge: int) -> Callable[[], Any]:
    from runtime.ops.nn.convolution import conv
    from runtime.ops.nn.convolution_backprop import conv_to_filters, conv_to_input

    attrs = {
        "strides": (one.stride,) * 2, "dilations": (1, 1), "padding": ((edge, edge),) * 2
    }  # fmt: skip
    function, *given = {
        "result": (lambda x, w: conv(x, w, **attrs), x, w),
        "input": (lambda dy, w: conv_to_input(dy, w, np.array(x.shape), **attrs), dy, w),
        "filters": (lambda x, dy: conv_to_filters(x, dy, np.array(w.shape), **attrs), x, dy),
    }[one.kind]
    native = tf.function(function, jit_compile=True)
    tensors = [*map(tf.constant, given)]
    return lambda: native(*tensors)


def _by_torch(one: Window, x: Any, w: Any, dy: Any, edge: int) -> Callable[[], Any]:
    a, d = (torch.as_tensor(array).permute(0, 3, 1, 2) for array in (x, dy))
    f = torch.as_tensor(w).permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)
    if one.kind == "result":
        convolve = torch.nn.functional.conv2d
        given = {"stride": one.stride, "padding": edge, "groups": one.groups}
        return lambda: convolve(a, f, **given).permute(0, 2, 3, 1)
    back = torch.ops.aten.convolution_backward
    wanted = [one.kind == "input", one.kind == "filters", False]
    rest = [one.stride] * 2, [edge] * 2, [1, 1], False, [0, 0], one.groups, wanted
    if one.kind == "input":
        return lambda: back(d, a, f, None, *rest)[0].permute(0, 2, 3, 1)
    return lambda: back(d, a, f, None, *rest)[1].permute(2, 3, 1, 0)


def _by_jax(one: Window, x: Any, w: Any, dy: Any, edge: int) -> Callable[[], Any]:
    def convolve(x: Any, w: Any) -> Any:
        return jax.lax.conv_general_dilated(
            x, w, (one.stride,) * 2, [(edge, edge)] * 2, feature_group_count=one.groups,
            dimension_numbers=("NHWC", "HWIO", "NHWC"),
        )  # fmt: skip

    a, f, d = map(jax.numpy.asarray, (x, w, dy))
    compiled = jax.jit({
        "result": lambda a, f, d: convolve(a, f),
        "input": lambda a, f, d: jax.vjp(lambda a: convolve(a, f), a)[1](d)[0],
        "filters": lambda a, f, d: jax.vjp(lambda f: convolve(a, f), f)[1](d)[0],
    }[one.kind])
    return lambda: compiled(a, f, d).block_until_ready()


def rows(cases: list[Any], made: Callable[..., tuple[Calls, float]]) -> Iterator[str]:
    """Yield a line for each case: the ratio to the best of the others, and each one's speed."""
    ratios = []
    for case in cases:
        calls, work = made(*case)
        answers = {name: np.asarray(call()) for name, call in calls.items()}
        bound = 1e-4 * abs(answers["ours"]).max()
        for name, answer in answers.items():
            np.testing.assert_allclose(answer, answers["ours"], 1e-4, bound, err_msg=name)
        times = least(calls)
        best = min(spent for name, spent in times.items() if name != "ours")
        ratios.append(times["ours"] / best)
        speeds = "  ".join(f"{name} {work / spent / 1e9:6.1f}" for name, spent in times.items())
        yield f"{' '.join(map(str, case)):34} {ratios[-1]:5.2f} x the best;  GFLOP/s: {speeds}"
    middle, worst = np.median(ratios), max(ratios)
    yield f"{len(cases)} shapes: median {middle:.2f} x the best, worst {worst:.2f} x"


def main() -> None:
    """Print the tables that are asked for, or both."""
    for name, cases, made in (
        ("convolutions", CONVOLUTIONS, convolutions), ("products", PRODUCTS, products)
    ):  # fmt: skip
        if name in sys.argv or not {"convolutions", "products"} & {*sys.argv}:
            print(name)
            for row in rows(cases, made):
                print(row, flush=True)


torch: Any = None
jax: Any = None
try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    print("torch is not installed")
try:
    import jax
except ImportError:
    print("jax is not installed")

if __name__ == "__main__":
    main()
