"""``runtime.keras.ops``: functions of tensors for layers, with NumPy's and Keras' names."""

from typing import TYPE_CHECKING

from runtime.keras.activations import celu as celu
from runtime.keras.activations import elu as elu
from runtime.keras.activations import gelu as gelu
from runtime.keras.activations import glu as glu
from runtime.keras.activations import hard_shrink as hard_shrink
from runtime.keras.activations import hard_sigmoid as hard_sigmoid
from runtime.keras.activations import hard_silu as hard_silu
from runtime.keras.activations import hard_swish as hard_swish
from runtime.keras.activations import hard_tanh as hard_tanh
from runtime.keras.activations import leaky_relu as leaky_relu
from runtime.keras.activations import log_sigmoid as log_sigmoid
from runtime.keras.activations import log_softmax as log_softmax
from runtime.keras.activations import relu as relu
from runtime.keras.activations import relu6 as relu6
from runtime.keras.activations import selu as selu
from runtime.keras.activations import sigmoid as sigmoid
from runtime.keras.activations import silu as silu
from runtime.keras.activations import soft_shrink as soft_shrink
from runtime.keras.activations import softmax as softmax
from runtime.keras.activations import softplus as softplus
from runtime.keras.activations import softsign as softsign
from runtime.keras.activations import sparse_plus as sparse_plus
from runtime.keras.activations import sparse_sigmoid as sparse_sigmoid
from runtime.keras.activations import sparsemax as sparsemax
from runtime.keras.activations import squareplus as squareplus
from runtime.keras.activations import swish as swish
from runtime.keras.activations import tanh_shrink as tanh_shrink
from runtime.keras.activations import threshold as threshold
from runtime.keras.ops.arrangement import append as append
from runtime.keras.ops.arrangement import array_split as array_split
from runtime.keras.ops.arrangement import copy as copy
from runtime.keras.ops.arrangement import diagflat as diagflat
from runtime.keras.ops.arrangement import diagonal as diagonal
from runtime.keras.ops.arrangement import dsplit as dsplit
from runtime.keras.ops.arrangement import dstack as dstack
from runtime.keras.ops.arrangement import fliplr as fliplr
from runtime.keras.ops.arrangement import flipud as flipud
from runtime.keras.ops.arrangement import hsplit as hsplit
from runtime.keras.ops.arrangement import rot90 as rot90
from runtime.keras.ops.arrangement import unravel_index as unravel_index
from runtime.keras.ops.arrangement import vsplit as vsplit
from runtime.keras.ops.attention import dot_product_attention as dot_product_attention
from runtime.keras.ops.compositions import allclose as allclose
from runtime.keras.ops.compositions import angle as angle
from runtime.keras.ops.compositions import cbrt as cbrt
from runtime.keras.ops.compositions import deg2rad as deg2rad
from runtime.keras.ops.compositions import divide_no_nan as divide_no_nan
from runtime.keras.ops.compositions import fabs as fabs
from runtime.keras.ops.compositions import fmax as fmax
from runtime.keras.ops.compositions import fmin as fmin
from runtime.keras.ops.compositions import fmod as fmod
from runtime.keras.ops.compositions import gcd as gcd
from runtime.keras.ops.compositions import heaviside as heaviside
from runtime.keras.ops.compositions import i0 as i0
from runtime.keras.ops.compositions import isclose as isclose
from runtime.keras.ops.compositions import isneginf as isneginf
from runtime.keras.ops.compositions import isposinf as isposinf
from runtime.keras.ops.compositions import isreal as isreal
from runtime.keras.ops.compositions import lcm as lcm
from runtime.keras.ops.compositions import ldexp as ldexp
from runtime.keras.ops.compositions import logaddexp2 as logaddexp2
from runtime.keras.ops.compositions import nan_to_num as nan_to_num
from runtime.keras.ops.compositions import polar as polar
from runtime.keras.ops.compositions import rad2deg as rad2deg
from runtime.keras.ops.compositions import saturate_cast as saturate_cast
from runtime.keras.ops.compositions import select as select
from runtime.keras.ops.compositions import signbit as signbit
from runtime.keras.ops.compositions import sinc as sinc
from runtime.keras.ops.compositions import trunc as trunc
from runtime.keras.ops.compositions import view_as_complex as view_as_complex
from runtime.keras.ops.compositions import view_as_real as view_as_real
from runtime.keras.ops.control_flow import cond as cond
from runtime.keras.ops.control_flow import custom_gradient as custom_gradient
from runtime.keras.ops.control_flow import fori_loop as fori_loop
from runtime.keras.ops.control_flow import map as map
from runtime.keras.ops.control_flow import scan as scan
from runtime.keras.ops.control_flow import switch as switch
from runtime.keras.ops.control_flow import vectorized_map as vectorized_map
from runtime.keras.ops.control_flow import while_loop as while_loop
from runtime.keras.ops.creation import arange as arange
from runtime.keras.ops.creation import array as array
from runtime.keras.ops.creation import empty as empty
from runtime.keras.ops.creation import empty_like as empty_like
from runtime.keras.ops.creation import eye as eye
from runtime.keras.ops.creation import full as full
from runtime.keras.ops.creation import full_like as full_like
from runtime.keras.ops.creation import geomspace as geomspace
from runtime.keras.ops.creation import identity as identity
from runtime.keras.ops.creation import logspace as logspace
from runtime.keras.ops.creation import ones as ones
from runtime.keras.ops.creation import ones_like as ones_like
from runtime.keras.ops.creation import tri as tri
from runtime.keras.ops.creation import vander as vander
from runtime.keras.ops.creation import zeros as zeros
from runtime.keras.ops.creation import zeros_like as zeros_like
from runtime.keras.ops.elementwise import abs as abs
from runtime.keras.ops.elementwise import absolute as absolute
from runtime.keras.ops.elementwise import add as add
from runtime.keras.ops.elementwise import arccos as arccos
from runtime.keras.ops.elementwise import arccosh as arccosh
from runtime.keras.ops.elementwise import arcsin as arcsin
from runtime.keras.ops.elementwise import arcsinh as arcsinh
from runtime.keras.ops.elementwise import arctan as arctan
from runtime.keras.ops.elementwise import arctan2 as arctan2
from runtime.keras.ops.elementwise import arctanh as arctanh
from runtime.keras.ops.elementwise import bitwise_and as bitwise_and
from runtime.keras.ops.elementwise import bitwise_invert as bitwise_invert
from runtime.keras.ops.elementwise import bitwise_left_shift as bitwise_left_shift
from runtime.keras.ops.elementwise import bitwise_not as bitwise_not
from runtime.keras.ops.elementwise import bitwise_or as bitwise_or
from runtime.keras.ops.elementwise import bitwise_right_shift as bitwise_right_shift
from runtime.keras.ops.elementwise import bitwise_xor as bitwise_xor
from runtime.keras.ops.elementwise import ceil as ceil
from runtime.keras.ops.elementwise import clip as clip
from runtime.keras.ops.elementwise import conj as conj
from runtime.keras.ops.elementwise import conjugate as conjugate
from runtime.keras.ops.elementwise import cos as cos
from runtime.keras.ops.elementwise import cosh as cosh
from runtime.keras.ops.elementwise import divide as divide
from runtime.keras.ops.elementwise import equal as equal
from runtime.keras.ops.elementwise import erf as erf
from runtime.keras.ops.elementwise import erfc as erfc
from runtime.keras.ops.elementwise import erfinv as erfinv
from runtime.keras.ops.elementwise import exp as exp
from runtime.keras.ops.elementwise import exp2 as exp2
from runtime.keras.ops.elementwise import expm1 as expm1
from runtime.keras.ops.elementwise import floor as floor
from runtime.keras.ops.elementwise import floor_divide as floor_divide
from runtime.keras.ops.elementwise import greater as greater
from runtime.keras.ops.elementwise import greater_equal as greater_equal
from runtime.keras.ops.elementwise import hypot as hypot
from runtime.keras.ops.elementwise import imag as imag
from runtime.keras.ops.elementwise import isfinite as isfinite
from runtime.keras.ops.elementwise import isinf as isinf
from runtime.keras.ops.elementwise import isnan as isnan
from runtime.keras.ops.elementwise import left_shift as left_shift
from runtime.keras.ops.elementwise import less as less
from runtime.keras.ops.elementwise import less_equal as less_equal
from runtime.keras.ops.elementwise import log as log
from runtime.keras.ops.elementwise import log1p as log1p
from runtime.keras.ops.elementwise import log2 as log2
from runtime.keras.ops.elementwise import log10 as log10
from runtime.keras.ops.elementwise import logaddexp as logaddexp
from runtime.keras.ops.elementwise import logical_and as logical_and
from runtime.keras.ops.elementwise import logical_not as logical_not
from runtime.keras.ops.elementwise import logical_or as logical_or
from runtime.keras.ops.elementwise import logical_xor as logical_xor
from runtime.keras.ops.elementwise import maximum as maximum
from runtime.keras.ops.elementwise import minimum as minimum
from runtime.keras.ops.elementwise import mod as mod
from runtime.keras.ops.elementwise import multiply as multiply
from runtime.keras.ops.elementwise import negative as negative
from runtime.keras.ops.elementwise import nextafter as nextafter
from runtime.keras.ops.elementwise import not_equal as not_equal
from runtime.keras.ops.elementwise import power as power
from runtime.keras.ops.elementwise import real as real
from runtime.keras.ops.elementwise import reciprocal as reciprocal
from runtime.keras.ops.elementwise import right_shift as right_shift
from runtime.keras.ops.elementwise import round as round
from runtime.keras.ops.elementwise import rsqrt as rsqrt
from runtime.keras.ops.elementwise import sign as sign
from runtime.keras.ops.elementwise import sin as sin
from runtime.keras.ops.elementwise import sinh as sinh
from runtime.keras.ops.elementwise import sqrt as sqrt
from runtime.keras.ops.elementwise import square as square
from runtime.keras.ops.elementwise import subtract as subtract
from runtime.keras.ops.elementwise import tan as tan
from runtime.keras.ops.elementwise import tanh as tanh
from runtime.keras.ops.elementwise import true_divide as true_divide
from runtime.keras.ops.elementwise import where as where
from runtime.keras.ops.linalg import cdist as cdist
from runtime.keras.ops.linalg import cholesky as cholesky
from runtime.keras.ops.linalg import cholesky_inverse as cholesky_inverse
from runtime.keras.ops.linalg import cross as cross
from runtime.keras.ops.linalg import det as det
from runtime.keras.ops.linalg import diag as diag
from runtime.keras.ops.linalg import dot as dot
from runtime.keras.ops.linalg import eig as eig
from runtime.keras.ops.linalg import eigh as eigh
from runtime.keras.ops.linalg import einsum as einsum
from runtime.keras.ops.linalg import inner as inner
from runtime.keras.ops.linalg import inv as inv
from runtime.keras.ops.linalg import kron as kron
from runtime.keras.ops.linalg import logdet as logdet
from runtime.keras.ops.linalg import lu_factor as lu_factor
from runtime.keras.ops.linalg import matmul as matmul
from runtime.keras.ops.linalg import matrix_rank as matrix_rank
from runtime.keras.ops.linalg import outer as outer
from runtime.keras.ops.linalg import pinv as pinv
from runtime.keras.ops.linalg import qr as qr
from runtime.keras.ops.linalg import slogdet as slogdet
from runtime.keras.ops.linalg import solve as solve
from runtime.keras.ops.linalg import solve_triangular as solve_triangular
from runtime.keras.ops.linalg import svd as svd
from runtime.keras.ops.linalg import tensordot as tensordot
from runtime.keras.ops.linalg import vdot as vdot
from runtime.keras.ops.missing_numbers import nanargmax as nanargmax
from runtime.keras.ops.missing_numbers import nanargmin as nanargmin
from runtime.keras.ops.missing_numbers import nancumprod as nancumprod
from runtime.keras.ops.missing_numbers import nancumsum as nancumsum
from runtime.keras.ops.missing_numbers import nanmax as nanmax
from runtime.keras.ops.missing_numbers import nanmean as nanmean
from runtime.keras.ops.missing_numbers import nanmedian as nanmedian
from runtime.keras.ops.missing_numbers import nanmin as nanmin
from runtime.keras.ops.missing_numbers import nanpercentile as nanpercentile
from runtime.keras.ops.missing_numbers import nanprod as nanprod
from runtime.keras.ops.missing_numbers import nanquantile as nanquantile
from runtime.keras.ops.missing_numbers import nanstd as nanstd
from runtime.keras.ops.missing_numbers import nansum as nansum
from runtime.keras.ops.missing_numbers import nanvar as nanvar
from runtime.keras.ops.nn import average_pool as average_pool
from runtime.keras.ops.nn import batch_normalization as batch_normalization
from runtime.keras.ops.nn import binary_crossentropy as binary_crossentropy
from runtime.keras.ops.nn import categorical_crossentropy as categorical_crossentropy
from runtime.keras.ops.nn import conv as conv
from runtime.keras.ops.nn import ctc_decode as ctc_decode
from runtime.keras.ops.nn import ctc_loss as ctc_loss
from runtime.keras.ops.nn import depthwise_conv as depthwise_conv
from runtime.keras.ops.nn import in_top_k as in_top_k
from runtime.keras.ops.nn import max_pool as max_pool
from runtime.keras.ops.nn import moments as moments
from runtime.keras.ops.nn import multi_hot as multi_hot
from runtime.keras.ops.nn import normalize as normalize
from runtime.keras.ops.nn import one_hot as one_hot
from runtime.keras.ops.nn import psnr as psnr
from runtime.keras.ops.nn import separable_conv as separable_conv
from runtime.keras.ops.nn import sparse_categorical_crossentropy as sparse_categorical_crossentropy
from runtime.keras.ops.nn import top_k as top_k
from runtime.keras.ops.normalizations import layer_normalization as layer_normalization
from runtime.keras.ops.normalizations import rms_normalization as rms_normalization
from runtime.keras.ops.norms import norm as norm
from runtime.keras.ops.reductions import all as all
from runtime.keras.ops.reductions import amax as amax
from runtime.keras.ops.reductions import amin as amin
from runtime.keras.ops.reductions import any as any
from runtime.keras.ops.reductions import argmax as argmax
from runtime.keras.ops.reductions import argmin as argmin
from runtime.keras.ops.reductions import argsort as argsort
from runtime.keras.ops.reductions import count_nonzero as count_nonzero
from runtime.keras.ops.reductions import cumprod as cumprod
from runtime.keras.ops.reductions import cumsum as cumsum
from runtime.keras.ops.reductions import logsumexp as logsumexp
from runtime.keras.ops.reductions import max as max
from runtime.keras.ops.reductions import mean as mean
from runtime.keras.ops.reductions import min as min
from runtime.keras.ops.reductions import prod as prod
from runtime.keras.ops.reductions import sort as sort
from runtime.keras.ops.reductions import std as std
from runtime.keras.ops.reductions import sum as sum
from runtime.keras.ops.reductions import var as var
from runtime.keras.ops.segments import segment_max as segment_max
from runtime.keras.ops.segments import segment_min as segment_min
from runtime.keras.ops.segments import segment_prod as segment_prod
from runtime.keras.ops.segments import segment_sum as segment_sum
from runtime.keras.ops.shapes import broadcast_to as broadcast_to
from runtime.keras.ops.shapes import concatenate as concatenate
from runtime.keras.ops.shapes import expand_dims as expand_dims
from runtime.keras.ops.shapes import flip as flip
from runtime.keras.ops.shapes import get_item as get_item
from runtime.keras.ops.shapes import hstack as hstack
from runtime.keras.ops.shapes import linspace as linspace
from runtime.keras.ops.shapes import meshgrid as meshgrid
from runtime.keras.ops.shapes import moveaxis as moveaxis
from runtime.keras.ops.shapes import nonzero as nonzero
from runtime.keras.ops.shapes import pad as pad
from runtime.keras.ops.shapes import ravel as ravel
from runtime.keras.ops.shapes import repeat as repeat
from runtime.keras.ops.shapes import reshape as reshape
from runtime.keras.ops.shapes import roll as roll
from runtime.keras.ops.shapes import split as split
from runtime.keras.ops.shapes import squeeze as squeeze
from runtime.keras.ops.shapes import stack as stack
from runtime.keras.ops.shapes import swapaxes as swapaxes
from runtime.keras.ops.shapes import take as take
from runtime.keras.ops.shapes import take_along_axis as take_along_axis
from runtime.keras.ops.shapes import tile as tile
from runtime.keras.ops.shapes import trace as trace
from runtime.keras.ops.shapes import transpose as transpose
from runtime.keras.ops.shapes import tril as tril
from runtime.keras.ops.shapes import triu as triu
from runtime.keras.ops.shapes import unstack as unstack
from runtime.keras.ops.shapes import vstack as vstack
from runtime.keras.ops.slices import scatter as scatter
from runtime.keras.ops.slices import scatter_update as scatter_update
from runtime.keras.ops.slices import slice as slice
from runtime.keras.ops.slices import slice_update as slice_update
from runtime.keras.ops.statistics import average as average
from runtime.keras.ops.statistics import bincount as bincount
from runtime.keras.ops.statistics import corrcoef as corrcoef
from runtime.keras.ops.statistics import correlate as correlate
from runtime.keras.ops.statistics import diff as diff
from runtime.keras.ops.statistics import digitize as digitize
from runtime.keras.ops.statistics import histogram as histogram
from runtime.keras.ops.statistics import isin as isin
from runtime.keras.ops.statistics import median as median
from runtime.keras.ops.statistics import percentile as percentile
from runtime.keras.ops.statistics import ptp as ptp
from runtime.keras.ops.statistics import quantile as quantile
from runtime.keras.ops.statistics import searchsorted as searchsorted
from runtime.keras.ops.statistics import trapezoid as trapezoid
from runtime.keras.ops.tensors import cast as cast
from runtime.keras.ops.tensors import convert_to_numpy as convert_to_numpy
from runtime.keras.ops.tensors import convert_to_tensor as convert_to_tensor
from runtime.keras.ops.tensors import dtype as dtype
from runtime.keras.ops.tensors import is_tensor as is_tensor
from runtime.keras.ops.tensors import ndim as ndim
from runtime.keras.ops.tensors import shape as shape
from runtime.keras.ops.tensors import size as size
from runtime.keras.ops.tensors import stop_gradient as stop_gradient
from runtime.keras.ops.transforms import fft as fft
from runtime.keras.ops.transforms import fft2 as fft2
from runtime.keras.ops.transforms import ifft2 as ifft2
from runtime.keras.ops.transforms import irfft as irfft
from runtime.keras.ops.transforms import rfft as rfft
from runtime.keras.ops.windows import bartlett as bartlett
from runtime.keras.ops.windows import blackman as blackman
from runtime.keras.ops.windows import hamming as hamming
from runtime.keras.ops.windows import hanning as hanning
from runtime.keras.ops.windows import kaiser as kaiser
from runtime.types.annexes import explained as _explained

__all__ = [
    "abs", "absolute", "add", "all", "allclose", "amax", "amin", "angle", "any", "append",
    "arange", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh",
    "argmax", "argmin", "argsort", "array", "array_split", "average", "average_pool",
    "bartlett", "batch_normalization", "binary_crossentropy", "bincount", "bitwise_and",
    "bitwise_invert", "bitwise_left_shift", "bitwise_not", "bitwise_or", "bitwise_right_shift",
    "bitwise_xor", "blackman", "broadcast_to", "cast", "categorical_crossentropy", "cbrt",
    "cdist", "ceil", "celu", "cholesky", "cholesky_inverse", "clip", "concatenate", "cond",
    "conj", "conjugate", "conv", "convert_to_numpy", "convert_to_tensor", "copy", "corrcoef",
    "correlate", "cos", "cosh", "count_nonzero", "cross", "ctc_decode", "ctc_loss", "cumprod",
    "cumsum", "custom_gradient", "deg2rad", "depthwise_conv", "det", "diag", "diagflat",
    "diagonal", "diff", "digitize", "divide", "divide_no_nan", "dot", "dot_product_attention",
    "dsplit", "dstack", "dtype", "eig", "eigh", "einsum", "elu", "empty", "empty_like", "equal",
    "erf", "erfc", "erfinv", "exp", "exp2", "expand_dims", "expm1", "eye", "fabs", "fft",
    "fft2", "flip", "fliplr", "flipud", "floor", "floor_divide", "fmax", "fmin", "fmod",
    "fori_loop", "full", "full_like", "gcd", "gelu", "geomspace", "get_item", "glu", "greater",
    "greater_equal", "hamming", "hanning", "hard_shrink", "hard_sigmoid", "hard_silu",
    "hard_swish", "hard_tanh", "heaviside", "histogram", "hsplit", "hstack", "hypot", "i0",
    "identity", "ifft2", "imag", "in_top_k", "inner", "inv", "irfft", "is_tensor", "isclose",
    "isfinite", "isin", "isinf", "isnan", "isneginf", "isposinf", "isreal", "kaiser", "kron",
    "layer_normalization", "lcm", "ldexp", "leaky_relu", "left_shift", "less", "less_equal",
    "linspace", "log", "log10", "log1p", "log2", "log_sigmoid", "log_softmax", "logaddexp",
    "logaddexp2", "logdet", "logical_and", "logical_not", "logical_or", "logical_xor",
    "logspace", "logsumexp", "lu_factor", "map", "matmul", "matrix_rank", "max", "max_pool",
    "maximum", "mean", "median", "meshgrid", "min", "minimum", "mod", "moments", "moveaxis",
    "multi_hot", "multiply", "nan_to_num", "nanargmax", "nanargmin", "nancumprod", "nancumsum",
    "nanmax", "nanmean", "nanmedian", "nanmin", "nanpercentile", "nanprod", "nanquantile",
    "nanstd", "nansum", "nanvar", "ndim", "negative", "nextafter", "nonzero", "norm",
    "normalize", "not_equal", "one_hot", "ones", "ones_like", "outer", "pad", "percentile",
    "pinv", "polar", "power", "prod", "psnr", "ptp", "qr", "quantile", "rad2deg", "ravel",
    "real", "reciprocal", "relu", "relu6", "repeat", "reshape", "rfft", "right_shift",
    "rms_normalization", "roll", "rot90", "round", "rsqrt", "saturate_cast", "scan", "scatter",
    "scatter_update", "searchsorted", "segment_max", "segment_min", "segment_prod",
    "segment_sum", "select", "selu", "separable_conv", "shape", "sigmoid", "sign", "signbit",
    "silu", "sin", "sinc", "sinh", "size", "slice", "slice_update", "slogdet", "soft_shrink",
    "softmax", "softplus", "softsign", "solve", "solve_triangular", "sort",
    "sparse_categorical_crossentropy", "sparse_plus", "sparse_sigmoid", "sparsemax", "split",
    "sqrt", "square", "squareplus", "squeeze", "stack", "std", "stop_gradient", "subtract",
    "sum", "svd", "swapaxes", "swish", "switch", "take", "take_along_axis", "tan", "tanh",
    "tanh_shrink", "tensordot", "threshold", "tile", "top_k", "trace", "transpose", "trapezoid",
    "tri", "tril", "triu", "true_divide", "trunc", "unravel_index", "unstack", "vander", "var",
    "vdot", "vectorized_map", "view_as_complex", "view_as_real", "vsplit", "vstack", "where",
    "while_loop", "zeros", "zeros_like",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
