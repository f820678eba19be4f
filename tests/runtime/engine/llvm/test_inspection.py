"""What users see of the native engine: the stages of a function, reports, names for perf."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

import runtime as tf
from runtime.engine.llvm.debug import symbols, write_perf_map
from runtime.errors import UnimplementedError
from runtime.types import flags
from tests.support.extras import needs


def halvings(n):
    count = 0
    while n > 1:
        n = n // 2
        count += 1
    return count


class TestStages:
    def test_kernel_ir_names_ops_and_the_lines_of_the_user(self):
        text = tf.jit(halvings).kernel_ir(27)
        line = halvings.__code__.co_firstlineno + 3
        assert text.startswith("func main(%1: i64) -> (i64):\n")
        assert re.search(
            rf"%\d+: i64 = floordiv %\d+, 2 else floordiv +# test_inspection.py:{line}\n", text
        )

    def test_without_arguments_the_latest_trace(self):
        staged = tf.jit(halvings)
        with pytest.raises(TypeError, match="missing a required argument: 'n'"):
            staged.kernel_ir()
        assert staged(27) == 4
        assert staged.kernel_ir() == staged.kernel_ir(27)
        assert staged(27.0) == 4
        assert staged.kernel_ir() == staged.kernel_ir(5.0) != staged.kernel_ir(27)

    def test_llvm_ir_and_assembly(self):
        staged = tf.jit(halvings)
        assert "define ptr @entry(ptr %ctx, ptr %args, i64 %count)" in staged.llvm_ir(27)
        trace = staged.get_concrete_function(27)
        assert trace.llvm_ir() == staged.llvm_ir(27)
        assert trace.kernel_ir() == staged.kernel_ir()

    @needs("jit")
    def test_assembly(self):
        text = tf.jit(halvings).assembly(27)
        assert "entry:" in text
        assert "PyLong_AsLongLong" in text

    def test_assembly_needs_llvmlite(self, monkeypatch):
        missing = "llvmlite is not installed"
        monkeypatch.setattr("runtime.engine.inspection.unavailable", lambda: missing)
        with pytest.raises(UnimplementedError, match="llvmlite is not installed"):
            tf.jit(halvings).assembly(27)

    @needs("jit")
    def test_the_code_that_runs_is_the_code_that_is_shown(self):
        staged = tf.function(halvings, jit_compile=True, stage_numbers=True)
        before = staged.kernel_ir(27)
        assert staged(27) == 4
        assert staged.kernel_ir() == before


@needs("jit")
class TestReports:
    def run(self, level, capsys):
        with flags.DEBUG(level):
            tf.function(halvings, jit_compile=True, stage_numbers=True)(27)
        return capsys.readouterr().err

    def test_levels(self, capsys):
        assert self.run(0, capsys) == ""
        (line,) = self.run(1, capsys).splitlines()
        assert re.fullmatch(
            r"runtime: halvings: machine code of \d+ instructions, \d+ bytes, in [\d.]+ ms", line
        )
        assert "runtime: halvings: kernel IR\nfunc main(" in self.run(2, capsys)
        assert "define ptr @entry" not in self.run(2, capsys)
        assert "define ptr @entry" in self.run(3, capsys)

    def test_what_is_not_compiled_is_told_with_the_reason(self, capsys, monkeypatch):
        def long(x):
            for _ in range(5):
                x = x + 1
            return x

        monkeypatch.setattr("runtime.engine.llvm.lowering.MOST_INSTRUCTIONS", 4)
        with flags.DEBUG(1), flags.JIT("always"):
            tf.function(long)(tf.constant(1))
        told = capsys.readouterr().err
        assert told.startswith("runtime: long: no machine code: it has more than 4 operations")


PROGRAM = """
import runtime as tf

@tf.function(jit_compile=True, stage_numbers=True)
def halvings(n):
    count = 0
    while n > 1:
        n = n // 2
        count += 1
    return count

assert halvings(27) == 4
"""


@needs("jit")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="perf is Linux's profiler")
def test_perf_finds_names():
    environment = {**os.environ, "RUNTIME_PERF": "1"}
    with subprocess.Popen([sys.executable, "-c", PROGRAM], env=environment) as process:
        assert process.wait() == 0
    path = f"/tmp/perf-{process.pid}.map"
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    finally:
        os.unlink(path)
    entries = [line for line in lines if line.endswith(" native::halvings::entry")]
    assert len(entries) == 1
    address, size, _ = entries[0].split()
    assert int(address, 16) > 0
    assert int(size, 16) > 0


@needs("jit")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="perf is Linux's profiler")
@pytest.mark.parametrize("planted", ["os.symlink(target, path)", "os.mkfifo(path)"])
def test_perf_map_follows_no_link_and_waits_for_no_pipe(tmp_path, planted):
    target = tmp_path / "target"
    target.write_text("kept")
    place = "path = f'/tmp/perf-{os.getpid()}.map'"
    head = f"import os; {place}; target = {str(target)!r}; {planted}"
    tail = "os.unlink(path)"
    done = subprocess.run(
        [sys.executable, "-c", f"{head}\n{PROGRAM}\n{tail}"], capture_output=True, text=True,
        env={**os.environ, "RUNTIME_PERF": "1"}, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert target.read_text() == "kept"
    assert "is not written for perf" in done.stderr


def test_files_that_are_no_elf_have_no_symbols(tmp_path):
    assert list(symbols(b"\xcf\xfa\xed\xfe")) == []
    assert list(symbols(b"")) == []
    write_perf_map("x", b"", 1)
