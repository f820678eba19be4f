"""`autograph explain`: every page that an error names, by any of its names."""

from __future__ import annotations

import pytest

from autograph.cli import explain
from autograph.cli import main as cli
from autograph.lint.codes import TABLE


@pytest.mark.parametrize("name", explain.names())
def test_a_page_by_its_names(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    title = "".join(map(str.capitalize, name.split("_"))) + "Error"
    shown = set()
    for code in (name, title, f"docs/errors/{name}.md", name.upper()):
        assert cli.main(["explain", code]) == 0
        shown.add(capsys.readouterr().out)
    (text,) = shown
    assert text.startswith(f"# {title}\n") and "<!--" not in text


@pytest.mark.parametrize("code", TABLE)
def test_a_finding(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", code.lower()]) == cli.main(["check", "--explain", code]) == 0
    text = capsys.readouterr().out
    assert text[: len(text) // 2] == text[len(text) // 2 :]


def test_the_index(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain"]) == 0
    assert "DtypeJoinError" in capsys.readouterr().out


def test_an_unknown_page(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main(["explain", "dtype_jion"])
    assert "there is no page dtype_jion, did you mean dtype_join?" in capsys.readouterr().err
