"""What tells the calls of a traced function apart: a hashable key for each argument.

Calls with equal keys, and tensors of equal shapes, share a trace.  Tensors count by dtype, Python
values by type and value, nests by their structure, and objects that have no value of their own by
identity, without being kept alive.
"""

from __future__ import annotations

import types
import weakref
from collections import deque
from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np

from runtime.composite.ragged_tensor import RaggedTensor
from runtime.composite.type_spec import RaggedTensorSpec
from runtime.ops import dispatch as interpreter
from runtime.state.variable import Variable
from runtime.types import nest
from runtime.types.composite import Composite
from runtime.types.dtypes import DType
from runtime.types.promotion import is_weak
from runtime.types.shapes import TensorShape, TensorSpec
from runtime.types.value import Value


class Identity:
    """A key that is equal only for the very same object; keeps it alive only if it must."""

    __slots__ = ("_hash", "get")

    get: Callable[[], Any]
    """The object, or None when it is gone."""

    def __init__(self, value: Any) -> None:
        self._hash = id(value)
        try:
            self.get = weakref.ref(value)
        except TypeError:
            self.get = lambda: value

    def when_gone(self, call: Callable[[], Any]) -> Any:
        """What to keep so that ``call`` is called when the object goes."""
        value = self.get()
        return weakref.ref(value, lambda _: call()) if type(self.get) is weakref.ref else None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Identity):
            return NotImplemented
        mine = self.get()
        return mine is not None and mine is other.get()

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        value = self.get()
        return f"Identity({type(value).__name__} at {hex(self._hash)})"


class Found:
    """What was met on the way through some arguments: tensors, and objects told by identity."""

    def __init__(self) -> None:
        self.tensors: list[Any] = []
        self.unlike: dict[int, TensorShape] = {}
        """By a tensor's place: the shape to trace for, where that is not its own."""
        self.objects: list[Identity] = []

    @property
    def shapes(self) -> tuple[TensorShape, ...]:
        """The shapes to trace for."""
        if not self.unlike:
            return tuple([t.shape for t in self.tensors])
        return tuple([self.unlike.get(i, t.shape) for i, t in enumerate(self.tensors)])

    def identity(self, value: Any) -> Identity:
        """The key of an object that is told by identity."""
        self.objects.append(Identity(value))
        return self.objects[-1]


def is_tensor_argument(value: Any) -> bool:
    """Whether an argument is passed as a tensor rather than by value."""
    return isinstance(value, Value | np.ndarray | np.generic | TensorSpec)


class _Weak(dict[DType, tuple[str, DType]]):
    def __missing__(self, dtype: DType) -> tuple[str, DType]:
        return self.setdefault(dtype, ("Python", dtype))


WEAK = _Weak()
"""The keys of staged Python numbers, by the dtype that carries them."""


def is_structure(value: Any) -> bool:
    """Whether an argument is a nest of arguments."""
    return nest.is_nested(value) and not isinstance(value, Variable)


def is_literal(value: Any) -> bool:
    """Whether an argument counts by its value."""
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        return True
    return not isinstance(value, Variable) and _has_own_equality(value)


def key_of(value: Any, found: Found) -> Hashable:
    """The key of one argument; the tensors in it are appended to ``found.tensors``."""
    if isinstance(value, Value | TensorSpec):
        found.tensors.append(value)
        dtype: DType = value.dtype  # type: ignore[union-attr]
        return WEAK[dtype] if is_weak(value) else dtype
    if isinstance(value, np.ndarray | np.generic):
        found.tensors.append(interpreter.convert(value))
        return found.tensors[-1].dtype
    if value is None or isinstance(value, bool | int | str | bytes):
        return type(value), value
    if isinstance(value, float):
        return type(value), value.hex()  # tells 0.0 from -0.0, and NaN is NaN
    if isinstance(value, complex):
        return type(value), value.real.hex(), value.imag.hex()
    if isinstance(value, Variable):
        return found.identity(value)
    if isinstance(value, RaggedTensor):
        return _key_of_ragged(value, found)
    if nest.is_nested(value):
        items = tuple([(k, key_of(v, found)) for k, v in nest.entries(value)])
        if nest.is_composite(value):
            return type(value), items, _key_beside(value.__tf_flatten__()[0], found)
        if isinstance(value, Mapping):  # a function may go through a dict in its own order
            return type(value), items, tuple(value)
        return type(value), items, _key_beside(nest.other_attributes(value), found)
    return _key_of_object(value, found)


def _key_of_object(value: Any, found: Found) -> Hashable:
    """The key of what is neither a tensor nor a number, nor a nest."""
    if isinstance(value, RaggedTensorSpec):
        return _key_of_ragged(value, found)
    if isinstance(value, Composite):
        found.tensors += value._tensors()
        return value._type_key()
    if _is_bound(value):
        return type(value), found.identity(value.__self__), found.identity(value.__func__)
    if isinstance(value, set | frozenset):
        return type(value), frozenset([_part(item, found) for item in value])
    if isinstance(value, deque):
        return type(value), value.maxlen, tuple([_part(item, found) for item in value])
    if isinstance(value, slice):
        parts = (value.start, value.stop, value.step)
        return slice, tuple([_part(part, found) for part in parts])
    if isinstance(value, bytearray):
        return bytearray, bytes(value)
    try:
        hash(value)
    except TypeError:
        return found.identity(value)
    return (type(value), value) if _has_own_equality(value) else found.identity(value)


def _key_of_ragged(value: Any, found: Found) -> Hashable:
    """The key of rows, or of their type: how many values there are in all does not count."""
    spec = value if isinstance(value, RaggedTensorSpec) else RaggedTensorSpec.from_value(value)
    parts = value._tensors() if spec is value else spec._tensors_of(value)
    for part, type_ in zip(parts, spec._tensors(), strict=True):
        found.unlike[len(found.tensors)] = type_.shape
        found.tensors.append(part)
    return RaggedTensor, spec.dtype, spec.ragged_rank


def _key_beside(values: Any, found: Found) -> Hashable:
    """The key of what a structure holds besides its entries: no tensor in it is an argument."""
    if not values:
        return ()
    own = Found()
    key = key_of(values, own)
    found.objects += own.objects
    return key, tuple([found.identity(tensor) for tensor in own.tensors])


def _part(value: Any, found: Found) -> Hashable:
    """The key of a value inside a collection that is no nest: tensors in it are not arguments."""
    if is_tensor_argument(value) and not isinstance(value, TensorSpec):
        return found.identity(value)
    return key_of(value, found)


def _has_own_equality(value: Any) -> bool:
    if _is_bound(value):
        return False
    return any("__eq__" in vars(base) for base in type(value).__mro__[:-1])


def _is_bound(value: Any) -> bool:
    """Whether it is a method of an object, Python's or a traced one."""
    cls = type(value)
    return cls is types.MethodType or "__self__" in vars(cls) and "__func__" in vars(cls)


def replaced(values: Any, tensors: Any) -> Any:
    """A nest of arguments, its tensors replaced by those of an iterator in ``key_of``'s order."""
    if is_tensor_argument(values):
        return next(tensors)
    if isinstance(values, RaggedTensor):
        values = RaggedTensorSpec.from_value(values)
    if isinstance(values, Composite):
        return values._with_tensors([next(tensors) for _ in values._tensors()])
    if not is_structure(values):
        return values
    return nest.rebuild(values, [replaced(v, tensors) for _, v in nest.entries(values)])


def labelled(name: str, value: Any) -> list[tuple[str, Any]]:
    """The leaves of an argument, each with how to write it: ``x``, ``x[0]``, ``x['a']``."""
    if is_tensor_argument(value) or not is_structure(value) or isinstance(value, RaggedTensor):
        return [(name, value)]
    by_key = isinstance(value, Mapping | list) or type(value) is tuple
    found: list[tuple[str, Any]] = []
    for key, item in nest.entries(value):
        found += labelled(f"{name}[{key!r}]" if by_key else f"{name}.{key}", item)
    return found or [(name, value)]


def count_tensors(value: Any) -> int:
    """How many tensors there are in a nest of arguments."""
    if is_tensor_argument(value):
        return 1
    if isinstance(value, Composite):
        return len(value._tensors())
    if not is_structure(value):
        return 0
    return sum(count_tensors(v) for _, v in nest.entries(value))
