"""Every example, run four ways: plain, converted eagerly, by Session and by function.

All four must give the same values, dtypes and printed text, and the value known from elsewhere.
"""

from __future__ import annotations

import importlib.util
import runpy
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import autograph
import runtime as tf
from tests.support import ROOT, nightly
from tests.support.nightly import always

FOLDER = ROOT / "examples"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))

# What each example must give, worked out by hand or with NumPy below; None: see the named test.
KNOWN: dict[str, Any] = {
    "collatz": 111,
    "sum_even": 20,
    "first_even": 8,
    "square_if_positive": -3.5,
    "newton_root": 1.4142135,
    "edit_distance": 3,
    "fizzbuzz": 7,
    "bouncing_ball": None,
    "mandelbrot": None,
    "beam_search": None,
    "lstm": None,
    "stable_softplus": None,
    "kfac_matmul": None,
    "kfac_mlp": None,
    "maml": None,
    "neural_ode": None,
    "lbfgs": None,
}


def load(name: str) -> ModuleType:
    """The example as a module, by its path: `examples` is not a package."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def leaves(result: Any) -> list[np.ndarray]:
    """A result, single or tuple, as arrays with TensorFlow's dtypes."""
    results = result if isinstance(result, tuple) else (result,)
    return [tf.convert_to_tensor(r).numpy() for r in results]


def plain(main: Callable[..., Any], arguments: tuple) -> list[np.ndarray]:
    return leaves(main(*arguments))


def converted(main: Callable[..., Any], arguments: tuple) -> list[np.ndarray]:
    return leaves(autograph.to_graph(main)(*arguments))


def by_session(main: Callable[..., Any], arguments: tuple) -> list[np.ndarray]:
    feed = {}
    with tf.Graph().as_default(), tf.Session() as session:
        handles = []
        for value in arguments:
            if isinstance(value, tf.Tensor):
                handles.append(tf.placeholder(value.dtype, value.shape))
                feed[handles[-1]] = value.numpy()
            else:
                handles.append(value)
        result = autograph.to_graph(main)(*handles)
        fetches = result if isinstance(result, tuple) else (result,)
        return list(session.run([tf.convert_to_tensor(f) for f in fetches], feed))


def by_function(main: Callable[..., Any], arguments: tuple) -> list[np.ndarray]:
    staged = tf.function(main, experimental_autograph_options=autograph.Feature.PRINT)
    return leaves(staged(*arguments))


WAYS = {"converted": converted, "session": by_session, "function": by_function}


def ways_of(name: str) -> dict[str, Callable[..., Any]]:
    """The ways of an example: all of them nightly, else a function and one of the other two."""
    if nightly.EVERYTHING:
        return WAYS
    chosen = ("converted", "session")[NAMES.index(name) % 2], "function"
    return {way: WAYS[way] for way in chosen}


def test_every_example_is_known() -> None:
    assert set(NAMES) == set(KNOWN)


@pytest.mark.parametrize("name", NAMES)
def test_same_values_dtypes_and_text(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    module = load(name)
    main = getattr(module, name)
    expected = plain(main, module.inputs())
    text = capsys.readouterr().out
    for way, run in ways_of(name).items():
        actual = run(main, module.inputs())
        assert capsys.readouterr().out == text, way
        assert [a.dtype for a in actual] == [e.dtype for e in expected], way
        for a, e in zip(actual, expected, strict=True):
            np.testing.assert_allclose(a, e, rtol=1e-6, atol=1e-6, err_msg=way)


@pytest.mark.parametrize("name", [name for name in NAMES if KNOWN[name] is not None])
def test_known_value(name: str) -> None:
    module = load(name)
    (value,) = plain(getattr(module, name), module.inputs())
    np.testing.assert_allclose(value, KNOWN[name], rtol=1e-5)


@pytest.mark.parametrize("name", always(["edit_distance", "fizzbuzz", "mandelbrot"], NAMES))
def test_prints_something(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("name", always(["collatz", "kfac_mlp"], NAMES))
def test_runs_as_a_script(name: str) -> None:
    ran = subprocess.run(
        [sys.executable, str(FOLDER / f"{name}.py")],
        capture_output=True,
        text=True,
        timeout=60,
        env={"PYTHONPATH": str(FOLDER.parent), "PATH": "", "HOME": "/nonexistent"},
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip()


def test_fizzbuzz_text(capsys: pytest.CaptureFixture[str]) -> None:
    by_function(load("fizzbuzz").fizzbuzz, (tf.constant(15),))
    assert capsys.readouterr().out.split() == (
        "1 2 Fizz 4 Buzz Fizz 7 8 Fizz Buzz 11 Fizz 13 14 FizzBuzz".split()
    )


def test_mandelbrot_against_numpy() -> None:
    module = load("mandelbrot")
    re, im, limit = module.inputs()
    c = re.numpy() + 1j * im.numpy()
    z, turns = np.zeros_like(c), np.zeros(c.shape, np.int32)
    for _ in range(int(limit)):
        inside = z.real**2 + z.imag**2 <= 4
        turns += inside
        z = np.where(inside, z * z + c, z)
    (actual,) = by_function(module.mandelbrot, (re, im, limit))
    # float32 against float64: single points on the border may leave a turn earlier or later.
    assert np.mean(actual != turns) < 0.01
    assert actual.max() == limit.numpy() and actual.min() == 1


def test_beam_search_against_full_search() -> None:
    """With a beam as wide as the number of sentences the search is exhaustive."""
    module = load("beam_search")
    log_probs, start, _, _ = module.inputs()
    sentences, scores = by_function(module.beam_search, (log_probs, start, 16, 2))
    table = log_probs.numpy()
    first = int(start.numpy())
    every = {(a, b): table[first, a] + table[a, b] for a in range(4) for b in range(4)}
    best = sorted(every.values(), reverse=True)
    np.testing.assert_allclose(scores[:6], best[:6], rtol=1e-5)
    for sentence, score in zip(sentences[:6], scores[:6]):
        np.testing.assert_allclose(every[tuple(sentence)], score, rtol=1e-5)


def test_lstm_against_numpy() -> None:
    module = load("lstm")
    xs, lengths, weights, bias = (np.asarray(value) for value in module.inputs())

    def sigmoid(v: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-v))

    units = bias.shape[0] // 4
    for row, length in enumerate(lengths):
        h, c = np.zeros(units), np.zeros(units)
        for x in xs[:length, row]:
            i, f, g, o = np.split(np.concatenate([x, h]) @ weights + bias, 4)
            c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
            h = sigmoid(o) * np.tanh(c)
        actual_h, actual_c = by_function(module.lstm, module.inputs())
        np.testing.assert_allclose(actual_h[row], h, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(actual_c[row], c, rtol=1e-4, atol=1e-5)


def test_bouncing_ball_comes_to_rest_or_runs_out() -> None:
    module = load("bouncing_ball")
    height, bounce, step, end = module.inputs()
    bounces, rest = by_function(module.bouncing_ball, (height, bounce, step, end))
    assert bounces > 3 and 0 < rest < end.numpy()
    bounces, rest = by_function(module.bouncing_ball, (height, bounce, step, tf.constant(0.1)))
    assert bounces == 0 and rest == np.float32(0.1)


def test_stable_softplus_stays_finite() -> None:
    module = load("stable_softplus")
    x = module.inputs()[0].numpy().astype(np.float64)
    for way in WAYS.values():
        _, gradient = way(module.stable_softplus, module.inputs())
        np.testing.assert_allclose(gradient, 1 / (1 + np.exp(-x)), rtol=1e-5, atol=1e-7)


def test_kfac_matmul_fits_where_plain_gradients_do_not() -> None:
    module = load("kfac_matmul")
    x, targets, weights, rate = module.inputs()
    _, loss = by_function(module.kfac_matmul, (x, targets, weights, rate))
    module.layer = tf.matmul
    best = min(
        by_function(module.kfac_matmul, (x, targets, weights, tf.constant(r)))[1]
        for r in (0.001, 0.01, 0.02)
    )
    assert loss < 0.1 * best


def test_kfac_trains_a_network_faster_than_gradient_descent() -> None:
    module = load("kfac_mlp")
    before, after = by_function(module.kfac_mlp, module.inputs())
    assert after < 1e-3 * before
    left = []
    for rate in (0.2, 0.4, 0.6):
        module.preconditioned = lambda gradient, *_, rate=rate: rate * gradient
        left.append(by_function(module.kfac_mlp, module.inputs())[1])
    assert after < 0.05 * np.nanmin(left)


def test_maml_is_the_slope_of_the_loss_after_training() -> None:
    module = load("maml")
    phases, x, weights, steps, rate = [tf.cast(v, tf.float64) for v in module.inputs()]
    steps = 3

    def total(weights: tf.Tensor) -> tf.Tensor:
        parts = [module.after_training(phase, x, weights, steps, rate) for phase in phases]
        return tf.add_n(parts)

    with tf.GradientTape() as tape:
        tape.watch(weights)
        found = total(weights)
    slope = tape.gradient(found, weights).numpy()
    step = 1e-5 * np.cos(np.arange(24.0)).reshape(3, 8)
    difference = (total(weights + step) - total(weights - step)).numpy() / 2
    np.testing.assert_allclose(np.sum(slope * step), difference, rtol=1e-6)
    _, losses = by_function(module.maml, module.inputs())
    assert losses[-1] < 0.25 * losses[0]


def test_neural_ode_and_its_gradient() -> None:
    module = load("neural_ode")
    y, goal, weights, end, _ = [tf.cast(v, tf.float64) for v in module.inputs()]
    fine = tf.constant(1e-5, tf.float64)
    found, _, slope = by_function(module.neural_ode, (y, goal, weights, end, fine))
    value, matrix = y.numpy(), weights.numpy()
    for _ in range(6000):  # the same equation by small steps
        value = value + 5e-4 * matrix @ np.tanh(value + 2.5e-4 * matrix @ np.tanh(value))
    np.testing.assert_allclose(found, value, atol=1e-3)
    change = np.array([[0.3, -0.2], [0.5, 1.0]])

    def distance(amount: float) -> float:
        moved = tf.constant(matrix + amount * change)
        return float(by_function(module.neural_ode, (y, goal, moved, end, fine))[1])

    difference = (distance(1e-4) - distance(-1e-4)) / 2e-4
    np.testing.assert_allclose(np.sum(slope * change), difference, rtol=1e-3)


def test_lbfgs_finds_the_end_of_the_valley() -> None:
    module = load("lbfgs")
    for way in ways_of("lbfgs").values():
        x, value = way(module.lbfgs, module.inputs())
        np.testing.assert_allclose(x, np.ones(4), atol=1e-6)
        assert value < 1e-12
