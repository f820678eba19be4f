"""Examples of calls of NumPy's functions: small arrays of the inputs' dtypes and ranks.

There are two sets, of different sizes and values: what is the same in both depends on neither.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import numpy as np

from runtime.ops.python.call_numpy import FUNCTIONS, filled, result_of
from runtime.ops.python.call_python import called, python_value
from runtime.staging.numpy_arrays.lists import ListInput
from runtime.types.promotion import KINDS

_EXACT = 8
"""Sizes up to this one stand in the examples as they are."""
SIZES = ((9, 11, 13, 17, 19, 23), (18, 22, 28, 34, 42, 50))
"""What stands for larger and for unknown sizes, in either set of examples: as far from each
other as ``packbits`` asks, whose results are an eighth, and with other differences, which
``correlate`` gives."""
_NUMBERS: dict[str, Sequence[Sequence[Any]]] = {
    "int": ((2, 4, 0, 1, 3, -1), (3, 1, 2, 0, 4, -1)),
    "float": ((1.5, 0.5, 4.0, -1.5), (2.5, 0.25, 3.0, -0.5)),
    "bool": ((True, False), (True, False)),
    "complex": ((1.5 + 1j,), (1.5 + 1j,)),
}
"""What stands for staged Python numbers in either set: they may decide sizes, and name axes."""
_COUNTS = (2, 4), (3, 1)
"""What may stand for the lengths of staged lists."""
_FEW = 2
"""So many staged numbers and lists are tried with all combinations of these numbers."""


def results_of_examples(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any],
    scalars: Collection[int] = (),
) -> Iterator[tuple[list[Any], Any]]:  # fmt: skip
    """Values of the inputs, and what the function gives for them."""
    for stand_ins in _possible_sizes(inputs):
        for fill in _FILLINGS:
            runs = _runs(name, template, keywords, inputs, stand_ins, 0, fill, scalars)
            yield from (pair for pair in runs if not isinstance(pair[1], Exception))


def _possible_sizes(inputs: Sequence[Any]) -> Iterator[dict[Any, int]]:
    """What may stand for sizes, until it fits the arguments."""
    stand_ins = example_sizes(inputs, SIZES[0])
    yield stand_ins
    if None not in stand_ins:
        yield {}
    else:
        yield from sizes_among_known(inputs, stand_ins)


def sizes_among_known(
    inputs: Sequence[Any], stand_ins: dict[Any, int]
) -> Iterator[dict[Any, int]]:
    """The sizes where unknown ones are one of the known ones, as in ``solve(a, b)``."""
    known_sizes = {size for tensor in inputs for size in tensor.shape.dims if size is not None}
    for size in sorted(known_sizes):
        yield {**stand_ins, None: stand_ins.get(size, size)}


def decides(name: str, operand: Any) -> bool:
    """Whether the length of a staged list, or the value of a staged int, may decide sizes."""
    if isinstance(operand, ListInput):
        return True
    is_number = operand.weak or _is_whole(operand)
    is_known = operand.spec.value is not None
    return is_number and not is_known and not isinstance(FUNCTIONS.get(name), np.ufunc)


def _is_whole(operand: Any) -> bool:
    """Whether an input is an integer scalar of an array, which may be a size."""
    return operand.shape.rank == 0 and np.dtype(operand.dtype.as_numpy_dtype).kind in "iu"


def results_for_both(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any],
    sizes: Sequence[dict[Any, int]],
) -> tuple[list[Any] | None, Exception | None]:  # fmt: skip
    """The results for both sets of examples, or why there are none."""
    of_both = []
    for number, stand_ins in enumerate(sizes):
        results, error = example_results(name, template, keywords, inputs, stand_ins, number)
        if not results:
            return None, error
        of_both.append(results)
    return of_both, None


def certain_error(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any]
) -> Exception | None:
    """The error that all examples of exactly these sizes raise; None where values may decide."""
    results = [
        result for number in range(len(SIZES)) for fill in _FILLINGS
        for _, result in _runs(name, template, keywords, inputs, {}, number, fill)
    ]  # fmt: skip
    errors = {str(result): result for result in results if isinstance(result, Exception)}
    return errors.popitem()[1] if len(errors) == 1 else None


def example_sizes(inputs: Sequence[Any], numbers: Sequence[int]) -> dict[Any, int]:
    """What stands for each size that is not taken as it is; all unknown sizes are taken as one."""
    sizes = {size for tensor in inputs for size in tensor.shape.dims}
    exact_sizes = sorted(size for size in sizes if size is not None and size > _EXACT)
    is_odd = numbers[0] % 2
    chosen = itertools.chain(numbers, itertools.count(29 + is_odd, 4 - 2 * is_odd))
    return {size: next(chosen) for size in [*exact_sizes, *([None] if None in sizes else [])]}


def example_results(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any],
    stand_ins: dict[Any, int], number: int,
) -> tuple[list[Any], Exception | None]:  # fmt: skip
    """The results for examples, or why there is none."""
    error: Exception | None = None
    for fill in _FILLINGS:
        results = []
        runs = _runs(name, template, keywords, inputs, stand_ins, number, fill)
        for _, result in runs:
            if isinstance(result, Exception):
                error = error or result
            else:
                results.append(result)
        if results:
            return results, None
    return [], error


def _runs(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any],
    stand_ins: dict[Any, int], number: int, fill: Callable[..., Any], scalars: Collection[int] = (),
) -> Iterator[tuple[list[Any], Any]]:  # fmt: skip
    """Values of the inputs, and what the function gives for them or raises."""
    for numbers in _combinations(name, inputs, stand_ins, number):
        values = [
            _example(tensor, place, stand_ins, fill, number, staged)
            for place, (tensor, staged) in enumerate(zip(inputs, numbers, strict=True))
        ]
        values = [x[()] if n in scalars else x for n, x in enumerate(values)]
        try:
            with np.errstate(all="ignore"):
                yield values, _result(name, template, keywords, values)
        except Exception as failure:  # NumPy's own, of a call that the user's program makes
            yield values, failure


def _result(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], values: Sequence[Any]
) -> Any:
    """What a function gives; a method of a scalar is not that of arrays."""
    if not (name.startswith("ndarray.") and isinstance(values[0], np.generic)):
        return result_of(name, template, keywords, values)
    scalar, *arguments = filled(template, values)
    return called(getattr(scalar, name.partition(".")[2]), arguments, keywords)


def _combinations(
    name: str, inputs: Sequence[Any], stand_ins: dict[Any, int], number: int
) -> Iterator[Sequence[Any]]:
    """The values that stand for the inputs that are staged numbers, and for the lengths of lists.
    """
    choices = [_choices(name, tensor, inputs, stand_ins, number) for tensor in inputs]
    open_ = [n for n, numbers in enumerate(choices) if len(numbers) > 1]
    if len(open_) <= _FEW:
        yield from itertools.product(*choices)
        return
    most = max(map(len, choices))
    for start, step in itertools.product(range(most), range(_FEW + 1)):
        places = {n: start + step * k for k, n in enumerate(open_)}
        yield [numbers[places.get(n, 0) % len(numbers)] for n, numbers in enumerate(choices)]


def _choices(
    name: str, tensor: Any, inputs: Sequence[Any], stand_ins: dict[Any, int], number: int
) -> Sequence[Any]:
    if isinstance(tensor, ListInput):  # it may have to fit an array
        sizes = {stand_ins.get(size, size) for operand in inputs for size in operand.shape.dims}
        return *_COUNTS[number], *sorted(size for size in sizes if size is not None)
    if not tensor.weak:
        if not (_is_whole(tensor) and decides(name, tensor)):
            return (None,)
        kind = np.dtype(tensor.dtype.as_numpy_dtype).type
        return [kind(value) for value in _NUMBERS["int"][number] if value >= np.iinfo(kind).min]
    numbers = _NUMBERS[KINDS[tensor.dtype]][number]
    return numbers if decides(name, tensor) else numbers[:1]


def _example(
    tensor: Any, place: int, stand_ins: dict[Any, int], fill: Callable[..., Any], set_: int,
    number: Any,
) -> Any:  # fmt: skip
    """A value of the type of the input at a place; the value itself, if it is known."""
    if isinstance(tensor, ListInput):
        return tensor.example(number)
    if tensor.spec.value is not None:
        value = np.asarray(tensor.spec.value)
        return python_value(value) if tensor.weak else value
    if number is not None:
        return number if tensor.weak else np.asarray(number)
    if (place, None) in stand_ins:
        stand_ins = {**stand_ins, None: stand_ins[place, None]}
    shape = tuple([stand_ins.get(size, size) for size in tensor.shape.dims])
    return fill(shape, np.dtype(tensor.dtype.as_numpy_dtype), set_ * (place + 1))


def _regular(shape: tuple[int, ...], dtype: Any, shift: int) -> Any:
    """Numbers of which most matrices are regular.  What may be sizes or bounds is shifted: by
    nothing in the first set, by something else for each input in the second one.
    """
    count = int(np.prod(shape))
    if dtype.kind == "b":
        return ((np.arange(count) + (shift > 0)) % 2).reshape(shape).astype(dtype)
    if dtype.kind not in "fc":
        # of every three one is 0: an array of so many elements as it says has none
        return ((np.arange(count) + 2 * (shift > 0)) % 3).reshape(shape).astype(dtype)
    numbers = (np.arange(count) * 7 % 11 + 1.25) / 4
    return (numbers if len(shape) > 1 else numbers + shift).reshape(shape).astype(dtype)


def _identity(shape: tuple[int, ...], dtype: Any, shift: int) -> Any:
    """Identity matrices, which are positive definite; small numbers else."""
    if len(shape) < 2:
        return np.full(shape, 1 + (shift > 0), dtype)
    return np.broadcast_to(np.eye(*shape[-2:], dtype=dtype), shape).copy()


def _ones(shape: tuple[int, ...], dtype: Any, shift: int) -> Any:
    """Ones, which are indices, and shares of a whole."""
    return np.ones(shape, dtype)


_FILLINGS = (_regular, _identity, _ones)
