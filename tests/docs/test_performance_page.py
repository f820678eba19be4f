"""docs/performance.md is its template, filled in; the command fills it in alike."""

from __future__ import annotations

import re

from benchmarks.against_peers.page import TEMPLATE, document
from tests.support import ROOT

PAGE = ROOT / "docs" / "performance.md"
FILLED = {
    "machine": "Measured on [^|]+?\\.",
    "missing": "(?:[^|]+\n)?",
    "summary": r"\d+ of \d+ targets are met, \d+ are missed\.",
    "rows": "(?:\\|.*\\|\n)*",
}
"""By field of the template: what may stand there."""
LINE = {
    "title": "a sum", "work": "sums", "unit": "s",
    "figures": {"runtime.jit": 1e-6, "numba": 2e-6},
    "targets": [{
        "system": "runtime.jit", "of": "call", "text": "numba", "figure": 1e-6, "limit": 2e-6,
        "met": True,
    }],
    "first calls": {}, "failures": {}, "missing": {"JAX": "jax"},
}  # fmt: skip
MACHINE = {"processor": "A processor", "cores": "2", "system": "Linux", "Python": "3.11.7"}


def pattern() -> str:
    """The template as a regular expression."""
    words = re.split(r"\{(\w+)\}", TEMPLATE.read_text(encoding="utf-8"))
    assert set(words[1::2]) == set(FILLED)
    return "".join(FILLED[w] if k % 2 else re.escape(w) for k, w in enumerate(words))


def test_the_page_has_the_words_of_the_template():
    hint = "change benchmarks/against_peers/page.md and the page alike"
    assert re.fullmatch(pattern(), PAGE.read_text(encoding="utf-8")), hint


def test_the_command_fills_in_what_was_measured():
    text = document({"lines": [LINE], "machine": dict(MACHINE)})
    assert re.fullmatch(pattern(), text)
    assert "| a sum | jit | 1 us | numba 2 us | 0.50 | numba: met |" in text
    assert "Measured on A processor, 2 cores, Linux; Python 3.11.7.\n" in text
    assert "Not installed, or left out: jax.\n" in text and "1 of 1 targets are met" in text
