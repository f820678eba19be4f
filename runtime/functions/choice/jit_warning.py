"""Warnings of ``runtime.jit`` that a function runs as plain Python, and why."""

from __future__ import annotations

import warnings
from typing import Any

from autograph.errors import AutoGraphError
from runtime.engine.llvm.availability import unavailable as why_unavailable
from runtime.types.errors import JitWarning
from runtime.types.flags import JIT
from runtime.types.source_location import user_location

_SAID: set[str] = set()
"""Reasons that hold for all functions and were named already."""


def unavailable() -> str:
    """Return why no function becomes machine code in this process; empty if some do."""
    if JIT.value == "never":
        return "RUNTIME_JIT=never forbids machine code"
    return why_unavailable()


def reason_of(error: Exception) -> str:
    """Return the text of an error that refuses to stage a call, with the user's line."""
    text = "; ".join(line.strip() for line in str(error).splitlines())
    return text if isinstance(error, AutoGraphError) else f"{type(error).__name__}: {text}"


def warn(name: str, python: Any, reason: str) -> None:
    """Issue a JitWarning at the user's line.  What holds for all functions is said once."""
    if reason == unavailable():
        if reason in _SAID:
            return
        _SAID.add(reason)
    code = getattr(python, "__code__", None)
    place = f" ({code.co_filename}:{code.co_firstlineno})" if code is not None else ""
    location = user_location()
    warnings.warn_explicit(
        f"{name}{place} runs as plain Python: {reason}. jit(f, strict=True) raises instead, and "
        f"{name}.explain() shows the times.",
        JitWarning, location.file or "<unknown>", location.line or 1,
    )  # fmt: skip
