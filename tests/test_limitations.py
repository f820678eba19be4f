"""LIMITATIONS.md tells the truth: every row of its table is run, and its cells are compared.

`pytest tests/test_limitations.py --update-golden` writes today's outcomes into the table; the
notes beside them are written by hand.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph.staging.staged_union import StagedOptional
from tests.limitations import calls, containers, statements  # noqa: F401  (they fill ROWS)
from tests.limitations.rows import ROWS, Row
from tests.support import ROOT

PAGE = ROOT / "LIMITATIONS.md"
# Silent differences.  Each is a fault that stands open; no other row may say `differs`.
OPEN_FAULTS: set[str] = set()

LINE = re.compile(r"^\| (?P<title>[^|]+?) +\| (?P<python>[^|]+?) +\| (?P<staged>[^|]+?) +\|", re.M)


def observed(call: Callable[..., Any], *arguments: Any) -> tuple[str, Any, str]:
    """What a call does: ("value", the array, text) or ("error", the exception's class, text)."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        try:
            result = call(*arguments)
            if result is None or isinstance(result, str):
                return "value", result, text.getvalue()
            return "value", np.asarray(result).tolist(), text.getvalue()
        except Exception as error:
            return "error", type(error), text.getvalue()


def outcome(expected: tuple[str, Any, str], actual: tuple[str, Any, str]) -> str:
    """The cell of the table: `works`, the error's class, or - never wanted - `differs`."""
    kind, value, text = actual
    if (kind, value, text) == expected:
        return "works"
    if kind == "error":
        if expected[0] == "error" and issubclass(value, expected[1]):
            return "works"
        return f"`{value.__name__}`"
    return "differs"


def on_python(row: Row) -> str:
    """Converted against original, on Python values."""
    expected = observed(row.function, row.argument)
    return outcome(expected, observed(autograph.to_graph(row.function), row.argument))


def by_session(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function built into a graph and run once."""

    def run(argument: tf.Tensor) -> Any:
        with tf.Graph().as_default(), tf.Session() as session:
            handle = tf.placeholder(argument.dtype, argument.shape)
            result = autograph.to_graph(function)(handle)
            if not isinstance(result, tf.Tensor | StagedOptional):
                return result
            return session.run(result, {handle: argument.numpy()})

    return run


def on_tensors(row: Row) -> tuple[str, str]:
    """Staged against eager: by function, and by Session."""
    argument = tf.constant(row.argument)
    expected = observed(row.function, argument)
    staged = tf.function(row.function, experimental_autograph_options=autograph.Feature.PRINT)
    return (
        outcome(expected, observed(staged, argument)),
        outcome(expected, observed(by_session(row.function), argument)),
    )


def test_every_row_is_on_the_page_and_no_other() -> None:
    text = PAGE.read_text(encoding="utf-8")
    titles = [match["title"] for match in LINE.finditer(text)]
    titles = [t for t in titles if t != "construct" and set(t) != {"-"}]
    assert titles == list(dict.fromkeys(titles))
    assert set(titles) == set(ROWS)


def test_the_page_begins_with_what_does_not_work() -> None:
    text = PAGE.read_text(encoding="utf-8")
    first = " ".join(text.partition("## How to read the tables")[0].split())
    refused = [m["title"] for m in LINE.finditer(text) if m["title"] in ROWS
               and (m["python"], m["staged"]) != ("works", "works")]  # fmt: skip
    assert len(refused) > 2
    for title in refused:
        kind, _, what = title.partition(": ")
        assert f"{kind}: " in first, title


@pytest.mark.parametrize("title", ROWS)
def test_row(title: str, request: pytest.FixtureRequest) -> None:
    python = on_python(ROWS[title])
    function, session = on_tensors(ROWS[title])
    assert function == session, "by function and by Session must not part"
    differs = "differs" in (python, function)
    assert differs == (title in OPEN_FAULTS), "a silent difference is a fault, not a limitation"
    text = PAGE.read_text(encoding="utf-8")
    (line,) = [match for match in LINE.finditer(text) if match["title"] == title]
    if request.config.getoption("--update-golden"):
        new = f"| {title} | {python} | {function} |"
        PAGE.write_text(text.replace(line[0], new, 1), encoding="utf-8")
        return
    assert (line["python"], line["staged"]) == (python, function)
