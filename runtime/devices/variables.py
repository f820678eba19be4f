"""Storage of a variable on a device: its value is an array of JAX.

Kernels read and write it as any other storage, by copies on the CPU.
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from runtime.devices.interpreter import DeviceInterpreter
from runtime.ops.resource.variable import VariableStorage
from runtime.types.dtypes import DType
from runtime.types.shapes import TensorShape


class DeviceStorage(VariableStorage):
    """Storage of a variable on a device."""

    __slots__ = ("_on_device", "home")

    home: DeviceInterpreter

    def __init__(self, name: str, dtype: DType, shape: TensorShape, per_session: bool,
                 home: DeviceInterpreter) -> None:  # fmt: skip
        super().__init__(name, dtype, shape, per_session)
        self.home = home

    @property
    def array(self) -> Any:
        """The value of an eager variable: an array of JAX, or None."""
        return self._on_device

    @array.setter
    def array(self, value: Any) -> None:
        self._on_device = value

    @property
    def device(self) -> str:
        """Name of the device where the value is kept."""
        return self.home.device.name

    def read(self) -> Any:
        """The value as an array of NumPy."""
        return np.asarray(self.held())

    def held(self) -> Any:
        """The value: an array of JAX."""
        return super().read()

    def write(self, value: Any) -> None:
        """Replace the value; ValueError when the shape does not fit."""
        home = self.home.device.jax_device
        if not (isinstance(value, jax.Array) and value.device == home):  # a copy of a copy is slow
            with jax.enable_x64(True):
                value = jax.device_put(value, home)
        super().write(value)

