"""Lists of numbers between native functions: as bytes, and as kernels' lists where those are used.
"""

import numpy as np
import pytest

import runtime as tf
from runtime.types.flags import JIT
from tests.runtime.engine.llvm.native_programs import lowered_modules

pytest.importorskip("llvmlite")


def packed(entries, fields):
    """Return what native code gives for entries."""
    from runtime.engine.llvm import kernel_ir as ir
    from runtime.engine.llvm.packed_lists import _dtype_of, to_list

    numbers = {np.dtype(kind): scalar for kind, scalar in ir.NUMBERS.items()}
    type = ir.NativeList(tuple(numbers[np.dtype(field)] for field in fields))
    return to_list(type)(np.array(entries, _dtype_of(type)).tobytes())


def test_entries_are_made_when_they_are_asked_for():
    fields = ["?", "f8", "i8", "f4", "u2"]
    entries = [(True, 0.5, -3, 1.25, 7), (False, -0.0, 2**63 - 1, np.inf, 0)]
    found = packed(entries, fields)
    assert len(found) == 2
    assert list(found) == entries
    assert [value.dtype for value in found[1]] == [np.dtype(field) for field in fields]
    shorter, *last = found.popped()
    assert tuple(last) == entries[1]
    assert list(shorter.pushed(entries[1])) == entries
    assert repr(found) == "<list of 2>"
    assert list(packed([], fields)) == []
    with pytest.raises(AttributeError):
        _ = found.missing


def chain(x):
    y = x
    flag = x > 2.0
    for _ in tf.range(20):
        if y > 1.0:
            y = tf.sin(y) * x
        else:
            y = y * x + 0.25
        flag = y > x
    return y, flag


def gradients(staged):
    """Return the gradients of a staged function, the tape of which is outside."""
    found = []
    for dtype in (tf.float64, tf.float32):
        for value in (0.5, 1.5, -2.0):
            x = tf.constant(value, dtype)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y, _ = staged(x)
            found.append(tape.gradient(y, x).numpy())
    return found


def test_residuals_of_loops():
    with JIT("never"):
        wanted = gradients(tf.function(chain))
    with lowered_modules() as modules:
        found = gradients(tf.function(chain))
    assert modules
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_native_functions_pass_bytes(monkeypatch):
    from runtime.engine.llvm import packed_lists

    made, make = [], packed_lists.PackedList.__init__

    def counted(self, *args):
        made.append(self)
        make(self, *args)

    monkeypatch.setattr(packed_lists.PackedList, "__init__", counted)
    with lowered_modules():
        staged = tf.function(chain)
        gradients(staged)

        def refuse(self, name):
            assert name != "_entries", "the entries are made"
            raise AttributeError(name)

        monkeypatch.setattr(packed_lists.PackedList, "__getattr__", refuse)
        made.clear()
        assert len(gradients(staged)) == 6
        assert len(made) >= 6


@pytest.mark.parametrize("first", ["always", "never"])
def test_forward_and_backward_on_different_engines(first):
    second = "never" if first == "always" else "always"
    x = tf.constant(0.7, tf.float64)
    wanted = None
    for forward, backward in ((first, first), (first, second)):
        with tf.GradientTape() as tape:
            tape.watch(x)
            with JIT(forward):
                y, _ = tf.function(chain)(x)
        with JIT(backward):
            found = tape.gradient(y, x).numpy()
        wanted = found if wanted is None else wanted
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_lists_of_a_function_reach_its_caller():
    def program(n):
        squares, pairs = [], []
        for k in range(n):
            squares.append(k * k)
            pairs.append((k * 0.5, k % 2 == 0))
        return squares, pairs

    with lowered_modules():
        for _ in range(2):
            assert tf.jit(program)(5) == program(5)
        assert tf.jit(program)(0) == program(0)
