"""Other platforms: objects for all targets, WebAssembly in node, aarch64 and riscv64 in qemu."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest

import runtime as tf
from tests.runtime.export.native_code import programs
from tests.runtime.export.native_code.exports import compiled, int32, int64, needs_cc, output
from tests.support import nightly
from tests.support.extras import needs

MAGIC = {
    "x86-64": b"\x7fELF", "x86-64-v3": b"\x7fELF", "x86-64-v4": b"\x7fELF", "aarch64": b"\x7fELF",
    "riscv64": b"\x7fELF", "thumb": b"\x7fELF", "thumb-m0": b"\x7fELF", "wasm32": b"\0asm",
    "windows": b"\x64\x86", "windows-gnu": b"\x64\x86", "macos": b"\xcf\xfa\xed\xfe",
    "macos-x86-64": b"\xcf\xfa\xed\xfe",
}  # fmt: skip
NODE = shutil.which("node")


def test_objects_of_all_targets(tmp_path):
    from runtime.export.native_code.targets import TARGETS

    assert MAGIC.keys() == TARGETS.keys()
    one_of_each_format = {magic: name for name, magic in MAGIC.items()}.values()
    for name in MAGIC if nightly.EVERYTHING else one_of_each_format:
        path = tmp_path / f"{name}.o"
        tf.export.native(programs.sum_of_evens, path, name, input_signature=[int32])
        image = path.read_bytes()
        assert image.startswith(MAGIC[name]), name
        assert not [word for word in (b"Py_", b"PyArray", b"PyErr") if word in image], name
        assert len(image) < 12_000, name


def test_names_of_platforms_and_processors(tmp_path):
    path = tmp_path / "f.o"
    kinds = [int32]
    tf.export.native(programs.collatz, path, "aarch64-linux-musl", input_signature=kinds)
    tf.export.native(programs.collatz, path, "x86-64", cpu="znver4", input_signature=kinds)
    before = path.read_bytes()
    for target, cpu, words in (
        ("x86-65", None, "there is no target 'x86-65'; did you mean 'x86-64'?"),
        ("x86-64", "znver44", "LLVM knows no processor 'znver44' of x86_64-unknown-linux-gnu"),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match="export.native: ") as error:
            tf.export.native(programs.collatz, path, target, cpu=cpu, input_signature=kinds)
        assert words in str(error.value)
    for name in ("f.exe", "f", "missing/f.o"):
        with pytest.raises(tf.errors.OpError):
            tf.export.native(programs.collatz, tmp_path / name, input_signature=kinds)
    with pytest.raises(tf.errors.InvalidArgumentError, match="go together"):
        tf.export.native(programs.collatz, tmp_path / "f.so", "wasm32", input_signature=kinds)
    assert path.read_bytes() == before
    assert {file.name for file in tmp_path.iterdir()} == {"f.o", "f.h"}


def test_without_a_compiler_there_is_one_error(tmp_path, monkeypatch):
    from runtime.export.native_code import toolchain

    monkeypatch.setattr(toolchain.shutil, "which", lambda name: None)
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(toolchain.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(tf.errors.UnimplementedError, match=r"pip install 'pyautograph\[native\]'"):
        tf.export.native(programs.collatz, tmp_path / "f.so", input_signature=[int32])
    assert not [*tmp_path.iterdir()]


@needs("native")
@pytest.mark.skipif(NODE is None, reason="no node")
def test_webassembly_in_node(tmp_path):
    def waves(x):
        return tf.exp(-x) * tf.sin(x) + tf.tanh(x), tf.reduce_sum(x)

    def asked(name, calls):
        program = (
            f"import {{ load }} from './{name}.mjs'; import fs from 'fs';"
            f"const f = await load(fs.readFileSync('{name}.wasm'));"
            "const show = (_, v) => ArrayBuffer.isView(v) ? Array.from(v, Number)"
            " : typeof v === 'bigint' ? Number(v) : v;"
            f"console.log(JSON.stringify([{calls}], show));"
        )
        command = [NODE, "--input-type=module", "-e", program]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    signature = [tf.TensorSpec([None], tf.float64)]
    tf.export.native(waves, tmp_path / "waves.wasm", input_signature=signature)
    x = [0.1, 0.5, 2.0]
    (given,) = asked("waves", f"f({x}, 3)")
    values, total = waves(tf.constant(x, tf.float64))
    assert given["result0"]["sizes"] == [3]
    assert np.allclose(given["result0"]["values"], values.numpy(), 1e-14)
    assert given["result1"] == total.numpy()
    tf.export.native(programs.quotient, tmp_path / "q.wasm", input_signature=[int64, int64])
    attempt = (
        "((a, b) => { try { return f(a, b) } catch (e) { return `${e.name}: ${e.message}` } })"
    )
    assert asked("q", f"{attempt}(-7, 2), {attempt}(1, 0)") == [
        {"result": -4}, "InvalidArgumentError: Integer division by zero"
    ]  # fmt: skip
    assert (tmp_path / "q.wasm").stat().st_size < 3000


_START = """
#include "q.h"
static void leave(long code) {{
  {leave}
  for (;;) {{}}
}}
void _start(void) {{
  static autograph_call call;
  int64_t result = 0;
  if (quotient(-7, 2, &result, &call) != 0 || result != -4) leave(1);
  if (quotient(1, 0, &result, &call) != AUTOGRAPH_RAISED) leave(2);
  if (call.message[0] != 'I' || call.exception[0] != 'I') leave(3);
  leave(42);
}}
"""
LEAVE = {
    "aarch64": 'register long n __asm__("x8") = 93; register long c __asm__("x0") = code; '
    '__asm__ volatile("svc 0" :: "r"(n), "r"(c));',
    "riscv64": 'register long n __asm__("a7") = 93; register long c __asm__("a0") = code; '
    '__asm__ volatile("ecall" :: "r"(n), "r"(c));',
}


@needs("native")
@pytest.mark.parametrize("target", ["aarch64", "riscv64"])
def test_other_processors_in_qemu(tmp_path, target):
    emulator = shutil.which(f"qemu-{target}")
    if emulator is None:
        pytest.skip(f"no qemu-{target}")
    path = tmp_path / "q.o"
    tf.export.native(programs.quotient, path, target, input_signature=[int64, int64])
    source = tmp_path / "start.c"
    source.write_text(_START.format(leave=LEAVE[target]))
    command = [sys.executable, "-m", "ziglang", "cc", "-target", f"{target}-freestanding", "-O1"]
    command += ["-DAUTOGRAPH_WITHOUT_MALLOC", "-nostdlib", "-static", "-ffreestanding"]
    subprocess.run([*command, "-o", tmp_path / "q", source, path], check=True, timeout=300)
    assert subprocess.run([emulator, tmp_path / "q"], timeout=60).returncode == 42


@needs_cc
@pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler")
def test_wrapper_in_cpp(tmp_path, monkeypatch):
    spec = [tf.TensorSpec([None], tf.float32), int32]
    tf.export.native(programs.entry, tmp_path / "entry.c-project", input_signature=spec)
    kinds = [tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.float32)]
    tf.export.native(programs.scaled, tmp_path / "scaled.c-project", input_signature=kinds)
    folders = [tmp_path / f"{name}.c-project" for name in ("entry", "scaled")]
    source = tmp_path / "main.cpp"
    source.write_text("""
#include "entry.hpp"
#include "scaled.hpp"
#include <iostream>
int main() {
  float x[] = {1, 2, 3};
  for (float y : autograph::scaled(x, 3, 2.0f)) std::cout << y << " ";
  std::cout << autograph::entry(x, 3, -1) << std::endl;
  try {
    autograph::entry(x, 3, 7);
  } catch (const autograph::error &error) {
    std::cout << error.exception << ": " << error.what() << std::endl;
  }
}
""")
    from tests.runtime.export.native_code import exports

    monkeypatch.setattr(exports, "COMPILER", shutil.which("c++"))
    objects = [folder / f"{folder.stem}.o" for folder in folders]
    flags = ("-std=c++17", *(f"-I{folder}" for folder in folders))
    program = compiled(tmp_path, "main", source, *objects, flags=flags)
    code, out, _ = output(program)
    assert code == 0
    first, second = out.splitlines()
    assert first == "3 5 7 3"
    assert second.startswith("IndexOutOfBoundsError: slice index 7 of dimension")
