"""Native code computes float16 and bfloat16 as the kernels do: every number, pairs, conversions."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.engine.llvm import codegen  # noqa: F401 - fills the table of opcodes
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.elements import computes_elements
from runtime.ops.op import TABLE
from runtime.ops.rules.lowering import Native
from tests.runtime.engine.llvm.sweeps import native_code, reference_code, strided
from tests.support.extras import needs

pytestmark = needs("jit")

TYPES = {"float16": ir.HALF, "bfloat16": ir.BFLOAT}
DTYPES = pytest.mark.parametrize("dtype", TYPES)
ROUGH = frozenset(
    "exp expm1 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh "
    "sigmoid softplus log_sigmoid erf erfc atan2 pow xlogy xlog1py angle gelu logaddexp elu selu "
    "sigmoid_cross_entropy_with_logits hypot".split()
)
"""Functions that the engines compute otherwise: where the exact value lies half-way between two
narrow floats, nearly, they may take either."""
WHOLE = [np.dtype(kind + str(size)) for kind in "iu" for size in (1, 2, 4, 8)]


def opcodes(op):
    """The opcodes on floats, with the attributes that choose them."""
    for attrs in {str(s.attrs): s.attrs for s in op.samples()}.values():
        yield op.lower.opcode_for("f", False, attrs), attrs


def computed(arity, dtype):
    """The definitions that loops compute on numbers of a dtype, a few at a time."""
    kind = TYPES[dtype]
    found = [
        name for name, op in TABLE.items()
        if isinstance(op.lower, Native) and op.elementwise and "f" in (op.dtype_kinds or "f")
        and op.arity == arity and any(
            opcode and "cast" not in opcode and computes_elements(opcode, [kind] * arity, gives)
            for gives in (kind, ir.BOOL) for opcode, _ in opcodes(op)
        )
    ]  # fmt: skip
    return [pytest.param(found[k : k + 8], dtype, id=f"{dtype}-{found[k]}") for k in
            range(0, len(found), 8)]  # fmt: skip


GROUPS = [group for arity in (1, 2) for dtype in TYPES for group in computed(arity, dtype)]


@pytest.fixture(autouse=True)
def no_warnings():
    with np.errstate(all="ignore"):
        yield


def numpy_type(dtype):
    return np.dtype(tf.as_dtype(dtype).as_numpy_dtype)


def every(dtype):
    return np.arange(1 << 16, dtype=np.uint16).view(numpy_type(dtype))


def pairs(dtype, count):
    rng, wanted = np.random.default_rng(3), numpy_type(dtype)
    odd = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 65504, 6e-8, 1, -1, 2, 0.5], wanted)
    near = [(rng.standard_normal(count) * 3).astype(wanted) for _ in range(2)]
    found = [[rng.choice(every(dtype), count), x] for x in near]
    grid = np.meshgrid(odd.astype(np.float32), odd.astype(np.float32))
    return [
        np.concatenate([*parts, one.ravel().astype(wanted)])
        for parts, one in zip(found, grid, strict=True)
    ]


def graph_of(function, *arrays, known=True):
    specs = [
        tf.TensorSpec(x.shape if known else [None] * x.ndim, tf.as_dtype(x.dtype)) for x in arrays
    ]
    return tf.function(function, specs, autograph=False).get_concrete_function().graph


def bits(x):
    return x.view(np.dtype(f"u{x.dtype.itemsize}")).astype(np.int64)


def is_nan(x):
    return np.isnan(x.astype(np.float64)) if x.dtype.kind in "fV" else np.zeros(x.shape, bool)


def check(function, *arrays, known=True, fuses=True, most=0):
    """Compare to the bit; ``most`` results may be the neighbours of what is expected."""
    graph = graph_of(function, *arrays, known=known)
    native = native_code(graph)
    with np.errstate(all="ignore"):
        found, wanted = native([*arrays]), reference_code(graph)([*arrays])
    for one, other in zip(found, wanted, strict=True):
        one, other = np.asarray(one), np.asarray(other)
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert np.array_equal(is_nan(one), is_nan(other))
        steps = np.where(is_nan(other), 0, np.abs(bits(one) - bits(other)))
        assert np.count_nonzero(steps) <= most and steps.max(initial=0) <= 1, (
            one[steps > 0][:5], other[steps > 0][:5])  # fmt: skip
    kinds = [type(one).__name__ for one in native.native.module.entry.block.instructions]
    assert not fuses or ("Fusion" in kinds and "Callback" not in kinds), kinds


@pytest.mark.parametrize(("names", "dtype"), GROUPS)
def test_every_number(names, dtype):
    inputs = [every(dtype)] if TABLE[names[0]].arity == 1 else pairs(dtype, 20_000)
    calls = [(name, opcode, attrs) for name in names for opcode, attrs in opcodes(TABLE[name])]
    exact = [(name, attrs) for name, _, attrs in calls if name not in ROUGH]
    near = [(name, attrs) for name, _, attrs in calls if name in ROUGH and name != "gelu"]
    for some, most in ((exact, 0), (near, 4)):
        if some:
            check(lambda *x: [TABLE[n](*x, **attrs) for n, attrs in some], *inputs, most=most)  # noqa: B023


@DTYPES
@pytest.mark.parametrize("approximate", [True, False])
def test_sums_of_functions_are_as_exact_as_their_terms(dtype, approximate):
    """Elsewhere tanh(x) + 1 and erf(x) + 1 are nearly 0."""
    x = every(dtype)
    x = x[np.abs(x.astype(np.float32)) < 1]
    check(lambda x: tf.nn.gelu(x, approximate=approximate), x, most=4)


@pytest.mark.parametrize(("name", "dtype"), [
    (name, dtype) for name in ("multiply", "maximum", "exp", "logaddexp") for dtype in TYPES
])  # fmt: skip
def test_other_layouts(name, dtype):
    op = TABLE[name]
    inputs = [every(dtype)] if op.arity == 1 else pairs(dtype, 2_000)
    check(op, *[strided(x) for x in inputs], known=False, fuses=False, most=4)
    check(op, *[strided(x)[3:70] for x in inputs], most=4)


@DTYPES
def test_conversions_to_others(dtype):
    others = [kind for kind in TYPES if kind != dtype]
    numbers = every(dtype)
    for other in ("float32", "float64", "bool", *others):
        check(lambda x: tf.cast(x, other), numbers)  # noqa: B023
    for other in WHOLE:  # NaN and what does not fit is the kernel's
        check(lambda x: tf.cast(x, other), numbers)  # noqa: B023
        small = numbers.astype(np.float64)
        check(lambda x: tf.cast(x, other), numbers[(small > -1) & (small < 100)])  # noqa: B023


@DTYPES
def test_conversions_from_others(dtype):
    """Half-way cases are rounded to even, once."""
    rng, numbers = np.random.default_rng(4), every(dtype).astype(np.float64)
    kept = np.unique(numbers[np.isfinite(numbers)])
    middle = (kept[1:] + kept[:-1]) / 2
    more = np.abs(kept[1:] - kept[:-1]) * 1e-10
    odd = [np.nan, -np.nan, np.inf, -np.inf, 65519.99, 65520, 3.39e38, 3.402823e38, 1e300, 5e-324]
    with np.errstate(all="ignore"):
        wide = [*middle, *(middle + more), *(middle - more), *odd]
        for other in ("float32", "float64"):
            check(lambda x: tf.cast(x, dtype), np.array(wide).astype(other))
        for other in WHOLE:
            limits = np.iinfo(other)
            drawn = rng.integers(limits.min, limits.max, 3000, other, endpoint=True)
            ends = np.array([limits.min, limits.max, 0, 1], other)
            given = np.concatenate([drawn, drawn >> np.array(limits.bits // 2, other), ends])
            check(lambda x: tf.cast(x, dtype), given)
    check(lambda x: tf.cast(x, dtype), rng.random(67) < 0.5)


@DTYPES
@pytest.mark.parametrize("shape", [(), (0,), (1,), (67,), (3, 65), (5, 0)])
def test_chains(dtype, shape):
    x, y = (one[: int(np.prod(shape))].reshape(shape) for one in pairs(dtype, 400))

    def chain(x, y):
        z = (x * y + 0.1) / (tf.abs(y) + 3.0) - x
        return tf.where(z > 0.5, tf.sqrt(z), -x), tf.cast(z, tf.float32) * 3.0, z != x

    check(chain, x, y, fuses=bool(shape))
    check(chain, x, y, known=False, fuses=False)


@DTYPES
def test_views_masks_and_writes(dtype):
    def program(x, m, k):
        x[1:, ::2] *= 2
        x[k] = x[k - 1] + 1
        chosen = x[m]
        x[m] = chosen * chosen
        return chosen, np.where(m, x, 0), np.concatenate([x, x[:, ::-1]])

    def inputs():
        x = pairs(dtype, 40)[0][:40].reshape(8, 5)
        return x, np.arange(40).reshape(8, 5) % 3 == 0, 2

    mine, theirs = inputs(), inputs()
    with np.errstate(all="ignore"):
        found, wanted = tf.jit(program, jit_compile=True)(*mine), program(*theirs)
    for one, other in zip([mine[0], *found], [theirs[0], *wanted], strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one.astype(np.float64), other.astype(np.float64))
