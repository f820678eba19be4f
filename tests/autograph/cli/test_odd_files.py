"""Files that Python takes and that are rarely met: form feeds, long integers, encodings."""

from __future__ import annotations

from pathlib import Path

import pytest

import autograph
import runtime as tf
from autograph.cli import main as cli

FORM_FEEDS = (
    "class A:\n    x = 1\n\f    def f(self, n):\n        if n > 0:\n            return n\n"
    "        return 2\n\n    def g(self, n):\n\f        if n: return 1\n        return 3\n\f\n"
    "def h(n):\n    if n > 0:\n        return 1\n    return 3\n"
    "\fdef k(n):\n \f    if n > 0:\n         return 1\n \f    return 3\n"
)
LONG = "f" * 5000


def load(path: Path) -> dict:
    namespace = {"__name__": "converted"}
    exec(compile(path.read_bytes(), str(path), "exec"), namespace)
    return namespace


def test_form_feeds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "m.py").write_text(FORM_FEEDS)
    assert cli.main(["convert", "m.py", "-o", "out.py"]) == 0
    assert capsys.readouterr().err == ""
    before, after = load(folder / "m.py"), load(folder / "out.py")
    assert "ag__" in after
    for name in ("h", "k"):
        converted = autograph.to_graph(before[name])
        for n in (-1, 1):
            assert before[name](n) == after[name](n) == converted(n)
    for name in ("f", "g"):
        assert [getattr(space["A"](), name)(1) for space in (before, after)] == [1, 1]


@pytest.mark.parametrize("command", ["convert", "check", "code", "run"])
def test_long_integers(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = f"def f(n):\n    if n > 0:\n        return 0x{LONG}\n    return 1\n"
    (folder / "m.py").write_text(text)
    arguments = ["m.py"] if command in ("convert", "check") else ["m.py:f"]
    code = cli.main([command, *arguments, *(["1"] if command == "run" else [])])
    out, err = capsys.readouterr()
    assert code == (command == "run")  # no graph holds it
    assert "fault of autograph" not in err
    assert ("NumberSizeError" in err) == (command == "run")
    assert f"0x{LONG}" in out or command in ("check", "run")


def test_a_long_integer_in_other_functions() -> None:
    """Whatever looks into the bytecode meets the constants, too."""
    text = f"""
def f(x):
    def numbers():
        yield x
        yield x + (0x{LONG}, 1)[1]
    total = x
    for number in numbers():
        total = total + number
        if total > 5:
            break
    try:
        if total > 100:
            raise ValueError
    except ValueError:
        total = total - 0x{LONG} % 2
    return total
"""
    f = autograph.exec_source(text)["f"]
    assert int(tf.function(f)(tf.constant(2))) == f(2)


def test_an_encoding_that_cannot_write_the_result(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    label = "a" * 100
    (folder / "m.py").write_text(f"# coding: idna\n# {label}\n\ndef f(n):\n    if n: return 1\n")
    code = cli.main(["convert", "m.py"])
    out, err = capsys.readouterr()
    assert "fault of autograph" not in err
    if code:
        assert err == "m.py:1: the converted text cannot be written in encoding idna; save the " \
            "file as UTF-8\n"
    else:
        assert "ag__" in out


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert cli.main(["run", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def test_run_takes_texts_keywords_and_nan(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "m.py").write_text(
        "def greet(name):\n    return f'Hello, {name}!'\n"
        "def scale(x, *, by=2.0):\n    return x * by\n"
        "def rest(**more):\n    return more['a'] + more['b']\n"
        "def only(x, /):\n    return x\n"
        "def nothing(x):\n    return 7\n"
    )
    hello = "b'Hello, World!' (string)"
    for argument in ("World", "name=World", "'World'"):
        assert printed(capsys, "m.py:greet", argument)[1:] == [
            f"eager  {hello}", f"graph  {hello}", "equal"
        ]  # fmt: skip
    assert printed(capsys, "m.py:greet", "to=World")[0] == "greet('to=World')"
    assert printed(capsys, "m.py:greet", "'name=World'")[0] == "greet('name=World')"
    assert printed(capsys, "m.py:only", "x=1")[0] == "only('x=1')"
    assert printed(capsys, "m.py:scale", "[nan, -inf]", "by=3.0") == [
        "scale([nan, -inf], by=3.0)", "eager  [ nan -inf] (float32, shape (2,))",
        "graph  [ nan -inf] (float32, shape (2,))", "equal",
    ]  # fmt: skip
    assert printed(capsys, "m.py:rest", "a=1", "b=2")[1] == "eager  3 (int32)"
    assert printed(capsys, "m.py:nothing", "nan")[:2] == ["nothing(nan)", "eager  7 (int32)"]
