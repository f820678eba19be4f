"""Op that calls one of Python's functions (python_functions.py) on Python numbers and texts.

The inputs are weak tensors and lists of such; constants among the arguments are attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.errors import RunTimeLimit
from runtime.ops.array.indexing import KeyInput, map_key
from runtime.ops.op import RAISES, TAKES_WEAK, define
from runtime.ops.python_functions import FUNCTIONS
from runtime.ops.resource.lists import LIST, ListValue
from runtime.ops.rules.lowering import Native, Operands
from runtime.ops.rules.samples import case
from runtime.types.conversion import to_array
from runtime.types.dtypes import int64, string
from runtime.types.promotion import WEAK_DTYPE
from runtime.types.shapes import SCALAR_SHAPE, TensorSpec

__all__: list[str] = []


class NumberSizeError(RunTimeLimit, OverflowError):
    """Python int of more than 64 bits."""

    @classmethod
    def of(cls, number: int, remedy: str = "") -> NumberSizeError:
        """Return the error for a number."""
        size = number.bit_length()
        text = f"a Python int known only at run time has 64 bits; this one has {size}"
        return cls(f"{text}. {remedy}" if remedy else text)


def python_value(value: Any) -> Any:
    """Convert a value of an executor to the Python value that it stands for."""
    if isinstance(value, ListValue):
        return [python_value(item) for (item,) in value]
    plain = value.item() if isinstance(value, np.ndarray | np.generic) else value
    return plain.decode() if isinstance(plain, bytes) else plain


def held(value: Any, kind: str) -> Any:
    """Convert a Python value of a kind to a value of an executor; NumberSizeError beyond 64 bits.
    """
    if kind == "list":
        return ListValue([(to_array(item, string)[()],) for item in value])
    if kind == "int" and not int64.min <= value <= int64.max:
        raise NumberSizeError.of(value)
    return to_array(value, WEAK_DTYPE[kind])


def called(function: Callable[..., Any], arguments: Sequence[Any], keywords: Sequence[str]) -> Any:
    """Call a function; the last of the values are given by these names."""
    count = len(arguments) - len(keywords)
    return function(*arguments[:count], **dict(zip(keywords, arguments[count:], strict=True)))


def _call(
    *values: Any, function: str, args: tuple[Any, ...], keywords: tuple[str, ...],
    results: tuple[str, ...],
) -> Any:  # fmt: skip
    def leaf(item: Any) -> Any:
        if type(item) is tuple:
            return tuple(map(leaf, item))
        return python_value(values[item.index]) if isinstance(item, KeyInput) else item

    returned = called(FUNCTIONS[function].function, map_key(args, leaf), keywords)
    if len(results) == 1:
        return held(returned, results[0])
    return tuple([held(item, kind) for item, kind in zip(returned, results, strict=True)])


def _infer(
    *specs: TensorSpec, function: str, args: tuple[Any, ...], keywords: tuple[str, ...],
    results: Sequence[str],
) -> Any:  # fmt: skip
    specs_of_results = tuple([
        LIST if kind == "list" else TensorSpec(SCALAR_SHAPE, WEAK_DTYPE[kind]) for kind in results
    ])
    return specs_of_results if len(specs_of_results) > 1 else specs_of_results[0]


def _samples() -> list[Any]:
    first, second = KeyInput(0), KeyInput(1)
    return [
        case(np.array(4.0), function="math.sqrt", args=(first,), keywords=(), results=("float",)),
        case(
            np.array(2.0), np.array(3.0), function="math.pow", args=(first, second), keywords=(),
            results=("float",),
        ),
        case(
            np.array(6, np.int64), function="math.factorial", args=(first,), keywords=(),
            results=("int",),
        ),
        case("a,b", function="str.find", args=(first, ","), keywords=(), results=("int",)),
    ]


_FUNCTIONS = (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos",
    "cosh", "degrees", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "floor", "fmod", "gcd",
    "isfinite", "isinf", "isnan", "isqrt", "lcm", "log", "log10", "log1p", "log2", "pow", "radians",
    "remainder", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
)  # fmt: skip
_OPCODES = {f"math.{name}": f"math.{name}" for name in _FUNCTIONS}
_OPCODES |= {"int": "math.trunc", "round": "math.rint"}
_OPCODES |= {name: name for name in ("int.bit_count", "int.bit_length")}
"""Opcodes of native code for functions of numbers alone."""

_TEXT_OPCODES = {
    "text.item": "list.text_item", "text.length": "list.len", "text.list": "list.text_list",
    "text.contains": "list.text_contains", "ord": "list.text_ord", "chr": "list.text_chr",
}  # fmt: skip
_TEXT_OPCODES |= {
    f"str.{name}": f"list.text_{name}" for name in (
        "count", "endswith", "find", "isalnum", "isalpha", "isdecimal", "isdigit", "isnumeric",
        "isspace", "join", "lower", "lstrip", "replace", "rstrip", "split", "startswith", "strip",
        "upper",
    )
}  # fmt: skip
"""Opcodes of native code for functions of texts, with as many arguments as they need at least."""

_MORE_ARGUMENTS = {
    "text.item": (2,), "text.contains": (2,), "str.count": (2,), "str.endswith": (2,),
    "str.find": (2,), "str.join": (2,), "str.replace": (3,), "str.split": (1, 2),
    "str.startswith": (2,),
}  # fmt: skip
"""How many arguments native code takes, where it is not one."""


def _opcode(attrs: dict[str, Any]) -> str | None:
    """Return the opcode for a call whose arguments are inputs and constant numbers."""
    args, function = attrs["args"], attrs["function"]
    if function in _TEXT_OPCODES:
        return _text_opcode(function, args) if not attrs["keywords"] else None
    opcode = _OPCODES.get(function)
    numbers = all(isinstance(argument, KeyInput) or _is_number(argument) for argument in args)
    few = len(args) == (2 if function in _BINARY else 1)
    return opcode if numbers and few and not attrs["keywords"] else None


def _text_opcode(function: str, args: tuple[Any, ...]) -> str | None:
    """Return the opcode for a call on texts; None if other arguments are given, too."""
    if function == "text.item" and isinstance(args[1], slice):
        key = args[1]
        steps = type(key.step) is int and key.step != 0 or key.step is None
        return "list.text_slice" if steps and type(args[0]) is KeyInput else None
    if len(args) not in _MORE_ARGUMENTS.get(function, (1,)):
        return None
    plain = all(type(part) is KeyInput or _is_number(part) or type(part) is str for part in args)
    return _TEXT_OPCODES[function] if plain else None


def _is_number(value: Any) -> bool:
    """Return whether native code has the constant."""
    if type(value) is int:
        return int64.min <= value <= int64.max
    return type(value) in (bool, float)


def _operands(attrs: dict[str, Any]) -> Operands:
    """Return the arguments of a call, in the order of the function's parameters."""
    args = attrs["args"]
    if len(args) > 1 and isinstance(args[1], slice):  # its bounds are inputs, or stay attributes
        return Operands(_inputs(args), attrs)
    return Operands(args, {**attrs, "args": tuple(map(KeyInput, range(len(args))))})


def _inputs(key: tuple[Any, ...]) -> list[KeyInput]:
    """Return the inputs that a key refers to, in order."""
    inputs: list[KeyInput] = []

    def leaf(part: Any) -> Any:
        if isinstance(part, KeyInput):
            inputs.append(part)
        return part

    map_key(key, leaf)
    return sorted(inputs, key=lambda part: part.index)


_BINARY = frozenset({
    "math.atan2", "math.copysign", "math.fmod", "math.gcd", "math.lcm", "math.pow",
    "math.remainder",
})  # fmt: skip

call_python = define(
    "call_python",
    inputs="*values",
    same_dtype_inputs=None,
    kernel=_call,
    infer=_infer,
    grad=None,
    traits=(RAISES, TAKES_WEAK),
    raises=(ValueError, TypeError, OverflowError, ZeroDivisionError, IndexError),
    lower=Native(choose=_opcode, mixed=True, operands=_operands),
    samples=_samples,
    doc="Result of the Python ``function``; ``args`` are constants, or refer to inputs.",
)
