"""``autograph code --html``: source and generated code side by side, with links of their lines."""

from __future__ import annotations

import html
import os
import re
import sys
from pathlib import Path

import pytest

from autograph.api import linked_code
from autograph.cli import main as cli
from tests.support.browser import CHROMIUM, ask

METER = '''\
class Meter:
    def step(self, n, items):
        """Doc."""
        # how often
        total = 0
        for k in items:  # each
            if (k > n and
                    k != 3):
                total += k
                continue
            else:
                total -= max(k,
                             n)
            match k:
                case 1:
                    total += 1
            try:
                total += 10
            except ValueError:
                total = "<&>"
        return total

choose = lambda x: x if x > 0 else -x
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "meters.py").write_text(METER)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


@pytest.fixture
def page(folder, capfd) -> str:
    assert cli.main(["code", "--html", "meters.py:Meter.step", "-o", "page.html"]) == 0
    assert capfd.readouterr().out == ""
    assert sorted(os.listdir(folder)) == ["meters.py", "page.html"]
    return (folder / "page.html").read_text()


def lines(page: str, side: int) -> list[tuple[int, str]]:
    """Link and text of each line of the source (0) or of the code (1)."""
    listing = re.findall("<pre>(.*?)</pre>", page, re.DOTALL)[side]
    found = re.findall(r'<div(?: data-line="(\d+)"[^>]*)?><i>[^<]*</i>(.*?)</div>', listing)
    return [(int(a or 0), html.unescape(re.sub("<.*?>", "", b)).strip()) for a, b in found]


def test_lines_that_belong_together_have_one_number(page) -> None:
    source, code = lines(page, 0), lines(page, 1)
    assert [text for _, text in source] == [text.strip() for text in METER.split("\n")[1:21]]
    assert source[6][0] == source[5][0] == 7, "a condition of two lines is one statement"
    by_text = {text: link for link, text in code}
    assert by_text["def step(self, n, items):"] == 2
    assert by_text["total += k"] == 9
    assert by_text["total -= ag__.call(max)(k, n)"] == 12
    assert by_text["total += 1"] == 16
    assert by_text["total = '<&>'"] == 20
    assert next(link for link, text in code if "for_stmt" in text) == 6
    assert next(link for link, text in code if "if_stmt" in text and "all_true" in text) == 7
    assert next(link for link, text in code if text.startswith("def if_body")) in (7, 9)
    known = {link for link, _ in source}
    assert all(link in known for link, _ in code)


def test_a_lambda_has_a_page_on_standard_output(folder, capfd) -> None:
    assert cli.main(["code", "--html", "meters.py:choose"]) == 0
    out = capfd.readouterr().out
    assert out.startswith("<!DOCTYPE html>")
    assert lines(out, 0)[0][0] == lines(out, 1)[0][0] == 23


def test_code_goes_to_a_file_too(folder, capfd) -> None:
    assert cli.main(["code", "meters.py:choose", "-o", "out.py"]) == 0
    assert (folder / "out.py").read_text().startswith("lambda x: ag__")
    assert cli.main(["code", "meters.py:choose", "-o", "no/out.py"]) == 2
    assert "no/out.py: no such file" in capfd.readouterr().err


def test_every_statement_of_real_functions_is_linked() -> None:
    import shutil
    import textwrap

    for function in (shutil.copytree, shutil.move, textwrap.TextWrapper._wrap_chunks):
        found = linked_code(function)
        assert len(found.source_links) == found.source.count("\n") + 1
        assert len(found.code_links) == found.code.count("\n") + 1
        missing = [
            text for text, link in zip(found.code.split("\n"), found.code_links)
            if not link and text.strip() and not text.strip().startswith("#")
        ]  # fmt: skip
        plain = re.compile(r" *(else:|finally:|[\w =]+ = None)")  # the latter declares locals
        assert not [text for text in missing if not plain.fullmatch(text)]


@pytest.mark.nightly
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_lines_light_up_in_a_browser(page, tmp_path) -> None:
    question = """(() => {
      const line = document.querySelector('section:first-child [data-line="9"]');
      line.dispatchEvent(new MouseEvent("mouseenter"));
      const lit = [...document.querySelectorAll(".lit")].map((e) => e.textContent.trim());
      line.click();
      line.dispatchEvent(new MouseEvent("mouseleave"));
      const count = (name) => document.querySelectorAll(name).length;
      return [lit.length, count(".lit"), count(".kept"), innerWidth >= document.body.scrollWidth];
    })()"""
    number, left, kept, fits = ask(page, tmp_path, question)
    assert number >= 2 and left == 0 and kept == number and fits
