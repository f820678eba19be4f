"""``runtime.keras.tree``: functions on nested values with Keras' names, by ``runtime.nest``."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

from runtime.types import nest
from runtime.types.nest import flatten as _flatten
from runtime.types.nest import is_nested as is_nested

__all__ = [
    "MAP_TO_NONE", "assert_same_paths", "assert_same_structure", "flatten", "flatten_with_path",
    "is_nested", "lists_to_tuples", "map_shape_structure", "map_structure", "map_structure_up_to",
    "pack_sequence_as", "traverse",
]  # fmt: skip


class MAP_TO_NONE:
    """What a function returns to ``traverse`` to put None in the place of a value."""


def flatten(structure: Any) -> list[Any]:
    """List the leaves of a nest in order; None is a leaf.

    Args:
        structure: nest or leaf.
    Returns:
        List of leaves; of a leaf, a list of it.
    """
    return _flatten(structure)


def flatten_with_path(structure: Any) -> list[tuple[tuple[Any, ...], Any]]:
    """List the leaves of a nest in order, each with its path.

    Args:
        structure: nest or leaf.
    Returns:
        List of pairs: a tuple of keys and indices, and a leaf.
    """
    if not is_nested(structure):
        return [((), structure)]
    return [
        ((_key(structure, index, key), *path), leaf)
        for index, (key, entry) in enumerate(nest.entries(structure))
        for path, leaf in flatten_with_path(entry)
    ]


def _key(structure: Any, index: int, key: Any) -> Any:
    """Return the key of an entry in a path: fields of named tuples are counted, as in Keras."""
    return index if isinstance(structure, tuple) else key


def pack_sequence_as(structure: Any, flat_sequence: Iterable[Any]) -> Any:
    """Make a nest of a structure from leaves.

    Args:
        structure: nest or leaf.
        flat_sequence: leaves, in order.
    Returns:
        Nest in that structure with the given leaves.
    Raises:
        ValueError: there are more or fewer leaves than in ``structure``.
    """
    return nest.pack_sequence_as(structure, flat_sequence)


def assert_same_structure(a: Any, b: Any, check_types: Any = None) -> None:
    """Check that two nests have the same structure; classes of mappings may differ.

    Args:
        a: nest.
        b: nest.
        check_types: without effect, as in Keras; a warning says so.
    Returns:
        None.
    Raises:
        ValueError: the structures or the classes differ.
    """
    if check_types is not None:
        text = "The `check_types` argument is deprecated and no longer has any effect"
        if not check_types:
            text += "; for a looser check, use keras.tree.assert_same_paths"
        warnings.warn(text, DeprecationWarning, stacklevel=2)
    try:
        nest.assert_same_structure(a, b)
    except TypeError as error:
        raise ValueError(str(error)) from error


def assert_same_paths(a: Any, b: Any) -> None:
    """Check that two nests have leaves at the same paths, whatever the classes.

    Args:
        a: nest.
        b: nest.
    Returns:
        None.
    Raises:
        ValueError: the paths differ; the text lists those that one of the nests lacks.
    """
    paths, second_paths = ({path for path, _ in flatten_with_path(tree)} for tree in (a, b))
    if paths == second_paths:
        return
    text = "`a` and `b` don't have the same paths."
    for lacking, owner, missing in (("b", "a", paths - second_paths),
                                    ("a", "b", second_paths - paths)):  # fmt: skip
        if missing:
            listed = sorted(missing, key=repr)
            text += f"\nPaths in `{owner}` missing in `{lacking}`:\n{listed}"
    raise ValueError(text)


def map_structure(
    func: Callable[..., Any], *structures: Any, none_is_leaf: bool = True
) -> Any:
    """Apply a function to the corresponding leaves of nests.

    Args:
        func: function of as many arguments as there are nests.
        structures: nests of the same structure.
        none_is_leaf: whether the function gets None, too; otherwise None stays where it is.
    Returns:
        Nest in the structure of the first one.
    Raises:
        TypeError: ``func`` is not callable.
        ValueError: the structures differ, or there is none.
    """
    if not callable(func):
        raise TypeError(f"`func` must be callable. Received: func={func!r}")
    if not structures:
        raise ValueError("Must provide at least one structure")
    for structure in structures[1:]:
        assert_same_structure(structures[0], structure)

    def mapped(*leaves: Any) -> Any:
        absent = [leaf is None for leaf in leaves]
        if none_is_leaf or not any(absent):
            return func(*leaves)
        if not all(absent):
            raise ValueError("Structures don't have the same nested structure: None is no leaf.")
        return None

    return nest.map_structure(mapped, *structures)


def map_structure_up_to(
    shallow_structure: Any, func: Callable[..., Any], *structures: Any
) -> Any:
    """Apply a function to the parts of nests at the leaves of a shallower one.

    Args:
        shallow_structure: nest whose leaves say where the parts are.
        func: function of as many arguments as there are nests.
        structures: nests that have the shallow structure, and may go deeper.
    Returns:
        Nest in the shallow structure.
    Raises:
        TypeError: ``func`` is not callable.
        ValueError: a nest is shallower or has another structure, or there is none.
    """
    if not callable(func):
        raise TypeError(f"`func` must be callable. Received: func={func!r}")
    if not structures:
        raise ValueError("Must provide at least one structure")
    if not is_nested(shallow_structure):
        return func(*structures)
    entries = nest.entries(shallow_structure)
    columns = []
    for structure in structures:
        _check_level(shallow_structure, structure)
        columns.append([entry for _, entry in nest.entries(structure)])
    results = [
        map_structure_up_to(shallow, func, *parts)
        for (_, shallow), *parts in zip(entries, *columns, strict=True)
    ]
    return nest.rebuild(shallow_structure, results)


def _check_level(shallow: Any, structure: Any) -> None:
    """Check that two nests are alike at the top; ValueError if they are not."""
    if not is_nested(structure):
        raise ValueError(
            "Structures don't have the same nested structure: "
            f"{structure!r} stands where {shallow!r} is a nest"
        )
    levels = [nest.rebuild(tree, [0] * len(nest.entries(tree))) for tree in (shallow, structure)]
    assert_same_structure(*levels)


def traverse(func: Callable[[Any], Any], structure: Any, top_down: bool = True) -> Any:
    """Apply a function to a nest and all nests and leaves in it.

    Args:
        func: function of a part; what it returns takes the part's place, unless it is None.
            ``MAP_TO_NONE`` stands for None.
        structure: nest or leaf.
        top_down: whether parts come before what is in them; what replaces a part is not entered.
    Returns:
        Nest with the replacements.
    Raises:
        TypeError: ``func`` is not callable.
    """
    if not callable(func):
        raise TypeError(f"`func` must be callable. Received: func={func!r}")
    if top_down:
        result = func(structure)
        if result is None:
            return _entered(func, structure, top_down)
    else:
        structure = _entered(func, structure, top_down)
        result = func(structure)
        if result is None:
            return structure
    return None if result is MAP_TO_NONE else result


def _entered(func: Callable[[Any], Any], structure: Any, top_down: bool) -> Any:
    """Return a nest whose entries were traversed."""
    if not is_nested(structure):
        return structure
    entries = [traverse(func, entry, top_down) for _, entry in nest.entries(structure)]
    return nest.rebuild(structure, entries)


def lists_to_tuples(structure: Any) -> Any:
    """Replace the lists in a nest by tuples.

    Args:
        structure: nest or leaf.
    Returns:
        Nest without lists.
    """
    return traverse(lambda x: tuple(x) if isinstance(x, list) else None, structure, top_down=False)


def map_shape_structure(func: Callable[[Any], Any], structure: Any) -> Any:
    """Apply a function to the shapes in a nest: tuples and lists of ints and None.

    Args:
        func: function of a shape, or of a leaf that is in none.
        structure: nest of shapes.
    Returns:
        Nest with the results in the places of the shapes.
    """
    is_shape = isinstance(structure, list | tuple) and all(
        size is None or isinstance(size, int) for size in structure
    )
    if is_shape or not is_nested(structure):
        return func(structure)
    entries = [map_shape_structure(func, entry) for _, entry in nest.entries(structure)]
    return nest.rebuild(structure, entries)


def __dir__() -> list[str]:
    return __all__
