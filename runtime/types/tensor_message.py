"""Arrays as messages of TensorFlow's: TensorProto, its shape and the numbers of dtypes.

``io.serialize_tensor`` writes it; checkpoints and saved models of TensorFlow's hold it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.types.dtypes import Array, DType, as_dtype
from runtime.types.errors import DataLossError, UnimplementedError
from runtime.types.wire_message import WireField, WireMessage, fields

__all__ = [
    "DTYPE_OF_NUMBER", "NUMBER_OF_DTYPE", "TensorProto", "TensorShapeProto", "array_of",
    "dtype_of", "message_of",
]  # fmt: skip

NUMBER_OF_DTYPE = {
    "float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int16": 5, "int8": 6, "string": 7,
    "complex64": 8, "int64": 9, "bool": 10, "bfloat16": 14, "uint16": 17, "complex128": 18,
    "float16": 19, "resource": 20, "variant": 21, "uint32": 22, "uint64": 23,
}  # fmt: skip
"""Numbers of dtypes in messages (tensorflow/core/framework/types.proto)."""
DTYPE_OF_NUMBER = {number: name for name, number in NUMBER_OF_DTYPE.items()}


class Dim(WireMessage):
    """Size along an axis; -1 where it is not known."""

    _fields = fields(size=WireField(1, "int64"), name=WireField(2, "string"))


class TensorShapeProto(WireMessage):
    """Shape."""

    _fields = fields(
        dim=WireField(2, Dim, repeated=True), unknown_rank=WireField(3, "bool"),
    )  # fmt: skip

    def dims(self) -> list[int | None] | None:
        """Return the sizes, None for those that are not known; None without a rank."""
        if self.unknown_rank:
            return None
        return [None if dim.size < 0 else dim.size for dim in self.dim]


class TensorProto(WireMessage):
    """Array: its bytes, or its numbers as a list, of which the last fills the rest."""

    _fields = fields(
        dtype=WireField(1, "int32"),
        tensor_shape=WireField(2, TensorShapeProto),
        version_number=WireField(3, "int32"),
        tensor_content=WireField(4, "bytes"),
        half_val=WireField(13, "int32", repeated=True),
        float_val=WireField(5, "float", repeated=True),
        double_val=WireField(6, "double", repeated=True),
        int_val=WireField(7, "int32", repeated=True),
        string_val=WireField(8, "bytes", repeated=True),
        scomplex_val=WireField(9, "float", repeated=True),
        int64_val=WireField(10, "int64", repeated=True),
        bool_val=WireField(11, "bool", repeated=True),
        dcomplex_val=WireField(12, "double", repeated=True),
        uint32_val=WireField(16, "uint64", repeated=True),
        uint64_val=WireField(17, "uint64", repeated=True),
    )


_LIST_OF = {
    "float32": "float_val", "float64": "double_val", "string": "string_val", "int64": "int64_val",
    "bool": "bool_val", "uint32": "uint32_val", "uint64": "uint64_val",
}  # fmt: skip


def dtype_of(number: int) -> DType:
    """Return the dtype with a number; UnimplementedError for one that is not here."""
    name = DTYPE_OF_NUMBER.get(number % 100)  # references have 100 more
    if name is None:
        raise UnimplementedError(f"TensorFlow's dtype number {number} is not here")
    return as_dtype(name)


def message_of(array: Any) -> TensorProto:
    """Return an array as a message."""
    array = np.asarray(array)
    dtype = as_dtype(array.dtype)
    shape = TensorShapeProto()
    for size in array.shape:
        shape.dim.add(size=size)
    message = TensorProto(dtype=NUMBER_OF_DTYPE[dtype.name], tensor_shape=shape)
    if dtype.name == "string":
        message.string_val.extend([bytes(text) for text in array.reshape(-1)])
    else:
        message.tensor_content = array.astype(array.dtype.newbyteorder("<")).tobytes()
    message.tensor_shape.SetInParent()
    return message


def array_of(message: TensorProto) -> Array:
    """Return the array of a message; DataLossError for one of another size than its shape's."""
    dtype = dtype_of(message.dtype)
    dims = message.tensor_shape.dims()
    if dims is None or None in dims:
        raise DataLossError(f"a tensor of shape {dims} is no array")
    sizes = [int(size or 0) for size in dims]
    kind = np.dtype(dtype.as_numpy_dtype)
    count = int(np.prod(sizes, dtype=np.int64))
    if message.tensor_content:
        content = message.tensor_content
        if len(content) != count * kind.itemsize:
            raise DataLossError(f"{len(content)} bytes for a tensor of {sizes} {dtype.name}")
        return np.frombuffer(content, kind.newbyteorder("<")).astype(kind).reshape(sizes)
    values = _listed(message, dtype.name, kind)
    if len(values) > count:
        raise DataLossError(f"{len(values)} values for a tensor of {sizes} {dtype.name}")
    array = np.zeros(count, kind)
    if kind.kind == "O":
        array[:] = b""
    array[: len(values)] = values
    if len(values):
        array[len(values) :] = values[-1]
    return array.reshape(sizes)


def _listed(message: TensorProto, name: str, kind: Any) -> Array:
    """The values of a message that has them as a list."""
    if name in ("complex64", "complex128"):
        parts = message.scomplex_val if name == "complex64" else message.dcomplex_val
        pairs = np.array(list(parts), np.float64).reshape(-1, 2)
        return (pairs[:, 0] + 1j * pairs[:, 1]).astype(kind)
    if name in ("float16", "bfloat16"):
        return np.array(list(message.half_val), np.uint16).view(kind)
    values: list[Any] = list(getattr(message, _LIST_OF.get(name, "int_val")))
    result = np.empty(len(values), kind)
    result[:] = values
    return result

