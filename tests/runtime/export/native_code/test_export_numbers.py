"""Functions of numbers as object files that C calls."""

from __future__ import annotations

import ctypes
import subprocess

import pytest

import runtime as tf
from tests.runtime.export.native_code import programs
from tests.runtime.export.native_code.exports import (
    Call,
    Heap,
    compiled,
    int32,
    int64,
    needs_cc,
    output,
    undefined_symbols,
)

pytestmark = needs_cc


@pytest.fixture
def library(tmp_path):
    """Gives the shared library of a function."""

    def load(function, *signature, **options):
        path = tmp_path / f"{function.__name__}.so"
        tf.export.native(function, path, input_signature=signature, **options)
        assert undefined_symbols(path) <= {"memcpy", "memmove", "memset"}
        return getattr(ctypes.CDLL(str(path)), function.__name__)

    return load


def test_collatz_is_a_program(tmp_path):
    written = tf.export.native(
        programs.collatz, tmp_path / "steps.c-project", input_signature=[int32]
    )
    folder = tmp_path / "steps.c-project"
    assert sorted(folder.iterdir()) == sorted(map(type(folder), written))
    assert not undefined_symbols(folder / "steps.o")
    assert (folder / "steps.o").stat().st_size < 5000
    subprocess.run(["make", "-s", "-C", str(folder)], check=True)
    assert output(folder / "steps", 27) == (0, "result = 111\n", "")


@pytest.mark.parametrize("flags", [("-std=c99", "-pedantic"), ("-fsanitize=address,undefined",)])
def test_header_and_program_compile_without_warnings(tmp_path, flags):
    tf.export.native(programs.collatz, tmp_path / "f.c-project", input_signature=[int32])
    folder = tmp_path / "f.c-project"
    program = compiled(folder, "f", folder / "main.c", folder / "f.o", flags=flags)
    assert output(program, 97) == (0, "result = 118\n", "")


def test_what_python_raises_is_a_status_and_a_text(library):
    function = library(programs.quotient, int64, int64)
    call, result = Call(), ctypes.c_int64()
    a, b = ctypes.c_int64(7), ctypes.c_int64(0)
    assert function(a, b, ctypes.byref(result), ctypes.byref(call)) == 1
    assert call.message.decode() == "Integer division by zero"
    assert call.exception == b"InvalidArgumentError"
    assert call.file.decode() == programs.__file__
    lines = open(programs.__file__).read().splitlines()
    assert lines[call.line - 1].strip() == "return a // b"
    assert function(ctypes.c_int64(-7), ctypes.c_int64(2), ctypes.byref(result), None) == 0
    assert result.value == -4
    assert function(a, b, ctypes.byref(result), None) == 1


def test_messages_hold_numbers(library):
    function = library(programs.checked, int32)
    heap, result = Heap(), ctypes.c_int32()
    call = heap.call()
    assert function(ctypes.c_int32(5), ctypes.byref(result), ctypes.byref(call)) == 0
    assert result.value == 25
    assert function(ctypes.c_int32(-2), ctypes.byref(result), ctypes.byref(call)) == 1
    assert (call.exception, call.message.decode()) == (b"ValueError", "too small: -2!")
    assert not heap.blocks


def test_without_memory_there_is_a_status(library):
    function, total = library(programs.sum_of_evens, int32), ctypes.c_int32()
    for most in range(10):
        heap = Heap(most)
        call = heap.call()
        status = function(ctypes.c_int32(9), ctypes.byref(total), ctypes.byref(call))
        assert not heap.blocks, "leaked"
        if status == 0:
            break
        assert (status, call.exception, call.message) == (2, b"MemoryError", b"")
    assert most > 0
    assert total.value == 20
    assert function(ctypes.c_int32(9), ctypes.byref(total), None) == 2


def test_several_results_and_bools(library):
    function = library(programs.halves, int32)
    half, more = ctypes.c_double(), ctypes.c_bool()
    assert function(ctypes.c_int32(7), ctypes.byref(half), ctypes.byref(more), None) == 0
    assert (half.value, more.value) == (3.5, True)


def test_recursion_has_a_limit(library):
    function = library(programs.factorial, int64)
    result, call = ctypes.c_int64(), Call()
    assert function(ctypes.c_int64(10), ctypes.byref(result), ctypes.byref(call)) == 0
    assert result.value == 3628800
    assert function(ctypes.c_int64(5000), ctypes.byref(result), ctypes.byref(call)) == 1
    assert call.exception == b"RecursionError"
