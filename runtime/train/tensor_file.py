"""Files of tensors in the format of safetensors, which other libraries read and write, too.

A file is eight bytes with the length of a header, the header, JSON that says each tensor's dtype,
shape and place, and the elements.  Nothing in it is code.  Ours also hold a checksum of the
elements.  Source: https://huggingface.co/docs/safetensors, "Format".
"""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO

import numpy as np

from runtime.types.atomic_files import file_errors, replacing
from runtime.types.errors import DataLossError, InvalidArgumentError

_LETTERS = {
    "bool": "BOOL", "int8": "I8", "uint8": "U8", "int16": "I16", "uint16": "U16", "float16": "F16",
    "bfloat16": "BF16", "int32": "I32", "uint32": "U32", "float32": "F32", "int64": "I64",
    "uint64": "U64", "float64": "F64", "complex64": "C64",
}  # fmt: skip
_NAMES = {letter: name for name, letter in _LETTERS.items()}
_CHECKSUM = "runtime:crc32"
_STRINGS = "runtime:strings"
_COMPLEX = "runtime:complex128"
_MOST_HEADER = 100 * 2**20
_PIECE = 2**18

Metadata = dict[str, str]


def write_tensors(path: str, tensors: Mapping[str, Any], metadata: Metadata | None = None) -> None:
    """Write arrays by name; the file takes the place of an older one when it is complete.

    Args:
        path: the file.
        tensors: NumPy arrays of numbers, bools, or, as objects, bytes.
        metadata: texts by name, kept in the header.

    Raises:
        OpError: the one that fits the error of the file system.
        InvalidArgumentError: for arrays of other types.
    """
    stored, notes = _stored(tensors, dict(metadata or {}))
    offset, header = 0, {}
    for name, array in stored.items():
        header[name] = {
            "dtype": _LETTERS[array.dtype.name], "shape": list(array.shape),
            "data_offsets": [offset, offset + array.nbytes],
        }  # fmt: skip
        offset += array.nbytes
    start = _checksum_of_header(notes, header)
    with file_errors(path), replacing(path, durable=True) as file:
        size = len(_head(notes, header, 2**32 - 1))
        is_seekable = file.seekable()  # the head is written when the checksum is known
        checksum = start if is_seekable else _checksum(stored.values(), start)
        file.write(bytes(size) if is_seekable else _head(notes, header, checksum, size))
        for array in stored.values():
            for piece in _pieces(array):
                checksum = zlib.crc32(piece, checksum) if is_seekable else checksum
                file.write(piece)
        if is_seekable:
            file.seek(0)
            file.write(_head(notes, header, checksum, size))


def _as_json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _head(notes: Metadata, header: dict[str, Any], checksum: int, size: int = 0) -> bytes:
    """Return what comes before the elements: in ``size`` bytes, or as many as it needs."""
    text = _as_json({"__metadata__": {**notes, _CHECKSUM: str(checksum)}, **header})
    text = text.ljust(size - 8)
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text


def _checksum_of_header(notes: Metadata, header: dict[str, Any]) -> int:
    """Return the checksum of all that a header says, but of the checksum itself."""
    texts = {name: text for name, text in notes.items() if name != _CHECKSUM}
    return zlib.crc32(_as_json([texts, header]))


def _checksum(arrays: Iterable[Any], start: int) -> int:
    """Return the checksum of elements that follow what has the checksum ``start``."""
    for array in arrays:
        for piece in _pieces(array):
            start = zlib.crc32(piece, start)
    return start


def _pieces(array: Any) -> Iterator[memoryview]:
    """Yield the bytes of an array in pieces, which stay in the cache while they are summed."""
    if array.size:
        view = memoryview(array.reshape(-1).view(np.uint8))
        yield from (view[first : first + _PIECE] for first in range(0, len(view), _PIECE))


def _stored(
    tensors: Mapping[str, Any], notes: Metadata
) -> tuple[dict[str, np.ndarray[Any, Any]], Metadata]:
    """Return arrays of types that the format has; the notes say which stood for others."""
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    texts: dict[str, list[int]] = {}
    for name, value in tensors.items():
        array = np.array(value, object) if isinstance(value, bytes) else np.asarray(value)
        if array.dtype.kind in "OS":
            items = [bytes(item) for item in array.reshape(-1).tolist()]
            texts[name] = [*array.shape]
            array = np.frombuffer(b"".join(items), np.uint8)
            arrays[f"{name}#lengths"] = np.array([len(item) for item in items], np.int64)
        elif array.dtype == np.complex128:
            notes[_COMPLEX] = f"{notes.get(_COMPLEX, '')}{json.dumps(name)}\n"
            array = np.array(array[..., None], order="C").view(np.float64)
        if array.dtype.name not in _LETTERS:
            raise InvalidArgumentError(f"{name!r}: elements of type {array.dtype} cannot be saved")
        arrays[name] = array.astype(array.dtype.newbyteorder("<"), order="C", copy=False)
    if texts:
        notes[_STRINGS] = json.dumps(texts)
    return arrays, notes


class TensorFile:
    """File of tensors, opened to read.

    The header is checked when the file is opened: each tensor has its place, and the file its
    length.  ``read_all`` compares the checksum, if the file has one.

    Raises:
        OpError: the one that fits the error of the file system.
        DataLossError: for a file that is cut, changed, or of another format.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        with file_errors(path), open(path, "rb") as file:
            self._start, header = self._header(file)
            size = file.seek(0, 2) - self._start
        notes = header.pop("__metadata__", {})
        if not isinstance(notes, dict) or not all(isinstance(v, str) for v in notes.values()):
            raise self._fault("its metadata are no texts")
        self.metadata: Metadata = notes
        self._table = header
        self._entries: dict[str, tuple[str, tuple[int, ...], int, int]] = {}
        for name, entry in header.items():
            self._entries[name] = self._entry(name, entry)
        end = 0
        for name, (_, _, first, last) in sorted(self._entries.items(), key=lambda e: e[1][2:]):
            if first != end:
                raise self._fault(f"the elements of {name!r} are not where the last ones end")
            end = last
        if end != size:
            raise self._fault(f"it holds {size} bytes of elements, its header says {end}")
        self._shapes = self._json(_STRINGS)
        self._complex = {json.loads(n) for n in notes.get(_COMPLEX, "").splitlines()}

    def _fault(self, what: str) -> DataLossError:
        return DataLossError(f"{self.path}; this is no complete file of tensors: {what}")

    def _json(self, note: str) -> dict[str, Any]:
        try:
            content = json.loads(self.metadata.get(note, "{}"))
        except ValueError:
            raise self._fault(f"the note {note!r} is not readable") from None
        if not isinstance(content, dict):
            raise self._fault(f"the note {note!r} is not readable")
        return content

    def _header(self, file: BinaryIO) -> tuple[int, dict[str, Any]]:
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= _MOST_HEADER:
            raise self._fault("it does not begin with the length of a header")
        text = file.read(length)
        if len(text) < length:
            raise self._fault("it ends in the header")
        try:
            header = json.loads(text, object_pairs_hook=_without_repetitions)
        except (ValueError, RecursionError):
            raise self._fault("its header is not readable") from None
        if not isinstance(header, dict):
            raise self._fault("its header is no table")
        return 8 + length, header

    def _entry(self, name: str, entry: Any) -> tuple[str, tuple[int, ...], int, int]:
        """Return dtype, shape and place of a tensor, as the header says them."""
        try:
            dtype, shape = _NAMES[entry["dtype"]], tuple(entry["shape"])
            first, end = entry["data_offsets"]
            plain = all(type(n) is int and 0 <= n < 2**60 for n in (*shape, first, end))
            size = np.dtype(_numpy_name(dtype)).itemsize
            for n in shape:
                size *= n
            good = plain and len(entry) == 3 and end - first == size
        except (KeyError, TypeError, ValueError):
            good = False
        if not good:
            raise self._fault(f"its header does not say what {name!r} is")
        return dtype, shape, first, end

    @property
    def has_checksum(self) -> bool:
        """Whether ``read_all`` can tell if the file holds what was written."""
        return _CHECKSUM in self.metadata

    @property
    def checksum(self) -> str:
        """Checksum of all that the file says, as it was written; empty where there is none."""
        return self.metadata.get(_CHECKSUM, "")

    @property
    def names(self) -> list[str]:
        """Names of the tensors."""
        return [n for n in self._entries if not self._is_of_strings(n)]

    def _is_of_strings(self, name: str) -> bool:
        return name.endswith("#lengths") and name.removesuffix("#lengths") in self._shapes

    def shape_and_dtype(self, name: str) -> tuple[tuple[int, ...], str]:
        """Return the shape and the name of the dtype of a tensor; KeyError if there is none."""
        dtype, shape, *_ = self._entries[name]
        if name in self._shapes:
            return tuple(self._shapes[name]), "string"
        return (shape[:-1], "complex128") if name in self._complex else (shape, dtype)

    def read(self, name: str) -> np.ndarray[Any, Any]:
        """Return a tensor; KeyError if there is none."""
        array = self._stored_array(name)
        if name in self._shapes:
            return self._strings(name, array)
        return array.view(np.complex128)[..., 0] if name in self._complex else array

    def _stored_array(self, name: str) -> np.ndarray[Any, Any]:
        with file_errors(self.path), open(self.path, "rb", buffering=0) as file:
            return self._array_of(file, name)[0]

    def _array_of(
        self, file: io.FileIO, name: str, start: int | None = None
    ) -> tuple[np.ndarray[Any, Any], int | None]:
        """Return an array of the open file, and the checksum of what has ``start`` and of it."""
        dtype, shape, first, _ = self._entries[name]
        array = np.empty(shape, _dtype(dtype))
        file.seek(self._start + first)
        for piece in _pieces(array):
            if file.readinto(piece) != len(piece):
                raise self._fault("it became shorter while it was read")
            start = None if start is None else zlib.crc32(piece, start)
        return array, start

    def _strings(self, name: str, data: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        try:
            lengths = self._stored_array(f"{name}#lengths")
            ends = np.cumsum(lengths).tolist()
            if lengths.min(initial=0) < 0 or (ends[-1] if ends else 0) != data.size:
                raise ValueError
            text, starts = data.tobytes(), [0, *ends[:-1]]
            texts = np.empty(len(ends), object)
            texts[:] = [text[first:end] for first, end in zip(starts, ends, strict=True)]
            return texts.reshape(self._shapes[name])
        except (KeyError, TypeError, ValueError):
            raise self._fault(f"the strings of {name!r} do not fit together") from None

    def read_all(self) -> dict[str, np.ndarray[Any, Any]]:
        """Return all tensors; DataLossError if they are not those that were written."""
        checksum = _checksum_of_header(self.metadata, self._table) if self.has_checksum else None
        stored = {}
        with file_errors(self.path), open(self.path, "rb", buffering=0) as file:
            for name in self._entries:
                stored[name], checksum = self._array_of(file, name, checksum)
        if checksum is not None and str(checksum) != self.checksum:
            raise self._fault("it does not hold what was written")
        return {
            name: self._strings(name, array) if name in self._shapes
            else array.view(np.complex128)[..., 0] if name in self._complex else array
            for name, array in stored.items() if not self._is_of_strings(name)
        }  # fmt: skip


def _without_repetitions(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise ValueError("a name stands twice")
    return entries


def _numpy_name(name: str) -> str:
    return "uint16" if name == "bfloat16" else name


def _dtype(name: str) -> np.dtype[Any]:
    """Return NumPy's dtype of a name; ModuleNotFoundError for bfloat16 without its library."""
    if name != "bfloat16":
        return np.dtype(name)
    from runtime.types.dtypes import as_dtype

    return np.dtype(as_dtype(name).as_numpy_dtype)
