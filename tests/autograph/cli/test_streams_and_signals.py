"""Closed streams and signals: no traceback, nothing taken for a fault, no process left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.autograph.cli.running import COMMAND, ENVIRONMENT, LOOP
from tests.support.nightly import diagonal
from tests.support.processes import child

COMMANDS = ["convert loop.py", "check loop.py", "code loop.py:f", "run loop.py:f 3", "check -"]
REDIRECTIONS = ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-", ">/dev/full"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a POSIX system's devices")
@pytest.mark.parametrize("redirections, command", diagonal(REDIRECTIONS, COMMANDS))
def test_streams_that_are_closed(command: str, redirections: str, folder: Path) -> None:
    shell = f"exec {sys.executable} -m autograph {command} {redirections}"
    done = subprocess.run(
        ["sh", "-c", shell], input=LOOP, capture_output=True, cwd=folder, env=ENVIRONMENT,
        timeout=60,
    )  # fmt: skip
    assert b"Traceback" not in done.stderr and b"fault of autograph" not in done.stderr
    lost = ">&-" in redirections.split() or (">/dev" in redirections and "check" not in command)
    empty = command.endswith("-") and "<&-" in redirections
    assert done.returncode == (2 if lost or empty else 0), done.stderr
    if done.returncode and "2>&-" not in redirections:
        assert len(done.stderr.splitlines()) - (b"nothing found" in done.stderr) == 1
    assert done.stdout == b"" or not lost
    assert b"stage" not in done.stdout  # notes are for standard error alone


def test_messages_never_go_to_standard_output(folder: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -m autograph convert no.py 2>&-"],
        capture_output=True, cwd=folder, env=ENVIRONMENT, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


STARTING = """
import builtins, os, signal, runpy, sys
from importlib.abc import MetaPathFinder

class Interrupt(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)

import autograph
sys.meta_path.insert(0, Interrupt())
sys.argv[1:] = ["check", "loop.py"]
runpy.run_module("autograph", run_name="__main__")
"""


@pytest.mark.parametrize("name", ["autograph.cli.main", "argparse", "gast", "autograph.cli.check"])
def test_an_interrupt_at_the_start_is_quiet(name: str, folder: Path) -> None:
    with child(
        [sys.executable, "-c", STARTING.format(name=name)], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, cwd=folder, env=ENVIRONMENT, limit=60,
    ) as process:  # fmt: skip
        out, err = process.communicate()
    assert (out, err) == (b"", b"")
    assert process.returncode in (130, -signal.SIGINT)


def descendants(pid: int) -> set[int]:
    """The processes below one, by the parents that the system notes."""
    parents = {}
    for name in os.listdir("/proc"):
        try:
            fields = Path("/proc", name, "stat").read_text().rpartition(")")[2].split()
        except (OSError, ValueError):
            continue
        if name.isdecimal():
            parents[int(name)] = int(fields[1])
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def seconds(pid: int) -> float:
    """The time that a process has computed."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs the system's /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT, signal.SIGHUP])
def test_a_signal_leaves_no_process(number: signal.Signals, folder: Path) -> None:
    source = folder / "src"
    source.mkdir()
    for index in range(4):
        (source / f"m{index}.py").write_bytes(
            b"".join(LOOP.replace(b"f(", b"f%d(" % k) for k in range(3000))
        )
    with child(
        [*COMMAND, "convert", "-j", "2", "src", "-o", "out"], stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, cwd=folder, env=ENVIRONMENT,
    ) as process:  # fmt: skip
        deadline = time.monotonic() + 60
        # Two workers and the tracker of their resources.  A worker that is hit while Python starts
        # shows Python's own traceback: both have begun to convert.
        below = descendants(process.pid)
        while sum(seconds(pid) > 1.5 for pid in below) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.02)
            below = descendants(process.pid)
        process.send_signal(number)
        _, err = process.communicate()
        assert process.returncode != 0
        # Python itself complains in a child that is killed while it starts
        assert number is signal.SIGKILL or b"Traceback" not in err
    deadline = time.monotonic() + 60
    while any(map(alive, below)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in below if alive(pid)]
    assert not list((folder / "out").glob("*.tmp")) if (folder / "out").exists() else True
