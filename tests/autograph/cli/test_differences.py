"""`autograph convert --check` and `--diff`; colours, progress and names on terminals and pipes."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

import pytest

from autograph.cli import outputs
from autograph.conversion.module_source import IMPORT
from tests.autograph.cli.running import COMMAND, ENVIRONMENT, LOOP, convert, run
from tests.support.processes import child


def test_check(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert convert(capsys, "loop.py", "--check") == (1, "", ["would convert loop.py"])
    assert convert(capsys, "loop.py", "--check", "-q") == (1, "", [])
    code, _, err = convert(capsys, "src", "--check")
    assert code == 1
    assert err[-1] == "4 files would change, 1 would not"
    assert (tree / "src/a.py").read_bytes() == LOOP


def test_check_of_an_output(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert convert(capsys, "src", "-o", "out", "--check")[0] == 1
    assert not (tree / "out").exists()
    assert convert(capsys, "src", "-o", "out")[0] == 0
    assert convert(capsys, "src", "-o", "out", "--check")[0] == 0
    (tree / "src/a.py").write_bytes(LOOP + b"# more\n")
    code, _, err = convert(capsys, "src", "-o", "out", "--check")
    assert (code, err[0]) == (1, "would write out/a.py")


def test_diff(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "loop.py").write_bytes(LOOP.replace(b"\n", b"\r\n")[:-2])
    code, out, err = convert(capsys, "loop.py", "--diff")
    assert (code, err) == (1, [])
    assert out.startswith("--- loop.py\n+++ loop.py (converted)\n@@ -1,4 +1,")
    assert f"\n+{IMPORT}\r\n" in out
    assert "\033" not in out
    (folder / "loop.py").write_bytes(b"x = 1\n")
    assert convert(capsys, "loop.py", "--diff") == (0, "", [])


def test_a_diff_can_be_applied(folder: Path) -> None:
    try:
        subprocess.run(["patch", "--version"], capture_output=True, check=True)
    except OSError:
        pytest.skip("no patch on this system")
    difference = run("convert", "loop.py", "--diff", cwd=folder).stdout
    subprocess.run(["patch", "-p0"], input=difference, cwd=folder, check=True, capture_output=True)
    assert (folder / "loop.py").read_bytes() == run("convert", "-", cwd=folder, stdin=LOOP).stdout


@pytest.mark.parametrize(
    ("more", "coloured"),
    [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)],
)
def test_colour(more: dict[str, str], coloured: bool, folder: Path) -> None:
    done = run("convert", "loop.py", "--diff", cwd=folder, **more)
    assert (b"\033[32m+" in done.stdout) is coloured
    assert (b"\033[1m--- loop.py\033[0m\n" in done.stdout) is coloured


def test_a_terminal_shows_progress_and_colour(tree: Path) -> None:
    leader, follower = pty.openpty()
    with child(
        [*COMMAND, "convert", "src", "--diff"], cwd=tree, env={**ENVIRONMENT, "TERM": "xterm"},
        stdout=follower, stderr=follower, stdin=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        os.close(follower)
        text = b""
        while True:  # until the process ends, by itself or at the time limit
            try:
                text += os.read(leader, 65536)
            except OSError:
                break
        assert process.wait(timeout=60) == 1
    os.close(leader)
    assert b"\r\033[Kconverting 1/5 src/a.py" in text
    assert b"\033[32m+" in text
    assert text.endswith(b"\r\033[K4 files would change, 1 would not\r\n")


def test_names_that_are_not_text(folder: Path) -> None:
    name = os.fsdecode(b"\xff\xe4.py")
    try:
        (folder / name).write_bytes(b"x = (\n")
    except OSError:
        pytest.skip("this file system wants text")
    done = run("convert", name, cwd=folder)
    assert done.returncode == 2
    assert b".py:1:5: '(' was never closed" in done.stderr and b"Traceback" not in done.stderr
    (folder / name).write_bytes(LOOP)
    assert run("convert", name, "--diff", cwd=folder).stdout.startswith(b"--- \xff\xe4.py\n")


def test_a_dumb_terminal_has_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "dumb")
    assert not outputs.is_coloured(Terminal())
    monkeypatch.setenv("TERM", "xterm")
    assert outputs.is_coloured(Terminal())
