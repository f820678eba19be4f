"""Analyses are made when asked for, once, and forgotten when the tree has changed."""

from __future__ import annotations

import gast

from autograph.analysis.cfg import ControlFlowGraph
from autograph.analysis.liveness import Liveness
from autograph.analysis.scopes import FunctionScope
from tests.autograph.analysis.trees import Sample

SOURCE = """
    def f(x):
        y = x
        return y
"""


def test_made_once():
    analyses = Sample(SOURCE).analyses
    assert analyses.liveness is analyses.liveness
    assert analyses.get(FunctionScope) is analyses.scopes


def test_forgotten_after_a_change():
    sample = Sample(SOURCE)
    before = sample.analyses.scopes
    sample.node.body.insert(0, gast.parse("z = 1").body[0])
    assert sample.analyses.scopes is before
    sample.analyses.changed()
    assert sample.analyses.scopes.bound == {"x", "y", "z"}


def test_what_still_holds_is_kept():
    analyses = Sample(SOURCE).analyses
    scopes, cfg = analyses.scopes, analyses.cfg
    analyses.changed(keep=(ControlFlowGraph,))
    assert analyses.cfg is cfg
    assert analyses.scopes is not scopes


def test_needs_are_made_first_and_handed_over():
    class Count:
        needs = (FunctionScope, Liveness)

        def __init__(self, function_node, scopes, liveness):
            self.given = (function_node, scopes, liveness)

    sample = Sample(SOURCE)
    count = sample.analyses.get(Count)
    assert count.given == (sample.node, sample.analyses.scopes, sample.analyses.liveness)
