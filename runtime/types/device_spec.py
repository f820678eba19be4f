"""Device names: parsed, merged from nested scopes and formatted as TensorFlow does.

All operations run on the one CPU; graphs record the requested device.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

__all__ = ["DeviceSpec"]

PROCESS = "/job:localhost/replica:0/task:0"
"""Beginning of the full names of devices: those of this process."""
CPU_NAME = f"{PROCESS}/device:CPU:0"
"""Full name of the CPU on which NumPy and machine code compute."""

_FIELDS = ("job", "replica", "task", "device_type", "device_index")


class DeviceSpec:
    """Device name, complete or in parts: ``/job:worker/replica:0/task:1/device:GPU:0``.

    Missing parts are None.  ValueError for a text that is no device name.
    """

    def __init__(
        self, job: str | None = None, replica: int | None = None, task: int | None = None,
        device_type: str | None = None, device_index: int | None = None,
    ) -> None:
        self.job = job
        self.replica = replica
        self.task = task
        self.device_type = device_type.upper() if device_type else None
        self.device_index = device_index

    @classmethod
    def from_string(cls, spec: str) -> DeviceSpec:
        """Parse a text like ``/gpu:0`` or ``/job:ps/task:1/device:CPU:*``."""
        fields: dict[str, Any] = {}
        for text in filter(None, spec.split("/")):
            words = text.split(":")
            match = _part(words)
            if not match or match.keys() & fields.keys():
                raise ValueError(
                    f"{spec!r} is not a valid device name: expected something like '/cpu:0' or "
                    "'/job:worker/replica:0/task:0/device:GPU:1'"
                )
            fields.update(match)
        return cls(**fields)

    def to_string(self) -> str:
        """Return the canonical text."""
        texts = [
            "" if value is None else f"/{name}:{value}"
            for name, value in (("job", self.job), ("replica", self.replica), ("task", self.task))
        ]
        if self.device_type is not None:
            index = "*" if self.device_index is None else self.device_index
            texts.append(f"/device:{self.device_type}:{index}")
        return "".join(texts)

    def make_merged_spec(self, dev: DeviceSpec) -> DeviceSpec:
        """Return this spec with its parts replaced by those of ``dev``."""
        merged = {f: getattr(self, f) for f in _FIELDS}
        merged.update({f: v for f in _FIELDS if (v := getattr(dev, f)) is not None})
        return DeviceSpec(**merged)

    def replace(self, **kwargs: Any) -> DeviceSpec:
        """Return a copy with some parts replaced."""
        return DeviceSpec(**{**{f: getattr(self, f) for f in _FIELDS}, **kwargs})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeviceSpec) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())

    def __str__(self) -> str:
        return self.to_string()

    def __repr__(self) -> str:
        return f"<DeviceSpec {self.to_string()!r}>"


def _part(words: list[str]) -> dict[str, Any]:
    """Parse one part between slashes; return an empty dict if it is not valid."""
    kind, values = words[0], words[1:]
    if kind == "job" and len(values) == 1 and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", values[0]):
        return {"job": values[0]}
    if kind in ("replica", "task") and len(values) == 1 and values[0].isdigit():
        return {kind: int(values[0])}
    if kind == "device" and len(values) == 2:
        kind, values = values[0], values[1:]
    elif kind.lower() not in ("cpu", "gpu", "tpu"):
        return {}
    elif not values:
        return {"device_type": kind, "device_index": None}
    if len(values) != 1 or not kind.isidentifier():
        return {}
    if values[0] == "*":
        return {"device_type": kind, "device_index": None}
    return {"device_type": kind, "device_index": int(values[0])} if values[0].isdigit() else {}


Request = DeviceSpec | Callable[[Any], Any]
"""Request of a ``device`` scope: a spec, or a function from the operation to one."""


def requested(device: Any) -> Request | None:
    """Parse a user's device; None for ``None``.  TypeError or ValueError when invalid."""
    if device is None or isinstance(device, DeviceSpec):
        return device
    if isinstance(device, str):
        return DeviceSpec.from_string(device)
    if callable(device):
        return device
    raise TypeError(f"a device is a name, a DeviceSpec, a function or None, got {device!r}")


def device_of(operation: Any, scopes: tuple[Request, ...]) -> str:
    """Merge the devices of nested scopes, the innermost last: each part of an inner one wins.

    The function of a scope finds the device of the scopes inside of it in ``operation.device``.
    """
    merged = DeviceSpec()
    for scope in reversed(scopes):
        if isinstance(scope, DeviceSpec):
            merged = scope.make_merged_spec(merged)
        else:
            operation.device = merged.to_string()
            chosen = requested(scope(operation))
            merged = chosen if isinstance(chosen, DeviceSpec) else DeviceSpec()
    return merged.to_string()
