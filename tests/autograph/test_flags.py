"""The flags: read from the environment, set for a block, listed on docs/flags.md."""

from __future__ import annotations

import subprocess
import sys

import pytest

import autograph
import runtime.types.flags  # noqa: F401  (its flags are listed, too)
from autograph import flags
from autograph.diagnostics import verbosity as dumps
from autograph.flags import FLAGS, Flag, switch
from tests.docs.lists import item
from tests.support import ROOT

PAGE = ROOT / "docs" / "flags.md"


@pytest.fixture(autouse=True)
def listed(monkeypatch):
    """What a test adds to the list goes again."""
    monkeypatch.setattr(flags, "FLAGS", dict(FLAGS))


def test_environment_and_block(monkeypatch):
    monkeypatch.setenv("TEST_FLAG", "1")
    flag = Flag("TEST_FLAG", False, "a test", switch)
    assert flag.value is True
    with flag(False):
        assert flag.value is False
    assert flag.value is True


@pytest.mark.parametrize("name", ["AUTOGRAPH_DEBUG", "RUNTIME_CHECK_KERNELS"])
def test_a_bad_value_is_refused_at_first_use(name):
    result = subprocess.run(
        [sys.executable, "-c", "import runtime; runtime.function"], env={name: "yes"},
        capture_output=True, text=True,
    )  # fmt: skip
    text = f"ValueError: environment variable {name} is 'yes'; expected 0 or 1 (1: "
    assert text in result.stderr


def test_dump_refuses_a_file(monkeypatch, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("TEST_FOLDER", str(file))
    with pytest.raises(ValueError, match="but this is a file"):
        Flag("TEST_FOLDER", None, "a test", flags.folder)

    def f(x):
        return x if x > 0 else -x

    with flags.DUMP(str(file / "inside")), pytest.raises(ValueError, match="AUTOGRAPH_DUMP names"):
        autograph.to_graph(f)


def test_dump_writes_what_is_converted(tmp_path):
    def helper(x):
        # keeps its comments
        return x if x > 0 else -x

    def outer(x):
        return helper(x)

    with flags.DUMP(str(tmp_path / "new")):
        assert autograph.to_graph(outer)(-2) == 2
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    stem = f"{__name__}.test_dump_writes_what_is_converted"
    assert names == [f"{stem}.helper.py", f"{stem}.outer.py"]
    head, _, text = (tmp_path / "new" / names[0]).read_text().partition("\n")
    assert head == f"# converted from {__file__}:{helper.__code__.co_firstlineno}"
    assert text == autograph.to_code(helper)
    assert "# keeps its comments" in text


def test_dump_tells_functions_of_one_name_apart(tmp_path):
    pair = lambda x: x if x > 0 else -x, lambda x: x if x > 1 else -x
    with flags.DUMP(str(tmp_path)):
        for function in (*pair, *pair):
            autograph.to_graph(function)
    assert len(list(tmp_path.iterdir())) == 2


def test_debug_tells_what_is_converted_and_why_not(capsys):
    @autograph.do_not_convert
    def excluded(x):
        return x

    namespace = {}
    exec("def made(x): return x", namespace)
    made = namespace["made"]

    def f(x):
        return made(excluded(x))

    with flags.DEBUG(True):
        assert autograph.to_graph(f)(1) == 1
    stem = "test_debug_tells_what_is_converted_and_why_not.<locals>"
    line = f.__code__.co_firstlineno
    assert capsys.readouterr().err.splitlines() == [
        f"autograph: {stem}.f ({__file__}:{line}): converted",
        "autograph: made (<string>:1): left as it is: no source found for made",
        f"autograph: {stem}.excluded ({__file__}:{excluded.__code__.co_firstlineno}): left as it "
        "is: marked do_not_convert",
    ]
    autograph.to_graph(lambda x: x)
    assert not capsys.readouterr().err


def test_verbosity_tells_what_is_converted_and_shows_it(capsys, monkeypatch):
    monkeypatch.setattr(flags.VERBOSITY, "value", 0)
    monkeypatch.setattr(dumps, "_also_to_stdout", False)

    def half(x):
        return x // 2 if x > 0 else x

    def double(x):
        return x * 2

    autograph.set_verbosity(1)
    autograph.to_graph(double)
    told = capsys.readouterr()
    assert "double" in told.err and told.err.endswith(": converted\n") and not told.out
    autograph.set_verbosity(3, alsologtostdout=True)
    autograph.to_graph(half)
    told = capsys.readouterr()
    assert told.err == told.out and autograph.to_code(half) in told.out
    autograph.set_verbosity(0)
    autograph.to_graph(lambda x: x)
    assert capsys.readouterr() == ("", "")
    with pytest.raises(ValueError, match="a number of 0 or more, got -1"):
        autograph.set_verbosity(-1)


def default_text(value):
    shown = value if value is None or isinstance(value, str) else int(value)
    return "" if shown is None else f" (default {shown})"


def test_the_page_lists_every_flag(request):
    table = "".join(
        item(f"`{flag.name}`{default_text(flag.default)}: {flag.meaning}")
        for flag in FLAGS.values()
    )
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition("- `AUTOGRAPH_DEBUG`")
    after = rest.partition("\n\n")[2]
    if request.config.getoption("--update-golden"):
        PAGE.write_text(f"{before}{table}\n{after}", encoding="utf-8")
        return
    assert text == f"{before}{table}\n{after}"
