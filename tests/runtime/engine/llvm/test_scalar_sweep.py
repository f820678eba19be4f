"""Sweep over the op definitions that have native code: edge values of every dtype.

The native engine gives the reference engine's bits, and raises its exceptions.  Functions of the C
library may differ by a few units in the last place (docs/functions.md).
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import runtime as tf
from runtime.engine.executable import executable
from runtime.graph.func_graph import FuncGraph
from runtime.graph.run_request import request_for
from runtime.ops.array.indexing import KeyInput
from runtime.ops.op import TABLE
from runtime.ops.rules.lowering import Native
from runtime.types import flags
from tests.support.extras import needs
from tests.support.nightly import always

pytestmark = needs("jit")

NUMBERS = (
    tf.bool, tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16, tf.uint32, tf.uint64,
    tf.float32, tf.float64,
)  # fmt: skip
OFTEN = (tf.bool, tf.int32, tf.int64, tf.uint8, tf.float32, tf.float64)
"""The dtypes that run always; others are nightly."""
PYTHONS = (tf.int64, tf.float64)
"""The dtypes of staged Python numbers."""

ULPS = 4
LIBM = {
    "exp", "expm1", "log", "log1p", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan",
    "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "pow", "sigmoid",
    "softplus", "elu", "selu", "log_sigmoid", "erf", "erfc", "atan2", "hypot", "xlogy", "xlog1py",
}  # fmt: skip
"""Definitions whose floats may differ by ``ULPS`` units in the last place."""
DIFFERENCES = {"gelu", "logaddexp", "sigmoid_cross_entropy_with_logits"}
"""Definitions that subtract such numbers: the units are those of the greatest input, or of 1."""


def edges(dtype):
    """Numbers of a dtype at which code breaks."""
    kind = np.dtype(dtype.as_numpy_dtype)
    if dtype is tf.bool:
        return [np.bool_(False), np.bool_(True)]
    if dtype.is_floating:
        info = np.finfo(kind)
        sizes = [
            0.0, 0.1, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 7.3, 63.0, 127.5, 255.5, 2.0**31, 2.0**32,
            2.0**53 + 2, 2.0**63, 2.0**64, 1e30, float(info.max), float(info.tiny),
            float(info.smallest_subnormal), math.inf,
        ]  # fmt: skip
        return [kind.type(sign * size) for size in sizes for sign in (1, -1)] + [
            kind.type(math.nan)
        ]
    info = np.iinfo(kind)
    found = {0, 1, 2, 3, 5, 7, 8, 31, 32, 63, 64, 100, 127, 128, 255, 256, 2**31, 2**53 + 1}
    found |= {-n for n in found} | {info.max, info.max - 1, info.min, info.min + 1}
    return [kind.type(n) for n in sorted(found) if info.min <= n <= info.max]


def bits(array):
    """Dtype and bits of a number; all NaNs are one."""
    array = np.asarray(array)
    if array.dtype.kind == "f" and np.isnan(array):
        return array.dtype, array.shape, "NaN"
    return array.dtype, array.shape, array.tobytes()


def outcome(run, args):
    """What a run gives or raises."""
    try:
        (found,) = run(list(args))
    except Exception as error:
        return type(error), str(error)
    return found


def ulps(left, right):
    """Distance of two floats of one dtype, in units in the last place."""
    if left == right or (np.isnan(left) and np.isnan(right)):
        return 0.0
    if not (np.isfinite(left) and np.isfinite(right)):
        return math.inf
    return float(abs(left.astype("f8") - right.astype("f8")) / np.spacing(abs(right)))


def compiled(op, specs, attrs):
    """The executables of one operation on the reference engine and on the native one."""
    graph = FuncGraph("sweep")
    with graph.as_default():
        inputs = [graph.add_input(tf.TensorSpec([], dtype), weak) for dtype, weak in specs]
        graph.set_outputs([op(*inputs, **attrs)])
    with flags.JIT("never"), flags.OPTIMIZE(False), flags.WRITE_AFTER(0):
        reference = executable(request_for(graph))
    with flags.JIT("always"):
        native = executable(request_for(graph))
    assert native.engine == "llvm"
    return reference, native


def thinned(values, most):
    """At most so many combinations of values, in which each value stands with many others."""
    combinations = list(itertools.product(*values))
    stride = max(1, -(-len(combinations) // most))
    while any(math.gcd(stride, len(column)) > 1 for column in values):
        stride += 1
    return combinations[::stride]


def check(name, specs, attrs, bound, step=1, most=None):
    """Run an operation on all, or some, combinations of edge values on both engines."""
    op = TABLE[name]
    try:
        reference, native = compiled(op, specs, attrs)
    except (TypeError, ValueError):
        return 0  # the op does not take these dtypes
    values = [edges(dtype)[::step] for dtype, _ in specs]
    count = 0
    with np.errstate(all="ignore"):
        for args in itertools.product(*values) if most is None else thinned(values, most):
            if name in ("pow", "left_shift") and specs[1] == (tf.int64, True) and args[1] > 64:
                continue  # Python computes all digits
            expected, found = outcome(reference, args), outcome(native, args)
            # texts of numbers take longer than the runs
            lost = max(1.0, *map(abs, map(float, args))) if name in DIFFERENCES else 0.0
            assert same(found, expected, bound, lost), (
                f"{name} {attrs} of {args}: {found}, not {expected}"
            )
            count += 1
    return count


def same(found, expected, bound, lost=0.0):
    """Whether two outcomes are the same, floats up to a bound in units in the last place.

    ``lost`` is the size of a number whose units count, too.
    """
    if isinstance(expected, tuple) or isinstance(found, tuple):
        return (type(found), found) == (type(expected), expected)
    if bound and np.asarray(expected).dtype.kind == "f":
        near = lost and abs(found - expected) <= bound * np.spacing(expected.dtype.type(lost))
        return found.dtype == expected.dtype and (near or ulps(found, expected) <= bound)
    return bits(found) == bits(expected)


NATIVE = [n for n, op in TABLE.items() if isinstance(op.lower, Native) and n != "call_python"]


def attributes(name):
    """The attributes to try."""
    if name == "strengthen":
        return [{"dtype": dtype} for dtype in NUMBERS[1:]]
    if name == "cast":
        return [{"dtype": dtype} for dtype in NUMBERS]
    if not TABLE[name].elementwise:
        return [{}]
    return list({str(sample.attrs): sample.attrs for sample in TABLE[name].samples()}.values())


def weak_cases(name, count, mixed):
    """Dtypes of the inputs, as Python numbers: of one kind, or of both."""
    if name == "where":
        return [] if mixed else [
            ((tf.bool, False), (dtype, True), (dtype, True)) for dtype in PYTHONS
        ]  # fmt: skip
    pairs = itertools.product(PYTHONS, repeat=count)
    return [
        tuple([(dtype, True) for dtype in pair]) for pair in pairs if (len(set(pair)) > 1) == mixed
    ]


def strong_cases(name, count, dtype):
    """Dtypes of the inputs, as tensors."""
    if name == "where":
        return ((tf.bool, False), (dtype, False), (dtype, False))
    return tuple([(dtype, False)] * count)


def size(name):
    return len(TABLE[name].samples()[0].inputs)


@pytest.mark.parametrize("most", always([300], [300, None]))
@pytest.mark.parametrize("dtype", always(OFTEN, NUMBERS), ids=lambda d: d.name)
def test_tensors(dtype, most):
    count = 0
    for name in NATIVE:
        kinds = TABLE[name].dtype_kinds
        if (kinds and np.dtype(dtype.as_numpy_dtype).kind not in kinds) or name == "strengthen":
            continue
        for attrs in attributes(name):
            specs = strong_cases(name, size(name), dtype)
            bound = ULPS if name in LIBM | DIFFERENCES else 0
            count += check(name, specs, attrs, bound, most=most)
    assert count > 20


@pytest.mark.parametrize("how", always([(False, 12)], [(False, 12), (False, 1), (True, 1)]))
def test_python_numbers(how):
    mixed, step = how
    count = 0
    for name in NATIVE:
        for specs in weak_cases(name, size(name), mixed):
            for attrs in attributes(name):
                count += check(name, specs, attrs, ULPS if name in LIBM | DIFFERENCES else 0, step)
    assert count > 4000 // step


FUNCTIONS = (
    ("fabs",), ("acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh"),
    ("ceil", "floor", "trunc"), ("exp", "expm1", "log", "log10", "log1p", "log2", "sqrt"),
    ("sin", "sinh", "tan", "tanh"), ("atan2", "fmod", "pow"),
)  # fmt: skip


def python_call(name):
    """Attributes of a call of a function of Python's."""
    count = 2 if name in FUNCTIONS[-1] else 1
    args = tuple([KeyInput(n) for n in range(count)])
    whole = name in FUNCTIONS[2] or name in ("int", "round")
    function = name if name in ("int", "round") else f"math.{name}"
    attrs = {"function": function, "args": args, "keywords": ()}
    return count, attrs | {"results": ("int" if whole else "float",)}


@pytest.mark.parametrize("name", ["int", "round", *itertools.chain(*FUNCTIONS)])
def test_functions_of_python(name):
    """The engines call the same functions of the C library, so the bits are the same."""
    count, attrs = python_call(name)
    found = 0
    for pair in itertools.product(PYTHONS, repeat=count):
        found += check("call_python", tuple([(dtype, True) for dtype in pair]), attrs, 0)
    assert found > 20
