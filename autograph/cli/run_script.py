"""Runs the file given on the command line, and reports the errors of the user's program.

``conversion.module_source`` has read and checked the file; ``functions`` finds a function in it.
"""

from __future__ import annotations

import os
import sys
import traceback
import types

from autograph.diagnostics.user_frame import PACKAGE_FOLDER

_BESIDE = os.path.dirname(os.path.dirname(PACKAGE_FOLDER))
_OURS = (PACKAGE_FOLDER, os.path.join(_BESIDE, "runtime") + os.sep)


def load(code: types.CodeType) -> types.ModuleType | None:
    """Return the module of a file's code; None when it failed, after printing the error on stderr.
    """
    path = code.co_filename
    name = os.path.splitext(os.path.basename(path))[0]
    if name in sys.stdlib_module_names or name in sys.modules:
        name = f"{name}_"  # not to be confused with the other module of that name
    module = types.ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    sys.path.insert(0, os.path.dirname(path))
    try:
        exec(code, module.__dict__)
    except Exception as error:
        report(error, path)
        return None
    return module


def report(error: BaseException, file: str) -> None:
    """Show the traceback of an error of the user's program on stderr, the user's lines only."""
    shown = traceback.TracebackException.from_exception(error)
    folder = os.path.dirname(os.path.abspath(file)) + os.sep
    waiting: list[traceback.TracebackException | None] = [shown]
    while waiting:
        part = waiting.pop()
        if part is not None:
            part.stack = traceback.StackSummary.from_list(
                [frame for frame in part.stack if _is_users(frame.filename, folder)]
            )
            waiting += [part.__cause__, part.__context__, *(part.exceptions or ())]
    print("".join(shown.format()), end="", file=sys.stderr)


def _is_users(filename: str, folder: str) -> bool:
    if filename.startswith("<"):
        return False
    path = os.path.abspath(filename)
    return path.startswith(folder) and not path.startswith(_OURS) and "site-packages" not in path
