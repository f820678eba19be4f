"""Types that are recorded for calls of NumPy's functions: those of what NumPy gives, whatever sizes
and values a run has, or a refusal.
"""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from autograph.errors import ConcreteValueError
from autograph.staging import load_announced
from runtime.ops.python.call_numpy import FUNCTIONS
from runtime.staging.numpy_arrays.calls import call_numpy
from runtime.staging.numpy_arrays.symbolic_array import SymbolicArray
from runtime.types.dtypes import as_dtype

RANDOM = np.random.default_rng(20261128)


def normal(*shape: int) -> np.ndarray:
    return np.asarray(RANDOM.normal(size=shape))


def ints(low: int, high: int, *shape: int) -> np.ndarray:
    return np.asarray(RANDOM.integers(low, high, shape))


def some_zeros(*shape: int) -> np.ndarray:
    return normal(*shape) * ints(0, 2, *shape)


def of_rank_one() -> np.ndarray:
    return np.outer(normal(4), normal(2))


def size() -> int:
    return int(RANDOM.integers(1, 25))


CASES = {  # the function, and what makes arguments of several sizes and values
    "reshape": ("numpy.reshape", lambda: (normal(12), np.array([3, 4]))),
    "arange of floats": ("numpy.arange", lambda: (normal(), normal(), 0.5 + abs(normal()))),
    "correlate": ("numpy.correlate", lambda: (normal(size()), normal(size()))),
    "conj of bools": ("ndarray.conj", lambda: (ints(0, 2, 3).astype(bool),)),
    "diag_indices": ("numpy.diag_indices", lambda: (np.float64(RANDOM.integers(1, 5)),)),
    "divmod": ("numpy.divmod", lambda: (normal(2, size()), normal(1))),
    "fft of a size": ("numpy.fft.fft", lambda: (normal(3), ints(1, 4))),
    "less sizes": ("numpy.linalg.qr", lambda: (normal(size(), size()),)),
    "full": ("numpy.full", lambda: (ints(0, 4, 2), normal())),
    "hamming": ("numpy.hamming", lambda: (np.float64(RANDOM.integers(0, 5)),)),
    "lstsq": ("numpy.linalg.lstsq", lambda: (normal(4, 2), normal(4))),
    "lstsq of rank 1": ("numpy.linalg.lstsq", lambda: (of_rank_one(), normal(4))),
    "packbits": ("numpy.packbits", lambda: (ints(0, 2, size()).astype(bool),)),
    "quantile": ("numpy.quantile", lambda: (normal(5), RANDOM.random(2))),
    "squeeze": ("numpy.squeeze", lambda: (normal(int(RANDOM.integers(1, 3)), 3),)),
    "tile": ("numpy.tile", lambda: (normal(3), ints(0, 3, 2).astype(bool))),
    "where": ("numpy.where", lambda: (some_zeros(3, 3),)),
    "zeros": ("numpy.zeros", lambda: (ints(0, 4, 2),)),
}


def recorded(name: str, args: tuple, dims: list[list[int | None]]) -> list:
    """(dtype, shape) of each result of a call with staged arguments of these static shapes."""
    load_announced()
    with tf.Graph().as_default():
        arrays = [
            SymbolicArray.argument(tf.placeholder(as_dtype(np.asarray(arg).dtype), shape))
            for arg, shape in zip(args, dims, strict=True)
        ]
        result = call_numpy(name, *arrays)
        results = result if isinstance(result, tuple) else (result,)
        return [(one.current().dtype.as_numpy_dtype, one.current().shape) for one in results]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("has_sizes", [True, False])
def test_a_recorded_type_is_that_of_the_result(case, has_sizes) -> None:
    name, arguments = CASES[case]
    for _ in range(6):
        args = arguments()
        dims = [[n if has_sizes else None for n in np.shape(arg)] for arg in args]
        try:
            types = recorded(name, args, dims)
        except ConcreteValueError:
            assert not has_sizes, "all sizes are known"
            continue
        result = FUNCTIONS[name](*map(np.array, args))
        results = result if isinstance(result, tuple) else (result,)
        for (dtype, shape), array in zip(types, results, strict=True):
            assert np.dtype(dtype) == np.asarray(array).dtype
            assert shape.is_compatible_with(np.shape(array)), (shape, np.shape(array))


REFUSED = {
    "numpy.cross": ((normal(3), normal(2)), [[None], [2]]),
    "numpy.linalg.eigvals": ((normal(2, 2),), [[2, 2]]),
    "numpy.tensordot": ((normal(2, 3), normal(3, 2), ints(1, 2)), [[2, None], [3, None], []]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_nothing_tells_before_a_run_is_refused(name) -> None:
    args, dims = REFUSED[name]
    with pytest.raises(ConcreteValueError, match="cannot be staged"):
        recorded(name, args, dims)


def test_shapes_that_do_not_fit_raise_numpys_error() -> None:
    with pytest.raises(ValueError, match="not aligned"):
        recorded("numpy.inner", (normal(3), normal(2)), [[3], [2]])
    with pytest.raises(ValueError, match="could not be broadcast"):
        recorded("numpy.add", (normal(3), normal(2)), [[3], [2]])


@pytest.mark.parametrize("name", ["add", "less", "ldexp", "frexp", "arctan2", "logical_and"])
def test_types_of_element_wise_functions_need_no_sizes(name) -> None:
    count = FUNCTIONS[f"numpy.{name}"].nin
    args = (normal(2, 3), ints(0, 3, 3))[:count]
    types = recorded(f"numpy.{name}", args, [[None, 3], [3]][:count])
    result = FUNCTIONS[f"numpy.{name}"](*args)
    results = result if isinstance(result, tuple) else (result,)
    for (dtype, shape), array in zip(types, results, strict=True):
        assert (np.dtype(dtype), shape.dims) == (array.dtype, (None, 3))
