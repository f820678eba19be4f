"""The examples of every `--help` run: each line, in a folder with the files that they name."""

from __future__ import annotations

import io
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from autograph.cli import help_text
from autograph.cli import main as cli
from tests.support import ROOT
from tests.support.extras import installed

MODEL = """\
def step(n):
    return n // 2 if n % 2 == 0 else 3 * n + 1

def total(x, scale=1.0):
    found = scale * 0.0
    for row in x:
        found = found + row
    return found

def greet(name):
    return f"Hello, {name}!"

def listed(n):
    def numbers():
        if n > 0:
            sent = yield n
        else:
            sent = yield -n
        print(sent)
    return list(numbers())[0]

class Model:
    def step(self, n):
        return n if n > 0 else -n
"""
LINE = re.compile(r"^  ((?:cat \S+ \| )?autograph .*?)(?:  +.*)?$", re.M)
TEXTS = [text for name, text in vars(help_text).items() if name.endswith("EPILOG")]
EXAMPLES = [line for text in TEXTS for line in LINE.findall(text)]
FOUND = ("check ", "--check", "--diff")  # what these look for is there: exit code 1


def test_all_commands_have_examples() -> None:
    commands = {re.search(r"autograph (\w+)", line)[1] for line in EXAMPLES}
    assert commands == {
        "build", "check", "code", "convert", "explain", "graph", "launch", "run",
    }  # fmt: skip
    assert len(EXAMPLES) >= 20


@pytest.mark.parametrize("line", EXAMPLES)
def test_example(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    for name in ("model.py", "src/a.py", "src/b.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(MODEL)
    (tmp_path / "src" / "data.txt").write_text("x")
    (tmp_path / "examples").mkdir()
    shutil.copy(ROOT / "examples" / "collatz.py", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    if " launch " in line:
        pytest.skip("there is no such script here; tests of processes run the command")
    if " build " in line and not installed("native"):
        pytest.skip("the extra 'native' is not installed")
    source, bar, command = line.rpartition("| ")
    if bar:
        data = Path(source.split()[1]).read_bytes()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    code = cli.main(shlex.split(command)[1:])
    out, err = capfd.readouterr()
    looks = any(word in command for word in FOUND) and "--explain" not in line
    assert code == (1 if looks else 0), (out, err)
    assert "rror" not in err and "Traceback" not in err
    assert out or "-o" in line or "--in-place" in line or "--check" in line or "--verify" in line
