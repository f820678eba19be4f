"""Helpers of the tests of native code: run a function natively, and see what calls Python."""

from collections.abc import Iterator
from contextlib import contextmanager

import runtime
from runtime.ops.python.call_python import NumberSizeError
from runtime.types.flags import JIT


@contextmanager
def lowered_modules() -> Iterator[list]:
    """Compile all graphs natively; give the modules of kernel IR that are made meanwhile."""
    from runtime.engine.llvm import pipeline

    modules = []
    finish = pipeline.finish

    def kept(module):
        modules.append(finish(module))
        return modules[-1]

    with JIT("always"):
        pipeline.finish = kept
        try:
            yield modules
        finally:
            pipeline.finish = finish


def plain(value):
    """Return results with lists and numbers of Python."""
    if isinstance(value, (list, tuple)):
        return type(value)(plain(part) for part in value)
    return value if isinstance(value, (bool, int, float, str)) else value.item()


def outcome(function, *args):
    """Return what a function returns, as a text that shows types and NaN, or raises.

    Python's ints beyond 64 bits are the one limit of staged ints.
    """
    try:
        found = plain(function(*args))
    except NumberSizeError:
        return "beyond 64 bits"
    except Exception as error:
        return type(error), str(error).splitlines()[0]
    if type(found) is int and not -(2**63) <= found < 2**63:
        return "beyond 64 bits"
    return repr(found)


def check_native(function, *cases):
    """Check that a function gives natively what Python gives, and that no loop calls Python."""
    from runtime.engine.llvm.native import why_it_does_not_pay

    with lowered_modules() as modules:
        compiled = runtime.jit(function)
        for case in cases:
            copies = [list(x) if isinstance(x, list) else x for x in case]
            assert outcome(compiled, *case) == outcome(function, *copies), case
    assert modules
    assert [why_it_does_not_pay(module) for module in modules] == [""] * len(modules)
