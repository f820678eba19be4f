"""Rules of matrices: LAPACK raises where XLA gives NaN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.linalg
import numpy as np

from runtime.engine.xla.interpreter import require, rule
from runtime.types.dtypes import as_dtype


def _finite(*arrays: Any) -> Any:
    """Note that all numbers must be finite; return whether they are."""
    for array in arrays:
        require(jnp.isfinite(array))


def _decomposition(name: str, function: Callable[..., Any]) -> None:
    """Enter a rule that holds where what is given and what comes out is finite."""

    @rule(name)
    def compute(*inputs: Any, **attrs: Any) -> Any:
        arrays = tuple(map(jnp.asarray, inputs))
        _finite(*arrays)
        result = function(*arrays, **attrs)
        outputs = result if isinstance(result, tuple) else (result,)
        _finite(*outputs)
        return result


def _lu_solve(matrix: Any, rhs: Any) -> Any:
    batch = jnp.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2])
    return jnp.linalg.solve(
        jnp.broadcast_to(matrix, batch + matrix.shape[-2:]),
        jnp.broadcast_to(rhs, batch + rhs.shape[-2:]),
    )


def _svd(x: Any, *, full_matrices: bool, compute_uv: bool) -> Any:
    if not compute_uv:
        return jnp.linalg.svd(x, compute_uv=False)
    u, s, vh = jnp.linalg.svd(x, full_matrices)
    return s, u, jnp.conj(jnp.swapaxes(vh, -1, -2))


def _pinv(x: Any, *rcond: Any, steps: float) -> Any:
    limit = rcond[0] if rcond else steps * max(x.shape[-2:]) * float(np.finfo(x.dtype).eps)
    return jnp.linalg.pinv(x, limit)


def _triangular_solve(matrix: Any, rhs: Any, *, lower: bool, adjoint: bool) -> Any:
    batch = jnp.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2])
    require(jnp.diagonal(matrix, axis1=-2, axis2=-1) != 0)
    return jax.lax.linalg.triangular_solve(
        jnp.broadcast_to(matrix, batch + matrix.shape[-2:]),
        jnp.broadcast_to(rhs, batch + rhs.shape[-2:]),
        left_side=True, lower=lower, transpose_a=adjoint, conjugate_a=adjoint,
    )  # fmt: skip


_decomposition("inv", jnp.linalg.inv)
_decomposition("cholesky", lambda x: jnp.linalg.cholesky(x, symmetrize_input=False))
_decomposition("solve", _lu_solve)
_decomposition("eigvalsh", lambda x: jnp.linalg.eigh(x, symmetrize_input=False)[0])
_decomposition("eigh", lambda x: tuple(jnp.linalg.eigh(x, symmetrize_input=False)))
_decomposition("qr", lambda x, full_matrices: tuple(
    jnp.linalg.qr(x, "complete" if full_matrices else "reduced")))  # fmt: skip
_decomposition("svd", _svd)
_decomposition("pinv", _pinv)
_decomposition("triangular_solve", _triangular_solve)


def _lu(x: Any, *, output_idx_type: Any) -> Any:
    lu, _, permutation = jax.lax.linalg.lu(x)
    require(jnp.diagonal(lu, axis1=-2, axis2=-1) != 0)
    return lu, permutation.astype(as_dtype(output_idx_type).as_numpy_dtype)


_decomposition("lu", _lu)
_decomposition("expm", jax.scipy.linalg.expm)


@rule("det")
def _det(x: Any) -> Any:
    return jnp.linalg.det(x)


@rule("slogdet")
def _slogdet(x: Any) -> Any:
    sign, size = jnp.linalg.slogdet(x)
    return sign, size


@rule("diag")
def _diag(diagonal: Any, *, k: int) -> Any:
    size = diagonal.shape[-1] + abs(k)
    at = np.arange(diagonal.shape[-1])
    zeros = jnp.zeros((*diagonal.shape[:-1], size, size), diagonal.dtype)
    return zeros.at[..., at + max(-k, 0), at + max(k, 0)].set(diagonal)


def _transform(name: str, function: Callable[..., Any], whole: bool = False) -> None:
    """Enter the rule of a Fourier transform; ``whole``: its result is real."""

    @rule(name)
    def transform(x: Any, *, axes: Any, lengths: Any, norm: str) -> Any:
        wide = x.dtype in (np.float64, np.complex128)
        result = function(jnp.asarray(x), s=lengths, axes=axes, norm=norm)
        narrow, broad = (np.float32, np.float64) if whole else (np.complex64, np.complex128)
        return result.astype(broad if wide else narrow)


_transform("fftn", jnp.fft.fftn)
_transform("ifftn", jnp.fft.ifftn)
_transform("rfftn", jnp.fft.rfftn)
_transform("irfftn", jnp.fft.irfftn, whole=True)
