"""Failures: what Python would raise at the sites of a module, as texts that are known at export.

Native code without Python cannot call the kernel of a site.  So the kernels are called while the
module is exported, on inputs of all kinds, and what they raise is kept: the class, the message with
places for arguments, and the user's line.  Which arguments are zero, or empty, tells apart what the
same operation may raise.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.callbacks import site_function, slow_function, to_kernel
from runtime.ops.op import STATEFUL
from runtime.types.errors import InternalError
from runtime.types.source_location import UNKNOWN_LOCATION, Location

INT, TEXT, FLOAT, BOOL, UNSIGNED = 1, 2, 3, 4, 5
"""Bytes in a message that stand for an argument; the byte after them is its number plus 1."""
ANY = -1
"""Pattern of failures for all arguments."""
UNKNOWN = "UnimplementedError"
"""Class of the failure where the kernel would have given a result, which native code has not."""
_MOST_TRIALS = 200
_INTEGER = re.compile(r"-?\d+")
_SENTINEL = 113
"""Number that fits all types, and stands in no message by chance."""


class Failure(NamedTuple):
    """Failure of a site.

    pattern    bits of the arguments that are zero or empty; ``ANY`` for all
    exception  name of the exception's class
    message    its text, with places for arguments
    location   the user's line
    """

    pattern: int
    exception: str
    message: str
    location: Location


def failures_of(module: ir.KernelModule) -> list[list[Failure]]:
    """Return the failures of each site, the last one of each for any arguments."""
    functions = _site_functions(module)
    return [_of_site(site, functions[site.index]) for site in module.sites]


def _site_functions(module: ir.KernelModule) -> Mapping[int, Callable[..., Any]]:
    """Return what Python would call at each site, by number."""
    fusions = [
        instruction
        for function in module.functions
        for instruction, _ in ir.instructions(function.block)
        if isinstance(instruction, Fusion)
    ]
    slow = {id(fusion.site) for fusion in fusions}
    functions = {
        site.index: site_function(site, rare=True) for site in module.sites if id(site) not in slow
    }
    return functions | {
        fusion.site.index: slow_function(fusion, functions, module.objects) for fusion in fusions
    }


def _of_site(site: ir.Site, function: Callable[..., Any]) -> list[Failure]:
    node = None if site.step is None else site.step.operation
    if node is None:
        return [Failure(ANY, UNKNOWN, "native code gave up a conversion", UNKNOWN_LOCATION)]
    location = (node.origin or node).location or UNKNOWN_LOCATION
    unknown = Failure(
        ANY, UNKNOWN, f"native code does not compute {node.op_def.name!r} of such inputs", location
    )
    make = site.step.attrs.get("make") or site.step.attrs.get("fail")
    if STATEFUL in node.op_def.traits:
        return [unknown if make is None else _of_maker(make, site, location)]
    outcomes: dict[int, list[_Outcome]] = {}
    no_memory = False
    for values in itertools.islice(_trials(site), _MOST_TRIALS):
        try:
            with np.errstate(all="ignore"):
                function(*values)
        except InternalError:  # the kernel has a result for these
            continue
        except MemoryError:
            no_memory = True
        except Exception as error:
            outcomes.setdefault(pattern_of(values), []).append(_Outcome.of(error, values))
    last = Failure(ANY, "MemoryError", "", location) if no_memory else unknown
    failures = [
        Failure(pattern, *merged, location)
        for pattern, several in outcomes.items() if (merged := _merged(several)) is not None
    ]  # fmt: skip
    return [*failures, last]


def _of_maker(make: Callable[..., BaseException], site: ir.Site, location: Location) -> Failure:
    """Return the failure of a ``raise`` or ``assert`` of the program."""
    count = len(site.takes) - ("fail" in site.step.attrs)
    takes = site.takes[len(site.takes) - count :]
    first = len(site.takes) - count
    values = [_marker(type, first + number) for number, type in enumerate(takes)]
    arrays = [(to_kernel(t) or np.asarray)(v) for t, v in zip(takes, values, strict=True)]
    error = make(*arrays)
    message = str(error)
    for number, (type, value) in enumerate(zip(takes, values, strict=True), first):
        if isinstance(type, ir.Scalar) and type.kind in "iuf":
            mark = {"i": INT, "u": UNSIGNED, "f": FLOAT}[type.kind]
            message = message.replace(str(value), chr(mark) + chr(number + 1))
    return Failure(ANY, type_name(error), message, location)


def type_name(error: BaseException) -> str:
    """Return the name of the class of an exception, as tracebacks show it."""
    return type(error).__name__


def _marker(type: ir.Type, number: int) -> Any:
    """Return a value that is seen in a message."""
    if type == ir.TEXT:
        return chr(TEXT) + chr(number + 1)
    if isinstance(type, ir.Scalar):
        if type.kind == "f":
            return 0.40625 + number
        return True if type.kind == "b" else _SENTINEL - number
    return np.zeros(())


# -- trials ---------------------------------------------------------------------------------------


def _trials(site: ir.Site) -> Iterator[tuple[Any, ...]]:
    """Yield arguments for the kernel of a site."""
    return itertools.product(*[
        _samples(type, spec) for type, spec in zip(site.takes, _specs(site), strict=True)
    ])


def _specs(site: ir.Site) -> Sequence[Any]:
    """Return what is known of the arrays that a site takes; None for others."""
    inputs = [tensor.spec for tensor in site.step.operation.inputs]
    order = site.order if site.order is not None else range(len(site.takes))
    if len(order) != len(site.takes):
        return [None] * len(site.takes)
    specs: list[Any] = [None] * len(site.takes)
    for place, position in enumerate(order):
        if place < len(inputs) and position < len(specs):
            specs[position] = inputs[place]
    return specs


def _samples(type: ir.Type, spec: Any) -> list[Any]:
    if type == ir.TEXT:
        return ["", "a"]
    if isinstance(type, ir.NativeList):
        if type.array is not None:
            return []
        entry = [_samples(field, None)[-1] for field in type.fields]
        return [[], [entry[0] if len(entry) == 1 else tuple(entry)]]
    if isinstance(type, ir.Scalar):
        return _numbers(type)
    return _arrays(spec)


def _numbers(type: ir.Scalar) -> list[Any]:
    if type.kind == "b":
        return [False, True]
    if type.kind == "u":
        return [0, 1, (1 << type.bits) - 1, _SENTINEL]
    if type.kind == "i":
        return [0, 1, -1, -1 << type.bits - 1, (1 << type.bits - 1) - 1, _SENTINEL]
    return [0.0, 1.0, -1.5, float("inf"), float("nan"), 1e30]


def _arrays(spec: Any) -> list[Any]:
    """Return arrays of zeros and of ones, of two sizes where these are not known."""
    if spec is None or spec.shape.rank is None:
        return [np.zeros(2, np.float32)]
    dtype = spec.dtype.as_numpy_dtype
    if dtype is object:
        return [np.array(b"", object)]
    shapes = dict.fromkeys(
        tuple([unknown if size is None else size for size in spec.shape.dims]) for unknown in (2, 3)
    )
    return [make(shape, dtype) for make in (np.zeros, np.ones) for shape in shapes]


def pattern_of(values: Sequence[Any]) -> int:
    """Return the bits of the numbers that are zero, and the lists that are empty."""
    is_null = [
        not isinstance(value, np.ndarray)
        and (not value if isinstance(value, list | str) else bool(value == 0))
        for value in values
    ]
    return sum(1 << number for number, null in enumerate(is_null) if null)


# -- messages -------------------------------------------------------------------------------------


class _Outcome(NamedTuple):
    """What a trial raised: class and message, in which ints are apart, and the ints among its
    arguments.
    """

    exception: str
    words: tuple[str, ...]
    ints: tuple[str, ...]
    arguments: dict[str, int]

    @classmethod
    def of(cls, error: Exception, values: Sequence[Any]) -> _Outcome:
        """Return the outcome of an exception."""
        text = (getattr(error, "message", None) or str(error)).partition("\n")[0]
        text = text.partition(" [Op:")[0]
        arguments = {str(v): n for n, v in enumerate(values) if type(v) is int}
        ints = tuple(_INTEGER.findall(text))
        return cls(type_name(error), tuple(_INTEGER.split(text)), ints, arguments)


def _merged(outcomes: Sequence[_Outcome]) -> tuple[str, str] | None:
    """Return the class and message of all outcomes of a pattern; None if they differ in more than
    numbers.  A number that is the same argument each time becomes its place.
    """
    first = outcomes[0]
    if any((o.exception, o.words) != (first.exception, first.words) for o in outcomes):
        return None
    message = first.words[0]
    for place, word in enumerate(first.words[1:]):
        message += _number(outcomes, place) + word
    return first.exception, message


def _number(outcomes: Sequence[_Outcome], place: int) -> str:
    """Return what stands at the place of a number."""
    numbers = {outcome.ints[place] for outcome in outcomes}
    arguments = {outcome.arguments.get(outcome.ints[place]) for outcome in outcomes}
    if len(numbers) > 1 and len(arguments) == 1 and None not in arguments:
        return chr(INT) + chr(arguments.pop() + 1)  # type: ignore[operator]
    return numbers.pop() if len(numbers) == 1 else "..."
