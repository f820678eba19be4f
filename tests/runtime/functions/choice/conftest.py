"""Calls that are staged at once, without waiting for the time that it is worth."""

from __future__ import annotations

import pytest

from runtime.functions.choice import jit_function
from runtime.types.flags import JIT_STRICT


@pytest.fixture
def at_once(monkeypatch):
    """Let ``jit`` stage functions at their second call, and not raise what it cannot stage."""
    monkeypatch.setattr(jit_function, "LEAST_DUE", 0.0)
    monkeypatch.setattr(jit_function, "DUE_PER_BYTE", 0.0)
    with JIT_STRICT(False):
        yield
