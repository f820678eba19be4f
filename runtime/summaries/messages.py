"""Messages of event files - Event, Summary, TensorProto - in the wire format.

The numbers of fields are those of TensorFlow's event.proto, summary.proto and tensor.proto.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.types.wire_format import (
    double,
    nested,
    packed_doubles,
    single,
    text,
    whole_number,
)

DATA_TYPES = {
    "float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int16": 5, "int8": 6, "string": 7,
    "complex64": 8, "int64": 9, "bool": 10, "bfloat16": 14, "uint16": 17, "complex128": 18,
    "float16": 19, "resource": 20, "variant": 21, "uint32": 22, "uint64": 23,
}  # fmt: skip
"""Numbers of dtypes in types.proto, by name."""

SCALAR, TENSOR, BLOBS = 1, 2, 3
"""Classes of data that TensorBoard tells apart."""


def event(wall_time: float, step: int | None = None, *content: bytes) -> bytes:
    """Encode an event: seconds since 1970, the step, and fields."""
    number = b"" if step is None else whole_number(2, step)
    return double(1, wall_time) + number + b"".join(content)


def file_version() -> bytes:
    """Encode what the first event of each file says."""
    return text(3, "brain.Event:2")


def graph_field(graph_def: bytes) -> bytes:
    """Encode the graph of an event."""
    return nested(4, graph_def)


def summary_field(summary: bytes) -> bytes:
    """Encode the summary of an event."""
    return nested(5, summary)


def summary_value(tag: str, *content: bytes) -> bytes:
    """Encode a summary of one value."""
    return nested(1, text(1, tag) + b"".join(content))


def tensor_content(value: Any, metadata: bytes) -> bytes:
    """Encode a value that is an array with metadata: the form of TensorFlow 2."""
    return nested(9, metadata) + nested(8, tensor(value))


def simple_content(value: float) -> bytes:
    """Encode a value that is one float32: the form of TensorFlow 1."""
    return single(2, value)


def image_content(sizes: tuple[int, ...], encoded: bytes) -> bytes:
    """Encode a value that is an image: height, width and channels, and the bytes of a PNG."""
    numbers = b"".join(whole_number(k, size) for k, size in enumerate(sizes, 1))
    return nested(4, numbers + nested(4, encoded))


def histogram_content(values: Any, limits: list[float], counts: list[float]) -> bytes:
    """Encode a value that is a histogram; ``limits`` are the upper ends of its buckets."""
    numbers = (0.0,) * 5
    if values.size:
        numbers = (values.min(), values.max(), values.size, values.sum(), np.square(values).sum())
    told = b"".join(double(k, float(n)) for k, n in enumerate(numbers, 1))
    return nested(5, told + packed_doubles(6, limits) + packed_doubles(7, counts))


def metadata(
    plugin: str, data_class: int = 0, description: str | None = None, content: bytes = b""
) -> bytes:
    """Encode what says which plugin of TensorBoard shows a value."""
    chosen = nested(1, text(1, plugin) + (nested(2, content) if content else b""))
    told = text(3, description) if description else b""
    return chosen + told + (whole_number(4, data_class) if data_class else b"")


def shape(dims: Any) -> bytes:
    """Encode a shape: sizes, None for unknown ones; None for an unknown rank."""
    if dims is None:
        return whole_number(3, 1)
    return b"".join(nested(2, whole_number(1, -1 if d is None else int(d))) for d in dims)


def tensor(value: Any) -> bytes:
    """Encode an array of numbers, bools or, as objects, bytes."""
    array = np.asarray(value)
    if array.dtype.kind == "O":
        head = whole_number(1, DATA_TYPES["string"]) + nested(2, shape(array.shape))
        return head + b"".join(nested(8, item) for item in array.reshape(-1))
    head = whole_number(1, DATA_TYPES[array.dtype.name]) + nested(2, shape(array.shape))
    order = array.astype(array.dtype.newbyteorder("<"), copy=False)
    return head + nested(4, np.ascontiguousarray(order).tobytes())
