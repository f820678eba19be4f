"""Rules for the types of NumPy's results, against what NumPy gives, over dtypes and shapes."""

from __future__ import annotations

import itertools
import warnings
from typing import Any, NamedTuple

import numpy as np
import pytest

from runtime.ops.array.indexing import KeyInput
from runtime.ops.python.call_numpy import FUNCTIONS, result_of
from runtime.staging.numpy_arrays.result_rules.operands import ArrayType, NoRuleError
from runtime.staging.numpy_arrays.result_rules.table import RULES, result_of_rule
from runtime.types.dtypes import as_dtype
from runtime.types.shapes import TensorShape, TensorSpec

DTYPES = (
    "float64", "float32", "float16", "int64", "int8", "uint8", "uint64", "bool", "complex128",
    "complex64",
)  # fmt: skip
REGULAR = np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]])
SHAPES = {
    "s": (), "v": (3,), "w": (4,), "e": (0,), "o": (1,), "m": (3, 3), "n": (2, 3), "r": (3, 1),
    "t": (2, 3, 4), "q": (2, 3, 3), "z": (1, 3, 1),
}  # fmt: skip

ELEMENTWISE = sorted(
    name.removeprefix("numpy.") for name, f in FUNCTIONS.items()
    if isinstance(f, np.ufunc) and f.signature is None
)  # fmt: skip
CALLS = """
sum(m) sum(m, axis=0) sum(t, axis=(0, -1)) sum(n, 1, keepdims=True) sum(s) sum(n, dtype='float32')
sum(n, axis=()) sum(e) prod(n, axis=-1) mean(n) mean(n, axis=0) mean(n, 0, 'float32') mean(s)
std(n, axis=1) var(n) var(t, (0, 1), keepdims=True) max(n) max(n, axis=1) min(v) amax(n, 0)
amin(n) ptp(n) ptp(n, axis=0) all(n) any(n, axis=0) all(n, axis=1, keepdims=True) median(n)
median(n, axis=1) argmax(n) argmin(n, axis=0) argmax(n, axis=1, keepdims=True) count_nonzero(n)
count_nonzero(n, axis=0) nansum(n) nansum(n, axis=0) nanprod(v) nanmean(n) nanmax(n, axis=0)
nanmin(n) nanstd(n) nanvar(n, axis=0) nanmedian(n) nanargmax(n) nanargmin(n, axis=1)
quantile(n, 0.5) quantile(n, 0.5, axis=0) quantile(n, (0.25, 0.5)) percentile(n, 50)
percentile(n, (10, 20), axis=1) nanquantile(n, 0.5) nanpercentile(n, 5, axis=0)
percentile(n, 50.0) average(n) average(n, axis=0) average(v, weights=v) average(n, returned=True)
cumsum(n) cumsum(n, axis=0) cumprod(v) cumsum(s) nancumsum(n) nancumprod(n, axis=1)
cumulative_sum(v) cumulative_prod(n, axis=1) cumulative_sum(v, include_initial=True) sort(n)
sort(n, axis=0) sort(n, axis=None) argsort(n) argsort(v) argsort(n, axis=None) partition(n, 1)
trace(m) trace(t, 0, 1, 2) trace(m, dtype='float64') diff(n) diff(n, 2) diff(n, axis=0)
trapezoid(n) trapezoid(v, dx=0.5) trapezoid(v, v) trapezoid(n, axis=0) unwrap(v) unwrap(n)
reshape(n, (3, 2)) reshape(n, -1) reshape(n, (2, -1)) reshape(s, (1,)) reshape(o, ()) ravel(n)
ravel(s) resize(n, (2, 2)) resize(v, 7) squeeze(z) squeeze(z, 0) squeeze(z, (0, 2)) squeeze(r)
squeeze(o) squeeze(s) expand_dims(n, 0) expand_dims(n, (0, -1)) expand_dims(s, 0) transpose(n)
transpose(t, (1, 0, 2)) transpose(s) matrix_transpose(t) swapaxes(t, 0, 2) moveaxis(t, 0, -1)
moveaxis(t, (0, 1), (1, 2)) rollaxis(t, 2) rollaxis(t, 0, 3) rollaxis(t, 1, -1) flip(n) flip(t, 1)
flip(t, (0, 2)) fliplr(n) flipud(v) rot90(n) rot90(n, 2) rot90(t, 1, (1, 2)) roll(n, 1)
roll(n, 1, axis=0) roll(n, (1, 2), (0, 1)) atleast_1d(s) atleast_1d(n) atleast_2d(v) atleast_2d(s)
atleast_3d(v) atleast_3d(n) atleast_3d(s) atleast_1d(s, v) broadcast_to(v, (2, 3))
broadcast_to(s, 4) broadcast_to(r, (3, 5)) broadcast_to(s, ()) concatenate((n, n))
concatenate((n, m), axis=0) concatenate((n, n), axis=1) concatenate((n, v), axis=None)
concatenate((v, w, e)) concatenate(n) stack((n, n)) stack((v, v), axis=1) stack((n, n), axis=-1)
stack((s, s)) vstack((v, v)) vstack((n, v)) hstack((v, w)) hstack((n, n)) hstack((s, v))
dstack((v, v)) dstack((n, n)) column_stack((v, v)) column_stack((v, m)) append(v, 1) append(v, v)
append(n, m, axis=0) append(n, n) tile(v, 2) tile(v, (2, 2)) tile(n, 3) tile(n, (2, 1, 1))
tile(s, 3) tile(s, ()) repeat(v, 2) repeat(n, 2) repeat(n, 2, axis=0) repeat(n, (1, 2), axis=0)
repeat(s, 3) pad(v, 1) pad(v, (1, 2)) pad(n, ((1, 0), (2, 2))) pad(n, ((1, 2),)) pad(n, 1, 'edge')
pad(n, (1, 2)) tril(m) triu(n, 1) tril(v) triu(t) diagonal(m) diagonal(n, 1) diagonal(n, -1)
diagonal(t, 0, 1, 2) diag(v) diag(m) diag(n, 1) diag(v, -2) diagflat(v) diagflat(n, 1)
take(v, (0, 1)) take(n, 1) take(n, 1, axis=0) take(t, ((0, 1), (1, 0)), axis=1) take(v, 1)
take_along_axis(n, (((0, 1),) * 2), 1) compress((True, False, True), v)
compress((True, False), n, axis=0) extract((True, False, True), v) argwhere(n) argwhere(s)
nonzero(n) flatnonzero(n) delete(v, 1) delete(n, 0, axis=1) insert(v, 1, 2)
insert(n, 1, 2, axis=1) trim_zeros(v) packbits(v) packbits(n) packbits(n, axis=1) unpackbits(v)
unpackbits(n, axis=0) unravel_index(2, (3, 4)) unravel_index((1, 2), (3, 4)) lexsort((v, v))
lexsort(n) ravel_multi_index((1, 2), (3, 4)) array(n) array(s) array((s, s))
array(((s, 1), (2, s))) array((v, v)) array(v, ndmin=2) array(v, 'float32') array((1, 2.5))
array(()) asarray(v) asarray(s) ascontiguousarray(s) ascontiguousarray(n) copy(n) copy(s) zeros(3)
zeros((2, 3)) ones(2, 'int8') zeros(()) empty((0, 2)) full(3, 2) full((2, 2), 1.5) full(2, s)
full((), 1) zeros_like(n) ones_like(n, 'int8') zeros_like(n, shape=(2,)) ones_like(s)
full_like(n, 2) full_like(v, 2, 'float64') empty_like(1) arange(5) arange(1, 5) arange(1, 5, 2)
arange(5.0) arange(0, 1, 0.1) arange(3, dtype='int8') eye(3) eye(2, 3) eye(3, k=1, dtype='int8')
identity(2) tri(3) tri(2, 3, 1) hanning(5) bartlett(4) hamming(3) blackman(3) kaiser(4, 1.0)
hanning(0) linspace(0, 1) linspace(0, 1, 5) linspace(0, 1, 5, True, True) linspace(v, 2, 4)
linspace(0, 4, 5, dtype='int64') linspace(s, 1, 3) logspace(0, 1, 4) geomspace(1, 8, 4) vander(v)
vander(v, 2) meshgrid(v, w) meshgrid(v, w, indexing='ij') meshgrid(v, w, sparse=True) meshgrid(v)
meshgrid(v, w, o) indices((2, 3)) indices((2, 3), sparse=True) diag_indices(3) diag_indices(2, 3)
tril_indices(3) triu_indices(3, 1) mgrid(slice(0, 3, 1)) mgrid((slice(0, 3), slice(0, 2)))
ogrid((slice(0, 3), slice(0, 2))) ogrid(slice(0, 3)) mgrid(slice(0, 1, 0.5)) r_((1, 2))
r_((v, 1.5)) r_(slice(0, 3)) r_((v, v)) r_((slice(0, 3), 5)) c_((v, v)) c_((n, n))
block(((v, v),)) block((v, w)) block(((m, m), (m, m))) angle(n) clip(n, 0, 2) clip(n, 0.5, 2.5)
clip(n, 0, None) clip(n, v, 5) around(n) round(n, 1) round(s) fix(n) i0(n) sinc(n) sinc(s)
isclose(n, v) isclose(s, s) allclose(n, v) array_equal(n, n) array_equiv(v, n) iscomplex(n)
isreal(s) isin(n, v) isin(s, v) nan_to_num(n) nan_to_num(s) interp(v, v, v) interp(0.5, v, v)
polyval(v, 2) polyval(v, n) polyval(v, 1.5) digitize(n, v) digitize(s, (1, 2)) searchsorted(v, n)
searchsorted(v, 1.5) choose((0, 1, 0), (v, v)) choose((0, 1), ((1, 2), (3, 4)))
select((v, v), (v, v)) select((v,), (v,), 1.5) where(n, n, 0) where(v, 1, 2.5) where(True, s, s)
where(r, v, 1) where(n) dot(v, v) dot(m, v) dot(n, m) dot(2, v) dot(t, m) inner(v, v) inner(n, m)
inner(s, v) outer(v, w) outer(n, v) vdot(n, n) tensordot(n, m, 1) tensordot(n, n)
tensordot(t, t, ((0, 1), (0, 1))) einsum('ij,jk', n, m) einsum('ij->ji', n) einsum('ij->', n)
einsum('ii->i', m) einsum('i,i', v, v) kron(v, w) kron(n, m) kron(n, v) cross(v, v) cross(n, v)
convolve(v, w) convolve(v, w, 'same') convolve(v, w, 'valid') correlate(w, v)
correlate(v, w, 'full') gradient(v) gradient(m) gradient(v, 0.5) gradient(n, axis=1)
gradient(v, v) ediff1d(v) ediff1d(n, 1, 2) setxor1d(v, w) union1d(v, w) setdiff1d(v, w)
intersect1d(v, w) intersect1d(v, w, return_indices=True) unique(n) unique(n, return_index=True)
unique(n, return_inverse=True, return_counts=True) polyadd(v, w) polysub(v, 1) polyder(w)
polyder(w, 2) polyint(v) polyint(v, 2) polyfit(v, v, 1) polyfit(v, m, 2) cov(n) cov(v)
cov(n, rowvar=False) corrcoef(n) corrcoef(v, v) corrcoef(v) bincount(v) bincount((0, 1, 2), v)
histogram(v) histogram(v, 4) histogram(v, (0, 1, 2)) histogram(n, 3, density=True)
histogram_bin_edges(v, 4) matmul(n, m) matmul(v, v) matmul(q, m) matmul(m, v) matmul(v, m)
vecdot(n, v) matvec(m, v) vecmat(v, m) histogram2d(v, v) histogram2d(v, v, 4) float64(s)
float32(n) int8(2) complex128(v) bool_(s) float64(1.5) int32((1, 2)) linalg.cholesky(m)
linalg.cond(m) linalg.det(m) linalg.det(q) linalg.eigh(m) linalg.eigvalsh(q) linalg.inv(m)
linalg.inv(q) linalg.lstsq(m, v) linalg.lstsq(m, m) linalg.matrix_norm(q) linalg.norm(v)
linalg.norm(m) linalg.norm(m, axis=0) linalg.norm(m, 'fro') linalg.norm(v, 1)
linalg.norm(t, axis=(0, 1)) linalg.norm(n, axis=1, keepdims=True) linalg.norm(t) linalg.pinv(n)
linalg.matrix_power(m, 2) linalg.matrix_power(m, 0) linalg.matrix_power(m, 1)
linalg.matrix_power(m, -1) linalg.qr(n) linalg.qr(n, 'r') linalg.qr(r, 'complete')
linalg.matrix_rank(m) linalg.matrix_rank(v) linalg.slogdet(m) linalg.slogdet(q) linalg.solve(m, v)
linalg.solve(q, m) linalg.solve(m, r) linalg.svd(n) linalg.svd(n, False)
linalg.svd(n, compute_uv=False) linalg.svdvals(n) linalg.tensorinv(m, 1) linalg.trace(q)
linalg.vector_norm(n) linalg.vector_norm(n, axis=1) linalg.multi_dot((n, m, m))
linalg.multi_dot((v, m, v)) linalg.eigvals(m) linalg.eig(q) fft.fft(v) fft.fft(n, 5)
fft.fft(n, axis=0) fft.ifft(v) fft.rfft(w) fft.rfft(v) fft.irfft(v) fft.irfft(v, 5) fft.fft2(n)
fft.ifft2(n) fft.fftn(t) fft.ifftn(n) fft.fftshift(v) fft.ifftshift(n, 1) fft.fftfreq(4)
fft.fftfreq(4, 0.5) fft.rfftfreq(5) linspace(v, 2, 4, True, True) add(n, v, dtype='float64')
divide(n, 2, dtype='float64') round(x) around(x, 1) clip(x, 0, 1) nan_to_num(x) fix(x) sinc(x)
i0(x) i0(s) angle(x) angle(s) cumsum(x) copy(x) squeeze(x) transpose(x) ravel(x) where(x, 1, 2)
isin(x, (1,)) roll(x, 1) take(x, 0) flip(x) flip(s) median(x) ptp(x) repeat(x, 2) reshape(x, ())
reshape(s, ()) reshape(1.5, ()) broadcast_to(x, ()) atleast_1d(x) expand_dims(x, 0) sum(x)
dot(x, x) float32(x) array(x) asarray(x) full_like(x, 1) zeros_like(x) tile(x, ())
concatenate((v, (x,))) squeeze(((1,),)) squeeze((x,)) diff(n, prepend=0) diff(v, 1, 0, 1.5, v)
diff(n, axis=0, append=n) quantile(n, 0.5, method='lower')
quantile(n, (0.1, 0.2), 0, method='hazen') quantile(n, 0.5, method='nearest') cross(m, m, axis=0)
cross(m, m, 0, 0, 0) cross(n, v, axisc=0) linspace(v, w[:3], 4, axis=1) linspace(v, 2, 4, axis=-1)
logspace(v, 1, 4, axis=1) unique(n, axis=0) unique(n, True, axis=1) fft.fftn(n, (4, 5))
fft.fft2(t, (2, 2)) fft.fftn(t, (4,), (0,)) cov(n, n) cov(v, w[:3]) cov(n, fweights=(1, 2, 1))
corrcoef(n, n) einsum('...i,i', n, v) einsum('...i->...', t) einsum('i...,j...->ij...', n, m)
einsum('...ij,...jk->...ik', q, m) histogram(v, 3, weights=v) histogram(v, 3, None, True, v)
unpackbits(v, count=10) unpackbits(v, count=-2) unpackbits(n, 1, 5) vecdot(n, m[:2], axis=0)
linalg.vector_norm(t, axis=(0, 1)) linalg.vector_norm(n, axis=0, keepdims=True)
meshgrid(v, copy=False) meshgrid(v, w, copy=False) std(n, ddof=1) var(n, 0, correction=1)
all(n, axis=(0, 1)) sum(n, None, None) average(n, 1, v) average(n, 1, keepdims=True)
median(n, (0, 1)) argsort(n, kind='stable') concatenate((n, n), dtype='float64')
stack((v, v), dtype='complex128') full((2,), v[:2]) pad(v, 2, 'constant', constant_values=1)
where(m, v, r) moveaxis(t, -1, 0) take(t, n[:, :1] * 0, 2)
"""
METHOD_CALLS = """
all(n) any(n, axis=0) argmax(n) argmin(n, 1) argpartition(n, 1) argsort(n) astype(n, 'float32')
choose(s, (1, 2)) clip(n, 0, 1) compress(v, (True, False, True)) conj(n) cumprod(n) cumsum(n, 0)
diagonal(m) dot(n, v) flatten(n) max(n) mean(n, axis=1) min(n) nonzero(n) prod(n) ravel(n)
repeat(n, 2) reshape(n, 3, 2) reshape(n, (3, -1)) round(n) round(n, 1) searchsorted(v, 2)
squeeze(z) std(n) sum(n, axis=0, keepdims=True) swapaxes(n, 0, 1) take(n, (0, 1)) trace(m)
transpose(n) transpose(x) squeeze(x) reshape(x, 1) conj(x) clip(x, 0, 1) round(x)
astype(x, 'int8') sum(x) flatten(x) ravel(x) repeat(x, 2) take(x, 0) transpose(t, 1, 0, 2)
transpose(t, (2, 1, 0)) var(n, 0) sum(s) squeeze(s) transpose(s) reshape(s, 1)
"""
GAPS = ("linalg.eigvals(m)", "linalg.eig(q)", "histogram")
"""Calls without a rule: values decide the dtype; bins of complex or half floats."""


def split(text: str) -> list[str]:
    """The calls of a text: what stands between spaces outside of parentheses."""
    calls, depth, start = [], 0, 0
    for place, character in enumerate(text + " "):
        depth += (character in "([") - (character in ")]")
        if character.isspace() and not depth:
            if text[start:place].strip():
                calls.append(text[start:place].strip())
            start = place
    return calls


class Staged(NamedTuple):
    """Input as rules see it."""

    spec: TensorSpec
    dtype: Any
    shape: TensorShape
    weak: bool = False


def array_of(name: str, dtype: str) -> np.ndarray:
    """An array of the shape that a letter stands for; matrices of three rows are regular."""
    shape = SHAPES[name]
    if shape[-2:] == (3, 3):
        return np.broadcast_to(REGULAR, shape).astype(dtype)
    return (np.arange(int(np.prod(shape))) % 5).reshape(shape).astype(dtype)


def call_of(prefix: str, text: str, dtype: str) -> tuple[str, tuple, dict]:
    """The name of the function of a call, and its arguments."""
    name, _, rest = text.partition("(")
    arrays = {letter: array_of(letter, dtype) for letter in SHAPES}
    names = {**arrays, "x": arrays["s"][()], "slice": slice}
    args, kwargs = eval(f"(lambda *a, **k: (a, k))({rest}", names)
    return prefix + name, args, kwargs


def template_of(value: Any, inputs: list) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        inputs.append(value)
        return KeyInput(len(inputs) - 1)
    if type(value) is tuple:
        return tuple([template_of(item, inputs) for item in value])
    return value


def ruled(name: str, args: tuple, kwargs: dict, shapes: Any = None) -> Any:
    """What the rules tell of a call, whose arrays have known or these sizes."""
    inputs: list[Any] = []
    template = template_of((*args, *kwargs.values()), inputs)
    staged = []
    for number, array in enumerate(inputs):
        shape = TensorShape(array.shape if shapes is None else shapes(number, array.shape))
        dtype = as_dtype(array.dtype)
        staged.append(Staged(TensorSpec(shape, dtype), dtype, shape))
    scalars = frozenset(n for n, x in enumerate(inputs) if isinstance(x, np.generic))
    return result_of_rule(name, template, tuple(kwargs), staged, scalars)


def called(name: str, args: tuple, kwargs: dict) -> Any:
    """NumPy's result, or None where it raises."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            if name.startswith("ndarray.") and isinstance(args[0], np.generic):
                return getattr(args[0], name.partition(".")[2])(*args[1:], **kwargs)
            return result_of(name, (*args, *kwargs.values()), tuple(kwargs), ())
        except Exception:
            return None


def difference(rule: Any, result: Any, is_exact: bool) -> str | None:
    """What is wrong about a rule's type of a result, whose rank it tells if ``is_exact``."""
    if isinstance(result, tuple | list):
        if not isinstance(rule, tuple) or isinstance(rule, ArrayType) or len(rule) != len(result):
            return f"{rule} is not {len(result)} results"
        if hasattr(result, "_fields") and type(rule) is not type(result):
            return f"{type(rule)} is no {type(result)}"
        pairs = zip(rule, result, strict=True)
        return next((d for r, x in pairs if (d := difference(r, x, is_exact))), None)
    if not isinstance(rule, ArrayType):
        return f"{rule} for one result"
    array = np.asarray(result)
    if rule.dtype != array.dtype:
        return f"{rule.dtype} is not {array.dtype}"
    if rule.dims is None:
        return "its rank is not told" if is_exact else None
    sizes = [*itertools.zip_longest(rule.dims, array.shape, fillvalue=-1)]
    if any(told not in (None, size) for told, size in sizes):
        return f"{rule.dims} is not {array.shape}"
    if not array.ndim and (rule.python is not None) != (type(result) in (bool, int, float)):
        return f"{rule} is not {type(result)}"
    if not array.ndim and rule.python is None and rule.is_array != isinstance(result, np.ndarray):
        return f"{rule} is not {type(result)}"
    return None


def shares(rule: Any, result: Any, args: Any) -> str | None:
    """What is wrong about whose memory a rule says that a result may share."""
    if isinstance(result, tuple | list):
        pairs = zip(rule, result, strict=True)
        return next((wrong for r, x in pairs if (wrong := shares(r, x, args))), None)
    inputs: list[Any] = []
    template_of(args, inputs)
    arrays = [(n, x) for n, x in enumerate(inputs) if isinstance(x, np.ndarray)]
    sharing = {n for n, x in arrays if np.may_share_memory(x, result)}
    return f"{sharing} of {rule}" if sharing and rule.source not in sharing else None


ALL_CALLS = [("numpy.", text) for text in split(CALLS)]
ALL_CALLS += [("ndarray.", text) for text in split(METHOD_CALLS)]
ALL_CALLS = [  # what this NumPy has
    (prefix, text) for prefix, text in ALL_CALLS if prefix + text.partition("(")[0] in FUNCTIONS
]
ALL_CALLS += [
    ("numpy.", f"{name}({', '.join(arguments)})") for name in ELEMENTWISE
    for arguments in itertools.product(("n", "v", "2"), repeat=FUNCTIONS[f"numpy.{name}"].nin)
]  # fmt: skip
ALL_CALLS += [
    ("numpy.", text) for name in ("add", "multiply", "maximum", "subtract", "logical_and", "less")
    for text in (
        f"{name}.outer(v, w)", f"{name}.reduce(n)", f"{name}.reduce(n, axis=(0, 1))",
        f"{name}.accumulate(n, axis=1)", f"{name}.reduceat(v, (0, 1))",
    )
]  # fmt: skip


@pytest.mark.parametrize(("prefix", "text"), ALL_CALLS, ids=lambda value: value)
def test_rules_tell_what_numpy_gives(prefix, text):
    for dtype in DTYPES:
        name, args, kwargs = call_of(prefix, text, dtype)
        result = called(name, args, kwargs)
        if result is None:
            continue
        try:
            rule = ruled(name, args, kwargs)
        except NoRuleError:
            assert text.startswith(GAPS), f"no rule for {dtype}"
            continue
        assert difference(rule, result, True) is None, dtype
        assert shares(rule, result, args) is None, dtype
        for shapes in (
            lambda number, shape: (None,) * len(shape),
            lambda number, shape: (None, *shape[1:]) if shape else (),
            lambda number, shape: (None,) * len(shape) if number else shape,
        ):
            try:
                rule = ruled(name, args, kwargs, shapes)
            except NoRuleError:
                continue
            assert difference(rule, result, False) is None, dtype


def test_every_function_has_a_rule():
    assert set(FUNCTIONS) <= set(RULES)
