"""`autograph convert --verify`: doctests before and after, each in a process of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograph.cli import conversions, doctests
from autograph.cli import main as cli
from tests.support.nightly import NIGHTLY

GOOD = b'''"""Module.

>>> absolute(-3)
3
"""
from __future__ import annotations

def absolute(n):
    """Its size.

    >>> absolute(3)
    3
    >>> absolute('x')
    Traceback (most recent call last):
    TypeError: '<' not supported between instances of 'str' and 'int'
    """
    if n < 0:
        return -n
    return n
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "good.py").write_bytes(GOOD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def verify(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    code = cli.main(["convert", "--verify", *arguments])
    out, err = capsys.readouterr()
    assert out == ""
    return code, err.splitlines()


def test_good(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(capsys, "good.py", "-o", "out.py") == (
        0, ["good.py: 3 doctest examples, equal before and after"]
    )  # fmt: skip
    assert b"ag__" in (folder / "out.py").read_bytes()


def test_examples_that_fail_both_ways(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "good.py").write_bytes(GOOD.replace(b"(3)\n    3", b"(3)\n    5"))
    assert verify(capsys, "good.py", "-o", "out.py") == (
        0, ["good.py: 3 doctest examples, equal before and after, 1 of them fail both ways"]
    )  # fmt: skip


def test_what_differs_is_shown_and_not_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "loss.py").write_bytes(
        b'def names():\n    """\n    >>> names()\n    0\n    >>> 1\n    1\n    """\n'
        b"    x = 0\n    while x > 0:\n        x -= 1\n    return len(locals()) - 1\n"
    )
    code, err = verify(capsys, "loss.py", "-o", "out.py")
    assert code == 1
    assert err == [
        "loss.py:3: a doctest of loss.names differs after conversion",
        "  >>> names()",
        "  before:",
        "      0",
        "  after:",
        "      2",
        "loss.py: 1 of 2 doctest examples differ after conversion; not written",
    ]
    assert not (folder / "out.py").exists()


@pytest.mark.parametrize(
    ("data", "note"),
    [
        (b"x = 1\n", "m.py: nothing to convert, nothing to verify"),
        (b"def f(n):\n    return 1 if n else 2\n", "m.py: no doctests, nothing to verify"),
    ],
)
def test_nothing_to_verify(
    data: bytes, note: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "m.py").write_bytes(data)
    assert verify(capsys, "m.py", "-o", "out.py") == (0, [note])
    assert (folder / "out.py").exists()


def test_a_module_that_fails_by_itself(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "m.py").write_bytes(b"import no_such_thing\n" + GOOD[GOOD.index(b"def"):])
    code, (line,) = verify(capsys, "m.py", "-o", "out.py")
    assert code == 2
    assert line == (
        "m.py: cannot be verified: the module itself fails: ModuleNotFoundError: No module named "
        "'no_such_thing'"
    )
    assert not (folder / "out.py").exists()


def test_a_module_that_ends_the_process(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "m.py").write_bytes(b"import os\nos._exit(3)\n" + GOOD[GOOD.index(b"def"):])
    code, (line,) = verify(capsys, "m.py", "-o", "out.py")
    assert code == 2
    assert line.endswith("the module itself fails: its process ended with exit code 3")


@NIGHTLY
def test_a_package(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package = folder / "src" / "numbers"
    package.mkdir(parents=True)
    (package / "__init__.py").write_bytes(b"from .sizes import absolute\n")
    (package / "sizes.py").write_bytes(GOOD.replace(b"def abs", b"from . import zero\ndef abs"))
    (package / "zero.py").write_bytes(b"ZERO = 0\n")
    code, err = verify(capsys, "src", "-o", "out", "-j", "2")
    assert (code, err) == (
        0, ["1 file converted, 2 without anything to convert, 3 doctest examples run before and "
            "after"]
    )  # fmt: skip


def test_names_of_modules(folder: Path) -> None:
    (folder / "p" / "q").mkdir(parents=True)
    for place in ("p", "p/q"):
        (folder / place / "__init__.py").touch()
    here = str(folder)
    assert doctests.module_name(f"{here}/a-b.c.py") == ("a-b_c", here)
    assert doctests.module_name(f"{here}/p/__init__.py") == ("p", here)
    assert doctests.module_name(f"{here}/p/q/m.py") == ("p.q.m", here)


def test_a_conversion_that_breaks_the_module(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversions, "convert_bytes", lambda data, name: b"import no_such\n")
    code, err = verify(capsys, "good.py", "-o", "out.py")
    assert code == 1
    assert err[0] == (
        "good.py: fails after conversion: ModuleNotFoundError: No module named 'no_such'"
    )
    assert not (folder / "out.py").exists()
