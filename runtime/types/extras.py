"""Optional dependencies: packages of an extra, imported when the first function needs them.

The core of ``runtime`` needs NumPy alone.  What a library does better is an extra of the
distribution (``pyautograph[special]``), and this is the one place that says so when it is absent.
"""

from __future__ import annotations

import functools
import importlib
from types import ModuleType

__all__ = ["require"]


@functools.cache
def require(module: str, *, extra: str, for_: str) -> ModuleType:
    """The module of an optional dependency, imported: ``require("scipy.special", ...)``.

    ``extra`` is the extra of pyautograph that brings it, ``for_`` what needs it.
    ModuleNotFoundError, with the command that installs it, when it is absent.
    """
    package = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise  # the package is there and lacks something itself
        raise ModuleNotFoundError(
            f"{for_} needs the package {package!r}, which is not installed: "
            f"pip install 'pyautograph[{extra}]'",
            name=package,
        ) from None
