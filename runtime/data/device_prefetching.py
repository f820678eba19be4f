"""``prefetch_to_device``, ``copy_to_device``: elements whose tensors are on a device in advance."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from runtime.data.elements import PlacedRow
from runtime.data.int_arguments import whole
from runtime.data.prefetching import AUTOTUNE, prefetched
from runtime.eager.tensor import wrap
from runtime.engine.device_registry import CPU, REGISTRY, Device
from runtime.ops.resource.dataset import DatasetSource, Row
from runtime.types.device_spec import DeviceSpec
from runtime.types.errors import InvalidArgumentError

__all__ = ["copy_to_device", "prefetch_to_device"]


def prefetch_to_device(device: str, buffer_size: int | None = None) -> Callable[[Any], Any]:
    """Copy elements to a device in the background: ``dataset.apply(...)``, the last one of all.

    Args:
        device: name of the device.
        buffer_size: number of elements that are copied before they are asked for; None: a few.
    Returns:
        Function from a dataset to one whose elements Python gets on the device; a graph, or another
        transformation, gets them on the CPU.
    Raises:
        InvalidArgumentError: there is no such device.
    """
    size = whole(AUTOTUNE if buffer_size is None else buffer_size, "buffer_size")
    build = functools.partial(_prefetched_on, device=_device(device, "prefetch_to_device"))
    return lambda dataset: dataset._then("PrefetchToDevice", build, inputs=[size])


def copy_to_device(target_device: str, source_device: str = "/cpu:0") -> Callable[[Any], Any]:
    """Copy elements to a device when they are asked for: ``dataset.apply(...)``.

    Args:
        target_device: name of the device.
        source_device: name of the CPU, where datasets are.
    Returns:
        Function from a dataset to one, as that of ``prefetch_to_device``.
    Raises:
        InvalidArgumentError: there is no such device, or the source is not the CPU.
    """
    if _device(source_device, "copy_to_device") is not CPU:
        raise InvalidArgumentError(
            f"copy_to_device: datasets are on the CPU, got source_device={source_device!r}"
        )
    build = functools.partial(_on, device=_device(target_device, "copy_to_device"))
    return lambda dataset: dataset._then("CopyToDevice", build)


def _device(name: str, caller: str) -> Device:
    spec = DeviceSpec.from_string(name)
    device = REGISTRY.find(spec) if spec.device_type is not None else None
    if device is None:
        raise InvalidArgumentError(
            f"{caller}: {name} unknown device. All available devices [{REGISTRY.names()}]."
        )
    return device


def _prefetched_on(source: DatasetSource, size: Any, *, device: Device) -> DatasetSource:
    return prefetched(_on(source, device=device), size)


def _on(source: DatasetSource, *, device: Device) -> DatasetSource:
    """Return the rows with their copies on a device."""
    if device is CPU:
        return source
    from runtime.devices.interpreter import interpreter_of  # imports JAX

    place = interpreter_of(device).placed

    def placed(row: Row) -> PlacedRow:
        return PlacedRow(row, [place(wrap(value)) for value in row])

    return DatasetSource(lambda: map(placed, source.open()), source.size)
