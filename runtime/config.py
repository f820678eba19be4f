"""``runtime.config``: what the machine offers and how functions are run, as in TensorFlow."""

from __future__ import annotations

from typing import NamedTuple


class PhysicalDevice(NamedTuple):
    """A device of the machine."""

    name: str
    device_type: str


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices there are: one CPU."""
    cpu = PhysicalDevice("/physical_device:CPU:0", "CPU")
    return [cpu] if device_type in (None, "CPU") else []

__all__ = [
    "PhysicalDevice", "list_physical_devices",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
