"""The bound of native recursion: the stack of the thread at hand, whatever its size."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from runtime.engine.llvm import stack
from tests.support import ROOT


def bound_and_limits(size: int) -> tuple[int, int, int]:
    """What a thread with a stack of a size finds."""
    found = []
    before = threading.stack_size(size)
    try:
        thread = threading.Thread(target=lambda: found.append(
            (stack.lowest_address(), *stack._limits())))  # fmt: skip
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    return found[0]


@pytest.mark.parametrize("size", [128 << 10, 1 << 20, 64 << 20])
def test_threads_have_bounds_of_their_own(size: int) -> None:
    bound, low, found = bound_and_limits(size)
    assert size <= found <= size + (1 << 20)
    assert bound == low + min(stack.RESERVE, found // 2)
    assert bound != stack.lowest_address()


def test_the_module_needs_no_module_of_unix() -> None:
    program = """
import sys
sys.modules["resource"] = None
import runtime.engine.llvm.callbacks
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60, cwd=ROOT)
