"""The command line, called as a user calls it: exit codes, output, one line for each error."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import autograph
from autograph.cli import main as cli
from tests.support import ROOT
from tests.support.processes import child

LOOP = b"def f(n):\n    while n > 1:\n        n = n - 1\n    return n\n"
PATH = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
ENVIRONMENT = {**os.environ, "PYTHONPATH": PATH, "PYTHONDONTWRITEBYTECODE": "1"}


def run(*arguments: object, cwd: Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "autograph", *map(str, arguments)],
        cwd=cwd, input=stdin, capture_output=True, timeout=60, env=ENVIRONMENT,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, with the file loop.py."""
    (tmp_path / "loop.py").write_bytes(LOOP)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


def namespace(data: bytes) -> dict:
    found: dict = {"__name__": "converted"}
    exec(compile(data, "converted.py", "exec"), found)
    return found


# Errors: one line, exit code 2, nothing written

ERRORS = {
    "missing file": (["convert", "no.py"], "no.py: no such file or directory"),
    "NUL in name": (["convert", "a\0b"], "a\\x00b: embedded null byte"),
    "syntax": (["convert", "syntax.py"], "syntax.py:2:5: invalid syntax"),
    "binary": (["convert", "binary.py"], "binary.py:1: not Python source"),
    "utf-8": (["convert", "latin.py"], "latin.py:2:6: byte 0xe4 is not utf-8"),
    "cookie": (["convert", "cookie.py"], "cookie.py:1: unknown encoding: klingon"),
    "no folder": (["convert", "loop.py", "-o", "no/out.py"], "no/out.py: no such file"),
    "output is a folder": (["convert", "loop.py", "-o", "."], "./loop.py: is an input"),
    "folder is a file": (["convert", "loop.py", "-o", "loop.py/x"], "loop.py/x: not a directory"),
    "syntax, output": (["convert", "syntax.py", "-o", "loop.py"], "syntax.py:2:5: invalid"),
    "no function named": (["code", "loop.py"], "loop.py: name a function of the file"),
    "no file named": (["run", ":f"], ":f: name a function"),
    "unknown function": (["code", "more.py:g"], "more.py: no function g; those of the file are: "),
    "unknown method": (["run", "more.py:A.x", "1"], "more.py: no function A.x"),
    "a value": (["code", "more.py:x"], "more.py: "),
    "a class": (["run", "more.py:A"], "more.py: A cannot be converted: it is a class"),
    "a builtin": (["code", "more.py:length"], "more.py: len cannot be converted: it is built in"),
    "code of a syntax error": (["code", "syntax.py:f"], "syntax.py:2:5: invalid syntax"),
    "run of a missing file": (["run", "no.py:f"], "no.py: no such file"),
}


@pytest.mark.parametrize("case", ERRORS)
def test_error(case: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "syntax.py").write_bytes(b"x = 1\ny = = 2\n")
    (folder / "binary.py").write_bytes(b"\x7fELF\0")
    (folder / "latin.py").write_bytes(b"\nx = '\xe4'\n")
    (folder / "cookie.py").write_bytes(b"# coding: klingon\n")
    (folder / "more.py").write_bytes(b"x = 1\nlength = len\nclass A:\n  def m(self): pass\n")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    arguments, text = ERRORS[case]
    assert cli.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(text)
    assert err.endswith("\n") and err.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_file_that_may_not_be_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = folder / "out.py"
    out.write_bytes(b"mine")
    out.chmod(0o444)
    if os.access(out, os.W_OK):
        pytest.skip("this user may write everything")
    assert cli.main(["convert", "loop.py", "-o", "out.py"]) == 2
    assert capsys.readouterr().err == "out.py: permission denied\n"
    assert out.read_bytes() == b"mine"


def test_a_write_that_fails_leaves_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    assert cli.main(["convert", "loop.py", "-o", "out.py"]) == 2
    assert capsys.readouterr().err == "out.py: no space left on device\n"
    assert os.listdir(folder) == ["loop.py"]


def test_full_standard_output(folder: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full on this system")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "autograph", "convert", "loop.py"], stdout=full,
            stderr=subprocess.PIPE, timeout=60, env=ENVIRONMENT, cwd=folder,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (2, b"<stdout>: no space left on device\n")


def test_broken_pipe_is_quiet(folder: Path) -> None:
    (folder / "long.py").write_bytes(LOOP * 5000)
    with child(
        [sys.executable, "-m", "autograph", "convert", "-"], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT, cwd=folder,
    ) as process:  # fmt: skip
        process.stdout.close()
        process.stdin.write(LOOP)
        process.stdin.close()
        assert process.wait(timeout=60) == 141
        assert process.stderr.read() == b""


def test_interrupt(folder: Path) -> None:
    (folder / "slow.py").write_bytes(b"import time\nprint('on', flush=True)\ntime.sleep(60)\n")
    with child(
        [sys.executable, "-m", "autograph", "run", "slow.py:f"], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=ENVIRONMENT, cwd=folder,
    ) as process:  # fmt: skip
        assert process.stdout.readline() == b"on\n"
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert time.monotonic() - started < 30
        assert process.stderr.read() == b""


# code


def test_code(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "m.py").write_bytes(LOOP + b"print('noise')\nclass A:\n  class B:\n    g = f\n")
    for name in "f", "A.B.g":
        assert cli.main(["code", f"m.py:{name}"]) == 0
        out, err = capsys.readouterr()
        assert err == "noise\n"
        assert out == autograph.to_code(sys.modules["m"].f)
        compile(out, "m", "exec")


def test_code_of_a_file_whose_code_fails(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.py").write_bytes(b"import json\ndef g():\n    json.loads('')\ng()\n")
    assert cli.main(["code", "bad.py:g"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert [line for line in lines if "File " in line] == [
        f'  File "{folder}/bad.py", line 4, in <module>',
        f'  File "{folder}/bad.py", line 3, in g',
    ]
    assert lines[-1].startswith("json.decoder.JSONDecodeError: Expecting value")


# run


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    code = cli.main(["run", *arguments])
    out, err = capsys.readouterr()
    assert err == ""
    return code, out.splitlines()


def test_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ran(capsys, "loop.py:f", "5") == (
        0, ["f(5)", "eager  1 (int32)", "graph  1 (int32)", "equal"]
    )  # fmt: skip
    assert ran(capsys, "loop.py:f", "2.5") == (
        0, ["f(2.5)", "eager  0.5 (float32)", "graph  0.5 (float32)", "equal"]
    )  # fmt: skip


def test_run_shows_what_is_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "m.py").write_bytes(
        b"def f(n):\n    while n > 0:\n        print('n is', n)\n        n -= 1\n    print('end')\n"
    )
    assert ran(capsys, "m.py:f", "2") == (
        0,
        [
            "f(2)", "n is tf.Tensor(2, shape=(), dtype=int32)",
            "n is tf.Tensor(1, shape=(), dtype=int32)", "end",
            "eager  None", "graph  None", "equal",
        ],
    )  # fmt: skip


def test_run_takes_literals_lists_and_text(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "m.py").write_bytes(
        b"def f(a, b, word):\n    if a[0][0] > -5:\n        a = a + b[0]\n"
        b"    return {'sum': a, 'words': (word, b[1])}\n"
    )
    code, lines = ran(capsys, "m.py:f", "[[-1, 2], [3, 4]]", "(10, None)", "text: x")
    assert (code, lines[0]) == (0, "f([[-1, 2], [3, 4]], (10, None), 'text: x')")
    assert lines[1] == "eager  {'sum': [[ 9 12]"
    assert lines[2].split(maxsplit=1) == [
        "[13", "14]] (int32, shape (2, 2)), 'words': (b'text: x' (string), None)}"
    ]  # fmt: skip
    assert lines[-1] == "equal"


def test_run_of_a_negative_number_and_a_method(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "m.py").write_bytes(
        b"class A:\n  @staticmethod\n  def f(n):\n    return -n if n < 0 else n\n"
    )
    code, lines = ran(capsys, "m.py:A.f", "-3e2")
    assert (code, lines[1:]) == (
        0, ["eager  300.0 (float32)", "graph  300.0 (float32)", "equal"]
    )  # fmt: skip


def test_run_that_differs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "m.py").write_bytes(
        b"calls = []\ndef f(n):\n    calls.append(1)\n    return n + len(calls)\n"
    )
    code, lines = ran(capsys, "m.py:f", "1")
    assert (code, lines[1:]) == (
        1, ["eager  2 (int32)", "graph  3 (int32)", "different: the values"]
    )  # fmt: skip


def test_run_that_fails(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "m.py").write_bytes(
        b"def g(n):\n    if n > 0:\n        raise ValueError('too large')\n    return n\n"
        b"def f(n):\n    print('start')\n    return g(n)\n"
    )
    assert cli.main(["run", "m.py:f", "1"]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines() == ["f(1)", "start"]
    files = [line.strip() for line in err.splitlines() if line.startswith("  File ")]
    assert files and all(line.startswith(f'File "{folder}/m.py", line ') for line in files)
    assert any('line 7, in f' in line for line in files) and 'line 3, in g' in files[-1]
    assert err.endswith("ValueError: too large\n")


def test_run_that_fails_as_a_graph_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "m.py").write_bytes(b"def f(n):\n    print('on')\n    return n.numpy() + 1\n")
    assert cli.main(["run", "m.py:f", "1"]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines()[-3:] == ["on", "eager  2 (int32)", "graph  failed"]
    assert f'File "{folder}/m.py", line 3, in f' in err
    assert "AttributeError" in err.splitlines()[-1]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("return 1 if executing_eagerly() else 1.0", "the dtypes, int32 and float32"),
        ("return [n] if executing_eagerly() else [[n]]", "the structure of the results: "),
        ("return None if executing_eagerly() else 'x'", "the values"),
        ("print(executing_eagerly())", "the printed text"),
    ],
)
def test_run_says_what_differs(
    text: str, found: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = f"from runtime import executing_eagerly\ndef f(n):\n    {text}\n"
    (folder / "m.py").write_text(source)
    code, lines = ran(capsys, "m.py:f", "1")
    assert code == 1
    assert any(line.startswith(f"different: {found}") for line in lines)


def test_run_of_a_ragged_list(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "loop.py:f", "[[1], [2, 3]]"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("f: the argument [[1], [2, 3]] cannot become a tensor: ")
    assert err.count("\n") == 1


def test_a_file_may_bear_the_name_of_a_library(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "random.py").write_bytes(
        b"def g(n):\n    return -n if n < 0 else n\ndef f(n):\n    return g(n)\n"
    )
    code, lines = ran(capsys, "random.py:f", "-3")
    assert (code, lines[-1]) == (0, "equal")
    assert hasattr(sys.modules["random"], "randrange")


# The parser


@pytest.mark.parametrize("arguments", [[], ["convert"], ["check"], ["code"], ["run"]])
def test_help_shows_examples(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        cli.main([*arguments, "--help"])
    assert stopped.value.code == 0
    text = capsys.readouterr().out
    assert "examples:\n  autograph " in text
    assert max(map(len, text.splitlines())) <= 100


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        cli.main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"autograph {autograph.__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["convert"], ["unknown"], ["code", "a", "b"]])
def test_usage_error(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        cli.main(arguments)
    assert stopped.value.code == 2
    assert capsys.readouterr().err.startswith("usage: autograph")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["conver", "a"], "autograph: error: there is no 'conver', did you mean convert?; choose"),
        (["convert", "a", "--chek"], "unexpected option --chek, did you mean --check?"),
        (["code", "a:b", "c"], "autograph code: error: unexpected argument c"),
    ],
)
def test_what_may_have_been_meant(
    arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        cli.main(arguments)
    assert stopped.value.code == 2
    assert text in capsys.readouterr().err


# Modules in the way


@pytest.mark.parametrize("name", ["runtime.py", "autograph.py", "runtime/__init__.py"])
def test_a_module_in_the_way(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("")
    assert cli.main(["run", "loop.py:f", "1"]) == 2
    package = name.partition(".")[0].partition("/")[0]
    assert capsys.readouterr().err == (
        f"{folder / name}: hides the package {package!r}; rename it\n"
    )


def test_a_module_in_the_way_of_an_import(folder: Path) -> None:
    (folder / "autograph.py").write_text("def helper(): pass\n")
    (folder / "program.py").write_text("import runtime as tf\n")
    done = subprocess.run(
        [sys.executable, "program.py"], cwd=folder, capture_output=True, text=True, timeout=60,
        env=ENVIRONMENT,
    )  # fmt: skip
    assert done.stderr.splitlines()[-1] == (
        f"ImportError: {folder / 'autograph.py'} hides the package 'autograph', "
        "which runtime needs: rename it"
    )
