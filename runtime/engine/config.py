"""``runtime.config``: devices, threads, optimizer options and eager functions, as in TensorFlow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.engine import optimizer_options as switches
from runtime.engine import thread_pool
from runtime.engine.device_registry import (
    CPU_OF_MACHINE,
    REGISTRY,
    LogicalDevice,
    LogicalDeviceConfiguration,
    PhysicalDevice,
)
from runtime.engine.llvm import workspace
from runtime.types.flags import JIT


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """List the devices of the machine: the CPU, and what JAX finds besides (extra ``xla``).

    Args:
        device_type: 'CPU', 'GPU', 'TPU', or None for all.
    Returns:
        List of PhysicalDevice.
    """
    return REGISTRY.physical(device_type)


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """List the devices that programs name; afterwards they cannot be configured.

    Args:
        device_type: 'CPU', 'GPU', 'TPU', or None for all.
    Returns:
        List of LogicalDevice.
    """
    devices = [LogicalDevice(d.short_name, d.device_type) for d in REGISTRY.devices]
    return [d for d in devices if device_type in (None, d.device_type)]


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """List the physical devices that logical devices are made of.

    Args:
        device_type: 'CPU', 'GPU', 'TPU', or None for all.
    Returns:
        List of PhysicalDevice.
    """
    return REGISTRY.visible(device_type)


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Set the physical devices that logical devices are made of; the CPU computes in any case.

    Args:
        devices: PhysicalDevice, or list of them.
        device_type: type whose devices are set; None: all types.
    Returns:
        None.
    Raises:
        ValueError: there is no such device.
        RuntimeError: the devices are in use already.
    """
    REGISTRY.set_visible(devices, device_type)


def get_logical_device_configuration(
    device: PhysicalDevice,
) -> list[LogicalDeviceConfiguration] | None:
    """Return the configurations of the logical devices of a physical one.

    Args:
        device: PhysicalDevice.
    Returns:
        List of LogicalDeviceConfiguration; None if it was not set.
    Raises:
        ValueError: there is no such device.
    """
    return REGISTRY.configurations(device)


def set_logical_device_configuration(
    device: PhysicalDevice, logical_devices: Sequence[LogicalDeviceConfiguration]
) -> None:
    """Set the logical devices that a physical one is divided into, and which share it.

    Args:
        device: PhysicalDevice.
        logical_devices: list of LogicalDeviceConfiguration, one for each logical device.
    Returns:
        None.
    Raises:
        ValueError: there is no such device, or a part of the CPU is to have a memory limit.
        RuntimeError: the devices are in use already.
    """
    REGISTRY.configure(device, logical_devices)


def get_soft_device_placement() -> bool:
    """Return whether another device does what one does not have or cannot do; True by default.

    Returns:
        True or False.
    """
    return REGISTRY.soft_placement


def set_soft_device_placement(enabled: bool) -> None:
    """Say whether another device does what one does not have or cannot do, or an error is raised.

    Args:
        enabled: whether another device does it.
    Returns:
        None.
    """
    REGISTRY.set_soft_placement(enabled)


def get_memory_growth(device: PhysicalDevice) -> bool:
    """Return what ``set_memory_growth`` set; False by default.

    Args:
        device: PhysicalDevice of a GPU.
    Returns:
        True or False.
    Raises:
        ValueError: there is no such device.
        KeyError: it is the CPU.
    """
    REGISTRY.configurations(device)
    if device == CPU_OF_MACHINE:
        raise KeyError(device)  # as TensorFlow does
    return REGISTRY.growth.get(device, False)


def set_memory_growth(device: PhysicalDevice, enable: bool) -> None:
    """Ask that a GPU's memory be taken as it is needed, which is always so.

    The variable ``XLA_PYTHON_CLIENT_PREALLOCATE=true`` in the environment has most of it taken at
    once.

    Args:
        device: PhysicalDevice of a GPU.
        enable: True or False, which is stored.
    Returns:
        None.
    Raises:
        ValueError: there is no such device, or it is the CPU.
    """
    REGISTRY.configurations(device)
    if device.device_type == "CPU":
        raise ValueError("Cannot set memory growth on non-GPU and non-Pluggable devices")
    REGISTRY.growth[device] = bool(enable)


def get_device_details(device: PhysicalDevice) -> dict[str, Any]:
    """Return what is known of a device.

    Args:
        device: PhysicalDevice.
    Returns:
        Dictionary: ``device_name`` of a GPU; empty for the CPU.
    Raises:
        ValueError: the argument is no PhysicalDevice.
    """
    if not isinstance(device, PhysicalDevice):
        raise ValueError(f"device must be a tf.config.PhysicalDevice, but got: {device}")
    jax_device = REGISTRY.jax_device_of(device)
    return {} if jax_device is None else {"device_name": jax_device.device_kind}


class experimental:
    """Names that TensorFlow has under ``config.experimental``."""

    VirtualDeviceConfiguration = LogicalDeviceConfiguration
    get_device_details = staticmethod(get_device_details)
    get_memory_growth = staticmethod(get_memory_growth)
    get_virtual_device_configuration = staticmethod(get_logical_device_configuration)
    get_visible_devices = staticmethod(get_visible_devices)
    list_logical_devices = staticmethod(list_logical_devices)
    list_physical_devices = staticmethod(list_physical_devices)
    set_memory_growth = staticmethod(set_memory_growth)
    set_virtual_device_configuration = staticmethod(set_logical_device_configuration)
    set_visible_devices = staticmethod(set_visible_devices)


class threading:
    """Numbers of threads: ``config.threading.set_inter_op_parallelism_threads(2)``."""

    get_inter_op_parallelism_threads = staticmethod(thread_pool.get_inter_op_parallelism_threads)
    set_inter_op_parallelism_threads = staticmethod(thread_pool.set_inter_op_parallelism_threads)
    get_intra_op_parallelism_threads = staticmethod(thread_pool.get_intra_op_parallelism_threads)
    set_intra_op_parallelism_threads = staticmethod(thread_pool.set_intra_op_parallelism_threads)


def set_jit(enabled: bool | str) -> None:
    """Say when graphs become machine code, unless ``jit_compile`` says it for a function.

    Args:
        enabled: True: at once; "autoclustering": once that pays (the default); False: never.
    Returns:
        None.
    Raises:
        ValueError: for other values.
    """
    choices = {True: "always", False: "never", "autoclustering": "auto"}
    if enabled not in choices:
        raise ValueError(f"enabled must be True, False or 'autoclustering', got {enabled!r}")
    JIT.set(choices[enabled])


def get_jit() -> str:
    """Return "autoclustering" if graphs become machine code, else an empty string.

    Returns:
        A string.
    """
    return "" if JIT.value == "never" else "autoclustering"


class optimizer:
    """Optimiser passes and machine code: ``config.optimizer.set_jit(False)``."""

    get_jit = staticmethod(get_jit)
    set_jit = staticmethod(set_jit)

    get_experimental_options = staticmethod(switches.get_experimental_options)
    set_experimental_options = staticmethod(switches.set_experimental_options)


def release_workspace() -> int:
    """Give the memory back to the system that machine code keeps for its next arrays and lists.

    It is at most so many MiB as RUNTIME_WORKSPACE says; arrays in use are not in it.

    Returns:
        How many bytes it was.
    """
    return workspace.release()


EAGERLY: list[bool] = []
"""Not empty: traced functions run as plain Python."""


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Make calls of a ``function`` run the Python function itself, for debugging.

    Args:
        run_eagerly: whether they do.
    Returns:
        None.
    """
    EAGERLY[:] = [True] if run_eagerly else []


def functions_run_eagerly() -> bool:
    """Return the last argument of ``run_functions_eagerly``; False by default.

    Returns:
        True or False.
    """
    return bool(EAGERLY)


experimental_run_functions_eagerly = run_functions_eagerly
experimental_functions_run_eagerly = functions_run_eagerly

__all__ = [
    "LogicalDevice", "LogicalDeviceConfiguration", "PhysicalDevice", "experimental",
    "experimental_functions_run_eagerly", "experimental_run_functions_eagerly",
    "functions_run_eagerly", "get_logical_device_configuration", "get_soft_device_placement",
    "get_visible_devices", "list_logical_devices", "list_physical_devices", "optimizer",
    "release_workspace", "run_functions_eagerly", "set_logical_device_configuration",
    "set_soft_device_placement", "set_visible_devices", "threading",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
