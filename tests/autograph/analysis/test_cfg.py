"""The edges of the control-flow graph, as pairs of lines."""

from __future__ import annotations

import gast
import pytest

from autograph.analysis.cfg import EXIT, ControlFlowGraph
from tests.autograph.analysis.trees import Sample


def edges(source: str, exceptions: bool = False) -> str:
    """``2>3 3>.``: line 3 may run after line 2, and the function ends after line 3.

    Nodes that execute nothing are left out; so is code that is never reached.  Edges that
    only exceptions take are shown when asked for.
    """
    cfg = Sample(source).analyses.cfg

    def named(node: int, seen: tuple[int, ...] = ()) -> set[str]:
        part = cfg.parts[node]
        if node == EXIT:
            return {"."}
        if part is not None:
            place = part.pattern if isinstance(part, gast.match_case) else part
            return {str(place.lineno)}
        return set().union(
            *(named(n, (*seen, node)) for n in cfg.successors[node] if n not in seen)
        )

    found, waiting = set(), [cfg.entry]
    seen = {cfg.entry}
    while waiting:
        node = waiting.pop()
        targets = list(cfg.successors[node])
        caught = cfg.handlers[node]
        if exceptions and caught != EXIT:
            targets.append(caught)
        for target in targets:
            if cfg.parts[node] is not None:
                (start,) = named(node)
                found |= {f"{start}>{end}" for end in named(target)}
        for target in {*targets, caught} - seen:
            seen.add(target)
            waiting.append(target)
    return " ".join(sorted(found))


EDGES = [
    ("def f():\n a\n b", "2>3 3>."),
    ("def f():\n if a:\n  b\n else:\n  c\n d", "2>3 2>5 3>6 5>6 6>."),
    ("def f():\n if a:\n  b\n d", "2>3 2>4 3>4 4>."),
    ("def f():\n if 1:\n  b\n else:\n  c", "3>."),
    ("def f():\n while a:\n  b\n c", "2>3 2>4 3>2 4>."),
    ("def f():\n while a:\n  b\n else:\n  c\n d", "2>3 2>5 3>2 5>6 6>."),
    ("def f():\n while a:\n  if b: break\n  c\n else:\n  d\n e", "2>3 2>6 3>4 3>7 4>2 6>7 7>."),
    ("def f():\n while True:\n  b\n c", "3>3"),
    ("def f():\n while True:\n  b\n  break\n c", "3>5 5>."),
    ("def f():\n for x in (\n  a):\n  b\n c", "2>4 3>2 3>5 4>2 4>5 5>."),
    ("def f():\n for x in a:\n  if b: continue\n  c", "2>. 2>2 2>3 3>. 3>2 3>4 4>. 4>2"),
    ("def f():\n return a\n b", "2>."),
    ("def f():\n raise a\n b", "2>."),
    ("def f():\n with a:\n  return b\n c", "2>3 3>. 4>."),
    ("def f():\n match a:\n  case 1: b\n  case _: c\n d", "2>3 3>3 3>4 3>5 4>4 4>5 5>."),
    ("lambda: a", "1>."),
]  # fmt: skip

WITH_EXCEPTIONS = [
    ("def f():\n try:\n  a\n except E:\n  b\n c", "3>4 3>6 4>. 4>5 5>6 6>."),
    ("def f():\n try:\n  a\n except:\n  b\n c", "3>5 3>6 5>6 6>."),
    ("def f():\n try:\n  a\n except E:\n  b\n else:\n  c\n d", "3>4 3>7 4>. 4>5 5>8 7>8 8>."),
    ("def f():\n try:\n  a\n finally:\n  b\n c", "3>5 5>. 5>6 6>."),
    ("def f():\n try:\n  return a\n finally:\n  b\n c", "3>5 5>."),
    ("def f():\n with a:\n  b\n c", "2>3 3>. 3>4 4>."),
    ("def f():\n try:\n  raise a\n except* E:\n  b\n except* F:\n  c\n d",
     "3>4 4>5 4>6 5>6 6>. 6>7 6>8 7>. 7>8 8>."),
]  # fmt: skip


@pytest.mark.parametrize("source, expected", EDGES)
def test_edges(source, expected):
    assert edges(source) == expected


@pytest.mark.parametrize("source, expected", WITH_EXCEPTIONS)
def test_edges_of_exceptions(source, expected):
    assert edges(source, exceptions=True) == expected


def test_one_copy_of_a_finally_for_each_way_out():
    sample = Sample("""
        def f(a):
            for x in a:
                try:
                    if x: break
                    if g(x): return x
                    h()
                finally:
                    done(x)
            return 0
    """)
    # normal end, exception, break, return
    assert len(sample.analyses.cfg.entries_of(sample.line(8))) == 4


def test_ways_never_taken_do_not_count():
    sample = Sample("def f():\n try:\n  return a\n finally:\n  b\n return c")
    cfg = sample.analyses.cfg
    assert len(cfg.entries_of(sample.line(5))) == 2  # exception and return: no normal end


def test_an_inner_function_is_one_node():
    sample = Sample("def f():\n def g():\n  return 1\n return g")
    inner = sample.find(gast.Return)
    with pytest.raises(LookupError, match="without the bodies of inner functions"):
        sample.analyses.cfg.entries_of(inner)
    assert isinstance(sample.analyses.cfg, ControlFlowGraph)
