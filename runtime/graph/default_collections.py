"""Collections of the default graph: TensorFlow 1's flat functions over ``Graph``'s methods."""

from __future__ import annotations

from typing import Any

from runtime.graph.default_graph import get_default_graph

__all__ = ["add_to_collection", "add_to_collections", "get_collection", "get_collection_ref"]


def add_to_collection(name: Any, value: Any) -> None:
    """Append a value to a collection of the default graph.

    Args:
        name: key of the collection, such as one of ``GraphKeys``.
        value: any value.
    Returns:
        None.
    """
    get_default_graph().add_to_collection(name, value)


def add_to_collections(names: Any, value: Any) -> None:
    """Append a value to several collections of the default graph.

    Args:
        names: keys of the collections.
        value: any value.
    Returns:
        None.
    """
    get_default_graph().add_to_collections(names, value)


def get_collection(key: Any, scope: str | None = None) -> list[Any]:
    """Return a copy of a collection of the default graph.

    Args:
        key: key of the collection.
        scope: regular expression that the beginning of an item's name must match.
    Returns:
        List of values.
    """
    return get_default_graph().get_collection(key, scope)


def get_collection_ref(key: Any) -> list[Any]:
    """Return a collection of the default graph itself.

    Args:
        key: key of the collection.
    Returns:
        List of values; changing it changes the collection.
    """
    return get_default_graph().get_collection_ref(key)
