"""``autograph graph``: what is drawn where, and one line for each error."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from autograph.cli import main as cli
from autograph.cli.specs import ArgumentSpec, spec_of
from autograph.conversion.module_source import FileError

MODEL = '''\
import runtime as tf

def total(x, scale=1.0):
    print("tracing")
    found = scale * 0.0
    for row in x:
        found = found + tf.reduce_sum(row)
    return found

class Meter:
    def step(self, n):
        return n if n > 0 else -n

meter = Meter()
signed = tf.function(total, input_signature=[tf.TensorSpec([None, 3])])
graph = tf.Graph()
with graph.as_default():
    tf.tanh(tf.placeholder(tf.float32, [2])) + 1.0
number = 3

def broken(x):
    return x + [1, 2, 3]
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "drawn.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


@pytest.mark.parametrize("text, expected", [
    ("f32[3,?]", ("float32", (3, None))), ("int32[]", ("int32", ())), ("int32", ("int32", ())),
    (" bool [ None , -1 ,] ", ("bool", (None, None))), ("f64[*]", ("float64", None)),
    ("string[...]", ("string", None)), ("0.5", None), ("[1, 2]", None), ("mean", None),
])  # fmt: skip
def test_specs(text, expected) -> None:
    assert spec_of(text) == (None if expected is None else ArgumentSpec(*expected))


@pytest.mark.parametrize("text", ["f33[2]", "f32[x]", "f32[2, 3.5]", "f32[,]", "f32[²]"])
def test_wrong_specs(text) -> None:
    with pytest.raises(FileError, match="did you mean f32|is no size"):
        spec_of(text)


@pytest.mark.parametrize("target, specs, shown", [
    ("total", ["f32[2, ?]"], ">while<"),
    ("total", ["x=f32[2,?]", "scale=0.5"], ">reduce_sum<"),
    ("meter.step", ["i64[]"], ">cond<"),
    ("signed", [], "float32[?, 3]"),
    ("signed", ["f32[5, 3]"], ">while<"),
    ("graph", [], ">tanh<"),
    ("graph", ["--optimized"], ">tanh<"),
    ("total", ["f32[2]", "--optimized"], ">x<"),
])  # fmt: skip
def test_what_is_drawn(folder, capfd, target, specs, shown) -> None:
    assert cli.main(["graph", f"drawn.py:{target}", "-o", "out.svg", *specs]) == 0
    assert shown in (folder / "out.svg").read_text()
    assert capfd.readouterr().out == ""
    assert sorted(os.listdir(folder)) == ["drawn.py", "out.svg"]


def test_without_an_output_svg_goes_to_standard_output(folder, capfd) -> None:
    assert cli.main(["graph", "drawn.py:total", "f32[2,2]"]) == 0
    out, err = capfd.readouterr()
    assert out.startswith("<?xml") and out.endswith("</svg>\n")
    assert "tracing" in err


ERRORS = {
    "no file": (["no.py:f"], "no.py: no such file or directory"),
    "no function": (["drawn.py:nothing"], "drawn.py: no function nothing; those of the file"),
    "no colon": (["drawn.py"], "drawn.py: name a function of the file"),
    "a number": (["drawn.py:number"], "drawn.py: number is of type int: name a function"),
    "dtype": (["drawn.py:total", "f33[2]"], "f33[2]: there is no dtype f33, did you mean f32?"),
    "text": (["drawn.py:total", "mean"], "mean: is neither a spec such as f32[3,?] nor a Python"),
    "too few": (["drawn.py:total"], "drawn.py: total(x, scale=1.0) does not take these"),
    "too many": (["drawn.py:total", "f32", "1", "2"], "too many positional arguments"),
    "keyword": (["drawn.py:total", "q=3"], "q=3: is neither a spec"),
    "graph": (["drawn.py:graph", "f32"], "drawn.py: graph is no function, and takes no SPEC"),
    "suffix": (["drawn.py:total", "f32[2]", "-o", "out.jpg"],
               "out.jpg: the suffix '.jpg' names no format of drawings; write .svg, .html, .dot, "
               ".png or .pdf"),
    "folder": (["drawn.py:total", "f32[2]", "-o", "no/out.svg"], "no: no such folder"),
    "output": (["drawn.py:total", "f32[2]", "-o", "folder.svg"], "folder.svg: is a directory"),
}  # fmt: skip


def test_pictures(folder, monkeypatch, capfd) -> None:
    pytest.importorskip("cairosvg")
    assert cli.main(["graph", "drawn.py:total", "f32[2]", "-o", "out.png"]) == 0
    assert (folder / "out.png").read_bytes().startswith(b"\x89PNG")
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    assert cli.main(["graph", "drawn.py:total", "f32[2]", "-o", "none.pdf"]) == 2
    assert "none.pdf: a drawing as PDF needs the package 'cairosvg'" in capfd.readouterr().err
    assert not (folder / "none.pdf").exists()


@pytest.mark.parametrize("arguments, message", ERRORS.values(), ids=ERRORS)
def test_errors_are_one_line(folder, capfd, arguments, message) -> None:
    (folder / "folder.svg").mkdir()
    assert cli.main(["graph", *arguments]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert message in err.splitlines()[-1]
    assert "Traceback" not in err
    assert sorted(os.listdir(folder)) == ["drawn.py", "folder.svg"]


def test_the_users_own_errors_have_a_traceback_and_leave_no_file(folder, capfd) -> None:
    (folder / "out.svg").write_text("old")
    assert cli.main(["graph", "drawn.py:broken", "f32[2]", "-o", "out.svg"]) == 1
    err = capfd.readouterr().err
    assert "in broken" in err and "IncompatibleShapesError" in err
    assert (folder / "out.svg").read_text() == "old"


def test_a_wrong_option(folder, capfd) -> None:
    with pytest.raises(SystemExit):
        cli.main(["graph", "drawn.py:total", "--optimised"])
    assert "unexpected option --optimised, did you mean --optimized?" in capfd.readouterr().err
