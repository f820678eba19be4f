"""The benchmark of the rule that chooses builds and runs its programs in all ways."""

from __future__ import annotations

import pytest

from benchmarks import nothing_slower
from tests.support.extras import needs

pytestmark = needs("jit")


@pytest.fixture(autouse=True)
def _short(monkeypatch):
    monkeypatch.setattr(nothing_slower, "WARM", 0.0)
    monkeypatch.setattr(nothing_slower, "MOST", 0.0)


def named(programs, word):
    return next(program for program in programs if word in program.name)


@pytest.mark.parametrize("program", [
    named(nothing_slower.examples(), "fizzbuzz"), named(nothing_slower.works(), "collatz"),
], ids=("example", "work"))  # fmt: skip
def test_all_ways_are_measured(program, capsys):
    found = nothing_slower.measured(program, rounds=1)
    assert set(found) == {"never", "auto", "jit"}
    assert min(found.values()) > 0
    assert not capsys.readouterr().out


def test_every_example_is_measured():
    names = [program.name for program in nothing_slower.examples()]
    assert "examples/lstm" in names and len(names) == len(set(names))
    assert any("runtime.function" in program.name for program in nothing_slower.works())


def test_programs_that_are_slower_fail(monkeypatch, capsys):
    slow = nothing_slower.Program("slow", lambda choice: lambda: sum(range(
        100 if choice is False else 100_000)))  # fmt: skip
    monkeypatch.setattr(nothing_slower, "examples", lambda: [slow])
    monkeypatch.setattr(nothing_slower, "works", lambda: [])
    monkeypatch.setattr("sys.argv", ["nothing_slower", "--rounds", "1"])
    monkeypatch.setattr(nothing_slower, "use_one_thread", lambda: None)
    with pytest.raises(SystemExit, match="slower, or not measured: slow"):
        nothing_slower.main()
    assert "slow" in capsys.readouterr().out
