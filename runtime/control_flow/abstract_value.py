"""Abstract values: types of staged values on one path, and their join over two paths.

A :class:`Spec` describes a tensor or a Python number, bool or text; the latter are *weak*: they
take the dtype of the tensor that they meet (promotion.py).  staging/backend.py passes specs to
autograph.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.eager.tensor import Tensor
from runtime.graph.graph import Graph
from runtime.graph.operation import SymbolicTensor
from runtime.graph.python_values import PYTHON_KINDS, weak_constant
from runtime.graph.trace import too_large
from runtime.ops.array.shape import ensure_shape
from runtime.ops.control_flow.cond_while import truth
from runtime.ops.resource.lists import list_new
from runtime.ops.resource.tensor_array import ArraySpec
from runtime.staging.numpy_arrays.symbolic_array import SymbolicArray
from runtime.staging.python_numbers.unsupported import check_shapes
from runtime.state.variable import Variable
from runtime.types import promotion
from runtime.types.dtypes import DTYPE_OF_NUMPY, DType, complex128, float64, int64, variant
from runtime.types.shapes import SCALAR_SHAPE, TensorShape, TensorSpec


class Spec(NamedTuple):
    """Type of a staged value: dtype, static shape, and whether it stands for a Python value."""

    dtype: DType
    shape: TensorShape
    weak: bool = False
    element: TensorShape | None = None
    """Shape of the entries of a tensor array."""

    @property
    def tensor_spec(self) -> TensorSpec:
        """TensorSpec of the dtype and shape."""
        if self.element is not None:
            return ArraySpec(self.element)
        return TensorSpec(self.shape, self.dtype)

    def __repr__(self) -> str:
        if self.weak:
            kind = promotion.KINDS[self.dtype]
            return f"a Python {kind}"
        return f"a tensor of dtype {self.dtype.name} and shape {self.shape}"


@functools.lru_cache(maxsize=4096)
def _known_spec(dtype: DType, dims: tuple[int | None, ...] | None, weak: bool) -> Spec:
    """Return the one Spec of a type, so that identical specs need no join."""
    return Spec(dtype, TensorShape(dims), weak)


@functools.lru_cache(maxsize=256)
def _array_spec(dims: tuple[int | None, ...] | None) -> Spec:
    """Return the one Spec of tensor arrays whose entries have a shape."""
    return Spec(variant, SCALAR_SHAPE, element=TensorShape(dims))


WEAK_KINDS: dict[type, str] = {**PYTHON_KINDS}
"""Kind of the weak tensor that stands for a value of a class; staging adds its texts."""

PYTHON_TYPES: dict[DType, type] = {
    promotion.WEAK_DTYPE[kind]: python for python, kind in PYTHON_KINDS.items()
}
"""Dtype of a weak tensor -> Python type that it stands for."""


def spec_of(value: object) -> Spec | None:
    """Return the spec of a value, or None if it cannot be a tensor."""
    if isinstance(value, SymbolicTensor):
        if isinstance(value.spec, ArraySpec):
            return _array_spec(value.spec.element.dims)
        return _known_spec(value.dtype, value.shape.dims, value.weak)
    if isinstance(value, Tensor | Variable):
        return _known_spec(value.dtype, value.shape.dims, False)
    kind = WEAK_KINDS.get(type(value))
    if kind is not None:
        return _known_spec(promotion.WEAK_DTYPE[kind], (), True)
    if isinstance(value, np.ndarray | np.generic):
        dtype = DTYPE_OF_NUMPY.get(value.dtype)
        return None if dtype is None else _known_spec(dtype, value.shape, False)
    return None


def joint_spec(left: Spec, right: Spec) -> Spec:
    """Join two specs: return the narrowest that describes both; TypeError if there is none."""
    if left.element is not None and right.element is not None:
        return _array_spec(left.element.most_specific_compatible_shape(right.element).dims)
    dims = left.shape.most_specific_compatible_shape(right.shape).dims
    if left.weak and right.weak:
        return _known_spec(_joint_carrier(left.dtype, right.dtype), dims, True)
    if left.weak or right.weak:
        weak, strong = (left, right) if left.weak else (right, left)
        try:
            promotion.check_weak_takes(weak.dtype, strong.dtype)
        except TypeError:
            raise _differ(left, right) from None
        return _known_spec(strong.dtype, dims, False)
    if left.dtype is not right.dtype:
        raise _differ(left, right)
    return _known_spec(left.dtype, dims, False)


def _differ(left: Spec, right: Spec) -> TypeError:
    return TypeError(f"it is {left!r} on one path and {right!r} on the other")


def _joint_carrier(left: DType, right: DType) -> DType:
    if left is right:
        return left
    for wide in (float64, complex128):
        if {left, right} <= {int64, float64, wide}:
            return wide
    kinds = [promotion.KINDS[dtype] for dtype in (left, right)]
    raise TypeError(f"it is a Python {kinds[0]} on one path and a Python {kinds[1]} on the other")


def converted(graph: Graph, value: Any, spec: Spec) -> SymbolicTensor:
    """Convert a value to a tensor of ``graph`` that ``spec`` describes.

    TypeError if the value has another dtype, OverflowError if a number does not fit.
    """
    value = value.read_value() if isinstance(value, Variable) else value
    if spec.dtype is variant:
        return graph.as_local(value)
    if type(value) is int and spec.weak and not int64.min <= value <= int64.max:
        return too_large(graph, value)
    if type(value) in PYTHON_KINDS and spec.weak:
        return _carried(graph, weak_constant(graph, value), spec.dtype)
    if type(value) in PYTHON_KINDS or not isinstance(value, Tensor):
        return graph.convert(value, spec.dtype, None)
    tensor = graph.as_local(value)
    if spec.weak and tensor.weak:
        return _carried(graph, tensor, spec.dtype)
    if tensor.weak:
        return graph.strengthen(tensor, spec.dtype)
    if tensor.dtype is not spec.dtype:
        raise TypeError(f"{tensor!r} does not fit {spec!r}")
    return tensor


def _carried(graph: Graph, tensor: SymbolicTensor, carrier: DType) -> SymbolicTensor:
    if tensor.dtype is carrier:
        return tensor
    return graph.strengthen(tensor, carrier, weak=True)


def filler(graph: Graph, spec: Spec) -> SymbolicTensor:
    """Return zeros that ``spec`` describes; unknown dimensions get the size 1."""
    if spec.dtype is variant:
        return list_new(width=0, count=0)
    dims = [1 if d is None else d for d in spec.shape.dims or ()]
    kind: Any = b"" if spec.dtype.as_numpy_dtype is object else 0
    return graph.constant(np.full(dims, kind, spec.dtype.as_numpy_dtype), spec.weak)


def with_shape(tensor: SymbolicTensor, shape: TensorShape) -> SymbolicTensor:
    """Return the tensor with a static shape that is compatible with its own."""
    if tensor.shape.is_subtype_of(shape):
        return tensor
    weak = tensor.weak
    result: SymbolicTensor = ensure_shape(tensor, shape)
    result.weak = weak
    return result


def truth_of(value: Any) -> Any:
    """Return Python's ``bool(value)`` of a staged value; a scalar bool tensor is returned as is."""
    if isinstance(value, Variable):
        value = value.read_value()
    if isinstance(value, SymbolicTensor) and value.dtype.is_bool and value.shape.rank == 0:
        return value
    check_truth(value)
    return truth(value)


def check_truth(value: Any) -> None:
    """Raise NumPy's ValueError for an array that has more or fewer elements than one."""
    if type(value) is SymbolicArray:
        check_shapes(bool, value)

