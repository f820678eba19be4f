"""Structures of values: lists, tuples, named tuples, dicts and dataclasses, nested at will.

Classes with ``__tf_flatten__`` and ``__tf_unflatten__`` (TensorArray) take part, as in TensorFlow.
Sessions take and return nests, control flow carries them, functions are called with them.  Dicts
are walked in the order of their sorted keys, as in TensorFlow; None is a leaf.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from autograph.staging import StagedList, kind_of

_kinds: dict[type, bool] = {}
_MOST = 1000


def is_nested(structure: Any) -> bool:
    """Whether the value is a structure, as opposed to a leaf."""
    known = _kinds.get(type(structure))
    if known is None:
        if len(_kinds) >= _MOST:  # classes made on the fly are not kept for ever
            _kinds.clear()
        known = _kinds[type(structure)] = _found_nested(structure)
    return known


def _found_nested(structure: Any) -> bool:
    if isinstance(structure, StagedList):
        return False
    return isinstance(structure, list | tuple | Mapping) or _is_record(structure) or (
        is_composite(structure)
    )  # fmt: skip


def is_composite(value: Any) -> bool:
    """Whether the value's class takes it apart itself: ``__tf_flatten__``, ``__tf_unflatten__``."""
    return hasattr(type(value), "__tf_flatten__") and not isinstance(value, type)


def _is_record(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def _is_namedtuple(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields")


def _keys(mapping: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(mapping)
    except TypeError:
        raise TypeError(
            "A dict in a nest needs keys that can be sorted, got keys "
            f"{list(mapping)!r}. Use keys of one type, such as str."
        ) from None


def entries(structure: Any) -> list[tuple[Any, Any]]:
    """The structure's direct entries in nest order, each with its key, index or field name."""
    if isinstance(structure, Mapping):
        return [(key, structure[key]) for key in _keys(structure)]
    if _is_namedtuple(structure):
        return list(zip(structure._fields, structure, strict=True))
    if isinstance(structure, list | tuple):
        return list(enumerate(structure))
    if is_composite(structure):
        return list(enumerate(structure.__tf_flatten__()[1]))
    return [(f.name, getattr(structure, f.name)) for f in dataclasses.fields(structure)]


def other_attributes(structure: Any) -> dict[str, Any]:
    """What a dataclass's object holds besides its fields; it is no part of the nest."""
    if not _is_record(structure) or not hasattr(structure, "__dict__"):
        return {}
    fields = {field.name for field in dataclasses.fields(structure)}
    return {name: value for name, value in vars(structure).items() if name not in fields}


def _leaves(structure: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if not is_nested(structure):
        yield path, structure
        return
    for key, value in entries(structure):
        yield from _leaves(value, (*path, key))


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """The leaves of a nest in order; a leaf alone gives a list of one."""
    if not is_nested(structure):
        return [structure]
    leaves: list[Any] = []
    _collect(structure, leaves)
    return leaves


def _collect(structure: Any, leaves: list[Any]) -> None:
    kind = type(structure)
    plain = kind is list or kind is tuple
    for value in structure if plain else [value for _, value in entries(structure)]:
        if is_nested(value):
            _collect(value, leaves)
        else:
            leaves.append(value)


def flatten_with_paths(structure: Any) -> list[tuple[tuple[Any, ...], Any]]:
    """The leaves, each with the keys that lead to it."""
    return list(_leaves(structure, ()))


def rebuild(like: Any, values: Sequence[Any]) -> Any:
    """A structure of the same type and keys as ``like``, with these direct entries."""
    if type(like) is list or type(like) is tuple:
        return type(like)(values)
    if isinstance(like, Mapping):
        by_key = dict(zip(_keys(like), values, strict=True))
        ordered = {key: by_key[key] for key in like}  # a dict keeps its own order of keys
        if kind_of(like) is dict:
            return ordered
        if hasattr(like, "default_factory"):
            return type(like)(like.default_factory, ordered)  # type: ignore[call-arg]
        return type(like)(ordered)  # type: ignore[call-arg]
    if _is_namedtuple(like):
        return type(like)(*values)
    if isinstance(like, list | tuple):
        return kind_of(like)(values)
    if is_composite(like):
        return type(like).__tf_unflatten__(like.__tf_flatten__()[0], tuple(values))
    copy = object.__new__(type(like))  # what __post_init__ made of the fields is in them already
    if hasattr(like, "__dict__"):
        vars(copy).update(vars(like))
    for field, value in zip(dataclasses.fields(like), values, strict=True):
        object.__setattr__(copy, field.name, value)
    return copy


def _pack(structure: Any, flat: Iterator[Any]) -> Any:
    if not is_nested(structure):
        return next(flat)
    return rebuild(structure, [_pack(value, flat) for _, value in entries(structure)])


def pack_sequence_as(
    structure: Any, flat_sequence: Iterable[Any], expand_composites: bool = False
) -> Any:
    """The leaves ``flat_sequence`` in the shape of ``structure``.

    ValueError when their number differs from the structure's leaves.
    """
    flat = list(flat_sequence)
    if not is_nested(structure):
        if len(flat) != 1:
            raise ValueError(f"The structure is a single value, but {len(flat)} values were given")
        return flat[0]
    wanted = len(flatten(structure))
    if wanted != len(flat):
        raise ValueError(
            f"Could not pack sequence. Structure had {wanted} elements, but flat_sequence had "
            f"{len(flat)} elements. Structure: {structure}, flat_sequence: {flat}."
        )
    return _pack(structure, iter(flat))


def _kind(structure: Any) -> type:
    """Mappings are alike whatever their class, as in TensorFlow."""
    return dict if isinstance(structure, Mapping) else kind_of(structure)


def _assert_same(left: Any, right: Any, check_types: bool, path: str) -> None:
    where = f" at {path}" if path else ""
    if is_nested(left) != is_nested(right):
        raise ValueError(
            f"The two structures don't have the same nested structure{where}: "
            f"{left!r} against {right!r}"
        )
    if not is_nested(left):
        return
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
    for (key, a), (_, b) in zip(ours, theirs, strict=True):
        _assert_same(a, b, check_types, f"{path}[{key!r}]")


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """ValueError or TypeError, naming the place, unless both have one structure."""
    _assert_same(nest1, nest2, check_types, "")


def map_structure(
    func: Callable[..., Any], *structure: Any, check_types: bool = True, **kwargs: Any
) -> Any:
    """``func`` of the corresponding leaves of all structures, in the shape of the first."""
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func!r}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types=check_types)
    columns = [flatten(s) for s in structure]
    results = [func(*leaves) for leaves in zip(*columns, strict=True)]
    return pack_sequence_as(structure[0], results)


__all__ = [
    "assert_same_structure", "flatten", "is_nested", "map_structure", "pack_sequence_as",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
