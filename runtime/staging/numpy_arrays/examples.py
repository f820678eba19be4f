"""Types of what NumPy's functions give for staged arrays, found by examples.

calls.py asks when it records a call: the function is called on small arrays of the inputs'
dtypes and ranks, in two sets of sizes, which tells the sizes of the results that depend on none.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from runtime.ops.array.indexing import KeyInput
from runtime.ops.python.call_numpy import (
    FUNCTIONS,
    VALUES_DTYPE,
    VALUES_SHAPE,
    filled,
    result_of,
)
from runtime.ops.python.call_python import called, python_value
from runtime.staging.numpy_arrays.lists import ListInput
from runtime.types.dtypes import DTYPE_OF_NUMPY, string
from runtime.types.promotion import KINDS
from runtime.types.shapes import UNKNOWN_SHAPE, TensorShape, TensorSpec

_EXACT = 8
"""Sizes up to this one stand in the examples as they are."""
_SIZES = ((9, 11, 13, 17, 19, 23), (10, 12, 15, 18, 21, 26))
"""What stands for larger and for unknown sizes, in either set of examples."""
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


def refusal(name: str, why: str) -> ConcreteValueError:
    """The error for a call of a function that cannot be staged."""
    return ConcreteValueError(
        f"{name}() of staged values cannot be staged: {why}",
        where=user_line(),
        help="use an operation of runtime that does the same, or call it outside of the function",
    )


def result_specs(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any]
) -> tuple[Any, tuple[TensorSpec, ...]]:
    """An example of what a function gives, and the types."""
    if any(tensor.dtype is string or tensor.shape.rank is None for tensor in inputs):
        raise refusal(name, "it is given texts, or a tensor of unknown rank")
    if name in VALUES_DTYPE and not any(tensor.dtype.is_complex for tensor in inputs):
        raise refusal(name, "the values decide whether its result is real or complex; that of a "
                            "complex array, x + 0j, is complex")
    sizes: Sequence[dict[Any, int]] = [_stand_ins(inputs, numbers) for numbers in _SIZES]
    found, error = _examples(name, template, keywords, inputs, sizes)
    open_ = any(None in known for known in sizes) or any(_decides(name, part) for part in inputs)
    if found is None and not open_:
        sizes = [{}, {}]  # the sizes as they are: they may have to fit numbers among the arguments
        found, error = _examples(name, template, keywords, inputs, sizes)
        if error is not None:
            raise error  # as NumPy would
    if found is None and None in sizes[0]:
        found, sizes = _with_known_sizes(name, template, keywords, inputs, sizes)
    if found is None and name.endswith(".reshape"):
        reshaped = _reshaped_spec(template, keywords, inputs)
        if reshaped is not None:
            return None, (reshaped,)
    if found is None:
        raise refusal(name, f"no example tells the type of its result ({error})")
    first, second = [_parts(name, results) for results in found]
    if len(first) != len(second):
        raise refusal(name, "a staged value decides how many results there are")
    pairs = zip(first, second, strict=True)
    specs = [_spec(name, examples, more, sizes) for examples, more in pairs]
    if None in sizes[0]:
        of_one, _ = _example_results(name, template, keywords, inputs, {**sizes[0], None: 1}, 0)
        if of_one:
            parts = _parts(name, of_one)
            specs = [_of_any_size(name, spec, x[0]) for spec, x in zip(specs, parts, strict=True)]
    return found[0][0], tuple(specs)


def _of_any_size(name: str, spec: TensorSpec, of_one: Any) -> TensorSpec:
    """The type of a result where unknown sizes may also be 1, which ``squeeze`` leaves out;
    ``of_one`` is an example.
    """
    if np.ndim(of_one) == spec.shape.rank:
        return spec
    if isinstance(of_one, np.generic):
        raise refusal(name, "its result is a scalar where a size is 1, and an array elsewhere")
    return TensorSpec(UNKNOWN_SHAPE, spec.dtype)


def gives_array(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any],
    scalars: set[int],
) -> bool:  # fmt: skip
    """Whether a result without axes is an array, and no scalar; ``scalars`` are the inputs that
    are scalars of NumPy's.
    """
    raises = True
    for _, result in _results(name, template, keywords, inputs, scalars):
        raises = False
        if np.ndim(result) == 0:
            return isinstance(result, np.ndarray)
    if raises:
        return False  # so will the run
    raise refusal(name, "no example tells whether its result is a scalar")


def shared_inputs(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any]
) -> list[int | None]:
    """For each array of a result, the input whose memory it may share, if it may."""
    for values, result in _results(name, template, keywords, inputs):
        arrays = [(n, x) for n, x in enumerate(values) if isinstance(x, np.ndarray)]
        return [
            next((n for n, x in arrays if np.may_share_memory(part, x)), None)
            for part in (result if isinstance(result, tuple) else (result,))
        ]
    return [None]


def _results(
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
    stand_ins = _stand_ins(inputs, _SIZES[0])
    yield stand_ins
    if None not in stand_ins:
        yield {}
    else:
        yield from _with_one_of_the_known(inputs, stand_ins)


def _with_one_of_the_known(
    inputs: Sequence[Any], stand_ins: dict[Any, int]
) -> Iterator[dict[Any, int]]:
    """The sizes where unknown ones are one of the known ones, as in ``solve(a, b)``."""
    known = {size for tensor in inputs for size in tensor.shape.dims if size is not None}
    for size in sorted(known):
        yield {**stand_ins, None: stand_ins.get(size, size)}


def _parts(name: str, results: Sequence[Any]) -> Sequence[Sequence[Any]]:
    """For each array of the results, what the examples give for it."""
    parts = [result if isinstance(result, tuple) else (result,) for result in results]
    if len({len(part) for part in parts}) > 1:
        raise refusal(name, "a staged value decides how many results there are")
    return [*zip(*parts, strict=True)]


def _with_known_sizes(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any],
    sizes: Sequence[dict[Any, int]],
) -> tuple[list[Any] | None, Sequence[dict[Any, int]]]:  # fmt: skip
    """The results where unknown sizes are one of the known ones."""
    for chosen in zip(*[_with_one_of_the_known(inputs, one) for one in sizes], strict=True):
        found, _ = _examples(name, template, keywords, inputs, chosen)
        if found is not None:
            return found, chosen
    return None, sizes


def _reshaped_spec(
    template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any]
) -> TensorSpec | None:
    """The type of an array that is given a shape with staged sizes; None for other calls."""
    array, *sizes = template
    if keywords or not isinstance(array, KeyInput) or isinstance(inputs[array.index], ListInput):
        return None
    if len(sizes) == 1 and isinstance(sizes[0], tuple):
        sizes = [*sizes[0]]
    if not all(isinstance(size, int | KeyInput) for size in sizes):
        return None
    dims = [size if isinstance(size, int) and size >= 0 else None for size in sizes]
    return TensorSpec(TensorShape(dims), inputs[array.index].dtype)


def _decides(name: str, part: Any) -> bool:
    """Whether the length of a staged list, or the value of a staged int, may decide sizes."""
    if isinstance(part, ListInput):
        return True
    is_number = part.weak or _is_whole(part)
    return is_number and part.spec.value is None and not isinstance(FUNCTIONS.get(name), np.ufunc)


def _is_whole(part: Any) -> bool:
    """Whether an input is an integer scalar of an array, which may be a size."""
    return part.shape.rank == 0 and np.dtype(part.dtype.as_numpy_dtype).kind in "iu"


def _examples(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any],
    sizes: Sequence[dict[Any, int]],
) -> tuple[list[Any] | None, Exception | None]:  # fmt: skip
    """The results for both sets of examples, or why there are none."""
    found = []
    for number, stand_ins in enumerate(sizes):
        results, error = _example_results(name, template, keywords, inputs, stand_ins, number)
        if not results:
            return None, error
        found.append(results)
    return found, None


def _stand_ins(inputs: Sequence[Any], numbers: Sequence[int]) -> dict[Any, int]:
    """What stands for each size that is not taken as it is; all unknown sizes are taken as one."""
    sizes = {size for tensor in inputs for size in tensor.shape.dims}
    known = sorted(size for size in sizes if size is not None and size > _EXACT)
    chosen = itertools.chain(numbers, itertools.count(29 + numbers[0] % 2, 2))
    return {size: next(chosen) for size in [*known, *([None] if None in sizes else [])]}


def _example_results(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any],
    stand_ins: dict[Any, int], number: int,
) -> tuple[list[Any], Exception | None]:  # fmt: skip
    """The results for examples, or why there is none."""
    error: Exception | None = None
    for fill in _FILLINGS:
        found = []
        runs = _runs(name, template, keywords, inputs, stand_ins, number, fill)
        for _, result in runs:
            if isinstance(result, Exception):
                error = error or result
            else:
                found.append(result)
        if found:
            return found, None
    return [], error


def _runs(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any],
    stand_ins: dict[Any, int], number: int, fill: Callable[..., Any], scalars: Collection[int] = (),
) -> Iterator[tuple[list[Any], Any]]:  # fmt: skip
    """Values of the inputs, and what the function gives for them or raises."""
    for numbers in _combinations(name, inputs, stand_ins, number):
        pairs = zip(inputs, numbers, strict=True)
        values = [_example(tensor, stand_ins, fill, one) for tensor, one in pairs]
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
    scalar, *given = filled(template, values)
    return called(getattr(scalar, name.partition(".")[2]), given, keywords)


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
        sizes = {stand_ins.get(size, size) for one in inputs for size in one.shape.dims}
        return *_COUNTS[number], *sorted(size for size in sizes if size is not None)
    if not tensor.weak:
        if not (_is_whole(tensor) and _decides(name, tensor)):
            return (None,)
        kind = np.dtype(tensor.dtype.as_numpy_dtype).type
        return [kind(one) for one in _NUMBERS["int"][number] if one >= np.iinfo(kind).min]
    numbers = _NUMBERS[KINDS[tensor.dtype]][number]
    return numbers if _decides(name, tensor) else numbers[:1]


def _example(
    tensor: Any, stand_ins: dict[Any, int], fill: Callable[..., Any], number: Any
) -> Any:
    """A value of a tensor's type; the value itself, if it is known."""
    if isinstance(tensor, ListInput):
        return tensor.example(number)
    if tensor.spec.value is not None:
        value = np.asarray(tensor.spec.value)
        return python_value(value) if tensor.weak else value
    if number is not None:
        return number if tensor.weak else np.asarray(number)
    shape = tuple([stand_ins.get(size, size) for size in tensor.shape.dims])
    return fill(shape, np.dtype(tensor.dtype.as_numpy_dtype))


def _regular(shape: tuple[int, ...], dtype: Any) -> Any:
    """Numbers of which most matrices are regular."""
    count = int(np.prod(shape))
    numbers = (np.arange(count) * 7 % 11 + 1.25) / 4
    return numbers.reshape(shape).astype(dtype) if dtype.kind in "fc" else (
        (np.arange(count) % 3).reshape(shape).astype(dtype)
    )


def _identity(shape: tuple[int, ...], dtype: Any) -> Any:
    """Identity matrices, which are positive definite; small numbers else."""
    if len(shape) < 2:
        return np.ones(shape, dtype)
    return np.broadcast_to(np.eye(*shape[-2:], dtype=dtype), shape).copy()


_FILLINGS = (_regular, _identity)


def _spec(
    name: str, ones: Sequence[Any], others: Sequence[Any], sizes: Sequence[dict[Any, int]]
) -> TensorSpec:
    """The type of a result: sizes that both sets of examples explain, else unknown ones."""
    arrays = [np.asarray(one) for one in (*ones, *others)]
    first = arrays[0]
    dtype = DTYPE_OF_NUMPY.get(first.dtype)
    if dtype is None or isinstance(ones[0], list) or {a.dtype for a in arrays} != {first.dtype}:
        raise refusal(name, "its result is no array of a fixed dtype")
    if len({array.ndim for array in arrays}) > 1:
        return TensorSpec(UNKNOWN_SHAPE, dtype)
    if name.rpartition(".")[2] in VALUES_SHAPE:
        leading = [first.ndim - 1] if name == "numpy.mgrid" and first.ndim > 1 else []
        return TensorSpec(TensorShape([*leading, *[None] * (first.ndim - len(leading))]), dtype)
    shapes, more = [{np.shape(one) for one in results} for results in (ones, others)]
    pairs = {(number, sizes[1][size]): size for size, number in sizes[0].items()}
    dims = [
        _explained({shape[axis] for shape in shapes}, {shape[axis] for shape in more}, pairs)
        for axis in range(first.ndim)
    ]
    return TensorSpec(TensorShape(dims), dtype)


def _explained(
    ones: set[int], others: set[int], pairs: dict[tuple[int, int], int | None]
) -> int | None:
    """The size that an axis has in all examples; None if it differs."""
    if len(ones) > 1 or len(others) > 1:
        return None
    (one,), (other,) = ones, others
    return pairs.get((one, other), one if one == other else None)
