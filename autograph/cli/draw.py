"""``autograph graph``: draws the graph of a function, or of a model, of a file.

``functions`` imports the file and finds the function in it.  Part of the command line, so it may
import the runtime.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from typing import Any

from autograph.cli.functions import CommandTarget, target_of
from autograph.cli.outputs import print_bytes, write
from autograph.cli.traced import traced
from autograph.conversion.module_source import FileError
from autograph.drawing.formats import file_of, suffix_of

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
    try:
        data = file_of(diagram, suffix)
    except ModuleNotFoundError as error:
        raise FileError(str(error), options.output) from None
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
    return traced(specs, file, name, value)
