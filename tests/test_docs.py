"""The pages tell the truth: shown blocks equal what the code gives, and run blocks run.

A block to be checked stands under a comment in the page: `show: NAME` for text that a function
below produces (rewritten by `pytest --update-golden`), `run: NAME` for code that is executed.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from runtime.types.flags import JIT_STRICT
from tests.docs.blocks import SHOWN, after_running
from tests.support import ROOT

PAGES = [ROOT / "README.md", ROOT / "LIMITATIONS.md", *sorted((ROOT / "docs").rglob("*.md")),
         *sorted((ROOT / "autograph" / "pages").glob("*.md"))]
BLOCK = re.compile(
    r"<!-- (?P<kind>show|run): (?P<name>[^>]+?) -->\n```(?P<language>\w*)\n(?P<text>.*?)```\n", re.S
)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def blocks(kind: str) -> list[tuple[Path, str]]:
    """Every marked block of a kind, as (page, name)."""
    return [
        (page, match["name"])
        for page in PAGES
        for match in BLOCK.finditer(page.read_text(encoding="utf-8"))
        if match["kind"] == kind
    ]


def find(page: Path, name: str) -> re.Match[str]:
    """The one block of a name on a page."""
    text = page.read_text(encoding="utf-8")
    (match,) = [m for m in BLOCK.finditer(text) if m["name"] == name]
    return match


def spoken(value: object) -> str:
    """Test ids: the page's name."""
    return value.name if isinstance(value, Path) else str(value)


@pytest.mark.parametrize(("page", "name"), blocks("show"), ids=spoken)
def test_shown_block(page: Path, name: str, request: pytest.FixtureRequest) -> None:
    expected = SHOWN[name]().rstrip("\n") + "\n"
    block = find(page, name)
    if request.config.getoption("--update-golden"):
        old, new = block[0], block[0].replace(f"\n{block['text']}```\n", f"\n{expected}```\n")
        page.write_text(page.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
        return
    assert block["text"] == expected, f"{page.name} shows an old {name!r}: run --update-golden"


def test_every_producer_is_shown() -> None:
    assert {name for _, name in blocks("show")} == set(SHOWN)


@pytest.mark.parametrize(("page", "name"), blocks("run"), ids=spoken)
def test_run_block(
    page: Path, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # blocks write files, as readers would
    check: Callable[[dict[str, object], str], None] = after_running[name]
    namespace: dict[str, object] = {}
    printed = io.StringIO()
    text, filename = find(page, name)["text"], f"{page.name}:{name}"
    linecache.cache[filename] = len(text), None, text.splitlines(True), filename
    with contextlib.redirect_stdout(printed), JIT_STRICT(False):  # as readers have it
        exec(compile(text, filename, "exec", dont_inherit=True), namespace)
    check(namespace, printed.getvalue())


@pytest.mark.parametrize("page", PAGES, ids=spoken)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} points at {target}"


@pytest.mark.parametrize("page", PAGES, ids=spoken)
def test_paths_named_exist(page: Path) -> None:
    """Pages name files in backquotes; a file that moved leaves a stale name behind."""
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"`((?:autograph|runtime|tests|examples|docs)/[\w/.]*)`", text):
        assert (ROOT / target).exists(), f"{page.name} names {target}"
