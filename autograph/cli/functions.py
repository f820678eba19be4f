"""``autograph code`` and ``autograph run``: shows or runs one function of a file.

Called by ``main``; ``run_script`` imports the file and ``compare_modes`` runs the function.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import os
import sys
import types
from typing import Any, NamedTuple

import autograph
from autograph.cli import run_script
from autograph.cli.outputs import print_bytes, read, write
from autograph.cli.trees import SUFFIXES
from autograph.conversion.module_source import FileError, compiled
from autograph.conversion.notebooks import SUFFIX as NOTEBOOK
from autograph.conversion.notebooks import Notebook
from autograph.diagnostics.user_frame import PACKAGE_FOLDER
from autograph.errors import ConversionError

OK, DIFFERENT = 0, 1
BACKENDS = ("runtime", "jax", "tensorflow", "torch")
"""The libraries on which ``run`` runs functions."""


def code(options: argparse.Namespace) -> int:
    """Show the generated code of a function; return the exit code."""
    with contextlib.redirect_stdout(sys.stderr):  # output of the module is not part of the code
        file, _, function = target_of(options.target)
    if function is None:
        return DIFFERENT
    data = _page(file, function) if options.html else _of_file(file, autograph.to_code, function)
    if options.output in (None, "-"):
        print_bytes(data.encode())
    else:
        write(options.output, data.encode())
    return OK


def _page(file: str, function: Any) -> str:
    """Return the page of a function's source and its generated code."""
    from autograph.api import linked_code
    from autograph.drawing.code_page import code_page

    page: str = code_page(_of_file(file, linked_code, function))
    return page


def run(options: argparse.Namespace) -> int:
    """Run a function in both modes and compare; return the exit code."""
    from autograph.cli import compare_modes

    file, name, function = target_of(options.target)
    if function is None:
        return DIFFERENT
    converted = _of_file(file, autograph.to_graph, function)
    backend, texts = _backend(options)
    arguments = compare_modes.arguments_of(texts, converted)
    return OK if compare_modes.compare(name, converted, arguments, file, backend) else DIFFERENT


def _backend(options: argparse.Namespace) -> tuple[str, list[str]]:
    """Return the backend, which may be named behind the function's arguments, and those."""
    texts = list(options.arguments)
    if texts[-2:-1] != ["--backend"]:
        return options.backend, texts
    if texts[-1] not in BACKENDS:
        options.parser.error(
            f"there is no backend {texts[-1]!r}; choose from {', '.join(BACKENDS)}"
        )
    return texts[-1], texts[:-2]


def _of_file(file: str, convert: Any, function: Any) -> Any:
    """Return the result of ``convert`` on a function; its errors name the file."""
    try:
        return convert(function)
    except ConversionError as error:
        if error.where is not None:
            raise
        raise FileError(error.message + (f"; {error.help}" if error.help else ""), file) from None


class CommandTarget(NamedTuple):
    """What FILE.py:FUNCTION names; the value is None when the file's own code failed."""

    file: str
    name: str
    value: Any


def target_of(text: str) -> CommandTarget:
    """Return what FILE.py:FUNCTION names, or NOTEBOOK.ipynb:FUNCTION, or package.module:FUNCTION.
    """
    file, colon, name = text.rpartition(":")
    if not (colon and file and name):
        raise FileError(
            "name a function of the file, as in FILE.py:FUNCTION or package.module:FUNCTION", text
        )
    module = _module(file)
    return CommandTarget(file, name, None if module is None else _find(module, name, file))


def _module(file: str) -> types.ModuleType | None:
    """Return the module of a file, or of that name; None when its code failed."""
    path = os.path.abspath(file)  # the program may change its directory
    is_name = all(map(str.isidentifier, file.split("."))) and not file.endswith(SUFFIXES)
    if is_name and not os.path.exists(path):
        _check_not_in_the_way(os.getcwd())
        return run_script.load_named(file)
    data = read(file)
    if file.endswith(NOTEBOOK):
        _check_not_in_the_way(os.path.dirname(path))
        return run_script.load_notebook(Notebook(data, file), path)
    code = compiled(data, file, path)
    _check_not_in_the_way(run_script.module_name(path)[1])
    return run_script.load(code)


def _check_not_in_the_way(folder: str) -> None:
    """Raise FileError when a folder from which a program imports has a module named like ours."""
    own_folder = os.path.dirname(os.path.dirname(PACKAGE_FOLDER))
    for name in ("autograph", "runtime"):
        for path in (f"{name}.py", os.path.join(name, "__init__.py")):
            hiding_path = os.path.join(folder, path)
            if os.path.exists(hiding_path) and not os.path.samefile(folder, own_folder):
                raise FileError(f"hides the package {name!r}; rename it", hiding_path)


def _find(module: types.ModuleType, name: str, file: str) -> Any:
    value: Any = module
    for attribute in name.split("."):
        try:
            value = getattr(value, attribute)
        except AttributeError:
            function_names = ", ".join(_functions(module)) or "none"
            raise FileError(
                f"no function {name}; those of the file are: {function_names}", file
            ) from None
    return value


def _functions(module: types.ModuleType) -> list[str]:
    """Return the functions and methods of a module, as they are written on the command line."""
    function_names: list[str] = []
    for name, value in vars(module).items():
        if getattr(value, "__module__", None) != module.__name__:
            continue
        if isinstance(value, type):
            function_names += (f"{name}.{method}" for method, function in vars(value).items()
                      if _is_function(function))
        elif _is_function(value):
            function_names.append(name)
    return function_names


def _is_function(value: Any) -> bool:
    """Return whether a value is a function, or wraps one, as those of decorators do."""
    return isinstance(inspect.unwrap(value) if callable(value) else value, types.FunctionType)
