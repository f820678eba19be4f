"""Op definitions of matrix decompositions: SVD, eigenvalues, LU, and what follows from them.

NumPy computes most of them; ``expm``, ``logm``, ``sqrtm`` and ``lu`` are SciPy's (the extra
``special``).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.ops import dispatch
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.shape import shape
from runtime.ops.docstrings import MATRICES, NOT_SQUARE, gives
from runtime.ops.linalg.matrices import adjoint_of, cholesky, diag_part_op, norm
from runtime.ops.linalg.products import matmul
from runtime.ops.math import elementwise, reduction
from runtime.ops.math.elementary import log as elementwise_log
from runtime.ops.math.elementary import real
from runtime.ops.op import OpDef, define
from runtime.ops.rules import loops
from runtime.ops.rules.inference import broadcast_shapes, same
from runtime.ops.rules.kernels import checked
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.lowering import OnArrays
from runtime.ops.rules.samples import OpSample, array, case, spread
from runtime.types.aliases import AxisLike, DTypeLike, TensorLike
from runtime.types.dtypes import Array, as_dtype, complex64, complex128, int32
from runtime.types.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.types.extras import require
from runtime.types.shapes import UNKNOWN_SHAPE, TensorShape, TensorSpec

__all__ = ["eig", "eigvals", "matrix_square_root"]


def _dims(caller: str, x: TensorSpec, square: bool = True) -> tuple[int | None, ...] | None:
    """The dimensions of an input of matrices; None when the rank is unknown."""
    dims = x.shape.dims
    if dims is None:
        return None
    if len(dims) < 2:
        raise IncompatibleShapesError(
            f"{caller}: the input must hold matrices (rank 2 or more), got shape {x.shape}"
        )
    if square and dims[-1] != dims[-2] and None not in dims[-2:]:
        raise IncompatibleShapesError(f"{caller}: the matrices must be square, got shape {x.shape}")
    return dims


def _guarded(caller: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def kernel(*arrays: Array, **attrs: Any) -> Any:
        try:
            return function(*arrays, **attrs)
        except np.linalg.LinAlgError as error:
            raise InvalidArgumentError(f"{caller}: {error}") from None

    return kernel


def _definition(name: str, inputs: str, kernel: Any, infer: Any, samples: Any, doc: str,
         **own_fields: Any) -> OpDef:  # fmt: skip
    fields = {"dtype_kinds": "fc", "grad": lazy_gradient(f"decompositions.{name}"), **own_fields}
    return define(
        name, inputs=inputs, kernel=checked(_guarded(name, kernel), infer), infer=infer,
        samples=samples, doc=doc, **fields,
    )  # fmt: skip


def _regular() -> list[OpSample]:
    base = spread(-1, 1, 2, 3, 3) + 3 * np.eye(3, dtype=np.float32)
    return [case(base), case(base[0].astype(np.float64)), case(array([[2.0]]))]


def _wide() -> list[Array]:
    return [spread(-1, 1, 3, 2), spread(-1, 1, 2, 2, 3), spread(-1, 1, 2, 2, dtype=np.float64)]


# -- singular values --------------------------------------------------------------------------


def _svd(x: Array, *, full_matrices: bool, compute_uv: bool) -> Any:
    if not compute_uv:
        return np.linalg.svd(x, compute_uv=False)
    u, s, vh = np.linalg.svd(x, full_matrices)
    return s, u, np.conj(np.swapaxes(vh, -1, -2))


def _svd_infer(x: TensorSpec, *, full_matrices: bool, compute_uv: bool) -> Any:
    dims = _dims("svd", x, square=False)
    if dims is None:
        s = TensorSpec(None, x.dtype.real_dtype)
        return (s, TensorSpec(None, x.dtype), TensorSpec(None, x.dtype)) if compute_uv else s
    *batch, m, n = dims
    inner = None if m is None or n is None else min(m, n)
    s = TensorSpec((*batch, inner), x.dtype.real_dtype)
    if not compute_uv:
        return s
    u = TensorSpec((*batch, m, m if full_matrices else inner), x.dtype)
    return s, u, TensorSpec((*batch, n, n if full_matrices else inner), x.dtype)


svd_op = _definition(
    "svd", "tensor", _svd, _svd_infer,
    lambda: [OpSample((x,), {"full_matrices": f, "compute_uv": c})
             for x in _wide() for f, c in ((True, True), (False, True), (False, False))],
    "Compute (s, u, v) with ``u @ diag(s) @ adjoint(v) == tensor``.",
)  # fmt: skip


def svd(tensor: TensorLike, full_matrices: bool = False, compute_uv: bool = True,
        name: str | None = None) -> Any:  # fmt: skip
    """Compute singular value decompositions: ``tensor == u @ diag(s) @ adjoint(v)``.

    LAPACK's gesdd computes them, by divide and conquer: Anderson et al., LAPACK Users' Guide
    (1999).

    Args:
        tensor: tensor of shape (..., M, N) and of a floating or complex dtype.
        full_matrices: whether u and v are square; otherwise they have P = min(M, N) columns.
        compute_uv: whether to compute u and v.
    Returns:
        (s, u, v), or s alone: s has shape (..., P), descending and real, u (..., M, P), v (..., N,
        P).
    Raises:
        InvalidArgumentError: the rank is less than 2 (also a ValueError), the dtype is another one
            (also a TypeError), or the computation does not converge.
    """
    full, with_vectors = bool(full_matrices), bool(compute_uv)
    return svd_op(tensor, full_matrices=full, compute_uv=with_vectors, name=name)


def _pinv(x: Array, *rcond: Array, steps: float) -> Any:
    if rcond:
        return np.linalg.pinv(x, rcond[0])
    return np.linalg.pinv(x, steps * max(x.shape[-2:]) * float(np.finfo(x.dtype).eps))


def _pinv_infer(x: TensorSpec, *rcond: TensorSpec, steps: float) -> TensorSpec:
    dims = _dims("pinv", x, square=False)
    if dims is None:
        return TensorSpec(None, x.dtype)
    for limit in rcond:
        batch = TensorShape(dims[:-2])
        if not broadcast_shapes(limit.shape, batch).is_compatible_with(batch):
            raise IncompatibleShapesError(
                f"pinv: rcond of shape {limit.shape} must broadcast to the batch shape {batch}"
            )
    return TensorSpec((*dims[:-2], dims[-1], dims[-2]), x.dtype)


pinv_op = _definition(
    "pinv", "a *rcond", _pinv, _pinv_infer,
    lambda: [
        *(OpSample((x,), {"steps": 10.0}) for x in _wide()),
        case(_wide()[0], 0.1, steps=10.0),
        case(_wide()[1], array([0.1, 2.0]), steps=10.0),
    ],
    "Compute pseudo-inverses from singular values above ``rcond`` times the greatest.",
    same_dtype_inputs=slice(0, 1),
)  # fmt: skip


def pinv(a: TensorLike, rcond: TensorLike | None = None, validate_args: bool = False,
         name: str | None = None) -> Any:  # fmt: skip
    """Compute Moore-Penrose pseudo-inverses by singular value decomposition.

    Penrose: A Generalized Inverse for Matrices (1955).

    Args:
        a: tensor of shape (..., M, N) and of a floating or complex dtype.
        rcond: number, or one for each matrix; singular values up to ``rcond`` times the greatest
            count as 0. By default 10 * max(M, N) * eps.
        validate_args: ignored.
    Returns:
        Tensor of shape (..., N, M) and of the dtype of ``a``.
    Raises:
        InvalidArgumentError: the rank is less than 2 (also a ValueError), or the dtype is another
            one (also a TypeError).
    """
    a = dispatch.convert(a)
    limits = [] if rcond is None else [convert_to_tensor(rcond, a.dtype.real_dtype)]
    return pinv_op(a, *limits, steps=10.0, name=name)


def rounding_of(a: Any) -> Any:
    """How far from 0, beside the greatest one, singular values of matrices count as zero."""
    eps = float(np.finfo(a.dtype.as_numpy_dtype).eps)
    dims = a.shape.dims
    if dims is not None and None not in dims[-2:]:
        return max(dims[-2:]) * eps
    return cast(reduction.reduce_max(shape(a)[-2:]), a.dtype.real_dtype) * eps


def matrix_rank(a: TensorLike, tol: TensorLike | None = None, validate_args: bool = False,
                name: str | None = None) -> Any:  # fmt: skip
    """Compute the ranks of matrices: how many singular values are above a tolerance.

    Args:
        a: tensor of shape (..., M, N) and of a floating or complex dtype.
        tol: tolerance; by default max(M, N) * eps times the greatest singular value.
        validate_args: ignored.
    Returns:
        Tensor of the batch's shape and of dtype int32.
    Raises:
        InvalidArgumentError: the rank is less than 2 (also a ValueError), or the dtype is another
            one (also a TypeError).
    """
    a = dispatch.convert(a)
    s = svd(a, compute_uv=False)
    if tol is None:
        _dims("matrix_rank", TensorSpec(a.shape, a.dtype), square=False)
        tol = reduction.reduce_max(s, -1, keepdims=True) * rounding_of(a)
    return reduction.reduce_sum(cast(s > tol, int32), -1, name=name)


# -- eigenvalues ------------------------------------------------------------------------------


def _complex_dtype(x: TensorSpec) -> Any:
    return complex64 if x.dtype.size <= 4 or x.dtype is complex64 else complex128


def _eig(x: Array) -> Any:
    dtype = _complex_dtype(TensorSpec((), x.dtype)).as_numpy_dtype
    values, vectors = np.linalg.eig(x)
    return values.astype(dtype), vectors.astype(dtype)


@gives(
    "(e, v): tensors of shape (..., N), (..., N, N), of dtype complex64 or complex128, whichever "
    "holds the dtype of ``{x}``; column i of v belongs to e[i].", NOT_SQUARE, MATRICES,
)  # fmt: skip
def _eig_infer(x: TensorSpec) -> Any:
    dims, dtype = _dims("eig", x), _complex_dtype(x)
    if dims is None:
        return TensorSpec(None, dtype), TensorSpec(None, dtype)
    return TensorSpec(dims[:-1], dtype), TensorSpec(dims, dtype)


eig = _definition(
    "eig", "tensor", _eig, _eig_infer, _regular,
    "Compute the eigenvalues and the right eigenvectors of square matrices.",
)  # fmt: skip


@gives(
    "Tensor of shape (..., N) and of dtype complex64 or complex128, whichever holds the dtype of "
    "``{x}``.", NOT_SQUARE, MATRICES,
)  # fmt: skip
def _eigvals_infer(x: TensorSpec) -> TensorSpec:
    dims = _dims("eigvals", x)
    return TensorSpec(None if dims is None else dims[:-1], _complex_dtype(x))


eigvals = _definition(
    "eigvals", "tensor", lambda x: _eig(x)[0], _eigvals_infer, _regular,
    "Compute the eigenvalues of square matrices, in no particular order.",
)  # fmt: skip


@gives("Tensor of shape (..., N) and of the dtype of ``{x}``.", NOT_SQUARE, MATRICES)
def _eigvalsh_infer(x: TensorSpec) -> TensorSpec:
    dims = _dims("eigvalsh", x)
    return TensorSpec(None if dims is None else dims[:-1], x.dtype.real_dtype)


eigvalsh = _definition(
    "eigvalsh", "tensor", np.linalg.eigvalsh, _eigvalsh_infer,
    lambda: [case(c.inputs[0] + np.swapaxes(c.inputs[0], -1, -2)) for c in _regular()],
    "Compute the eigenvalues of symmetric or Hermitian matrices, in ascending order.",
    lower=OnArrays(plan=loops.decomposition("eigvalsh")),
)  # fmt: skip


def _by_scipy(name: str) -> Callable[[Array], Any]:
    """A kernel that applies a function of ``scipy.linalg`` to each matrix, in double precision.

    NaN for matrices that are not finite, and for real ones whose result is complex.
    """

    def kernel(x: Array) -> Any:
        function = getattr(require("scipy.linalg", extra="special", for_=name), name)
        wide = x.astype(np.result_type(x.dtype, np.float64))
        result = np.full(x.shape, np.nan, x.dtype)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that a matrix is singular shows in the result
            for at in np.ndindex(x.shape[:-2]):
                if x.shape[-1] and np.isfinite(wide[at]).all():
                    result_matrix = function(wide[at])
                    if x.dtype.kind == "c" or result_matrix.dtype.kind != "c":
                        result[at] = result_matrix
        return result

    return kernel


def _same_square(caller: str) -> Callable[..., TensorSpec]:
    @gives("Tensor of the shape and dtype of ``{x}``.", NOT_SQUARE, MATRICES)
    def infer(x: TensorSpec) -> TensorSpec:
        _dims(caller, x)
        return same(x)

    return infer


expm = _definition(
    "expm", "input", _by_scipy("expm"), _same_square("expm"), _regular,
    "Compute the exponentials of square matrices.\n\n"
    "SciPy: Al-Mohy and Higham: A New Scaling and Squaring"
    " Algorithm for the Matrix Exponential (2009).", extra="special",
)  # fmt: skip


matrix_square_root = _definition(
    "sqrtm", "input", _by_scipy("sqrtm"), _same_square("sqrtm"), _regular,
    "Compute the principal square roots of square matrices; NaN for real ones without one.\n\n"
    "Deadman, Higham, Ralha: Blocked Schur Algorithms for Computing the Matrix Square Root "
    "(2013).",
    node_name="MatrixSquareRoot", extra="special",
)  # fmt: skip
sqrtm = matrix_square_root

logm = _definition(
    "logm", "input", _by_scipy("logm"), _same_square("logm"),
    lambda: [case(c.inputs[0].astype(np.complex64)) for c in _regular()],
    "Compute the principal logarithms of square complex matrices.\n\n"
    "SciPy: Al-Mohy and Higham: Improved "
    "Inverse Scaling and Squaring Algorithms for the Matrix Logarithm (2012).", dtype_kinds="c",
    node_name="MatrixLogarithm",
    extra="special",
)  # fmt: skip


# -- determinants -----------------------------------------------------------------------------


def _slogdet_infer(x: TensorSpec) -> Any:
    dims = _dims("slogdet", x)
    batch = None if dims is None else dims[:-2]
    return TensorSpec(batch, x.dtype), TensorSpec(batch, x.dtype)


def _slogdet(x: Array) -> Any:
    sign, size = np.linalg.slogdet(x)
    return np.asarray(sign, x.dtype), np.asarray(size).astype(x.dtype)


slogdet_op = _definition(
    "slogdet", "input", _slogdet, _slogdet_infer, _regular,
    "Compute (sign, log_abs_determinant) of square matrices.", node_name="LogMatrixDeterminant",
)  # fmt: skip


class LogMatrixDeterminant(NamedTuple):
    """What ``slogdet`` gives."""

    sign: Any
    log_abs_determinant: Any


def slogdet(input: TensorLike, name: str | None = None) -> Any:
    """Compute signs and logarithms of determinants: ``det(input) == sign *
    exp(log_abs_determinant)``.

    Args:
        input: tensor of shape (..., N, N) and of a floating or complex dtype.
    Returns:
        (sign, log_abs_determinant): tensors of the batch's shape and of the dtype of ``input``.
    Raises:
        InvalidArgumentError: the matrices are not square (also a ValueError), or the dtype is
            another one (also a TypeError).
    """
    return LogMatrixDeterminant(*slogdet_op(input, name=name))


def logdet(matrix: TensorLike, name: str | None = None) -> Any:
    """Compute the logarithms of the determinants of positive definite matrices.

    Args:
        matrix: tensor of shape (..., N, N) and of a floating or complex dtype, symmetric or
            Hermitian.
    Returns:
        Tensor of the batch's shape, real.
    Raises:
        InvalidArgumentError: a matrix is not positive definite, or not square (also a ValueError).
    """
    halves = elementwise_log(real(diag_part_op(cholesky(matrix), k=0)))
    return elementwise.multiply(reduction.reduce_sum(halves, -1), 2, name=name)


# -- LU and triangles -------------------------------------------------------------------------


def _lu(x: Array, *, output_idx_type: Any) -> Any:
    """By LAPACK's ``getrf``, whose pivots are the swaps of rows one after the other."""
    lapack = require("scipy.linalg.lapack", extra="special", for_="lu")
    wide = x.astype(np.float32) if x.dtype == np.float16 else x
    (getrf,) = lapack.get_lapack_funcs(("getrf",), (wide,))
    result, order = np.empty_like(x), np.empty(x.shape[:-1], output_idx_type.as_numpy_dtype)
    for at in np.ndindex(x.shape[:-2]) if x.shape[-1] else ():
        result[at], pivots, info = getrf(wide[at])
        if info > 0:
            raise InvalidArgumentError("lu: Input is not invertible.")
        rows = np.arange(x.shape[-1])
        for k, pivot in enumerate(pivots):
            rows[[k, pivot]] = rows[[pivot, k]]
        order[at] = rows
    return result, order


def _lu_infer(x: TensorSpec, *, output_idx_type: Any) -> Any:
    dims = _dims("lu", x)
    return same(x), TensorSpec(None if dims is None else dims[:-1], output_idx_type)


lu_op = _definition(
    "lu", "input", _lu, _lu_infer,
    lambda: [OpSample(c.inputs, {"output_idx_type": int32}) for c in _regular()],
    "Compute (lu, p): the triangular factors in one matrix, and the permutation of the rows.",
    extra="special",
)  # fmt: skip


class Lu(NamedTuple):
    """What ``lu`` gives."""

    lu: Any
    p: Any


def lu(input: TensorLike, output_idx_type: DTypeLike = int32, name: str | None = None) -> Any:
    """Compute LU decompositions with partial pivoting: ``L @ U == input[p]``.

    Args:
        input: tensor of shape (..., N, N) and of a floating or complex dtype.
        output_idx_type: dtype of p, int32 or int64.
    Returns:
        (lu, p): lu has the shape and dtype of ``input`` and holds both factors, without L's
        diagonal of ones; p has shape (..., N).
    Raises:
        InvalidArgumentError: the matrices are not square (also a ValueError), or singular.
        ModuleNotFoundError: SciPy, of the extra ``special``, is not installed.
    """
    return Lu(*lu_op(input, output_idx_type=as_dtype(output_idx_type), name=name))


def _triangular_solve(matrix: Array, rhs: Array, *, lower: bool, adjoint: bool) -> Any:
    a = np.tril(matrix) if lower else np.triu(matrix)
    if adjoint:
        a = np.conj(np.swapaxes(a, -1, -2))
    if not np.all(np.diagonal(a, 0, -2, -1)):
        raise InvalidArgumentError("triangular_solve: Input matrix is not invertible.")
    return np.linalg.solve(a, rhs).astype(rhs.dtype)


def _solve_infer(matrix: TensorSpec, rhs: TensorSpec, **attrs: Any) -> TensorSpec:
    m, r = _dims("triangular_solve", matrix), _dims("triangular_solve", rhs, square=False)
    if m is None or r is None:
        return TensorSpec(UNKNOWN_SHAPE, rhs.dtype)
    if m[-1] is not None and r[-2] is not None and m[-1] != r[-2]:
        raise IncompatibleShapesError(
            f"triangular_solve: rhs must have as many rows as matrix, got shapes {matrix.shape} "
            f"and {rhs.shape}"
        )
    batch = broadcast_shapes(TensorShape(m[:-2]), TensorShape(r[:-2]))
    return TensorSpec(batch + TensorShape([m[-1] if r[-2] is None else r[-2], r[-1]]), rhs.dtype)


triangular_solve_op = _definition(
    "triangular_solve", "matrix rhs", _triangular_solve, _solve_infer,
    lambda: [
        OpSample(
            (_regular()[0].inputs[0], spread(-1, 1, 2, 3, 2)), {"lower": low, "adjoint": adj}
        )
        for low in (True, False) for adj in (True, False)
    ],
    "Solve ``matrix @ x == rhs`` for triangular matrices.",
)  # fmt: skip


def triangular_solve(matrix: TensorLike, rhs: TensorLike, lower: bool = True, adjoint: bool = False,
                     name: str | None = None) -> Any:  # fmt: skip
    """Solve systems with triangular matrices: ``matrix @ x == rhs``.

    Args:
        matrix: tensor of shape (..., M, M) and of a floating or complex dtype; one triangle is
            read.
        rhs: tensor of shape (..., M, K) and of the same dtype.
        lower: whether the lower triangle is read, or the upper one.
        adjoint: whether to solve with the adjoint of ``matrix``.
    Returns:
        Tensor of shape (..., M, K) and of the inputs' dtype.
    Raises:
        InvalidArgumentError: the shapes do not fit (also a ValueError), the dtypes differ (also a
            TypeError), or a matrix is singular.
    """
    attrs = {"lower": bool(lower), "adjoint": bool(adjoint)}
    return triangular_solve_op(matrix, rhs, name=name, **attrs)


def cholesky_solve(chol: TensorLike, rhs: TensorLike, name: str | None = None) -> Any:
    """Solve systems with positive definite matrices, given their Cholesky decompositions.

    Args:
        chol: tensor of shape (..., M, M): ``cholesky(A)``.
        rhs: tensor of shape (..., M, K) and of the dtype of ``chol``.
    Returns:
        Tensor x of shape (..., M, K), with ``A @ x == rhs``.
    Raises:
        InvalidArgumentError: the shapes do not fit (also a ValueError), or the dtypes differ (also
            a TypeError).
    """
    return triangular_solve(chol, triangular_solve(chol, rhs), adjoint=True, name=name)


# -- least squares ----------------------------------------------------------------------------


def lstsq(matrix: TensorLike, rhs: TensorLike, l2_regularizer: TensorLike = 0.0, fast: bool = True,
          name: str | None = None) -> Any:  # fmt: skip
    """Solve linear least-squares problems: minimise ``|matrix @ x - rhs|^2 + l2_regularizer *
    |x|^2``.

    By pseudo-inverses: among several solutions it is the one of least norm.

    Args:
        matrix: tensor of shape (..., M, N) and of a floating or complex dtype.
        rhs: tensor of shape (..., M, K) and of the same dtype.
        l2_regularizer: number of 0 or more.
        fast: ignored.
    Returns:
        Tensor x of shape (..., N, K) and of the inputs' dtype.
    Raises:
        ValueError: ``l2_regularizer`` is given and N is unknown; the shapes do not fit (also an
            InvalidArgumentError).
        InvalidArgumentError: the dtypes differ (also a TypeError).
    """
    matrix, rhs = dispatch.convert(matrix), dispatch.convert(rhs)
    if not (isinstance(l2_regularizer, int | float) and l2_regularizer == 0):
        turned = adjoint_of(matrix)
        dims = _dims("lstsq", TensorSpec(matrix.shape, matrix.dtype), square=False)
        if dims is None or dims[-1] is None:
            raise ValueError("lstsq: l2_regularizer needs a known number of columns")
        eye = np.eye(dims[-1], dtype=matrix.dtype.as_numpy_dtype)
        normal = matmul(turned, matrix) + eye * cast(l2_regularizer, matrix.dtype)
        return matmul(pinv(normal), matmul(turned, rhs), name=name)
    return matmul(pinv(matrix), rhs, name=name)


def normalize(tensor: TensorLike, ord: Any = "euclidean", axis: AxisLike | None = None,
              name: str | None = None) -> tuple[Any, Any]:  # fmt: skip
    """Divide a tensor by its norm.

    Args:
        tensor: tensor of a floating or complex dtype.
        ord: norm, as in ``linalg.norm``.
        axis: axis or axes of the vectors or matrices; None for all elements.
    Returns:
        (normalized, norm): tensors of the dtype of ``tensor``; the norm keeps the axes with size 1.
    Raises:
        ValueError: ``ord`` is not supported.
        InvalidArgumentError: the dtype is another one (also a TypeError), or an axis is out of
            range (also a ValueError).
    """
    x = dispatch.convert(tensor)
    length = cast(norm(x, ord, axis, keepdims=True), x.dtype)
    return elementwise.truediv(x, length, name=name), length
