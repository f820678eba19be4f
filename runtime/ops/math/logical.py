"""Op definitions on booleans and bits: and, or, xor, not, shifts."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from runtime.ops.op import (
    ARITHMETIC,
    COMMUTATIVE,
    ELEMENTWISE,
    IDEMPOTENT,
    INVOLUTION,
    OpDef,
    PythonKernel,
    PythonOperator,
    Trait,
    define,
)
from runtime.ops.rules.inference import broadcast, same
from runtime.ops.rules.lowering import Native
from runtime.ops.rules.never_raises import by_no_negative
from runtime.ops.rules.samples import boolean_pairs, booleans, case, integer_pairs, integers
from runtime.types.dtypes import Array
from runtime.types.errors import InvalidArgumentError

__all__ = ["logical_and", "logical_not", "logical_or", "logical_xor"]

BITS = "biu"


def _logical(
    name: str,
    kernel: Any,
    node_name: str,
    doc: str,
    identity: bool,
    *other_traits: Trait,
    **fields: Any,
) -> OpDef:
    return define(
        name, inputs="x y", kernel=kernel, infer=broadcast, dtype_kinds="b", grad=None,
        node_name=node_name,
        overloads=(kernel,), traits=(ELEMENTWISE, COMMUTATIVE, *other_traits),
        lower=Native(name.removeprefix("logical_")),
        identity={"b": (identity, identity)}, samples=boolean_pairs, doc=doc, **fields,
    )  # fmt: skip


logical_and = _logical(
    "logical_and", np.logical_and, "LogicalAnd",
    "Compute the logical AND of booleans element-wise, with broadcasting.", True,
    IDEMPOTENT, python_operator=PythonOperator("&"),
)
logical_or = _logical(
    "logical_or", np.logical_or, "LogicalOr",
    "Compute the logical OR of booleans element-wise, with broadcasting.", False,
    IDEMPOTENT, python_operator=PythonOperator("|"),
)
logical_xor = _logical(
    "logical_xor", np.logical_xor, "LogicalXor",
    "Compute the logical XOR of booleans element-wise, with broadcasting.",
    False,
)
logical_not = define(
    "logical_not", kernel=np.logical_not, infer=same, dtype_kinds="b", grad=None,
    node_name="LogicalNot",
    lower=Native("not"),
    overloads=(np.logical_not,), traits=(ELEMENTWISE, INVOLUTION), samples=booleans,
    python_operator=PythonOperator("~", on_numbers="not {0}"),
    doc="Compute the logical NOT of each boolean.",
)  # fmt: skip


def _bits(name: str, kernel: Any, node_name: str, dunder: str, doc: str,
          identity: tuple[bool, int], *other_traits: Trait) -> OpDef:  # fmt: skip
    logical, number = identity
    return define(
        name, inputs="x y", kernel=kernel, infer=broadcast, dtype_kinds=BITS, grad=None,
        node_name=node_name,
        overloads=(f"__{dunder}__", f"__r{dunder}__", kernel),
        traits=(ELEMENTWISE, ARITHMETIC, COMMUTATIVE, *other_traits),
        identity={"b": (logical, logical), "iu": (number, number)},
        samples=lambda: boolean_pairs() + integer_pairs(), doc=doc,
        lower=Native(name.removeprefix("bitwise_")),
    )  # fmt: skip


bitwise_and = _bits(
    "bitwise_and", np.bitwise_and, "BitwiseAnd", "and",
    "Compute the bitwise AND of integers, or the logical AND of booleans.",
    (True, -1), IDEMPOTENT,
)
bitwise_or = _bits(
    "bitwise_or", np.bitwise_or, "BitwiseOr", "or",
    "Compute the bitwise OR of integers, or the logical OR of booleans.",
    (False, 0), IDEMPOTENT,
)
bitwise_xor = _bits(
    "bitwise_xor", np.bitwise_xor, "BitwiseXor", "xor",
    "Compute the bitwise XOR of integers, or the logical XOR of booleans.",
    (False, 0),
)
invert = define(
    "invert", kernel=np.invert, infer=same, dtype_kinds=BITS, grad=None, node_name="Invert",
    lower=Native("not"),
    overloads=("__invert__", np.invert), traits=(ELEMENTWISE, ARITHMETIC, INVOLUTION),
    samples=lambda: booleans() + integers(),
    doc="Flip every bit of each integer, or negate each boolean.",
)  # fmt: skip


def _shift(ufunc: Any) -> Any:
    def kernel(x: Array, y: Array) -> Any:
        result = ufunc(x, y)  # first: it raises on shapes that do not fit
        if y.dtype.kind == "i" and (y < 0).any():
            raise InvalidArgumentError(f"negative shift count {np.min(y)}; shift the other way")
        return result

    return kernel


left_shift = define(
    "left_shift", inputs="x y", kernel=_shift(np.left_shift), infer=broadcast, dtype_kinds="iu",
    grad=None, node_name="LeftShift", overloads=("__lshift__", "__rlshift__", np.left_shift),
    traits=(ELEMENTWISE, ARITHMETIC), never_raises=by_no_negative, identity={"iu": (None, 0)},
    python_kernel=PythonKernel(
        operator.lshift, (ValueError,), bounded=False, is_safe=lambda count: count >= 0
    ),
    lower=Native("shl", checked="shl.checked"),
    samples=lambda: [*integer_pairs(), case([1, -1], [31, 40])],
    doc="Shift the bits of integers left by ``y``, within the dtype's width.",
    fails="``y`` holds a negative number",
)  # fmt: skip
right_shift = define(
    "right_shift", inputs="x y", kernel=_shift(np.right_shift), infer=broadcast, dtype_kinds="iu",
    grad=None, node_name="RightShift", overloads=("__rshift__", "__rrshift__", np.right_shift),
    traits=(ELEMENTWISE, ARITHMETIC), never_raises=by_no_negative, identity={"iu": (None, 0)},
    lower=Native("shr"),
    samples=lambda: [*integer_pairs(), case([1, -1], [31, 40])],
    doc="Shift the bits of integers right by ``y``, keeping the sign.",
    fails="``y`` holds a negative number",
)  # fmt: skip
