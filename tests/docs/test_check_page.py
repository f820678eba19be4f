"""docs/check.md has a section for every code; `pytest tests/docs --update-golden` writes it."""

from __future__ import annotations

import re

import pytest

from autograph.lint.codes import CHECKS
from autograph.lint.reports import explained
from tests.support import ROOT

PAGE = ROOT / "docs" / "check.md"
HEAD = """# What will not stage

`autograph check PATH...` lists, without running or importing anything, the places in a program
that would fail if a condition were staged. As plain Python nothing is wrong with them. Nothing in
a text says what will be staged, so the check guesses: a condition may be staged when it depends on
a parameter that is treated like a number - compared with one, calculated with - and nowhere like
text, a collection or a switch (`isinstance`, `x.strip()`, `x['key']`, a default of `False`, an
annotation `str`). `--strict` takes every parameter for staged.

`# noqa` at the end of a line hides what is found there, `# noqa: AG202` one code, `# noqa: AG2`
all codes that begin so. `--select` and `--ignore` take codes or their beginnings, too.
[cli.md](cli.md) has the other options and the exit codes.

What the check cannot see: what a called function does, what a variable holds at run time, lists
that grow in several steps. When a program runs, the [errors](../autograph/pages/README.md) name the
variable, the line and the remedy.

Written from the table in `autograph/lint/codes.py` by `pytest tests/docs --update-golden`, and
tested: every example is found and does fail when it is staged; every remedy works.
"""


def text() -> str:
    rows = ["| code | finds |", "| --- | --- |"]
    for check in CHECKS:
        anchor = re.sub("[,']", "", f"{check.code}-{check.name}".lower().replace(" ", "-"))
        rows.append(f"| [{check.code}](#{anchor}) | {check.name} |")
    sections = [explained(check, fence=True) for check in CHECKS]
    return "\n".join([HEAD, *rows, "", "\n".join(sections)])


def test_page(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-golden"):
        PAGE.write_text(text(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == text(), "run pytest tests/docs --update-golden"
