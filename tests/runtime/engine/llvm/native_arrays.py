"""Helpers of the tests of native code on arrays: inputs, their layouts, and kernel IR."""

import numpy as np

import runtime as tf
from runtime.engine.llvm.printer import print_module
from runtime.types import flags
from tests.runtime.engine.llvm.native_programs import lowered_modules


def numbers(shape, dtype, seed=0):
    """Random numbers, positive for unsigned dtypes."""
    found = np.random.default_rng(seed).normal(size=shape) * 9
    return abs(found).astype(dtype) if dtype.startswith("u") else found.astype(dtype)


def layouts(x):
    """The same elements, laid out in different ways."""
    yield x
    yield np.asfortranarray(x)
    yield np.repeat(x, 2, axis=0)[::2]
    yield np.repeat(x, 2, axis=1)[:, ::2]
    yield x[::-1, ::-1][::-1, ::-1]
    yield x.astype(x.dtype.newbyteorder(">"))
    odd = np.empty(x.nbytes + 1, np.uint8)[1:].view(x.dtype).reshape(x.shape)
    odd[...] = x
    yield odd


def same(found, expected):
    """Check values and types; sums of floats may be rounded otherwise."""
    for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(expected), strict=True):
        one, other = np.asarray(one), np.asarray(other)
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        if one.dtype.kind == "f":
            rtol = 50 * np.finfo(one.dtype).eps
            np.testing.assert_allclose(one, other, rtol, rtol * 100)
        else:
            np.testing.assert_array_equal(one, other)


def modules_of(function, *args):
    """Run a function natively; return the result and the text of its kernel IR."""
    with lowered_modules() as modules:
        found = tf.function(function)(*args)
        return found, "\n".join(map(print_module, modules))


def both(f, *args, specs=None):
    """What a function gives or raises on both engines, and the kernel IR of the native one."""
    found = []
    for choice in ("never", "always"):
        with flags.JIT(choice):
            function = tf.function(f, specs)
            try:
                found.append([np.asarray(r) for r in tf.nest.flatten(function(*args))])
            except Exception as error:
                found.append((type(error).__name__, str(error)))
    return found


def agree(f, *args, specs=None):
    """Assert that both engines do the same; return it."""
    wanted, found = both(f, *args, specs=specs)
    if isinstance(wanted, tuple) or isinstance(found, tuple):
        assert found == wanted
    else:
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(one, other, strict=True)
    return wanted
