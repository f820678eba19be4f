"""Skip list: libraries whose functions ``calls`` does not convert.

These libraries never see a staged value, or handle one themselves.  A function that is passed to
``to_graph`` directly is converted wherever it comes from.
"""

from __future__ import annotations

import os
import sys
import types

from autograph.syntax.code_markers import is_converted

SKIPPED: frozenset[str] = frozenset(sys.stdlib_module_names) - {"__main__"} | frozenset((
    "autograph", "runtime", "numpy", "scipy", "pandas", "matplotlib", "gast", "astunparse",
    "llvmlite", "numba", "jax", "jaxlib", "torch", "tensorflow", "keras",
    "pytest", "_pytest", "pluggy", "hypothesis", "coverage", "IPython", "ipykernel",
))
"""Top-level packages that are not converted when converted code calls them."""

_CONVERTED = "autograph.library."
"""Modules of functions that are written to be converted."""


_STANDARD_LIBRARY = os.path.dirname(os.__file__)


def is_skipped(module: str | None) -> bool:
    """Whether functions of a module are called as they are."""
    if module is None:
        return False
    top = module.partition(".")[0]
    if top not in SKIPPED or _is_users_file(top):
        return False
    return not module.startswith(_CONVERTED)


def is_skipped_function(function: types.FunctionType) -> bool:
    """Whether a function is a skipped library's, and was not converted for all that."""
    return is_skipped(function.__module__) and not is_converted(function.__code__)


_OF_USERS: dict[str, bool] = {}


def _is_users_file(module: str) -> bool:
    """Whether a module of the user's, such as queue.py, hides that of the standard library."""
    if module not in _OF_USERS:
        if module not in sys.stdlib_module_names or module not in sys.modules:
            return False
        file = getattr(sys.modules[module], "__file__", None)
        _OF_USERS[module] = file is not None and not _is_in_standard_library(file)
    return _OF_USERS[module]


def _is_in_standard_library(file: str) -> bool:
    if file.startswith(_STANDARD_LIBRARY):
        return True
    import sysconfig  # the few modules in C that some systems keep apart

    paths = sysconfig.get_paths()
    return file.startswith((paths["platstdlib"], paths["stdlib"]))
