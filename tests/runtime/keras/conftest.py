"""Keras' cases run every way; what insists on machine code is skipped without llvmlite."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from runtime.engine.llvm.engine import is_available
from runtime.errors import UnimplementedError


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    try:
        return (yield)
    except UnimplementedError as error:
        if is_available() or "jit_compile=True" not in str(error):
            raise
        pytest.skip("needs llvmlite")
