"""Symbolic arrays: what stands for a NumPy array in a trace, where a tensor would not do.

Arrays can be changed in place, and views share their memory.  A symbolic array refers to a storage
(autograph/staging/staged_array.py), whose contents are a symbolic tensor; a view is derived from
its base whenever it is read.  Operations take the tensor that it is at that moment: graphs, engines
and derivatives never see an array.  Operators give arrays where NumPy gives arrays.
"""

from __future__ import annotations

import functools
import operator
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.staging import ArrayStorage, StagedArray, StaleContent, check_supported
from runtime.graph.operation import SymbolicTensor
from runtime.ops import dispatch
from runtime.ops.array import indexing, shape
from runtime.ops.linalg.matrices import matrix_transpose
from runtime.staging.numpy_arrays.keys import (
    bounds_of,
    check_key,
    fixed_key,
    is_basic,
    parts_of,
    sizes_of,
)
from runtime.types.shapes import TensorSpec
from runtime.types.source_location import PACKAGE_FOLDER
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
"""Methods of NumPy's arrays by name, as functions of the array; filled by calls.py."""
PARTS: dict[str, Callable[[Any], Any]] = {}  # from an array to its parts; see complex_parts.py


class _Assignment:
    """How arrays are assigned items; assignment.py sets it."""

    def items(self, content: Any, key: Any, value: Any) -> Any:
        """The contents of an array after ``array[key] = value``."""
        return indexing.setitem(content, key, value)


ASSIGN = _Assignment()

IN_PLACE = _Count()
"""Of this process: a trace during which it stands still is one for tensors and arrays alike."""


class SymbolicArray(SymbolicTensor, StagedArray):
    """Symbolic tensor that stands for a NumPy array, or for a NumPy scalar: without storage."""

    __slots__ = ("_base", "_key", "_seen", "_tensor", "_view", "is_packed", "storage")

    storage: ArrayStorage | None
    is_packed: bool
    """Whether its items are known to follow one another in memory, in the order of C."""
    _tensor: SymbolicTensor
    """What it was when the contents of its storage were ``_seen``."""
    _seen: Any
    _base: SymbolicArray | None
    _view: View | None
    _key: Any

    @classmethod
    def _make(
        cls, tensor: Any, storage: ArrayStorage | None,
        base: SymbolicArray | None = None, view: View | None = None, key: Any = None,
    ) -> SymbolicArray:  # fmt: skip
        array: SymbolicArray = object.__new__(cls)
        array._tensor, array.storage = tensor, storage
        array._seen = tensor if storage is None else storage.version
        array._base, array._view, array._key = base, view, key
        array.is_packed = False
        return array

    @classmethod
    def fresh(cls, tensor: SymbolicTensor, is_array: bool = False) -> SymbolicArray:
        """An array of its own memory; without axes NumPy's scalar, unless it is an array."""
        is_scalar = not is_array and tensor.spec.shape.dims == ()
        return cls._make(tensor, None if is_scalar else ArrayStorage(tensor))

    @classmethod
    def holding(cls, value: Any, storage: ArrayStorage, is_array: bool) -> SymbolicArray:
        """The array whose storage holds all of it; a scalar that is no array has none."""
        scalar = value.shape.rank == 0 and not (is_array or storage.links.sources)
        array = cls._make(value, None if scalar else storage)
        if not storage.is_one:
            array._seen = None  # ``value`` is what one of several holds
        return array

    @classmethod
    def argument(cls, tensor: SymbolicTensor) -> SymbolicArray:
        """The array for an argument; also one of rank 0 has memory."""
        return cls._make(tensor, ArrayStorage(tensor))

    @classmethod
    def view_of(cls, base: SymbolicArray, tensor: SymbolicTensor, view: View) -> SymbolicArray:
        """The view of an array that is ``tensor`` now."""
        return cls._make(tensor, base.storage, base, view)

    def __getattr__(self, name: str) -> Any:
        """Return a method of NumPy's arrays; ConcreteValueError for one that is not staged."""
        if name in METHODS:
            return functools.partial(METHODS[name], self)
        kind = self.array_type
        if not hasattr(kind, name):
            raise AttributeError(f"'numpy.{kind.__name__}' object has no attribute {name!r}")
        if name.startswith("_"):
            return super().__getattr__(name)
        raise ConcreteValueError(
            f"'{kind.__name__}.{name}' is not staged, and was asked of an array that "
            "is known only at run time", where=user_line(),
            help="use functions of NumPy or runtime, or do it outside of the function")

    # -- the value ----------------------------------------------------------------------------

    def current(self) -> SymbolicTensor:
        """The tensor that it is where the program is now."""
        storage = self.storage
        if storage is None:
            return self._tensor
        version: Any = storage.version
        if type(version) is StaleContent:
            storage.read(self)
        if self._base is None and storage.is_one:
            self._tensor = self._seen = version
            return self._tensor
        if version is self._seen and self._is_within_reach():
            return self._tensor
        tensor: SymbolicTensor = self._derived(lambda tensor: tensor)
        interpreter: Any = dispatch.current()
        if interpreter is tensor.graph:
            self._tensor, self._seen = tensor, version
        return tensor

    def _derived(self, use: Callable[[Any], Any]) -> Any:
        """What a use of it gives, derived from the base or the storages."""
        base, view = self._base, self._view
        if base is None or view is None:
            return self.storage.of_each(use)  # type: ignore[union-attr]
        return base.used(lambda tensor: use(view[0](tensor)))

    def used(self, use: Callable[[Any], Any]) -> Any:
        """What a use of its tensor gives: of one of several arrays staged for each of them."""
        storage = self.storage
        if storage is not None and not storage.is_one and storage.version is not self._seen:
            if type(storage.version) is not StaleContent:
                return self._derived(use)
        return use(self.current())

    def _is_within_reach(self) -> bool:
        """Whether the view that was derived last can be used here, and is still recorded."""
        op, current = self._tensor.op, dispatch.current()
        home: Any = op.graph
        if home is not current and not getattr(current, "encloses", lambda graph: False)(home):
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

    def _update(self, change: Callable[[Any], Any]) -> None:
        """Change one of several arrays: each where it is the one."""
        base, view = self._base, self._view
        if base is None or view is None:
            self.storage.update(change, self)  # type: ignore[union-attr]
        else:
            base._update(lambda tensor: view[1](tensor, change(view[0](tensor))))

    def _with_item(self, key: Any, value: Any) -> SymbolicArray:
        """Change an item in place; gives the array, or what takes its place."""
        key, storage = fixed_key(key), self.storage
        if storage is None or storage.is_one:
            return self.change(ASSIGN.items(self.current(), key, value))
        IN_PLACE.note()
        if isinstance(value, SymbolicArray) and value.storage is not None:
            value = value.current()  # as it is before the change
        self._update(lambda tensor: ASSIGN.items(tensor, key, value))
        return self

    def set_item(self, key: Any, value: Any) -> SymbolicArray:
        """``self[key] = value``; gives the array, or what takes its place."""
        if self.storage is None:
            check_supported(operator.setitem, self, key, value)
        return self._with_item(key, value)

    def snapshot(self) -> SymbolicArray:
        """The array as it is now, with memory of its own."""
        return self if self.storage is None else self.argument(self.current())

    def is_part_of(self, array: Any, key: Any) -> bool:
        """Whether it is the view ``other[key]``."""
        return self._base is array and self._key is not None and self._key[0] is key

    @property
    def is_whole(self) -> bool:
        """Whether it is all of what its storage holds, and no view."""
        return self._base is None

    def is_portable(self) -> bool:
        """Whether no view that it depends on was taken by a staged index."""
        if self._base is None:
            return True
        entries = self._key[1] if self._key else ()
        staged = any(isinstance(p, Value) for entry in entries for p in bounds_of(entry))
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
    def array_type(self) -> type:
        """NumPy's class of what it stands for: of arrays, or of a scalar."""
        scalar: type = np.dtype(self._tensor.spec.dtype.as_numpy_dtype).type
        return scalar if self.storage is None else np.ndarray

    @property
    def dtype(self) -> Any:
        """The type of the elements: NumPy's for the user's code, which holds an array."""
        dtype = self._tensor.spec.dtype
        return dtype if _runtime_asks() else np.dtype(dtype.as_numpy_dtype)

    @property
    def shape(self) -> Any:
        """Static shape; for the user's code a tuple, in which unknown sizes are staged."""
        shape = self._tensor.spec.shape
        if _runtime_asks():
            return shape
        return tuple(self._sizes())

    @shape.setter
    def shape(self, shape: Any) -> None:
        raise ConcreteValueError(
            "the shape of an array that is known only at run time is assigned",
            where=user_line(), help="write 'a = a.reshape(shape)'",
        )

    @property
    def size(self) -> Any:
        """Number of elements."""
        return functools.reduce(operator.mul, self._sizes(), 1)

    @property
    def itemsize(self) -> int:
        """Number of bytes of an element."""
        return np.dtype(self._tensor.spec.dtype.as_numpy_dtype).itemsize

    @property
    def nbytes(self) -> Any:
        """Number of bytes of all elements."""
        return self.size * self.itemsize

    def _sizes(self) -> Sequence[Any]:
        dims = self._tensor.spec.shape.dims
        if dims is None:
            raise ValueError("the number of axes of this array is known only at run time")
        return self.used(sizes_of) if None in dims else dims

    @property
    def spec(self) -> TensorSpec:  # type: ignore[override]
        """Dtype and shape; and the value, as long as it is what is known of it."""
        spec = self._tensor.spec
        if spec.value is None or self.storage is None or self.storage.version is self._seen:
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
        if self.storage is None:
            check_supported(operator.getitem, self, key, raised=(TypeError, IndexError))
        check_key(key)
        user_key, key = key, fixed_key(key)
        tensor = self.used(lambda tensor: indexing.getitem(tensor, key))
        is_array = any(entry is Ellipsis for entry in parts_of(key))
        is_scalar = tensor.shape.rank == 0 and not is_array
        if self.storage is None or is_scalar or not is_basic(user_key):
            return self.fresh(tensor, is_array)
        view = (
            lambda base: indexing.getitem(base, key),
            lambda base, contents: indexing.setitem(base, key, contents),
        )
        return self._make(tensor, self.storage, self, view, (user_key, parts_of(key)))

    def __iter__(self) -> Iterator[Any]:
        dims = self.shape.dims
        if self.storage is None or not dims or dims[0] is None:
            return super().__iter__()
        return map(self.__getitem__, range(dims[0]))

    @property
    def T(self) -> Any:
        """The array with its axes in reverse order: a view."""
        if self.storage is None or self.shape.rank == 0:
            return self
        view = shape.transpose, lambda base, contents: shape.transpose(contents)
        return self.view_of(self, shape.transpose(self.current()), view)

    real = property(lambda x: PARTS["real"](x), lambda x, value: x.real.assign(..., value))
    imag = property(lambda x: PARTS["imag"](x), lambda x, value: x.imag.assign(..., value))
    flat = property(lambda x: METHODS["ravel"](x), lambda x, value: x.flat.assign(..., value))

    @property
    def mT(self) -> Any:
        """The matrices of the last two axes, transposed: a view."""
        tensor, view = super().mT, (matrix_transpose, lambda _, array: matrix_transpose(array))
        return tensor if self.storage is None else self._make(tensor, self.storage, self, view)

    def __copy__(self) -> SymbolicArray:
        return self.fresh(self.current(), self.storage is not None)

    def __deepcopy__(self, memo: Any) -> SymbolicArray:
        return memo.setdefault(id(self), self.__copy__())

    def copy(self) -> SymbolicArray:
        """A copy."""
        copied = self.__copy__()
        copied.is_packed = True
        return copied

    def fill(self, value: Any) -> None:
        """Set all elements; of a scalar a copy's."""
        (self if self.storage else self.fresh(self.current(), True)).assign(Ellipsis, value)

    def assign(self, key: Any, value: Any) -> None:
        """``self[key] = value`` of an array that has memory, and no variable that gets another."""
        if self.storage is not None and self.storage.rebinds:
            self.storage.links.refusal = (
                "is an array on one staged path, and a tensor or a number on another"
            )
        self._with_item(key, value)

    def __setitem__(self, key: Any, value: Any) -> None:
        if self.storage is None:
            check_supported(operator.setitem, self, key, value)
        self.assign(key, value)


def _runtime_asks() -> bool:
    """Whether the runtime reads an attribute, rather than code that takes it for an array."""
    return sys._getframe(2).f_code.co_filename.startswith(PACKAGE_FOLDER)
