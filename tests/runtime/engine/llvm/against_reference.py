"""Comparison of native code with the reference engine, which decides, errors' whole texts included.
"""

import runtime as tf
from runtime.types.flags import JIT
from tests.runtime.engine.llvm.native_programs import plain


def result(function, case):
    """Return what a function returns, or the class and the whole text of its error."""
    try:
        return repr(plain(function(*case)))
    except Exception as error:
        return type(error), str(error)


def check(program, cases):
    """Compare native code with the reference engine, and with Python where ints are small; return
    the results.
    """
    with JIT("never"):
        interpreted = tf.jit(program)
        wanted = [result(interpreted, case) for case in cases]
    with JIT("always"):
        compiled = tf.jit(program)
        for case, expected in zip(cases, wanted, strict=True):
            assert result(compiled, case) == expected, case
    for case, expected in zip(cases, wanted, strict=True):
        if isinstance(expected, str):
            assert expected == result(program, case), case
    return wanted
