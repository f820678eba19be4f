"""Whatever bytes a file holds, a command ends with an exit code and lines of its own."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from autograph.cli import main as cli
from tests.support.nightly import always, examples

PIECES = st.sampled_from([
    b"\xef\xbb\xbf", b"# coding: latin-1\n", b"# coding: utf-7\n", b"# coding: rot13\n", b"\0",
    b"\xe4", b"\r", b"\r\n", b"\n", b"\x0c", b"\x1a", b"\\\n", b"\t", b"  ", b"def f(x):", b"if x:",
    b"while x:", b"return x", b"yield", b"await", b"async def g():", b"lambda: x", b"(", b")",
    b"'''", b'f"{x!r:>{y}}"', b"ag__", b"class A:", b"match x:", b"case [a, *b]:", b"x := 1",
    b"try:", b"finally:", b"break", b"global x", b"nonlocal x", b"del x", b"import autograph as x",
    b"# noqa", b"# noqa: AG101", b"\xe2\x80\xa8", b"0x", b"1_", b"@", b";", b"...",
])  # fmt: skip
BYTES = st.binary(max_size=200) | st.lists(PIECES, max_size=30).map(b"".join)
COMMANDS = [["convert"], ["convert", "--check", "--diff"], ["check", "--strict", "--select", "AG"]]


def ended(arguments: list[str]) -> tuple[int, str]:
    """The exit code of a command, and what it says is wrong."""
    errors = io.StringIO()
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(out):
        code = cli.main(arguments)
    return code, errors.getvalue()


@pytest.mark.parametrize("command", always(COMMANDS[1:], COMMANDS), ids=" ".join)
@settings(max_examples=examples(200, kept=15), deadline=None)
@given(data=BYTES)
@example(b"# coding: utf-8-sig\n\xef\xbb\xbf")
@example(b"# coding: idna\n\xff")
@example(b"# coding: undefined\nx = 1\n")
@example(b"# coding: utf-16\nx\n")
@example(b"# coding: hex\nx\n")
@example(b"(" * 300)
@example(b"-" * 100000 + b"1")
@example(b"x" + b".x" * 5000)
@example(b"def f(x):\n return " + b"+".join([b"x"] * 5000))
@example(b"def f(x):\n return " + b" and ".join([b"x"] * 5000))
def test_any_bytes(command: list[str], data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.py")
        with open(path, "wb") as file:
            file.write(data)
        code, errors = ended([*command, path])
        assert code in (0, 1, 2)
        assert code < 2 or errors.startswith(f"{path}:")
        assert "fault of autograph" not in errors


@settings(max_examples=examples(100, kept=10), deadline=None)
@given(
    name=st.text(st.characters(blacklist_characters="/"), min_size=1, max_size=20),
    option=st.text(max_size=10),
)
def test_any_name(name: str, option: str) -> None:
    try:
        code, errors = ended(["convert", "--exclude", option, f"no-such-folder/{name}", "--check"])
    except SystemExit as stopped:
        code, errors = stopped.code, "usage"
    assert code in (0, 2)
    assert "Traceback" not in errors and "fault of autograph" not in errors
