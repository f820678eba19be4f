"""Sessions on two tasks give what a session of this process gives; errors name what is wrong."""

from __future__ import annotations

import numpy as np
import pytest

import runtime.compat.v1 as tf
from tests.runtime.distribute.sessions.programs import PROGRAMS, results
from tests.support.extras import needs

pytestmark = needs("dask")


@pytest.fixture(scope="module")
def target():
    """A cluster of two workers in threads of this process."""
    from runtime.distribute.sessions.local_cluster import local_cluster

    cluster = local_cluster(2, processes=False)
    yield f"dask://{cluster.scheduler_address.partition('://')[2]}"
    cluster.close()


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_results_are_those_of_a_local_session(name, target):
    tf.Session.reset(target)
    expected = results(PROGRAMS[name], "")
    actual = results(PROGRAMS[name], target)
    for left, right in zip(tf.nest.flatten(expected), tf.nest.flatten(actual), strict=True):
        assert type(left) is type(right)
        if left is not None:
            assert np.asarray(left).dtype == np.asarray(right).dtype
            np.testing.assert_array_equal(left, right)
