"""Symbolic arrays: what stands for a NumPy array in a trace, where a tensor would not do.

Arrays can be changed in place, and views share their memory.  A symbolic array refers to a storage
(autograph/staging/staged_array.py), whose contents are a symbolic tensor; a view is derived from
its base whenever it is read.  Operations take the tensor that it is at that moment: graphs, engines
and derivatives never see an array.  Operators give arrays where NumPy gives arrays.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograph.errors import EffectError
from autograph.staging import ArrayStorage, StagedArray, StaleContent, user_line
from runtime.eager.tensor import Tensor
from runtime.graph.array_keys import bounds_of, is_basic, parts_of
from runtime.graph.operation import SymbolicTensor
from runtime.ops import dispatch
from runtime.ops.array import indexing
from runtime.ops.linalg.matrices import matrix_transpose
from runtime.ops.op import TABLE
from runtime.types.promotion import is_weak
from runtime.types.shapes import TensorSpec
from runtime.types.value import Value

View = tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]
"""What derives a view from its base, and what makes the base of it and a changed view."""


class _Count:
    """Counter of what would change an array in place, had it been given in place of a tensor."""

    count = 0

    def note(self) -> None:
        """One more."""
        self.count += 1


METHODS: dict[str, Callable[..., Any]] = {}
"""Methods of NumPy's arrays by name, as functions of the array; filled by numpy_call.py."""

IN_PLACE = _Count()
"""Of this process: a trace during which it stands still is one for tensors and arrays alike."""


class SymbolicArray(SymbolicTensor, StagedArray):
    """Symbolic tensor that stands for a NumPy array, or for a NumPy scalar: without storage."""

    __slots__ = ("_base", "_key", "_seen", "_tensor", "_view", "storage")

    storage: ArrayStorage | None
    _tensor: SymbolicTensor
    """What it was when the contents of its storage were ``_seen``."""
    _seen: Any
    _base: SymbolicArray | None
    _view: View | None
    _key: Any

    @classmethod
    def _make(
        cls, tensor: SymbolicTensor, storage: ArrayStorage | None,
        base: SymbolicArray | None = None, view: View | None = None, key: Any = None,
    ) -> SymbolicArray:  # fmt: skip
        array: SymbolicArray = object.__new__(cls)
        array._tensor, array.storage = tensor, storage
        array._seen = tensor if storage is None else storage.content
        array._base, array._view, array._key = base, view, key
        return array

    @classmethod
    def fresh(cls, tensor: SymbolicTensor) -> SymbolicArray:
        """An array of its own memory; of a scalar, NumPy's scalar."""
        array: SymbolicArray = object.__new__(cls)
        array._tensor = array._seen = tensor
        array.storage = None if tensor.spec.shape.dims == () else ArrayStorage(tensor)
        array._base = array._view = array._key = None
        return array

    @classmethod
    def holding(cls, value: SymbolicTensor, storage: ArrayStorage) -> SymbolicArray:
        """The array whose storage holds all of it; a scalar that is no array has none."""
        scalar = value.shape.rank == 0 and not storage.links.sources
        return cls._make(value, None if scalar else storage)

    @classmethod
    def argument(cls, tensor: SymbolicTensor) -> SymbolicArray:
        """The array for an argument; also one of rank 0 has memory."""
        return cls._make(tensor, ArrayStorage(tensor))

    @classmethod
    def view_of(cls, base: SymbolicArray, tensor: SymbolicTensor, view: View) -> SymbolicArray:
        """The view of an array that is ``tensor`` now."""
        return cls._make(tensor, base.storage, base, view)

    def __getattr__(self, name: str) -> Any:
        """Return a method of NumPy's arrays."""
        found = METHODS.get(name)
        return super().__getattr__(name) if found is None else functools.partial(found, self)

    # -- the value ----------------------------------------------------------------------------

    def current(self) -> SymbolicTensor:
        """The tensor that it is where the program is now."""
        storage = self.storage
        if storage is None:
            return self._tensor
        content: Any = storage.content
        if type(content) is StaleContent:
            storage.read(self)
        if self._base is None:
            self._tensor = self._seen = content
            return self._tensor
        if content is self._seen and self._is_within_reach():
            return self._tensor
        assert self._view is not None
        tensor: SymbolicTensor = self._view[0](self._base.current())
        here: Any = dispatch.current()
        if here is tensor.graph:
            self._tensor, self._seen = tensor, content
        return tensor

    def _is_within_reach(self) -> bool:
        """Whether the view that was derived last can be used here, and is still recorded."""
        op, here = self._tensor.op, dispatch.current()
        home: Any = op.graph
        if home is not here and not getattr(here, "encloses", lambda graph: False)(home):
            return False
        return home.names.operations.get(op.name) is op

    def change(self, tensor: Any) -> SymbolicArray:
        """Change all elements in place; gives the array, or what takes its place."""
        IN_PLACE.note()
        storage = self.storage
        assert storage is not None
        if storage.rebinds:
            successor = storage.abandon(self)
            if self._base is None:
                successor.content = tensor
                return self._make(tensor, successor)
            return self.fresh(tensor)
        self._store(tensor)
        return self

    def _store(self, tensor: Any) -> None:
        if self._base is None:
            assert self.storage is not None
            self.storage.write(tensor, self)
        else:
            assert self._view is not None
            self._base._store(self._view[1](self._base.current(), tensor))

    def set_item(self, key: Any, value: Any) -> SymbolicArray:
        """``self[key] = value``; gives the array, or what takes its place."""
        if self.storage is None:
            raise TypeError("'numpy.float64' object does not support item assignment")
        return self.change(indexing.setitem(self.current(), _fixed(key), value))

    def is_part_of(self, other: Any, key: Any) -> bool:
        """Whether it is the view ``other[key]``."""
        return self._base is other and self._key is not None and self._key[0] is key

    @property
    def is_whole(self) -> bool:
        """Whether it is all of what its storage holds, and no view."""
        return self._base is None

    def is_portable(self) -> bool:
        """Whether no view that it depends on was taken by a staged index."""
        if self._base is None:
            return True
        parts = self._key[1] if self._key else ()
        staged = any(isinstance(p, Value) for part in parts for p in bounds_of(part))
        return not staged and self._base.is_portable()

    is_concrete = False

    @property
    def op(self) -> Any:  # type: ignore[override]
        """The operation that made the tensor that it is now."""
        return self.current().op

    @property
    def value_index(self) -> int:  # type: ignore[override]
        """Which of the operation's outputs the tensor is."""
        return self.current().value_index

    @property
    def spec(self) -> TensorSpec:  # type: ignore[override]
        """Dtype and shape; and the value, as long as it is what is known of it."""
        spec = self._tensor.spec
        if spec.value is None or self.storage is None or self.storage.content is self._seen:
            return spec
        return TensorSpec(spec.shape, spec.dtype)

    @property
    def weak(self) -> bool:  # type: ignore[override]
        """It stands for no Python number."""
        return False

    def set_shape(self, shape: Any) -> None:
        """Add what is known about the shape; ValueError when it contradicts."""
        self.current().set_shape(shape)

    # -- parts ----------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        if self.storage is None or not is_basic(key):
            return self.fresh(indexing.getitem(self.current(), _fixed(key)))
        given, key = key, _fixed(key)
        tensor = indexing.getitem(self.current(), key)
        if tensor.shape.rank == 0 and not any(part is Ellipsis for part in parts_of(key)):
            return self.fresh(tensor)
        view = (
            lambda base: indexing.getitem(base, key),
            lambda base, part: indexing.setitem(base, key, part),
        )
        return self._make(tensor, self.storage, self, view, (given, parts_of(key)))

    def __iter__(self) -> Iterator[Any]:
        dims = self.shape.dims
        if self.storage is None or not dims or dims[0] is None:
            return super().__iter__()
        return map(self.__getitem__, range(dims[0]))

    @property
    def mT(self) -> Any:
        """The matrices of the last two axes, transposed: a view."""
        tensor = super().mT
        view = matrix_transpose, lambda base, part: matrix_transpose(part)
        return tensor if self.storage is None else self._make(tensor, self.storage, self, view)

    def __copy__(self) -> SymbolicArray:
        return self.fresh(self.current())

    def __deepcopy__(self, memo: Any) -> SymbolicArray:
        return memo.setdefault(id(self), self.fresh(self.current()))

    def copy(self) -> SymbolicArray:
        """A copy."""
        return self.fresh(self.current())

    def fill(self, value: Any) -> None:
        """Set all elements."""
        self._changed_for_good(indexing.setitem(self.current(), Ellipsis, value))

    def _changed_for_good(self, tensor: Any) -> None:
        """Change it where no variable can get what takes its place."""
        if self.storage is not None and self.storage.rebinds:
            self.storage.links.refusal = (
                "is an array on one staged path, and a tensor or a number on another"
            )
        self.change(tensor)

    def __setitem__(self, key: Any, value: Any) -> None:
        if self.storage is None:
            super().__setitem__(key, value)
        self._changed_for_good(indexing.setitem(self.current(), _fixed(key), value))


def numpy_operator(
    self: SymbolicTensor, ufunc: Any, method: str, *inputs: Any, **kwargs: Any
) -> Any:
    """Apply a function of NumPy's: the operator that means the same, or a refusal."""
    is_array = type(self) is SymbolicArray
    if "out" in kwargs and (is_array or self.weak):
        raise EffectError(
            "an array that tracing found as a constant is changed in place by a staged value",
            where=user_line(),
            help="write x = x + y instead of x += y, or pass the array as an argument",
        )
    name = _REFLECTED.get(ufunc) if method == "__call__" else None
    if name is None or inputs[-1] is not self or len(inputs) != 2:
        self._concrete()
        return NotImplemented
    found = getattr(self, name)(inputs[0])
    return as_array(found, inputs[0]) if self.weak and not is_array else found


SymbolicTensor.__array_ufunc__ = numpy_operator


def as_array(result: Any, *others: Any) -> Any:
    """A result of Python's operators: an array unless one of the operands is a tensor."""
    if type(result) is tuple:
        return tuple([as_array(part, *others) for part in result])
    if type(result) is not SymbolicTensor or not all(map(_is_numpys, others)):
        return result
    return result if result.weak else SymbolicArray.fresh(result)


def _is_numpys(value: Any) -> bool:
    """Whether operators of NumPy's arrays with a value give arrays."""
    if isinstance(value, Value):
        return type(value) is SymbolicArray or is_weak(value)
    return isinstance(value, (bool, int, float, complex, np.ndarray, np.generic, list, tuple))


def read(value: Any) -> Any:
    """The tensor that an array is now; anything else itself."""
    return value.current() if type(value) is SymbolicArray else value


def _fixed(key: Any) -> Any:
    """A key whose arrays stay what they are now."""
    if isinstance(key, tuple):
        return tuple([_fixed(part) for part in key])
    if isinstance(key, slice):
        return slice(read(key.start), read(key.stop), read(key.step))
    if isinstance(key, np.ndarray):
        return key.copy()
    return [*key] if isinstance(key, list) else read(key)


# -- operators -----------------------------------------------------------------------------------

_REFLECTED = {
    np.add: "__radd__", np.subtract: "__rsub__", np.multiply: "__rmul__",
    np.true_divide: "__rtruediv__", np.floor_divide: "__rfloordiv__", np.remainder: "__rmod__",
    np.power: "__rpow__", np.matmul: "__rmatmul__", np.bitwise_and: "__rand__",
    np.bitwise_or: "__ror__", np.bitwise_xor: "__rxor__", np.left_shift: "__rlshift__",
    np.right_shift: "__rrshift__", np.equal: "__eq__", np.not_equal: "__ne__",
    np.less: "__gt__", np.less_equal: "__ge__", np.greater: "__lt__", np.greater_equal: "__le__",
}  # fmt: skip
"""By function of NumPy's: the method of the right operand that does the same."""
_INPLACE = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
            "lshift", "rshift")  # fmt: skip


def _operator(name: str) -> Callable[..., Any]:
    plain = getattr(Tensor, name)

    def method(self: SymbolicArray, *others: Any) -> Any:
        return as_array(plain(self.current(), *map(read, others)), *others)

    method.__name__ = name
    return method


def _in_place(name: str) -> Callable[[SymbolicArray, Any], Any]:
    plain = getattr(Tensor, f"__{name}__")

    def method(self: SymbolicArray, other: Any) -> Any:
        result = plain(self.current(), read(other))
        if self.storage is None or not _is_numpys(other) or not isinstance(result, Tensor):
            return as_array(result, other)
        if result.dtype is not self.dtype:
            raise TypeError(
                f"Cannot cast the output of an in-place operator from {result.dtype.name} to "
                f"{self.dtype.name}, the dtype of the array"
            )
        if not result.shape.is_compatible_with(self.shape):
            raise ValueError(
                f"non-broadcastable output operand with shape {self.shape} does not match the "
                f"broadcast shape {result.shape}"
            )
        return self.change(result)

    method.__name__ = f"__i{name}__"
    return method


def _rebinding(name: str) -> Callable[[SymbolicTensor, Any], Any]:
    plain = getattr(Tensor, f"__{name}__")

    def method(self: SymbolicTensor, other: Any) -> Any:
        if not self.weak:
            IN_PLACE.note()
        return plain(self, other)

    method.__name__ = f"__i{name}__"
    method.rebinds = True  # type: ignore[attr-defined]
    return method


def _install_operators() -> None:
    rows = dict.values(TABLE)  # those of the other families spell no operator
    names = {s for op in rows for s in op.overloads if isinstance(s, str)}
    names |= {"__eq__", "__ne__", "__divmod__", "__rdivmod__", "__round__"}
    for name in names:
        if name != "__getitem__":
            setattr(SymbolicArray, name, _operator(name))
    for name in _INPLACE:
        if hasattr(Tensor, f"__{name}__"):
            setattr(SymbolicTensor, f"__i{name}__", _rebinding(name))
            setattr(SymbolicArray, f"__i{name}__", _in_place(name))
    SymbolicArray.__hash__ = SymbolicTensor.__hash__  # type: ignore[method-assign]


_install_operators()


