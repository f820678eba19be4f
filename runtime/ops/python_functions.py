"""Table of Python's functions that can be called on staged numbers and texts, with their results.

A weak tensor stands for a Python value, so what ``math.sqrt`` or ``str.find`` gives for it is what
Python's own function gives for that value when the graph runs: its result, or its exception.
``python/call_python.py`` defines the op that calls them; here stands what the function returns.
"""

from __future__ import annotations

import builtins
import cmath
import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from autograph.named_tuples import NamedTuple

Kinds = tuple[str, ...]
"""The kinds of results: names of Python's classes, ``list`` for a list of texts."""

ResultRule = Callable[[Sequence[str]], Kinds]


class PythonFunction(NamedTuple):
    """Entry of the table: a function of Python.

    function  the function
    results   the kinds of its results, or a rule that computes them from the kinds of its arguments
    strong    whether it takes tensors that stand for no Python number, as numbers
    """

    function: Callable[..., Any]
    results: Kinds | ResultRule
    strong: bool = False

    def kinds(self, arguments: Sequence[str]) -> Kinds:
        """Return the kinds of the results for arguments of these kinds."""
        return self.results(arguments) if callable(self.results) else self.results


def _joined(arguments: Sequence[str]) -> Kinds:
    """Return the kind of a sum or product of the arguments."""
    for kind in ("complex", "float"):
        if kind in arguments:
            return (kind,)
    return ("int",)


def _rounded(arguments: Sequence[str]) -> Kinds:
    """Return the kind of ``round(x)`` and ``round(x, digits)``."""
    gives_int = len(arguments) == 1 or arguments[1] == "NoneType" or arguments[0] != "float"
    return ("int",) if gives_int else ("float",)


_MATH: Mapping[str, str] = {
    "float": "acos acosh asin asinh atan atan2 atanh cbrt copysign cos cosh degrees dist erf erfc "
    "exp exp2 expm1 fabs fma fmod fsum gamma hypot ldexp lgamma log log10 log1p log2 nextafter pow "
    "radians remainder sin sinh sqrt tan tanh ulp",
    "int": "ceil comb factorial floor gcd isqrt lcm perm trunc",
    "bool": "isclose isfinite isinf isnan",
    "float int": "frexp",
    "float float": "modf",
}
_CMATH: Mapping[str, str] = {
    "complex": "acos acosh asin asinh atan atanh cos cosh exp log log10 rect sin sinh sqrt tan "
    "tanh",
    "float": "phase",
    "bool": "isclose isfinite isinf isnan",
    "float float": "polar",
}
_TEXTS: Mapping[str, str] = {
    "str": "capitalize casefold center expandtabs join ljust lower lstrip removeprefix "
    "removesuffix replace rjust rstrip strip swapcase title translate upper zfill",
    "int": "count find index rfind rindex",
    "bool": "endswith isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric "
    "isprintable isspace istitle isupper startswith",
    "list": "rsplit split splitlines",
    "str str str": "partition rpartition",
}
_INTS: Mapping[str, str] = {"int": "bit_count bit_length", "int int": "as_integer_ratio"}
_FLOATS: Mapping[str, str] = {"int int": "as_integer_ratio", "str": "hex"}
_BUILTINS: Mapping[str, str] = {"str": "bin chr hex oct", "int": "ord"}


def _entries(
    prefix: str, owner: Any, names: Mapping[str, str], strong: bool = False
) -> Iterable[tuple[str, PythonFunction]]:
    """Make entries for the functions that this version of Python has."""
    for results, functions in names.items():
        for name in functions.split():
            if hasattr(owner, name):
                entry = PythonFunction(getattr(owner, name), tuple(results.split()), strong)
                yield prefix + name, entry


FUNCTIONS: dict[str, PythonFunction] = {
    **dict(_entries("math.", math, _MATH, strong=True)),
    **dict(_entries("cmath.", cmath, _CMATH, strong=True)),
    **dict(_entries("str.", str, _TEXTS)),
    **dict(_entries("int.", int, _INTS)),
    **dict(_entries("float.", float, _FLOATS)),
    **dict(_entries("", builtins, _BUILTINS, strong=True)),
    "math.prod": PythonFunction(math.prod, _joined),
    "round": PythonFunction(round, _rounded),
    "pow": PythonFunction(pow, ("int",)),
    "int": PythonFunction(int, ("int",)),
    "text.length": PythonFunction(len, ("int",)),
    "text.list": PythonFunction(list, ("list",)),
    "text.item": PythonFunction(operator.getitem, ("str",)),
    "text.times": PythonFunction(operator.mul, ("str",)),
    "text.contains": PythonFunction(operator.contains, ("bool",)),
}
"""The functions by name: ``module.function`` or ``class.method``; builtins without a prefix."""

if hasattr(math, "sumprod"):
    FUNCTIONS["math.sumprod"] = PythonFunction(math.sumprod, _joined)

METHODS: Mapping[str, frozenset[str]] = {
    kind: frozenset(name.partition(".")[2] for name in FUNCTIONS if name.startswith(f"{kind}."))
    for kind in ("str", "int", "float")
}
"""The methods of a kind of value that are in the table."""
