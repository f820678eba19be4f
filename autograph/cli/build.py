"""``autograph build``: builds native code of a function of a file, or its graph in another format.

``functions`` imports the file and finds the function in it.  Part of the command line, so it may
import the runtime.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable
from typing import Any

from autograph.cli.functions import target_of
from autograph.cli.traced import traced
from autograph.conversion.module_source import FileError

OK, FAILED = 0, 1

Builder = Callable[[Any, str, argparse.Namespace], object]
"""Function of what is built, the name of a file or folder, and the options, which writes it."""


def _native(function: Any, name: str, options: argparse.Namespace) -> None:
    from runtime.export.native_code.export import native

    path, target = options.output, options.platform
    native(function, path, target, cpu=options.cpu, name=name.rpartition(".")[2])


def _onnx(function: Any, name: str, options: argparse.Namespace) -> None:
    from runtime.export.onnx_models.exporting import onnx

    onnx(function, options.output)


def _stablehlo(function: Any, name: str, options: argparse.Namespace) -> None:
    from runtime.export.stablehlo_modules import stablehlo

    stablehlo(function, options.output)


FORMATS: dict[str, Builder] = {
    **dict.fromkeys(
        (".o", ".obj", ".a", ".lib", ".so", ".dylib", ".dll", ".wasm", ".c-project"), _native
    ),
    ".onnx": _onnx,
    **dict.fromkeys((".stablehlo", ".mlir"), _stablehlo),
}
"""By suffix of the output: what builds it."""


def run(options: argparse.Namespace) -> int:
    """Build what ``options.target`` names; return the exit code."""
    builder = _builder(options.output)
    with contextlib.redirect_stdout(sys.stderr):  # what the program prints is no output of ours
        file, name, value = target_of(options.target)
        if value is None:
            return FAILED
        if callable(value) and not hasattr(value, "_default_save_signature"):
            value = traced(options.specs, file, name, value)
        elif options.specs:
            raise FileError(f"{name} is no function, and takes no SPEC", file)
        if value is None:
            return FAILED
    expected = _runtime_errors()
    try:
        builder(value, name, options)
    except expected as error:
        raise FileError(_words(error), options.target) from None
    return OK


def _runtime_errors() -> tuple[type[Exception], ...]:
    from runtime.errors import OpError

    return OpError, ValueError, ModuleNotFoundError


def _words(error: Exception) -> str:
    return str(getattr(error, "message", None) or error)


def _builder(output: str) -> Builder:
    """Return what builds an output; FileError for a suffix that no format has."""
    suffix = os.path.splitext(output.rstrip("/\\"))[1].lower()
    if suffix not in FORMATS:
        raise FileError(f"no format has its suffix; there are {', '.join(FORMATS)}", output)
    folder = os.path.dirname(output.rstrip("/\\")) or "."
    if not os.path.isdir(folder):  # known before anything runs
        raise FileError("no such folder for the output", folder)
    return FORMATS[suffix]
