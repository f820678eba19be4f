"""Long functions: their checks share the blocks that call kernels, and LLVM optimises little."""

from __future__ import annotations

import re

import numpy as np
import pytest

import autograph
import runtime as tf
from runtime.engine.llvm.machine_code import compile_text
from runtime.engine.llvm.vector_math import processor

pytest.importorskip("llvmlite")

LINES = 60


def long_function(in_loop):
    """A function of many checked operations, with a list that an error releases."""
    body = [
        ("v = (v * x) % 1000003", "w = w // 7 + x * v - y", "items.append(v)", "w -= y * y")[n % 4]
        for n in range(LINES)
    ]
    head, margin = ["def f(x, y, turns):", "    v = w = x", "    items = [y]"], "    "
    if in_loop:
        head, margin = [*head, "    for _ in range(turns):"], "        "
    lines = [*head, *[margin + line for line in body], "    return v, w, items[-1], len(items)"]
    return autograph.exec_source("\n".join(lines) + "\n")["f"]


def outcome(function, *args):
    try:
        return function(*args)
    except OverflowError as error:
        return str(error), *error.__notes__


@pytest.mark.parametrize("in_loop", [False, True])
def test_long_functions_give_what_the_reference_gives(in_loop, monkeypatch):
    monkeypatch.setattr("runtime.engine.llvm.function_code.LONG", LINES)
    monkeypatch.setattr("runtime.engine.llvm.native.LONG", LINES)
    python = long_function(in_loop)
    native, reference = (tf.jit(python, jit_compile=choice) for choice in (True, False))
    assert native(2, 3, 2) == reference(2, 3, 2) == python(2, 3, 2)
    texts = set()
    for args in [(2, 2**62, 2), (3_037_000_500, 5, 2), (2**62, 3, 2), (5, 3_037_000_499, 2)]:
        text = outcome(native, *args)
        assert text == outcome(reference, *args)
        texts.add(text)
    assert len(texts) == 4, "each overflow is in another operation, or of other inputs"


def test_loops_that_are_compiled_apart_keep_functions_of_several_lanes(monkeypatch):
    """Only an attribute of the call names them: without them the loop is not vectorised."""
    lanes = processor.host().lanes("float32")
    if lanes < 2:
        pytest.skip("the processor has no vectors")
    texts = []

    def compiled(text, effort):
        texts.append(text)
        return compile_text(text, effort)

    monkeypatch.setattr("runtime.engine.llvm.native.LONG_TEXT", 0)
    monkeypatch.setattr("runtime.engine.llvm.native.compile_text", compiled)
    x = np.linspace(-9, 9, 100, dtype=np.float32)
    sines = tf.function(tf.sin, jit_compile=True)(tf.constant(x))
    np.testing.assert_allclose(sines.numpy(), np.sin(x), atol=1e-6)
    assert f"@rt_sin_v{lanes}f32(<{lanes} x float> %x0) {{" in texts[-1]


def test_loops_that_are_compiled_apart_give_what_the_reference_gives(monkeypatch):
    """A training loop: of long modules the loops are one module, and the rest another."""
    monkeypatch.setattr("runtime.engine.llvm.native.LONG_TEXT", 0)
    rows = np.linspace(-1, 1, 48, dtype=np.float32).reshape(4, 12)

    def outcome(jit):
        weights = [tf.Variable(rows[:, :4]), tf.Variable(rows[0]), tf.Variable(0.5)]

        @tf.function(jit_compile=jit)
        def train(steps):
            for step in tf.range(steps):
                with tf.GradientTape() as tape:
                    hidden = tf.tanh(weights[0] @ rows + weights[1]) * weights[2]
                    loss = tf.reduce_sum(tf.square(hidden - tf.nn.softmax(hidden)))
                tf.debugging.assert_less(step, 5)
                for weight, change in zip(weights, tape.gradient(loss, weights), strict=True):
                    weight.assign_sub(0.01 * change)
            return loss, tf.argsort(hidden[0]), tf.argmax(hidden, axis=1)

        found = tf.nest.map_structure(lambda t: t.numpy(), train(4))
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            train(7)
        return [*found, *(weight.numpy() for weight in weights)], str(caught.value)

    (native, error), (reference, wanted) = outcome(True), outcome(False)
    assert error == wanted
    for one, other in zip(native, reference, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def test_the_text_of_loops_that_are_compiled_apart_is_the_same_in_each_process():
    """Else the object cache would miss: the order of a set of names differs between processes."""
    from runtime.engine.llvm.loops_apart import loops_apart

    names = [f"loop{n}" for n in range(40)]
    bodies = [
        f"define internal void @{name}(i64 %n0) noinline {{\nentry:\n  br label %head1\nhead1:\n"
        "  ret void\n}" for name in names
    ]  # fmt: skip
    calls = "\n".join(f"  call void @{name}(i64 3)" for name in names)
    text = "\n".join([*bodies, f"define void @main() {{\nentry:\n{calls}\n  ret void\n}}"])
    outer = loops_apart(text).outer
    assert re.findall(r"declare void @(\w+)", outer) == names


def test_fusions_that_do_the_same_share_a_loop():
    @tf.function(jit_compile=True)
    def scaled(x, y):
        first, second = x @ x, y @ y
        return first * 0.5 + 1.0, second * 0.5 + 1.0

    x, y = np.eye(4, dtype=np.float32), np.eye(7, dtype=np.float32)
    text = scaled.get_concrete_function(x, y).llvm_ir()
    assert text.count("define internal void @fusion") == 1
    for found, square in zip(scaled(x, y), (x, y), strict=True):
        assert found.numpy().tolist() == (square * 0.5 + 1).tolist()


def test_many_loops_are_compiled_quickly():
    """LLVM's time grows with the square of their number in one function."""
    from runtime.engine.llvm import native
    from runtime.engine.llvm.machine_code import QUICK, USUAL
    from tests.runtime.engine.llvm.native_programs import lowered_modules

    for count, effort in ((2, USUAL), (native.MANY_LOOPS + 1, QUICK)):
        lines = ["def many(x, n):"]
        for k in range(count):
            lines += ["    for i in range(n):", f"        x = x * 0.5 + {k}.25"]
        program = autograph.exec_source("\n".join([*lines, "    return x"]) + "\n")["many"]
        with lowered_modules() as modules:
            staged = tf.jit(program, jit_compile=True, strict=True)
            assert staged(1.5, 3) == program(1.5, 3)
        assert [native.effort_for(module) for module in modules] == [effort]
