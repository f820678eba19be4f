"""Native code with vectors of each width that the processor has, and without any: each in a process
of its own, where the reference engine says what is right.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support import ROOT
from tests.support.extras import needs
from tests.support.nightly import always

pytestmark = needs("jit")

PROGRAM = '''
import re
import numpy as np
import runtime as tf
from runtime.engine.llvm.arrays.libraries import LIBRARIES
from runtime.engine.llvm.arrays.tile_code import TILED, tiled_code
from runtime.engine.llvm.machine_code import assembly_of
from runtime.engine.llvm.vector_math.processor import target

SAME = {"strides": (2, 1), "dilations": (1, 1), "padding": "SAME"}

def elementwise(x, y):
    z = tf.tanh(x) * tf.sigmoid(y) + tf.exp(-x * x) + tf.sin(y) * tf.math.log(x * x + 1.0)
    return tf.where(z > y, z, tf.pow(y * y, x)), tf.cast(z * 8.0, "int32") // 3

def reductions(x, y):
    return [tf.reduce_sum(x * y, 1), tf.reduce_max(x, 0), tf.reduce_mean(x - y), x[:, ::2] + 1.0]

def products(x, y):
    return x @ tf.transpose(y), tf.transpose(x) @ y

def windows(x, y):
    x = tf.reshape(x, [1, 13, 37, 3])
    filters, each = tf.reshape(y[:9, :6], [3, 3, 3, 2]), tf.reshape(y[:9, :3], [3, 3, 3, 1])
    with tf.GradientTape() as tape:
        tape.watch([x, filters, each])
        y = tf.nn.conv2d(x, filters, [2, 1], "SAME")
        z = tf.nn.depthwise_conv2d(x, each, [1, 1, 1, 1], "SAME")
        loss = tf.reduce_sum(tf.nn.max_pool2d(y, 3, 2, "SAME") ** 2)
        loss += tf.reduce_sum(tf.nn.avg_pool2d(z, 2, 1, "VALID") ** 2)
    return [y, z, *tape.gradient(loss, [x, filters, each])]

def tiles(dtype):
    """Products of native code's own, which BLAS computes elsewhere."""
    import ctypes
    from runtime.engine.llvm.machine_code import _llvm
    name = f"{TILED}_{'float' if dtype == 'float32' else 'double'}"
    memory = "declare ptr @rt_take(i64)\\ndeclare void @rt_give(ptr)\\n"
    text = memory + tiled_code(name.removeprefix(f"{TILED}_"), target().processor)
    with _llvm() as compiler:
        address = compiler.functions(text, [name], compiler.support())[name]
    p, w = ctypes.c_void_p, ctypes.c_int64
    function = ctypes.CFUNCTYPE(ctypes.c_bool, p, w, w, p, w, w, p, w, w, w)(address)
    for m, k, n in ((1, 1, 1), (29, 330, 63), (13, 7, 33), (50, 9, 100)):
        a, b = draw.normal(size=(m, k)).astype(dtype), draw.normal(size=(k, n)).astype(dtype)
        c = np.full((m, n), np.nan, dtype)
        data = a.ctypes.data, *a.strides, b.ctypes.data, *b.strides, c.ctypes.data
        assert function(*data, m, n, k)
        np.testing.assert_allclose(c, a @ b, 1e-5, 1e-4)

def flat(found):
    return [np.asarray(one) for one in (found if isinstance(found, (list, tuple)) else [found])]

draw = np.random.default_rng(0)
for dtype in ("float32", "float64"):
    x, y = (draw.normal(size=(37, 39)).astype(dtype) for _ in range(2))
    for f in (elementwise, reductions, products, windows):
        expected = flat(f(tf.constant(x), tf.constant(y)))
        for one, other in zip(flat(tf.function(f)(x, y)), expected, strict=True):
            eps = np.finfo(dtype).eps
            np.testing.assert_allclose(one, other, 400 * eps, 400 * eps * np.max(abs(other)))
    tiles(dtype)
def single(types):
    """The name of float32 among those of a library."""
    return next(name for name in types if name in ("float", "f32"))

native = tf.function(elementwise)
code = native.get_concrete_function(tf.constant(x), tf.constant(y)).assembly()
code += "".join(assembly_of(one.code(single(one.types), target().processor)) for one in LIBRARIES)
registers = [name for name in ("xmm", "ymm", "zmm") if name in code]
print(registers, bool(re.search("mulps|fmadd...ps", code)))
'''


@pytest.mark.parametrize("bits", always([], [0, 128, 256, 512]))
def test_widths(bits: int) -> None:
    from runtime.engine.llvm.vector_math.processor import target_of

    widest = target_of(512).processor.vector_bits
    if bits > widest:
        pytest.skip(f"the processor has vectors of {widest} bits")
    given = {"RUNTIME_JIT": "always", "RUNTIME_JIT_VECTORS": str(bits), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM]
    env = {**os.environ, **given}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    if sys.platform == "linux" and os.uname().machine == "x86_64":
        names = ["xmm", "ymm", "zmm"][: {0: 1, 128: 1, 256: 2, 512: 3}[bits]]
        assert done.stdout.strip() == f"{names} {bits > 0}"
