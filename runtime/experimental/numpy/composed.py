"""Functions of ``experimental.numpy`` that ``keras.ops`` computes, of inputs with NumPy's dtypes.

A line of the table has TensorFlow's parameters.  Behind it stands how the first of them, as many as
are named, are converted: ``common`` dtype, ``floats``, each on its own (``arrays``), a ``list`` of
them; and the dtype of the result where Keras has another one.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from typing import Any

from runtime.experimental.numpy.promotion import array, common, floats, wide
from runtime.keras import ops
from runtime.ops.array.constants import cast
from runtime.types.dtypes import int64
from runtime.types.python_source import PythonSource

_TABLE = """
    allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)      common 2
    angle(z)                                                     floats 1
    append(arr, values, axis=None)                               common 2
    argsort(a, axis=-1)                                          arrays 1 index
    broadcast_to(array, shape)                                   arrays 1
    cbrt(x)                                                      floats 1
    clip(a, a_min, a_max)                                        common 3
    concatenate(arys, axis=0)                                    list
    count_nonzero(a, axis=None)                                  arrays 1 index
    cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None)         common 2
    deg2rad(x)                                                   floats 1
    diag(v, k=0)                                                 arrays 1
    diagflat(v, k=0)                                             arrays 1
    diagonal(a, offset=0, axis1=0, axis2=1)                      arrays 1
    diff(a, n=1, axis=-1)                                        arrays 1
    dot(a, b)                                                    common 2
    dsplit(ary, indices_or_sections)                             arrays 1
    dstack(tup)                                                  list
    exp2(x)                                                      floats 1
    expand_dims(a, axis)                                         arrays 1
    flip(m, axis=None)                                           arrays 1
    fliplr(m)                                                    arrays 1
    flipud(m)                                                    arrays 1
    gcd(x1, x2)                                                  common 2
    heaviside(x1, x2)                                            floats 2
    hsplit(ary, indices_or_sections)                             arrays 1
    hstack(tup)                                                  list
    inner(a, b)                                                  common 2
    isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)       common 2
    isneginf(x)                                                  floats 1
    isposinf(x)                                                  floats 1
    isreal(x)                                                    arrays 1
    kron(a, b)                                                   common 2
    lcm(x1, x2)                                                  common 2
    logaddexp2(x1, x2)                                           floats 2
    matmul(x1, x2)                                               common 2
    moveaxis(a, source, destination)                             arrays 1
    nanmean(a, axis=None)                                        floats 1
    nanprod(a, axis=None)                                        sums 1
    nansum(a, axis=None)                                         sums 1
    outer(a, b)                                                  common 2
    ptp(a, axis=None)                                            arrays 1
    rad2deg(x)                                                   floats 1
    ravel(a)                                                     arrays 1
    repeat(a, repeats, axis=None)                                arrays 1
    roll(a, shift, axis=None)                                    arrays 1
    rot90(m, k=1, axes=(0, 1))                                   arrays 1
    sinc(x)                                                      floats 1
    sort(a, axis=-1)                                             arrays 1
    split(ary, indices_or_sections, axis=0)                      arrays 1
    squeeze(a, axis=None)                                        arrays 1
    stack(arrays, axis=0)                                        list
    swapaxes(a, axis1, axis2)                                    arrays 1
    take_along_axis(arr, indices, axis)                          arrays 2
    tensordot(a, b, axes=2)                                      common 2
    tile(a, reps)                                                arrays 1
    trace(a, offset=0, axis1=0, axis2=1)                         arrays 1
    transpose(a, axes=None)                                      arrays 1
    tril(m, k=0)                                                 arrays 1
    triu(m, k=0)                                                 arrays 1
    vander(x, N=None, increasing=False)                          arrays 1
    vdot(a, b)                                                   common 2
    vsplit(ary, indices_or_sections)                             arrays 1
    vstack(tup)                                                  list
"""
_LINE = re.compile(r"\s*(\w+)(\(.*\))\s+(common|floats|arrays|sums|list)(?: (\d))?(?: (index))?$")


def _each(*values: Any) -> list[Any]:
    return [array(value) for value in values]


def _sums(*values: Any) -> list[Any]:
    return [wide(value) for value in values]


def _listed(values: Any) -> list[Any]:
    return [common(*values)]


_CONVERSIONS: dict[str, Callable[..., list[Any]]] = {
    "common": common, "floats": floats, "arrays": _each, "sums": _sums, "list": _listed,
}  # fmt: skip


def _function(name: str, parameters: str, conversion: str, count: str, is_index: bool) -> Any:
    """Make a function of a line of the table."""
    signature = _signature(parameters)
    compute, convert, arrays = getattr(ops, name), _CONVERSIONS[conversion], int(count or 1)

    def function(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        values = [*bound.arguments.values()]
        result = compute(*convert(*values[:arrays]), *values[arrays:])
        return cast(result, int64) if is_index else result

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Compute what NumPy's ``{name}`` does, of tensors."
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function


@functools.cache
def _signature(parameters: str) -> inspect.Signature:
    """Return the signature that a line of the table has in parentheses."""
    source = PythonSource()
    source.line("pass")
    return inspect.signature(source.compile("stated", [parameters[1:-1]]))


def _functions() -> dict[str, Callable[..., Any]]:
    lines = [_LINE.match(line) for line in _TABLE.strip().splitlines()]
    rows = [line.groups() for line in lines if line is not None]
    return {
        name: _function(name, parameters, conversion, count, index is not None)
        for name, parameters, conversion, count, index in rows
    }


FUNCTIONS = _functions()
"""Functions by their names."""
