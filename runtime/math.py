"""``runtime.math``: the public names of arithmetic, comparison and reduction, as in TensorFlow."""

# ruff: noqa: F403, F405 - what a star brings is what the module's __all__ says

from runtime.ops.comparison import *
from runtime.ops.elementwise import *
from runtime.ops.functions import *
from runtime.ops.logical import *
from runtime.ops.nn import l2_normalize as l2_normalize
from runtime.ops.nn import zero_fraction as zero_fraction
from runtime.ops.reduction import *
from runtime.ops.scans import *
from runtime.ops.sorting import in_top_k as in_top_k
from runtime.ops.sorting import invert_permutation as invert_permutation
from runtime.ops.sorting import top_k as top_k
from runtime.ops.special import *

__all__ = [
    "abs", "acos", "acosh", "add", "add_n", "angle", "approximate_equal", "argmax", "argmin",
    "asin", "asinh", "atan", "atan2", "atanh", "bincount", "ceil", "clip_by_value", "complex",
    "conj", "cos", "cosh", "count_nonzero", "cumprod", "cumsum", "cumulative_logsumexp",
    "digamma", "divide", "divide_no_nan", "equal", "erf", "erfc", "exp", "expm1", "floor",
    "floordiv", "floormod", "greater", "greater_equal", "imag", "in_top_k", "invert_permutation",
    "is_finite", "is_inf", "is_nan", "l2_normalize", "less", "less_equal", "lgamma", "log",
    "log1p", "log_sigmoid", "logical_and", "logical_not", "logical_or", "logical_xor",
    "maximum", "minimum", "mod", "multiply", "multiply_no_nan", "negative", "not_equal",
    "polygamma", "pow",
    "real", "realdiv", "reciprocal", "reduce_all", "reduce_any", "reduce_euclidean_norm",
    "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_std",
    "reduce_sum", "reduce_variance", "rint", "round", "rsqrt", "scalar_mul", "segment_max",
    "segment_mean", "segment_min", "segment_prod", "segment_sum", "sigmoid", "sign", "sin",
    "sinh", "softplus", "sqrt", "square", "squared_difference", "subtract", "tan", "tanh",
    "top_k", "truediv", "truncatediv", "truncatemod", "unsorted_segment_max",
    "unsorted_segment_min", "unsorted_segment_prod", "unsorted_segment_sum", "xdivy", "xlogy",
    "zero_fraction", "zeta",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
