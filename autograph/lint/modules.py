"""Checks a module: applies every rule to every function, except lines with ``# noqa``.

The entry point of the linter, called by ``cli.check``.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from autograph.conversion.module_source import builtin_test, parsed, syntax_errors
from autograph.lint import concrete, effects, frames, joins, libraries
from autograph.lint.codes import CHECKS
from autograph.lint.finding import Finding
from autograph.lint.functions import LintedFunction, functions
from autograph.syntax.comments import comments_of
from autograph.syntax.modules import ModuleText

RULES: tuple[Callable[[LintedFunction], Iterator[Finding]], ...] = (
    frames.check, effects.check, joins.check, concrete.check, libraries.check,
)  # fmt: skip

_NOQA = re.compile(r"#\s*noqa(?P<codes>:\s*[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*)?", re.I)


@dataclass(frozen=True, order=True)
class Problem:
    """Finding as it is listed: its position in the file, counted from 1, and its text."""

    filename: str
    line: int
    column: int
    code: str
    message: str
    end_line: int
    end_column: int
    text: str
    """The line of the file."""
    cell: int | None = None
    """Number of the cell of a notebook, which lines are counted in."""

    @property
    def place(self) -> str:
        """The file and, in a notebook, the cell."""
        return self.filename if self.cell is None else f"{self.filename}:cell {self.cell}"


def check_bytes(
    data: bytes, filename: str, codes: Collection[str], strict: bool = False
) -> list[Problem]:
    """Return the findings of the given codes in a Python file, in the order of the file.

    Raises FileError for what is not the text of a Python module.
    """
    return check_module(parsed(data, filename), codes, strict)


def check_module(
    module: ModuleText, codes: Collection[str], strict: bool = False
) -> list[Problem]:
    """Return the findings of the given codes in a module, in the order of the text."""
    with warnings.catch_warnings(), syntax_errors(module.filename):
        warnings.simplefilter("ignore")
        hidden = _hidden(module)
        findings = {
            _problem(module, finding)
            for function in functions(module.tree, builtin_test(module.tree), strict)
            for rule in RULES
            for finding in rule(function)
            if finding.code in codes
        }
    return sorted(p for p in findings if not _is_hidden(p, hidden))


def _problem(module: ModuleText, finding: Finding) -> Problem:
    node = finding.node
    line, end = node.lineno, node.end_lineno or node.lineno
    return Problem(
        module.filename, line, module.column(line, node.col_offset) + 1, finding.code,
        finding.message, end, module.column(end, node.end_col_offset) + 1,
        module.rows[line - 1].rstrip("\r\n"),
    )  # fmt: skip


def _hidden(module: ModuleText) -> Mapping[int, frozenset[str]]:
    """Return the codes that each line's comment hides; without codes, it hides all."""
    if "noqa" not in module.text.lower():
        return {}
    plain = "".join(row.rstrip("\r\n") + "\n" for row in module.rows)
    hidden = {}
    for line, comment in comments_of(plain).items():
        match = _NOQA.search(comment.text)
        if match:
            hidden[line] = frozenset(re.findall("[A-Z]+[0-9]+", (match["codes"] or "").upper()))
    return hidden


def _is_hidden(problem: Problem, hidden: Mapping[int, frozenset[str]]) -> bool:
    codes = hidden.get(problem.line)
    return codes is not None and (not codes or any(map(problem.code.startswith, codes)))


def chosen(select: Collection[str], ignore: Collection[str]) -> frozenset[str]:
    """Return the codes that begin with one of ``select``, or the usual ones, less those of
    ``ignore``.

    Raises ValueError for a prefix of no code, and names it.
    """
    for prefix in (*select, *ignore):
        if not any(check.code.startswith(prefix) for check in CHECKS):
            raise ValueError(prefix)
    return frozenset(
        check.code
        for check in CHECKS
        if (check.code.startswith(tuple(select)) if select else check.default)
        and not (ignore and check.code.startswith(tuple(ignore)))
    )

