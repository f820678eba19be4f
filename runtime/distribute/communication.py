"""Options of communication between processes."""

from __future__ import annotations

import enum
from typing import Any

__all__ = ["CollectiveCommunication", "CommunicationImplementation", "CommunicationOptions"]


class CommunicationImplementation(enum.Enum):
    """Library that sums gradients; it is always MPI here."""

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


CollectiveCommunication = CommunicationImplementation


class CommunicationOptions:
    """Options of communication: ``timeout_seconds`` is how long a process waits for living ones.

    ``bytes_per_pack`` and ``implementation`` have no effect.  ValueError for times that are not
    positive.
    """

    def __init__(
        self, bytes_per_pack: int = 0, timeout_seconds: float | None = None,
        implementation: Any = CommunicationImplementation.AUTO,
    ) -> None:
        if timeout_seconds is not None and not timeout_seconds > 0:
            raise ValueError(f"timeout_seconds must be positive, got {timeout_seconds!r}")
        self.bytes_per_pack = bytes_per_pack
        self.timeout_seconds = timeout_seconds
        self.implementation = CommunicationImplementation(implementation)

    def __repr__(self) -> str:
        return f"CommunicationOptions(timeout_seconds={self.timeout_seconds})"
