"""Checks the code cells of a notebook, as one module."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Collection

from autograph.conversion.module_source import FileError, syntax_errors
from autograph.conversion.notebooks import Notebook
from autograph.lint.modules import Problem, check_module


def check_notebook(
    data: bytes, filename: str, codes: Collection[str], strict: bool = False
) -> list[Problem]:
    """Return the findings of the given codes in a notebook, with the cells that they are in.

    Raises FileError for what is no notebook of Python, and for a cell that Python cannot parse.
    """
    notebook = Notebook(data, filename)
    try:
        with warnings.catch_warnings(), syntax_errors(filename):
            warnings.simplefilter("ignore")
            module = notebook.module()
    except FileError as error:
        raise notebook.error(error) from None
    return [_in_cell(notebook, finding) for finding in check_module(module, codes, strict)]


def _in_cell(notebook: Notebook, problem: Problem) -> Problem:
    cell, line = notebook.place(problem.line)
    end = problem.end_line - problem.line + line
    return dataclasses.replace(
        problem, cell=cell, line=line, end_line=end, text=notebook.original(problem.text),
        message=notebook.message(problem.message, cell),
    )  # fmt: skip
