"""``device``: the scope whose operations run on a device, or are recorded with its name."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from runtime.engine.device_registry import CPU, Device, placement
from runtime.graph.default_graph import current_graph
from runtime.graph.graph import Graph
from runtime.ops import dispatch
from runtime.ops.resource.variable import VariableStorage
from runtime.types.device_spec import DeviceSpec, requested
from runtime.types.dtypes import DType
from runtime.types.shapes import TensorShape

__all__ = ["device"]


@contextlib.contextmanager
def device(device_name: Any) -> Iterator[None]:
    """Run the operations of a block on a device, or record them with its name.

    Args:
        device_name: name such as ``/gpu:0``, DeviceSpec, None for no device, or in a graph a
            function of the operation.
    Returns:
        Context manager.
    Raises:
        ValueError: the name is malformed.
        InvalidArgumentError: there is no such device, and soft placement is off.
        RuntimeError: the device is a function, and operations are not recorded.
    """
    graph = current_graph()
    if graph is not None:
        with graph.device(device_name):
            yield
        return
    spec = requested(device_name)
    if spec is not None and not isinstance(spec, DeviceSpec):
        raise RuntimeError(
            "tf.device does not support functions under eager execution: name the device, or "
            "record the operations in a graph."
        )
    thread = dispatch.THREAD
    before = thread.device
    merged = spec if spec is None or before is None else before.make_merged_spec(spec)
    interpreter = _interpreter_of(placement(merged))
    thread.device = merged
    try:
        with contextlib.nullcontext() if interpreter is None else dispatch.as_current(interpreter):
            yield
    finally:
        thread.device = before


def _interpreter_of(device: Device | None) -> Any:
    """Return the interpreter to enter for a device; None if the current one will do."""
    if device is None or device is CPU:
        return None if dispatch.is_eager_thread() else dispatch.installed.eager
    from runtime.devices.interpreter import interpreter_of  # imports JAX

    return interpreter_of(device)


def new_storage(name: str, dtype: DType, shape: TensorShape, per_session: bool) -> VariableStorage:
    """Make the storage of a variable, on the device that the scopes around ask for."""
    thread = dispatch.THREAD
    if thread.variable_home is not None:
        return _storage_on(thread.variable_home, name, dtype, shape, per_session)
    if thread.device is None and not thread.stack:
        return VariableStorage(name, dtype, shape, per_session)
    graph = next((level for level in reversed(thread.stack) if isinstance(level, Graph)), None)
    spec = thread.device or DeviceSpec()
    for request in () if graph is None else graph.scopes.devices:
        if isinstance(request, DeviceSpec):
            spec = spec.make_merged_spec(request)
    device = placement(spec)
    if device is None or device is CPU:
        return VariableStorage(name, dtype, shape, per_session)
    return _storage_on(device, name, dtype, shape, per_session)


def _storage_on(
    device: Device, name: str, dtype: DType, shape: TensorShape, per_session: bool
) -> VariableStorage:
    from runtime.devices.interpreter import interpreter_of  # imports JAX
    from runtime.devices.variables import DeviceStorage

    return DeviceStorage(name, dtype, shape, per_session, interpreter_of(device))
