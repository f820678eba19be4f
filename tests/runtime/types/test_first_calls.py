"""First calls that take long say what they do where somebody sees it, and leave nothing behind."""

from __future__ import annotations

import io
import threading
import time
import types

import pytest

import runtime as tf
from runtime.types import first_calls
from runtime.types.flags import FIRST_CALLS


class Terminal(io.StringIO):
    """Text that says it is a terminal; ``shown`` is set when something is written."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.shown.set()
        return super().write(text)


@pytest.fixture
def terminal(monkeypatch):
    terminal = Terminal()
    streams = types.SimpleNamespace(stderr=terminal)
    monkeypatch.setattr(first_calls, "sys", streams)  # sys.stderr itself pytest replaces
    monkeypatch.setattr(first_calls, "AFTER", 0.01)
    return terminal


def visible(text):
    """What a terminal shows in the end of one line: a carriage return begins it anew."""
    line = ""
    for part in text.split("\r"):
        line = part + line[len(part) :]
    return line.rstrip()


def test_a_long_trace_says_what_it_does_and_is_gone(terminal):
    @tf.function
    def slow(x):
        assert terminal.shown.wait(20)
        return x + 1.0

    assert slow(tf.constant(1.0)).numpy() == 2.0
    assert "tracing slow ..." in terminal.getvalue() and visible(terminal.getvalue()) == ""


def test_the_compiler_says_how_much_it_compiles(terminal, monkeypatch):
    pytest.importorskip("llvmlite")
    from runtime.engine.llvm import native

    original = native.NativeCode.__init__

    def slow(self, *args):
        terminal.shown.clear()
        assert terminal.shown.wait(20)
        original(self, *args)

    monkeypatch.setattr(native.NativeCode, "__init__", slow)
    tf.function(lambda x: x * 2.0 + 1.0, jit_compile=True)(tf.constant([1.0, 2.0]))
    assert "operations ..." in terminal.getvalue() and "\rcompiling " in terminal.getvalue()
    assert visible(terminal.getvalue()) == ""


def test_short_calls_and_files_and_the_flag_show_nothing(terminal, monkeypatch):
    monkeypatch.setattr(first_calls, "AFTER", 60)
    with first_calls.phase("short"):
        pass
    monkeypatch.setattr(first_calls, "AFTER", 0.0)
    with FIRST_CALLS(False), first_calls.phase("off"):
        threading.Event().wait(0.05)
    file = io.StringIO()
    first_calls.sys.stderr = file
    with first_calls.phase("not seen"):
        threading.Event().wait(0.05)
    first_calls.sys.stderr = None
    with first_calls.phase("no output"):
        pass
    assert terminal.getvalue() == file.getvalue() == ""


def test_notebooks_show_it(terminal):
    class OutStream(io.StringIO):
        __module__ = "ipykernel.iostream"

    first_calls.sys.stderr = stream = OutStream()
    with first_calls.phase("tracing"):
        deadline = time.monotonic() + 20
        while not stream.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
    assert "tracing ..." in stream.getvalue() and visible(stream.getvalue()) == ""


def test_an_error_in_the_block_leaves_nothing_behind(terminal):
    with pytest.raises(ZeroDivisionError), first_calls.phase("dividing"):
        terminal.shown.wait(20)
        1 / 0
    assert visible(terminal.getvalue()) == "" and not first_calls._phases

