"""The functions by name, and their definitions as LLVM IR.

    call_name("exp", "float32", 8)            # "rt_exp_v8f32", of <8 x float> to <8 x float>
    library({"rt_exp_v8f32"}, has_fma=True)   # its text and all that it needs

One lane is a scalar: ``rt_exp_v1f32`` takes and gives a float.  Each lane of a result has the same
bits as the function of one lane gives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import conversion_code, scalar_code
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.values import LaneValue, Writer
from runtime.engine.llvm.vector_math import large_arguments

_OF_OPERATORS = scalar_code, conversion_code
"""Modules that enter the opcodes of operators when they are imported."""

LANES = (1, 2, 4, 8, 16)

UNARY = {
    "acos": "trigonometry",
    "acosh": "hyperbolics",
    "asin": "trigonometry",
    "asinh": "hyperbolics",
    "atan": "trigonometry",
    "atanh": "hyperbolics",
    "cbrt": "powers",
    "cos": "trigonometry",
    "cosh": "hyperbolics",
    "erf": "error_functions",
    "erfc": "error_functions",
    "exp": "exponentials",
    "exp2": "exponentials",
    "expm1": "exponentials",
    "log": "logarithms",
    "log10": "logarithms",
    "log1p": "logarithms",
    "log2": "logarithms",
    "rsqrt": "powers",
    "sigmoid": "hyperbolics",
    "sin": "trigonometry",
    "sinh": "hyperbolics",
    "sqrt": "powers",
    "tan": "trigonometry",
    "tanh": "hyperbolics",
}
"""Functions of one argument, and the modules that write them, imported when a graph needs one."""
BINARY = {"atan2": "trigonometry", "pow": "powers"}
_TYPES = {"float32": ir.Scalar("f", 32), "float64": ir.FLOAT64}
_NAME = re.compile(r"rt_(\w+)_v(\d+)f(32|64)")


class Library(NamedTuple):
    """Definitions and declarations of functions by name; a module has place for one of each."""

    declared: dict[str, str]
    defined: dict[str, str]


def call_name(op: str, dtype: str, lanes: int) -> str:
    """Return the name of the function that computes an op on vectors."""
    if op not in UNARY and op not in BINARY or dtype not in _TYPES or lanes not in LANES:
        raise ValueError(f"there is no function {op} of {lanes} lanes of {dtype}")
    return f"rt_{op}_v{lanes}f{_TYPES[dtype].bits}"


def arity(op: str) -> int:
    """Return how many arguments an op takes."""
    return 1 if op in UNARY else 2


def library(names: Iterable[str], has_fma: bool) -> Library:
    """Return the functions of these names; ``has_fma``: the processor has fused multiply-add."""
    declared: dict[str, str] = {}
    defined: dict[str, str] = {}
    for name in sorted(set(names)):
        definition = _definition(name, has_fma)
        declared |= definition.declared
        defined |= definition.defined
    return Library(declared, defined)


def definitions(names: Iterable[str], has_fma: bool) -> str:
    """Return a module's text with these functions and all that they need."""
    functions = library(names, has_fma)
    return "\n".join([*functions.declared.values(), *functions.defined.values(), ""])


@cache
def _definition(name: str, has_fma: bool) -> Library:
    matched = _NAME.fullmatch(name)
    assert matched, name
    op, lanes, bits = matched[1], int(matched[2]), int(matched[3])
    type = ir.Scalar("f", bits, lanes=lanes)
    takes = ", ".join(f"{llvm_type(type)} %x{k}" for k in range(arity(op)))
    text = FunctionText(f"define internal {llvm_type(type)} @{name}({takes})")
    writer = Writer(text, has_fma=has_fma)
    result = _result(op, [LaneValue(writer, type, f"%x{k}") for k in range(arity(op))])
    text.line(f"ret {result.kind} {result}")
    definition = Library(dict(text.declared), {name: text.text()})
    if f"@{large_arguments.NAME}(" in definition.defined[name]:
        definition.declared.update(large_arguments.DECLARED)
        definition.defined[large_arguments.NAME] = large_arguments.definition()
    return definition


def _result(op: str, args: list[LaneValue]) -> LaneValue:
    """Apply an op; without fused multiply-add, in float64, whose constants do without it."""
    wide = args if args[0].has_fma else [arg.to(ir.FLOAT64) for arg in args]
    module = import_module(f"runtime.engine.llvm.vector_math.{(UNARY | BINARY)[op]}")
    function: Callable[..., LaneValue] = getattr(module, op)
    return function(*wide).to(args[0].type)
