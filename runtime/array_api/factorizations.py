"""Factorizations and eigenvalues of the array API standard; ``linalg`` has the rest."""

from __future__ import annotations

from typing import Any, NamedTuple

from runtime.array_api.products import matrices_of
from runtime.ops.linalg import decompositions, matrices

__all__ = [
    "cholesky", "eig", "eigh", "eigvals", "eigvalsh", "qr", "svd", "svdvals",
]  # fmt: skip


def cholesky(x: Any, /, *, upper: bool = False) -> Any:
    """Compute the triangular factors of positive definite matrices.

    Args:
        x: array of square matrices of a floating-point dtype, shape ``[..., N, N]``, of which one
            triangle is read.
        upper: whether the factors are upper triangular.
    Returns:
        Array of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: a matrix is not positive definite.
        ValueError: ``x`` has a rank below 2.
        TypeError: ``x`` has another dtype.
    """
    lower = matrices.cholesky(matrices_of(x, "cholesky"))
    return matrices.adjoint_of(lower) if upper else lower


class eig_result(NamedTuple):
    """Result of ``eig``."""

    eigenvalues: Any
    eigenvectors: Any


class eigh_result(NamedTuple):
    """Result of ``eigh``."""

    eigenvalues: Any
    eigenvectors: Any


class qr_result(NamedTuple):
    """Result of ``qr``."""

    Q: Any
    R: Any


class svd_result(NamedTuple):
    """Result of ``svd``."""

    U: Any
    S: Any
    Vh: Any


def eig(x: Any, /) -> eig_result:
    """Compute the eigenvalues and eigenvectors of square matrices.

    The function is of version 2025.12 of the standard.

    Args:
        x: array of square matrices of a floating-point dtype, shape ``[..., N, N]``.
    Returns:
        Named tuple of ``eigenvalues``, complex, of shape ``[..., N]``, and ``eigenvectors``, the
        columns of complex matrices of shape ``[..., N, N]``.
    Raises:
        ValueError: ``x`` has a rank below 2.
        TypeError: ``x`` has another dtype.
    """
    return eig_result(*decompositions.eig(matrices_of(x, "eig")))


def eigvals(x: Any, /) -> Any:
    """Compute the eigenvalues of square matrices.

    The function is of version 2025.12 of the standard.

    Args:
        x: array of square matrices of a floating-point dtype, shape ``[..., N, N]``.
    Returns:
        Complex array of shape ``[..., N]``.
    Raises:
        ValueError: ``x`` has a rank below 2.
        TypeError: ``x`` has another dtype.
    """
    return decompositions.eigvals(matrices_of(x, "eigvals"))


def eigh(x: Any, /) -> eigh_result:
    """Compute the eigenvalues and eigenvectors of symmetric or Hermitian matrices.

    Args:
        x: array of square matrices of a floating-point dtype, shape ``[..., N, N]``.
    Returns:
        Named tuple of ``eigenvalues``, real and ascending, of shape ``[..., N]``, and
        ``eigenvectors``, the columns of matrices of shape ``[..., N, N]``.
    Raises:
        ValueError: ``x`` has a rank below 2.
        TypeError: ``x`` has another dtype.
    """
    return eigh_result(*matrices.eigh(matrices_of(x, "eigh")))


def eigvalsh(x: Any, /) -> Any:
    """Compute the eigenvalues of symmetric or Hermitian matrices in ascending order.

    Args:
        x: array of square matrices of a floating-point dtype, shape ``[..., N, N]``.
    Returns:
        Real array of shape ``[..., N]``.
    Raises:
        ValueError: ``x`` has a rank below 2.
        TypeError: ``x`` has another dtype.
    """
    return decompositions.eigvalsh(matrices_of(x, "eigvalsh"))


def qr(x: Any, /, *, mode: str = "reduced") -> qr_result:
    """Factor matrices into ``Q @ R``, Q with orthonormal columns, R upper triangular.

    Args:
        x: array of matrices of a floating-point dtype, shape ``[..., M, N]``.
        mode: 'reduced' for K columns of Q, the lesser of M and N, or 'complete' for M columns.
    Returns:
        Named tuple of ``Q``, of shape ``[..., M, K]``, and ``R``, of shape ``[..., K, N]``.
    Raises:
        ValueError: ``mode`` is another text, or ``x`` has a rank below 2.
        TypeError: ``x`` has another dtype.
    """
    if mode not in ("reduced", "complete"):
        raise ValueError(f"mode must be 'reduced' or 'complete', got {mode!r}")
    return qr_result(*matrices.qr(matrices_of(x, "qr"), mode == "complete"))


def svd(x: Any, /, *, full_matrices: bool = True) -> svd_result:
    """Factor matrices into ``U @ diag(S) @ Vh`` by singular values in descending order.

    Args:
        x: array of matrices of a floating-point dtype, shape ``[..., M, N]``.
        full_matrices: whether U and Vh are square; otherwise they have K columns and rows, the
            lesser of M and N.
    Returns:
        Named tuple of ``U``, ``S`` (real, of shape ``[..., K]``) and ``Vh``.
    Raises:
        ValueError: ``x`` has a rank below 2.
        TypeError: ``x`` has another dtype.
    """
    s, u, v = decompositions.svd(matrices_of(x, "svd"), full_matrices)
    return svd_result(u, s, matrices.adjoint_of(v))


def svdvals(x: Any, /) -> Any:
    """Compute the singular values of matrices in descending order.

    Args:
        x: array of matrices of a floating-point dtype, shape ``[..., M, N]``.
    Returns:
        Real array of shape ``[..., K]``, K the lesser of M and N.
    Raises:
        ValueError: ``x`` has a rank below 2.
        TypeError: ``x`` has another dtype.
    """
    return decompositions.svd(matrices_of(x, "svdvals"), compute_uv=False)
