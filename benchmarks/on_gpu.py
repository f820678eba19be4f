"""What a GPU does: agreement with the CPU, and speed beside plain JAX, on one page of figures.

    python benchmarks/on_gpu.py [--small] [--seconds 240]

It needs JAX with CUDA (or any accelerator that JAX has), NumPy and this package; no network.
Without a GPU the CPU stands for one, at small sizes: that shows that the program works, and its
ratios say nothing.  Each part ends when its share of the time is over, and says how far it came;
one that raises is reported, and the program ends with the exit code 1.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

START = time.perf_counter()
os.environ.setdefault("JAX_NUM_CPU_DEVICES", "2")

import jax  # noqa: E402 - the variable above is for it
import jax.numpy as jnp  # noqa: E402

IS_CPU = jax.default_backend() == "cpu"
if IS_CPU:
    os.environ.setdefault("RUNTIME_VIRTUAL_GPUS", "1")  # before the package is imported

import runtime as tf  # noqa: E402
from runtime import keras  # noqa: E402
from runtime.ops.op import HIGHER_ORDER, STATEFUL, TABLE  # noqa: E402

CLOSE = {"float16": 4e-3, "bfloat16": 2e-2, "float32": 1e-4, "complex64": 1e-4}
"""Errors that a device may have, relative to the largest element; of other dtypes 1e-10."""
SHARES = {"sweep": 0.4, "digits": 0.1, "keras": 0.15, "lstm": 0.15, "product": 0.1, "eager": 0.1}
"""Share of the time that each part may take."""


class Page:
    """Lines of the page, and the parts that failed."""

    def __init__(self) -> None:
        self.failures: list[str] = []
        self._has_table = False

    def say(self, text: str) -> None:
        """Print a line at once."""
        print(text, flush=True)

    def row(self, what: str, ours: str, other: str, ratio: float, most: float) -> None:
        """Print figures beside others, and whether the ratio is at most what it may be."""
        if not self._has_table:
            self._has_table = True
            self.say("\n| what | here | plain JAX or torch | ratio | goal |\n|---|---|---|---|---|")
        verdict = "met" if ratio <= most else "missed"
        self.say(f"| {what} | {ours} | {other} | {ratio:.3f} | at most {most:g}: {verdict} |")

    def times(self, what: str, ours: float, theirs: float, most: float) -> None:
        """Print seconds as milliseconds."""
        self.row(what, f"{ours * 1e3:.4f} ms", f"{theirs * 1e3:.4f} ms", ours / theirs, most)


class Part:
    """Part of the program, with the time by which it has to end."""

    def __init__(self, page: Page, device: str, is_small: bool, seconds: float) -> None:
        self.page = page
        self.device = device
        self.is_small = is_small
        self._end = time.perf_counter() + seconds

    @property
    def is_over(self) -> bool:
        """Whether its time is over."""
        return time.perf_counter() > self._end

    def medians(self, *calls: Callable[[], Any], most: int = 30) -> list[float]:
        """Return the median seconds of some calls, which take turns; at least three each."""
        for call in calls:
            call()  # compiled
        times: list[list[float]] = [[] for _ in calls]
        for number in range(most):
            for call, row in zip(calls, times, strict=True):
                start = time.perf_counter()
                call()
                row.append(time.perf_counter() - start)
            if number >= 2 and self.is_over:
                break
        return [statistics.median(row) for row in times]


def outcome(op: Any, sample: Any) -> Any:
    """Return the results of an op as arrays, or the class of what it raises."""
    try:
        results = op(*sample.inputs, **sample.attrs)
    except Exception as error:
        return type(error)
    flat = results if isinstance(results, list | tuple) else [results]
    return [(np.asarray(x), getattr(x, "device", "")) for x in flat]


def distance(found: Any, expected: Any) -> float:
    """Return the largest error relative to what the dtype allows; infinity for other types."""
    if isinstance(found, type) or isinstance(expected, type):
        return 0.0 if found is expected else np.inf
    worst = 0.0
    for (ours, _), (reference, _) in zip(found, expected, strict=True):
        if (ours.dtype, ours.shape) != (reference.dtype, reference.shape):
            return np.inf
        if reference.dtype.kind not in "fcV":
            worst = max(worst, 0.0 if np.array_equal(ours, reference) else np.inf)
            continue
        wide = np.complex128 if reference.dtype.kind == "c" else np.float64
        ours, reference, dtype = ours.astype(wide), reference.astype(wide), reference.dtype.name
        finite = np.isfinite(reference)
        if not np.array_equal(ours[~finite], reference[~finite], equal_nan=True):
            return np.inf
        size = max(np.abs(reference[finite]).max(initial=0.0), 1.0)
        error = np.abs(ours[finite] - reference[finite]).max(initial=0.0)
        worst = max(worst, error / size / CLOSE.get(dtype, 1e-10))
    return worst


def sweep(part: Part) -> None:
    """Compare the ops on the device with their kernels."""
    names = [
        name for name, op in TABLE.items()
        if callable(op.samples) and not op.traits & {STATEFUL, HIGHER_ORDER}
    ]  # fmt: skip
    there, on_cpu, done, worst, different = 0, 0, 0, 0.0, []
    for name in names:
        if part.is_over:
            break
        done += 1
        op = TABLE[name]
        is_placed = False
        samples = [
            s for s in op.samples() if all(np.asarray(x).dtype.kind in "biufcV" for x in s.inputs)
        ]  # fmt: skip
        for sample in samples[: 1 if part.is_small else 2]:
            expected = outcome(op, sample)
            with tf.device(part.device):
                found = outcome(op, sample)
            is_placed |= not isinstance(found, type) and any("CPU:0" not in d for _, d in found)
            error = distance(found, expected)
            worst = max(worst, error if np.isfinite(error) else 0.0)
            if error > 1:
                different.append(f"{name} ({error:.2g})")
        there, on_cpu = there + is_placed, on_cpu + (not is_placed)
    part.page.say(
        f"\nSweep: {done} of {len(names)} definitions; {there} ran on the device, {on_cpu} on the "
        f"CPU; {len(different)} differ; the largest error of others is {worst:.2g} of what the "
        "dtype allows."
    )
    if different:
        part.page.say(f"They differ: {', '.join(dict.fromkeys(different))}")


def digits(part: Part) -> None:
    """Train a network of two layers on the CPU and on the device, 50 steps."""
    numbers = np.random.default_rng(0)
    shapes = numbers.normal(size=(10, 64)).astype(np.float32)
    labels = numbers.integers(0, 10, 512).astype(np.int32)
    images = shapes[labels] + numbers.normal(size=(512, 64)).astype(np.float32)
    sizes = (64, 32), (32,), (32, 10)
    start = [(numbers.normal(size=size) / 8).astype(np.float32) for size in sizes]

    def losses(device: str) -> list[float]:
        with tf.device(device):
            first, shift, second = map(tf.Variable, start)

            @tf.function
            def step(x: Any, y: Any) -> Any:
                with tf.GradientTape() as tape:
                    logits = tf.nn.relu(x @ first + shift) @ second
                    loss = tf.reduce_mean(
                        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
                    )
                variables = [first, shift, second]
                for variable, gradient in zip(variables, tape.gradient(loss, variables)):
                    variable.assign_sub(0.5 * gradient)
                return loss

            x, y = tf.constant(images), tf.constant(labels)
            return [float(step(x, y)) for _ in range(50)]

    ours = losses(part.device)
    error = max(abs(a - b) for a, b in zip(ours, losses("/cpu:0"), strict=True))
    verdict = "met" if error <= 1e-4 else "missed"
    part.page.say(
        f"\nDigits: the loss goes from {ours[0]:.4f} to {ours[-1]:.4f} in 50 steps; the CPU's "
        f"differs by at most {error:.2g} (at most 1e-4: {verdict})."
    )


def keras_step(part: Part) -> None:
    """An epoch of ``fit`` over arrays beside the same steps written for JAX."""
    width, size, steps = (64, 32, 8) if part.is_small else (1024, 512, 100)
    numbers = np.random.default_rng(1)
    x = numbers.normal(size=(size * steps, width)).astype(np.float32)
    y = numbers.normal(size=(size * steps, 10)).astype(np.float32)
    with tf.device(part.device):
        layers = keras.layers
        model = keras.Sequential([
            keras.Input((width,)), layers.Dense(width, "relu"), layers.Dense(width, "relu"),
            layers.Dense(10),
        ])  # fmt: skip
        model.compile(keras.optimizers.Adam(1e-3), "mse")
    weights = [jnp.asarray(w) for w in model.get_weights()]

    def loss_of(weights: Any, x: Any, y: Any) -> Any:
        a, b, c, d, e, f = weights
        hidden = jax.nn.relu(jax.nn.relu(x @ a + b) @ c + d)
        return jnp.mean((hidden @ e + f - y) ** 2)

    @jax.jit
    def epoch(state: Any, x: Any, y: Any) -> Any:
        def step(state: Any, batch: Any) -> Any:
            weights, first, second, count = state
            loss, grads = jax.value_and_grad(loss_of)(weights, *batch)
            count = count + 1
            rate = 1e-3 * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
            first = [m + 0.1 * (g - m) for m, g in zip(first, grads)]
            second = [v + 0.001 * (g * g - v) for v, g in zip(second, grads)]
            weights = [
                w - rate * m / (jnp.sqrt(v) + 1e-7) for w, m, v in zip(weights, first, second)
            ]
            return (weights, first, second, count), loss

        batches = x.reshape(steps, size, -1), y.reshape(steps, size, -1)
        return jax.lax.scan(step, state, batches)

    zeros = [jnp.zeros_like(w) for w in weights]
    state = weights, zeros, zeros, jnp.float32(0)

    def plain() -> None:
        with jax.default_matmul_precision("highest"):
            epoch(state, jnp.asarray(x), jnp.asarray(y))[1].block_until_ready()

    def fitted() -> None:
        with tf.device(part.device):
            model.fit(x, y, batch_size=size, shuffle=False, verbose=0)

    ours, theirs = part.medians(fitted, plain, most=10)
    what = f"Keras, a step of {steps} in one call, Adam, width {width}, batch {size}"
    part.page.times(what, ours / steps, theirs / steps, 1.1)


def lstm(part: Part) -> None:
    """The gradient of an LSTM over a sequence."""
    count, rows, units = (10, 4, 8) if part.is_small else (100, 128, 512)
    numbers = np.random.default_rng(2)
    x = numbers.normal(size=(count, rows, units)).astype(np.float32)
    w = (numbers.normal(size=(2 * units, 4 * units)) / np.sqrt(units)).astype(np.float32)
    zeros = np.zeros((rows, units), np.float32)
    with tf.device(part.device):
        inputs, weights, start = tf.constant(x), tf.constant(w), tf.constant(zeros)

    @tf.function
    def gradient(inputs: Any, weights: Any, start: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(weights)
            h, c = start, start
            for row in inputs:
                i, f, g, o = tf.split(tf.concat([row, h], 1) @ weights, 4, axis=1)
                c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
                h = tf.sigmoid(o) * tf.tanh(c)
            loss = tf.reduce_sum(h * h)
        return tape.gradient(loss, weights)

    def loss_of(weights: Any, inputs: Any) -> Any:
        def step(state: Any, row: Any) -> Any:
            h, c = state
            i, f, g, o = jnp.split(jnp.concatenate([row, h], 1) @ weights, 4, axis=1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

        (h, _), _ = jax.lax.scan(step, (jnp.asarray(zeros), jnp.asarray(zeros)), inputs)
        return jnp.sum(h * h)

    plain_gradient = jax.jit(jax.grad(loss_of))
    on_jax = jnp.asarray(w), jnp.asarray(x)

    def plain() -> Any:
        with jax.default_matmul_precision("highest"):
            return np.asarray(plain_gradient(*on_jax)[0, 0])

    def traced() -> Any:
        with tf.device(part.device):
            return gradient(inputs, weights, start)[0, 0].numpy()

    np.testing.assert_allclose(traced(), plain(), rtol=1e-2)
    ours, theirs = part.medians(traced, plain)
    what = f"gradient of an LSTM, {count} steps, batch {rows}, {units} units"
    part.page.times(what, ours, theirs, 1.1)


def product(part: Part) -> None:
    """A product of two matrices of bfloat16."""
    size = 256 if part.is_small else 8192
    x = np.random.default_rng(3).normal(size=(size, size)).astype(np.float32)
    with tf.device(part.device):
        ours_x = tf.cast(tf.constant(x), tf.bfloat16)
    plain_x = jnp.asarray(x).astype(jnp.bfloat16)
    plain_product = jax.jit(jnp.matmul)

    def placed() -> Any:
        with tf.device(part.device):
            return (ours_x @ ours_x)[0, 0].numpy()

    ours, theirs = part.medians(placed, lambda: np.asarray(plain_product(plain_x, plain_x)[0, 0]))

    speeds = [f"{2 * size**3 / seconds / 1e12:.3g} TFLOP/s" for seconds in (ours, theirs)]
    part.page.row(f"product of bfloat16, {size} x {size}", *speeds, ours / theirs, 1 / 0.95)


def eager(part: Part) -> None:
    """What an eager operation on a small tensor takes, beside torch if that is there."""
    count = 100 if part.is_small else 1000
    with tf.device(part.device):
        x = tf.constant(np.ones(16, np.float32))
    plain_x, plain_add = jnp.ones(16), jax.jit(jnp.add)

    def placed() -> None:
        with tf.device(part.device):
            y = x
            for _ in range(count):
                y = y + x
            y.numpy()

    def plain() -> None:
        y = plain_x
        for _ in range(count):
            y = plain_add(y, plain_x)
        np.asarray(y)

    calls, names = [placed, plain], ["JAX"]
    with contextlib.suppress(ImportError):
        import torch

        torch_x = torch.ones(16, device="cuda" if torch.cuda.is_available() else "cpu")

        def of_torch() -> None:
            y = torch_x
            for _ in range(count):
                y = y + torch_x
            y.cpu()

        calls.append(of_torch)
        names.append("torch")
    ours, *others = part.medians(*calls)
    for name, theirs in zip(names, others, strict=True):
        most = 2.0 if name == "JAX" else 10.0
        part.page.times(f"eager addition, beside {name}", ours / count, theirs / count, most)


PARTS: dict[str, Callable[[Part], None]] = {
    "sweep": sweep, "digits": digits, "product": product, "lstm": lstm, "keras": keras_step,
    "eager": eager,
}  # fmt: skip


def main() -> int:
    """Run all parts; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true", help="small sizes, as without a GPU")
    parser.add_argument("--seconds", type=float, default=240.0, help="time for all parts")
    parser.add_argument("parts", nargs="*", help=f"parts to run: {', '.join(PARTS)}")
    options = parser.parse_args()
    unknown = sorted(set(options.parts) - set(PARTS))
    if unknown:
        parser.error(f"there is no part {', '.join(unknown)}: choose from {', '.join(PARTS)}")
    page = Page()
    is_small = options.small or IS_CPU
    device = next(d.name for d in tf.config.list_logical_devices() if d.device_type != "CPU")
    page.say(f"Python {sys.version.split()[0]}, JAX {jax.__version__}, {jax.devices()[0]}")
    spent = time.perf_counter() - START
    virtual = " (virtual: the CPU computes)" if IS_CPU else ""
    page.say(f"device: {device}{virtual}; found in {spent:.1f} s")
    for name in options.parts or PARTS:
        seconds = SHARES[name] * (options.seconds - spent)
        try:
            PARTS[name](Part(page, device, is_small, seconds))
        except Exception:
            page.failures.append(name)
            traceback.print_exc()
    page.say(f"\n{time.perf_counter() - START:.0f} s in all")
    if page.failures:
        page.say(f"parts that raised: {', '.join(page.failures)}")
    return 1 if page.failures else 0


if __name__ == "__main__":
    sys.exit(main())
