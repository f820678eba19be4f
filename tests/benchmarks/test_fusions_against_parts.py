"""The benchmark of fusions builds works fused and in parts, and fails where fusing is slower."""

from __future__ import annotations

import pytest

from benchmarks import fusions_against_parts, nothing_slower
from tests.support.extras import needs

pytestmark = needs("jit")


def test_a_work_is_measured_both_ways():
    from runtime.engine.llvm.arrays import fusion_lowering

    usual = fusion_lowering.MOST_MEMBERS
    program = next(p for p in nothing_slower.works() if "GELU" in p.name)
    seconds = fusions_against_parts.measured(program, rounds=1)
    assert set(seconds) == {"fused", "parts"} and min(seconds.values()) > 0
    assert fusion_lowering.MOST_MEMBERS == usual


def test_works_that_are_slower_fail(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["fusions_against_parts", "GELU"])
    monkeypatch.setattr(fusions_against_parts, "use_one_thread", lambda: None)
    for seconds, fails in (({"fused": 2.0, "parts": 1.0}, True), ({"fused": 1, "parts": 1}, False)):
        monkeypatch.setattr(fusions_against_parts, "measured", lambda *_, s=seconds: s)
        if fails:
            with pytest.raises(SystemExit, match="slower than their parts"):
                fusions_against_parts.main()
        else:
            fusions_against_parts.main()
    assert "GELU" in capsys.readouterr().out
