"""The core stands alone: its tests run where annexes are taken away, all at once or each alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from runtime.types.annexes import ANNEXES
from tests.support import ROOT, nightly
from tests.support.nightly import NIGHTLY

CORE_TESTS = """
    tests/runtime/graph/test_graph.py tests/runtime/control_flow/test_cond_while.py
    tests/runtime/functions/test_concrete_function.py
""".split()
MORE_CORE_TESTS = """
    tests/runtime/engine/test_session.py tests/runtime/autodiff/test_tape.py
    tests/test_tiny.py tests/runtime/types/test_nest.py tests/runtime/eager/test_item_access.py
    tests/runtime/graph/test_func_graph.py tests/runtime/engine/test_plan.py
    tests/runtime/functions/test_retracing.py tests/runtime/staging/test_recursion.py
""".split()
"""Those run nightly."""
# These use an annex themselves (collections of variables, a dataset), or take long, which no annex
# changes.
LEFT_OUT = """
    test_collections_are_read_from_the_graph_around_and_stay_in_the_function test_group_and_tuple
    test_composites_are_leaves_unless_they_are_expanded test_memory_does_not_grow_with_traces
    test_basic_indices_as_numpy test_deep_nests_and_those_that_contain_themselves test_long_chain
    test_the_line_is_the_user_s_in_the_first_call_of_a_process
""".split()

NOT_INSTALLED = """
import sys
sys.meta_path[:] = [f for f in sys.meta_path if "editable" not in getattr(f, "__module__", "")]
"""
"""So that an editable installation does not find what was taken away."""

PROBE = """
import runtime as tf
for name in {names}:
    assert not hasattr(tf, name), name
dir(tf)
tf.strings.lower, tf.io.read_file, tf.test.compute_gradient
"""
NAMES = {
    "array_api": ["array_api"],
    "experimental": ["experimental"],
    "compat": ["variable_scope", "get_variable", "layers"],
    "composite": ["RaggedTensor", "TensorArray", "ragged"],
    "data": ["data", "OptionalSpec"],
    "containers": ["lookup", "queue"],
    "distribute": ["distribute"],
    "export": ["saved_model", "export"],
    "keras": ["keras", "losses", "metrics", "optimizers", "initializers"],
    "summaries": ["summary"],
    "testing": [],
    "train": ["train"],
}


def without(annexes: tuple[str, ...], folder: Path) -> dict[str, str]:
    """Copy both packages and the tests, but not some annexes: the surroundings to run there."""
    for package in ("autograph", "runtime"):
        shutil.copytree(ROOT / package, folder / package)  # with bytecode, which is still valid
    unused = shutil.ignore_patterns("__pycache__", "stdlib", "golden", "slow")
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=unused)
    shutil.copy(ROOT / "pyproject.toml", folder)
    for annex in annexes:
        shutil.rmtree(folder / "runtime" / annex)
    (folder / "sitecustomize.py").write_text(NOT_INSTALLED)
    return {**os.environ, "PYTHONPATH": str(folder)}


WAYS = [
    pytest.param(ANNEXES, id="all"),
    *[pytest.param((annex,), id=annex, marks=NIGHTLY) for annex in ANNEXES],
]


@pytest.mark.parametrize("annexes", WAYS)
def test_the_core_runs_without(annexes: tuple[str, ...], tmp_path: Path) -> None:
    surroundings = without(annexes, tmp_path)
    probe = PROBE.format(names=[name for annex in annexes for name in NAMES[annex]])
    (tmp_path / "tests" / "test_probe.py").write_text(probe)  # runs where it is collected
    files = ["tests/test_probe.py", *CORE_TESTS, *(MORE_CORE_TESTS if nightly.EVERYTHING else [])]
    chosen = [*files, "-k", " and ".join(f"not {name}" for name in LEFT_OUT)]
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *chosen]
    done = subprocess.run(
        command, cwd=tmp_path, env=surroundings, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
