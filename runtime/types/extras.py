"""Optional dependencies: packages of an extra, imported when the first function needs them.

The core of ``runtime`` needs NumPy alone.  Other libraries are extras of the distribution
(``pyautograph[special]``); errors about absent ones are raised here.
"""

from __future__ import annotations

import functools
import importlib
from types import ModuleType

__all__ = ["require"]


@functools.cache
def require(module: str, *, extra: str, for_: str) -> ModuleType:
    """Import a module of an optional dependency: ``require("scipy.special", ...)``.

    ``extra`` is the extra of pyautograph that installs it, ``for_`` the feature that needs it.
    ModuleNotFoundError, with the command that installs it, when it is absent.
    """
    package = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise  # an import inside of the package failed
        raise ModuleNotFoundError(
            f"{for_} needs the package {package!r}, which is not installed: "
            f"pip install 'pyautograph[{extra}]'",
            name=package,
        ) from None
