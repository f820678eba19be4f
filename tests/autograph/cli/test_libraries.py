"""``run --backend`` and ``check --for``: other libraries on the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograph.cli.main import main
from tests.backends.harness import needs

PROGRAM = """\
def total(n):
    found = []
    while n > 0:
        n = n - 1
        found.append(n)
    return len(found)


def checked(n):
    try:
        if n > 3:
            raise ValueError("too large")
    except ValueError:
        n = 3
    return n


def factorial(n):
    if n > 1:
        return n * factorial(n - 1)
    return n


def bounded(x):
    total = 0
    while x > 1:
        x = x // 2
        total += 1
    print("halved", total)
    return total, x
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


@pytest.mark.parametrize(("library", "codes"), [
    ("jax", ["AG603", "AG602", "AG601"]), ("torch", ["AG603", "AG602", "AG601"]),
    ("tensorflow", ["AG601"]),
])  # fmt: skip
def test_what_a_backend_refuses(library, codes, file, capsys):
    assert main(["check", "--for", library, str(file)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert re.findall("AG6[0-9]+", " ".join(lines)) == codes


def test_without_a_library_nothing_of_it_is_listed(file, capsys):
    main(["check", str(file)])
    assert "AG6" not in capsys.readouterr().out


@pytest.mark.parametrize("library", [
    pytest.param(name, marks=needs(name)) for name in ("jax", "tensorflow", "torch")
])  # fmt: skip
def test_run_on_a_library(library, file, capsys):
    assert main(["run", f"{file}:bounded", "9", "--backend", library]) == 0
    out = capsys.readouterr().out
    assert out.count("halved 3") == 1 and out.endswith("equal\n")


def test_an_unknown_library(file, capsys):
    with pytest.raises(SystemExit):
        main(["run", f"{file}:bounded", "9", "--backend", "theano"])
    assert "theano" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["full", "json", "github", "statistics"])
def test_findings_for_a_library_are_written_in_every_form(form, file, capsys):
    options = ["--statistics"] if form == "statistics" else ["--output-format", form]
    assert main(["check", "--for", "jax", *options, str(file)]) == 1
    assert "AG601" in capsys.readouterr().out


def test_codes_of_libraries_have_pages(capsys):
    assert main(["explain", "AG603"]) == 0
    assert "maximum_size" in capsys.readouterr().out
