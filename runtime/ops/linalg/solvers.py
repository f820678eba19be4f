"""Linear algebra composed of ops: diagonals of tensors, LU factors, tridiagonal matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array.concat_split import concat
from runtime.ops.array.creation import eye
from runtime.ops.array.gather_scatter import gather
from runtime.ops.array.shape import ensure_shape, expand_dims, known_rank, reshape, squeeze
from runtime.ops.array.sorting import argsort
from runtime.ops.linalg.decompositions import triangular_solve
from runtime.ops.linalg.diagonals import diag, diag_part
from runtime.ops.linalg.matrices import band_part, eigh, matrix_transpose, solve
from runtime.ops.linalg.products import matmul
from runtime.ops.math.elementary import conj
from runtime.types.aliases import TensorLike
from runtime.types.errors import IncompatibleShapesError

__all__: list[str] = []


def tensor_diag(diagonal: TensorLike, name: str | None = None) -> Any:
    """Make a tensor of twice the rank whose diagonal is another tensor.

    Args:
        diagonal: tensor of any dtype, of known shape.
    Returns:
        Tensor of shape ``diagonal.shape + diagonal.shape``: zeros but where both halves of the
        index agree.
    Raises:
        ValueError: the shape is not known.
    """
    x = dispatch.convert(diagonal)
    known_rank(x, "tensor_diag")
    if not x.shape.is_fully_defined():
        raise ValueError(f"tensor_diag needs a tensor of known shape, got {x.shape}")
    dims = x.shape.as_list()
    return reshape(diag(reshape(x, [-1])), [*dims, *dims], name=name)


def tensor_diag_part(input: TensorLike, name: str | None = None) -> Any:
    """Extract the diagonal of a tensor whose shape has two equal halves.

    Args:
        input: tensor of any dtype, of known shape.
    Returns:
        Tensor of half the rank of ``input`` and of its dtype.
    Raises:
        ValueError: the shape is not known, or its halves differ.
    """
    x = dispatch.convert(input)
    rank = known_rank(x, "tensor_diag_part")
    dims = x.shape.as_list()
    half = dims[: rank // 2]
    if rank % 2 or half != dims[rank // 2 :] or None in half:
        raise ValueError(
            f"tensor_diag_part takes tensors whose shape has two equal halves, got {x.shape}"
        )
    size = int(np.prod(half))
    return reshape(diag_part(reshape(x, [size, size])), half, name=name)


def _factors(lower_upper: Any) -> tuple[Any, Any]:
    x = dispatch.convert(lower_upper)
    lower = band_part(x, -1, 0)
    size = x.shape[-1]
    if size is None:
        raise ValueError(f"the size of the matrices must be known, got shape {x.shape}")
    ones = eye(size, dtype=x.dtype)
    return lower - diag(diag_part(lower)) + ones, band_part(x, 0, -1)


def lu_reconstruct(lower_upper: TensorLike, perm: TensorLike, validate_args: bool = False,
                   name: str | None = None) -> Any:  # fmt: skip
    """Multiply LU decompositions back into matrices.

    Args:
        lower_upper: tensor of shape (..., N, N), the first result of ``lu``.
        perm: integers of shape (..., N), the second result of ``lu``.
        validate_args: ignored.
    Returns:
        Tensor of the shape and dtype of ``lower_upper``.
    Raises:
        ValueError: the matrices are not square, or of unknown shape.
    """
    lower, upper = _factors(lower_upper)
    back = argsort(perm, -1)
    batch = known_rank(back, "lu_reconstruct") - 1
    return gather(matmul(lower, upper), back, axis=batch, batch_dims=batch, name=name)


def lu_solve(lower_upper: TensorLike, perm: TensorLike, rhs: TensorLike,
             validate_args: bool = False, name: str | None = None) -> Any:  # fmt: skip
    """Solve systems of linear equations, given LU decompositions.

    Args:
        lower_upper: tensor of shape (..., N, N), the first result of ``lu(A)``.
        perm: integers of shape (..., N), the second result of ``lu(A)``.
        rhs: tensor of shape (..., N, K) and of the dtype of ``lower_upper``.
        validate_args: ignored.
    Returns:
        Tensor x of shape (..., N, K), with ``A @ x == rhs``.
    Raises:
        ValueError: the shapes do not fit.
    """
    lower, upper = _factors(lower_upper)
    perm = dispatch.convert(perm)
    batch = known_rank(perm, "lu_solve") - 1
    rhs_shape = [None] * batch + [lower.shape[-1], None]
    moved = gather(
        ensure_shape(dispatch.convert(rhs), rhs_shape), perm, axis=batch, batch_dims=batch
    )
    return triangular_solve(upper, triangular_solve(lower, moved), lower=False, name=name)


def lu_matrix_inverse(lower_upper: TensorLike, perm: TensorLike, validate_args: bool = False,
                      name: str | None = None) -> Any:  # fmt: skip
    """Invert matrices, given their LU decompositions.

    Args:
        lower_upper: tensor of shape (..., N, N), the first result of ``lu``.
        perm: integers of shape (..., N), the second result of ``lu``.
        validate_args: ignored.
    Returns:
        Tensor of the shape and dtype of ``lower_upper``.
    Raises:
        ValueError: the shape of ``lower_upper`` is not known.
    """
    x = dispatch.convert(lower_upper)
    size = x.shape[-1]
    if size is None or not x.shape.is_fully_defined():
        raise ValueError(f"lu_matrix_inverse needs a known shape, got {x.shape}")
    rhs = eye(size, batch_shape=x.shape.as_list()[:-2], dtype=x.dtype)
    return lu_solve(x, perm, rhs, name=name)


def _three(diagonals: Any, form: str, caller: str) -> tuple[Any, Any, Any]:
    """The diagonals above, on and below the main one, each of full length."""
    if form == "matrix":
        x = dispatch.convert(diagonals)
        zero = diag_part(x)[..., :1] * 0
        above, below = diag_part(x, k=1), diag_part(x, k=-1)
        return concat([above, zero], -1), diag_part(x), concat([zero, below], -1)
    if form == "sequence":
        above, on, below = (dispatch.convert(d) for d in diagonals)
        on_size, size = on.shape[-1], above.shape[-1]
        if on_size is not None and size == on_size - 1:
            zero = on[..., :1] * 0
            return concat([above, zero], -1), on, concat([zero, below], -1)
        return above, on, below
    if form != "compact":
        raise ValueError(
            f"{caller}: diagonals_format must be 'compact', 'sequence' or 'matrix', got {form!r}"
        )
    x = dispatch.convert(diagonals)
    if x.shape.dims is not None and x.shape.dims[-2:-1] not in ((3,), (None,)):
        raise IncompatibleShapesError(
            f"{caller}: compact diagonals must have shape (..., 3, M), got {x.shape}"
        )
    return x[..., 0, :], x[..., 1, :], x[..., 2, :]


def tridiagonal_matmul(diagonals: TensorLike, rhs: TensorLike, diagonals_format: str = "compact",
                       name: str | None = None) -> Any:  # fmt: skip
    """Multiply tridiagonal matrices by matrices.

    Args:
        diagonals: tensor of shape (..., 3, M): the diagonals above, on and below the main one.
        rhs: tensor of shape (..., M, K) and of the same dtype.
        diagonals_format: 'compact', or 'sequence' for a list of the three, or 'matrix' for whole
            matrices.
    Returns:
        Tensor of shape (..., M, K).
    Raises:
        ValueError: ``diagonals_format`` is unknown, or the shape of ``diagonals`` does not fit it.
    """
    above, on, below = _three(diagonals, diagonals_format, "tridiagonal_matmul")
    x = dispatch.convert(rhs)
    zero = x[..., :1, :] * 0
    up, down = concat([x[..., 1:, :], zero], -2), concat([zero, x[..., :-1, :]], -2)
    column = (above[..., None] * up, on[..., None] * x, below[..., None] * down)
    return column[0] + column[1] + column[2]


def tridiagonal_solve(diagonals: TensorLike, rhs: TensorLike, diagonals_format: str = "compact",
                      transpose_rhs: bool = False, conjugate_rhs: bool = False,
                      name: str | None = None, partial_pivoting: bool = True,
                      perturb_singular: bool = False) -> Any:  # fmt: skip
    """Solve systems with tridiagonal matrices, as dense ones.

    Args:
        diagonals: tensor of shape (..., 3, M): the diagonals above, on and below the main one.
        rhs: tensor of shape (..., M), or (..., M, K), and of the same dtype.
        diagonals_format: 'compact', or 'sequence' for a list of the three, or 'matrix' for whole
            matrices.
        transpose_rhs: whether to transpose ``rhs`` first.
        conjugate_rhs: whether to conjugate ``rhs`` first.
        partial_pivoting: ignored; the solver pivots.
        perturb_singular: ignored.
    Returns:
        Tensor of the shape of ``rhs``, after its transposition.
    Raises:
        ValueError: ``diagonals_format`` is unknown, or the shape of ``diagonals`` does not fit it.
        InvalidArgumentError: a matrix is singular.
    """
    above, on, below = _three(diagonals, diagonals_format, "tridiagonal_solve")
    matrix = diag(on) + diag(above[..., :-1], k=1) + diag(below[..., 1:], k=-1)
    x = dispatch.convert(rhs)
    x = conj(x) if conjugate_rhs else x
    x = matrix_transpose(x) if transpose_rhs else x
    if known_rank(x, "tridiagonal_solve") == known_rank(on, "tridiagonal_solve"):
        return squeeze(solve(matrix, expand_dims(x, -1)), [-1], name=name)
    return solve(matrix, x, name=name)


def _selected(values: Any, select: str, select_range: Any, caller: str) -> Any:
    """Which eigenvalues are asked for: a slice or a mask; None when all are."""
    if select == "a":
        return None
    if select not in ("i", "v") or select_range is None or len(select_range) != 2:
        raise ValueError(
            f"{caller}: select must be 'a', or 'i' or 'v' with the two ends as select_range, got "
            f"{select!r} and {select_range!r}"
        )
    start, end = select_range
    if select == "i":
        if not 0 <= start <= end:
            raise ValueError(f"{caller}: select_range must rise from 0 or more, got {select_range}")
        return slice(start, end + 1)
    return (values > start) & (values <= end)


def eigh_tridiagonal(alpha: TensorLike, beta: TensorLike, eigvals_only: bool = True,
                     select: str = "a", select_range: Any = None, tol: TensorLike | None = None,
                     name: str | None = None) -> Any:  # fmt: skip
    """Compute eigenvalues, and eigenvectors, of symmetric or Hermitian tridiagonal matrices.

    Args:
        alpha: tensor of shape (..., N): the main diagonals.
        beta: tensor of shape (..., N - 1) and of the same dtype: the diagonals above.
        eigvals_only: whether to return the eigenvalues alone.
        select: 'a' for all; 'i' for those of the indices, 'v' for those between the values of
            ``select_range``.
        select_range: first and last index, both included; or lower and upper limit.
        tol: ignored.
    Returns:
        Tensor of shape (..., N), ascending; or (eigenvalues, eigenvectors), these of shape (..., N,
        N).
    Raises:
        ValueError: ``select`` is unknown, or does not fit the arguments.
    """
    alpha, beta = dispatch.convert(alpha), dispatch.convert(beta)
    above = diag(beta, k=1)
    matrix = diag(alpha) + above + matrix_transpose(above, conjugate=True)
    values, vectors = eigh(matrix, name=name)
    chosen = _selected(values, select, select_range, "eigh_tridiagonal")
    if chosen is not None:
        values, vectors = values[chosen], matrix_transpose(matrix_transpose(vectors)[chosen])
    return values if eigvals_only else (values, vectors)


def banded_triangular_solve(bands: Any, rhs: TensorLike, lower: bool = True, adjoint: bool = False,
                            name: str | None = None) -> Any:  # fmt: skip
    """Solve systems with banded triangular matrices.

    Args:
        bands: tensor of shape (..., D, M): the diagonals from the top; the first one of a lower
            matrix and the last one of an upper matrix is the main one. Column j holds entries of
            row j.
        rhs: tensor of shape (..., M, K) and of the same dtype.
        lower: whether the matrices are lower triangular, or upper.
        adjoint: whether to solve with the adjoints.
    Returns:
        Tensor of shape (..., M, K).
    Raises:
        ValueError: the number of diagonals is not known.
        InvalidArgumentError: a matrix is singular, or the shapes do not fit.
    """
    bands = dispatch.convert(bands)
    count = bands.shape[-2]
    if count is None:
        raise ValueError(f"banded_triangular_solve: how many bands is not known: {bands.shape}")
    k = (1 - count, 0) if lower else (0, count - 1)
    matrix = diag(bands, k=k, align="LEFT_RIGHT") if count > 1 else diag(bands[..., 0, :])
    return triangular_solve(matrix, rhs, lower, adjoint, name=name)
