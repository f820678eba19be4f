"""When graphs become machine code: ``jit_compile``, sessions' options and ``config.optimizer``."""

from __future__ import annotations

import pytest

import runtime as tf
from runtime.engine.llvm import engine as llvm_engine
from runtime.types.flags import JIT

needs_llvmlite = pytest.mark.skipif(not llvm_engine.is_available(), reason="needs llvmlite")


def total(n):
    result = 0
    for k in range(n):
        result += k * k
    return result


def engine_of(function, *args):
    return function.get_concrete_function(*args).executable.engine


@needs_llvmlite
@pytest.mark.parametrize("wrap", [tf.jit, tf.function])
def test_true_compiles_at_once(wrap):
    compiled = wrap(total, jit_compile=True)
    n = 10 if wrap is tf.jit else tf.constant(10)
    assert compiled(n) == 285
    assert engine_of(compiled, n) == "llvm"


@needs_llvmlite
def test_former_name():
    compiled = tf.function(total, experimental_compile=True)
    assert compiled(tf.constant(10)).numpy() == 285
    assert engine_of(compiled, tf.constant(10)) == "llvm"


@pytest.mark.parametrize("flag", ["auto", "always"])
def test_false_forbids(flag, monkeypatch):
    monkeypatch.setattr(llvm_engine.Promotion, "COMPILE_SECONDS", 0.0)

    def compiled(*_):
        raise AssertionError("machine code was made")

    monkeypatch.setattr(llvm_engine.Promotion, "_compile", compiled)
    with JIT(flag):
        forbidden = tf.jit(total, jit_compile=False)
        for _ in range(3):
            assert forbidden(1000) == total(1000)
        assert engine_of(forbidden, 1000) == "python_codegen"
        assert "jit_compile=False" in forbidden.explain()


@needs_llvmlite
def test_none_promotes_what_is_hot(monkeypatch):
    monkeypatch.setattr(llvm_engine.Promotion, "COMPILE_SECONDS", 0.0)
    compiled = tf.jit(total)
    for _ in range(3):
        assert compiled(1000) == total(1000)
    assert engine_of(compiled, 1000) == "llvm"


def test_true_raises_with_the_reason(monkeypatch):
    for name in ("unavailable", "unloadable"):
        monkeypatch.setattr(llvm_engine, name, lambda: "llvmlite is not installed")
    compiled = tf.jit(total, jit_compile=True)
    with pytest.raises(tf.errors.UnimplementedError, match="llvmlite is not installed"):
        compiled(3)
    with JIT("always"):  # which does not insist
        assert tf.jit(total)(3) == 5


@needs_llvmlite
def test_true_raises_for_graphs_that_are_too_long(monkeypatch):
    from runtime.engine.llvm import lowering

    monkeypatch.setattr(lowering, "MOST_INSTRUCTIONS", 2)
    with pytest.raises(tf.errors.UnimplementedError, match="more than 2 operations"):
        tf.jit(total, jit_compile=True)(3)
    with JIT("always"):
        assert tf.jit(total)(3) == 5


def _session_engine(level, flag):
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, ())
        y = x * 2.0 + 1.0
    options = tf.OptimizerOptions(global_jit_level=level)
    config = tf.ConfigProto(graph_options=tf.GraphOptions(optimizer_options=options))
    with JIT(flag), tf.Session(graph=graph, config=config) as session:
        assert session.run(y, {x: 3.0}) == 7.0
        ((executable, _),) = session._executables.values()
        return executable.engine


@needs_llvmlite
@pytest.mark.parametrize(("level", "flag", "engine"), [
    ("ON_1", "never", "llvm"), ("ON_2", "auto", "llvm"), ("OFF", "always", "python_codegen"),
    ("DEFAULT", "always", "llvm"), ("DEFAULT", "auto", "python_codegen"),
])  # fmt: skip
def test_sessions(level, flag, engine):
    assert _session_engine(getattr(tf.OptimizerOptions, level), flag) == engine


def test_config():
    before = JIT.value
    try:
        for enabled, value, name in (
            (True, "always", "autoclustering"), (False, "never", ""),
            ("autoclustering", "auto", "autoclustering"),
        ):  # fmt: skip
            tf.config.optimizer.set_jit(enabled)
            assert JIT.value == value
            assert tf.config.optimizer.get_jit() == name
        with pytest.raises(ValueError, match="'often'"):
            tf.config.optimizer.set_jit("often")
    finally:
        JIT.set(before)
