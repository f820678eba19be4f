"""The benchmark of epochs trains the networks, and refuses systems that predict otherwise."""

from __future__ import annotations

import pytest

from benchmarks import epochs_against_keras as epochs
from tests.support.extras import needs

pytestmark = needs("jit")


def test_figures_are_printed_of_systems_that_agree(monkeypatch, capsys):
    monkeypatch.setattr(epochs, "ROWS", 64)
    found = epochs.train("lstm", epochs.OURS, 2)
    assert len(found["seconds"]) == 2 and min(found["seconds"]) > 0
    monkeypatch.setattr(epochs, "measured", lambda name, system, count: found)
    epochs.compare("lstm", 2, 2, [epochs.OURS, "jax"])
    assert capsys.readouterr().out.count(" 1.00 x ours") == 4
    results = {epochs.OURS: found, "jax": found | {"predictions": [[0.0]]}}
    monkeypatch.setattr(epochs, "measured", lambda name, system, count: results[system])
    with pytest.raises(RuntimeError, match="jax predicts otherwise"):
        epochs.compare("lstm", 2, 1, list(results))
