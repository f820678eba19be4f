"""Types of elements as JSON, and back: the header of a file of elements holds them.

A description is data only, and reading one imports and calls nothing that it names:

    ["tensor", "float32", [null, 2]]            dtype and shape; null: unknown size, or rank
    ["tensor", "int64", [], "x"]                with the name of the TensorSpec
    ["ragged", "int64", [null, null], 1]        dtype, shape and ragged rank
    ["none"]
    ["tuple", [...]], ["list", [...]]           with the descriptions of the items
    ["dict", [[key, ...], ...]]                 keys are texts, numbers, truths or null
    ["namedtuple", "Point", ["x", "y"], [...]]
    ["class", "module.Name", ["x", "y"], [...]] dataclasses, attrs classes and others
"""

from __future__ import annotations

import collections
from collections.abc import Sequence
from typing import Any

from runtime.composite.type_spec import NoneTensorSpec, RaggedTensorSpec, SparseTensorSpec
from runtime.types import treedef
from runtime.types.dtypes import DType, as_dtype
from runtime.types.node_types import NODE_TYPES, NodeType
from runtime.types.shapes import TensorShape, TensorSpec

_KEYS = (str, int, bool, float, type(None))
_NO_ARRAYS = ("resource", "variant")


class ClassNeededError(TypeError):
    """A description names a class, of which the reader was given no type."""


def describe(spec: Any) -> Any:
    """Describe the type of elements; TypeError for a type that has no description."""
    leaves, structure = treedef.flatten(spec)
    return structure.fold([_describe_leaf(leaf) for leaf in leaves], _describe_node)


def _describe_leaf(spec: Any) -> Any:
    if isinstance(spec, TensorSpec):
        description = ["tensor", spec.dtype.name, _dims(spec.shape)]
        return description if spec.name is None else [*description, spec.name]
    if isinstance(spec, RaggedTensorSpec):
        return ["ragged", spec.dtype.name, _dims(spec.shape), spec.ragged_rank]
    if isinstance(spec, SparseTensorSpec):
        return ["sparse", spec.dtype.name, _dims(spec.shape)]
    if isinstance(spec, NoneTensorSpec):
        return ["none"]
    raise TypeError(f"components of type {spec} cannot be written to files")


def _dims(shape: TensorShape) -> list[int | None] | None:
    return None if shape.dims is None else list(shape.dims)


def _describe_node(kind: NodeType, data: Any, metadata: Any, children: list[Any]) -> Any:
    cls: Any = kind.cls
    if cls in (tuple, list):
        return [cls.__name__, children]
    if cls is dict:
        keys, order, types = data
        if not set(types) <= set(_KEYS):
            raise TypeError(f"a dict with keys {order!r} cannot be written to files: the keys must "
                            "be texts or numbers")  # fmt: skip
        by_key = dict(zip(keys, children))
        return ["dict", [[key, by_key[key]] for key in order]]
    names = [str(key) for key in kind.keys(data, len(children))]
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return ["namedtuple", cls.__name__, names, children]
    return ["class", _full_name(cls), names, children]


def _full_name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def spec_from(description: Any, like: Any = None) -> Any:
    """Return the type that is described.

    ``like``, a type of the same layout, gives the classes; without it named tuples are of a new
    class with the same name and fields, and other classes raise ClassNeededError.  ValueError, or
    another error of Python, for what is no description.
    """
    word, *fields_of_kind = description
    if word == "none" and not fields_of_kind:
        return NoneTensorSpec()
    if word == "tensor":
        dtype, dims = fields_of_kind[:2]
        (name,) = fields_of_kind[2:] or (None,)
        return TensorSpec(_shape(dims), _dtype(dtype), None if name is None else _text(name))
    if word == "ragged":
        dtype, dims, levels = fields_of_kind
        return RaggedTensorSpec(_shape(dims), _dtype(dtype), levels)
    if word == "sparse":
        dtype, dims = fields_of_kind
        return SparseTensorSpec(_shape(dims), _dtype(dtype))
    if word == "dict":
        (items,) = fields_of_kind
        like_items = like if isinstance(like, dict) else {}
        specs = {key: spec_from(item, like_items.get(key)) for key, item in items}
        if len(specs) != len(items) or not set(map(type, specs)) <= set(_KEYS):
            raise ValueError("the keys of a dict")
        return specs
    if word in ("tuple", "list"):
        (items,) = fields_of_kind
        return (tuple if word == "tuple" else list)(_parts(items, like))
    if word == "namedtuple":
        name, fields, descriptions = fields_of_kind
        return _named_tuple(name, fields, descriptions, like)
    if word == "class":
        name, fields, descriptions = fields_of_kind
        return _of_class(name, fields, descriptions, like)
    raise ValueError(f"no kind of type: {word!r}")


def _shape(dims: Any) -> TensorShape:
    if dims is not None and not all(size is None or type(size) is int for size in dims):
        raise ValueError(f"no shape: {dims!r}")
    return TensorShape(dims)


def _dtype(name: Any) -> DType:
    dtype = as_dtype(_text(name))
    if dtype.name != name or name in _NO_ARRAYS:
        raise ValueError(f"no dtype of arrays: {name!r}")
    return dtype


def _text(value: Any) -> str:
    if type(value) is not str:
        raise ValueError(f"no text: {value!r}")
    return value


def _parts(descriptions: Sequence[Any], like: Any) -> list[Any]:
    """The types of the children of a node."""
    kind = NODE_TYPES[type(like)]
    like_children = [] if kind is None else list(kind.flatten(like)[0])
    if len(like_children) != len(descriptions):
        like_children = [None] * len(descriptions)
    return [spec_from(child, like_child) for child, like_child in zip(descriptions, like_children)]


def _named_tuple(name: str, fields: list[str], descriptions: list[Any], like: Any) -> Any:
    cls: Any = type(like)
    if getattr(cls, "_fields", None) != tuple(fields) or cls.__name__ != name:
        make: Any = collections.namedtuple
        cls = make(_text(name), list(map(_text, fields)))
    return cls(*_parts(descriptions, like))


def _of_class(name: str, fields: list[str], descriptions: list[Any], like: Any) -> Any:
    if _full_name(type(like)) != name:
        raise ClassNeededError(
            f"the elements are objects of class {_text(name)}: give their type as element_spec"
        )
    kind: Any = NODE_TYPES[type(like)]
    _, data, metadata = kind.flatten(like)
    if [str(key) for key in kind.keys(data, len(fields))] != fields:
        raise ClassNeededError(
            f"the elements are objects of class {name} with the fields {', '.join(fields)}"
        )
    return kind.unflatten(data, metadata, _parts(descriptions, like))
