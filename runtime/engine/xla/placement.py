"""Placement: the devices that the operations of a graph run on.

An operation runs where its ``device`` says, an op of a variable where the variable is; all others
go with the operations around them.  Nothing here imports JAX.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from runtime.engine.device_registry import CPU, REGISTRY, Device
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import Operation, subgraphs
from runtime.graph.order import topological_order
from runtime.graph.run_request import RunRequest
from runtime.ops.op import HIGHER_ORDER
from runtime.types.device_spec import DeviceSpec
from runtime.types.errors import InvalidArgumentError


def requested_device(node: Operation) -> Device | None:
    """Return the device that an operation, or one inside of it, asks for; None if none does.

    InvalidArgumentError for a device that is not there, in a function without soft placement.
    """
    if "storage" in node.attrs and node.attrs["storage"].home is not None:
        device: Device = node.attrs["storage"].home.device
        return device
    if "home" in node.attrs:
        group: Device = node.attrs["home"]
        return group
    if node.device:
        spec = DeviceSpec.from_string(node.device)
        if spec.device_type is not None:
            return REGISTRY.placed(spec, not isinstance(node.graph, FuncGraph))
    return next(_inside(node), None)


def _inside(node: Operation) -> Iterator[Device]:
    """Yield the accelerators that operations of the graphs inside of an operation ask for."""
    if HIGHER_ORDER in node.op_def.traits:
        for graph in subgraphs(node):
            yield from accelerators(graph)


def accelerators(graph: Any) -> Iterator[Device]:
    """Yield the devices other than the CPU that the operations of a graph ask for."""
    if _names_device(graph):
        for node in graph.operations:
            device = requested_device(node)
            if device is not None and device is not CPU:
                yield device


def _asks_for_another(graph: Any) -> bool:
    return any(
        node.device or "storage" in node.attrs or "home" in node.attrs
        or (HIGHER_ORDER in node.op_def.traits and any(map(_names_device, subgraphs(node))))
        for node in graph.operations
    ) and any(requested_device(node) not in (None, CPU) for node in graph.operations)


def _names_device(graph: Any) -> bool:
    names: bool = graph.answer("asks for another device", _asks_for_another)
    return names


def placed_steps(steps: Sequence[Any]) -> list[Device]:
    """Return the device of each step of a plan.

    What asks for none runs where the step before it runs; the first ones where the first one runs
    that asks.
    """
    requests = [requested_device(step.operation) for step in steps]
    device = next((device for device in requests if device is not None), CPU)
    placed: list[Device] = []
    for request in requests:
        device = request or device
        placed.append(device)
    return placed


def check_placement(request: RunRequest, config: Any) -> None:
    """Raise InvalidArgumentError for a device that is not there, and log devices, as a session's
    options say.
    """
    soft = config is not None and config.allow_soft_placement
    logs = config is not None and config.log_device_placement
    if soft and not logs:
        return
    targets = [*request.operations, *(tensor.op for tensor in request.fetches)]
    for node in topological_order(request.graph, targets, frozenset(map(id, request.feeds))):
        spec = DeviceSpec.from_string(node.device) if node.device else DeviceSpec()
        if not soft and spec.device_type is not None and REGISTRY.find(spec) is None:
            raise InvalidArgumentError(
                f"Cannot assign a device for operation {node.name}: {{{{node {node.name}}}}} was "
                f"explicitly assigned to {node.device} but available devices are [ "
                f"{REGISTRY.names()} ]. Make sure the device specification refers to a valid "
                "device, or let another one do it: ConfigProto(allow_soft_placement=True)."
            )
        if logs:
            device = requested_device(node) or CPU
            print(f"{node.name}: ({node.type}): {device.name}", file=sys.stderr)
