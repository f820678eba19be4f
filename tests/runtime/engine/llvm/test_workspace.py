"""Memory of arrays is kept for the next arrays, and never while anybody refers to an array."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.types.flags import WORKSPACE

pytest.importorskip("llvmlite")
resource = pytest.importorskip("resource")

SIZE = 1 << 16


@pytest.fixture(autouse=True)
def empty_workspace() -> Any:
    """Begin and end without memory of others."""
    tf.config.release_workspace()
    yield
    tf.config.release_workspace()


@tf.function(jit_compile=True)
def chain(x: Any, n: Any) -> tuple[Any, Any]:
    """Give two arrays; others in between go."""
    y = tf.sin(x)
    for _ in tf.range(n):
        y = tf.cumsum(y) * 0.5
    return y, tf.cumsum(y)


def expected(x: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Give what ``chain`` gives, in NumPy."""
    y = np.sin(x)
    for _ in range(n):
        y = np.cumsum(y) * 0.5
    return y, np.cumsum(y)


def check(results: Any, x: np.ndarray, n: int) -> None:
    """Compare results of ``chain`` with NumPy's."""
    for result, wanted in zip(results, expected(x, n), strict=True):
        np.testing.assert_allclose(result, wanted, 1e-9)


def draw(seed: int) -> np.ndarray:
    """Draw numbers."""
    return np.random.default_rng(seed).normal(0, 1, SIZE)


def page_faults() -> int:
    """Page faults of this thread: those of threads that other tests left do not count."""
    who = getattr(resource, "RUSAGE_THREAD", resource.RUSAGE_SELF)
    return int(resource.getrusage(who).ru_minflt)


def test_results_stay_as_they_are_while_later_calls_run() -> None:
    arrays = [draw(seed) for seed in range(12)]
    results = [chain(x, 3) for x in arrays]
    views = [np.asarray(y)[::-2] for y, _ in results]
    for x, pair in zip(arrays, results, strict=True):
        check(pair, x, 3)
    del results, pair
    for x in arrays:
        chain(x, 2)
    for x, view in zip(arrays, views, strict=True):
        np.testing.assert_allclose(view, expected(x, 3)[0][::-2], 1e-9)


def test_jit_gives_arrays_that_the_caller_may_change_and_resize() -> None:
    double = tf.jit(lambda x: np.sin(x) * 2)
    x = draw(0)
    results = [double(x) for _ in range(60)]
    results[0][:] = 0
    results[1].resize(2 * SIZE, refcheck=False)
    results[2].resize(3, refcheck=False)
    for result in (results[1][:SIZE], *results[3:]):
        np.testing.assert_allclose(result, np.sin(x) * 2, 1e-12)
    np.testing.assert_allclose(results[2], np.sin(x[:3]) * 2, 1e-12)
    np.testing.assert_array_equal(results[1][SIZE:], 0)


def test_two_threads_have_memory_of_their_own() -> None:
    failures: list[BaseException] = []

    def run(seed: int) -> None:
        try:
            held = [(draw(seed + number), number % 4) for number in range(8)]
            for _ in range(5):
                results = [chain(x, n) for x, n in held]
                for pair, (x, n) in zip(results, held, strict=True):
                    check(pair, x, n)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in (0, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_recursion_keeps_the_arrays_of_outer_calls() -> None:
    def total(x: Any, n: Any) -> Any:
        if n == 0:
            return np.cumsum(x)
        y = np.sin(x) * n
        z = total(y, n - 1)
        return y + z

    x = draw(1)
    compiled = tf.jit(total)
    for _ in range(40):
        result = compiled(x, 4)
    np.testing.assert_allclose(result, total(x, 4), 1e-9)


def test_what_a_call_that_raises_held_is_kept_for_the_next() -> None:
    @tf.function(jit_compile=True)
    def item(x: Any, index: Any) -> Any:
        y = tf.cumsum(tf.sin(x))
        return tf.gather(y, index) + y

    x = draw(2)
    item(x, 3)
    kept = []
    for _ in range(3):
        with pytest.raises(tf.errors.InvalidArgumentError):
            item(x, SIZE)
        kept.append(tf.config.release_workspace())
    assert kept[1] == kept[2]  # nothing is lost
    y = np.cumsum(np.sin(x))
    np.testing.assert_allclose(item(x, 5), y[5] + y, 1e-9)


def test_a_generator_keeps_what_it_has_between_items() -> None:
    def sums(arrays: list[np.ndarray]) -> Any:
        for x in arrays:
            y, _ = chain(x, 1)
            yield y
            yield y + 0

    arrays = [draw(seed) for seed in range(4)]
    generators = [sums(arrays), sums(arrays[::-1])]
    for x, reverse in zip(arrays, arrays[::-1], strict=True):
        for _ in range(2):
            first, second = (next(generator) for generator in generators)
            np.testing.assert_allclose(first, expected(x, 1)[0], 1e-9)
            np.testing.assert_allclose(second, expected(reverse, 1)[0], 1e-9)


def test_at_most_so_much_memory_is_kept_as_the_flag_says() -> None:
    x = draw(3)
    with WORKSPACE(1):
        tf.config.release_workspace()
        results = [chain(x, 1) for _ in range(20)]
        del results
        assert 0 < tf.config.release_workspace() <= 1 << 20
    with WORKSPACE(0):
        tf.config.release_workspace()
        chain(x, 1)
        assert tf.config.release_workspace() == 0


def test_memory_serves_arrays_of_nearly_the_same_size_and_old_memory_goes() -> None:
    with WORKSPACE(4):
        tf.config.release_workspace()
        for size in range(SIZE, 2 * SIZE, SIZE // 16):
            check(chain(draw(0)[:SIZE // 2].repeat(4)[:size], 2),
                  draw(0)[:SIZE // 2].repeat(4)[:size], 2)
        assert tf.config.release_workspace() <= 4 << 20


def test_a_training_step_has_no_page_faults() -> None:
    @tf.function(jit_compile=True)
    def step(x: Any, v: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch((v, w))
            loss = tf.reduce_sum(tf.nn.gelu(tf.tanh(x @ v) @ w) ** 2)
        return tape.gradient(loss, (v, w))

    shapes = (512, 512), (512, 512), (512, 384)
    inputs = [tf.constant(draw(0)[0] + np.ones(shape, np.float32)) for shape in shapes]
    for _ in range(3):
        gradients = step(*inputs)
    before = page_faults()
    for _ in range(4):
        gradients = step(*inputs)
    assert len(gradients) == 2
    assert page_faults() - before < 100


def test_lists_of_a_loop_are_kept() -> None:
    @tf.function(jit_compile=True)
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            while tf.reduce_sum(y) < 1e5:
                y = y * 1.0003
        return tape.gradient(y, x)

    x = tf.constant(1.0)
    results = [slope(x) for _ in range(3)]
    before = page_faults()
    results += [slope(x) for _ in range(3)]
    assert page_faults() - before < 100
    assert len({float(result) for result in results}) == 1
