"""Liveness and reaching definitions against all paths through random small functions."""

from __future__ import annotations

import random
from collections import defaultdict

import gast
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.autograph.analysis.paths import NAMES, Path, all_paths, program
from tests.autograph.analysis.trees import Sample
from tests.support.nightly import examples


class Seen:
    """What happens on some path."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names
        self.undefined: set[gast.Name] = set()
        self.live: defaultdict[tuple, set[str]] = defaultdict(set)
        self.definitions: defaultdict[tuple, set[gast.AST]] = defaultdict(set)

    def follow(self, path: Path, function: gast.AST) -> None:
        last: dict[str, object] = {"a": function}
        for kind, subject, detail in path.events:
            if isinstance(subject, str) and subject not in self.names:
                continue
            if kind == "write":
                last[subject] = detail
            elif kind == "read" and detail is not None:
                self.undefined.add(detail)
            elif kind == "enter":
                for name, owner in last.items():
                    if owner is not None:
                        self.definitions[subject, name].add(owner)
        wanted: set[str] = set()
        for kind, subject, _ in reversed(path.events):
            if kind == "write":
                wanted.discard(subject)
            elif kind == "read":
                wanted.add(subject)
            else:
                self.live[kind, subject] |= wanted & self.names


def observe(source: str, may_raise: bool, limit: int) -> tuple[Sample, Seen]:
    sample = Sample(source)
    seen = Seen(sample.analyses.scopes.bound)
    for path in all_paths(sample.node, may_raise, limit):
        seen.follow(path, sample.node)
    return sample, seen


def check_sound(sample: Sample, seen: Seen) -> None:
    """Whatever happens on a path, the analyses have foreseen."""
    reaching, liveness = sample.analyses.reaching, sample.analyses.liveness
    assert seen.undefined <= set(reaching.undefined_reads())
    ask = {
        "enter": liveness.live_in, "leave": liveness.live_out, "turn": liveness.live_at_head,
    }  # fmt: skip
    for (kind, statement), names in seen.live.items():
        assert names <= ask[kind](statement), (kind, statement.lineno)
    for (statement, name), owners in seen.definitions.items():
        assert owners <= reaching.definitions(statement, name), (statement.lineno, name)


def check_exact(sample: Sample, seen: Seen) -> None:
    """What the analyses foresee does happen on some path."""
    reaching, liveness = sample.analyses.reaching, sample.analyses.liveness
    assert set(reaching.undefined_reads()) == seen.undefined
    captured = sample.analyses.scopes.captured
    for (kind, statement), names in seen.live.items():
        if kind == "enter":
            expected = (liveness.live_in(statement) - captured) & set(NAMES)
            assert expected <= names, (statement.lineno, expected)
    for statement, name in list(seen.definitions):
        found = reaching.definitions(statement, name)
        assert found == seen.definitions[statement, name], (statement.lineno, name)


@settings(max_examples=examples(150, 25), deadline=None)
@given(st.integers(0, 10**9))
def test_sound(seed):
    source = program(random.Random(seed), careful=False)
    check_sound(*observe(source, may_raise=True, limit=400))


@settings(max_examples=examples(150, 25), deadline=None)
@given(st.integers(0, 10**9))
def test_sound_without_exceptions(seed):
    source = program(random.Random(seed), careful=True)
    check_sound(*observe(source, may_raise=False, limit=400))


# Small enough for all paths to be followed, and each construct alone: the analyses are exact.
EXACT = [
    "def f(a):\n if a:\n  b = 1\n elif b:\n  c = 1\n else:\n  return c\n use(b)\n use(c)",
    "def f(a):\n while a:\n  use(b)\n  b = 1\n  if b: break\n  c = 1\n else:\n  use(c)\n use(b)",
    "def f(a):\n for b in a:\n  use(c)\n  if b: continue\n  c = 1\n use(b)\n use(c)",
    "def f(a):\n while 1:\n  b = g(a)\n  if b: break\n  del a\n use(b)\n use(a)",
    "def f(a):\n if a and (b := g(a)):\n  use(b)\n else:\n  use(b)\n  b = 1\n use(b)",
    "def f(a):\n match a:\n  case [b]: use(c)\n  case c: use(b)\n use(b)\n use(c)",
]  # fmt: skip

EXACT_WITH_EXCEPTIONS = [
    "def f(a):\n try:\n  b = g(a)\n except E as c:\n  use(b)\n  use(c)\n use(b)\n use(c)",
    "def f(a):\n try:\n  b = g(a)\n except E:\n  return b\n else:\n  c = 1\n use(b)\n use(c)",
    "def f(a):\n try:\n  b = g(a)\n finally:\n  use(b)\n  c = 1\n use(b)\n use(c)",
    "def f(a):\n while a:\n  try:\n   b = 1\n   break\n  finally:\n   c = 1\n use(b)\n use(c)",
    "def f(a):\n for b in a:\n  try:\n   return c\n  finally:\n   c = 1\n use(c)",
    "def f(a):\n with g(a) as b:\n  c = 1\n use(b)\n use(c)",
    "def f(a):\n try:\n  try:\n   b = 1\n  finally:\n   del a\n except E:\n  use(b)\n  use(a)",
]


@pytest.mark.parametrize("source", EXACT)
def test_exact(source):
    sample, seen = observe(source, may_raise=False, limit=20_000)
    check_sound(sample, seen)
    check_exact(sample, seen)


@pytest.mark.parametrize("source", EXACT_WITH_EXCEPTIONS)
def test_exact_with_exceptions(source):
    sample, seen = observe(source, may_raise=True, limit=20_000)
    check_sound(sample, seen)
    check_exact(sample, seen)
