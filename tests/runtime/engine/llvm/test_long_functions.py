"""Long functions: their checks share the blocks that call kernels, and LLVM optimises little."""

from __future__ import annotations

import pytest

import autograph
import runtime as tf

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
    monkeypatch.setattr("runtime.engine.llvm.codegen.LONG", LINES)
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
