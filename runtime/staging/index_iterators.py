"""``np.ndindex`` and ``np.ndenumerate``: iterators over the indexes of staged sizes and arrays."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

from autograph.staging import StagedSequence, tracing_backend
from runtime.eager.tensor import Tensor
from runtime.ops.array.constants import convert_to_tensor
from runtime.staging.items import number
from runtime.staging.numpy_arrays.calls import call_numpy
from runtime.staging.numpy_arrays.symbolic_array import SymbolicArray
from runtime.types.promotion import is_weak


def ndindex(*shape: Any) -> Any:
    """Return the indexes of an array of a shape, row by row: tuples of Python ints.

    ValueError, at run time, for a negative size.
    """
    backend: Any = tracing_backend()
    lengths = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
    sizes = [number(x, True) if isinstance(x, Tensor) else operator.index(x) for x in lengths]
    for size in sizes:
        if not isinstance(size, int):
            backend.check(size >= 0, _negative_size)
        elif size < 0:
            raise _negative_size()
    return _sequence("ndindex()", sizes, lambda index: index)


def ndenumerate(arr: Any) -> Any:
    """Return pairs of an index and the element there, row by row."""
    is_pythons = isinstance(arr, list | tuple) or is_weak(arr)
    array = call_numpy("numpy.array", arr) if is_pythons else arr
    if not isinstance(array, SymbolicArray):
        array = SymbolicArray.fresh(convert_to_tensor(arr))
    return _sequence("ndenumerate()", [*array.shape], lambda index: (index, array[index]))


def _sequence(name: str, sizes: Sequence[Any], item: Callable[[tuple[Any, ...]], Any]) -> Any:
    def at(k: Any) -> Any:
        index: list[Any] = []
        for size in reversed(sizes[1:]):
            index.append(k % size if not isinstance(size, int) or size else 0)
            k = k // size if not isinstance(size, int) or size else 0
        return item((k, *reversed(index)) if sizes else ())

    backend: Any = tracing_backend()
    count = functools.reduce(operator.mul, sizes, 1)
    return StagedSequence(backend, name, count, at)


def _negative_size() -> ValueError:
    return ValueError("negative dimensions are not allowed")
