"""Programs of the benchmarks against peers: installed systems give one answer on small inputs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.against_peers import measure
from benchmarks.against_peers.line import BEST_PEER, is_ours, missing
from benchmarks.against_peers.systems import agree, arrays
from tests.support.extras import installed

LINES = [
    pytest.param(line, id=f"{work}: {line.title}")
    for work in measure.names()
    if work != "importing"  # its systems do no work
    for line in measure.lines(work)
]


def runs_here(system):
    compiled = system.startswith(("runtime.function", "runtime.jit"))
    return not missing(system) and (installed("jit") or not compiled)


@pytest.mark.parametrize("line", LINES)
def test_systems_agree(line):
    systems = {name: make for name, make in line.systems.items() if runs_here(name)}
    answers = {name: make(*line.small())() for name, make in systems.items()}
    if not answers:
        pytest.skip("no system of the line is installed")
    first = next(iter(answers))
    wanted = arrays(answers[first])
    wrong = [
        name
        for name, answer in answers.items()
        if line.unit == "s" and not agree(line, arrays(answer), wanted)
    ]
    assert not wrong, f"{wrong} differ from {first}"


@pytest.mark.parametrize("line", LINES)
def test_targets_name_systems_of_their_line(line):
    for target in line.targets:
        assert is_ours(target.system) and target.system in line.systems
        assert not target.peer or target.peer in (BEST_PEER, *line.systems)


def test_other_answers_are_noticed():
    (line,) = measure.lines("compiled_call")
    assert not agree(line, arrays(1.0), arrays(2.0))
    assert not agree(line, arrays([1.0]), arrays([1.0, 1.0]))
    failures = {}
    broken = {"Python": lambda x: lambda: x + 1, "NumPy": lambda x: lambda: x}
    kept = measure.built(replace(line, systems=broken), failures)
    assert list(kept) == ["Python"] and list(failures) == ["NumPy"]
