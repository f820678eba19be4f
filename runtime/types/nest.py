"""TensorFlow's functions over nests: flatten, pack, map, compare.

treedef.py defines which values are structure, and flattens them.  Sessions take and return nests,
control flow carries them, functions are called with them.  The entries of dicts are ordered by
their sorted keys, as in TensorFlow; None is a leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from runtime.types import treedef
from runtime.types.node_types import NODE_TYPES, NodeType

__all__ = [
    "assert_same_structure", "flatten", "is_nested", "map_structure", "pack_sequence_as",
]  # fmt: skip


def is_nested(structure: Any) -> bool:
    """Return whether a value is a structure, as opposed to a leaf.

    Args:
        structure: value.
    Returns:
        True or False.
    """
    kind = NODE_TYPES[type(structure)]
    return kind is not None and not kind.opaque


def is_composite(value: Any) -> bool:
    """Return whether the value is a composite tensor, which flattens to its tensors."""
    kind = NODE_TYPES[type(value)]
    return kind is not None and kind.composite and not kind.opaque


def _node(structure: Any) -> NodeType:
    kind = NODE_TYPES[type(structure)]
    if kind is None:
        raise TypeError(f"a nest is needed, got {structure!r}")
    return kind


def entries(structure: Any) -> list[tuple[Any, Any]]:
    """Return the direct entries of a structure in order, each with its key, index or field."""
    kind = _node(structure)
    children, data, _ = kind.flatten(structure)
    return list(zip(kind.keys(data, len(children)), children, strict=True))


def rebuild(like: Any, values: Sequence[Any]) -> Any:
    """Make a structure of the same type and keys as ``like`` from these direct entries."""
    kind = _node(like)
    _, data, metadata = kind.flatten(like)
    return kind.unflatten(data, metadata, values)


def part_at(structure: Any, path: Iterable[Any]) -> Any:
    """Return the part of a nest at a path of keys."""
    for key in path:
        structure = dict(entries(structure))[key]
    return structure


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """List the leaves of a nest in order.

    Args:
        structure: nest or leaf.
        expand_composites: whether composite tensors are taken apart into their tensors.
    Returns:
        List of leaves; of a leaf, a list of it.
    """
    return treedef.flatten(structure, None, expand_composites)[0]


def flatten_with_paths(structure: Any) -> list[tuple[tuple[Any, ...], Any]]:
    """Return the leaves of a nest, each with its path of keys."""
    leaves, layout = treedef.flatten(structure)
    return list(zip(layout.paths(), leaves, strict=True))


def pack_sequence_as(
    structure: Any, flat_sequence: Iterable[Any], expand_composites: bool = False
) -> Any:
    """Make a nest of a structure from leaves.

    Args:
        structure: nest or leaf.
        flat_sequence: leaves, in order.
        expand_composites: whether composite tensors are taken apart into their tensors.
    Returns:
        Nest in that structure with the given leaves.
    Raises:
        ValueError: there are more or fewer leaves than in ``structure``.
    """
    flat = list(flat_sequence)
    leaves, layout = treedef.flatten(structure, None, expand_composites)
    if len(leaves) == len(flat):
        return layout.unflatten(flat)
    if not is_nested(structure):
        raise ValueError(f"The structure is a single value, but {len(flat)} values were given")
    raise ValueError(
        f"Could not pack sequence. Structure had {len(leaves)} elements, but flat_sequence had "
        f"{len(flat)} elements. Structure: {structure}, flat_sequence: {flat}."
    )


def _kind(structure: Any) -> type:
    """Return the class to compare: one for all mappings, as in TensorFlow."""
    return dict if isinstance(structure, Mapping) else type(structure)


def _compare(first: Any, second: Any, check_types: bool, path: str) -> list[tuple[Any, Any, str]]:
    """Return the pairs of entries of two parts, and their paths.

    ValueError or TypeError when the structures differ.
    """
    where = f" at {path}" if path else ""
    if is_nested(first) != is_nested(second):
        raise ValueError(
            f"The two structures don't have the same nested structure{where}: "
            f"{first!r} against {second!r}"
        )
    if not is_nested(first):
        return []
    # classes of staged lists are no list, but equal it
    if check_types and _kind(first) != _kind(second):
        raise TypeError(
            f"The two structures don't have the same sequence type{where}: "
            f"{type(first).__name__} against {type(second).__name__}"
        )
    ours, theirs = entries(first), entries(second)
    keys, other_keys = [k for k, _ in ours], [k for k, _ in theirs]
    if (keys != other_keys) if check_types else (len(keys) != len(other_keys)):
        raise ValueError(
            f"The two structures don't have the same keys or number of elements{where}: "
            f"{keys} against {other_keys}"
        )
    pairs = zip(ours, theirs, strict=True)
    return [(a, b, f"{path}[{key!r}]") for (key, a), (_, b) in pairs]


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Check that two nests have the same structure.

    Args:
        nest1: nest.
        nest2: nest.
        check_types: whether classes of tuples, lists and dicts must be the same.
        expand_composites: whether composite tensors are taken apart into their tensors.
    Returns:
        None.
    Raises:
        ValueError: the structures differ; the text names the path.
        TypeError: the classes differ.
    """
    if treedef.flatten(nest1)[1].skeleton == treedef.flatten(nest2)[1].skeleton:
        return
    todo = [(nest1, nest2, "")]
    while todo:
        first, second, path = todo.pop()
        todo += reversed(_compare(first, second, check_types, path))


def map_structure(
    func: Callable[..., Any], *structure: Any, check_types: bool = True,
    expand_composites: bool = False,
) -> Any:
    """Apply a function to the corresponding leaves of nests.

    Args:
        func: function of as many arguments as there are nests.
        structure: nests of the same structure.
        check_types: whether classes of tuples, lists and dicts must be the same.
        expand_composites: whether composite tensors are taken apart into their tensors.
    Returns:
        Nest in the structure of the first one.
    Raises:
        TypeError: ``func`` is not callable, or the classes differ.
        ValueError: the structures differ, or there is none.
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func!r}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    for nest in structure[1:]:
        assert_same_structure(structure[0], nest, check_types=check_types)
    leaves, layout = treedef.flatten(structure[0], None, expand_composites)
    columns = [leaves, *[flatten(nest, expand_composites) for nest in structure[1:]]]
    return layout.unflatten([func(*group) for group in zip(*columns, strict=True)])


def __dir__() -> list[str]:
    return __all__
