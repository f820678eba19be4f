"""Functions, traces and models on Dask's workers: they arrive as what they are."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import runtime as tf
from tests.support import ROOT
from tests.support.extras import needs

pytestmark = needs("dask")

SECONDS = 120


@pytest.fixture(scope="module")
def cluster():
    """A cluster of one worker, in this process."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp://",
        dashboard_address=None,
    ) as cluster:  # fmt: skip
        yield cluster


@pytest.mark.parametrize(
    "what", ["functions", pytest.param("models", marks=pytest.mark.nightly)]
)
def test_a_main_program_sends_what_it_defines(what, cluster, tmp_path):
    program = tmp_path / "dask_program.py"
    text = Path(__file__).with_name("dask_program.py").read_text("utf-8")
    program.write_text(text, "utf-8")
    ran = subprocess.run(
        [sys.executable, str(program), cluster.scheduler_address, what],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=SECONDS,
    )  # fmt: skip
    assert ran.stdout == "all sent\n", ran.stderr


def test_importing_runtime_imports_no_dask():
    program = "import sys, runtime; assert not {'distributed', 'cloudpickle'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, timeout=SECONDS)


def test_functions_of_modules_go_by_their_names():
    import cloudpickle

    assert cloudpickle.loads(cloudpickle.dumps(of_module)) is of_module
    assert pickle.loads(pickle.dumps(of_module)) is of_module
    twin = by_value(of_module)
    assert twin is not of_module and twin(tf.constant(3)).numpy() == 4


@tf.function
def of_module(x):
    return x + 1 if x > 0 else x


factor = 2


def by_value(function):
    """What arrives of a function of a main program."""
    import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    try:
        return cloudpickle.loads(cloudpickle.dumps(function))
    finally:
        cloudpickle.unregister_pickle_by_value(sys.modules[__name__])


def test_copies_that_cannot_change_are_traced_once(monkeypatch):
    function = tf.function(lambda x: x * factor)
    first = by_value(function)
    assert by_value(function) is first and first(tf.constant(3)).numpy() == 6
    monkeypatch.setattr(sys.modules[__name__], "factor", 5)
    assert by_value(function)(tf.constant(3)).numpy() == 15
    counter = tf.Variable(0)
    count = tf.function(lambda: counter.assign_add(1))
    assert [by_value(count)().numpy() for _ in range(3)] == [1, 1, 1]
    assert by_value(tf.function(lambda x: x * factor, reduce_retracing=True)) is not first
