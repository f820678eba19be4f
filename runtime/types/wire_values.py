"""What repeated fields and maps of messages are (wire_message.py): lists and dicts that check."""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable, Iterable, Iterator, MutableMapping, MutableSequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple


class ScalarKind(NamedTuple):
    """Kind of a field that is no message: its default and, for ints, the limits."""

    default: Any
    low: int = 0
    high: int = 0


NUMBERS = {
    "int64": ScalarKind(0, -(1 << 63), (1 << 63) - 1),
    "int32": ScalarKind(0, -(1 << 31), (1 << 31) - 1),
    "uint64": ScalarKind(0, 0, (1 << 64) - 1),
    "fixed64": ScalarKind(0, 0, (1 << 64) - 1),
    "fixed32": ScalarKind(0, 0, (1 << 32) - 1),
    "bool": ScalarKind(False), "float": ScalarKind(0.0), "double": ScalarKind(0.0),
    "bytes": ScalarKind(b""), "string": ScalarKind(""),
}  # fmt: skip


def checked(value: Any, kind: str) -> Any:
    """Return a value as a field of this kind holds it.

    TypeError for another type, ValueError for an int that has too many bits.
    """
    if kind in ("bytes", "string"):
        if isinstance(value, str):
            if kind == "string":
                return value
        elif isinstance(value, bytes):
            return value if kind == "bytes" else value.decode()
        raise TypeError(f"{value!r} has type {type(value).__name__}, but expected one of: {kind}")
    if kind in ("float", "double"):
        if isinstance(value, str | bytes) or not hasattr(value, "__float__"):
            raise _wrong_type(value, "int, float")
        if kind == "double":
            return float(value)
        with np.errstate(over="ignore"):
            return float(np.float32(float(value)))
    if isinstance(value, bool | np.bool):
        return bool(value) if kind == "bool" else int(value)
    try:
        number = operator.index(value)
    except TypeError:
        raise _wrong_type(value, "int") from None
    limits = NUMBERS[kind]
    if kind != "bool" and not limits.low <= number <= limits.high:
        raise ValueError(f"Value out of range: {number}")
    return bool(number) if kind == "bool" else number


def _wrong_type(value: Any, expected: str) -> TypeError:
    return TypeError(f"{value!r} has type {type(value).__name__}, but expected one of: {expected}")


class Repeated(MutableSequence[Any]):
    """List of a message: of values of one kind, or of messages of one class."""

    def __init__(self, kind: Any, changed: Callable[[], None]) -> None:
        self._kind, self._changed = kind, changed
        self._items: list[Any] = []

    def _checked(self, values: Iterable[Any]) -> list[Any]:
        kind = self._kind
        if not isinstance(kind, str):
            return [_copy(value, kind) for value in values]
        if kind == "float" and isinstance(values, np.ndarray) and values.dtype == np.float32:
            return values.reshape(-1).tolist() if values.ndim == 1 else list(values)
        return [checked(value, kind) for value in values]

    def put(self, values: list[Any]) -> None:
        """Add values that are of the kind."""
        self._items += values
        self._changed()

    def insert(self, index: int, value: Any) -> None:
        """Insert a value before a position."""
        self._items[index:index] = self._checked([value])
        self._changed()

    def append(self, value: Any) -> None:
        """Add a value at the end; TypeError for one of another kind."""
        if isinstance(self._kind, str):
            self.put(self._checked([value]))
        else:
            self.put([value])

    def extend(self, values: Iterable[Any]) -> None:
        """Add values at the end; TypeError for those of another kind."""
        self.put(self._checked(values))

    def add(self, **fields: Any) -> Any:
        """Add a new message and return it."""
        message = self._kind(**fields)
        self.put([message])
        return message

    def __getitem__(self, index: Any) -> Any:
        return self._items[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        values = self._checked(value if isinstance(index, slice) else [value])
        self._items[index] = values if isinstance(index, slice) else values[0]
        self._changed()

    def __delitem__(self, index: Any) -> None:
        del self._items[index]
        self._changed()

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Repeated):
            return self._items == other._items
        return self._items == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._items)


def _copy(value: Any, kind: Any) -> Any:
    message = kind()
    message.CopyFrom(value)
    return message


class ScalarMap(MutableMapping[Any, Any]):
    """Map of a message whose values are of one kind; reading a key that is not there adds it."""

    def __init__(self, key_kind: str, kind: Any, changed: Callable[[], None]) -> None:
        self._key_kind, self._kind, self._changed = key_kind, kind, changed
        self._entries: dict[Any, Any] = {}

    def _new(self) -> Any:
        return NUMBERS[self._kind].default

    def __getitem__(self, key: Any) -> Any:
        key = checked(key, self._key_kind)
        if key not in self._entries:
            self._entries[key] = self._new()
            self._changed()
        return self._entries[key]

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the value of a key, or a default."""
        return self._entries.get(key, default)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.put(checked(key, self._key_kind), checked(value, self._kind))

    def put(self, key: Any, value: Any) -> None:
        """Set a value that is of the kind."""
        self._entries[key] = value
        self._changed()

    def __delitem__(self, key: Any) -> None:
        del self._entries[key]

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def __iter__(self) -> Iterator[Any]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return repr(self._entries)


class MessageMap(ScalarMap):
    """Map of a message whose values are messages; reading a key that is not there makes one."""

    def _new(self) -> Any:
        return self._kind()

    def get_or_create(self, key: Any) -> Any:
        """Return the message of a key; a new one, which is added, if there is none."""
        return self[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        raise ValueError("Direct assignment of submessage not allowed: use [key].CopyFrom(message)")


def float_text(value: float, single: bool) -> str:
    """Return a text of a float that reads as the same float32, or float64, as protobuf writes it.
    """
    fewest, most = (6, 9) if single else (15, 17)
    text = f"{value:.{fewest}g}"
    same = _single(float(text)) == _single(value) if single else float(text) == value
    return text if same or value != value else f"{value:.{most}g}"


def _single(value: float) -> float:
    try:
        rounded: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return rounded
