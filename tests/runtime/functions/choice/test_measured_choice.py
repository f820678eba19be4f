"""The rule that chooses between plain Python and machine code, with made-up times."""

from __future__ import annotations

import pytest

from runtime.functions.choice.measured_choice import NATIVE, PLAIN, STAGE, TRIALS, MeasuredChoice


def run(choice: MeasuredChoice, python: float, native: float, calls: int) -> list[str]:
    """The ways of some calls that take these times, each as plain Python or as machine code."""
    ways = []
    for _ in range(calls):
        way = choice.way()
        if way == STAGE:
            choice.begin_trial()
            way = choice.way()
        ways.append(way)
        if way == NATIVE:
            choice.note_native(native)
        else:
            choice.note_plain(python)
    return ways


def test_calls_are_plain_until_they_took_as_long_as_staging():
    choice = MeasuredChoice(due=1.0)
    assert run(choice, 0.125, 0.01, 8) == [PLAIN] * 8
    assert choice.way() == STAGE


def test_the_faster_way_stays():
    choice = MeasuredChoice(due=0.0)
    run(choice, 0.1, 0.01, 20)
    assert choice.is_native
    assert choice.way() == NATIVE

    choice = MeasuredChoice(due=0.0)
    run(choice, 0.1, 0.2, 20)
    assert choice.is_settled
    assert choice.way() == PLAIN
    assert "machine code took 200 ms a call, and Python 100 ms" in choice.reason


@pytest.mark.parametrize("native", [0.5, 0.9, 1.1, 3.0])
def test_a_slow_way_is_tried_few_times(native):
    choice = MeasuredChoice(due=0.0)
    ways = run(choice, 1.0, native, 100)
    assert ways.count(PLAIN if native < 1 else NATIVE) <= TRIALS + 2


def test_the_first_call_of_machine_code_does_not_count():
    choice = MeasuredChoice(due=0.0)
    choice.begin_trial()
    choice.note_native(100.0)
    run(choice, 1.0, 0.1, 10)
    assert choice.is_native


def test_grown_arguments_are_tried_again():
    choice = MeasuredChoice(due=0.0)
    run(choice, 0.1, 0.2, 20)
    assert choice.growth > 0.1
    choice.note_plain(choice.growth)
    choice.look_again()
    run(choice, 10.0, 0.3, 20)
    assert choice.is_native


def test_a_refusal_stays():
    choice = MeasuredChoice(due=0.0)
    choice.refuse("line 3: no")
    assert run(choice, 1.0, 0.0, 5) == [PLAIN] * 5
    choice.look_again()
    assert choice.way() == PLAIN


def test_repeated_failures_end_machine_code():
    choice = MeasuredChoice(due=0.0)
    run(choice, 1.0, 0.1, 10)
    choice.note_failure("OverflowError: too large")
    assert choice.way() == NATIVE
    choice.note_failure("OverflowError: too large")
    assert choice.way() == PLAIN
    assert choice.description() == (
        "plain Python (Python 1 s a call, machine code 100 ms a call): OverflowError: too large"
    )
