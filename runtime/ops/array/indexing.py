"""Op definitions of indexing: ``x[key]`` in all of Python's and NumPy's forms.

A key is an attribute in which a :class:`KeyInput` replaces each tensor; the tensors themselves are
inputs.  So ``x[i, 1:n]`` has inputs ``x, i, n`` and key ``($0, slice(1, $1))``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array.constants import cast_op
from runtime.ops.op import INDEXES, RAISES, TAKES_WEAK, define
from runtime.ops.rules import elements, loops, selections
from runtime.ops.rules.inference import folding, with_sizes
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.lowering import Dims, Native, OnArrays, Operands, RunTimeInt, Selection
from runtime.ops.rules.samples import OpSample, array, case, spread
from runtime.types.dtypes import Array, int64
from runtime.types.errors import (
    IncompatibleShapesError,
    IndexOutOfBoundsError,
    MismatchedTypesError,
    TooManyIndicesError,
)
from runtime.types.shapes import UNKNOWN_SHAPE, TensorShape, TensorSpec
from runtime.types.value import Value

__all__: list[str] = []


class KeyInput:
    """Stands in a key for one of the tensor inputs after ``x``."""

    __slots__ = ("index",)
    counts_by_value = True

    def __init__(self, index: int) -> None:
        self.index = index

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KeyInput) and other.index == self.index

    def __hash__(self) -> int:
        return self.index

    def __repr__(self) -> str:
        return f"${self.index}"

    graph_text = __repr__


def map_key(key: tuple[Any, ...], leaf: Callable[[Any], Any]) -> tuple[Any, ...]:
    """The key with ``leaf`` applied to each entry and to the three parts of slices."""

    def mapped(item: Any) -> Any:
        if isinstance(item, slice):
            return slice(leaf(item.start), leaf(item.stop), leaf(item.step))
        return leaf(item)

    return tuple(mapped(item) for item in key)


def filled_key(key: tuple[Any, ...], values: tuple[Any, ...]) -> tuple[Any, ...]:
    def leaf(item: Any) -> Any:
        if not isinstance(item, KeyInput):
            return item
        value = values[item.index]
        if value is None:
            return item
        return int(value) if value.ndim == 0 and value.dtype.kind in "iu" else value

    return map_key(key, leaf)


def selection_of(
    dims: Dims, key: tuple[Any, ...], values: Sequence[Any]
) -> Selection | None:
    """The elements that a key selects of an array; None if it holds more than ints and slices.

    ``values`` are those of the tensors in the key, None where they are not known.
    """

    def leaf(item: Any) -> Any:
        if not isinstance(item, KeyInput):
            return item
        value = values[item.index]
        if value is None or value.ndim or value.dtype.kind not in "iu":
            return RunTimeInt(item.index)
        return int(value)

    return selections.by_key(dims, map_key(key, leaf))


def _viewed(dims: Dims, attrs: dict[str, Any], values: Sequence[Any]) -> Selection | None:
    """As ``selection_of``, but None for ints alone: they select an element or a row, which native
    code reads by ``array.item``.
    """
    key = attrs["key"]
    if all(type(item) in (int, KeyInput) for item in key):
        return None
    return selection_of(dims, key, values)


def _getitem(x: Array, *tensors: Array, key: tuple[Any, ...]) -> Any:
    return x[filled_key(key, tensors) if tensors else key]


def _consumes(item: Any, specs: tuple[TensorSpec, ...]) -> int | None:
    """How many dimensions of ``x`` an entry of a key takes up; None when not known."""
    if item is None or item is Ellipsis:
        return 0
    if isinstance(item, KeyInput):
        spec = specs[item.index]
        return spec.shape.rank if spec.dtype.is_bool else 1
    if isinstance(item, np.ndarray) and item.dtype == bool:
        return item.ndim
    return 1


def _part_dims(item: Any, dim: int | None, specs: tuple[TensorSpec, ...]) -> list[Any]:
    """The dimensions that one entry of a key leaves behind."""
    if isinstance(item, slice):
        bounds = (item.start, item.stop, item.step)
        if any(isinstance(b, np.ndarray) for b in bounds):
            raise IncompatibleShapesError(
                f"the bounds of a slice must be scalars, got an array in {item}"
            )
        if type(item.step) is int and item.step == 0:
            raise IncompatibleShapesError(f"the step of a slice must not be 0, in {item}")
        if all(b is None for b in bounds):
            return [dim]
        if dim is None or any(isinstance(b, KeyInput) for b in bounds):
            return [None]
        return [len(range(*item.indices(dim)))]
    if isinstance(item, KeyInput):
        spec = specs[item.index]
        return [None] if spec.dtype.is_bool else list(spec.shape.dims or ())
    if isinstance(item, np.ndarray):
        return [int(item.sum())] if item.dtype == bool else list(item.shape)
    if dim is not None and not -dim <= item < dim:
        raise IndexOutOfBoundsError(
            f"slice index {item} of dimension of size {dim} is out of bounds"
        )
    return []


def _is_advanced(item: Any, specs: tuple[TensorSpec, ...]) -> bool:
    if isinstance(item, KeyInput):
        return specs[item.index].dtype.is_bool or specs[item.index].shape.rank != 0
    return isinstance(item, np.ndarray)


def _getitem_infer(x: TensorSpec, *specs: TensorSpec, key: tuple[Any, ...]) -> TensorSpec:
    key = filled_key(key, tuple(spec.value for spec in specs))
    dims = x.shape.dims
    if dims is None:
        return TensorSpec(UNKNOWN_SHAPE, x.dtype)
    used = [_consumes(item, specs) for item in key]
    if any(isinstance(item, KeyInput) and specs[item.index].shape.rank is None for item in key):
        return TensorSpec(UNKNOWN_SHAPE, x.dtype)
    total = sum(u for u in used if u is not None)
    if total > len(dims):
        raise TooManyIndicesError(
            f"too many indices: the tensor has rank {len(dims)}, shape {x.shape}, but the index "
            f"takes up {total} dimensions"
        )
    return TensorSpec(_key_shape(key, dims, total, specs), x.dtype)


def _key_shape(
    key: tuple[Any, ...], dims: tuple[int | None, ...], total: int, specs: tuple[TensorSpec, ...]
) -> TensorShape:
    special = [p for p in key if _is_advanced(p, specs)]
    ordinary = [p for p in key if p is None or p is Ellipsis or isinstance(p, slice)]
    picking = len(key) - len(ordinary)
    if special and picking > 1:  # NumPy moves axes about here
        if None not in dims and not any(isinstance(p, KeyInput) for p in key):
            try:
                example: Any = np.broadcast_to(np.zeros(()), dims)  # type: ignore[arg-type]
                return TensorShape(example[key].shape)
            except IndexError as error:
                raise IndexOutOfBoundsError(str(error)) from None
        return UNKNOWN_SHAPE
    items = list(key) if any(p is Ellipsis for p in key) else [*key, Ellipsis]
    result_dims: list[int | None] = []
    at = 0
    for item in items:
        if item is Ellipsis:
            skip = len(dims) - total
            result_dims += dims[at : at + skip]
            at += skip
        elif item is None:
            result_dims.append(1)
        else:
            result_dims += _part_dims(item, dims[at] if at < len(dims) else None, specs)
            at += _consumes(item, specs) or 0
    return TensorShape(result_dims)


def _of_sizes(x: TensorSpec, *specs: TensorSpec, key: tuple[Any, ...]) -> TensorSpec:
    """As ``_getitem_infer``; of a vector of sizes also the sizes that are picked, if known."""
    spec = _getitem_infer(x, *specs, key=key)
    if x.sizes is None or len(key) != 1:
        return spec
    (item,) = filled_key(key, tuple(s.value for s in specs))
    if isinstance(item, int):
        size = x.sizes[item]
        value = None if size is None else np.array(size, x.dtype.as_numpy_dtype)
        return TensorSpec(spec.shape, spec.dtype, None, value)
    if not isinstance(item, slice):
        return spec
    ends = (item.start, item.stop, item.step)
    if any(end is not None and not isinstance(end, int) for end in ends):
        return spec
    return with_sizes(spec, x.sizes[item])


_known_getitem = folding(_getitem, _of_sizes)


def _cases() -> list[OpSample]:
    x, picks = spread(-3, 3, 3, 4), array([2, 0])
    keys: list[Any] = [
        (1,), (slice(None, None, -2),), (Ellipsis, None, -1), (picks, 1), (slice(1), picks),
        (x > 0,), (np.array([True, False, True]),), (picks, slice(None), None), (),
    ]  # fmt: skip
    return [
        *[case(x, key=key) for key in keys],
        case(x, 1, 3, key=(KeyInput(0), slice(None, KeyInput(1)))),
        case(x, picks, key=(slice(None), KeyInput(0))),
        case(x, x > 0, key=(KeyInput(0),)),
        case(array(["a", "b"]), 1, key=(KeyInput(0),)),
    ]


getitem_op = define(
    "getitem",
    inputs="x *indices",
    same_dtype_inputs=None,
    kernel=_getitem,
    infer=_known_getitem,
    grad=lazy_gradient("indexing.getitem"),
    node_name="strided_slice",
    traits=(INDEXES,),
    lower=OnArrays("array.item", selects=_viewed, element=elements.picked, plan=loops.kept_by_mask),
    samples=_cases,
    doc="Index a tensor: ``x[key]``; tensors in the key are inputs.",
)


def _setitem(x: Array, value: Array, *tensors: Array, key: tuple[Any, ...]) -> Any:
    copy, places = _before(x, key), filled_key(key, tensors)
    copy[places] = np.broadcast_to(value, np.shape(copy[places]))
    return copy


def _before(x: Array, key: tuple[Any, ...]) -> Any:
    """A copy; an array without values of its own if a key selects all elements."""
    only = key[0] if len(key) == 1 else None
    is_all = only is Ellipsis or type(only) is slice and only == slice(None)
    if is_all and x.ndim > 0 and x.dtype != object:
        return np.empty(x.shape, x.dtype)
    return np.array(x)


def _setitem_infer(
    x: TensorSpec, value: TensorSpec, *specs: TensorSpec, key: tuple[Any, ...]
) -> TensorSpec:
    target, value_shape = _getitem_infer(x, *specs, key=key).shape, value.shape
    if target.dims is not None and value_shape.dims is not None:
        extra = len(value_shape.dims) - len(target.dims)
        pairs = zip(reversed(value_shape.dims), reversed(target.dims))
        if extra > 0 or any(
            d not in (1, None) and p is not None and d != p for d, p in pairs
        ):
            raise IncompatibleShapesError(
                f"could not broadcast a value of shape {value_shape} to the shape {target} of "
                "what it is "
                "assigned to"
            )
    return TensorSpec(x.shape, x.dtype)


setitem_op = define(
    "setitem",
    inputs="x value *indices",
    same_dtype_inputs=np.s_[0:2],
    kernel=_setitem,
    infer=_setitem_infer,
    grad=lazy_gradient("indexing.setitem"),
    node_name="TensorStridedSliceUpdate",
    traits=(INDEXES,),
    lower=OnArrays("array.set", element=elements.masked, plan=loops.written_at_key),
    samples=lambda: [
        case(spread(-3, 3, 3, 4), 2.5, spread(-3, 3, 3, 4) > 0, key=(KeyInput(0),)),
        case(spread(-3, 3, 2, 3), spread(0, 1, 3), np.array([True, False]), key=(KeyInput(0),)),
        case(spread(-3, 3, 2, 2), array([7.0, 8.0]), spread(-3, 3, 2, 2) > 0, key=(KeyInput(0),)),
        case(spread(-3, 3, 3, 4), 2.5, key=(1,)),
        case(spread(-3, 3, 3, 4), spread(0, 1, 4), key=(slice(None),)),
        case(spread(-3, 3, 3, 4), spread(0, 1, 4), 1, key=(slice(KeyInput(0), None),)),
        case(spread(-3, 3, 3, 4), array([1.5, 2.5]), array([2, 0]), key=(KeyInput(0), -1)),
        case(array(["a", "b"]), array("c"), 1, key=(KeyInput(0),)),
    ],
    doc="Copy ``x`` and assign ``copy[key] = value``; tensors in the key are inputs.",
)


NUMBER, SCALAR, ARRAY = "number", "scalar", "array"
"""What a value that is assigned is for NumPy: a Python number, a scalar of NumPy's, an array."""


def _assign_items(x: Array, value: Array, *tensors: Array, key: tuple[Any, ...], form: str) -> Any:
    copy = _before(x, key)
    items: Any = np.asarray(value)
    if form == NUMBER:
        items = items.item()
    copy[filled_key(key, tensors)] = items[()] if form == SCALAR else items
    return copy


def _assign_items_infer(
    x: TensorSpec, value: TensorSpec, *specs: TensorSpec, key: tuple[Any, ...], form: str
) -> TensorSpec:
    _getitem_infer(x, *specs, key=key)
    return TensorSpec(x.shape, x.dtype)


assign_items_op = define(
    "assign_items",
    inputs="x value *indices",
    same_dtype_inputs=None,
    kernel=_assign_items,
    infer=_assign_items_infer,
    grad=lazy_gradient("indexing.assign_items"),
    lower=OnArrays("array.set", element=elements.masked, plan=loops.written_at_key),
    traits=(RAISES, TAKES_WEAK),
    raises=(ValueError, TypeError, IndexError, OverflowError),
    samples=lambda: [
        case(spread(-3, 3, 3, 4), 2.5, key=(1,), form=NUMBER),
        case(spread(-3, 3, 3, 4), spread(0, 1, 4), 1, key=(slice(KeyInput(0), None),), form=ARRAY),
        case(array([1, 2, 3]), 2.5, 1, key=(KeyInput(0),), form=SCALAR),
        case(array([1, 2, 3]), array([2.5]), key=(slice(1, None),), form=ARRAY),
    ],
    doc="Copy ``x`` and assign ``copy[key] = value`` as NumPy does, which casts the value.",
)


def _position(index: Array, size: Any, *, message: str) -> Any:
    number, size = int(index), int(size)
    if not -size <= number < size:
        raise IndexError(message.replace("{index}", str(number)))
    return np.int64(number % size)


position_op = define(
    "position",
    inputs="index",
    same_dtype_inputs=None,
    kernel=_position,
    infer=lambda index, *, size, message: TensorSpec((), int64),
    dtype_kinds="biu",
    grad=None,
    traits=(RAISES, TAKES_WEAK),
    raises=(IndexError,),
    lower=Native("position", mixed=True, operands=lambda attrs: Operands(
        (KeyInput(0), attrs["size"]), {"message": attrs["message"]}
    )),
    samples=lambda: [case(1, size=3, message=""), case(-1, size=3, message="")],
    doc="Convert a Python index into ``size`` items to one from 0; IndexError if out of range.",
)


def getitem(x: Any, key: Any) -> Any:
    """``x[key]`` for a tensor: ints, slices, ``...``, None, masks, index arrays, tensors of those.

    An index outside of its dimension is an InvalidArgumentError (and IndexError).
    """
    template, tensors = split_key(key)
    return getitem_op.apply((x, *tensors), {"key": template})


def setitem(x: Any, key: Any, value: Any) -> Any:
    """A copy of a tensor with ``copy[key] = value``; keys as in ``getitem``.

    The value is broadcast to the shape of ``x[key]``; IncompatibleShapesError if it cannot be.
    """
    template, tensors = split_key(key)
    return setitem_op(x, value, *tensors, key=template)


def _with_whole_bounds(item: Any) -> Any:
    """A slice whose bounds are no bools: Python takes these for ints."""
    return slice(*map(_whole, (item.start, item.stop, item.step))) if type(item) is slice else item


def _whole(bound: Any) -> Any:
    if getattr(bound, "weak", False) and bound.dtype.is_bool:
        return cast_op(bound, dtype=int64)
    return int(bound) if isinstance(bound, bool) else bound


def _is_plain(key: tuple[Any, ...]) -> bool:
    """Whether a key is as ops hold it: of Python's own ints, slices of those, ``...`` and None."""
    for item in key:
        if type(item) is slice:
            for bound in (item.start, item.stop, item.step):
                if bound is not None and type(bound) is not int:
                    return False
        elif type(item) is not int and item is not None and item is not Ellipsis:
            return False
    return True


def split_key(key: Any) -> tuple[tuple[Any, ...], list[Any]]:
    """A key as ops hold it, and the tensors in it."""
    plain_key = key if type(key) is tuple else (key,)
    if _is_plain(plain_key):  # as most are
        return plain_key, []
    items = tuple(map(_with_whole_bounds, key if isinstance(key, tuple) else (key,)))
    tensors: list[Any] = []

    def leaf(item: Any) -> Any:
        if isinstance(item, list):
            item = np.array(item) if item else np.array(item, int)
        if isinstance(item, Value) or dispatch.conversion_for(item) is not None:
            python_int = getattr(item, "weak", False) and item.dtype is int64
            tensors.append(dispatch.convert(item, int64 if python_int else None))
            return KeyInput(len(tensors) - 1)
        if isinstance(item, np.generic):
            item = item.item() if item.dtype.kind != "b" else np.asarray(item)
        if isinstance(item, bool):
            item = np.asarray(item)
        if isinstance(item, np.ndarray) and item.dtype.kind in "biu":
            return item if item.ndim or item.dtype == bool else int(item)
        if item is None or item is Ellipsis:
            return item
        if hasattr(item, "__index__") and not isinstance(item, np.ndarray):
            return item.__index__()
        raise MismatchedTypesError(
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`), boolean masks "
            f"and integer tensors are valid indices, got {item!r}"
        )

    template = map_key(items, leaf)
    for tensor in tensors:
        if not (tensor.dtype.is_integer or tensor.dtype.is_bool):
            raise MismatchedTypesError(
                f"A tensor used as an index must hold integers or booleans, got dtype "
                f"{tensor.dtype.name}. Use runtime.cast(index, runtime.int32)."
            )
    return template, tensors
