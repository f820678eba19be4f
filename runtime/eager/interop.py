"""Interoperation with other array libraries: the array API standard's attributes, and DLPack.

Tensors are immutable, so what is exported is a copy, unless the consumer asks for none: then it is
the tensor's own memory, marked read-only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.ops.linalg.matrices import matrix_transpose
from runtime.types.device_spec import CPU_NAME
from runtime.types.dtypes import Array, DType
from runtime.types.shapes import TensorShape

if TYPE_CHECKING:
    from runtime.eager.tensor import Tensor


class ArrayProtocol:
    """Attributes and methods of the array API standard beyond operators and indexing."""

    __slots__ = ()

    if TYPE_CHECKING:  # what the tensor classes say of themselves

        @property
        def dtype(self) -> DType: ...  # noqa: D102
        @property
        def shape(self) -> TensorShape: ...  # noqa: D102
        @property
        def device(self) -> str: ...  # noqa: D102
        def _concrete(self) -> Any: ...

        # the package sets these: the functions of the standard and devices stand above tensors
        def __array_namespace__(self, *, api_version: str | None = None) -> Any: ...
        def _copied_to(self, device: str) -> Any: ...

    def __setitem__(self, key: Any, value: Any) -> None:
        """Raise TypeError: tensors are immutable."""
        raise TypeError(
            f"{type(self).__name__!r} object does not support item assignment: tensors are "
            "immutable. Use runtime.where or runtime.tensor_scatter_nd_update, a runtime.Variable, "
            "or convert the function (autograph.to_graph): there the variable gets a changed tensor"
        )

    def __delitem__(self, key: Any) -> None:
        """Raise TypeError: tensors are immutable."""
        raise TypeError(f"{type(self).__name__!r} object does not support item deletion")

    @property
    def size(self) -> int | None:
        """Number of elements; None when a dimension is unknown."""
        return self.shape.num_elements()

    @property
    def T(self) -> Tensor:
        """Transposed matrix; ValueError unless the rank is 2."""
        if len(self.shape) != 2:
            raise ValueError(f"x.T takes matrices, got shape {self.shape}; see x.mT, transpose")
        return self.mT

    @property
    def mT(self) -> Tensor:
        """Tensor with the last two axes exchanged."""
        if len(self.shape) < 2:
            raise ValueError(f"x.mT takes arrays of rank 2 or more, got shape {self.shape}")
        return matrix_transpose(self)

    def _refuse_complex(self, kind: str) -> None:
        if self.dtype.is_complex:
            raise TypeError(f"a complex tensor cannot become a Python {kind}; use math.real")

    def to_device(self, device: Any, /, *, stream: Any = None) -> Tensor:
        """Return the tensor on a device, itself if it is there; ValueError if there is none."""
        if str(device) in (self.device, "cpu"):
            return self.cpu() if str(device) == "cpu" else self  # type: ignore[return-value]
        try:
            return self._copied_to(str(device))
        except RuntimeError as error:
            raise ValueError(f"to_device: {error}") from None

    def cpu(self) -> Tensor:
        """Return the eager tensor on the CPU."""
        return self if self.device == CPU_NAME else self._copied_to(CPU_NAME)  # type: ignore[return-value]

    def gpu(self, gpu_index: int = 0) -> Tensor:
        """Return the eager tensor on a GPU; RuntimeError if there is none of that number."""
        return self._copied_to(f"/device:GPU:{gpu_index}")

    def __dlpack_device__(self) -> tuple[int, int]:
        self._concrete()
        return 1, 0  # kDLCPU

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """Return a DLPack capsule: of a copy, or with ``copy=False`` of the tensor's memory.

        It is marked read-only as far as the consumer knows such marks (DLPack from version 1 on);
        who asks for it promises not to write.  BufferError for strings and for another device.
        """
        if stream is not None:
            raise BufferError(f"there are no streams on the CPU, got stream={stream!r}")
        if dl_device is not None and tuple(map(int, dl_device)) != (1, 0):
            raise BufferError(f"tensors live on the CPU, (1, 0); got dl_device={dl_device!r}")
        array = np.asarray(self._concrete())
        if array.dtype.kind not in "biufc":
            raise BufferError(f"DLPack has no dtype for {self.dtype.name}")
        versioned = max_version is not None and max_version[0] >= 1
        if copy is False:
            array = array.view()
            array.flags.writeable = array.flags.writeable and not versioned
        else:  # the mark would not do: there are consumers that know it and write all the same
            array = np.array(array)
        if versioned:
            return array.__dlpack__(max_version=max_version)
        return array.__dlpack__()


def array_of(x: Any, copy: bool | None) -> Array:
    """Convert the DLPack export of another library to an array that nobody else writes to.

    With ``copy=False`` it is the exporter's memory, which then must not be written to.
    """
    if not hasattr(x, "__dlpack__"):
        raise TypeError(f"from_dlpack takes objects with __dlpack__, got {type(x).__name__}")
    array = np.from_dlpack(x)
    return array if copy is False else np.array(array)
