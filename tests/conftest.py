"""Shared by all tests: golden files, and the switch `--update-golden` that rewrites them."""

from __future__ import annotations

import gc
import hashlib
import os
import shutil
import signal
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from tests.support import nightly, shares

os.environ.setdefault("RUNTIME_JIT_BESIDE", "0")  # tests know which run is machine code
os.environ.setdefault("RUNTIME_JIT_STRICT", "1")  # what should be staged must not run as Python
os.environ.setdefault("JAX_NUM_CPU_DEVICES", "4")  # they stand for GPUs
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # products are small, and cores are taken


# A shell's background jobs ignore SIGINT, and tests that interrupt calls would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parent.parent
CACHES = ROOT / ".pytest_cache"

# Hundreds of child processes import the packages.  Who wants no bytecode beside the sources has it
# among the caches of pytest; who chose a folder for it has nothing changed.
if sys.dont_write_bytecode and sys.pycache_prefix is None:
    sys.pycache_prefix = str(CACHES / "bytecode")
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

# Bytecode is kept before: of all that Hypothesis is, pytest rewrites the asserts, in seconds.
from hypothesis import HealthCheck, settings  # noqa: E402

# A slow or busy machine is no failure.
settings.register_profile("quiet", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("quiet")

GOLDEN = Path(__file__).parent / "golden"


def pytest_configure(config: pytest.Config) -> None:
    """Let LLVM hardly optimise, but where all tests run (``-m ""``).

    Two thirds of the suite's time was LLVM's.  The code that this project writes is the same; what
    optimisation may bring out of it (a wrong ``noalias`` or ``nsw``) shows in tests/fuzz, where
    LLVM does what it does for users.

    A third of the texts that LLVM compiles in a run occurs again in it, and nearly all occur
    in the next run: machine code is kept, by the hash of its text, among the caches of pytest.
    """
    nightly.EVERYTHING = config.option.markexpr != "not nightly"
    if config.option.markexpr:
        os.environ.setdefault("RUNTIME_JIT_LEVEL", "1")
        if "RUNTIME_JIT_CACHE" not in os.environ:
            os.environ["RUNTIME_JIT_CACHE"] = str(machine_code_folder())
    os.environ.setdefault("RUNTIME_JIT_CACHE", "0")  # tests leave the user's cache alone


def machine_code_folder() -> Path:
    """Where machine code is kept that these sources made; that of older sources goes.

    What is compiled to other code has another key, but who changes the compiler may forget to say
    so (``PASSES_VERSION``): then its tests must not pass by what the compiler was.
    """
    compiler = ROOT / "runtime" / "engine" / "llvm" / "machine_code.py"
    folder = CACHES / "machine_code" / hashlib.sha256(compiler.read_bytes()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    for older in folder.parent.iterdir():
        if older != folder:
            shutil.rmtree(older, ignore_errors=True)
    return folder


@pytest.hookimpl(tryfirst=True, wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Load all operations in one order before tests are made of their table.

    Else the order is that in which the files of tests happen to use names, and two workers of
    pytest-xdist that disagree about the tests run none of them.

    Tens of thousands of tests stay until the end: the garbage collector neither walks through them
    while they are made, nor again and again while they run (a quarter and a tenth of the time).
    """
    from tests.support.operations import load_all  # not before the flags are set

    load_all()
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)  # a third of the tests need not be put in order first
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What takes longest comes first, so that no worker waits for the other in the end.

    It also stays together: of two workers one alone makes what the tests of such files share.
    Of some series a part runs (``shares.py``), the rest where all tests run.
    """
    if not nightly.EVERYTHING:
        kept = nightly.sliced([item.nodeid for item in items], shares.SHARES)
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in kept])
        items[:] = [item for item in items if item.nodeid in kept]
    items.sort(key=lambda item: item.path.name not in LONGEST)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """What lives on after a file of tests stays until the end, as the tests do.

    A full collection takes a quarter of a second where functions of thousands of tests are kept.
    """
    try:
        return (yield)
    finally:
        if nextitem is not None and nextitem.path != item.path:
            gc.collect()
            gc.freeze()


LONGEST = (
    "test_annexes.py", "test_wheel.py",
    # they share the syntax trees of all sources
    "test_layers.py", "test_budget.py", "test_one_definition.py", "test_door.py",
    "test_executable.py",
)  # fmt: skip


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the switch that accepts today's output as the expected one."""
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite tests/golden from what the tests produce now, then read the difference",
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """A function `golden(name, text)` that compares text with tests/golden/<name>.

    A golden file that is missing is a failure, not a first draft.
    """

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        text = text.rstrip("\n") + "\n"
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        if not path.exists():
            pytest.fail(f"{path} is missing; write it with `pytest --update-golden` and read it")
        assert text == path.read_text(encoding="utf-8"), (
            f"{path} differs; if the new text is right, run `pytest --update-golden`"
        )

    return check
