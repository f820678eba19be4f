"""`autograph check`: options, formats, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograph.cli import main as cli
from autograph.lint import modules
from autograph.lint.codes import CHECKS, Check
from tests.autograph.cli.running import run

BAD = (
    b"import math\ndef f(n):\n    s = bytearray(1)\n    if n > 0:\n        s[0] = 1\n    n.item()\n"
)
LINES = [
    "m.py:5:9 AG202 if 'n > 0' (line 4) is staged, 's', a bytearray, cannot change here",
    "m.py:6:5 AG401 if 'n' is staged, it has no .item(): no value exists yet",
]


@pytest.fixture
def source(folder: Path) -> Path:
    (folder / "m.py").write_bytes(BAD)
    return folder


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str], list[str]]:
    code = cli.main(["check", *arguments])
    out, err = capsys.readouterr()
    return code, out.splitlines(), err.splitlines()


def test_concise(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(capsys, "m.py") == (1, LINES, ["2 places would not stage"])
    assert check(capsys, "m.py", "./m.py", "-q") == (1, LINES, [])


def test_nothing_found(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(capsys, "loop.py") == (0, [], ["nothing found that would not stage"])
    assert check(capsys, "loop.py", "-q") == (0, [], [])


def test_nothing_is_run_or_written(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (source / "bomb.py").write_bytes(b"raise SystemExit('boom')\n" + BAD)
    before = sorted(source.iterdir())
    assert check(capsys, "bomb.py")[0] == 1
    assert sorted(source.iterdir()) == before


def test_select_and_ignore(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(capsys, "m.py", "--select", "AG2")[1] == LINES[:1]
    assert check(capsys, "m.py", "--select", "ag1,AG401")[1] == LINES[1:]
    assert check(capsys, "m.py", "--ignore", "AG202", "--ignore", "AG4")[:2] == (0, [])


def test_statistics(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (source / "n.py").write_bytes(BAD.replace(b"s[0]", b"s[-1]"))
    code, out, _ = check(capsys, "m.py", "n.py", "--statistics", "--ignore", "AG4")
    assert (code, out) == (1, ["2  AG202  outer set or bytearray changed"])


def test_full(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = check(capsys, "m.py", "--output-format", "full", "--select", "AG2")
    assert out == [
        LINES[0],
        "  |",
        "5 |         s[0] = 1",
        "  |         ^^^^",
        "  = outer set or bytearray changed: `autograph check --explain AG202`",
        "",
    ]


def test_json(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = check(capsys, "m.py", "--output-format", "json", "--select", "AG2")
    assert (code, err) == (1, [])
    assert json.loads("\n".join(out)) == [{
        "code": "AG202", "name": "outer set or bytearray changed",
        "message": LINES[0].partition(" AG202 ")[2], "filename": "m.py",
        "location": {"row": 5, "column": 9}, "end_location": {"row": 5, "column": 13},
    }]  # fmt: skip
    assert check(capsys, "loop.py", "--output-format", "json")[:2] == (0, ["[]"])


def test_github(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "a,b:c%.py"
    (source / name).write_bytes(BAD)
    code, out, err = check(capsys, name, "--output-format", "github", "--select", "AG2")
    assert (code, err) == (1, [])
    assert out == [
        "::warning title=autograph AG202,file=a%2Cb%3Ac%25.py,line=5,col=9,endLine=5,endColumn=13"
        f"::{name.replace('%', '%25')}{LINES[0].removeprefix('m.py')}"
    ]


def test_tree(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for place in ("p", ".venv", "q"):
        (source / place).mkdir()
        (source / place / "m.py").write_bytes(BAD)
    (source / "bad.py").write_bytes(b"x = (\n")
    code, out, err = check(capsys, ".", "--exclude", "q", "--select", "AG2", "-j", "2")
    assert code == 2
    assert out == [f"./{LINES[0]}", f"./p/{LINES[0]}"]
    assert err == ["./bad.py:1:5: '(' was never closed", "2 places would not stage"]


def test_standard_input(source: Path) -> None:
    done = run("check", "-", cwd=source, stdin=BAD)
    assert done.stdout.startswith(b"<stdin>:5:9 AG202 ")
    done = run("check", "-", "--stdin-filename", "m.py", cwd=source, stdin=BAD)
    assert done.returncode == 1
    assert done.stdout.decode().splitlines() == LINES


def test_colour(source: Path) -> None:
    done = run("check", "m.py", cwd=source, FORCE_COLOR="1")
    assert done.stdout.startswith(b"\033[1mm.py:5:9\033[0m \033[31mAG202\033[0m if")


@pytest.mark.parametrize("row", CHECKS, ids=lambda row: row.code)
def test_explain(row: Check, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = check(capsys, "--explain", row.code.lower())
    assert (code, err) == (0, [])
    assert out[0] == f"{row.code}: {row.name}"
    assert "    def f(n):" in out and "Write instead:" in out
    assert max(map(len, out)) <= 100


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "name files or folders, or - for standard input"),
        (["-", "m.py"], "- (standard input) stands alone"),
        (["m.py", "--stdin-filename", "x"], "--stdin-filename is for standard input: -"),
        (["m.py", "--select", "AG9"], "no code begins with AG9; the codes are AG101, "),
        (["--explain", "AG999"], "there is no code AG999; choose from AG101, "),
        (["m.py", "--output-format", "jsno"], "there is no 'jsno', did you mean json?; choose"),
    ],
)
def test_usage(
    arguments: list[str], text: str, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        cli.main(["check", *arguments])
    assert stopped.value.code == 2
    assert text in capsys.readouterr().err


def test_a_fault_of_our_own_stops_nothing(
    source: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(function: object) -> None:
        raise KeyError("oops")

    monkeypatch.setattr(modules, "RULES", (fail,))
    code, out, (line,) = check(capsys, "m.py")
    assert (code, out) == (2, [])
    assert line.startswith("m.py: internal error (KeyError: 'oops'); this is a fault of autograph")
