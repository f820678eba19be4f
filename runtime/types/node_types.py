"""Node types: the classes that are structure in nests, and how their values are flattened.

Lists, tuples, named tuples, mappings, dataclasses, attrs classes and classes with
``__tf_flatten__`` are structure; a class can be registered.  treedef.py flattens nests by this.
"""

from __future__ import annotations

import dataclasses
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from autograph.syntax.heap_types import is_heap_type

Flat = tuple[Sequence[Any], Hashable, Any]
"""A node's children, what tells it apart besides their number, and its metadata."""


class NodeType:
    """Rule that flattens and unflattens values of one class."""

    opaque = False
    """Whether values are leaves unless composites are to be expanded."""
    composite = False
    """Whether values are made of tensors in a way that their class knows."""
    has_metadata = False

    def __init__(self, cls: type) -> None:
        self.cls = cls

    def flatten(self, value: Any) -> Flat:
        """Return the children of a value, its data and its metadata."""
        raise NotImplementedError

    def unflatten(self, data: Any, metadata: Any, children: Sequence[Any]) -> Any:
        """Make a value from its children."""
        raise NotImplementedError

    def keys(self, data: Any, arity: int) -> Sequence[Any]:
        """Return the key, index or field name of each child."""
        return range(arity)

    def step(self, key: Any) -> str:
        """Format the access to a child in Python."""
        return f"[{key!r}]"

    def text(self, data: Any, metadata: Any, texts: Sequence[str]) -> str:
        """Format a value, given the texts of its children."""
        return f"{self.cls.__name__}({', '.join(texts)})"

    def same_metadata(self, first: Any, second: Any) -> bool:
        """Return whether two metadata are equal."""
        try:
            return first is second or bool(first == second)
        except (TypeError, ValueError):  # NumPy's arrays, say
            return False


class _SequenceType(NodeType):
    def flatten(self, value: Any) -> Flat:
        return value if self.cls is list or self.cls is tuple else list(value), None, None

    def unflatten(self, data: Any, metadata: Any, children: Sequence[Any]) -> Any:
        return self.cls(children)

    def text(self, data: Any, metadata: Any, texts: Sequence[str]) -> str:
        inner = ", ".join(texts)
        if issubclass(self.cls, list):
            text = f"[{inner}]"
        else:
            text = f"({inner},)" if len(texts) == 1 else f"({inner})"
        return text if self.cls in (list, tuple) else f"{self.cls.__name__}({text})"


class _SequenceSubclass(_SequenceType):
    """Node type of a program's own subclass of list or tuple: its methods are not asked.

    Metadata are the attributes of the object.
    """

    has_metadata = True

    def __init__(self, cls: Any) -> None:
        super().__init__(cls)
        self.base: Any = list if issubclass(cls, list) else tuple

    def flatten(self, value: Any) -> Flat:
        return [*self.base.__iter__(value)], None, _attributes(value)

    def unflatten(self, data: Any, metadata: Any, children: Sequence[Any]) -> Any:
        sequence: Any = self.base.__new__(self.cls, children)
        if self.base is list:
            list.extend(sequence, children)
        return _with_attributes(sequence, metadata)


def _attributes(value: Any) -> Any:
    return dict(vars(value)) or None if hasattr(value, "__dict__") else None


def _with_attributes(instance: Any, attributes: Any) -> Any:
    if attributes:
        vars(instance).update(attributes)
    return instance


def _sorted(keys: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return keys in an order that does not depend on the one in which they came."""
    try:
        return tuple(sorted(keys))
    except TypeError:
        by_text = {(type(key).__qualname__, repr(key)): key for key in keys}
        if len(by_text) == len(keys):
            return tuple([by_text[text] for text in sorted(by_text)])
        raise TypeError(
            "A dict in a nest needs keys that can be sorted, or of different texts, got keys "
            f"{list(keys)!r}. Use keys of one type, such as str."
        ) from None


class _MappingType(NodeType):
    """Node type of mappings: children by sorted keys; the mapping keeps its own order."""

    def __init__(self, cls: type) -> None:
        super().__init__(cls)
        self.has_metadata = hasattr(cls, "default_factory")

    def flatten(self, value: Any) -> Flat:
        order = tuple(value)
        keys = _sorted(order)
        children = [value[key] for key in keys]
        # 1 and True are equal, but a program may tell them apart
        data = keys, order, tuple(map(type, keys))
        return children, data, value.default_factory if self.has_metadata else None

    def unflatten(self, data: Any, metadata: Any, children: Sequence[Any]) -> Any:
        keys, order, _ = data
        mapping = dict(zip(keys, children, strict=True))
        if keys != order:
            mapping = {key: mapping[key] for key in order}
        if self.cls is dict:
            return mapping
        return self.cls(metadata, mapping) if self.has_metadata else self.cls(mapping)

    def keys(self, data: Any, arity: int) -> Sequence[Any]:
        return data[0]

    def text(self, data: Any, metadata: Any, texts: Sequence[str]) -> str:
        by_key = dict(zip(data[0], texts, strict=True))
        inner = f"{{{', '.join(f'{key!r}: {by_key[key]}' for key in data[1])}}}"
        if self.cls is dict:
            return inner
        factory = f"{getattr(metadata, '__name__', metadata)}, " if self.has_metadata else ""
        return f"{self.cls.__name__}({factory}{inner})"


class _MappingSubclass(_MappingType):
    """Node type of a program's own subclass of dict: its methods are not asked.

    Metadata are the default factory, if there is one, and the attributes of the object.
    """

    def __init__(self, cls: Any) -> None:
        super().__init__(cls)
        self.has_factory, self.has_metadata = self.has_metadata, True
        self.base: Any = OrderedDict if issubclass(cls, OrderedDict) else dict

    def flatten(self, value: Any) -> Flat:
        order = tuple(self.base.__iter__(value))
        keys = _sorted(order)
        children = [dict.__getitem__(value, key) for key in keys]
        factory = value.default_factory if self.has_factory else None
        attributes = _attributes(value)
        metadata = None if factory is attributes is None else (factory, attributes)
        return children, (keys, order, tuple(map(type, keys))), metadata

    def unflatten(self, data: Any, metadata: Any, children: Sequence[Any]) -> Any:
        keys, order, _ = data
        items = dict(zip(keys, children, strict=True))
        mapping = self.cls.__new__(self.cls)  # type: ignore[call-overload]
        for key in order:
            self.base.__setitem__(mapping, key, items[key])
        if metadata is None:
            return mapping
        factory, attributes = metadata
        if self.has_factory:
            mapping.default_factory = factory
        return _with_attributes(mapping, attributes)

    def text(self, data: Any, metadata: Any, texts: Sequence[str]) -> str:
        factory = metadata[0] if metadata and self.has_factory else None
        return super().text(data, factory, texts)


class _WrappingType(_MappingType):
    """Node type of mappings written in Python that are no dicts: each wraps one.

    Metadata are the name of the attribute that holds the dict, and the other attributes: the class
    may need more than the items to make an object.
    """

    def __init__(self, cls: Any) -> None:
        super().__init__(cls)
        self.has_metadata = True

    def flatten(self, value: Any) -> Flat:
        order = tuple(value)
        keys = _sorted(order)
        children, data = [value[key] for key in keys], (keys, order, tuple(map(type, keys)))
        attributes = vars(value)
        for name, attribute in attributes.items():
            if type(attribute) is dict and len(attribute) == len(children) and all(
                attribute.get(key) is child for key, child in zip(keys, children, strict=True)
            ):  # fmt: skip
                return children, data, (name, {k: v for k, v in attributes.items() if k != name})
        raise TypeError(
            f"A {self.cls.__name__} is a mapping that does not hold its items in a dict of its "
            "own, so that it cannot be taken apart and made again. Pass dict(...) of it."
        )

    def unflatten(self, data: Any, metadata: Any, children: Sequence[Any]) -> Any:
        keys, order, _ = data
        items = dict(zip(keys, children, strict=True))
        wrapper: Any = object.__new__(self.cls)
        name, attributes = metadata
        vars(wrapper).update(attributes | {name: {key: items[key] for key in order}})
        return wrapper

    def text(self, data: Any, metadata: Any, texts: Sequence[str]) -> str:
        by_key = dict(zip(data[0], texts, strict=True))
        return f"{self.cls.__name__}({{{', '.join(f'{k!r}: {by_key[k]}' for k in data[1])}}})"


class _NamedTupleType(NodeType):
    def __init__(self, cls: Any) -> None:
        super().__init__(cls)
        self.fields: tuple[str, ...] = tuple(cls._fields)

    def flatten(self, value: Any) -> Flat:
        return tuple(tuple.__iter__(value)), None, None

    def unflatten(self, data: Any, metadata: Any, children: Sequence[Any]) -> Any:
        named_tuple: Any = tuple.__new__(self.cls, children)
        return named_tuple

    def keys(self, data: Any, arity: int) -> Sequence[Any]:
        return self.fields

    def step(self, key: Any) -> str:
        return f".{key}"

    def text(self, data: Any, metadata: Any, texts: Sequence[str]) -> str:
        fields = [f"{name}={text}" for name, text in zip(self.fields, texts)]
        return f"{self.cls.__name__}({', '.join(fields)})"


class _RecordType(_NamedTupleType):
    """Node type of dataclasses and attrs classes; metadata are attributes that are no fields."""

    has_metadata = True

    def __init__(self, cls: Any) -> None:
        NodeType.__init__(self, cls)
        fields = cls.__attrs_attrs__ if _is_attrs(cls) else dataclasses.fields(cls)
        self.fields = tuple([field.name for field in fields])

    def flatten(self, value: Any) -> Flat:
        children = [getattr(value, name) for name in self.fields]
        extra = getattr(value, "__dict__", None)
        if extra:
            extra = {key: item for key, item in extra.items() if key not in self.fields}
        return children, None, extra or None

    def unflatten(self, data: Any, metadata: Any, children: Sequence[Any]) -> Any:
        record: Any = object.__new__(self.cls)  # what __post_init__ did is in the fields already
        for name, child in zip(self.fields, children, strict=True):
            object.__setattr__(record, name, child)
        if metadata:
            vars(record).update(metadata)
        return record


class _CompositeType(NodeType):
    """Node type of classes with TensorFlow's flattening methods."""

    composite = True
    has_metadata = True

    def flatten(self, value: Any) -> Flat:
        metadata, children = value.__tf_flatten__()
        return tuple(children), None, metadata

    def unflatten(self, data: Any, metadata: Any, children: Sequence[Any]) -> Any:
        cls: Any = self.cls
        return cls.__tf_unflatten__(metadata, tuple(children))

    def step(self, key: Any) -> str:
        return f".{key}"


# -- the registry ---------------------------------------------------------------------------------

_MOST = 1000
"""The number of classes that are remembered: those made on the fly are not kept for ever."""

_registered: list[tuple[type, Callable[[type], NodeType | None]]] = []


class _NodeTypes(dict[Any, NodeType | None]):
    def __missing__(self, cls: Any) -> NodeType | None:
        if len(self) >= _MOST:
            self.clear()
        # before others that are equal to one of them
        for kind in (list, tuple, dict, defaultdict, Counter):
            self.setdefault(kind, _found(kind))
        return self.setdefault(cls, _found(cls))


NODE_TYPES = _NodeTypes()
"""The node type of each class; None where its values are leaves."""


def register(base: type, make: Callable[[type], NodeType | None]) -> None:
    """Register a class and its subclasses as nodes of the type that ``make`` returns.

    Their values are leaves where it returns None, even if the class is a list or dict.
    """
    _registered.append((base, make))
    NODE_TYPES.clear()


def _found(cls: Any) -> NodeType | None:
    for base, make in _registered:
        if issubclass(cls, base):
            return make(cls)
    if issubclass(cls, Mapping) and not issubclass(cls, dict) and is_heap_type(cls):
        return _WrappingType(cls)
    if issubclass(cls, Mapping):
        return (_MappingSubclass if _is_subclass_in_python(cls) else _MappingType)(cls)
    if issubclass(cls, list | tuple):
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            return _NamedTupleType(cls)
        return (_SequenceSubclass if _is_subclass_in_python(cls) else _SequenceType)(cls)
    if hasattr(cls, "__tf_flatten__"):
        return _CompositeType(cls)
    if dataclasses.is_dataclass(cls) or _is_attrs(cls):
        return _RecordType(cls)
    return None


def _is_subclass_in_python(cls: type) -> bool:
    """Whether a class is a program's own subclass of one of Python's collections."""
    if cls in _OF_PYTHON:
        return False
    return next(base for base in cls.__mro__ if not is_heap_type(base)) in _OF_PYTHON


_OF_PYTHON = (list, tuple, dict, OrderedDict, defaultdict, Counter)


def _is_attrs(cls: type) -> bool:
    return hasattr(cls, "__attrs_attrs__")
