"""autograph/pages: one page for each class of errors, and every message on it is a real one.

A page shows programs under the comment `error: NAME`, each followed by the text of its error.
The programs are run here; `pytest --update-golden` writes the texts.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
import sys
from pathlib import Path

import pytest

import autograph.conversion.module_source  # noqa: F401  (its error is a class with a page, too)
from autograph.errors import AutoGraphError, StagingError, page
from tests.support import ROOT
from tests.test_errors import GENERATED

FOLDER = ROOT / "autograph" / "pages"
INDEX = FOLDER / "README.md"
PAGES = sorted(set(FOLDER.glob("*.md")) - {INDEX})
EXAMPLE = re.compile(
    r"<!-- error: (?P<name>\w+) -->\n```python\n(?P<code>.*?)```\n+```text\n(?P<text>.*?)```\n",
    re.S,
)


def classes(base: type = AutoGraphError) -> set[type]:
    found = set(base.__subclasses__())
    own = {
        kind for kind in found
        if kind.__module__.startswith("autograph.") and vars(kind).get("has_page", True)
    }  # fmt: skip
    return own.union(*(classes(kind) for kind in found))


def title(path: Path) -> str:
    return path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


# What a backend raises, and which page explains it.
SUBCLASSES = {"UnconvertedError": {"OperatorNotAllowedInGraphError"}}

# Faults cannot be shown, and how deep is too deep depends on the version of Python.
WITHOUT_EXAMPLE = ("conversion.md", "internal_fault.md", "unsupported_syntax.md")

EXAMPLES = [
    (path, match["name"])
    for path in PAGES
    for match in EXAMPLE.finditer(path.read_text(encoding="utf-8"))
]


def message(name: str, code: str, folder: Path) -> str:
    """What the program on a page prints or raises, its file named as on the page."""
    path = folder / f"{name}.py"
    path.write_text(code, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            spec.loader.exec_module(module)
    except Exception as error:
        return f"{type(error).__name__}: {error}\n".replace(f"{folder}/", "")
    finally:
        del sys.modules[name]
    raise AssertionError(f"{name} raises nothing, it prints {printed.getvalue()!r}")


@pytest.mark.parametrize(("path", "name"), EXAMPLES, ids=str)
def test_example(path: Path, name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    text = path.read_text(encoding="utf-8")
    (match,) = [match for match in EXAMPLE.finditer(text) if match["name"] == name]
    raised = message(name, match["code"], tmp_path)
    if request.config.getoption("--update-golden"):
        block = match[0].replace(f"```text\n{match['text']}```", f"```text\n{raised}```")
        path.write_text(text.replace(match[0], block), encoding="utf-8")
        return
    assert match["text"] == raised
    kinds = {title(path), *SUBCLASSES.get(title(path), ())}
    assert raised.partition(":")[0] in kinds
    assert not GENERATED.search(raised), "generated names are not the user's"


def test_every_class_has_a_page_and_no_other_has() -> None:
    named = {FOLDER / f"{page(kind)}.md" for kind in classes() - {StagingError}}
    assert named == set(PAGES)
    assert {title(path) for path in PAGES} == {kind.__name__ for kind in classes() - {StagingError}}


def test_every_page_has_an_example_and_stands_in_the_index() -> None:
    shown = {path for path, _ in EXAMPLES}
    assert shown == set(PAGES) - {FOLDER / name for name in WITHOUT_EXAMPLE}
    listed = re.findall(r"\]\((\w+\.md)\)", INDEX.read_text(encoding="utf-8"))
    assert sorted(listed) == [path.name for path in PAGES]
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        assert text.count("<!-- error: ") == len(EXAMPLE.findall(text)), f"{path.name}: no text"
        assert "## What to write instead" in text
