"""Texts outside of native code: kernels hold the bytes of UTF-8, Python and native code ``str``."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.types.conversion import as_object_scalar

__all__ = ["kernel_text", "known_text", "python_text"]


def kernel_text(text: str) -> Any:
    """Return a kernel's value of a text."""
    return as_object_scalar(text.encode())


def python_text(value: Any) -> str:
    """Return the text of a kernel's value; AttributeError or ValueError if it is none."""
    text: bytes = value.item() if isinstance(value, np.ndarray | np.generic) else value
    return text.decode()


def known_text(value: Any) -> str | None:
    """Return the text of a constant of a graph; None if it is another value."""
    if isinstance(value, np.ndarray) and value.dtype == object and not value.ndim:
        value = value.item()
    if type(value) is not bytes:
        return None
    try:
        return value.decode()
    except UnicodeDecodeError:
        return None
