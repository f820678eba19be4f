"""Cache keys of the calls of a traced function.

Calls with equal keys whose tensors have equal shapes share a trace.  A key consists of the
structure of the arguments and of a key for each leaf: the dtype of a tensor, the type and value of
a Python value, and the identity of an object without ``__eq__``, which the key refers to weakly.
"""

from __future__ import annotations

import types
import weakref
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

import numpy as np

from autograph import staging
from runtime.eager.tensor import Tensor
from runtime.ops import dispatch
from runtime.staging.numpy_arrays.symbolic_array import SymbolicArray
from runtime.state.variable import Variable
from runtime.types import treedef
from runtime.types.composite import composite_of, is_argument
from runtime.types.node_types import NODE_TYPES
from runtime.types.promotion import is_weak
from runtime.types.shapes import TensorShape, TensorSpec
from runtime.types.treedef import TreeDef
from runtime.types.value import Value


class WeakIdKey:
    """Key for the identity of an object, which it refers to weakly where Python allows that."""

    __slots__ = ("_hash", "get")

    get: Callable[[], Any]
    """Return the object, or None after it was collected."""

    def __init__(self, value: Any) -> None:
        self._hash = id(value)
        try:
            self.get = weakref.ref(value)
        except TypeError:
            self.get = lambda: value

    def on_collected(self, call: Callable[[], Any]) -> Any:
        """Return a handle that calls ``call`` when the object is collected, while it is kept."""
        value = self.get()
        return weakref.ref(value, lambda _: call()) if type(self.get) is weakref.ref else None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WeakIdKey):
            return NotImplemented
        value = self.get()
        return value is not None and value is other.get()

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        value = self.get()
        return f"Identity({type(value).__name__} at {hex(self._hash)})"


_TYPED = (Value, TensorSpec)
_ARRAYS = (np.ndarray, np.generic)
_TENSORS = (*_TYPED, *_ARRAYS)

BY_VALUE = (bool, int, str, bytes, types.NoneType)
"""Classes whose values are keys together with their class."""


class KeyBuilder:
    """Builder of keys, which also collects the tensors and the objects among the arguments."""

    def __init__(self) -> None:
        self.tensors: list[Any] = []
        self.relaxed_shapes: dict[int, TensorShape] = {}
        """Index of a tensor -> the shape to trace for, where it is not the tensor's own."""
        self.objects: list[WeakIdKey] = []
        """Objects that the key compares by identity."""
        self.caller_arrays: dict[int, Any] = {}
        """Index of a tensor -> the array of the caller, who sees changes of it, or the scalar."""

    @property
    def shapes(self) -> tuple[TensorShape, ...]:
        """Shapes to trace for, one per tensor."""
        if not self.relaxed_shapes:
            return tuple([t.shape for t in self.tensors])
        return tuple([self.relaxed_shapes.get(i, t.shape) for i, t in enumerate(self.tensors)])

    def arrays(self) -> tuple[Any, ...]:
        """Return for each tensor the caller's array or NumPy scalar, or None; empty without any."""
        if not self.caller_arrays:
            return ()
        return tuple([self.caller_arrays.get(i) for i in range(len(self.tensors))])

    def key(self, leaves: list[Any], structure: TreeDef) -> Hashable:
        """Return the key of a flattened nest of arguments."""
        leaf_keys = tuple([self._leaf(leaf) for leaf in leaves])
        if not structure.metadata:
            return structure.skeleton, leaf_keys
        return structure.skeleton, leaf_keys, tuple(map(self._nested_key, structure.metadata))

    def _leaf(self, leaf: Any) -> Hashable:
        is_array = isinstance(leaf, _ARRAYS)
        if is_array or type(leaf) is SymbolicArray and leaf.storage is not None:
            self.caller_arrays[len(self.tensors)] = leaf
        if is_array or isinstance(leaf, _TYPED):
            tensor = dispatch.convert(leaf) if is_array else leaf
            self.tensors.append(tensor)
            return Tensor, tensor.dtype, is_weak(tensor)
        if isinstance(leaf, BY_VALUE):
            return type(leaf), leaf
        if isinstance(leaf, float):
            return type(leaf), leaf.hex()  # tells 0.0 from -0.0, and NaN is NaN
        if isinstance(leaf, complex):
            return type(leaf), leaf.real.hex(), leaf.imag.hex()
        if isinstance(leaf, Variable):
            return self._identity(leaf)
        return self._object(leaf)

    def _object(self, leaf: Any) -> Hashable:
        """Return the key of a leaf that is neither a tensor nor a number."""
        composite = composite_of(leaf)
        if composite is not None:
            for number, array in composite._caller_arrays().items():
                self.caller_arrays[len(self.tensors) + number] = array
            for tensor, shape in zip(composite._tensors(), composite._call_shapes(), strict=True):
                if shape is not None:
                    self.relaxed_shapes[len(self.tensors)] = shape
                self.tensors.append(tensor)
            return composite._call_key()
        if is_bound(leaf):
            return type(leaf), self._identity(leaf.__self__), self._identity(leaf.__func__)
        if isinstance(leaf, set | frozenset):
            return type(leaf), frozenset([self._nested_key(item) for item in leaf])
        if isinstance(leaf, deque):
            return type(leaf), leaf.maxlen, tuple([self._nested_key(item) for item in leaf])
        if isinstance(leaf, slice):
            return slice, self._nested_key((leaf.start, leaf.stop, leaf.step))
        if isinstance(leaf, bytearray):
            return bytearray, bytes(leaf)
        try:
            hash(leaf)
        except TypeError:
            return self._identity(leaf)
        return (type(leaf), leaf) if _has_own_equality(leaf) else self._identity(leaf)

    def _nested_key(self, value: Any) -> Hashable:
        """Return the key of a value inside a leaf: tensors in it count by identity."""
        if value is None:
            return None
        builder = KeyBuilder()
        key = key_of(value, builder)
        self.objects += builder.objects
        return key, tuple([self._identity(tensor) for tensor in builder.tensors])

    def _identity(self, value: Any) -> WeakIdKey:
        self.objects.append(WeakIdKey(value))
        return self.objects[-1]


def flatten_arguments(value: Any) -> tuple[list[Any], TreeDef]:
    """Flatten a nest of arguments into leaves and structure; composite tensors are leaves."""
    return treedef.flatten(value, is_argument)


def key_of(value: Any, builder: KeyBuilder | None = None) -> Hashable:
    """Return the key of a nest of arguments and append its tensors to ``builder.tensors``."""
    return (builder or KeyBuilder()).key(*flatten_arguments(value))


def is_tensor_argument(value: Any) -> bool:
    """Whether an argument is passed as a tensor: a tensor, a TensorSpec or a NumPy array."""
    return isinstance(value, _TENSORS)


def is_literal(value: Any) -> bool:
    """Whether the key of an argument is its value."""
    if isinstance(value, (*BY_VALUE, float, complex)):
        return True
    return not isinstance(value, Variable) and _has_own_equality(value)


def _has_own_equality(value: Any) -> bool:
    if is_bound(value):
        return False
    cls: Any = type(value)
    return cls.__eq__ is not object.__eq__


def equal_by_value(leaves: Iterable[Any]) -> list[staging.ObjectAttributes]:
    """Return what a trace depends on of objects that a key compares by their own ``__eq__``."""
    return [
        staging.ObjectAttributes(leaf) for leaf in _with_items(leaves)
        if type(leaf) is not Tensor and not isinstance(leaf, _PLAIN)
        and staging.is_users(type(leaf)) and not is_bound(leaf)
        and composite_of(leaf) is None and _has_own_equality(leaf)
    ]  # fmt: skip


def _with_items(leaves: Iterable[Any]) -> Iterator[Any]:
    """Yield leaves, and those of the collections among them."""
    for leaf in leaves:
        yield leaf
        if isinstance(leaf, set | frozenset | deque):
            yield from _with_items(flatten_arguments([*leaf])[0])
        elif composite_of(leaf) is not None:
            yield from _with_items(getattr(leaf, "leaves", ()))


_PLAIN = (*_TENSORS, *BY_VALUE, float, complex, Variable)


def may_change(default: Any) -> bool:
    """Whether a default may have other contents in a later call."""
    leaves, structure = flatten_arguments(default)
    if any(node is not None and node[0] is not tuple for node in structure.skeleton):
        return True
    return any(not isinstance(leaf, Value | Hashable) for leaf in leaves)


def is_bound(value: Any) -> bool:
    """Whether a value is a bound method, of Python or of a traced function."""
    cls = type(value)
    return cls is types.MethodType or "__self__" in vars(cls) and "__func__" in vars(cls)


def replace_tensors(leaves: list[Any], structure: TreeDef, tensors: Iterator[Any]) -> Any:
    """Return the nest of arguments with other tensors, which come in the order of the key."""

    def replace(leaf: Any) -> Any:
        if is_tensor_argument(leaf):
            return next(tensors)
        composite = composite_of(leaf)
        if composite is None:
            return leaf
        return composite._with_tensors([next(tensors) for _ in composite._tensors()])

    return structure.unflatten([*map(replace, leaves)])


def named_leaves(name: str, value: Any) -> list[tuple[str, Any]]:
    """Return the leaves of an argument with their labels: ``x``, ``x[0]``, ``x['a']``.

    Empty collections count as leaves.
    """
    if NODE_TYPES[type(value)] is None:
        return [(name, value)]
    leaves, structure = treedef.flatten(value, lambda v: is_argument(v) or _is_empty(v))
    return list(zip(structure.labels(name), leaves, strict=True))


def _is_empty(value: Any) -> bool:
    kind = NODE_TYPES[type(value)]
    return kind is not None and not kind.flatten(value)[0]


def count_tensors(value: Any) -> int:
    """Count the tensors in a nest of arguments."""
    if is_tensor_argument(value):
        return 1
    count = 0
    for leaf in flatten_arguments(value)[0]:
        composite = composite_of(leaf)
        count += is_tensor_argument(leaf) if composite is None else len(composite._tensors())
    return count


def arrays_among(arguments: Any, count: int) -> tuple[Any, ...]:
    """Return the arrays among arguments before they were converted to ``count`` tensors."""
    before = KeyBuilder()
    key_of(arguments, before)
    arrays = before.arrays()
    return arrays if len(arrays) == count else ()


def spec_names(types: list[Any]) -> tuple[str | None, ...]:
    """Return the names of TensorSpecs, None for other types; empty if there are no names."""
    names = tuple([t.name if type(t) is TensorSpec else None for t in types])
    return names if any(names) else ()
