"""The steps of lowering run from their lists, in order."""

from __future__ import annotations

from typing import get_args

import runtime
from runtime.engine.llvm import pipeline
from runtime.engine.llvm.planners import PLANNERS
from runtime.ops.rules.lowering import LoweringRule
from tests.support.extras import needs

pytestmark = needs("jit")


def test_lowering_runs_the_steps_of_the_lists(monkeypatch):
    log = []

    def noted(step):
        def run(subject):
            log.append(step.run.__name__)
            return step.run(subject)

        return step._replace(run=run)

    for name in ("ON_PLANS", "ON_MODULES"):
        monkeypatch.setattr(pipeline, name, [noted(step) for step in getattr(pipeline, name)])

    @runtime.function(jit_compile=True)
    def root(x):
        while x * x > 2.0:
            x = x / 2.0
        return x

    assert float(root(runtime.constant(8.0))) == 1.0
    assert log == [
        "expand_compositions", "expand_compositions", "expand_compositions",  # root, test and body
        "unswitch_loops", "prepare_arrays", "resolve_types", "drop_unused_objects",
        "number_sites", "share_lookups", "verify",
    ]  # fmt: skip


def test_every_step_has_a_reason():
    assert all(step.reason for step in (*pipeline.ON_PLANS, *pipeline.ON_MODULES))


def test_there_are_few_kinds_of_rules_and_each_has_a_planner():
    kinds = get_args(LoweringRule)
    assert len(kinds) <= 8
    assert set(PLANNERS) == {*kinds, type(None)}
