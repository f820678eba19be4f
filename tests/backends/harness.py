"""The programs of ``tests/programs`` on numbers, staged by a library, against plain Python.

A survey counts, by module of programs, how many behave as plain Python: value, printed text and
class of exception; and for what reasons others are refused.  ``floors.json`` keeps the counts,
which may only rise; a wrong value is a failure whatever the count.
"""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import pytest

import autograph
from autograph.errors import AutoGraphError
from tests.programs import managers, programs
from tests.support import ways

FLOORS = Path(__file__).with_name("floors.json")
Call = Callable[..., Any]

PRINTED_ONCE = {managers.generator}  # its context manager is entered while tracing


def needs(library: str) -> pytest.MarkDecorator:
    """The mark of a test that needs a library."""
    return pytest.mark.skipif(
        importlib.util.find_spec(library) is None, reason=f"{library} is not installed"
    )


def plain(value: Any) -> Any:
    """A value as Python's own, rounded to what floats of 32 bits hold."""
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {repr(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(repr(plain(item)) for item in value)
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if type(value).__module__.startswith("tests.programs"):
        return type(value).__name__, plain(vars(value))
    return getattr(value, "__qualname__", repr(value)) if callable(value) else value


def outcome(run: Callable[[], Any]) -> tuple[ways.Outcome, BaseException | None]:
    """What a run returns, prints and raises, and the exception itself."""
    raised: list[BaseException] = []

    def of_error(error: BaseException) -> Any:
        raised.append(error)
        return type(error)

    found = ways.outcome(run, of_error, plain, (Exception,))
    return found, raised[0] if raised else None


class Survey(NamedTuple):
    """How many programs of each module pass, and what is with the others."""

    passed: Counter[str]
    total: Counter[str]
    reasons: Counter[str]
    wrong: list[str]
    names: list[str]

    def table(self) -> str:
        """The share by module, and the reasons."""
        lines = [f"{name:16} {self.passed[name]:4} of {self.total[name]}" for name in self.total]
        lines.append(f"{'all':16} {self.passed.total():4} of {self.total.total()}")
        lines += [f"{count:4} {reason}" for reason, count in self.reasons.most_common()]
        return "\n".join([*lines, *self.wrong, *self.names])


def survey(
    prepare: Callable[[Any], Call], found: Iterable[tuple[Any, list[Any]]], every_input: bool
) -> Survey:
    """Run programs with their first input, or with all."""
    result = Survey(Counter(), Counter(), Counter(), [], [])
    for function, inputs in found:
        module = function.__module__.rpartition(".")[2]
        result.total[module] += 1
        reason = _compared(prepare, function, inputs if every_input else inputs[:1], result.wrong)
        result.passed[module] += reason is None
        if reason is not None:
            result.reasons[reason] += 1
            result.names.append(f"  {module}.{function.__name__}: {reason}")
    return result


def _compared(
    prepare: Callable[[Any], Call], function: Any, inputs: list[Any], wrong: list[str]
) -> str | None:
    """Why a program does not behave as plain Python; None if it does."""
    try:
        call = prepare(function)
    except AutoGraphError as error:
        return _reason(error)
    for args in inputs:
        expected, _ = outcome(lambda: function(*args))
        got, error = outcome(lambda: call(*args))
        if function in PRINTED_ONCE:
            got, expected = got._replace(printed=""), expected._replace(printed="")
        if got == expected:
            continue
        if error is None or got.error is expected.error:
            wrong.append(f"{function.__name__}{args}: {got} instead of {expected}")
            return "a wrong value"
        return _reason(error)
    return None


def _reason(error: BaseException) -> str:
    """The class of an error and its first words, without names and numbers."""
    text = error.message if isinstance(error, AutoGraphError) else str(error)
    words = text.partition("\n")[0].replace("'", " ' ").split()
    return f"{type(error).__name__}: {' '.join(words[:9])}"


def one_of(count: int) -> list[tuple[Any, list[Any]]]:
    """One program of so many, the same ones when there are more."""
    return [pair for pair in programs("numbers")
            if crc32(f"{pair[0].__module__}.{pair[0].__name__}".encode()) % count == 0]  # fmt: skip


def check(library: str, prepare: Callable[[Any], Call], of: int | None) -> None:
    """Survey the programs, or one ``of`` so many, print the share, and compare it with the floor.
    """
    chosen = programs("numbers") if of is None else one_of(of)
    result = survey(prepare, chosen, every_input=of is None)
    print(result.table())
    assert not result.wrong, "\n".join(result.wrong)
    floor = json.loads(FLOORS.read_text())[library]["all" if of is None else "slice"]
    passed = {name: count for name, count in result.passed.items() if count}
    fewer = {name: f"{passed.get(name, 0)} instead of {count}"
             for name, count in floor.items() if passed.get(name, 0) < count}  # fmt: skip
    assert not fewer, f"fewer programs than before behave as plain Python: {fewer}"
    if passed != floor:
        print(f"more than before: write this to {FLOORS.name}: {json.dumps(passed)}")


def converted(function: Any) -> Call:
    """A converted program."""
    return autograph.to_graph(function)
