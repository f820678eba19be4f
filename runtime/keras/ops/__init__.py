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
from runtime.keras.ops.creation import eye as eye
from runtime.keras.ops.creation import full as full
from runtime.keras.ops.creation import full_like as full_like
from runtime.keras.ops.creation import ones as ones
from runtime.keras.ops.creation import ones_like as ones_like
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
from runtime.keras.ops.elementwise import imag as imag
from runtime.keras.ops.elementwise import isfinite as isfinite
from runtime.keras.ops.elementwise import isinf as isinf
from runtime.keras.ops.elementwise import isnan as isnan
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
from runtime.keras.ops.elementwise import not_equal as not_equal
from runtime.keras.ops.elementwise import power as power
from runtime.keras.ops.elementwise import real as real
from runtime.keras.ops.elementwise import reciprocal as reciprocal
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
from runtime.keras.ops.linalg import cholesky as cholesky
from runtime.keras.ops.linalg import det as det
from runtime.keras.ops.linalg import diag as diag
from runtime.keras.ops.linalg import dot as dot
from runtime.keras.ops.linalg import eigh as eigh
from runtime.keras.ops.linalg import einsum as einsum
from runtime.keras.ops.linalg import inner as inner
from runtime.keras.ops.linalg import inv as inv
from runtime.keras.ops.linalg import matmul as matmul
from runtime.keras.ops.linalg import outer as outer
from runtime.keras.ops.linalg import qr as qr
from runtime.keras.ops.linalg import solve as solve
from runtime.keras.ops.linalg import solve_triangular as solve_triangular
from runtime.keras.ops.linalg import svd as svd
from runtime.keras.ops.linalg import tensordot as tensordot
from runtime.keras.ops.nn import average_pool as average_pool
from runtime.keras.ops.nn import batch_normalization as batch_normalization
from runtime.keras.ops.nn import binary_crossentropy as binary_crossentropy
from runtime.keras.ops.nn import categorical_crossentropy as categorical_crossentropy
from runtime.keras.ops.nn import conv as conv
from runtime.keras.ops.nn import ctc_decode as ctc_decode
from runtime.keras.ops.nn import ctc_loss as ctc_loss
from runtime.keras.ops.nn import max_pool as max_pool
from runtime.keras.ops.nn import moments as moments
from runtime.keras.ops.nn import multi_hot as multi_hot
from runtime.keras.ops.nn import normalize as normalize
from runtime.keras.ops.nn import one_hot as one_hot
from runtime.keras.ops.nn import sparse_categorical_crossentropy as sparse_categorical_crossentropy
from runtime.keras.ops.nn import top_k as top_k
from runtime.keras.ops.norms import norm as norm
from runtime.keras.ops.reductions import all as all
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
from runtime.keras.ops.tensors import cast as cast
from runtime.keras.ops.tensors import convert_to_numpy as convert_to_numpy
from runtime.keras.ops.tensors import convert_to_tensor as convert_to_tensor
from runtime.keras.ops.tensors import dtype as dtype
from runtime.keras.ops.tensors import is_tensor as is_tensor
from runtime.keras.ops.tensors import ndim as ndim
from runtime.keras.ops.tensors import shape as shape
from runtime.keras.ops.tensors import size as size
from runtime.keras.ops.tensors import stop_gradient as stop_gradient
from runtime.types.annexes import explained as _explained

__all__ = [
    "abs", "absolute", "add", "all", "any", "arange", "arccos", "arccosh", "arcsin", "arcsinh",
    "arctan", "arctan2", "arctanh", "argmax", "argmin", "argsort", "array", "average_pool",
    "batch_normalization", "binary_crossentropy", "broadcast_to", "cast",
    "categorical_crossentropy", "ceil", "celu", "cholesky", "clip", "concatenate", "cond", "conj",
    "conjugate", "conv", "convert_to_numpy", "convert_to_tensor", "cos", "cosh", "count_nonzero",
    "ctc_decode", "ctc_loss", "cumprod", "cumsum", "custom_gradient", "det", "diag", "divide",
    "dot", "dtype", "eigh",
    "einsum", "elu", "equal", "erf", "erfc", "erfinv", "exp", "exp2", "expand_dims", "expm1",
    "eye", "flip", "floor", "floor_divide", "fori_loop", "full", "full_like", "gelu", "get_item",
    "glu", "greater", "greater_equal", "hard_shrink", "hard_sigmoid", "hard_silu", "hard_swish",
    "hard_tanh", "hstack", "imag", "inner", "inv", "is_tensor", "isfinite", "isinf", "isnan",
    "leaky_relu", "less", "less_equal", "linspace", "log", "log10", "log1p", "log2", "log_sigmoid",
    "log_softmax", "logaddexp", "logical_and", "logical_not", "logical_or", "logical_xor",
    "logsumexp", "map", "matmul", "max", "max_pool", "maximum", "mean", "meshgrid", "min",
    "minimum", "mod", "moments", "moveaxis", "multi_hot", "multiply", "ndim", "negative",
    "nonzero", "norm", "normalize", "not_equal", "one_hot", "ones", "ones_like", "outer", "pad",
    "power", "prod", "qr", "ravel", "real", "reciprocal", "relu", "relu6", "repeat", "reshape",
    "roll", "round", "rsqrt", "scan", "scatter", "scatter_update", "selu", "shape", "sigmoid",
    "sign", "silu", "sin", "sinh", "size", "slice", "slice_update", "soft_shrink", "softmax",
    "softplus", "softsign", "solve", "solve_triangular", "sort", "sparse_categorical_crossentropy",
    "sparse_plus", "sparse_sigmoid", "sparsemax", "split", "sqrt", "square", "squareplus",
    "squeeze", "stack", "std", "stop_gradient", "subtract", "sum", "svd", "swapaxes", "swish",
    "switch", "take", "take_along_axis", "tan", "tanh", "tanh_shrink", "tensordot", "threshold",
    "tile", "top_k", "trace", "transpose", "tril", "triu", "true_divide", "unstack", "var",
    "vectorized_map", "vstack", "where", "while_loop", "zeros", "zeros_like",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
