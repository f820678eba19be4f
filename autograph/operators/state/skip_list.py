"""Skip list: libraries whose functions ``calls`` does not convert.

These libraries never see a staged value, or handle one themselves.  A function that is passed to
``to_graph`` directly is converted wherever it comes from.
"""

from __future__ import annotations

import sys

SKIPPED: frozenset[str] = frozenset(sys.stdlib_module_names) - {"__main__"} | frozenset((
    "autograph", "runtime", "numpy", "scipy", "pandas", "matplotlib", "gast", "astunparse",
    "llvmlite", "numba", "jax", "jaxlib", "torch", "tensorflow", "keras",
    "pytest", "_pytest", "pluggy", "hypothesis", "coverage", "IPython", "ipykernel",
))
"""Top-level packages that are not converted when converted code calls them."""

_CONVERTED = "autograph.library."
"""Modules of functions that are written to be converted."""


def is_skipped(module: str | None) -> bool:
    """Whether functions of a module are called as they are."""
    if module is None or module.partition(".")[0] not in SKIPPED:
        return False
    return not module.startswith(_CONVERTED)
