"""The benchmark of NPBench's programs measures, checks and sums up those of a small checkout."""

from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks import npbench
from tests.support.extras import needs

INFO = {
    "func_name": "kernel", "relative_path": "small/doubled", "module_name": "doubled",
    "parameters": {"S": {"N": 5}},
    "init": {"func_name": "initialize", "input_args": ["N"], "output_args": ["a"]},
    "input_args": ["N", "a"],
}  # fmt: skip


@pytest.fixture
def program(tmp_path, monkeypatch):
    (tmp_path / "bench_info").mkdir()
    (tmp_path / "bench_info/doubled.json").write_text(json.dumps({"benchmark": INFO}))
    folder = tmp_path / "npbench/benchmarks/small/doubled"
    folder.mkdir(parents=True)
    (folder / "doubled.py").write_text(
        "import numpy as np\ndef initialize(N):\n    return np.arange(float(N))\n"
    )
    kernel = "def kernel(N, a):\n    for i in range(N):\n        a[i] = a[i] * {}\n"
    (folder / "doubled_numpy.py").write_text(kernel.format(2))
    (folder / "doubled_numba_n.py").write_text(kernel.format(3))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(npbench, "WARM", 0.0)
    monkeypatch.setattr(npbench, "UNDECIDED", 0.0)
    monkeypatch.setattr(npbench, "MOST_ROUNDS", 1)
    return npbench.Program(tmp_path, "doubled", "S")


@needs("jit")
def test_systems_are_measured_on_fresh_arguments_and_checked(program):
    record = npbench.measured(program, npbench.SYSTEMS)
    assert record["numba"] == {"error": "ArithmeticError: other results than NumPy's"}
    for system in ("numpy", "auto", "always"):
        assert record[system]["first"] > 0 and record[system]["steady"] > 0


def test_the_summary_names_what_is_slower():
    records = {
        "fast": {"numpy": {"steady": 4.0}, "auto": {"steady": 1.0}},
        "slow": {"numpy": {"steady": 1.0}, "auto": {"steady": 2.0}},
        "failed": {"numpy": {"steady": 1.0}, "auto": {"error": "no"}},
    }
    assert npbench.summary(records, ["numpy", "auto"]) == (
        "auto: 1.41 x NumPy (geometric mean of 2 programs); slower than NumPy: slow (0.50)"
    )


def test_results_are_compared_but_for_rounding():
    assert npbench.is_close([np.arange(3.0), None, 2], [np.arange(3.0) + 1e-9, None, 2])
    assert not npbench.is_close(np.arange(3.0), np.arange(3.0) + 1e-3)
    assert not npbench.is_close(np.arange(3.0), np.arange(4.0))
    assert not npbench.is_close(np.arange(3), np.arange(3.0))
