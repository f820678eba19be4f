"""Tensor on a device: an eager tensor whose value is an array of JAX.

What knows nothing of devices reads ``_array``, which is a copy on the CPU, made when it is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import numpy as np

from runtime.eager.tensor import Tensor
from runtime.ops.array.concat_split import unstack_op
from runtime.types.dtypes import DTYPE_OF_NUMPY, DType
from runtime.types.shapes import TensorShape, TensorSpec


class DeviceTensor(Tensor):
    """Eager tensor on a device."""

    __slots__ = ("_copy_on_cpu", "_home", "_on_device")

    weak = False

    _on_device: jax.Array
    _home: Any
    _copy_on_cpu: Any

    @property
    def _array(self) -> Any:  # type: ignore[override]
        """The value as an array of NumPy."""
        if self._copy_on_cpu is None:
            self._copy_on_cpu = np.asarray(self._on_device)[()]
        return self._copy_on_cpu

    @property
    def dtype(self) -> DType:
        """Type of the elements."""
        return DTYPE_OF_NUMPY[self._on_device.dtype]

    @property
    def shape(self) -> TensorShape:
        """Shape; all dimensions are known."""
        return TensorShape(self._on_device.shape)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self._on_device.ndim

    @property
    def spec(self) -> TensorSpec:
        """Shape and dtype."""
        return TensorSpec(self.shape, self.dtype)

    @property
    def device(self) -> str:
        """Name of the device."""
        name: str = self._home.device.name
        return name

    @property
    def _interpreter(self) -> Any:
        """What applies ops to it where the current interpreter computes on the CPU."""
        return self._home

    def __iter__(self) -> Iterator[Tensor]:
        if self.ndim == 0:
            raise TypeError("Cannot iterate over a scalar tensor.")
        count = self._on_device.shape[0]
        return iter(unstack_op(self, num=count, axis=0) if count else ())


def on_device(array: jax.Array, home: Any, copy_on_cpu: Any = None) -> DeviceTensor:
    """Make a tensor of an array of JAX; its copy on the CPU may be known already.

    ``home`` is the interpreter of the device.
    """
    tensor: DeviceTensor = object.__new__(DeviceTensor)
    tensor._on_device = array
    tensor._home = home
    tensor._copy_on_cpu = copy_on_cpu
    return tensor
