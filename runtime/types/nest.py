"""TensorFlow's functions over nested values: flatten, pack, map, compare.

treedef.py says which values are structure and takes them apart.  Sessions take and return nests,
control flow carries them, functions are called with them.  Dicts are walked in the order of their
sorted keys, as in TensorFlow; None is a leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from autograph.staging import kind_of
from runtime.types import treedef
from runtime.types.node_types import NODE_TYPES, NodeType

__all__ = [
    "assert_same_structure", "flatten", "is_nested", "map_structure", "pack_sequence_as",
]  # fmt: skip


def is_nested(structure: Any) -> bool:
    """Whether the value is a structure, as opposed to a leaf."""
    kind = NODE_TYPES[type(structure)]
    return kind is not None and not kind.opaque


def is_composite(value: Any) -> bool:
    """Whether the value's class takes it apart itself: ``__tf_flatten__``, ``__tf_unflatten__``."""
    kind = NODE_TYPES[type(value)]
    return kind is not None and kind.composite and not kind.opaque


def _node(structure: Any) -> NodeType:
    kind = NODE_TYPES[type(structure)]
    if kind is None:
        raise TypeError(f"a nest is needed, got {structure!r}")
    return kind


def entries(structure: Any) -> list[tuple[Any, Any]]:
    """The structure's direct entries in nest order, each with its key, index or field name."""
    kind = _node(structure)
    children, data, _ = kind.flatten(structure)
    return list(zip(kind.keys(data, len(children)), children, strict=True))


def rebuild(like: Any, values: Sequence[Any]) -> Any:
    """A structure of the same type and keys as ``like``, with these direct entries."""
    kind = _node(like)
    _, data, metadata = kind.flatten(like)
    return kind.unflatten(data, metadata, values)


def part_at(structure: Any, path: Iterable[Any]) -> Any:
    """The part of a nest that a path leads to."""
    for key in path:
        structure = dict(entries(structure))[key]
    return structure


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """The leaves of a nest in order; a leaf alone gives a list of one."""
    return treedef.flatten(structure, None, expand_composites)[0]


def flatten_with_paths(structure: Any) -> list[tuple[tuple[Any, ...], Any]]:
    """The leaves, each with the keys that lead to it."""
    leaves, layout = treedef.flatten(structure)
    return list(zip(layout.paths(), leaves, strict=True))


def pack_sequence_as(
    structure: Any, flat_sequence: Iterable[Any], expand_composites: bool = False
) -> Any:
    """The leaves ``flat_sequence`` in the shape of ``structure``.

    ValueError when their number differs from the structure's leaves.
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
    """Mappings are alike whatever their class, as in TensorFlow."""
    return dict if isinstance(structure, Mapping) else kind_of(structure)


def _compare(left: Any, right: Any, check_types: bool, path: str) -> list[tuple[Any, Any, str]]:
    """The pairs of entries of two parts, and their place; ValueError or TypeError if they differ.
    """
    where = f" at {path}" if path else ""
    if is_nested(left) != is_nested(right):
        raise ValueError(
            f"The two structures don't have the same nested structure{where}: "
            f"{left!r} against {right!r}"
        )
    if not is_nested(left):
        return []
    if check_types and _kind(left) is not _kind(right):
        raise TypeError(
            f"The two structures don't have the same sequence type{where}: "
            f"{type(left).__name__} against {type(right).__name__}"
        )
    ours, theirs = entries(left), entries(right)
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
    """ValueError or TypeError, naming the place, unless both have one structure."""
    if treedef.flatten(nest1)[1].skeleton == treedef.flatten(nest2)[1].skeleton:
        return
    todo = [(nest1, nest2, "")]
    while todo:
        left, right, path = todo.pop()
        todo += reversed(_compare(left, right, check_types, path))


def map_structure(
    func: Callable[..., Any], *structure: Any, check_types: bool = True,
    expand_composites: bool = False, **kwargs: Any,
) -> Any:
    """``func`` of the corresponding leaves of all structures, in the shape of the first."""
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func!r}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types=check_types)
    leaves, layout = treedef.flatten(structure[0], None, expand_composites)
    columns = [leaves, *[flatten(other, expand_composites) for other in structure[1:]]]
    return layout.unflatten([func(*group) for group in zip(*columns, strict=True)])


def __dir__() -> list[str]:
    return __all__
