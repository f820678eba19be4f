"""`autograph convert`: files and trees, what is left out, what goes wrong."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import stat
import subprocess
import time
from pathlib import Path

import pytest

from autograph.cli import conversions
from autograph.cli import main as cli
from autograph.conversion.module_source import IMPORT
from tests.autograph.cli.running import COMMAND, ENVIRONMENT, LOOP, below, convert, namespace, run
from tests.support.processes import child

# One file


def test_convert_writes_to_standard_output(
    folder: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert cli.main(["convert", "loop.py"]) == 0
    out, err = capsysbinary.readouterr()
    assert not err
    assert IMPORT.encode() in out
    assert namespace(out)["f"](5) == 1
    assert os.listdir(folder) == ["loop.py"]


def test_convert_reads_standard_input_and_keeps_bytes(folder: Path) -> None:
    data = b"# coding: latin-1\r\nx = '\xe4'\r\n" + LOOP.replace(b"\n", b"\r\n")
    done = run("convert", "-", cwd=folder, stdin=data)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"x = '\xe4'\r\n" in done.stdout
    assert done.stdout.count(b"\n") == done.stdout.count(b"\r\n")
    assert namespace(done.stdout)["f"](5) == 1


def test_convert_to_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["convert", "loop.py", "-o", "out.py"]) == 0
    assert capsys.readouterr() == ("", "")
    assert namespace((folder / "out.py").read_bytes())["f"](5) == 1
    assert sorted(os.listdir(folder)) == ["loop.py", "out.py"]
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((folder / "out.py").stat().st_mode) == 0o666 & ~mask
    assert (folder / "loop.py").read_bytes() == LOOP


def test_convert_in_place_keeps_permissions(folder: Path) -> None:
    (folder / "loop.py").chmod(0o750)
    assert cli.main(["convert", "loop.py", "--in-place"]) == 0
    assert b"ag__" in (folder / "loop.py").read_bytes()
    assert stat.S_IMODE((folder / "loop.py").stat().st_mode) == 0o750


def test_convert_through_a_link(folder: Path) -> None:
    (folder / "deep").mkdir()
    (folder / "deep" / "target.py").write_bytes(b"")
    (folder / "link.py").symlink_to(Path("deep", "target.py"))
    assert cli.main(["convert", "loop.py", "--output", "link.py"]) == 0
    assert (folder / "link.py").is_symlink()
    assert b"ag__" in (folder / "deep" / "target.py").read_bytes()
    assert os.listdir(folder / "deep") == ["target.py"]


def test_convert_to_a_device(folder: Path) -> None:
    done = run("convert", "loop.py", "-o", "/dev/null", cwd=folder)
    assert (done.returncode, done.stderr) == (0, b"")
    assert not stat.S_ISREG(os.stat("/dev/null").st_mode)


def test_into_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "out").mkdir()
    for output in ("out", "new/"):
        assert convert(capsys, "loop.py", "-o", output) == (0, "", [])
        assert below(folder / output) == ["loop.py"]
        assert b"ag__" in (folder / output / "loop.py").read_bytes()


def test_a_converted_file_is_left_alone_with_a_note(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert convert(capsys, "loop.py", "--in-place")[0] == 0
    before = (folder / "loop.py").stat().st_mtime_ns
    note = "loop.py: converted already, left as it is"
    assert convert(capsys, "loop.py", "--in-place") == (0, "", [note])
    assert convert(capsys, "loop.py", "--in-place", "-q") == (0, "", [])
    assert convert(capsys, "loop.py", "--check") == (0, "", [note])
    assert (folder / "loop.py").stat().st_mtime_ns == before


def test_the_source_lends_its_permissions(folder: Path) -> None:
    (folder / "loop.py").chmod(0o500)
    assert cli.main(["convert", "loop.py", "-o", "out.py"]) == 0
    assert stat.S_IMODE((folder / "out.py").stat().st_mode) == 0o500


def test_empty_file(folder: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    (folder / "empty.py").write_bytes(b"")
    assert cli.main(["convert", "empty.py"]) == 0
    assert cli.main(["convert", "empty.py", "-o", "out.py"]) == 0
    assert capsysbinary.readouterr() == (b"", b"")
    assert (folder / "out.py").read_bytes() == b""


def test_standard_input_has_a_name(folder: Path) -> None:
    done = run("convert", "-", "--stdin-filename", "a/b.py", cwd=folder, stdin=b"x = = 1")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"a/b.py:1:5: invalid syntax")
    done = run("convert", "-", "--stdin-filename", "b.py", "--diff", cwd=folder, stdin=LOOP)
    assert done.returncode == 1
    assert done.stdout.startswith(b"--- b.py\n+++ b.py (converted)\n")


def test_interrupt_leaves_nothing_half_written(folder: Path) -> None:
    (folder / "src").mkdir()
    for n in range(300):
        (folder / "src" / f"m{n}.py").write_bytes(LOOP * 20)
    with child(
        [*COMMAND, "convert", "src", "-o", "out", "-j", "1"], cwd=folder, env=ENVIRONMENT,
        stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        while not (folder / "out" / "m100.py").exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert process.stderr.read() == b""
    written = below(folder / "out")
    assert 0 < len(written) < 300
    assert all(name.endswith(".py") for name in written)
    for name in written:
        namespace((folder / "out" / name).read_bytes())


# Trees


def test_a_tree_keeps_its_places(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = convert(capsys, "src", "-o", "out")
    assert (code, out) == (0, "")
    assert err == ["4 files converted, 1 without anything to convert"]
    assert below(tree / "out") == ["a.py", "build/g.py", "p/__init__.py", "p/b.py", "p/w.pyw"]
    assert namespace((tree / "out/p/b.py").read_bytes())["f"](5) == 1
    assert (tree / "src/a.py").read_bytes() == LOOP


def test_copy_and_exclude(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = convert(
        capsys, "src", "-o", "out", "--copy", "--exclude", "build", "--exclude", "p/*.pyw"
    )
    assert (code, err) == (0, ["2 files converted, 1 without anything to convert, 1 copied"])
    assert below(tree / "out") == ["a.py", "p/__init__.py", "p/b.py", "p/data.txt"]


def test_several_paths_keep_their_names(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert convert(capsys, "src/p", "src/build/", "loop.py", "./loop.py", "-o", "out")[0] == 0
    assert below(tree / "out") == ["build/g.py", "loop.py", "p/__init__.py", "p/b.py", "p/w.pyw"]


def test_the_output_inside_of_the_tree_is_no_part_of_it(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        assert convert(capsys, "src", "-o", "src/out")[0] == 0
        assert "out/out/a.py" not in below(tree / "src")


def test_a_tree_in_place(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert convert(capsys, "src", "--in-place")[0] == 0
    assert b"ag__" in (tree / "src/p/b.py").read_bytes()
    assert b"ag__" not in (tree / "src/.hidden/c.py").read_bytes()
    assert convert(capsys, "src", "--check")[0] == 0


@pytest.mark.parametrize("name", ["loop.py", "./loop.py", "../{}/loop.py", "link.py", "hard.py"])
def test_a_source_is_overwritten_only_in_place(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = name.format(folder.name)
    (folder / "link.py").symlink_to("loop.py")
    os.link(folder / "loop.py", folder / "hard.py")
    code, out, (line,) = convert(capsys, "loop.py", "-o", name)
    assert (code, out) == (2, "")
    assert line == f"{name}: is an input, which would be overwritten; to convert in place, pass " \
                   "--in-place"
    assert (folder / "loop.py").read_bytes() == LOOP
    assert convert(capsys, "loop.py", "-o", name, "--check")[0] == 1
    if name != "hard.py":
        assert convert(capsys, "loop.py", "-o", name, "--in-place") == (0, "", [])
        assert (folder / "link.py").is_symlink()
        assert b"ag__" in (folder / "loop.py").read_bytes()


@pytest.mark.parametrize("output", ["src", "./src/", "again", "src/p/.."])
def test_a_tree_is_overwritten_only_in_place(
    output: str, tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "again").symlink_to("src")
    code, out, (line,) = convert(capsys, "src", "-o", output)
    assert (code, out) == (2, "")
    assert line.endswith("to convert in place, pass --in-place")
    assert (tree / "src/a.py").read_bytes() == LOOP


def test_a_source_is_not_overwritten_by_another(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "out").mkdir()
    (tree / "out/loop.py").symlink_to(tree / "src/a.py")
    code, _, (line,) = convert(capsys, "loop.py", "src/a.py", "-o", "out")
    assert (code, line.split(",")[0]) == (2, "out/loop.py: is an input")


def test_in_place_names_no_other_target(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, (line,) = convert(capsys, "loop.py", "-o", "out.py", "--in-place")
    assert (code, line.split(",")[0]) == (2, "out.py: is not loop.py")
    for more in (["-o", "-"], ["--copy"]):
        with pytest.raises(SystemExit):
            cli.main(["convert", "loop.py", "--in-place", *more])
    with pytest.raises(SystemExit):
        cli.main(["convert", "-", "--in-place"])
    assert below(folder) == ["loop.py"]


def test_links(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "src/loop").symlink_to(tree / "src")
    (tree / "src/gone.py").symlink_to(tree / "nowhere.py")
    (tree / "src/z.py").symlink_to(tree / "src/a.py")
    os.mkfifo(tree / "src/pipe.py")
    code, _, err = convert(capsys, "src", "-o", "out")
    assert code == 2
    assert err[:2] == [
        "src/loop: a link to a folder, not followed", "src/pipe.py: is a pipe, not a file",
    ]  # fmt: skip
    os.unlink(tree / "src/pipe.py")
    assert [n for n in below(tree / "out") if "/" not in n] == ["a.py", "z.py"]
    assert convert(capsys, "src", "--in-place")[0] == 0
    assert (tree / "src/z.py").is_symlink()


def test_what_may_not_be_looked_at(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Entry:
        name = "a"

        def is_dir(self, follow_symlinks: bool = True) -> bool:
            raise PermissionError(13, "Permission denied")

    (folder / "src").mkdir()
    scan = contextlib.nullcontext([Entry()])
    monkeypatch.setattr(os, "scandir", lambda folder: scan)
    assert convert(capsys, "src", "--check")[:2] == (0, "")


def test_the_good_files_of_a_tree_are_converted(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "src/bad.py").write_bytes(b"x = (\n")
    (tree / "src/latin.py").write_bytes(b"x = '\xe4'\n")
    (tree / "src/binary.py").write_bytes(b"\0\1")
    code, out, err = convert(capsys, "src", "-o", "out")
    assert (code, out, len(err)) == (2, "", 4)
    assert err[0] == "src/bad.py:1:5: '(' was never closed"
    assert err[1].startswith("src/binary.py:1: not Python source")
    assert err[2].startswith("src/latin.py:1:6: byte 0xe4 is not utf-8")
    assert err[3] == "4 files converted, 1 without anything to convert, 3 failed"
    assert "a.py" in below(tree / "out") and "bad.py" not in below(tree / "out")


def test_a_folder_without_python(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "src").mkdir()
    code, out, err = convert(capsys, "src", "-o", "out")
    assert (code, out) == (0, "")
    assert err[0] == "src: no Python files"
    assert not (folder / "out").exists()


def test_a_folder_that_may_not_be_read(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "src/p").chmod(0)
    if os.access(tree / "src/p", os.R_OK):
        pytest.skip("this user may read everything")
    code, _, err = convert(capsys, "src", "-o", "out")
    assert (code, err[0]) == (2, "src/p: permission denied")
    assert "a.py" in below(tree / "out")


def test_an_output_that_cannot_be_made(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "out").mkdir()
    (tree / "out/p").write_bytes(b"in the way")
    code, _, err = convert(capsys, "src", "-o", "out")
    assert code == 2
    assert err[0] == "out/p: file exists"
    assert "a.py" in below(tree / "out")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["src/a.py", "loop.py", "src/x/a.py", "-o", "out"], "a.py: both src/a.py and src/x/a.py"),
        (["src", "-o", "loop.py"], "loop.py: is a file; several files go to a folder"),
    ],
)
def test_refused_before_anything_is_written(
    arguments: list[str], text: str, tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "src/x").mkdir()
    (tree / "src/x/a.py").write_bytes(LOOP)
    code, _, (line,) = convert(capsys, *arguments)
    assert code == 2 and text in line
    assert not (tree / "out").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["src"], ["loop.py", "src/a.py"], ["-", "loop.py"], ["loop.py", "--copy", "-o", "x"],
        ["loop.py", "--stdin-filename", "x"], ["-", "--verify"], ["loop.py", "-j", "0"],
    ],
)  # fmt: skip
def test_usage(arguments: list[str], tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        cli.main(["convert", *arguments])
    assert stopped.value.code == 2
    assert capsys.readouterr().err.startswith("usage: autograph convert")


def test_several_processes_give_the_same(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "src/bad.py").write_bytes(b"x = (\n")
    one = convert(capsys, "src", "-o", "one", "-j", "1")
    two = convert(capsys, "src", "-o", "two", "-j", "3")
    assert one == two and one[0] == 2
    assert below(tree / "one") == below(tree / "two")
    for name in below(tree / "one"):
        assert (tree / "one" / name).read_bytes() == (tree / "two" / name).read_bytes()


def test_a_fault_of_our_own_stops_nothing(
    tree: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = conversions.convert_bytes

    def fail(data: bytes, name: str) -> bytes:
        if name.endswith("b.py"):
            raise KeyError("oops")
        return real(data, name)

    monkeypatch.setattr(conversions, "convert_bytes", fail)
    code, _, err = convert(capsys, "src", "-o", "out")
    assert code == 2
    assert err[0].startswith("src/p/b.py: internal error (KeyError: 'oops'); this is a fault of")
    assert below(tree / "out") == ["a.py", "build/g.py", "p/__init__.py", "p/w.pyw"]


def test_notebooks_are_converted_as_files_are(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": LOOP.decode()}
    content = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    (tree / "src" / "n.ipynb").write_text(json.dumps(content))
    assert cli.main(["convert", "src", "-o", "out"]) == 0
    first, second = json.loads((tree / "out" / "n.ipynb").read_text())["cells"]
    assert first["source"] == [IMPORT]
    assert "ag__." in second["source"]
    capsys.readouterr()
    assert cli.main(["convert", "src/n.ipynb", "--verify"]) == 2
    assert capsys.readouterr().err == (
        "src/n.ipynb: a notebook has no doctests that --verify could run\n"
    )
