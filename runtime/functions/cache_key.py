"""Cache keys of the calls of a traced function, and the codecs of their leaves.

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
        leaf_keys = tuple([codec_of(leaf).key(leaf, self) for leaf in leaves])
        if not structure.metadata:
            return structure.skeleton, leaf_keys
        return structure.skeleton, leaf_keys, tuple(map(self.nested_key, structure.metadata))

    def nested_key(self, value: Any) -> Hashable:
        """Return the key of a value inside a leaf: tensors in it count by identity."""
        if value is None:
            return None
        builder = KeyBuilder()
        key = key_of(value, builder)
        self.objects += builder.objects
        return key, tuple(map(self.identity, builder.tensors))

    def identity(self, value: Any) -> WeakIdKey:
        """Return the key of an object that is compared by its identity."""
        self.objects.append(WeakIdKey(value))
        return self.objects[-1]


def flatten_arguments(value: Any) -> tuple[list[Any], TreeDef]:
    """Flatten a nest of arguments into leaves and structure; composite tensors are leaves."""
    return treedef.flatten(value, is_argument)


def key_of(value: Any, builder: KeyBuilder | None = None) -> Hashable:
    """Return the key of a nest of arguments and append its tensors to ``builder.tensors``."""
    return (builder or KeyBuilder()).key(*flatten_arguments(value))


class LeafCodec:
    """What calls do with leaves of one kind among the arguments.

    This one is that of objects, which keys compare by their identity.
    """

    kind = "object"
    """What is passed: a ``tensor`` or several, a ``value``, or an ``object``, which may be gone."""

    def key(self, leaf: Any, builder: KeyBuilder) -> Hashable:
        """Return the key of a leaf; add its tensors, arrays and objects to those of the builder."""
        return builder.identity(leaf)

    def count(self, leaf: Any) -> int:
        """Return the number of tensors of a leaf."""
        return 0

    def replace(self, leaf: Any, tensors: Iterator[Any]) -> Any:
        """Return a leaf with the next tensors in place of its own."""
        return leaf


class _TensorCodec(LeafCodec):
    """Codec of tensors and TensorSpecs: the key is the dtype, shapes are compared beside it."""

    kind = "tensor"

    def key(self, leaf: Any, builder: KeyBuilder) -> Hashable:
        if type(leaf) is SymbolicArray and leaf.storage is not None:
            builder.caller_arrays[len(builder.tensors)] = leaf
        builder.tensors.append(leaf)
        return Tensor, leaf.dtype, is_weak(leaf)

    def count(self, leaf: Any) -> int:
        return 1

    def replace(self, leaf: Any, tensors: Iterator[Any]) -> Any:
        return next(tensors)


class _ArrayCodec(_TensorCodec):
    """Codec of NumPy's arrays and scalars, whose caller sees changes of them."""

    def key(self, leaf: Any, builder: KeyBuilder) -> Hashable:
        builder.caller_arrays[len(builder.tensors)] = leaf
        return super().key(dispatch.convert(leaf), builder)


class _CompositeCodec(LeafCodec):
    """Codec of values made of tensors, which know their types."""

    kind = "tensor"

    def key(self, leaf: Any, builder: KeyBuilder) -> Hashable:
        composite: Any = composite_of(leaf)
        for number, array in composite._caller_arrays().items():
            builder.caller_arrays[len(builder.tensors) + number] = array
        for tensor, shape in zip(composite._tensors(), composite._call_shapes(), strict=True):
            if shape is not None:
                builder.relaxed_shapes[len(builder.tensors)] = shape
            builder.tensors.append(tensor)
        return composite._call_key()

    def count(self, leaf: Any) -> int:
        composite: Any = composite_of(leaf)
        return len(composite._tensors())

    def replace(self, leaf: Any, tensors: Iterator[Any]) -> Any:
        composite: Any = composite_of(leaf)
        return composite._with_tensors([next(tensors) for _ in composite._tensors()])


class _ValueCodec(LeafCodec):
    """Codec of Python's numbers, texts, bytes and None, which are keys with their class."""

    kind = "value"

    def key(self, leaf: Any, builder: KeyBuilder) -> Hashable:
        if isinstance(leaf, float):
            return type(leaf), leaf.hex()  # tells 0.0 from -0.0, and NaN is NaN
        if isinstance(leaf, complex):
            return type(leaf), leaf.real.hex(), leaf.imag.hex()
        return type(leaf), leaf


class _ContentsCodec(LeafCodec):
    """Codec of collections that are no nests: the key is what they hold."""

    kind = "value"

    def key(self, leaf: Any, builder: KeyBuilder) -> Hashable:
        if isinstance(leaf, set | frozenset):
            return type(leaf), frozenset(map(builder.nested_key, leaf))
        if isinstance(leaf, deque):
            return type(leaf), leaf.maxlen, tuple(map(builder.nested_key, leaf))
        if isinstance(leaf, np.ndarray | np.generic):  # of texts, which are no tensors in a slot
            return type(leaf), leaf.dtype.str, leaf.shape, leaf.tobytes()
        if isinstance(leaf, slice):
            return slice, builder.nested_key((leaf.start, leaf.stop, leaf.step))
        return bytearray, bytes(leaf)


class _EqualCodec(LeafCodec):
    """Codec of objects that are compared by an ``__eq__`` of their own."""

    kind = "value"

    def key(self, leaf: Any, builder: KeyBuilder) -> Hashable:
        return type(leaf), leaf


class _MethodCodec(LeafCodec):
    """Codec of bound methods: Python makes a new one at each look-up."""

    def key(self, leaf: Any, builder: KeyBuilder) -> Hashable:
        return type(leaf), builder.identity(leaf.__self__), builder.identity(leaf.__func__)


OBJECT, TENSOR, COMPOSITE = LeafCodec(), _TensorCodec(), _CompositeCodec()
VALUE, CONTENTS, EQUAL = _ValueCodec(), _ContentsCodec(), _EqualCodec()
_ARRAY, _METHOD = _ArrayCodec(), _MethodCodec()

_CODECS: tuple[tuple[tuple[type, ...], LeafCodec], ...] = (
    ((Value, TensorSpec), TENSOR),
    ((np.ndarray, np.generic), _ARRAY),
    ((bool, int, str, bytes, float, complex, types.NoneType), VALUE),
    ((Variable,), OBJECT),
)


def codec_of(leaf: Any) -> LeafCodec:
    """Return the codec of a leaf of the arguments."""
    if type(leaf) is Tensor:
        return TENSOR
    for classes, codec in _CODECS:
        if isinstance(leaf, classes):
            return codec
    if composite_of(leaf) is not None:
        return COMPOSITE
    if isinstance(leaf, set | frozenset | deque | slice | bytearray):
        return CONTENTS
    cls: Any = type(leaf)
    if cls is types.MethodType or "__self__" in vars(cls) and "__func__" in vars(cls):
        return _METHOD  # of Python, or of a traced function
    if cls.__eq__ is object.__eq__:
        return OBJECT
    try:
        hash(leaf)
    except TypeError:
        return OBJECT
    return EQUAL


def is_tensor_argument(value: Any) -> bool:
    """Whether an argument is passed as a tensor: a tensor, a TensorSpec or a NumPy array."""
    return isinstance(value, (Value, TensorSpec, np.ndarray, np.generic))


def equal_by_value(leaves: Iterable[Any]) -> list[staging.ObjectAttributes]:
    """Return what a trace depends on of objects that a key compares by their own ``__eq__``."""
    return [
        staging.ObjectAttributes(leaf) for leaf in _with_items(leaves)
        if codec_of(leaf) is EQUAL and staging.is_users(type(leaf))
    ]  # fmt: skip


def _with_items(leaves: Iterable[Any]) -> Iterator[Any]:
    """Yield leaves, and those of the collections among them."""
    for leaf in leaves:
        yield leaf
        if isinstance(leaf, set | frozenset | deque):
            yield from _with_items(flatten_arguments([*leaf])[0])
        elif codec_of(leaf) is COMPOSITE:
            yield from _with_items(getattr(leaf, "leaves", ()))


def replace_tensors(leaves: list[Any], structure: TreeDef, tensors: Iterator[Any]) -> Any:
    """Return the nest of arguments with other tensors, which come in the order of the key."""
    return structure.unflatten([codec_of(leaf).replace(leaf, tensors) for leaf in leaves])


def count_tensors(value: Any) -> int:
    """Count the tensors in a nest of arguments."""
    return sum([codec_of(leaf).count(leaf) for leaf in flatten_arguments(value)[0]])


def may_change(default: Any) -> bool:
    """Whether a default may have other contents in a later call."""
    leaves, structure = flatten_arguments(default)
    if any(node is not None and node[0] is not tuple for node in structure.skeleton):
        return True
    return any(not isinstance(leaf, Value | Hashable) for leaf in leaves)


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
