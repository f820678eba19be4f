"""Op that calls one of NumPy's functions on the arrays that tensors stand for.

Converted code that calls ``np.linalg.norm(x)`` means NumPy's function: what it gives for these
arrays, with NumPy's dtype rules and errors.  The types of the results are found when the op is
recorded (staging/numpy_arrays/result_types.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.errors import RunTimeLimit
from runtime.ops.array.indexing import KeyInput
from runtime.ops.linalg.product_axes import of_numpy
from runtime.ops.op import RAISES, TAKES_WEAK, Missing, define
from runtime.ops.python.call_python import called, python_value
from runtime.ops.resource.lists import LIST, ListValue
from runtime.ops.rules.lowering import Multiplies
from runtime.ops.rules.samples import case
from runtime.types.dtypes import DTYPE_OF_NUMPY, float64
from runtime.types.shapes import TensorShape, TensorSpec

__all__: list[str] = []

_NAMES = """
all allclose amax amin angle any append arange argmax argmin argsort argwhere around array
array_equal array_equiv asarray ascontiguousarray atleast_1d atleast_2d atleast_3d average bartlett
bincount blackman block bool_ broadcast_to choose clip column_stack complex128 complex64 compress
concatenate convolve copy corrcoef correlate count_nonzero cov cross cumprod cumsum cumulative_prod
cumulative_sum delete diag diag_indices diagflat diagonal diff digitize dot dstack ediff1d einsum
empty empty_like expand_dims extract eye fix flatnonzero flip fliplr flipud float16 float32 float64
full full_like geomspace gradient hamming hanning histogram histogram2d histogram_bin_edges hstack
i0 identity indices inner insert int16 int32 int64 int8 interp intersect1d isclose iscomplex isin
isreal kaiser kron lexsort linspace logspace matmul matrix_transpose max mean median meshgrid min
moveaxis nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin
nanpercentile nanprod nanquantile nanstd nansum nanvar ndarray nonzero ones ones_like outer packbits
pad partition percentile polyadd polyder polyfit polyint polysub polyval prod ptp quantile ravel
ravel_multi_index repeat reshape resize roll rollaxis rot90 round searchsorted select setdiff1d
setxor1d sinc sort squeeze stack std sum swapaxes take take_along_axis tensordot tile trace
transpose trapezoid tri tril tril_indices trim_zeros triu triu_indices uint16 uint32 uint64 uint8
union1d unique unpackbits unravel_index unwrap vander var vdot vecdot vstack where zeros zeros_like
"""
_LINALG = """
cholesky cond det eig eigh eigvals eigvalsh inv lstsq matrix_norm matrix_power matrix_rank
multi_dot norm pinv qr slogdet solve svd svdvals tensorinv trace vector_norm
"""
_FFT = """
fft fft2 fftfreq fftn fftshift ifft ifft2 ifftn ifftshift irfft rfft rfftfreq
"""


_INDEXED = "mgrid ogrid r_ c_"
"""Objects that make arrays of what they are indexed by."""
_UFUNC_METHODS = ("accumulate", "outer", "reduce", "reduceat")

_METHODS = """
all any argmax argmin argpartition argsort astype choose clip compress conj conjugate cumprod cumsum
diagonal dot flatten max mean min nonzero prod ptp ravel repeat reshape round searchsorted
squeeze std sum swapaxes take trace transpose var
"""


def _functions() -> Iterator[tuple[str, Any]]:
    for name, value in list(vars(np).items()):  # not what NumPy imports when it is asked for
        if isinstance(value, np.ufunc):
            yield f"numpy.{name}", value
            if (value.nin, value.nout, value.signature) == (2, 1, None):
                for method in _UFUNC_METHODS:
                    yield f"numpy.{name}.{method}", getattr(value, method)
    for name in _INDEXED.split():
        yield f"numpy.{name}", getattr(np, name).__getitem__
    for prefix, module, names in (
        ("numpy.", np, _NAMES), ("numpy.linalg.", np.linalg, _LINALG), ("numpy.fft.", np.fft, _FFT),
        ("ndarray.", np.ndarray, _METHODS),
    ):  # fmt: skip
        for name in names.split():
            if hasattr(module, name):
                yield prefix + name, getattr(module, name)


INDEXED = {id(getattr(np, name)): f"numpy.{name}" for name in _INDEXED.split()}
"""The names of the functions that objects apply to their index, by the objects' identity."""

FUNCTIONS: Mapping[str, Callable[..., Any]] = dict(_functions())
"""NumPy's functions by name: those that change no argument and whose dtype the dtypes decide."""


def _changed(function: Callable[..., Any]) -> Callable[..., Any]:
    """What gives a changed copy, of a function that changes its first argument."""

    def copied(array: Any, *args: Any, **kwargs: Any) -> Any:
        copy = np.array(array)
        function(copy, *args, **kwargs)
        return copy

    return copied


CHANGING: Mapping[str, Callable[..., Any]] = {
    **{f"numpy.{f.__name__}": f for f in (
        np.copyto, np.fill_diagonal, np.place, np.put, np.put_along_axis, np.putmask,
    )},
    **{f"numpy.{f.__name__}.at": f.at for f in (
        np.add, np.subtract, np.multiply, np.divide, np.maximum, np.minimum,
    )},
    **{f"ndarray.{name}": getattr(np.ndarray, name) for name in ("partition", "put", "sort")},
}  # fmt: skip
"""The functions that change their first argument, and return None."""


def _block(arrays: Any) -> Any:
    """``np.block``, which takes lists alone, of the tuples that stand for them."""

    def lists(part: Any) -> Any:
        return [*map(lists, part)] if type(part) is tuple else part

    return np.block(lists(arrays))


_ALL = {
    **FUNCTIONS, "numpy.block": _block,
    **{f"changed.{name}": _changed(f) for name, f in CHANGING.items()},
}  # fmt: skip


class ArrayTypeError(RunTimeLimit, TypeError):
    """Array of another type than the one that a graph was recorded for."""


def filled(template: Any, values: Sequence[Any]) -> Any:
    """A template of arguments, with values for its inputs; tuples in it stand for sequences."""
    if isinstance(template, KeyInput):
        return values[template.index]
    if isinstance(template, slice):
        return slice(*[filled(b, values) for b in (template.start, template.stop, template.step)])
    if type(template) is tuple:
        return tuple([filled(item, values) for item in template])
    return template


VIEWS = frozenset((
    "broadcast_to", "diagonal", "expand_dims", "flip", "fliplr", "flipud", "matrix_transpose",
    "moveaxis", "rollaxis", "rot90", "squeeze", "swapaxes", "transpose",
))
"""The functions that give a view of their first argument."""
POSSIBLE_VIEWS = frozenset((
    "array", "asarray", "atleast_1d", "atleast_2d", "atleast_3d", "diag", "ravel", "reshape",
    "ascontiguousarray", "astype", "nan_to_num", "clip",
))
"""The functions that may give a view of their first argument, or a copy, as memory and
arguments have it."""
FLAT = frozenset((
    "around", "ceil", "empty_like", "floor", "floor_divide", "full_like", "heaviside", "ones_like",
    "rint", "round", "sign", "trunc", "zeros_like",
))
"""The functions whose derivative by arrays is zero, wherever there is one."""


def result_of(
    name: str, args: tuple[Any, ...], keywords: tuple[str, ...], values: Sequence[Any]
) -> Any:
    """What a function gives for values of its inputs: an array, or a tuple of arrays."""
    return called(_ALL[name], filled(args, values), keywords)


def _call(
    *values: Any, function: str, args: tuple[Any, ...], keywords: tuple[str, ...],
    kinds: tuple[Any, ...], specs: tuple[TensorSpec, ...],
) -> Any:  # fmt: skip
    arguments = [
        _argument(value, kind) for value, kind in zip(values, kinds, strict=True)
    ]
    result = result_of(function, args, keywords, arguments)
    results = result if isinstance(result, tuple) else (result,)
    arrays = [np.asarray(array) for array in results]
    if _makes_arrays(function=function):  # some give an argument back that needs no change
        arrays = [
            np.array(x) if x.base is not None and _is_part(x, arguments) else x for x in arrays
        ]
    for array, spec in zip(arrays, specs, strict=True):
        if DTYPE_OF_NUMPY.get(array.dtype) is not spec.dtype:
            raise ArrayTypeError(
                f"{function} gives an array of dtype {array.dtype} here, and its result was "
                f"recorded as {spec.dtype.name}"
            )
        if not _fits(array.shape, spec.shape.dims):
            raise ArrayTypeError(
                f"{function} gives an array of shape {array.shape} here, and its result was "
                f"recorded as one of shape {spec.shape}"
            )
    return arrays[0] if len(arrays) == 1 else tuple(arrays)


def _fits(shape: tuple[int, ...], dims: tuple[int | None, ...] | None) -> bool:
    if dims is None or shape == dims:
        return True
    return len(shape) == len(dims) and all(
        dim is None or dim == size for size, dim in zip(shape, dims, strict=True)
    )


def _argument(value: Any, kind: Any) -> Any:
    """What a function is given for a value: a number, an array, or a list.

    The kind of a list is ``("list", kind of an entry)``; an entry that is a tuple or list has
    ``("row", kinds of its items ...)``.
    """
    if isinstance(kind, str):
        return python_value(value) if kind == "number" else _read_only(value)
    return [_entry(iter(tensors), kind[1]) for tensors in value]


def _entry(tensors: Iterator[Any], kind: Any) -> Any:
    if kind[0] == "row":
        return [_entry(tensors, item) for item in kind[1:]]
    return _argument(next(tensors), kind)


def _read_only(value: Any) -> Any:
    """An array that no function can change: others may hold its memory."""
    array = np.asarray(value).view()
    array.flags.writeable = False
    return array


def _makes_arrays(*, function: str, **_: Any) -> bool:
    short = function.rpartition(".")[2]
    return short not in VIEWS and short not in POSSIBLE_VIEWS


def _is_part(array: Any, arguments: Sequence[Any]) -> bool:
    arrays = [argument for argument in arguments if isinstance(argument, np.ndarray)]
    return any(np.may_share_memory(array, argument) for argument in arrays)


def _infer(
    *_: TensorSpec, function: str, args: tuple[Any, ...], keywords: tuple[str, ...],
    kinds: tuple[Any, ...], specs: tuple[TensorSpec, ...],
) -> Any:  # fmt: skip
    return specs[0] if len(specs) == 1 else specs


def _composition(attrs: dict[str, Any]) -> str:
    """Name of what computes a function of matrices natively."""
    prefix, _, name = attrs["function"].rpartition(".")
    is_plain = not attrs["keywords"] and set(attrs["kinds"]) == {"array"}
    is_composed = prefix == "numpy.linalg" and name in ("cholesky", "det", "inv", "solve")
    return "linalg.of_numpy" if is_composed and is_plain else ""


def _samples() -> list[Any]:
    x, shape = KeyInput(0), TensorShape(())
    vector = np.array([3.0, 4.0])
    scalar = TensorSpec(shape, float64)
    of_one = {"args": (x,), "keywords": (), "kinds": ("array",), "specs": (scalar,)}
    return [
        case(vector, function="numpy.linalg.norm", **of_one),
        case(vector, function="numpy.sum", **of_one),
    ]


def _array_items(x: Any, *, rank: int) -> ListValue:
    if rank == 1:
        return ListValue([(item,) for item in x])
    return ListValue([(_array_items(row, rank=rank - 1),) for row in x])


array_items = define(
    "array_items",
    inputs="x",
    same_dtype_inputs=None,
    kernel=_array_items,
    infer=lambda x, *, rank: LIST,
    grad=Missing("the derivative of a list of an array's items is not written"),
    traits=(TAKES_WEAK,),
    samples=Missing("lists are no arrays"),
    doc="List of the items of an array of ``rank`` axes; lists of lists where it has several.",
)

call_numpy = define(
    "call_numpy",
    inputs="*values",
    same_dtype_inputs=None,
    kernel=_call,
    infer=_infer,
    grad=Missing("NumPy computes its result, and knows no derivatives"),
    lower=Multiplies(of_numpy, _composition),
    makes_arrays=_makes_arrays,
    traits=(RAISES, TAKES_WEAK),
    raises=(ValueError, TypeError, OverflowError, IndexError, np.linalg.LinAlgError),
    samples=_samples,
    doc="Result of the NumPy function ``function``; ``args`` are constants, or refer to inputs.",
)
