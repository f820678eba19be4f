"""Source that no file holds: `python -c`, standard input, the interactive prompt."""

from __future__ import annotations

import subprocess
import sys

import pytest

import autograph
from autograph.errors import NoSourceError
from autograph.syntax.exec_source import command_text
from tests.support import ROOT
from tests.support.nightly import NIGHTLY, diagonal

PROGRAM = """
import runtime as tf
@tf.function
def sign(x):
    if x > 0:
        return 1
    return -1

print(sign(tf.constant(-2)).numpy())
"""
LAMBDA = (
    "import runtime as tf; f = tf.function(lambda x: 1 if x > 0 else -1); "
    "print(f(tf.constant(-2)).numpy())"
)


def python(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, input=text, capture_output=True, text=True,
        timeout=60,
    )  # fmt: skip


OPTIONS = (
    ["-c"], ["-Bc"], ["-W", "ignore", "-Xutf8", "-c"], ["--check-hash-based-pycs", "never", "-c"],
)  # fmt: skip


@pytest.mark.parametrize("options, text", diagonal(OPTIONS, [PROGRAM, LAMBDA]))
def test_the_text_of_the_command_line_is_source(options, text):
    ran = python(*options, text, "argument")
    assert (ran.stdout, ran.stderr) == ("-1\n", "")


@NIGHTLY
def test_text_right_after_the_option_is_source():
    ran = python("-c" + LAMBDA)
    assert (ran.stdout, ran.stderr) == ("-1\n", "")


def test_text_for_exec_is_not_taken_for_the_command_line():
    ran = python("-c", f"exec({LAMBDA!r})")
    assert ran.stderr.count("no source found for <lambda>") == 1
    assert "autograph.exec_source" in ran.stderr


@pytest.mark.parametrize("options", [["-"], ["-i", "-q"]], ids=["stdin", "prompt"])
@pytest.mark.skipif(sys.version_info >= (3, 13), reason="Python 3.13 keeps what is typed")
def test_what_is_typed_is_told_once(options):
    error = python(*options, text=PROGRAM.replace("print(", "\nprint(")).stderr
    assert error.count("no source found for sign") == 1
    assert error.count("IPython, a notebook or the prompt of Python 3.13") == 1
    assert "Warning" not in error and "to_graph" not in error


@pytest.mark.parametrize(("line", "text"), [
    ("python -c text", "text"), ("python -ctext", "text"), ("python -Ic text a b", "text"),
    ("python -W error -c text", "text"), ("python -Werror -c text -c no", "text"),
    ("python file.py -c no", ""), ("python -m module -c no", ""), ("python -Imc no", ""),
    ("python - -c no", ""), ("python", ""), ("python -c", ""), ("python -X c -c text", "text"),
])  # fmt: skip
def test_the_text_among_the_options(line, text):
    assert command_text(line.split()) == text


def test_functions_of_cells_that_are_timed():
    cells = ["", "%matplotlib inline\n", "x = 3"]
    namespace = {"_ih": cells, "__name__": "__main__"}
    functions = []
    for turn in range(3):
        body = (
            f"\n\ndef f(n):\n    if n > {turn}:\n        return n\n    return -n\n\n"
            f"g = lambda n: n * {turn}"
        )
        cells.append(f"get_ipython().run_cell_magic('time', '', {body!r})\n")
        exec(compile(body, "<timed exec>", "exec"), namespace)
        functions.append((namespace["f"], namespace["g"]))
    for turn, (f, g) in enumerate(functions):
        assert f"n > {turn}" in autograph.to_code(f) and f"n * {turn}" in autograph.to_code(g)
        assert autograph.to_graph(f)(5) == 5
    cells.clear()
    exec(compile("\n\n\n\n\ndef lost(n): return n if n else 0", "<timed exec>", "exec"), namespace)
    with pytest.raises(NoSourceError, match="no source found for lost"):
        autograph.to_code(namespace["lost"])
