"""Tracebacks, pdb and coverage see the user's file and lines, not generated code.

In both versions of a converted function: the plain one is seen exactly as the original, the
functional one has frames for bodies, and shows the ``def`` line where it was handed the call.
"""

from __future__ import annotations

import bdb
import inspect
import io
import pdb
import subprocess
import sys
import textwrap
import traceback
from pathlib import Path

import pytest

import autograph
from autograph import staging
from autograph.diagnostics import user_frame


@pytest.fixture(params=["plain", "functional"])
def half(request):
    """Runs a test in both versions of converted functions."""
    with staging.force_version(staged=request.param == "functional"):
        yield request.param


def fails_in_branch(x):
    y = x
    if x > 0:
        y = x / 0  # the line that fails
    return y


def fails_in_loop(n):
    total = 0
    for i in range(1, n):
        while total < 100:
            total = total + i
            if total > 5:
                raise ValueError(f"at {total}")  # the line that raises
    return total


def user_frames(function, *args):
    """(file, line, name) of each frame in this file, of the traceback of a converted call."""
    try:
        autograph.to_graph(function)(*args)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        return [
            (frame.filename, frame.lineno, frame.name)
            for frame in frames
            if not user_frame.is_own(frame.filename)
        ][1:], frames
    raise AssertionError("nothing was raised")


def line_of(function, text):
    lines, first = inspect.getsourcelines(function)
    return next(first + n for n, line in enumerate(lines) if text in line)


def test_traceback_of_a_branch_names_the_failing_line(half):
    user, frames = user_frames(fails_in_branch, 1)
    texts = ("def ", "if x > 0", "x / 0")[-1 if half == "plain" else 0 :]
    lines = [line_of(fails_in_branch, text) for text in texts]
    assert user == [(__file__, line, "fails_in_branch") for line in lines]
    assert frames[-1].line == "y = x / 0  # the line that fails"
    assert len(frames) == 1 + len(lines), "a branch adds no frame of autograph"


def test_traceback_of_nested_loops_names_every_line_on_the_way(half):
    user, _ = user_frames(fails_in_loop, 3)
    texts = ("def ", "for i", "while", "if total", "raise")[-1 if half == "plain" else 0 :]
    lines = [line_of(fails_in_loop, text) for text in texts]
    assert [line for _, line, _ in user] == lines
    assert {name for _, _, name in user} == {"fails_in_loop"}


def test_source_of_the_conversion_is_the_users():
    converted = autograph.to_graph(fails_in_loop)
    assert inspect.getsource(converted) == inspect.getsource(fails_in_loop)
    assert converted.__code__.co_filename == __file__


class Recorder(pdb.Pdb):
    """A debugger that steps and remembers the lines of this file at which it stopped."""

    def __init__(self):
        super().__init__(stdin=io.StringIO(), stdout=io.StringIO(), nosigint=True, readrc=False)
        self.lines = []

    def user_line(self, frame):
        if frame.f_code.co_filename == __file__:
            self.lines.append((frame.f_lineno, dict(frame.f_locals)))
        self.set_step()

    def user_call(self, frame, argument):
        self.set_step()

    def user_return(self, frame, value):
        self.set_step()

    def user_exception(self, frame, info):
        self.set_step()


def walk(n):
    s = 0
    while n > 0:
        if n % 2:
            s = s + n
        n = n - 1
    return s


def test_stepping_visits_the_users_lines_in_order(half):
    recorder = Recorder()
    converted = autograph.to_graph(walk)
    assert recorder.runcall(converted, 3) == 4
    visited = [line for line, _ in recorder.lines]
    order = [line_of(walk, text) for text in ("s = 0", "while", "if n", "s + n", "n - 1")]
    first_visits = sorted(order, key=visited.index)
    assert first_visits == order
    assert visited.count(line_of(walk, "s + n")) == 2
    at_addition = [v for line, v in recorder.lines if line == line_of(walk, "s + n")]
    assert [(v["s"], v["n"]) for v in at_addition] == [(0, 3), (3, 1)]


def test_stepping_through_a_plain_half_is_stepping_through_the_original():
    seen = []
    for function in (walk, autograph.to_graph(walk)):
        recorder = Recorder()
        with staging.force_version(staged=False):
            recorder.runcall(function, 3)
        seen.append(recorder.lines)
    assert seen[0] == seen[1]


def test_a_breakpoint_in_a_branch_stops_there(half):
    recorder = Recorder()
    recorder.user_line = lambda frame: (
        recorder.lines.append((frame.f_lineno, frame.f_locals["n"])), recorder.set_continue()
    )
    bdb.Breakpoint.clearBreakpoints()
    recorder.set_break(__file__, line_of(walk, "s + n"))
    converted = autograph.to_graph(walk)
    recorder.runcall(converted, 3)
    stops = [line for line, _ in recorder.lines if line == line_of(walk, "s + n")]
    assert len(stops) == 2


PROGRAM = """
    import autograph

    def f(x):
        if x > 0:
            y = 1
        else:
            y = 2
        for i in range(0):
            y = 3
        while y > 10:
            y = 4
        return y

    with autograph.staging.force_version(staged=FUNCTIONAL):
        assert autograph.to_graph(f)(1) == 1
"""


def test_coverage_counts_exactly_the_lines_that_ran(tmp_path: Path, half):
    program = tmp_path / "program.py"
    text = textwrap.dedent(PROGRAM).lstrip()
    program.write_text(text.replace("FUNCTIONAL", str(half == "functional")))
    lines = program.read_text().splitlines()
    command = [sys.executable, "-m", "coverage"]
    root = str(Path(autograph.__file__).parents[1])
    environment = {"PYTHONPATH": root, "PATH": "/usr/bin:/bin"}
    run = {"cwd": tmp_path, "env": environment, "check": True, "capture_output": True}
    subprocess.run([*command, "run", f"--include={program}", "program.py"], **run)
    report = subprocess.run([*command, "report", "-m"], text=True, **run).stdout
    missing = [number for number, line in enumerate(lines, 1)
               if any(text in line for text in ("y = 2", "y = 3", "y = 4"))]
    assert report.splitlines()[2].split("%")[1].split() == [
        f"{number}," if number != missing[-1] else str(number) for number in missing
    ], report
