"""Registry of devices: the CPU, what JAX offers besides, and the logical devices made of them.

``/device:CPU:0`` is the CPU on which NumPy and machine code compute; every other device is one of
JAX's.  JAX is imported when a program first asks for such a device, or which ones there are.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from autograph.named_tuples import NamedTuple
from autograph.syntax.fork_safe_lock import fork_safe_lock
from runtime.engine.xla.jax_library import missing
from runtime.types.device_spec import PROCESS, DeviceSpec
from runtime.types.errors import InvalidArgumentError
from runtime.types.flags import VIRTUAL_GPUS
from runtime.types.settings import SETTINGS


class PhysicalDevice(NamedTuple):
    """Device of the machine."""

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """Device as programs name it; several may share a physical one."""

    name: str
    device_type: str


class LogicalDeviceConfiguration(NamedTuple):
    """Configuration of a logical device; its fields are stored, and have no effect."""

    memory_limit: int | None = None
    experimental_priority: int | None = None
    experimental_device_ordinal: int | None = None


class Device:
    """Logical device: its full name, its type and number, and the device of JAX that computes.

    ``jax_device`` is None for the CPU on which NumPy computes.
    """

    __slots__ = ("device_type", "index", "jax_device", "name")

    def __init__(self, device_type: str, index: int, jax_device: Any) -> None:
        self.name = f"{PROCESS}/device:{device_type}:{index}"
        self.device_type = device_type
        self.index = index
        self.jax_device = jax_device

    @property
    def short_name(self) -> str:
        """Name without the process."""
        return f"/device:{self.device_type}:{self.index}"

    def __repr__(self) -> str:
        return f"<Device {self.name!r}>"


CPU = Device("CPU", 0, None)
CPU_OF_MACHINE = PhysicalDevice("/physical_device:CPU:0", "CPU")


class DeviceRegistry:
    """Devices of the process, and what programs have configured of them."""

    def __init__(self) -> None:
        self.soft_placement = True
        """Whether what a device does not have or cannot do is done by another one."""
        self.growth: dict[PhysicalDevice, bool] = {}
        self._visible: dict[str, list[PhysicalDevice]] = {}
        self._configurations: dict[PhysicalDevice, list[LogicalDeviceConfiguration]] = {}
        self._devices: list[Device] | None = None
        self._lock = fork_safe_lock()

    # -- the machine ------------------------------------------------------------------------------

    def physical(self, device_type: str | None = None) -> list[PhysicalDevice]:
        """Return the devices of the machine, of one type or of all."""
        if device_type == "CPU":
            return [CPU_OF_MACHINE]
        devices = [CPU_OF_MACHINE, *self._accelerators()]
        return [d for d in devices if device_type in (None, d.device_type)]

    def jax_device_of(self, device: PhysicalDevice) -> Any:
        """Return JAX's device of a physical one; None for the CPU and for a virtual GPU."""
        return self._accelerators().get(device)

    def _accelerators(self) -> dict[PhysicalDevice, Any]:
        """Return the devices besides the CPU, each with JAX's, or with None if it is virtual."""
        if missing():
            return {}
        counts: dict[str, int] = {}
        accelerators: dict[PhysicalDevice, Any] = {}
        virtual = [("GPU", None)] * VIRTUAL_GPUS.value
        for kind, device in [*((d.platform.upper(), d) for d in self._of_jax()), *virtual]:
            if kind != "CPU":
                number = counts[kind] = counts.get(kind, -1) + 1
                accelerators[PhysicalDevice(f"/physical_device:{kind}:{number}", kind)] = device
        return accelerators

    def _of_jax(self, platform: str | None = None) -> Sequence[Any]:
        """Return JAX's devices, of which it makes as many of the CPU as are configured.

        The memory of a GPU is taken as it is needed, unless the environment says otherwise.
        """
        import jax

        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        cpus = len(self._configurations.get(CPU_OF_MACHINE, "1")) + VIRTUAL_GPUS.value
        options: Any = jax.config
        if cpus > 1 and options.jax_num_cpu_devices < cpus:
            try:
                options.update("jax_num_cpu_devices", cpus)
            except RuntimeError:  # JAX is in use already: logical devices share those that it has
                return jax.devices(platform)
        return jax.devices(platform)

    # -- logical devices --------------------------------------------------------------------------

    @property
    def devices(self) -> list[Device]:
        """All logical devices, the CPU first.  From the first time on they stay as they are."""
        with self._lock:
            if self._devices is None:
                self._devices = self._made()
            return self._devices

    def _made(self) -> list[Device]:
        devices = [CPU]
        cpus = len(self._configurations.get(CPU_OF_MACHINE, "1"))
        accelerators = self._accelerators() if cpus == 1 or not missing() else {}
        virtual = sum(device is None for device in accelerators.values())
        of_jax = self._of_jax("cpu") if cpus + virtual > 1 else ()
        spare = iter([of_jax[n % len(of_jax)] for n in range(1, cpus + virtual)])
        devices += [Device("CPU", n, next(spare)) for n in range(1, cpus)]
        counts: dict[str, int] = {}
        for physical, jax_device in accelerators.items():
            kind, jax_device = physical.device_type, jax_device or next(spare)
            if physical not in self.visible(kind):
                continue
            for _ in self._configurations.get(physical, "1"):
                counts[kind] = counts.get(kind, -1) + 1
                devices.append(Device(kind, counts[kind], jax_device))
        return devices

    def find(self, spec: DeviceSpec) -> Device | None:
        """Return the device that a spec with a type means; None if there is none."""
        if (spec.job or "localhost", spec.replica or 0, spec.task or 0) != ("localhost", 0, 0):
            return None
        kind, index = spec.device_type, spec.device_index or 0
        if (kind, index) == ("CPU", 0):
            return CPU
        return next((d for d in self.devices if (d.device_type, d.index) == (kind, index)), None)

    def placed(self, spec: DeviceSpec, soft: bool = False) -> Device:
        """Return the device that a spec with a type means.

        If there is none, it is the first one of its type, or the CPU; without soft placement, of
        the process or ``soft``, an InvalidArgumentError.
        """
        device = self.find(spec)
        if device is not None:
            return device
        full = DeviceSpec("localhost", 0, 0, None, 0).make_merged_spec(spec).to_string()
        if not full.startswith(PROCESS) and not soft:
            raise InvalidArgumentError(f"{full} unknown device.")
        if self.soft_placement or soft:
            return self.find(DeviceSpec(device_type=spec.device_type)) or CPU
        raise InvalidArgumentError(
            f"Could not satisfy device specification '{full}'. enable_soft_placement=0. Supported "
            f"device types [{', '.join(dict.fromkeys(d.device_type for d in self.devices))}]. All "
            f"available devices [{self.names()}]."
        )

    def names(self) -> str:
        """Return the full names of all devices, for messages."""
        return ", ".join(device.name for device in self.devices)

    # -- configuration ----------------------------------------------------------------------------

    def visible(self, device_type: str | None = None) -> list[PhysicalDevice]:
        """Return the physical devices that logical ones are made of."""
        kinds = dict.fromkeys(d.device_type for d in self.physical(device_type))
        return [d for kind in kinds for d in self._visible.get(kind, self.physical(kind))]

    def set_visible(self, devices: Any, device_type: str | None) -> None:
        """Set the visible devices of a type, or of all."""
        chosen = [devices] if isinstance(devices, PhysicalDevice) else [*devices]
        there = self.physical()
        for device in chosen:
            if device not in there or device_type not in (None, device.device_type):
                raise ValueError(f"Unrecognized device: {device!r}")
        kinds = {d.device_type for d in there} if device_type is None else {device_type}
        self._change(
            "Visible devices", {k: [d for d in chosen if d.device_type == k] for k in kinds}, {}
        )

    def configurations(self, device: PhysicalDevice) -> list[LogicalDeviceConfiguration] | None:
        """Return the configurations of the logical devices of a physical one; None if not set."""
        if device not in self.physical():
            raise ValueError(f"Unrecognized device: {device!r}")
        return self._configurations.get(device)

    def configure(
        self, device: PhysicalDevice, logical: Sequence[LogicalDeviceConfiguration]
    ) -> None:
        """Set the logical devices that a physical one is divided into."""
        if device != CPU_OF_MACHINE and device not in self.physical():
            raise ValueError(f"Unrecognized device: {device!r}")
        if device == CPU_OF_MACHINE and any(c.memory_limit is not None for c in logical):
            raise ValueError(
                "Setting memory limit on CPU virtual devices is currently not supported"
            )
        self._change("Virtual devices", {}, {device: list(logical)})

    def _change(
        self, subject: str, visible: dict[str, list[PhysicalDevice]],
        configurations: dict[PhysicalDevice, list[LogicalDeviceConfiguration]],
    ) -> None:  # fmt: skip
        with self._lock:
            new = {**self._visible, **visible}, {**self._configurations, **configurations}
            if self._devices is not None and new != (self._visible, self._configurations):
                raise RuntimeError(f"{subject} cannot be modified after being initialized")
            self._visible, self._configurations = new

    def set_soft_placement(self, enabled: bool) -> None:
        """Say whether another device does what one does not have or cannot do."""
        self.soft_placement = bool(enabled)
        SETTINGS.change("soft placement", self.soft_placement)


REGISTRY = DeviceRegistry()


def placement(spec: DeviceSpec | None) -> Device | None:
    """Return the device that a spec asks for, or None if it asks for none."""
    return None if spec is None or spec.device_type is None else REGISTRY.placed(spec)
