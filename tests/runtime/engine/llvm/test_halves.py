"""Native code computes float16 to the bit as NumPy does: every half, pairs of halves, chains."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.half_functions import computes
from runtime.ops.op import TABLE
from runtime.ops.rules.lowering import Native
from tests.runtime.engine.llvm.sweeps import native_code, reference_code, strided
from tests.support.extras import needs

pytestmark = needs("jit")

ALL = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
NAMES = [
    name for name, op in TABLE.items()
    if isinstance(op.lower, Native) and op.elementwise and "f" in (op.dtype_kinds or "f")
    and op.arity in (1, 2) and op.lower.opcode
    and any(computes(op.lower.opcode, [ir.HALF] * op.arity, gives) for gives in (ir.HALF, ir.BOOL))
]  # fmt: skip


def pairs(count):
    rng = np.random.default_rng(3)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 65504, 6e-8, 1, -1], np.float16)
    found = [np.r_[rng.choice(ALL, count), one.ravel()] for one in np.meshgrid(special, special)]
    return [one.astype(np.float16) for one in found]


def graph_of(function, *arrays, known=True):
    specs = [tf.TensorSpec(x.shape if known else [None] * x.ndim, x.dtype) for x in arrays]
    return tf.function(function, specs, autograph=False).get_concrete_function().graph


def check(function, *arrays, known=True, fuses=True):
    graph = graph_of(function, *arrays, known=known)
    native = native_code(graph)
    with np.errstate(all="ignore"):
        found, wanted = native([*arrays]), reference_code(graph)([*arrays])
    for one, other in zip(found, wanted, strict=True):
        one, other = np.asarray(one), np.asarray(other)
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        if other.dtype != np.float16:
            np.testing.assert_array_equal(one, other)
            continue
        assert np.array_equal(np.isnan(one), np.isnan(other))
        same = (one.view(np.uint16) == other.view(np.uint16)) | np.isnan(other)
        assert same.all(), (one[~same][:5], other[~same][:5])
    kinds = [type(one).__name__ for one in native.native.module.entry.block.instructions]
    assert not fuses or ("Fusion" in kinds and "Callback" not in kinds), kinds


@pytest.mark.parametrize("name", NAMES)
def test_every_half(name):
    op = TABLE[name]
    inputs = [ALL] if op.arity == 1 else pairs(20_000)
    attrs = op.samples()[0].attrs
    check(lambda *x: op(*x, **attrs), *inputs, fuses="copy" not in op.lower.opcode)
    check(lambda *x: op(*x, **attrs), *[strided(x) for x in inputs], known=False, fuses=False)


@pytest.mark.parametrize("dtype", ["float32", "float64", "bool"])
def test_conversions(dtype):
    check(lambda x: tf.cast(x, dtype), ALL)
    if dtype != "float64":  # which is rounded once, by the kernel
        rng = np.random.default_rng(4)
        wide = (rng.standard_normal(4099) * 10.0 ** rng.integers(-9, 6, 4099)).astype(dtype)
        check(lambda x: tf.cast(x, tf.float16), wide)


@pytest.mark.parametrize("shape", [(), (0,), (1,), (67,), (3, 65), (5, 0)])
def test_chains(shape):
    x, y = (one[: int(np.prod(shape))].reshape(shape) for one in pairs(400))

    def chain(x, y):
        z = (x * y + 0.1) / (tf.abs(y) + 3.0) - x
        return tf.where(z > 0.5, tf.sqrt(z), -x), tf.cast(z, tf.float32) * 3.0, z != x

    check(chain, x, y, fuses=bool(shape))
    check(chain, x, y, known=False, fuses=False)


def test_views_masks_and_writes():
    def program(x, m, k):
        x[1:, ::2] *= 2
        x[k] = x[k - 1] + 1
        chosen = x[m]
        x[m] = chosen * chosen
        return chosen, np.where(m, x, 0), np.concatenate([x, x[:, ::-1]])

    def inputs():
        x = pairs(40)[0][:40].reshape(8, 5)
        return x, np.arange(40).reshape(8, 5) % 3 == 0, 2

    mine, theirs = inputs(), inputs()
    with np.errstate(all="ignore"):
        found, wanted = tf.jit(program, jit_compile=True)(*mine), program(*theirs)
    for one, other in zip([mine[0], *found], [theirs[0], *wanted], strict=True):
        np.testing.assert_array_equal(one, other)
