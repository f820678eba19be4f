"""Runs the file, notebook or module given on the command line, and reports its errors.

``functions`` finds a function in the module.
"""

from __future__ import annotations

import asyncio
import importlib.machinery
import importlib.util
import inspect
import linecache
import os
import sys
import traceback
import types

from autograph.cli.outputs import read
from autograph.conversion.module_source import FileError, compiled, syntax_errors
from autograph.conversion.notebooks import Notebook
from autograph.diagnostics.printable import printable
from autograph.diagnostics.user_frame import PACKAGE_FOLDER

_BESIDE = os.path.dirname(os.path.dirname(PACKAGE_FOLDER))
_OURS = (PACKAGE_FOLDER, os.path.join(_BESIDE, "runtime") + os.sep)


def load(code: types.CodeType) -> types.ModuleType | None:
    """Return the module of a file's code; None when it failed, after printing the error on stderr.

    A file of a package is imported as Python imports it, after its package, for relative imports.
    """
    path = code.co_filename
    name, folder = module_name(path)
    sys.path.insert(0, folder)
    try:
        if "." in name or os.path.basename(path) == "__init__.py":
            return _of_package(name, path)
        module = _new_module(path)
        exec(code, module.__dict__)
    except FileError:
        raise
    except Exception as error:
        report(error, path)
        return None
    return module


def load_notebook(notebook: Notebook, path: str) -> types.ModuleType | None:
    """Return the module of a notebook's code cells, run in their order; None when one failed.

    Lines of IPython's are left out.
    """
    folder = os.path.dirname(path)
    sys.path.insert(0, folder)
    module = _new_module(path)
    module.__dict__.update({"display": print, **notebook.placeholders})
    for number, text in notebook.programs():
        name = f"{path}:cell {number}"
        with syntax_errors(f"{notebook.filename}:cell {number}"):
            code = compile(text, name, "exec", notebook.compiler_flags, dont_inherit=True)
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        try:
            result = eval(code, module.__dict__)
            if code.co_flags & inspect.CO_COROUTINE:
                asyncio.run(result)
        except Exception as error:
            report(error, path)
            return None
    return module


def load_named(name: str) -> types.ModuleType | None:
    """Import a module by its name, from the working folder or where Python finds it; None when it
    failed.  FileError where there is none, or none with a source.
    """
    sys.path.insert(0, os.getcwd())
    try:
        try:
            spec = importlib.util.find_spec(name)
        except ModuleNotFoundError:
            spec = None
        if spec is None:
            raise FileError("is no file, and no module that Python finds", name)
        if not (spec.origin and spec.origin.endswith((".py", ".pyw"))):
            raise FileError("is a module without a source in Python", name)
        compiled(read(spec.origin), spec.origin, spec.origin)  # its errors are one line
        return importlib.import_module(name)
    except FileError:
        raise
    except Exception as error:
        report(error, os.path.join(os.getcwd(), name))
        return None


def _new_module(path: str) -> types.ModuleType:
    name = os.path.splitext(os.path.basename(path))[0]
    if name in sys.stdlib_module_names or name in sys.modules:
        name = f"{name}_"  # not to be confused with the other module of that name
    module = types.ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    return module


def _of_package(name: str, path: str) -> types.ModuleType:
    """Import the file of a package under its full name."""
    package = name if os.path.basename(path) == "__init__.py" else name.rpartition(".")[0]
    around = importlib.import_module(package)
    if os.path.realpath(os.path.dirname(path)) not in map(os.path.realpath, around.__path__):
        raise FileError(f"is in a package {package}, which is the name of another", path)
    if name in sys.modules:  # its package has imported it
        return sys.modules[name]
    loader = importlib.machinery.SourceFileLoader(name, path)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader.exec_module(module)
    setattr(around, name.rpartition(".")[2], module)
    return module


def module_name(path: str) -> tuple[str, str]:
    """Return the name by which a file is imported, and the folder where Python looks for it."""
    folder, base = os.path.split(path)
    packages = [] if base == "__init__.py" else [os.path.splitext(base)[0].replace(".", "_")]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, base = os.path.split(folder)
        packages.insert(0, base)
    return ".".join(packages) or "__init__", folder


def report(error: BaseException, file: str) -> None:
    """Show the traceback of an error of the user's program on stderr, the user's lines only."""
    shown = traceback.TracebackException.from_exception(error)
    folder = os.path.dirname(os.path.abspath(file)) + os.sep
    waiting: list[traceback.TracebackException | None] = [shown]
    while waiting:
        described = waiting.pop()
        if described is not None:
            described.stack = traceback.StackSummary.from_list(
                [frame for frame in described.stack if _is_users(frame.filename, folder)]
            )
            waiting += [described.__cause__, described.__context__, *(described.exceptions or ())]
    print(printable("".join(shown.format()), keep="\n\t"), end="", file=sys.stderr)


def _is_users(filename: str, folder: str) -> bool:
    if filename.startswith("<"):
        return False
    path = os.path.abspath(filename)
    return path.startswith(folder) and not path.startswith(_OURS) and "site-packages" not in path
