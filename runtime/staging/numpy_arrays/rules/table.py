"""Ops that mean exactly what a call of NumPy's function on staged arrays means.

calls.py asks before it records a call of NumPy: engines fuse ops into native loops, and ops
have gradients.  A rule gives the tensor of the result, or raises NoEquivalentError: for dtypes and
arguments whose results, errors or warnings would be others.

    np.sqrt(x)          ->  sqrt(x)
    np.sum(x, axis=0)   ->  reduce_sum(x, axis=0), of small ints reduce_sum(cast(x, int64), axis=0)
    np.max(x)           ->  reduce_max(x) if x has elements, else numpy_max(x)
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops.array.concat_split import concat, stack
from runtime.ops.math.reduction import argmax_op, argmin_op
from runtime.ops.numpy_names import AXES, ELEMENTS, FLOATS, ORDER, SUMS, TRUTH, rows_of
from runtime.ops.python.call_numpy import FUNCTIONS
from runtime.staging.numpy_arrays.rules import elementwise, reductions, shapes
from runtime.staging.numpy_arrays.rules.operands import NoEquivalentError


def equivalent(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The tensor that a call of a function gives, recorded as ops; None if NumPy has to be called.
    """
    rule = _RULES.get(name)
    if rule is None or not args:
        return None
    try:
        _signature(rule).bind(*args, **kwargs)
    except TypeError:  # of arguments that it does not take
        return None
    try:
        return rule(*args, **kwargs)
    except NoEquivalentError:
        return None


_signature = functools.cache(inspect.signature)


def _rules() -> dict[str, Callable[..., Any]]:
    """By name of a function: its rule, whose signature says what the function may be given."""
    ops = {getattr(np, row.numpy): row.op for row in rows_of(ELEMENTS) if row.is_recorded}
    rules: dict[str, Callable[..., Any]] = {
        "numpy.angle": elementwise.angle,
        "numpy.concatenate": shapes.joined(concat, 0),
        "numpy.flip": shapes.flipped,
        "numpy.hstack": shapes.side_by_side,
        "numpy.linalg.norm": reductions.norm,
        "numpy.matmul": shapes.matmul,
        "numpy.outer": elementwise.outer_product,
        "numpy.reshape": shapes.reshaped_to,
        "numpy.stack": shapes.joined(stack, 1),
        "numpy.transpose": shapes.permuted,
        "numpy.tril": shapes.triangle(is_lower=True),
        "numpy.triu": shapes.triangle(is_lower=False),
        "numpy.vstack": shapes.one_below_the_other,
        "numpy.where": elementwise.where,
        "ndarray.astype": elementwise.converted,
        "ndarray.conj": elementwise.conjugated,
        "ndarray.conjugate": elementwise.conjugated,
        "ndarray.reshape": shapes.reshaped,
        "ndarray.transpose": shapes.transposed,
    }
    function: Any
    for name, function in FUNCTIONS.items():
        if function is np.power:
            rules[name] = elementwise.power
        elif isinstance(function, np.ufunc) and function in ops:
            rules[name] = elementwise.elementwise(function, ops[function])
            if function.nin == 2:
                rules[f"{name}.outer"] = elementwise.outer(function, ops[function])
        elif function in (np.float32, np.float64, np.complex64, np.complex128):
            rules[name] = elementwise.scalar_type(function)
    for name, rule in _OF_BOTH.items():
        rules[f"numpy.{name}"] = rules[f"ndarray.{name}"] = rule
    for name, modern_name in (("amax", "max"), ("amin", "min"), ("around", "round")):
        rules[f"numpy.{name}"] = _OF_BOTH[modern_name]
    return rules


_REDUCTIONS = {
    FLOATS: reductions.mean, ORDER: reductions.extreme, SUMS: reductions.summed,
    TRUTH: reductions.tested,
}  # fmt: skip
_OF_BOTH: dict[str, Callable[..., Any]] = {
    **{row.numpy: _REDUCTIONS[row.promotion](row) for row in rows_of(AXES) if row.is_recorded},
    "argmax": reductions.place(argmax_op),
    "argmin": reductions.place(argmin_op),
    "clip": elementwise.clip,
    "dot": shapes.dot,
    "ravel": shapes.raveled,
    "round": elementwise.rounded,
    "std": reductions.deviation,
    "swapaxes": shapes.swapped,
    "var": reductions.variance,
}
"""The functions that are methods of arrays, too."""
_RULES = _rules()
