"""The documentation site: mkdocs.yml names each page; the strict build takes no other host."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys

import pytest

from tests.support import ROOT

ELSEWHERE = {"index.md", "limitations.md", "changelog.md", "contributing.md", "security.md"}


def test_each_page_is_in_the_navigation() -> None:
    text = (ROOT / "mkdocs.yml").read_text("utf-8").partition("nav:")[2]
    named = re.findall(r"([\w/]+\.md)$", text, re.M)
    pages = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")}
    assert len(named) == len(set(named))
    assert {page for page in named if not page.startswith(("api/", "errors/"))} == pages | ELSEWHERE


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 120


def prose(text: str) -> list[str]:
    """The lines of a page outside of code and of what programs print."""
    return re.sub(r"^ *```.*?^ *```$", "", text, flags=re.M | re.S).splitlines()


def test_lines_are_short() -> None:
    pages = [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "autograph/pages").glob("*.md"),
    ]
    long = [
        f"{page.relative_to(ROOT)}: {line[:60]}"
        for page in pages
        for line in prose(page.read_text("utf-8"))
        if len(line) > 120 and " " in line.strip()
    ]
    assert not long


@pytest.mark.nightly
@pytest.mark.skipif(not importlib.util.find_spec("mkdocs"), reason="needs the extra docs")
def test_the_strict_build_succeeds(tmp_path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    pages = [page.read_text("utf-8") for page in tmp_path.rglob("*.html")]
    assert len(pages) > 80 and "Compute lower triangular matrices" in "".join(pages)
    loaded = re.findall(r'<(?:script|img|link)[^>]+(?:src|href)="(https?://[^"]+)', "".join(pages))
    assert not loaded
