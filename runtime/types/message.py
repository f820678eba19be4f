"""Messages: plain objects with named fields, in place of TensorFlow 1's protocol buffers.

session_config.py and graph_def.py define their fields.
"""

from __future__ import annotations

import copy
from typing import Any, ClassVar


class Message:
    """Object of fields with defaults; unknown fields raise ValueError, or AttributeError later."""

    _defaults: ClassVar[dict[str, Any]] = {}

    def __init__(self, **fields: Any) -> None:
        for name in fields.keys() - self._defaults.keys():
            raise ValueError(f"Protocol message {type(self).__name__} has no {name!r} field.")
        for name, default in self._defaults.items():
            argument = fields.get(name)
            value = copy.deepcopy(default) if argument is None else argument
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._defaults:
            raise AttributeError(
                f"Assignment not allowed (no field {name!r} in protocol message object "
                f"{type(self).__name__})."
            )
        object.__setattr__(self, name, value)

    def HasField(self, field_name: str) -> bool:
        """Return whether a field differs from its default; ValueError for an unknown one."""
        if field_name not in self._defaults:
            raise ValueError(
                f"Protocol message {type(self).__name__} has no field {field_name!r}."
            )
        return bool(getattr(self, field_name) != self._defaults[field_name])

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        changed = [
            f"{name}={value!r}" for name, value in vars(self).items()
            if value != self._defaults[name]
        ]  # fmt: skip
        return f"{type(self).__name__}({', '.join(changed)})"
