"""TensorFlow's own files of checkpoints, read and written: a table of entries, and their bytes.

``PREFIX.index`` is a table of LevelDB's format, from names to messages that say dtype, shape and
place; ``PREFIX.data-00000-of-00001`` holds the bytes.  A checkpoint of objects holds a message of
their graph, too.  Sources: LevelDB's doc/table_format.md and TensorFlow's
core/protobuf/tensor_bundle.proto and trackable_object_graph.proto.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from runtime.types.atomic_files import file_errors, replacing
from runtime.types.checksums import crc32c
from runtime.types.dtypes import Array
from runtime.types.errors import DataLossError, UnimplementedError
from runtime.types.tensor_message import NUMBER_OF_DTYPE, TensorShapeProto, dtype_of
from runtime.types.wire_format import read_varint, varint
from runtime.types.wire_message import WireField, WireMessage, fields

INDEX = ".index"
VALUE = "/.ATTRIBUTES/VARIABLE_VALUE"
"""What the keys of variables of objects end in."""
OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"
_MAGIC = bytes.fromhex("57fb808b247547db")
_FOOTER = 48


class BundleHeader(WireMessage):
    """Number of files of bytes, and order of bytes: 0 is little-endian."""

    _fields = fields(
        num_shards=WireField(1, "int32"), endianness=WireField(2, "int32"),
        version=WireField(3, "bytes"),
    )  # fmt: skip


class BundleEntry(WireMessage):
    """Dtype, shape and place of a value."""

    _fields = fields(
        dtype=WireField(1, "int32"), shape=WireField(2, TensorShapeProto),
        shard_id=WireField(3, "int32"), offset=WireField(4, "int64"), size=WireField(5, "int64"),
        crc32c=WireField(6, "fixed32"), slices=WireField(7, "bytes", repeated=True),
    )  # fmt: skip


class ChildReference(WireMessage):
    """Attribute of an object: the number of another one, and its name."""

    _fields = fields(node_id=WireField(1, "int32"), local_name=WireField(2, "string"))


class SerializedTensor(WireMessage):
    """Value of an object, and its key."""

    _fields = fields(
        name=WireField(1, "string"), full_name=WireField(2, "string"),
        checkpoint_key=WireField(3, "string"),
    )  # fmt: skip


class TrackableObject(WireMessage):
    """Object of a checkpoint."""

    _fields = fields(
        children=WireField(1, ChildReference, repeated=True),
        attributes=WireField(2, SerializedTensor, repeated=True),
    )


class TrackableObjectGraph(WireMessage):
    """Objects of a checkpoint; the first one holds the others."""

    _fields = fields(nodes=WireField(1, TrackableObject, repeated=True))


def _masked(checksum: int) -> int:
    return ((checksum >> 15 | checksum << 17) + 0xA282EAD8) & 0xFFFFFFFF


class TensorBundle:
    """Values of a checkpoint of TensorFlow's, by key.

    NotFoundError where a file is not there, DataLossError for one that is damaged,
    UnimplementedError for values in slices.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._prefix = path.removesuffix(INDEX)
        self._entries: dict[str, BundleEntry] = {}
        with file_errors(path), open(path, "rb") as file:
            data = file.read()
        if len(data) < _FOOTER or data[-8:] != _MAGIC:
            raise DataLossError(f"{path}; this is no index of a checkpoint of TensorFlow's")
        header: Any = None
        for key, value in self._table(data):
            if not key:
                header = BundleHeader.FromString(value)
            else:
                self._entries[key.decode()] = BundleEntry.FromString(value)
        if header is None or header.endianness:
            raise DataLossError(f"{path}; the index has no header, or another order of bytes")
        self._shards = int(header.num_shards)

    def _table(self, data: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Yield the keys and values of the table."""
        footer, position = data[-_FOOTER:], 0
        for _ in range(2):  # the place of other notes, which is passed over
            _, position = read_varint(footer, position)
        offset, position = read_varint(footer, position)
        size, _ = read_varint(footer, position)
        for _, handle in self._block(data, offset, size):
            start, position = read_varint(handle, 0)
            yield from self._block(data, start, read_varint(handle, position)[0])

    def _block(self, data: bytes, offset: int, size: int) -> Iterator[tuple[bytes, bytes]]:
        """Yield the entries of a block: a key shares its beginning with the one before."""
        block, tail = data[offset : offset + size], data[offset + size : offset + size + 5]
        if len(tail) < 5 or len(block) < 4:
            raise DataLossError(f"{self.path}; the index is cut")
        if tail[0]:
            raise UnimplementedError(f"{self.path}; compressed indexes are not read here")
        if _masked(crc32c(block + tail[:1])) != int.from_bytes(tail[1:], "little"):
            raise DataLossError(f"{self.path}; a block of the index is damaged")
        end = len(block) - 4 - 4 * int.from_bytes(block[-4:], "little")
        key, position = b"", 0
        while position < end:
            shared, position = read_varint(block, position)
            rest, position = read_varint(block, position)
            length, position = read_varint(block, position)
            key = key[:shared] + block[position : position + rest]
            position += rest + length
            yield key, block[position - length : position]

    @property
    def names(self) -> list[str]:
        """Keys of the values."""
        return list(self._entries)

    def shape_and_dtype(self, name: str) -> tuple[tuple[int, ...], str]:
        """Return shape and dtype of a value."""
        entry = self._entries[name]
        return tuple([int(n or 0) for n in entry.shape.dims() or ()]), dtype_of(entry.dtype).name

    def read(self, name: str) -> Array:
        """Return a value; DataLossError where its bytes are damaged."""
        entry = self._entries[name]
        if entry.slices:
            raise UnimplementedError(f"{self.path}; the value {name!r} is stored in slices")
        file_name = f"{self._prefix}.data-{entry.shard_id:05d}-of-{self._shards:05d}"
        with file_errors(file_name), open(file_name, "rb") as file:
            file.seek(entry.offset)
            data = file.read(entry.size)
        shape, dtype = self.shape_and_dtype(name)
        kind = np.dtype(dtype_of(entry.dtype).as_numpy_dtype)
        if dtype == "string":
            array, checked = _strings_of(data, int(np.prod(shape, dtype=np.int64)))
        else:
            array, checked = np.empty(0), data
        if len(data) != entry.size or _masked(crc32c(checked)) != entry.crc32c:
            raise DataLossError(f"{file_name}; the bytes of {name!r} are damaged")
        if dtype != "string":
            array = np.frombuffer(data, kind.newbyteorder("<")).astype(kind)
        return array.reshape(shape)

    def read_all(self) -> dict[str, Array]:
        """Return the values of variables by the paths of their objects, or by their names."""
        plain = [key for key in self._entries if not key.startswith(OBJECT_GRAPH)]
        return {key.removesuffix(VALUE): self.read(key) for key in plain}


def _strings_of(data: bytes, count: int) -> tuple[Array, bytes]:
    """Strings: their lengths, a checksum of these, their bytes; and what the checksum is of."""
    lengths, position = [], 0
    for _ in range(count):
        length, position = read_varint(data, position)
        lengths.append(length)
    checksum, position = data[position : position + 4], position + 4
    strings = np.empty(count, object)
    for number, length in enumerate(lengths):
        strings[number] = data[position : position + length]
        position += length
    return strings, b"".join([*map(_length_bytes, lengths), checksum, *strings])


def _length_bytes(length: int) -> bytes:
    return struct.pack("<I" if length < 1 << 32 else "<Q", length)


# -- writing --------------------------------------------------------------------------------------


def write_bundle(prefix: str, values: Mapping[str, Any]) -> None:
    """Write arrays by key as a checkpoint of TensorFlow's.

    Args:
        prefix: path without a suffix; the folder must be there.
        values: NumPy arrays of numbers, bools, or, as objects, bytes.

    Raises:
        OpError: the one that fits the error of the file system.
    """
    entries = {b"": BundleHeader(num_shards=1, version=b"\x08\x01").SerializeToString()}
    pieces: list[bytes] = []
    offset = 0
    for key in sorted(values):
        array = np.asarray(values[key])
        data, checked = _bytes_of(array)
        entry = BundleEntry(dtype=NUMBER_OF_DTYPE[_dtype_name(array)], offset=offset,
                            size=len(data), crc32c=_masked(crc32c(checked)))  # fmt: skip
        for size in array.shape:
            entry.shape.dim.add(size=size)
        entry.shape.SetInParent()
        entries[key.encode()] = entry.SerializeToString()
        pieces.append(data)
        offset += len(data)
    data_file = f"{prefix}.data-00000-of-00001"
    with file_errors(data_file), replacing(data_file) as file:
        file.write(b"".join(pieces))
    with file_errors(prefix + INDEX), replacing(prefix + INDEX) as file:
        file.write(_table_of(entries))


def _dtype_name(array: Array) -> str:
    return "string" if array.dtype.kind in "OSU" else array.dtype.name


def _bytes_of(array: Array) -> tuple[bytes, bytes]:
    """The bytes of a value, and those that its checksum is of."""
    if array.dtype.kind not in "OSU":
        data = array.astype(array.dtype.newbyteorder("<")).tobytes()
        return data, data
    strings = [s.encode() if isinstance(s, str) else bytes(s) for s in array.reshape(-1).tolist()]
    sizes = b"".join([_length_bytes(len(text)) for text in strings])
    checksum = struct.pack("<I", _masked(crc32c(sizes)))
    lengths = b"".join([varint(len(text)) for text in strings])
    return b"".join([lengths, checksum, *strings]), b"".join([sizes, checksum, *strings])


def _table_of(entries: Mapping[bytes, bytes]) -> bytes:
    """A table of one block of entries, in the order of their keys."""
    table = bytearray()
    last = max(entries)
    places = [_add_block(table, entries), _add_block(table, {})]
    index = _add_block(table, {last: places[0]})
    footer = (places[1] + index).ljust(_FOOTER - 8, b"\0") + _MAGIC
    return bytes(table) + footer


def _add_block(table: bytearray, entries: Mapping[bytes, bytes]) -> bytes:
    """Add a block; return its place.  Each entry begins anew: none shares a key's beginning."""
    block, starts = bytearray(), []
    for key in sorted(entries):
        starts.append(len(block))
        value = entries[key]
        block += b"\0" + varint(len(key)) + varint(len(value)) + key + value
    starts = starts or [0]
    block += struct.pack(f"<{len(starts)}I", *starts) + struct.pack("<I", len(starts))
    place = varint(len(table)) + varint(len(block))
    table += block + b"\0" + struct.pack("<I", _masked(crc32c(bytes(block) + b"\0")))
    return place


def object_graph_of(paths: Mapping[str, str], aliases: Mapping[str, str]) -> bytes:
    """Return the message of the objects at paths ``a/b``; each has the value of that name.

    ``aliases`` are other paths, each with the one that it stands for.
    """
    graph = TrackableObjectGraph()
    graph.nodes.add()
    numbers = {"": 0}

    def number_of(path: str) -> int:
        if path not in numbers:
            parent, _, name = path.rpartition("/")
            holder = number_of(parent)
            numbers[path] = len(graph.nodes)
            graph.nodes.add()
            graph.nodes[holder].children.add(node_id=numbers[path], local_name=name)
        return numbers[path]

    for path in sorted(paths):
        graph.nodes[number_of(path)].attributes.add(
            name="VARIABLE_VALUE", full_name=paths[path], checkpoint_key=path + VALUE
        )
    for alias, path in sorted(aliases.items()):
        holder, _, name = alias.rpartition("/")
        if alias not in numbers and path in numbers:
            graph.nodes[number_of(holder)].children.add(node_id=numbers[path], local_name=name)
    return graph.SerializeToString()
