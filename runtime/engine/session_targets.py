"""Targets of sessions: this process, or a cluster, which an annex connects to."""

from __future__ import annotations

from typing import Any

from runtime.engine import session_config
from runtime.engine.device_registry import REGISTRY, LogicalDevice
from runtime.engine.executable import executable
from runtime.engine.protocol import Executable
from runtime.engine.xla.placement import check_placement
from runtime.graph.run_request import RunRequest
from runtime.types.annexes import added_names
from runtime.types.errors import NotFoundError


class LocalTarget:
    """This process, as the target of a session."""

    address = ""

    def __init__(self, config: Any) -> None:
        self._config = config

    def executable(self, request: RunRequest) -> Executable:
        """Compile a request."""
        check_placement(request, self._config)
        return executable(request, session_config.jit_level(self._config))

    def devices(self) -> list[LogicalDevice]:
        """Return the devices, by their full names."""
        return [LogicalDevice(d.name, d.device_type) for d in REGISTRY.devices]

    def close(self) -> None:
        """Do nothing: the session owns what it used."""


def open_target(target: str, config: Any) -> Any:
    """Return what runs a session's requests; NotFoundError for a target that is not known."""
    if _is_remote(target):
        return _of_clusters("open_target")(target, config)
    return LocalTarget(config)


def reset_target(target: str) -> None:
    """Drop the variables of a cluster; in this process each session owns its own."""
    if _is_remote(target):
        _of_clusters("reset_target")(target)


def _is_remote(target: str) -> bool:
    return target not in ("", "local")


def _of_clusters(name: str) -> Any:
    names = added_names("runtime.Session")
    if name not in names:
        raise NotFoundError("There are no remote sessions: runtime.distribute is not installed")
    return names[name]
