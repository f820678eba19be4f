"""Group of devices: replicas run on its members, and variables have a copy on each of them.

To the rest of the engine it is one device.  What lives on it is an array of JAX with a copy on each
member; only what replicas compute differs from member to member (xla/rules/replicas.py).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from runtime.engine.device_registry import Device

AXIS = "replica"
"""Name of the mesh's axis, along which the members lie."""


class DeviceGroup(Device):
    """Group of devices, one for each replica; its name is that of the first member."""

    __slots__ = ("__dict__", "members")

    def __init__(self, members: Sequence[Device]) -> None:
        first = members[0]
        self.name = first.name
        self.device_type = first.device_type
        self.index = first.index
        self.members = tuple(members)

    @property
    def count(self) -> int:
        """Number of the members."""
        return len(self.members)

    @property
    def short_name(self) -> str:
        """Names of the members without the process."""
        return " & ".join(member.short_name for member in self.members)

    @functools.cached_property
    def mesh(self) -> Any:
        """Mesh of JAX's devices.  ValueError where members share one, as logical GPUs do."""
        import jax
        import numpy as np

        devices = [m.jax_device or jax.devices("cpu")[0] for m in self.members]
        if len(set(devices)) < len(devices):
            raise ValueError(
                f"replicas on {self.short_name} would share a device of JAX: {devices}. JAX was in "
                "use before its devices were divided, or they are logical devices of one GPU"
            )
        return jax.sharding.Mesh(np.array(devices), (AXIS,))

    @property
    def jax_device(self) -> Any:
        """Sharding of arrays that have a copy on each member."""
        return self.copied

    @functools.cached_property
    def copied(self) -> Any:
        """Sharding of arrays that have a copy on each member."""
        import jax

        whole: Any = jax.sharding.PartitionSpec
        return jax.sharding.NamedSharding(self.mesh, whole())

    def __repr__(self) -> str:
        return f"<DeviceGroup {self.short_name!r}>"
