"""Every example and every program of tests/programs: native code gives our result to the bit, or
one error says what forbids it.

``jit_compile=True`` is the yardstick.  The shares are printed (``pytest -s``) and may only rise.
"""

from __future__ import annotations

import contextlib
import io
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.examples.test_examples import NAMES, load
from tests.programs import programs
from tests.runtime.export.native_code.exports import Exported, needs_cc
from tests.support.nightly import NIGHTLY, always, selected

pytestmark = needs_cc
PROGRAMS = [(function, inputs) for function, inputs in programs("tensors") if inputs]
SLICE = 80
"""One of so many programs is exported always."""
LEAST = {"always": 7, "nightly": 0.86}
"""How many programs of the slice, and which share of all programs, are exported."""
REFUSED_EXAMPLES = 5
"""How many examples need what exports lack, such as random numbers."""
ROUNDED = {"kfac_matmul"}
"""Programs with products of matrices, which exports compute without BLAS: in another order."""
WORDS = {"index_on_an_untaken_path"}
"""Programs that raise messages of messages, which name operations."""


def traced(function: Any, inputs: Any) -> Any:
    """The trace for some inputs; None for what is not staged."""
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            return tf.function(function, jit_compile=True).get_concrete_function(*inputs)
        except (TypeError, ValueError):
            return None


def flat(values: Any) -> list[Any]:
    """All numbers of a nest, with their dtypes as strings of bytes."""
    arrays = [np.asarray(value) for value in tf.nest.flatten(values) if value is not None]
    return [number for array in arrays for number in array.astype(float).ravel().tolist()]


def described(error: Exception) -> tuple[str, str]:
    words = str(getattr(error, "message", None) or error).partition("\n")[0]
    return type(error).__name__, words.partition(" [Op:")[0]


def check(function: Any, inputs: Any, folder: Any) -> bool | None:
    """Whether a program is exported; fail where it differs, or the refusal names no line."""
    first = [given(value) for value in inputs[0]]
    trace = traced(function, first)
    if trace is None:
        return None
    try:
        native = Exported(trace, folder / "f.so", target="native", name="exported")
    except tf.errors.UnimplementedError as error:
        assert str(error).startswith("export.native: "), error
        return False
    for args in inputs[:3]:
        values = [given(value) for value in args]
        if list(map(kind, values)) == list(map(kind, first)):
            compare(function.__name__, trace, native, values)
    return True


def given(value: Any) -> Any:
    """What a program is called with: functions are parts of the trace."""
    return value if callable(value) else tf.constant(value)


def kind(value: Any) -> Any:
    return value if callable(value) else (value.shape, value.dtype)


def compare(name: str, trace: Any, native: Exported, values: list[Any]) -> None:
    status, results, call = native(*[value.numpy() for value in values if not callable(value)])
    assert not native.heap.blocks, f"{name} leaks"
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            wanted = flat(trace(*values))
    except Exception as error:
        assert status != 0, error
        if name not in WORDS:
            assert (call.exception.decode(), call.message.decode()) == described(error)
        return
    assert status == 0, (name, call.exception, call.message)
    given = [number for result in results for number in flat(result)]
    if name in ROUNDED:
        assert np.allclose(given, wanted, 1e-3, 1e-4)
    else:
        assert np.array_equal(given, wanted, equal_nan=True), (name, given, wanted)


def shares(found: Any, folder: Any) -> tuple[int, int]:
    exported = [check(function, inputs, folder) for function, inputs in found]
    kept = [outcome for outcome in exported if outcome is not None]
    print(f"\nexported: {sum(kept)} of {len(kept)}")
    return sum(kept), len(kept)


@pytest.mark.parametrize("names", always([tuple(NAMES[::12])], [tuple(NAMES[::12]), tuple(NAMES)]))
def test_examples(tmp_path, names):
    modules = [(load(name), name) for name in names]
    examples = [
        (getattr(module, name), [module.inputs()])
        for module, name in modules if hasattr(module, "inputs")
    ]  # fmt: skip
    exported, count = shares(examples, tmp_path)
    assert exported and exported >= count - REFUSED_EXAMPLES


@pytest.mark.parametrize(
    "part", selected([0, *(pytest.param(n, marks=NIGHTLY) for n in range(1, SLICE))])
)
def test_programs(tmp_path, part):
    exported, _ = shares(PROGRAMS[part::SLICE], tmp_path)
    assert part or exported >= LEAST["always"]


@pytest.mark.nightly
def test_share_of_all_programs(tmp_path):
    exported, count = shares(PROGRAMS, tmp_path)
    assert exported >= LEAST["nightly"] * count
