"""Types of the names of ``runtime.linalg``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime import cholesky as cholesky
from runtime import cholesky_solve as cholesky_solve
from runtime import cross as cross
from runtime import eig as eig
from runtime import eigvals as eigvals
from runtime import einsum as einsum
from runtime import eye as eye
from runtime import global_norm as global_norm
from runtime import matmul as matmul
from runtime import matrix_transpose as matrix_transpose
from runtime import norm as norm
from runtime import qr as qr
from runtime import svd as svd
from runtime import tensordot as tensordot
from runtime import trace as trace
from runtime.eager.tensor import Tensor
from runtime.ops.linalg.decompositions import normalize as normalize
from runtime.types.aliases import AxisLike
from runtime.types.aliases import DTypeLike
from runtime.types.aliases import TensorLike
from typing import Any

def adjoint(matrix: TensorLike, name: str | None = None) -> Tensor: ...
def band_part(input: TensorLike, num_lower: TensorLike, num_upper: TensorLike, name: str | None = None) -> Tensor:
    """Set the elements of matrices outside of a band of diagonals to zero.

    Args:
        input: tensor of a numeric or bool dtype, of shape (..., M, N).
        num_lower: number of diagonals kept below the main one, an integer scalar; -1 for all.
        num_upper: number of diagonals kept above the main one, an integer scalar; -1 for all.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        InvalidArgumentError: ``input`` has another dtype (also a TypeError) or a rank below 2 (also a
            ValueError).
    """
def banded_triangular_solve(bands: Any, rhs: TensorLike, lower: bool = True, adjoint: bool = False, name: str | None = None) -> Tensor: ...
def det(input: TensorLike, name: str | None = None) -> Tensor:
    """Compute the determinants of square matrices.

    Args:
        input: tensor of shape (..., N, N) and of a floating or complex dtype.
    Returns:
        Tensor of the batch's shape and of the dtype of ``input``.
    Raises:
        InvalidArgumentError: ``input`` has another dtype (also a TypeError); the last two axes differ
            in size (also a ValueError).
    """
def diag(diagonal: TensorLike, name: str = 'diag', k: TensorLike = 0, num_rows: TensorLike = -1, num_cols: Any = -1, padding_value: TensorLike = 0, align: str = 'RIGHT_LEFT') -> Tensor: ...
def diag_part(input: TensorLike, name: str = 'diag_part', k: TensorLike = 0, padding_value: TensorLike = 0, align: str = 'RIGHT_LEFT') -> Tensor: ...
def eigh(tensor: TensorLike, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Compute the eigenvalues, ascending, and eigenvectors of symmetric or Hermitian matrices.

    Args:
        tensor: tensor of shape (..., N, N) and of a floating or complex dtype.
    Returns:
        (e, v): tensors of shape (..., N), real, and (..., N, N) of the dtype of ``tensor``; column i of
        v belongs to e[i].
    Raises:
        InvalidArgumentError: ``tensor`` has another dtype (also a TypeError); the last two axes differ
            in size (also a ValueError).
    """
def eigh_tridiagonal(alpha: TensorLike, beta: TensorLike, eigvals_only: bool = True, select: str = 'a', select_range: Any = None, tol: TensorLike | None = None, name: str | None = None) -> Tensor: ...
def eigvalsh(tensor: TensorLike, name: str | None = None) -> Tensor:
    """Compute the eigenvalues of symmetric or Hermitian matrices, in ascending order.

    Args:
        tensor: tensor of shape (..., N, N) and of a floating or complex dtype.
    Returns:
        Tensor of shape (..., N) and of the dtype of ``tensor``.
    Raises:
        InvalidArgumentError: ``tensor`` has another dtype (also a TypeError); the last two axes differ
            in size (also a ValueError).
    """
def expm(input: TensorLike, name: str | None = None) -> Tensor:
    """Compute the exponentials of square matrices.

    SciPy: Al-Mohy and Higham: A New Scaling and Squaring Algorithm for the Matrix Exponential (2009).

    Args:
        input: tensor of shape (..., N, N) and of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        InvalidArgumentError: ``input`` has another dtype (also a TypeError); the last two axes differ
            in size (also a ValueError).
        ModuleNotFoundError: SciPy, of the extra ``special``, is not installed.
    """
def inv(input: TensorLike, adjoint: bool = False, name: str | None = None) -> Tensor: ...
def l2_normalize(x: TensorLike, axis: AxisLike | None = None, epsilon: float = 1e-12, name: str | None = None) -> Tensor: ...
def logdet(matrix: TensorLike, name: str | None = None) -> Tensor: ...
def logm(input: TensorLike, name: str | None = None) -> Tensor:
    """Compute the principal logarithms of square complex matrices.

    SciPy: Al-Mohy and Higham: Improved Inverse Scaling and Squaring Algorithms for the Matrix Logarithm
    (2012).

    Args:
        input: tensor of shape (..., N, N) and of a complex dtype.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        InvalidArgumentError: ``input`` has another dtype (also a TypeError); the last two axes differ
            in size (also a ValueError).
        ModuleNotFoundError: SciPy, of the extra ``special``, is not installed.
    """
def lstsq(matrix: TensorLike, rhs: TensorLike, l2_regularizer: TensorLike = 0.0, fast: bool = True, name: str | None = None) -> Tensor: ...
def lu(input: TensorLike, output_idx_type: DTypeLike = ..., name: str | None = None) -> tuple[Tensor, Tensor]: ...
def lu_matrix_inverse(lower_upper: TensorLike, perm: TensorLike, validate_args: bool = False, name: str | None = None) -> Tensor: ...
def lu_reconstruct(lower_upper: TensorLike, perm: TensorLike, validate_args: bool = False, name: str | None = None) -> Tensor: ...
def lu_solve(lower_upper: TensorLike, perm: TensorLike, rhs: TensorLike, validate_args: bool = False, name: str | None = None) -> Tensor: ...
def matrix_rank(a: TensorLike, tol: TensorLike | None = None, validate_args: bool = False, name: str | None = None) -> Tensor: ...
def matvec(a: TensorLike, b: TensorLike, transpose_a: bool = False, adjoint_a: bool = False, name: str | None = None) -> Tensor: ...
def pinv(a: TensorLike, rcond: TensorLike | None = None, validate_args: bool = False, name: str | None = None) -> Tensor: ...
def set_diag(input: TensorLike, diagonal: TensorLike, name: str = 'set_diag', k: TensorLike = 0, align: str = 'RIGHT_LEFT') -> Tensor: ...
def slogdet(input: TensorLike, name: str | None = None) -> tuple[Tensor, Tensor]: ...
def solve(matrix: TensorLike, rhs: TensorLike, adjoint: bool = False, name: str | None = None) -> Tensor: ...
def sqrtm(input: TensorLike, name: str | None = None) -> Tensor:
    """Compute the principal square roots of square matrices; NaN for real ones without one.

    Deadman, Higham, Ralha: Blocked Schur Algorithms for Computing the Matrix Square Root (2013).

    Args:
        input: tensor of shape (..., N, N) and of a floating or complex dtype.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        InvalidArgumentError: ``input`` has another dtype (also a TypeError); the last two axes differ
            in size (also a ValueError).
        ModuleNotFoundError: SciPy, of the extra ``special``, is not installed.
    """
def tensor_diag(diagonal: TensorLike, name: str | None = None) -> Tensor: ...
def tensor_diag_part(input: TensorLike, name: str | None = None) -> Tensor: ...
def triangular_solve(matrix: TensorLike, rhs: TensorLike, lower: bool = True, adjoint: bool = False, name: str | None = None) -> Tensor: ...
def tridiagonal_matmul(diagonals: TensorLike, rhs: TensorLike, diagonals_format: str = 'compact', name: str | None = None) -> Tensor: ...
def tridiagonal_solve(diagonals: TensorLike, rhs: TensorLike, diagonals_format: str = 'compact', transpose_rhs: bool = False, conjugate_rhs: bool = False, name: str | None = None, partial_pivoting: bool = True, perturb_singular: bool = False) -> Tensor: ...
