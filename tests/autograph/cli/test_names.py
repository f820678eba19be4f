"""What the commands are given: pipes, devices, names with control characters."""

from __future__ import annotations

import contextlib
import os
import socket
from pathlib import Path

import pytest

from autograph.cli import main as cli
from autograph.diagnostics.printable import printable
from tests.autograph.cli.running import run

EVIL = "a\x1b]0;owned\x07\x9b2J\u202e.py"
SHOWN = r"a\x1b]0;owned\x07\x9b2J\u202e.py"
STAGED = b"def f(n):\n    while n > 1:\n        n = n - 1\n        return n\n"


@pytest.mark.parametrize("command", ["check", "convert", "code", "run", "graph"])
def test_pipes_and_devices_are_refused(command: str, folder: Path) -> None:
    os.mkfifo(folder / "pipe.py")
    names = {"pipe.py": "a pipe", "/dev/zero": "a device"}
    for name, kind in names.items():
        target = name if command in ("check", "convert") else f"{name}:f"
        done = run(command, target, cwd=folder)
        assert done.returncode == 2
        assert f"{name}: is {kind}, not a file" in done.stderr.decode()


def test_folders_with_pipes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(folder / "pipe.py")
    os.mkfifo(folder / "pipe.txt")
    (folder / "to_pipe.py").symlink_to("pipe.py")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.py")
    assert cli.main(["check", "."]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[:3] == [
        "./pipe.py: is a pipe, not a file", "./socket.py: is a socket, not a file",
        "./to_pipe.py: is a pipe, not a file",
    ]  # fmt: skip


def test_printable() -> None:
    assert printable(EVIL) == SHOWN
    assert printable("a\n\tb\r", keep="\n\t") == "a\n\tb\\r"
    assert printable("größe λ 文 \U0001f600") == "größe λ 文 \U0001f600"


CONTROLS = "".join(map(chr, [*range(1, 9), *range(11, 32), *range(127, 160), 0x202E, 0x2066]))


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", EVIL], ["check", EVIL, "--output-format", "full"], ["check", "."],
        ["check", EVIL, "--output-format", "github"], ["check", EVIL, "--output-format", "json"],
        ["convert", EVIL, "--diff"], ["convert", EVIL, "--check"], ["convert", "no" + EVIL],
        ["convert", EVIL, "-o", EVIL], ["convert", ".", "-o", "out"], ["convert", "."],
        ["convert", EVIL, "-o", "no/" + EVIL], ["convert", EVIL, "--verify", "-o", "out.py"],
        ["convert", EVIL, "--copy"], ["code", EVIL + ":nothing"], ["code", EVIL],
        ["code", "raises" + EVIL + ":f"], ["run", EVIL + ":f", "\x1b"], ["graph", EVIL + ":f"],
        ["graph", EVIL + ":f", "\x1b", "-o", EVIL], ["--\x1b"], ["check", "--select", "\x1b", "x"],
        ["explain", "\x1b"], ["bad" + EVIL + ":f"], ["check", "bad" + EVIL],
    ],
    ids=str,
)  # fmt: skip
def test_names_are_shown_escaped(
    arguments: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / EVIL).write_bytes(STAGED)
    (folder / ("raises" + EVIL)).write_bytes(b"raise ValueError(__file__)\n")
    (folder / ("bad" + EVIL)).write_bytes(b"x = '\x1b\x9b' = 1\n")
    with contextlib.suppress(SystemExit):
        cli.main(arguments)
    out, err = capsys.readouterr()
    for letter in CONTROLS:
        assert letter not in out + err, (out + err).encode("unicode_escape")
