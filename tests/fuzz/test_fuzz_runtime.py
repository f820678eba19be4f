"""Random programs on the runtime: eager, in a session and as a function they agree, or are refused.

``FUZZ_PROGRAMS`` and ``FUZZ_FIRST`` as in ``test_fuzz``.  Printed text is compared by
``test_programs``: where a Python number and a tensor join, a graph prints the tensor.
"""

from __future__ import annotations

import os

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph import staging
from autograph.staging.staged_union import StagedOptional
from tests.fuzz.test_fuzz import FIRST, INPUTS, load
from tests.support.nightly import seeds

COUNT = int(os.environ.get("FUZZ_PROGRAMS", "40")) // 2
KEPT = 3  # run always
BATCH = 3


def number(value):
    """Value and dtype of what a program returns."""
    if value is None:
        return None
    array = np.asarray(value if isinstance(value, np.generic) else tf.convert_to_tensor(value))
    return array.dtype, array.item()


def result(run):
    """The value, or the class of the exception; None when staging refused the program."""
    try:
        return number(run())
    except autograph.StagingError:
        return "refused"
    except TypeError as refused:
        assert "NoneType" in str(refused) or "iterated" in str(refused), refused
        return "refused"
    except (ValueError, NameError, ArithmeticError, tf.errors.OpError) as error:
        return type(error)


def in_session(converted, args):
    with tf.Graph().as_default(), tf.Session() as session:
        places = [tf.placeholder(tf.int32, []) for _ in args]
        fetched = converted(*places)
        if not isinstance(fetched, tf.Tensor | StagedOptional):
            return fetched
        return session.run(fetched, dict(zip(places, args, strict=True)))


@pytest.mark.parametrize("first", seeds(FIRST, COUNT, BATCH, KEPT))
def test_programs(first, capsys):
    for seed in range(first, first + BATCH):
        function = load(seed)
        converted, staged = autograph.to_graph(function), tf.function(function)
        for args in INPUTS:
            tensors = [tf.constant(arg) for arg in args]
            eager = result(lambda: function(*tensors))  # noqa: B023
            for functional in (False, True):
                with staging.force_version(functional):
                    assert result(lambda: converted(*tensors)) == eager, (seed, args)  # noqa: B023
            traced = result(lambda: staged(*tensors))  # noqa: B023
            assert traced in (eager, "refused"), (seed, args)
            ran = result(lambda: in_session(converted, args))  # noqa: B023
            if ran is not None:  # what returns nothing cannot be fetched
                assert ran in (eager, "refused"), (seed, args)
