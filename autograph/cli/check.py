"""``autograph check``: lists code in files and folders that cannot be staged, without running it.

``main`` reads the options, ``lint`` finds the problems, and this module prints them.
"""

from __future__ import annotations

import argparse
import functools
import os
import re
import sys
import traceback
from dataclasses import dataclass

from autograph import flags
from autograph.cli.conversions import each, internal, one_line
from autograph.cli.outputs import (
    Progress,
    is_coloured,
    painted,
    read,
    read_standard_input,
    real,
    show,
    tell,
)
from autograph.cli.trees import Tree
from autograph.conversion.module_source import FileError
from autograph.conversion.notebooks import SUFFIX
from autograph.lint import reports
from autograph.lint.codes import TABLE
from autograph.lint.libraries import REFUSED
from autograph.lint.modules import Problem, check_bytes, chosen
from autograph.lint.notebooks import check_notebook

OK, FOUND, WRONG = 0, 1, 2


@dataclass(frozen=True)
class Checked:
    """Findings of one file, or the line that says why it could not be checked."""

    problems: tuple[Problem, ...] = ()
    error: str | None = None


def run(options: argparse.Namespace) -> int:
    """Check the given files and list the findings; return the exit code."""
    if options.explain is not None:
        return _explain(options)
    if not options.paths:
        raise _usage(options, "name files or folders, or - for standard input")
    codes = _codes(options)
    if options.library is not None:
        codes |= REFUSED[options.library]
    results, wrong = _results(options, codes)
    problems = [problem for result in results for problem in result.problems]
    _list(options, problems)
    errors = [result.error for result in results if result.error is not None]
    for error in errors:
        tell(error)
    if not options.quiet and options.output_format in ("concise", "full"):
        number = len(problems)
        if number:
            tell(f"{number} place{'' if number == 1 else 's'} would not stage")
        elif not errors:
            tell("nothing found that would not stage")
    if errors or wrong:
        return WRONG
    return FOUND if problems else OK


def _usage(options: argparse.Namespace, text: str) -> SystemExit:
    options.parser.error(text)
    return SystemExit(WRONG)


def _explain(options: argparse.Namespace) -> int:
    code = options.explain.upper()
    if code not in TABLE:
        raise _usage(options, f"there is no code {code}; choose from {', '.join(TABLE)}")
    show(reports.explained(TABLE[code]))
    return OK


def _codes(options: argparse.Namespace) -> frozenset[str]:
    def split(texts: list[str]) -> list[str]:
        return [word.upper() for text in texts for word in re.split(r"[,\s]+", text) if word]

    try:
        return chosen(split(options.select), split(options.ignore))
    except ValueError as error:
        text = f"no code begins with {error}; the codes are {', '.join(TABLE)}"
        raise _usage(options, text) from None


def _results(options: argparse.Namespace, codes: frozenset[str]) -> tuple[list[Checked], bool]:
    """Return the results of every file; whether something could not even be searched."""
    if "-" in options.paths:
        if len(options.paths) > 1:
            raise _usage(options, "- (standard input) stands alone")
        name = options.stdin_filename or "<stdin>"
        return [check_data(read_standard_input(), name, codes, options.strict)], False
    if options.stdin_filename:
        raise _usage(options, "--stdin-filename is for standard input: -")
    tree = Tree(options.exclude)
    names: dict[str, str] = {}
    for path in options.paths:
        for file in tree.files(path):
            names.setdefault(real(file.name), file.name)
    if not options.quiet:
        for note in tree.notes:
            tell(note)
    for error in tree.errors:
        tell(one_line(error))
    work = functools.partial(check_file, codes=codes, strict=options.strict)
    size = sum(os.path.getsize(name) for name in names if os.path.exists(name))
    results = []
    with Progress(len(names), "checking", options.quiet) as progress:
        paths = list(names.values())
        for name, result in zip(paths, each(work, paths, size, options.jobs), strict=True):
            results.append(result)
            progress.step(name)
    return results, bool(tree.errors)


def check_file(name: str, codes: frozenset[str], strict: bool) -> Checked:
    """Read and check a file; never raises for an error in it."""
    try:
        return check_data(read(name), name, codes, strict)
    except FileError as error:
        return Checked(error=one_line(error))


def check_data(data: bytes, name: str, codes: frozenset[str], strict: bool) -> Checked:
    """Check the contents of a file that messages call ``name``."""
    try:
        if name.endswith(SUFFIX):
            return Checked(tuple(check_notebook(data, name, codes, strict)))
        return Checked(tuple(check_bytes(data, name, codes, strict)))
    except FileError as error:
        return Checked(error=one_line(error))
    except Exception as error:
        if flags.DEBUG.value:
            traceback.print_exc()
        return Checked(error=internal(name, error))


def _list(options: argparse.Namespace, problems: list[Problem]) -> None:
    coloured = is_coloured(sys.stdout)

    def paint(text: str, colour: str) -> str:
        return painted(text, colour) if coloured else text

    if options.output_format == "json":
        show(reports.as_json(problems))
    elif options.output_format == "github":
        show(reports.github(problems))
    elif options.statistics:
        show(reports.statistics(problems))
    else:
        write = reports.full if options.output_format == "full" else reports.concise
        show(write(problems, paint))
