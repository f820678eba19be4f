"""``autograph graph``: draws the graph of a function, or of a model, of a file.

``functions`` imports the file and finds the function in it.  Part of the command line, so it may
import the runtime.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import os
import sys
from typing import Any

from autograph.cli import run_script
from autograph.cli.compare_modes import Arguments, argument, takes
from autograph.cli.functions import CommandTarget, target_of
from autograph.cli.outputs import print_bytes, write
from autograph.cli.specs import spec_of
from autograph.conversion.module_source import FileError
from autograph.drawing.formats import drawn, suffix_of
from autograph.errors import ConversionError

OK, FAILED = 0, 1


def run(options: argparse.Namespace) -> int:
    """Draw what ``options.target`` names; return the exit code."""
    suffix = _suffix(options.output)
    with contextlib.redirect_stdout(sys.stderr):  # what the program prints is not the drawing
        target = target_of(options.target)
        if target.value is None:
            return FAILED
        diagram = _diagram(options, target)
    if diagram is None:
        return FAILED
    data = drawn(diagram, suffix).encode()
    if options.output in (None, "-"):
        print_bytes(data)
    else:
        write(options.output, data)
    return OK


def _suffix(output: str | None) -> str:
    """Return the suffix of the output, SVG for standard output; FileError for an unknown one."""
    if output in (None, "-"):
        return ".svg"
    try:
        suffix = suffix_of(output)
    except ValueError as error:
        raise FileError(str(error), output) from None
    folder = os.path.dirname(output) or "."
    if not os.path.isdir(folder):  # known before anything runs
        raise FileError("no such folder for the drawing", folder)
    return suffix


def _diagram(options: argparse.Namespace, target: CommandTarget) -> Any:
    """Return the diagram; None when the user's program failed, after printing the error."""
    file, name, value = target
    graph = _graph(options.specs, file, name, value)
    if graph is None:
        return None
    if options.optimized:
        if not hasattr(graph, "optimized_graph") and not hasattr(graph, "optimized"):
            raise FileError(f"{name} is a model: --optimized is for functions and graphs", file)
        graph = graph.optimized_graph if hasattr(graph, "optimized_graph") else graph.optimized()
    diagram = graph.__diagram__()
    diagram.title = name
    return diagram


def _graph(specs: list[str], file: str, name: str, value: Any) -> Any:
    """Return what draws itself: a trace of a function, or the value if it does so."""
    if hasattr(value, "__diagram__"):
        if specs:
            raise FileError(f"{name} is no function, and takes no SPEC such as {specs[0]}", file)
        return value
    if not callable(value):
        kind = type(value).__name__
        raise FileError(f"{name} is of type {kind}: name a function, a graph or a model", file)
    import runtime

    python = getattr(value, "python_function", value)
    arguments = _arguments(specs, python)
    declared = getattr(value, "input_signature", None)
    if declared is None or specs:
        _check(arguments, python, file, name)
    function = value
    if not hasattr(value, "get_concrete_function"):
        function = runtime.function(value, autograph=True)
    try:
        return function.get_concrete_function(*arguments.positional, **arguments.keywords)
    except ConversionError as error:
        if error.where is None:
            raise FileError(" ".join(str(error).split()), file) from None
        run_script.report(error, file)
    except Exception as error:
        run_script.report(error, file)
    return None


def _arguments(texts: list[str], function: Any) -> Arguments:
    positional, keywords = [], {}
    for text in texts:
        name, equals, value = text.partition("=")
        if equals and takes(function, name):
            keywords[name] = _value(value)
        else:
            positional.append(_value(text))
    return Arguments(tuple(positional), keywords)


def _value(text: str) -> Any:
    """Return the spec or the Python literal that a text writes; FileError if it is neither."""
    import runtime

    spec = spec_of(text)
    if spec is not None:
        return runtime.TensorSpec(spec.sizes, runtime.as_dtype(spec.dtype))
    value = argument(text)
    if isinstance(value, str) and value == text:
        raise FileError(
            "is neither a spec such as f32[3,?] nor a Python literal; quote a text twice: "
            f"'\"{text}\"'", text
        )  # fmt: skip
    return value


def _check(arguments: Arguments, function: Any, file: str, name: str) -> None:
    """Raise FileError when the arguments do not fit the parameters."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # a callable of C: the call tells
    try:
        signature.bind(*arguments.positional, **arguments.keywords)
    except TypeError as error:
        raise FileError(
            f"{name}{signature} does not take these arguments: {error}; give a SPEC such as "
            "f32[3,?], int32[] or a Python literal for each", file
        ) from None  # fmt: skip
