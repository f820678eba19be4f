"""Messages with numbered fields, in protocol buffers' wire format and with protobuf's methods.

A class names its fields: ``_fields = fields(value=WireField(1, "int64", repeated=True))``.
Records of examples (data/formats/example.py) and TensorFlow's files are such messages;
wire_values.py holds what repeated fields and maps are.  Fields that a class does not name are kept.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, ClassVar

from autograph.named_tuples import NamedTuple
from runtime.types import wire_format as wire
from runtime.types.errors import DataLossError
from runtime.types.wire_text import message_text
from runtime.types.wire_values import NUMBERS, MessageMap, Repeated, ScalarMap, checked

_FORMATS = {"float": "<f", "double": "<d", "fixed32": "<I", "fixed64": "<Q"}


class WireField(NamedTuple):
    """Field of a message.

    number    its number in the wire format
    kind      int64, int32, uint64, bool, float, double, fixed32, fixed64, bytes, string; or the
              class of the message
    repeated  whether it is a list
    oneof     name of the group of which one field at most is set
    key       kind of the keys, where the field is a map
    """

    number: int
    kind: Any
    repeated: bool = False
    oneof: str = ""
    key: str = ""

    @property
    def is_message(self) -> bool:
        """Whether the field, or each item of it, is a message."""
        return not isinstance(self.kind, str)

    @property
    def has_presence(self) -> bool:
        """Whether the message tells a field that is not set from one that is 0 or empty."""
        return not self.repeated and not self.key and (self.is_message or bool(self.oneof))


def fields(**by_name: WireField) -> dict[str, WireField]:
    """Return the fields of a message by name."""
    return by_name


class WireMessage:
    """Message; its class names the fields.  ValueError for unknown ones in the constructor."""

    _fields: ClassVar[dict[str, WireField]] = {}

    def __init__(self, **values: Any) -> None:
        state = self.__dict__
        state["_values"], state["_present"] = {}, set()
        state["_unknown"], state["_changed"] = b"", None
        for name, value in values.items():
            if name not in self._fields:
                raise ValueError(f"Protocol message {type(self).__name__} has no {name!r} field.")
            if value is not None:
                self._fill(name, value)

    def _fill(self, name: str, value: Any) -> None:
        """Set a field of a new message, of which repeated ones and messages are copied."""
        field = self._fields[name]
        if field.key:
            items = getattr(self, name)
            for key, item in value.items():
                if field.is_message:
                    items[key].CopyFrom(item)
                else:
                    items[key] = item
        elif field.repeated:
            getattr(self, name).extend(value)
        elif field.is_message:
            message = field.kind(**value) if isinstance(value, dict) else value
            getattr(self, name).CopyFrom(message)
        else:
            setattr(self, name, value)

    # -- fields -----------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        field = self._fields.get(name)
        if field is None:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}")
        if name in self._values:
            return self._values[name]
        if not (field.key or field.repeated or field.is_message):
            return NUMBERS[field.kind].default
        value = self._values[name] = self._empty(name, field)
        return value

    def _empty(self, name: str, field: WireField) -> Any:
        def changed() -> None:
            self._set(name)

        if field.key:
            return (MessageMap if field.is_message else ScalarMap)(field.key, field.kind, changed)
        if field.repeated:
            return Repeated(field.kind, changed)
        message = field.kind()
        message.__dict__["_changed"] = changed
        return message

    def __setattr__(self, name: str, value: Any) -> None:
        field = self._fields.get(name)
        if field is None or field.key or field.repeated or field.is_message:
            what = "no such field" if field is None else "a repeated field, map or message"
            raise AttributeError(
                f"Assignment not allowed to {name!r} in protocol message object "
                f"{type(self).__name__}: it is {what}; fields of messages are set one by one, "
                "lists are extended"
            )
        self._values[name] = checked(value, field.kind)
        self._set(name)

    def _set(self, name: str) -> None:
        """Take note that a field is set, and no other one of its group."""
        group = self._fields[name].oneof
        if group and name not in self._present:
            for sibling, field in self._fields.items():
                if field.oneof == group and sibling != name:
                    self.ClearField(sibling)
        self._present.add(name)
        if self._changed is not None:
            self._changed()

    def ClearField(self, field_name: str) -> None:
        """Reset a field; ValueError for an unknown one."""
        self._field(field_name)
        self._values.pop(field_name, None)
        self._present.discard(field_name)

    def HasField(self, field_name: str) -> bool:
        """Return whether a message, or a field of a group, is set; ValueError for other fields."""
        if not self._field(field_name).has_presence:
            raise ValueError(
                f"Protocol message {type(self).__name__}: field {field_name!r} has no presence"
            )
        return field_name in self._present

    def WhichOneof(self, oneof_group: str) -> str | None:
        """Return the name of the field of a group that is set; ValueError for an unknown group."""
        names = [name for name, field in self._fields.items() if field.oneof == oneof_group]
        if not names:
            raise ValueError(
                f"Protocol message {type(self).__name__} has no oneof {oneof_group!r} field."
            )
        return next((name for name in names if name in self._present), None)

    def _field(self, name: str) -> WireField:
        if name not in self._fields:
            raise ValueError(f"Protocol message {type(self).__name__} has no field {name!r}.")
        return self._fields[name]

    def ListFields(self) -> list[tuple[WireField, Any]]:
        """Return the fields that are set, in the order of their numbers, with their values."""
        return [(self._fields[name], self._values[name]) for name in self._set_names()]

    def _set_names(self) -> Iterator[str]:
        for name, field in sorted(self._fields.items(), key=lambda item: item[1].number):
            if name in self._present and (field.has_presence or self._values[name]):
                yield name

    # -- bytes ------------------------------------------------------------------------------------

    def SerializeToString(self, deterministic: bool = True) -> bytes:
        """Return the message as bytes; the entries of maps in the order of their keys."""
        encoded = [
            _encode(self._fields[name], self._values[name]) for name in self._set_names()
        ]
        return b"".join([*encoded, self._unknown])

    def ByteSize(self) -> int:
        """Return the number of bytes of the message."""
        return len(self.SerializeToString())

    @classmethod
    def FromString(cls, data: bytes) -> Any:
        """Read a message; DataLossError when the bytes are none."""
        message = cls()
        message.MergeFromString(data)
        return message

    def ParseFromString(self, data: bytes) -> int:
        """Become the message that the bytes hold; return their number."""
        self.Clear()
        return self.MergeFromString(data)

    def MergeFromString(self, data: bytes) -> int:
        """Add the fields of a message in bytes; return the number of bytes."""
        names = {field.number: name for name, field in self._fields.items()}
        for number, kind, value in wire.read_fields(bytes(data)):
            name = names.get(number)
            if name is None or not self._decode(name, kind, value):
                payload = wire.varint(value) if kind == wire.VARINT else value
                length = wire.varint(len(value)) if kind == wire.BYTES else b""
                self.__dict__["_unknown"] += wire.varint(number << 3 | kind) + length + payload
        return len(data)

    def _decode(self, name: str, kind: int, value: Any) -> bool:
        """Add a field in bytes; whether its kind is the field's."""
        field = self._fields[name]
        if field.is_message or field.kind in ("bytes", "string") or field.key:
            if kind != wire.BYTES:
                return False
            if field.key:
                _decode_entry(field, getattr(self, name), value)
            elif field.is_message and field.repeated:
                getattr(self, name).append(field.kind.FromString(value))
            elif field.is_message:
                getattr(self, name).MergeFromString(value)
                self._set(name)
            else:
                self._put(name, field, [_decode_scalar(field.kind, value)])
            return True
        if kind == wire.BYTES:
            self._put(name, field, unpacked(field.kind, value))
            return True
        if (kind == wire.VARINT) == (field.kind in _FORMATS):
            return False
        self._put(name, field, [_decode_scalar(field.kind, value)])
        return True

    def _put(self, name: str, field: WireField, values: list[Any]) -> None:
        if field.repeated:
            getattr(self, name).put(values)
        elif values:
            self._values[name] = values[-1]
            self._set(name)

    # -- whole messages ---------------------------------------------------------------------------

    def Clear(self) -> None:
        """Reset all fields."""
        self._values.clear()
        self._present.clear()
        self.__dict__["_unknown"] = b""

    def CopyFrom(self, other_msg: Any) -> None:
        """Become a copy of another message of the same class; TypeError for others."""
        if other_msg is not self:
            self.Clear()
            self.MergeFrom(other_msg)

    def MergeFrom(self, other_msg: Any) -> None:
        """Add the fields of another message of the same class; TypeError for others."""
        if type(other_msg) is not type(self):
            raise TypeError(
                f"Parameter to MergeFrom() must be instance of same class: expected "
                f"{type(self).__name__} got {type(other_msg).__name__}."
            )
        self.MergeFromString(other_msg.SerializeToString())
        self.SetInParent()

    def SetInParent(self) -> None:
        """Set the field of the message that this one is in."""
        if self._changed is not None:
            self._changed()

    def __deepcopy__(self, memo: Any) -> Any:
        return type(self).FromString(self.SerializeToString())

    def __reduce__(self) -> Any:
        return type(self).FromString, (self.SerializeToString(),)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and (
            other.SerializeToString() == self.SerializeToString()
        )

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return message_text(self)

    __repr__ = __str__


def _encode(field: WireField, value: Any) -> bytes:
    number, kind = field.number, field.kind
    if field.key:
        entry = WireField(2, kind, oneof="value")
        return b"".join([
            wire.nested(number, _scalar(1, field.key, key) + _encode(entry, value[key]))
            for key in sorted(value)
        ])  # fmt: skip
    if field.is_message:
        items = value if field.repeated else [value]
        return b"".join([wire.nested(number, item.SerializeToString()) for item in items])
    if not field.repeated:
        return _scalar(number, kind, value)
    if kind in ("bytes", "string"):
        return b"".join([_scalar(number, kind, item) for item in value])
    if kind in _FORMATS:
        code = _FORMATS[kind][-1]
        return wire.nested(number, struct.pack(f"<{len(value)}{code}", *value))
    return wire.packed_varints(number, value)


def _scalar(number: int, kind: str, value: Any) -> bytes:
    if kind in _FORMATS:
        data = struct.pack(_FORMATS[kind], value)
        return wire.varint(number << 3 | (wire.FIXED32 if len(data) == 4 else wire.FIXED64)) + data
    if kind in ("bytes", "string"):
        return wire.nested(number, value if kind == "bytes" else value.encode())
    return wire.whole_number(number, value)


def _decode_scalar(kind: str, value: Any) -> Any:
    if kind == "bytes":
        return bytes(value)
    if kind == "string":
        try:
            return bytes(value).decode()
        except UnicodeDecodeError as error:
            raise DataLossError(f"no message: a text is not in UTF-8: {error}") from None
    if kind in _FORMATS:
        if len(value) != struct.calcsize(_FORMATS[kind]):
            raise DataLossError(f"no message: a {kind} of {len(value)} bytes")
        return struct.unpack(_FORMATS[kind], value)[0]
    return _number(kind, value)


def _number(kind: str, value: int) -> int | bool:
    if kind == "bool":
        return bool(value)
    if kind == "int32":  # TensorFlow 1 wrote negative ones with 64 bits
        value = wire.signed(value) & 0xFFFFFFFF
        return value - (1 << 32) if value >> 31 else value
    return value if kind == "uint64" else wire.signed(value)


def unpacked(kind: str, data: bytes) -> list[Any]:
    """Return the numbers of a field whose bytes hold them one behind the other."""
    if kind in _FORMATS:
        size = struct.calcsize(_FORMATS[kind])
        if len(data) % size:
            raise DataLossError(f"no message: {len(data)} bytes are no list of {kind}")
        return list(struct.unpack(f"<{len(data) // size}{_FORMATS[kind][-1]}", data))
    values = wire.read_varints(data).tolist()
    return values if kind == "int64" else [_number(kind, v & (1 << 64) - 1) for v in values]


def _decode_entry(field: WireField, entries: Any, data: bytes) -> None:
    """Add an entry of a map: a message of a key and a value."""
    key: Any = NUMBERS[field.key].default
    value: Any = b"" if field.is_message else NUMBERS[field.kind].default
    for number, _, payload in wire.read_fields(data):
        if number == 1:
            key = _decode_scalar(field.key, payload)
        elif number == 2:
            value = payload if field.is_message else _decode_scalar(field.kind, payload)
    if field.is_message:
        entries.put(key, field.kind.FromString(value))
    else:
        entries[key] = value


