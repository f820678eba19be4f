"""The installed package: what a user outside of the checkout runs, and what type checkers see."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import runtime as tf
from runtime.ops.op import TABLE
from runtime.types import value
from tests.support import ROOT
from tests.support.nightly import NIGHTLY, always

PROGRAM = """
from typing import Any

import autograph
import runtime as tf
import runtime.math
from runtime import math, nest, nn


def collatz(n: Any) -> Any:
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def square(x: tf.Tensor) -> tf.Tensor:
    y: tf.Tensor = abs(-x * x)
    return y


x = tf.constant([1.0, 2.0])
tf.math.sin(x), math.cos(x), runtime.math.tanh(x), nn.relu(x), tf.nn.softmax(x)
tf.linalg.matmul(x[tf.newaxis], x[:, tf.newaxis])
tf.strings.upper("a"), tf.random.normal([2]), nest.flatten([x, {"a": x}])
tf.cast(x, tf.dtypes.int32), tf.config.functions_run_eagerly()
variable = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = variable * variable
try:
    tf.gather(x, 7)
except tf.errors.InvalidArgumentError as error:
    print(type(error).__name__)
for batch in tf.data.Dataset.from_tensor_slices(x).batch(2):
    print(square(batch).numpy())
with tf.Graph().as_default(), tf.Session() as session:
    n = tf.placeholder(tf.int32, [])
    print(session.run(autograph.to_graph(collatz)(n), {n: 27}))
print(tf.function(collatz)(tf.constant(27)).numpy(), tape.gradient(y, variable).numpy())
"""

@NIGHTLY
def test_the_source_archive_is_complete_and_has_no_tests(archive):
    """Tests are run from a checkout; a part of them would only confuse."""
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    folders = {name.partition("/")[0] for name in names}
    assert "tests" not in folders and {"autograph", "runtime", "docs", "LICENSE"} <= folders
    sources = {str(p.relative_to(ROOT)) for top in ("autograph", "runtime", "docs")
               for p in (ROOT / top).rglob("*") if p.suffix in (".py", ".pyi", ".md", ".typed")}
    assert sources <= names
    assert {"CHANGELOG.md", "LIMITATIONS.md", "README.md", "pyproject.toml"} <= names


SPELLING = """
import runtime as tf
import runtime.math
from runtime import math

tf.math.sinn
math.coss
runtime.math.tanhh
tf.constnt
tf.errors.NoSuchError
tf.dtypes.float31
"""


def copied(copy: Path) -> Path:
    """A copy of what is built, because builds leave files beside the sources."""
    unbuilt = shutil.ignore_patterns("__pycache__")
    for name in ("autograph", "runtime", "docs"):
        shutil.copytree(ROOT / name, copy / name, ignore=unbuilt)
    for name in ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "CHANGELOG.md",
                 "LIMITATIONS.md"):
        shutil.copy(ROOT / name, copy)
    return copy




@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy that is built."""
    return copied(tmp_path_factory.mktemp("sources") / "copy")


def build(kind: str, sources: Path) -> Path:
    """The archive that pip would build: ``wheel`` or ``sdist``."""
    program = f"from setuptools.build_meta import *; print(build_{kind}('..'))"
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=sources, check=True, capture_output=True, text=True, timeout=120
    )
    return sources.parent / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def wheel(sources: Path) -> Path:
    """The wheel, which takes three seconds."""
    return build("wheel", sources)


@pytest.fixture(scope="module")
def archive(sources: Path) -> Path:
    """The source archive."""
    return build("sdist", sources)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that holds the wheel, and sees what this one has."""
    folder = tmp_path_factory.mktemp("wheel")
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    python = folder / "venv" / "bin" / "python"
    (site,) = (folder / "venv").glob("lib/python*/site-packages")
    zipfile.ZipFile(wheel).extractall(site)  # as pip does with pure Python
    others = Path(importlib.util.find_spec("numpy").origin).parents[1]
    (site / "others.pth").write_text(f"{others}\n")
    return python


def checked(tool: list[str], texts: dict[str, str], folder: Path) -> tuple[int, list[str]]:
    """The exit status and lines of the report of a type checker on a user's files."""
    for name, text in texts.items():
        (folder / name).write_text(text)
    done = subprocess.run(
        [*tool, *texts], cwd=folder, capture_output=True, text=True, timeout=300
    )
    return done.returncode, (done.stdout + done.stderr).splitlines()


def mypy(python: Path) -> list[str]:
    pytest.importorskip("mypy")
    options = ["--strict", "--cache-dir", str(python.parent / "cache"), "--python-executable"]
    return [sys.executable, "-m", "mypy", *options, str(python)]


def mypy_of_the_checkout(python: Path) -> list[str]:
    """The checker reads what it knows of both packages from its cache, if it checked them before.

    What it would see of the wheel are the same files, and the marks ``py.typed``.
    """
    pytest.importorskip("mypy")
    marks = python.parents[1].glob("lib/python*/site-packages/*/py.typed")
    assert {mark.parent.name for mark in marks} == {"autograph", "runtime"}
    cache = ["--cache-dir", str(ROOT / ".mypy_cache")]
    return [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), *cache]


def pyright(python: Path) -> list[str]:
    pytest.importorskip("basedpyright")  # pyright, with its own Node.js
    return [sys.executable, "-m", "basedpyright", "--level", "error", "--pythonpath", str(python)]


def test_a_program_runs(installed, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [installed, "-I", "program.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["IndexOutOfBoundsError", "[1. 4.]", "111", "111 6.0"]
    where = subprocess.run(
        [installed, "-I", "-c", "import runtime; print(runtime.__file__)"], capture_output=True,
        text=True, timeout=60,
    )  # fmt: skip
    assert where.stdout.startswith(str(installed.parents[1]))


def test_the_wheel_has_the_stubs_of_the_public_modules(installed):
    package = next(installed.parents[1].glob("lib/python*/site-packages/runtime"))
    stubs = {path.relative_to(package) for path in package.rglob("*.pyi")}
    assert stubs == {p.relative_to(ROOT / "runtime") for p in (ROOT / "runtime").rglob("*.pyi")}


def test_every_page_that_an_error_names_opens(installed, tmp_path):
    names = {path.stem for path in (ROOT / "autograph" / "pages").glob("*.md")} - {"README"}
    show = "import sys; from autograph.__main__ import main; sys.argv[1:] = ['explain']; main()"
    done = subprocess.run([installed, "-I", "-c", show], cwd=tmp_path, capture_output=True,
                          text=True, timeout=60)  # fmt: skip
    assert done.stderr == ""
    assert set(re.findall(r"\]\((\w+)\.md\)", done.stdout)) == names
    pages = installed.parents[1].glob("lib/python*/site-packages/autograph/pages/*.md")
    assert {path.stem for path in pages} == names | {"README"}


CHECKERS = always([], [mypy_of_the_checkout, mypy, pyright])  # of 17 seconds each


@pytest.mark.parametrize("checker", CHECKERS)
def test_type_checkers_accept_a_program_and_find_what_is_misspelt(checker, installed, tmp_path):
    """In one run, which reads both packages once."""
    texts = {"program.py": PROGRAM, "spelling.py": SPELLING}
    status, report = checked(checker(installed), texts, tmp_path)
    assert status == 1
    assert not [line for line in report if "program.py" in line], report
    misspelt = "\n".join(line for line in report if "spelling.py" in line)
    for name in re.findall(r"\.(\w+)$", SPELLING, re.MULTILINE)[1:]:
        assert f'"{name}"' in misspelt, report


@pytest.mark.parametrize("module", ["math", "nn", "errors", "linalg", "strings", "data"])
def test_completion_offers_public_names_only(module):
    offered = dir(getattr(tf, module))
    assert offered == sorted(offered) and not [name for name in offered if name.startswith("_")]
    assert {"math": "sin", "nn": "relu", "errors": "OpError", "linalg": "qr"}.get(
        module, offered[0]
    ) in offered


def test_type_checkers_see_the_operators_that_there_are():
    text = Path(value.__file__).read_text()
    written = set(re.findall(r"def (__\w+__)", text))
    assert written - {"__eq__", "__ne__", "__hash__"} == {
        name for op in TABLE.values() for name in op.overloads if isinstance(name, str)
    }


def python_of(version: str) -> str | None:
    """A Python of a version: on the path, or one that pyenv made."""
    places = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    return shutil.which(f"python{version}") if not places else str(places[-1])


def works(python: str | None) -> bool:
    command = [python or "", "-c", "import venv, ensurepip"]
    return bool(python) and not subprocess.run(command, capture_output=True).returncode


@pytest.mark.nightly
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
@pytest.mark.parametrize("kind", ["wheel", "archive"])
def test_a_fresh_environment_installs_and_runs_it(version, kind, request, tmp_path):
    """With its dependencies, and with the compiler where it has wheels."""
    python = python_of(version)
    if not works(python):
        pytest.skip(f"needs Python {version}")
    subprocess.run([python, "-m", "venv", tmp_path / "env"], check=True, timeout=120)
    built = request.getfixturevalue(kind)
    inside = tmp_path / "env" / "bin" / "python"
    install = [inside, "-m", "pip", "install", "-q", f"{built}[jit]"]
    subprocess.run(install, check=True, capture_output=True, timeout=300)
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run([inside, "-I", "program.py"], cwd=tmp_path, capture_output=True,
                          text=True, timeout=120)  # fmt: skip
    assert (done.stderr, done.stdout.splitlines()[-1]) == ("", "111 6.0")
    shown = subprocess.run([tmp_path / "env" / "bin" / "autograph", "--help"], capture_output=True)
    assert shown.returncode == 0


@pytest.mark.nightly
def test_the_archives_may_be_uploaded(wheel, archive):
    pytest.importorskip("twine")
    command = [sys.executable, "-m", "twine", "check", "--strict", wheel, archive]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout


def test_the_metadata_says_what_it_is(wheel):
    with zipfile.ZipFile(wheel) as files:
        (place,) = [name for name in files.namelist() if name.endswith("/METADATA")]
        text = files.read(place).decode()
        assert [name for name in files.namelist() if name.endswith("licenses/LICENSE")]
    head = text.partition("\n\n")[0]
    for line in ("Name: pyautograph", "License-Expression: Apache-2.0", "Requires-Python: >=3.11",
                 "Description-Content-Type: text/markdown", "Keywords: "):  # fmt: skip
        assert line in head
    assert "# AutoGraph" in text
