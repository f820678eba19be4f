"""Virtual GPUs for the tests of this room."""

from __future__ import annotations

import pytest

from runtime.engine.device_registry import REGISTRY
from runtime.types import flags
from runtime.types.settings import SETTINGS


@pytest.fixture
def fresh_devices(monkeypatch):
    """The registry as a new process has it, and afterwards as it was."""
    for name, value in (("_devices", None), ("_visible", {}), ("_configurations", {})):
        monkeypatch.setattr(REGISTRY, name, value)
    monkeypatch.setattr(REGISTRY, "growth", {})
    yield REGISTRY
    REGISTRY.set_soft_placement(True)
    SETTINGS.change("devices of tests", object())


@pytest.fixture
def gpus(fresh_devices):
    """Two virtual GPUs."""
    with flags.VIRTUAL_GPUS(2):
        yield fresh_devices.devices
