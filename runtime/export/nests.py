"""Nests of arguments and results in the index: as JSON, and back.

A leaf is ``{"tensor": n}`` for input or output ``n`` of a graph, or a plain Python value.  What a
file holds is never called or imported: a named tuple comes back as a class of its own.
"""

from __future__ import annotations

import keyword
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.eager.tensor import Tensor, wrap
from runtime.export import composite_nests
from runtime.export.composite_nests import entry_of, is_written
from runtime.types.dtypes import DType, as_dtype
from runtime.types.shapes import TensorShape, TensorSpec

SMALL = 64
"""Tensors of so many elements at most may be default values."""

DEEPEST = 200
"""So many collections may stand in each other."""


class UnsavableValueError(ValueError):
    """A value that an index cannot hold; its argument is the value."""


def encode(value: Any, leaf: Callable[[Any], Any], depth: int = 0) -> Any:
    """Return a nest as JSON; ``leaf`` gives that of a leaf which is a tensor, or None.

    UnsavableValueError for objects of other classes.
    """
    if depth > DEEPEST:
        raise UnsavableValueError(value)
    encoded_leaf = leaf(value)
    if encoded_leaf is not None:
        return encoded_leaf
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return {"value": value}
    if kind is float:
        return {"float": value.hex() if value == value else "nan"}
    if kind is complex:
        return {"complex": [value.real.hex(), value.imag.hex()]}
    if kind is bytes:
        return {"bytes": value.decode("latin-1")}
    if kind is DType:
        return {"dtype": value.name}
    if kind is TensorShape:
        return {"shape": None if value.dims is None else list(value.dims)}
    if kind is TensorSpec:
        dims = None if value.shape.dims is None else list(value.shape.dims)
        return {"spec": [value.dtype.name, dims, value.name]}
    if kind is Tensor and value.shape.num_elements() <= SMALL:
        items = [encode(item, _no_leaf) for item in value._array.reshape(-1).tolist()]
        return {"array": [value.dtype.name, list(value.shape), items]}
    if kind is list or kind is tuple:
        return {kind.__name__: [encode(item, leaf, depth + 1) for item in value]}
    if isinstance(value, dict):
        items = [[encode(k, _no_leaf), encode(v, leaf, depth + 1)] for k, v in value.items()]
        return {"dict": items}
    if is_written(value):
        return _composite(value, leaf, depth)
    fields = getattr(kind, "_fields", None)
    if isinstance(value, tuple) and fields is not None:
        items = [encode(item, leaf, depth + 1) for item in value]
        return {"named": [kind.__name__, list(fields), items]}
    raise UnsavableValueError(value)


def _composite(value: Any, leaf: Callable[[Any], Any], depth: int) -> Any:
    entry = entry_of(value)
    if entry is None:
        raise UnsavableValueError(value)
    word, parts = entry
    if word != "extension":
        return {word: [encode(part, leaf, depth + 1) for part in parts]}
    name, fields = parts
    return {word: [name, [[field, encode(item, leaf, depth + 1)] for field, item in fields]]}


def _no_leaf(value: Any) -> None:
    """Return None: there are no tensors among keys."""


def decode(data: Any, tensor: Callable[[int], Any]) -> Any:
    """Return the nest of JSON; ``tensor`` gives that of a number.

    ValueError, KeyError or TypeError for what ``encode`` does not write.
    """
    ((kind, value),) = data.items()
    if kind == "tensor":
        return tensor(_check_class(value, int))
    if kind == "value":
        if value is not None and type(value) not in (bool, int, str):
            raise ValueError(f"{value!r} is no plain value")
        return value
    if kind in ("list", "tuple"):
        items = [decode(item, tensor) for item in _check_class(value, list)]
        return items if kind == "list" else tuple(items)
    if kind == "dict":
        pairs = [(decode(k, _no_tensor), decode(v, tensor)) for k, v in _check_class(value, list)]
        return dict(pairs)
    if kind == "named":
        name, fields, items = _check_class(value, list)
        return named_tuple(name, fields)._make([decode(item, tensor) for item in items])
    if kind in composite_nests.OF_PARTS:
        make = composite_nests.OF_PARTS[kind]
        return make([decode(item, tensor) for item in _check_class(value, list)])
    if kind == "extension":
        name, members = value
        pairs = [(_check_class(field, str), decode(item, tensor)) for field, item in members]
        return composite_nests.extension(_check_class(name, str), pairs)
    return _LEAVES[kind](value)


def _no_tensor(number: int) -> Any:
    raise ValueError("a tensor is no key")


def _check_class(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise ValueError(f"{value!r} is no {kind.__name__}")
    return value


def dims_of(value: Any) -> list[int | None] | None:
    """Return the dimensions that JSON gives; ValueError for others."""
    if value is None:
        return None
    for size in _check_class(value, list):
        if size is not None and (type(size) is not int or not 0 <= size < 2**62):
            raise ValueError(f"{size!r} is no size")
    return list(value)


def _array(value: Any) -> Tensor:
    dtype, dims, items = value
    numbers = [decode(item, _no_tensor) for item in _check_class(items, list)]
    array = np.empty(len(numbers), as_dtype(dtype).as_numpy_dtype)
    array[:] = numbers
    return wrap(array.reshape([_check_class(size, int) for size in dims]))


def _spec(value: Any) -> TensorSpec:
    dtype, dims, name = value
    return TensorSpec(
        dims_of(dims), as_dtype(dtype), None if name is None else _check_class(name, str)
    )


_LEAVES: dict[str, Callable[[Any], Any]] = {
    "float": lambda v: float.fromhex(_check_class(v, str)),
    "complex": lambda v: complex(*[float.fromhex(_check_class(part, str)) for part in v]),
    "bytes": lambda v: _check_class(v, str).encode("latin-1"),
    "dtype": lambda v: as_dtype(_check_class(v, str)),
    "shape": lambda v: TensorShape(dims_of(v)),
    "spec": _spec,
    "array": _array,
}


class _NamedTuple(tuple[Any, ...]):
    """Base of the named tuples that files describe."""

    _fields: tuple[str, ...] = ()

    @classmethod
    def _make(cls, items: Sequence[Any]) -> Any:
        if len(items) != len(cls._fields):
            raise ValueError(f"{cls.__name__} has {len(cls._fields)} fields, not {len(items)}")
        return tuple.__new__(cls, items)

    def __new__(cls, *items: Any) -> Any:
        return cls._make(items)

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        fields = [f"{name}={item!r}" for name, item in zip(self._fields, self, strict=True)]
        return f"{type(self).__name__}({', '.join(fields)})"


_CLASSES: dict[tuple[str, tuple[str, ...]], Any] = {}


def named_tuple(name: Any, fields: Any) -> Any:
    """Return the class of named tuples with a name and fields; ValueError for other names.

    Unlike ``collections.namedtuple`` it runs no text.
    """
    names = (name, *fields)
    for identifier in names:
        if (
            not isinstance(identifier, str)
            or not identifier.isidentifier()
            or keyword.iskeyword(identifier)
        ):
            raise ValueError(f"{identifier!r} is no name of a class or field")
    if len(set(fields)) < len(fields) or any(identifier.startswith("_") for identifier in fields):
        raise ValueError(f"{fields} are no fields")
    key = name, tuple(fields)
    if key not in _CLASSES:
        places = {
            identifier: property(operator.itemgetter(i)) for i, identifier in enumerate(fields)
        }
        members: dict[str, Any] = {"_fields": tuple(fields), "__slots__": (), **places}
        _CLASSES[key] = type(name, (_NamedTuple,), members)
    return _CLASSES[key]
