"""``runtime.math``: the public names of arithmetic, comparison and reduction, as in TensorFlow."""

from typing import TYPE_CHECKING

# ruff: noqa: F403, F405 - what a star brings is what the module's __all__ says
from runtime.ops.array.partitions import bincount as bincount
from runtime.ops.array.partitions import confusion_matrix as confusion_matrix
from runtime.ops.array.sorting import in_top_k as in_top_k
from runtime.ops.array.sorting import invert_permutation as invert_permutation
from runtime.ops.array.sorting import top_k as top_k
from runtime.ops.math.clipping import clip_by_value as clip_by_value
from runtime.ops.math.comparison import *
from runtime.ops.math.composites import accumulate_n as accumulate_n
from runtime.ops.math.composites import is_non_decreasing as is_non_decreasing
from runtime.ops.math.composites import is_strictly_increasing as is_strictly_increasing
from runtime.ops.math.composites import polyval as polyval
from runtime.ops.math.composites import unsorted_segment_mean as unsorted_segment_mean
from runtime.ops.math.composites import unsorted_segment_sqrt_n as unsorted_segment_sqrt_n
from runtime.ops.math.elementary import *
from runtime.ops.math.elementwise import *
from runtime.ops.math.floating import nextafter as nextafter
from runtime.ops.math.floating import reciprocal_no_nan as reciprocal_no_nan
from runtime.ops.math.floating import xlog1py as xlog1py
from runtime.ops.math.logical import *
from runtime.ops.math.polygamma import *
from runtime.ops.math.reduction import *
from runtime.ops.math.scans import *
from runtime.ops.math.special_statistics import *
from runtime.ops.nn.activations_losses import l2_normalize as l2_normalize
from runtime.ops.nn.activations_losses import log_softmax as log_softmax
from runtime.ops.nn.activations_losses import softmax as softmax
from runtime.ops.nn.activations_losses import softsign as softsign
from runtime.ops.nn.activations_losses import zero_fraction as zero_fraction
from runtime.types.annexes import explained as _explained

__all__ = [
    "abs", "accumulate_n", "acos", "acosh", "add", "add_n", "angle", "approximate_equal",
    "argmax", "argmin", "asin", "asinh", "atan", "atan2", "atanh", "bessel_i0", "bessel_i0e",
    "bessel_i1", "bessel_i1e", "betainc", "bincount", "ceil", "clip_by_value", "complex",
    "confusion_matrix", "conj", "cos", "cosh", "count_nonzero", "cumprod", "cumsum",
    "cumulative_logsumexp", "digamma", "divide", "divide_no_nan", "equal", "erf", "erfc",
    "erfcinv", "erfinv", "exp", "expm1", "floor", "floordiv", "floormod", "greater",
    "greater_equal", "igamma", "igammac", "imag", "in_top_k", "invert_permutation", "is_finite",
    "is_inf", "is_nan", "is_non_decreasing", "is_strictly_increasing", "l2_normalize", "lbeta",
    "less", "less_equal", "lgamma", "log", "log1p", "log_sigmoid", "log_softmax", "logical_and",
    "logical_not", "logical_or", "logical_xor", "maximum", "minimum", "mod", "multiply",
    "multiply_no_nan", "ndtri", "negative", "nextafter", "not_equal", "polygamma", "polyval",
    "pow", "real", "realdiv", "reciprocal", "reciprocal_no_nan", "reduce_all", "reduce_any",
    "reduce_euclidean_norm", "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min",
    "reduce_prod", "reduce_std", "reduce_sum", "reduce_variance", "rint", "round", "rsqrt",
    "scalar_mul", "segment_max", "segment_mean", "segment_min", "segment_prod", "segment_sum",
    "sigmoid", "sign", "sin", "sinh", "softmax", "softplus", "softsign", "sqrt", "square",
    "squared_difference", "subtract", "tan", "tanh", "top_k", "truediv", "truncatediv",
    "truncatemod", "unsorted_segment_max", "unsorted_segment_mean", "unsorted_segment_min",
    "unsorted_segment_prod", "unsorted_segment_sqrt_n", "unsorted_segment_sum", "xdivy",
    "xlog1py", "xlogy", "zero_fraction", "zeta",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
