"""Identifiers: names, dicts, classes and callables that stand for an activation, a loss and so on.

Each public module with ``get``, ``serialize`` and ``deserialize`` makes them here.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from runtime.keras.names import snake_case
from runtime.keras.serialization import (
    deserialize_keras_object,
    get_registered_object,
    serialize_keras_object,
)


def resolve(identifier: Any, names: Mapping[str, Any], kind: str) -> Any:
    """Return what ``get`` of a module does: the object that a name, config or class means.

    None stays None, a callable itself; classes are called without arguments.  ValueError for
    anything else; it proposes the nearest of the names.
    """
    if identifier is None:
        return None
    resolved = identifier
    if isinstance(identifier, dict):
        resolved = deserialize_keras_object(identifier, module_objects=names)
    elif isinstance(identifier, str):
        resolved = get_registered_object(identifier, module_objects=names)
    if inspect.isclass(resolved):
        resolved = resolved()
    if callable(resolved) or resolved not in (None, identifier):
        return resolved
    text = f"Could not interpret {kind} identifier: {identifier}"
    close = difflib.get_close_matches(str(identifier), names, 1)
    raise ValueError(text + (f". Did you mean {close[0]!r}?" if close else ""))


def identified(kind: str, names: Mapping[str, Any]) -> tuple[Callable[..., Any], ...]:
    """Return ``deserialize``, ``get`` and ``serialize`` for objects of one kind, with names."""

    def deserialize(config: Any, custom_objects: Mapping[str, Any] | None = None) -> Any:
        return deserialize_keras_object(config, custom_objects, module_objects=names)

    def get(identifier: Any) -> Any:
        return resolve(identifier, names, kind)

    def serialize(obj: Any) -> Any:
        return serialize_keras_object(obj)

    deserialize.__doc__ = f"""Make the {kind} of a dict.

    Args:
        config: dict that ``serialize`` returned, or a name.
        custom_objects: classes and functions by name that are looked for, too.
    Returns:
        Instance of the class, or function.
    Raises:
        TypeError: nobody knows the class or function.
    """
    get.__doc__ = f"""Find the {kind} that an identifier means.

    Args:
        identifier: name, dict of ``serialize``, class, or what is called as it is; or None.
    Returns:
        Object that can be called; None for None.
    Raises:
        ValueError: there is no such {kind}.
    """
    serialize.__doc__ = f"""Describe the {kind} as a dict that JSON can hold.

    Args:
        obj: instance of a class with ``get_config``, or function.
    Returns:
        Dict that ``deserialize`` reads.
    Raises:
        ValueError: the function is a lambda.
        TypeError: the class has no ``get_config``.
    """
    return deserialize, get, serialize


def by_name(classes: tuple[type[Any], ...], **aliases: Any) -> dict[str, Any]:
    """Return the names of classes, as they are and with underscores, and of other objects."""
    table = {kind.__name__: kind for kind in classes}
    return {**{snake_case(name): kind for name, kind in table.items()}, **table, **aliases}
