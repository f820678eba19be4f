"""Whether LLVM can be used: llvmlite is there, new enough, and not broken; else why not.

An llvmlite that cannot be used is treated as absent, and named with its version.
"""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from pathlib import Path

from autograph.collection_pause import without_collection

LEAST_VERSION = (0, 44)
"""Oldest llvmlite that works, as pyproject.toml has it."""

_broken: list[str] = []
"""Why llvmlite was found to be broken when LLVM was loaded."""


def is_available() -> bool:
    """Return whether llvmlite is installed and can be used, as far as is known."""
    return not unavailable()


def unavailable() -> str:
    """Return why llvmlite cannot be used, and what to do; empty if it can, as far as is known."""
    return _broken[0] if _broken else _absent_or_old()


def remedy() -> str:
    """Return the command that installs llvmlite: in a checkout, or in any other environment."""
    root = Path(__file__).resolve().parents[3]
    is_checkout = (root / "setup").is_file() and (root / "pyproject.toml").is_file()
    return "sh setup jit" if is_checkout else "pip install 'pyautograph[jit]'"


@cache
def _absent_or_old() -> str:
    """Look for llvmlite without loading LLVM."""
    if importlib.util.find_spec("llvmlite") is None:
        return f"llvmlite is not installed; {remedy()} makes graphs machine code"
    try:
        import llvmlite
    except Exception as error:
        return _is_broken("", error)
    version = str(getattr(llvmlite, "__version__", ""))
    numbers = tuple(map(int, re.findall(r"\d+", version)[:2]))
    if numbers and numbers < LEAST_VERSION:
        least = ".".join(map(str, LEAST_VERSION))
        return (
            f"llvmlite {version} is installed, and {least} or newer is needed; {remedy()} makes "
            "graphs machine code"
        )
    return ""


def unloadable() -> str:
    """Return why LLVM cannot be loaded, as ``unavailable``; load it."""
    if not unavailable():
        try:
            with without_collection():
                import llvmlite.binding
        except Exception as error:
            _broken.append(_is_broken(getattr(llvmlite, "__version__", ""), error))
    return unavailable()


def _is_broken(version: str, error: Exception) -> str:
    name = f"llvmlite {version}".rstrip()
    return (
        f"{name} is installed, but broken: {type(error).__name__}: {error}; reinstall it, or "
        f"{remedy()} in a new environment"
    )
