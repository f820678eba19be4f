"""Programs that change lists, dicts and sets, in the default way of ``jit``: as Python does."""

from __future__ import annotations

import warnings

import pytest

import runtime as tf
from runtime.errors import JitWarning
from tests.runtime.functions import container_programs
from tests.runtime.functions.container_programs import World
from tests.runtime.functions.test_jit_containers import held, outcome


@pytest.mark.parametrize("function", container_programs.PROGRAMS, ids=lambda f: f.__name__)
def test_containers_change_once_in_each_call(function, at_once):
    staged, world, plain = tf.jit(function), World(), World()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JitWarning)
        for n in (3, 4, 3, 7, 0, 5, 2, 3, 4, 7):
            assert outcome(staged, (world, n)) == outcome(function, (plain, n)), n
            assert held(world) == held(plain), n
