"""The rules by NumPy's names, a row each: the rule, and the names of the functions that it is of.

A rule that is a method of arrays takes the array first.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from runtime.ops.python.call_numpy import CHANGING, FUNCTIONS
from runtime.staging.numpy_arrays.result_rules import (
    creation,
    elementwise,
    joining,
    linalg,
    products,
    reductions,
    selection,
    shapes,
    statistics,
)
from runtime.staging.numpy_arrays.result_rules.operands import (
    ArrayType,
    NoRuleError,
    OpenArgumentError,
    argument,
)


def _python_bool(*arrays: Any, **options: Any) -> ArrayType:
    """Rule of tests of whole arrays, whose results are bools of Python's."""
    return ArrayType((), np.dtype(bool), bool)


Rule = Callable[..., Any]

_NUMPY: dict[Rule, str] = {
    _python_bool: "allclose array_equal array_equiv",
    creation.arange: "arange",
    creation.array: "array",
    creation.asarray: "asarray",
    creation.ascontiguousarray: "ascontiguousarray",
    creation.copy: "copy",
    creation.diag_indices: "diag_indices",
    creation.eye: "eye",
    creation.full: "full",
    creation.full_like: "full_like",
    creation.geomspace: "geomspace",
    creation.grid: "mgrid",
    creation.identity: "identity",
    creation.indices: "indices",
    creation.like: "empty_like ones_like zeros_like",
    creation.linspace: "linspace",
    creation.meshgrid: "meshgrid",
    creation.of_shape: "empty ndarray ones zeros",
    creation.open_grid: "ogrid",
    creation.row: "r_",
    creation.spaced: "logspace",
    creation.tri: "tri",
    creation.triangle_indices: "tril_indices triu_indices",
    creation.vander: "vander",
    creation.window: "bartlett blackman hamming hanning kaiser",
    elementwise.angle: "angle",
    elementwise.choose: "choose",
    elementwise.clip: "clip",
    elementwise.digitize: "digitize",
    elementwise.fixed: "fix",
    elementwise.floats_of: "i0",
    elementwise.interp: "interp",
    elementwise.isclose: "isclose",
    elementwise.isin: "isin",
    elementwise.matmul: "matmul",
    elementwise.matvec: "matvec",
    elementwise.nan_to_num: "nan_to_num",
    elementwise.polyval: "polyval",
    elementwise.rounded: "around round",
    elementwise.searchsorted: "searchsorted",
    elementwise.select: "select",
    elementwise.sinc: "sinc",
    elementwise.truth_of_each: "iscomplex isreal",
    elementwise.vecdot: "vecdot",
    elementwise.vecmat: "vecmat",
    elementwise.where: "where",
    joining.append: "append",
    joining.block: "block",
    joining.column_stack: "column_stack",
    joining.columns: "c_",
    joining.concatenate: "concatenate",
    joining.hstack: "hstack",
    joining.pad: "pad",
    joining.repeat: "repeat",
    joining.stack: "stack",
    joining.stacked_along(0, 2): "vstack",
    joining.stacked_along(2, 3): "dstack",
    joining.tile: "tile",
    products.convolve: "convolve",
    products.correlate: "correlate",
    products.cross: "cross",
    products.dot: "dot",
    products.ediff1d: "ediff1d",
    products.einsum: "einsum",
    products.gradient: "gradient",
    products.inner: "inner",
    products.kron: "kron",
    products.outer: "outer",
    products.tensordot: "tensordot",
    products.vdot: "vdot",
    reductions.argsort: "argsort",
    reductions.average: "average",
    reductions.count_nonzero: "count_nonzero",
    reductions.cumulative: "cumprod cumsum nancumprod nancumsum",
    reductions.cumulative_with_initial: "cumulative_prod cumulative_sum",
    reductions.diff: "diff",
    reductions.extreme: "amax amin max min nanmax nanmin",
    reductions.mean: "mean nanmean",
    reductions.median: "median nanmedian",
    reductions.partition: "partition",
    reductions.position: "argmax argmin nanargmax nanargmin",
    reductions.quantile: "nanpercentile nanquantile percentile quantile",
    reductions.sort: "sort",
    reductions.spread: "nanstd nanvar std var",
    reductions.spread_of_extremes: "ptp",
    reductions.total_of: "nanprod nansum prod sum",
    reductions.trace: "trace",
    reductions.trapezoid: "trapezoid",
    reductions.truth: "all any",
    reductions.unwrap: "unwrap",
    selection.argwhere: "argwhere",
    selection.chosen: "compress",
    selection.delete: "delete",
    selection.diag: "diag",
    selection.diagflat: "diagflat",
    selection.diagonal: "diagonal",
    selection.extract: "extract",
    selection.flatnonzero: "flatnonzero",
    selection.insert: "insert",
    selection.lexsort: "lexsort",
    selection.nonzero: "nonzero",
    selection.packbits: "packbits",
    selection.ravel_multi_index: "ravel_multi_index",
    selection.take: "take",
    selection.take_along_axis: "take_along_axis",
    selection.triangle: "tril triu",
    selection.trim_zeros: "trim_zeros",
    selection.unpackbits: "unpackbits",
    selection.unravel_index: "unravel_index",
    shapes.atleast(1): "atleast_1d",
    shapes.atleast(2): "atleast_2d",
    shapes.atleast(3): "atleast_3d",
    shapes.broadcast_to: "broadcast_to",
    shapes.expand_dims: "expand_dims",
    shapes.flip: "flip",
    shapes.matrix_transpose: "matrix_transpose",
    shapes.moveaxis: "moveaxis",
    shapes.ravel: "ravel",
    shapes.reshape: "reshape",
    shapes.resize: "resize",
    shapes.roll: "roll",
    shapes.rollaxis: "rollaxis",
    shapes.rot90: "rot90",
    shapes.squeeze: "squeeze",
    shapes.swapaxes: "swapaxes",
    shapes.transpose: "transpose",
    shapes.turned(1): "flipud",
    shapes.turned(2): "fliplr",
    statistics.bincount: "bincount",
    statistics.correlations: "corrcoef",
    statistics.covariances: "cov",
    statistics.histogram2d: "histogram2d",
    statistics.histogram: "histogram",
    statistics.histogram_bin_edges: "histogram_bin_edges",
    statistics.intersection: "intersect1d",
    statistics.polyadd: "polyadd polysub",
    statistics.polyder: "polyder",
    statistics.polyfit: "polyfit",
    statistics.polyint: "polyint",
    statistics.set_difference: "setdiff1d",
    statistics.set_of_two: "setxor1d union1d",
    statistics.unique: "unique",
}
_LINALG: dict[Rule, str] = {
    linalg.cholesky: "cholesky",
    linalg.cond: "cond",
    linalg.det: "det",
    linalg.eig: "eig",
    linalg.eigh: "eigh",
    linalg.eigvals: "eigvals",
    linalg.eigvalsh: "eigvalsh",
    linalg.lstsq: "lstsq",
    linalg.matrix_norm: "matrix_norm",
    linalg.multi_dot: "multi_dot",
    linalg.norm: "norm",
    linalg.pinv: "pinv",
    linalg.power: "matrix_power",
    linalg.qr: "qr",
    linalg.rank_of: "matrix_rank",
    linalg.slogdet: "slogdet",
    linalg.solve: "solve",
    linalg.square: "inv",
    linalg.svd: "svd",
    linalg.svdvals: "svdvals",
    linalg.tensorinv: "tensorinv",
    linalg.vector_norm: "vector_norm",
    linalg.trace: "trace",
}
_FFT: dict[Rule, str] = {
    creation.fftfreq: "fftfreq",
    creation.rfftfreq: "rfftfreq",
    linalg.fft: "fft ifft",
    linalg.fft2: "fft2 ifft2",
    linalg.fftn: "fftn ifftn",
    linalg.irfft: "irfft",
    linalg.rfft: "rfft",
    linalg.shifted: "fftshift ifftshift",
}
_METHODS: dict[Rule, str] = {
    creation.astype: "astype",
    creation.flatten: "flatten",
    elementwise.choose: "choose",
    elementwise.clip: "clip",
    elementwise.rounded: "round",
    elementwise.same: "conj conjugate",
    elementwise.searchsorted: "searchsorted",
    joining.repeat: "repeat",
    products.dot: "dot",
    reductions.argpartition: "argpartition",
    reductions.argsort: "argsort",
    reductions.cumulative: "cumprod cumsum",
    reductions.extreme: "max min",
    reductions.mean: "mean",
    reductions.position: "argmax argmin",
    reductions.spread: "std var",
    reductions.total_of: "prod sum",
    reductions.trace: "trace",
    reductions.truth: "all any",
    selection.chosen_method: "compress",
    selection.diagonal: "diagonal",
    selection.nonzero: "nonzero",
    selection.take: "take",
    shapes.ravel: "ravel",
    shapes.reshape_method: "reshape",
    shapes.squeeze: "squeeze",
    shapes.swapaxes: "swapaxes",
    shapes.transpose_method: "transpose",
}
_OF_UFUNCS: dict[str, Callable[[np.ufunc], Rule]] = {
    "accumulate": elementwise.accumulate,
    "outer": elementwise.outer,
    "reduce": elementwise.reduce,
    "reduceat": elementwise.reduceat,
}


def _rules() -> Iterator[tuple[str, Rule]]:
    for prefix, rows in (
        ("numpy.", _NUMPY), ("numpy.linalg.", _LINALG), ("numpy.fft.", _FFT), ("ndarray.", _METHODS)
    ):  # fmt: skip
        for rule, names in rows.items():
            yield from ((prefix + name, rule) for name in names.split())
    for name, function in FUNCTIONS.items():
        if isinstance(function, np.ufunc) and function.signature is None:
            yield name, elementwise.elementwise(function)
            for method, rule_of in _OF_UFUNCS.items():
                yield f"{name}.{method}", rule_of(function)
        elif isinstance(function, type) and issubclass(function, np.generic):
            yield name, creation.converted(function)


    yield from ((f"changed.{name}", elementwise.changed) for name in CHANGING)


RULES = dict(_rules())
"""The rules by NumPy's names."""


def result_of_rule(
    name: str, template: Sequence[Any], keywords: Sequence[str], inputs: Sequence[Any],
    scalars: frozenset[int] = frozenset(),
) -> Any:  # fmt: skip
    """What a rule tells of a call: an ArrayType, or several in a tuple.

    NoRuleError where it tells nothing.
    """
    rule = RULES.get(name)
    if rule is None:
        raise NoRuleError("it is none of the functions that have a rule")
    arguments = [argument(item, inputs, scalars) for item in template]
    count = len(arguments) - len(keywords)
    named = dict(zip(keywords, arguments[count:], strict=True))
    try:
        _signature(rule).bind(*arguments[:count], **named)
    except TypeError as error:
        raise NoRuleError(str(error)) from None
    return _result(rule, arguments[:count], named)


_signature = functools.cache(inspect.signature)


def _result(rule: Rule, args: Sequence[Any], options: dict[str, Any]) -> Any:
    """What a rule tells; where an argument is open, what is the same for all its values."""
    try:
        return rule(*args, **options)
    except OpenArgumentError as error:
        opened = error
    results = []
    for value in opened.values:
        known_args = [_with_value(arg, opened.source, value) for arg in args]
        known_options = {n: _with_value(x, opened.source, value) for n, x in options.items()}
        try:
            results.append(_result(rule, known_args, known_options))
        except OpenArgumentError:
            raise
        except NoRuleError:  # NumPy raises for this value
            continue
    if not results:
        raise opened
    return functools.reduce(_either, results)


def _with_value(argument: Any, source: int, value: Any) -> Any:
    """An argument in which an input has a value."""
    if isinstance(argument, ArrayType) and argument.source == source:
        return argument._replace(value=value)
    if type(argument) is tuple:
        return tuple([_with_value(item, source, value) for item in argument])
    return argument


def _either(one: Any, other: Any) -> Any:
    """The type of a result that is of one of two types."""
    if not isinstance(one, ArrayType) or not isinstance(other, ArrayType):
        if isinstance(one, ArrayType) or isinstance(other, ArrayType) or len(one) != len(other):
            raise NoRuleError("a staged value decides how many results there are")
        parts = [_either(*pair) for pair in zip(one, other, strict=True)]
        return type(one)._make(parts) if hasattr(one, "_make") else tuple(parts)
    if one.dtype != other.dtype:
        raise NoRuleError("a staged value decides its dtype")
    if one.dims is None or other.dims is None or one.rank != other.rank:
        if not (_is_array(one) and _is_array(other)):
            raise NoRuleError("its result is a scalar or an array, as a staged value decides")
        return one.of_unknown_rank()
    pairs = zip(one.dims, other.dims, strict=True)
    return one._replace(dims=tuple([size if size == more else None for size, more in pairs]))


def _is_array(result: ArrayType) -> bool:
    return result.is_array or result.dims != ()
