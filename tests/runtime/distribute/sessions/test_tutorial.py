"""The losses of a script for parameter servers are TensorFlow's own (2.21, ``tutorial.py``)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import runtime.compat.v1 as tf
from tests.runtime.distribute.sessions import tutorial
from tests.runtime.distribute.sessions.test_tasks_die import free_addresses
from tests.support.extras import needs

pytestmark = [needs("dask"), pytest.mark.nightly]

TENSORFLOW = Path(__file__).with_name("tensorflow_losses.json")


def test_losses_are_those_of_tensorflow():
    expected = json.loads(TENSORFLOW.read_text(encoding="utf-8"))
    actual = tutorial.losses(tf, free_addresses(3))
    assert actual.keys() == expected.keys()
    for name, values in expected.items():
        np.testing.assert_allclose(actual[name], values, rtol=0, atol=2e-6, err_msg=name)
