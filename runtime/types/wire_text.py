"""Text format of messages: what ``print(message)`` shows.

Source: https://protobuf.dev/reference/protobuf/textformat-spec.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runtime.types.wire_values import float_text

_ESCAPES = {ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t", ord('"'): '\\"',
            ord("'"): "\\'", ord("\\"): "\\\\"}  # fmt: skip


def message_text(message: Any) -> str:
    """Return a message as text, a field a line."""
    return "".join([f"{line}\n" for line in _lines(message)])


def _lines(message: Any) -> Iterator[str]:
    for name in message._set_names():
        field, value = message._fields[name], getattr(message, name)
        if field.key:
            for key in sorted(value):
                yield f"{name} {{"
                yield f"  key: {_scalar(key, field.key)}"
                yield from _indented(_value_lines("value", value[key], field))
                yield "}"
            continue
        for item in value if field.repeated else [value]:
            yield from _value_lines(name, item, field)


def _value_lines(name: str, value: Any, field: Any) -> Iterator[str]:
    if not field.is_message:
        yield f"{name}: {_scalar(value, field.kind)}"
        return
    yield f"{name} {{"
    yield from _indented(_lines(value))
    yield "}"


def _indented(lines: Iterator[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def _scalar(value: Any, kind: str) -> str:
    if kind in ("bytes", "string"):
        octets = value.encode() if isinstance(value, str) else value
        is_text = kind == "string"
        return '"' + "".join([_escaped(octet, is_text) for octet in octets]) + '"'
    if kind == "bool":
        return str(value).lower()
    return float_text(value, kind == "float") if kind in ("float", "double") else str(value)


def _escaped(octet: int, is_text: bool) -> str:
    if octet in _ESCAPES:
        return _ESCAPES[octet]
    return chr(octet) if 32 <= octet < 127 else f"\\{octet:03o}"
