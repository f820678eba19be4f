"""``debugging.set_log_device_placement``: which device runs each eager operation."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from runtime.eager.tensor import Tensor
from runtime.graph.operation import SymbolicTensor
from runtime.ops import dispatch

__all__ = ["get_log_device_placement", "set_log_device_placement"]


class PlacementLog:
    """Listener that writes to stderr where each op of a thread was executed."""

    def record(self, op: Any, inputs: Sequence[Any], attrs: dict[str, Any], outputs: Any) -> None:
        """Write a line about an op."""
        first = outputs[0] if isinstance(outputs, tuple) and outputs else outputs
        if isinstance(first, Tensor) and not isinstance(first, SymbolicTensor):
            print(f"Executing op {op.type_name} in device {first.device}", file=sys.stderr)

    def extended(self, node: Any, outputs: Sequence[Any]) -> None:
        """Do nothing: operations of graphs are not executed yet."""

    def derivative_needs(
        self, op: Any, inputs: Sequence[Any], attrs: dict[str, Any]
    ) -> tuple[int, set[Any]]:
        """Return that no derivatives are taken."""
        return 0, set()

    def prepare(
        self, op: Any, inputs: Sequence[Any], attrs: dict[str, Any], listeners: Sequence[Any]
    ) -> None:
        """Leave the attributes to other listeners."""


_LOG = PlacementLog()


def get_log_device_placement() -> bool:
    """Return whether the devices of eager operations are written to stderr.

    Returns:
        True or False.
    """
    return _LOG in dispatch.listeners()


def set_log_device_placement(enabled: bool) -> None:
    """Write to stderr on which device each eager operation of this thread runs, from now on.

    Args:
        enabled: whether it is written.
    Returns:
        None.
    """
    if get_log_device_placement():
        dispatch.remove_listener(_LOG)
    if enabled:
        dispatch.add_listener(_LOG)
