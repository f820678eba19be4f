"""Rules of Python's numbers: ints that leave 64 bits, and divisions by zero, do not count.

A guard may be too strict: the run is repeated by the CPU's engine then, which gives the result or
raises what Python raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from runtime.engine.xla.interpreter import KIND_RULES, RULES, XLARefusal, require
from runtime.graph.operation import Operation
from runtime.ops.op import PythonKernel

_LARGE = 9.2e18
_EXACT = 2.0**53


def _float(x: Any) -> Any:
    return jnp.asarray(x).astype(np.float64)


def _sum(function: Callable[..., Any]) -> Callable[..., Any]:
    def rule(x: Any, y: Any) -> Any:
        if _is_int(x, y):
            require(jnp.abs(function(_float(x), _float(y))) < _LARGE)
        return function(x, y)

    return rule


def _is_int(*values: Any) -> bool:
    return all(x.dtype.kind == "i" for x in values)


def _one(function: Callable[..., Any]) -> Callable[..., Any]:
    def rule(x: Any) -> Any:
        if _is_int(x):
            require(x != np.iinfo(np.int64).min)
        return function(x)

    return rule


def _true_division(x: Any, y: Any) -> Any:
    require(y != 0)
    if _is_int(x, y):
        require((jnp.abs(_float(x)) <= _EXACT) & (jnp.abs(_float(y)) <= _EXACT))
    return jnp.divide(_float(x), _float(y)) if _is_int(x, y) else jnp.divide(x, y)


def _whole_division(name: str) -> Callable[..., Any]:
    def rule(x: Any, y: Any) -> Any:
        require(y != 0)
        if _is_int(x, y):
            require((x != np.iinfo(np.int64).min) | (y != -1))
        return RULES[name](x, y)

    return rule


def _power(x: Any, y: Any) -> Any:
    size = jnp.power(_float(x), _float(y))
    if _is_int(x, y):
        require((y >= 0) & (jnp.abs(size) < _LARGE))
        return jnp.power(x, jnp.maximum(y, 0))
    require(jnp.isfinite(size))
    return jnp.power(x, y)


def _left_shift(x: Any, y: Any) -> Any:
    require((y >= 0) & (y < 63) & (jnp.abs(_float(x)) * jnp.exp2(_float(y)) < _LARGE))
    return jnp.left_shift(x, jnp.clip(y, 0, 63))


def _right_shift(x: Any, y: Any) -> Any:
    require(y >= 0)
    return jnp.right_shift(x, jnp.clip(y, 0, 63))


_RULES: dict[str, Callable[..., Any]] = {
    "add": _sum(jnp.add), "subtract": _sum(jnp.subtract), "multiply": _sum(jnp.multiply),
    "negative": _one(jnp.negative), "abs": _one(jnp.abs), "positive": _one(jnp.positive),
    "truediv": _true_division, "floordiv": _whole_division("floordiv"),
    "floormod": _whole_division("floormod"), "pow": _power,
    "left_shift": _left_shift, "right_shift": _right_shift,
    "bitwise_and": jnp.bitwise_and, "bitwise_or": jnp.bitwise_or, "bitwise_xor": jnp.bitwise_xor,
    "invert": jnp.invert, "maximum": jnp.maximum, "minimum": jnp.minimum,
}  # fmt: skip


def rule_of(node: Operation) -> Callable[..., Any]:
    """Return the rule of an operation on Python's numbers; XLARefusal when there is none."""
    dtypes = {tensor.dtype for tensor in (*node.inputs, *node.outputs)}
    rule = _RULES.get(node.op_def.name)
    if rule is None or any(dtype.is_complex for dtype in dtypes):
        raise XLARefusal("Python's arithmetic of these numbers is not XLA's")
    return rule


KIND_RULES[PythonKernel] = rule_of
