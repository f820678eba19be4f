"""Types of what NumPy's functions give for staged arrays, found by rules and by examples.

calls.py asks when it records a call.  Element-wise functions broadcast; any other one is called on
examples (examples.py) in two sets of sizes and values, which tells the sizes of the results that
depend on none.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from runtime.ops.array.indexing import KeyInput
from runtime.ops.python.call_numpy import FUNCTIONS, VALUES_DTYPE, VALUES_SHAPE
from runtime.ops.rules.inference import broadcast_shapes
from runtime.staging.numpy_arrays.examples import (
    SIZES,
    certain_error,
    decides,
    example_results,
    example_sizes,
    results_for_both,
    results_of_examples,
    sizes_among_known,
)
from runtime.staging.numpy_arrays.lists import ListInput
from runtime.types.dtypes import DTYPE_OF_NUMPY, string
from runtime.types.errors import IncompatibleShapesError
from runtime.types.shapes import UNKNOWN_SHAPE, TensorShape, TensorSpec


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
    _check_known(name, inputs)
    if name == "numpy.where" and len(template) == 1:
        name = "numpy.nonzero"  # that is what it is: of as many elements as the values decide
    by_rule = _elementwise_specs(name, template, keywords, inputs)
    if by_rule is not None:
        return by_rule
    sizes: Sequence[dict[Any, int]] = [example_sizes(inputs, numbers) for numbers in SIZES]
    both, error = results_for_both(name, template, keywords, inputs, sizes)
    has_unknown_sizes = any(None in stand_ins for stand_ins in sizes)
    is_open = has_unknown_sizes or any(decides(name, operand) for operand in inputs)
    if both is None and not is_open:
        sizes = [{}, {}]  # the sizes as they are: they may have to fit numbers among the arguments
        both, error = results_for_both(name, template, keywords, inputs, sizes)
        certain = certain_error(name, template, keywords, inputs) if both is None else None
        if certain is not None:
            raise certain  # as NumPy would
    if both is None and None in sizes[0]:
        both, sizes = _with_known_sizes(name, template, keywords, inputs, sizes)
    if both is None and name.endswith(".reshape"):
        reshaped = _reshaped_spec(template, keywords, inputs)
        if reshaped is not None:
            return None, (reshaped,)
    if both is None:
        raise refusal(name, f"no example tells the type of its result ({error})")
    first, second = [_parts(name, results) for results in both]
    if len(first) != len(second):
        raise refusal(name, "a staged value decides how many results there are")
    pairs = zip(first, second, strict=True)
    specs = [_spec(name, examples, more_examples, sizes) for examples, more_examples in pairs]
    for other_sizes in _other_sizes(inputs, sizes[0]):
        results, _ = example_results(name, template, keywords, inputs, other_sizes, 0)
        if results:
            specs = [
                _of_any_size(name, spec, arrays[0], sizes[0])
                for spec, arrays in zip(specs, _parts(name, results), strict=True)
            ]
    return both[0][0], tuple(specs)


def _check_known(name: str, inputs: Sequence[Any]) -> None:
    """Refuse calls whose results have a type that nothing tells before a run."""
    if any(tensor.dtype is string or tensor.shape.rank is None for tensor in inputs):
        raise refusal(name, "it is given texts, or a tensor of unknown rank")
    if name in VALUES_DTYPE and not any(tensor.dtype.is_complex for tensor in inputs):
        raise refusal(name, "the values decide whether its result is real or complex; that of a "
                            "complex array, x + 0j, is complex")
    if name == "numpy.tensordot" and any(decides(name, operand) for operand in inputs):
        raise refusal(name, "the number of axes is known only at run time")
    if name == "numpy.cross" and any(None in operand.shape.dims[-1:] for operand in inputs):
        raise refusal(name, "whether its vectors have 2 or 3 elements is known only at run time")


def _other_sizes(inputs: Sequence[Any], sizes: dict[Any, int]) -> Iterator[dict[Any, int]]:
    """Sizes that unknown ones may have, too: 1, which ``squeeze`` leaves out, and which is less
    than the known ones, as ``qr`` takes the lesser; and one of its own for each input.
    """
    if None in sizes:
        yield {**sizes, None: 1}
        yield sizes | {(place, None): sizes[None] + 40 * place for place in range(len(inputs))}


def _of_any_size(
    name: str, spec: TensorSpec, example: Any, sizes: dict[Any, int]
) -> TensorSpec:
    """The type of a result of which there is an example of other sizes."""
    dims = spec.shape.dims
    if dims is None:
        return spec
    if np.ndim(example) == len(dims):
        known_sizes = {number: size for size, number in sizes.items() if size is not None}
        pairs = zip(dims, [known_sizes.get(size, size) for size in np.shape(example)], strict=True)
        return TensorSpec([dim if dim == size else None for dim, size in pairs], spec.dtype)
    if isinstance(example, np.generic):
        raise refusal(name, "its result is a scalar where a size is 1, and an array elsewhere")
    return TensorSpec(UNKNOWN_SHAPE, spec.dtype)


def _elementwise_specs(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any]
) -> tuple[Any, tuple[TensorSpec, ...]] | None:
    """An example of what an element-wise function gives, and the types: shapes broadcast.  None for
    other functions and calls, and where a call certainly fails: examples raise NumPy's error.
    """
    function = FUNCTIONS.get(name)
    if not isinstance(function, np.ufunc) or function.signature is not None or keywords:
        return None
    if any(isinstance(operand, ListInput) for operand in inputs):
        return None
    if not all(type(operand) in (KeyInput, bool, int, float, complex) for operand in template):
        return None
    try:
        shape = functools.reduce(broadcast_shapes, [operand.shape for operand in inputs])
    except IncompatibleShapesError:
        return None
    ones = {size: 1 for operand in inputs for size in operand.shape.dims}
    results, _ = example_results(name, template, keywords, inputs, ones, 0)
    if not results:
        return None
    specs = [_spec(name, arrays, arrays, [{}, {}]) for arrays in _parts(name, results)]
    return results[0], tuple([TensorSpec(shape, spec.dtype) for spec in specs])


def gives_array(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any],
    scalars: set[int],
) -> bool:  # fmt: skip
    """Whether a result without axes is an array, and no scalar; ``scalars`` are the inputs that
    are scalars of NumPy's.
    """
    raises = True
    for _, result in results_of_examples(name, template, keywords, inputs, scalars):
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
    for values, result in results_of_examples(name, template, keywords, inputs):
        arrays = [(n, x) for n, x in enumerate(values) if isinstance(x, np.ndarray)]
        return [
            next((n for n, x in arrays if np.may_share_memory(array, x)), None)
            for array in (result if isinstance(result, tuple) else (result,))
        ]
    return [None]


def _parts(name: str, results: Sequence[Any]) -> Sequence[Sequence[Any]]:
    """For each array of the results, what the examples give for it."""
    arrays = [result if isinstance(result, tuple) else (result,) for result in results]
    if len({len(of_result) for of_result in arrays}) > 1:
        raise refusal(name, "a staged value decides how many results there are")
    return [*zip(*arrays, strict=True)]


def _with_known_sizes(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any],
    sizes: Sequence[dict[Any, int]],
) -> tuple[list[Any] | None, Sequence[dict[Any, int]]]:  # fmt: skip
    """The results where unknown sizes are one of the known ones."""
    for chosen in zip(*[sizes_among_known(inputs, numbers) for numbers in sizes], strict=True):
        results, _ = results_for_both(name, template, keywords, inputs, chosen)
        if results is not None:
            return results, chosen
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
    if any(inputs[size.index].shape.rank for size in sizes if isinstance(size, KeyInput)):
        return None  # an array of sizes
    dims = [size if isinstance(size, int) and size >= 0 else None for size in sizes]
    return TensorSpec(TensorShape(dims), inputs[array.index].dtype)


def _spec(
    name: str, ones: Sequence[Any], more_examples: Sequence[Any], sizes: Sequence[dict[Any, int]]
) -> TensorSpec:
    """The type of a result: sizes that both sets of examples explain, else unknown ones."""
    arrays = [np.asarray(result) for result in (*ones, *more_examples)]
    first = arrays[0]
    dtype = DTYPE_OF_NUMPY.get(first.dtype)
    if dtype is None or isinstance(ones[0], list) or {a.dtype for a in arrays} != {first.dtype}:
        raise refusal(name, "its result is no array of a fixed dtype")
    if len({array.ndim for array in arrays}) > 1:
        return TensorSpec(UNKNOWN_SHAPE, dtype)
    if name.rpartition(".")[2] in VALUES_SHAPE:
        leading = [first.ndim - 1] if name == "numpy.mgrid" and first.ndim > 1 else []
        return TensorSpec(TensorShape([*leading, *[None] * (first.ndim - len(leading))]), dtype)
    shapes = [{np.shape(result) for result in results} for results in (ones, more_examples)]
    pairs = {(number, sizes[1][size]): size for size, number in sizes[0].items()}
    dims = [
        _explained(
            {shape[axis] for shape in shapes[0]}, {shape[axis] for shape in shapes[1]}, pairs
        )
        for axis in range(first.ndim)
    ]
    return TensorSpec(TensorShape(dims), dtype)


def _explained(
    ones: set[int], more_sizes: set[int], pairs: dict[tuple[int, int], int | None]
) -> int | None:
    """The size that an axis has in all examples; None if it differs."""
    if len(ones) > 1 or len(more_sizes) > 1:
        return None
    (first,), (second,) = ones, more_sizes
    return pairs.get((first, second), first if first == second else None)
