"""Python's operators of eager tensors, by the ``overloads`` of the op definitions.

An operator between two plain eager tensors of one dtype takes a short cut past the interpreter;
everything else goes through ``dispatch.apply``.  Importing the room defines them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.tracing import TRACES
from runtime import ops
from runtime.eager.repetition import counts, repeated
from runtime.eager.tensor import (
    FLOATS,
    WIDE_INTEGERS,
    Tensor,
    new_tensor,
    silent_run,
    wrap,
)
from runtime.ops import dispatch
from runtime.ops.dispatch import ACTIVE, RULES, Operator, is_eager_thread, notify, operator_rule
from runtime.ops.op import TABLE, OpDef, dtypes_of_kinds
from runtime.types import promotion
from runtime.types.conversion import INT32_MAX, INT32_MIN
from runtime.types.dtypes import DTYPE_OF_NUMPY
from runtime.types.shapes import SCALAR_SHAPE, TensorSpec

_apply, _asarray, _ndarray = dispatch.apply, np.asarray, np.ndarray

_PYTHON = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq,
    "!=": operator.ne, "&": operator.and_, "|": operator.or_,
}  # fmt: skip
"""By the text of an op's Python operator: the function of it."""

REFLECTED: set[type] = set()
"""Classes of operands on the right whose own methods compute, such as ``__radd__``."""


def _numbers(op: OpDef, allowed: frozenset[np.dtype[Any]]) -> frozenset[type]:
    """Return NumPy's scalar classes for which Python's operator is the kernel, to the last bit.

    NumPy multiplies complex scalars and arrays of them differently.
    """
    known = op.python_operator
    if known is None or known.text not in _PYTHON:
        return frozenset()
    specs = {d: TensorSpec(SCALAR_SHAPE, DTYPE_OF_NUMPY[d]) for d in allowed if d.kind in "biuf"}
    return frozenset(d.type for d, spec in specs.items() if known.applies([spec, spec], None))


def _general(op: OpDef, reflected: bool, attrs: dict[str, Any]) -> Operator:
    """Make the method that takes any operands."""

    def general(self: Any, other: Any) -> Any:
        both = (other, self) if reflected else (self, other)
        if op.repeats and isinstance(other, list | tuple | str) and counts(self):
            return repeated(other, int(self._array))
        try:
            return NotImplemented if type(other) in REFLECTED else _apply(op, both, {**attrs})
        except dispatch.OpOverride:
            return op(*both, **attrs)

    return general


def _binary(op: OpDef, method_name: str, reflected: bool = False, **attrs: Any) -> Operator:
    """Make the method ``x op y`` (or ``y op x``), with a short cut for plain eager tensors.

    The short cut covers two tensors of one dtype, and a Python number beside a tensor.  Whatever
    goes wrong in it goes wrong again, with a proper message, on the general path.  Of tensors
    without axes it computes with NumPy's scalars, which takes a fifth of the kernel's time.
    """
    kernel = op.kernel  # which gives bytes of one string, instead of an array
    allowed = dtypes_of_kinds(op.dtype_kinds.replace("O", "") or "biufc")
    numbers = _numbers(op, allowed)
    is_ufunc = isinstance(kernel, np.ufunc)
    general = _general(op, reflected, attrs)
    of_numbers = _PYTHON[op.python_operator.text] if op.python_operator and numbers else kernel

    def method(self: Any, other: Any) -> Any:
        if RULES and (rule := operator_rule.get()) is not None:
            return rule(method_name, general, self, other)
        if type(self) is not Tensor or TRACES and not is_eager_thread():
            return general(self, other)
        x, kind, compute = self._array, type(other), kernel
        if kind is Tensor:
            y, held = other._array, type(x)
            if held is not _ndarray or not x.ndim:
                if held is not _ndarray and held is type(y) and held in numbers:
                    compute = of_numbers
                elif type(y) is not _ndarray or not y.ndim:
                    first = x[()] if held is _ndarray else x
                    second = y[()] if type(y) is _ndarray else y
                    if type(first) is type(second) and type(first) in numbers:
                        x, y, compute = first, second, of_numbers
            if compute is kernel and (y.dtype is not (dtype := x.dtype) or dtype not in allowed):
                return general(self, other)
        elif (kind is float or kind is int) and (dtype := x.dtype) in allowed:
            if dtype not in FLOATS and not (
                kind is int and dtype in WIDE_INTEGERS and INT32_MIN <= other <= INT32_MAX
            ):
                return general(self, other)
            try:
                if x.ndim and is_ufunc:  # which takes an array sooner than a scalar
                    y = silent_run(_asarray, other, dtype)
                else:
                    y = silent_run(dtype.type, other)
            except Exception:
                return general(self, other)
            if not x.ndim and dtype.type in numbers:
                x, compute = x[()], of_numbers
        else:
            return general(self, other)
        try:
            tensor = new_tensor()
            tensor._array = silent_run(compute, y, x) if reflected else silent_run(compute, x, y)
        except Exception:  # the general path words it
            return _apply(op, (other, self) if reflected else (self, other), {**attrs})
        if ACTIVE:
            if kind is not Tensor:
                other = wrap(dtype.type(y))
            notify(op, (other, self) if reflected else (self, other), attrs, tensor)
        return tensor

    return method


def _unary(op: OpDef) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        return op.direct(self)

    return method


def _install_operators() -> None:
    """Define the operators of Tensor by the ``overloads`` of op definitions."""
    for op in TABLE.loaded():
        for position, spell in enumerate(s for s in op.overloads if isinstance(s, str)):
            _define(_unary(op) if op.arity == 1 else _binary(op, spell, position > 0), spell, op)


def _define(method: Any, spell: str, op: OpDef) -> None:
    method.__name__ = spell
    method.__qualname__ = f"Tensor.{spell}"
    method.__doc__ = op.__doc__
    setattr(Tensor, spell, method)


def _unless_unlike(compare: Operator) -> Operator:
    """Leave comparisons with what is no tensor to the other operand."""

    def method(self: Any, other: Any) -> Any:
        return NotImplemented if promotion.is_unlike(self, other) else compare(self, other)

    return method


_install_operators()
# No operator is spelled by the families that are left.
TABLE.load_with(ops.families_of_graphs, ops.families)
# Shapes that do not broadcast are not equal, rather than an error, as in TensorFlow 2.
for _spell, _op in (("__eq__", ops.comparison.equal), ("__ne__", ops.comparison.not_equal)):
    _compare = _binary(_op, _spell, incompatible_shape_error=False)
    _define(_unless_unlike(_compare), _spell, _op)
