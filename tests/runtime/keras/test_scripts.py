"""Scripts for TensorFlow run with the imports changed, and give TensorFlow's losses step by step.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest

import runtime as tf
from tests.runtime.keras.script_golden import PAGE, SCRIPTS, here, losses

OFTEN = ("functional", "quickstart", "session")
"""What runs always; the others compile more machine code."""
CASES = [n if n in OFTEN else pytest.param(n, marks=pytest.mark.nightly) for n in SCRIPTS]
GOLDEN = json.loads(PAGE.read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def eager_again() -> Iterator[None]:
    """Undo what a script for graphs does to the process."""
    yield
    tf.reset_default_graph()
    tf.enable_v2_behavior()


@pytest.mark.parametrize("name", CASES)
def test_losses_are_those_of_tensorflow(name):
    theirs = SCRIPTS[name].read_text(encoding="utf-8")
    text = here(theirs)
    assert "tensorflow" not in text and text != theirs
    found, wanted = losses(name, text), GOLDEN[name]
    assert len(found["LOSSES"]) == 50
    for key in ("LOSSES", "EXTRA"):
        np.testing.assert_allclose(found[key], wanted[key], rtol=0, atol=1e-5, err_msg=key)
