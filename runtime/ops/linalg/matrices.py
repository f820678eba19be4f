"""Op definitions on matrices: diagonals, triangles, inverse, determinant, decompositions, norms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.ops import dispatch
from runtime.ops.array import creation
from runtime.ops.array.concat_split import concat
from runtime.ops.array.shape import expand_dims, rank, squeeze, transpose
from runtime.ops.docstrings import MATRICES, NOT_SQUARE, gives
from runtime.ops.math import elementwise, reduction
from runtime.ops.op import NUMERIC, OpDef, define, lookup
from runtime.ops.rules import elements, loops
from runtime.ops.rules.inference import broadcast_shapes, same, scalar_value
from runtime.ops.rules.kernels import checked
from runtime.ops.rules.lazy_gradient import holomorphic, lazy_gradient
from runtime.ops.rules.lowering import Composes, OnArrays
from runtime.ops.rules.samples import OpSample, array, case, spread
from runtime.ops.rules.static_arguments import static_axis
from runtime.types.aliases import AxisLike, TensorLike
from runtime.types.dtypes import Array
from runtime.types.errors import (
    IncompatibleShapesError,
    InvalidArgumentError,
    MismatchedTypesError,
)
from runtime.types.shapes import UNKNOWN_SHAPE, TensorShape, TensorSpec

__all__ = ["norm"]


def _diag(diagonal: Array, *, k: int) -> Any:
    if not diagonal.ndim:
        raise IncompatibleShapesError("diag: diagonal must have rank 1 or more, got a scalar")
    size = diagonal.shape[-1] + abs(k)
    result = np.zeros((*diagonal.shape[:-1], size, size), diagonal.dtype)
    at = np.arange(diagonal.shape[-1])
    result[..., at + max(-k, 0), at + max(k, 0)] = diagonal
    return result


def _diag_infer(diagonal: TensorSpec, *, k: int) -> TensorSpec:
    dims = diagonal.shape.dims
    if dims is None:
        return TensorSpec(UNKNOWN_SHAPE, diagonal.dtype)
    if not dims:
        raise IncompatibleShapesError("diag: diagonal must have rank 1 or more, got a scalar")
    size = None if dims[-1] is None else dims[-1] + abs(k)
    return TensorSpec((*dims[:-1], size, size), diagonal.dtype)


diag_op = define(
    "diag",
    grad=lazy_gradient("matrices.diag"),
    inputs="diagonal", kernel=_diag, infer=_diag_infer, dtype_kinds=NUMERIC + "b",
    node_name="MatrixDiag", lower=OnArrays(element=elements.diagonal_matrix),
    samples=lambda: [case([1, 2], k=0), case(spread(0, 1, 2, 3), k=-1)],
    doc="Make matrices of zeros around a diagonal.",
)  # fmt: skip


def _matrix_dims(caller: str, dims: Any) -> None:
    if len(dims) < 2:
        raise IncompatibleShapesError(
            f"{caller}: the input must hold matrices (rank 2 or more), got shape "
            f"{TensorShape(dims)}"
        )


def _diag_part(x: Array, *, k: int) -> Any:
    _matrix_dims("diag_part", x.shape)
    rows, columns = x.shape[-2:]
    # beyond the matrix there is nothing, wherever: NumPy reads there when k is -2 ** 31
    return np.diagonal(x, max(-rows, min(columns, k)), -2, -1)


def _diag_part_infer(x: TensorSpec, *, k: int) -> TensorSpec:
    dims = x.shape.dims
    if dims is None:
        return TensorSpec(UNKNOWN_SHAPE, x.dtype)
    _matrix_dims("diag_part", dims)
    rows, columns = dims[-2:]
    size = None
    if rows is not None and columns is not None:
        size = max(0, min(rows + min(k, 0), columns - max(k, 0)))
    return TensorSpec((*dims[:-2], size), x.dtype)


diag_part_op = define(
    "diag_part",
    grad=lazy_gradient("matrices.diag_part"),
    inputs="input", kernel=_diag_part, infer=_diag_part_infer, node_name="MatrixDiagPart",
    overloads=(np.diagonal,), lower=OnArrays(element=elements.diagonal),
    samples=lambda: [OpSample((spread(0, 1, 2, 3, 4),), {"k": k}) for k in (0, 2, -1, 9)],
    doc="Extract the diagonals of matrices.",
)  # fmt: skip


def trace(x: TensorLike, name: str | None = None) -> Any:
    """Compute the sums of the main diagonals of matrices.

    Args:
        x: tensor of shape (..., M, N) and of a numeric dtype.
    Returns:
        Tensor of the batch's shape and of the dtype of ``x``.
    Raises:
        InvalidArgumentError: the rank is less than 2 (also a ValueError), or the dtype is another
            one (also a TypeError).
    """
    return reduction.reduce_sum(diag_part_op(x, k=0), [-1], name=name)


def _band_part(x: Array, lower: Array, upper: Array) -> Any:
    _matrix_dims("band_part", x.shape)
    rows, columns = np.indices(x.shape[-2:], sparse=True)
    keep = ((lower < 0) | (rows - columns <= lower)) & ((upper < 0) | (columns - rows <= upper))
    return np.where(keep, x, x.dtype.type(0))


def _band_infer(x: TensorSpec, lower: TensorSpec, upper: TensorSpec) -> TensorSpec:
    if x.shape.dims is not None:
        _matrix_dims("band_part", x.shape.dims)
    scalar_value(lower, "band_part: num_lower")
    scalar_value(upper, "band_part: num_upper")
    return same(x)


band_part = define(
    "band_part",
    grad=lazy_gradient("matrices.band_part"),
    inputs="input num_lower num_upper", same_dtype_inputs=slice(0, 1),
    kernel=checked(_band_part, _band_infer),
    infer=_band_infer, dtype_kinds=NUMERIC + "b", node_name="MatrixBandPart",
    overloads=(np.tril, np.triu), lower=OnArrays(element=elements.band),
    samples=lambda: [case(spread(0, 1, 2, 3, 4), 1, 0), case([[1, 2], [3, 4]], -1, 0)],
    doc="""Set the elements of matrices outside of a band of diagonals to zero.

Args:
    input: tensor of a numeric or bool dtype, of shape (..., M, N).
    num_lower: number of diagonals kept below the main one, an integer scalar; -1 for all.
    num_upper: number of diagonals kept above the main one, an integer scalar; -1 for all.
Returns:
    Tensor of the shape and dtype of ``input``.
Raises:
    InvalidArgumentError: ``input`` has another dtype (also a TypeError) or a rank below 2 (also a
        ValueError).
""",
)  # fmt: skip


def _square(caller: str, dims: Any) -> None:
    _matrix_dims(caller, dims)
    if dims[-1] != dims[-2] and None not in dims[-2:]:
        raise IncompatibleShapesError(
            f"{caller}: the matrices must be square, got shape {TensorShape(dims)}"
        )


def _numeric(caller: str, function: Callable[..., Any], remedy: str) -> Callable[..., Any]:
    """A kernel from a function of numpy.linalg, whose complaints become ours."""

    def kernel(x: Array, *arrays: Array, **attrs: Any) -> Any:
        _square(caller, x.shape)
        try:
            return function(x, *arrays, **attrs)
        except np.linalg.LinAlgError as error:
            raise InvalidArgumentError(f"{caller}: {remedy} ({error})") from None

    return kernel


def _square_infer(caller: str) -> Callable[..., TensorSpec]:
    @gives("Tensor of the shape and dtype of ``{x}``.", NOT_SQUARE, MATRICES)
    def infer(x: TensorSpec) -> TensorSpec:
        if x.shape.dims is not None:
            _square(caller, x.shape.dims)
        return same(x)

    return infer


def _regular() -> list[OpSample]:
    base = spread(-1, 1, 2, 3, 3) + 3 * np.eye(3, dtype=np.float32)
    pair = spread(-1, 1, 4, 2, 2) + 2 * np.eye(2, dtype=np.float32)
    return [case(pair), case(base), case(base[0].astype(np.float64)), case(array([[2.0]]))]


def _of_matrix(name: str, function: Any, node_name: str, doc: str, remedy: str, samples: Any,
               infer: Any = None, fails: str = "") -> OpDef:  # fmt: skip
    plan = None if name == "det" else loops.decomposition(name)  # NumPy's is a sum of logarithms
    return define(
        name, inputs="input", kernel=_numeric(name, function, remedy),
        infer=infer or _square_infer(name), dtype_kinds="fc", node_name=node_name,
        grad=lazy_gradient("matrices.cholesky") if name == "cholesky" else
        holomorphic(lazy_gradient(f"matrices.{name}")),
        overloads=(function,) if callable(function) else (), samples=samples, doc=doc, fails=fails,
        lower=Composes(f"linalg.{name}", plan=plan),
    )  # fmt: skip


@gives("Tensor of the batch's shape and of the dtype of ``{x}``.", NOT_SQUARE, MATRICES)
def _det_infer(x: TensorSpec) -> TensorSpec:
    if x.shape.dims is not None:
        _square("det", x.shape.dims)
        return TensorSpec(x.shape.dims[:-2], x.dtype)
    return TensorSpec(UNKNOWN_SHAPE, x.dtype)


def _definite() -> list[OpSample]:
    return [case(np.matmul(c.inputs[0], np.swapaxes(c.inputs[0], -1, -2))) for c in _regular()]


det = _of_matrix(
    "det", np.linalg.det, "MatrixDeterminant", "Compute the determinants of square matrices.",
    "no determinant", _regular, _det_infer,
)  # fmt: skip
inv_op = _of_matrix(
    "inv", np.linalg.inv, "MatrixInverse", "Compute the inverses of square matrices.",
    "Input is not invertible", _regular, fails="a matrix is singular",
)  # fmt: skip
cholesky = _of_matrix(
    "cholesky", np.linalg.cholesky, "Cholesky",
    "Compute lower triangular matrices L with ``L @ adjoint(L) == input``.",
    "Cholesky decomposition was not successful. The input might not be valid", _definite,
    fails="a matrix is not positive definite",
)  # fmt: skip


def inv(input: TensorLike, adjoint: bool = False, name: str | None = None) -> Any:
    """Compute the inverses of square matrices.

    Args:
        input: tensor of shape (..., N, N) and of a floating or complex dtype.
        adjoint: whether to return the adjoints of the inverses.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        InvalidArgumentError: a matrix is singular, or not square (also a ValueError), or the dtype
            is another one (also a TypeError).
    """
    result = inv_op(input, name=name)
    return adjoint_of(result) if adjoint else result


def _solve(matrix: Array, rhs: Array) -> Any:
    if rhs.ndim < 2 or matrix.shape[-1] != rhs.shape[-2]:
        raise IncompatibleShapesError(
            f"solve: rhs must be matrices with as many rows as matrix, got shapes "
            f"{list(matrix.shape)} and {list(rhs.shape)}"
        )
    return np.linalg.solve(matrix, rhs)


def _solve_infer(matrix: TensorSpec, rhs: TensorSpec) -> TensorSpec:
    m, r = matrix.shape.dims, rhs.shape.dims
    if m is None or r is None:
        return TensorSpec(UNKNOWN_SHAPE, rhs.dtype)
    _square("solve", m)
    if len(r) < 2 or (m[-1] is not None and r[-2] is not None and m[-1] != r[-2]):
        raise IncompatibleShapesError(
            f"solve: rhs must be matrices with as many rows as matrix, got shapes "
            f"{matrix.shape} and {rhs.shape}"
        )
    batch = broadcast_shapes(TensorShape(m[:-2]), TensorShape(r[:-2]))
    return TensorSpec(batch + TensorShape([m[-1] if r[-2] is None else r[-2], r[-1]]), rhs.dtype)


solve_op = define(
    "solve",
    grad=holomorphic(lazy_gradient("matrices.solve")),
    inputs="matrix rhs",
    kernel=_numeric("solve", _solve, "Input matrix is not invertible"), infer=_solve_infer,
    dtype_kinds="fc", node_name="MatrixSolve", overloads=(np.linalg.solve,),
    samples=lambda: [case(_regular()[0].inputs[0], spread(-1, 1, 4, 2, 3)),
                     case(_regular()[1].inputs[0], spread(-1, 1, 2, 3, 2)),
                     case([[2.0]], [[3.0, 4.0]])],
    lower=Composes("linalg.solve", plan=loops.decomposition("solve")),
    doc="Solve ``matrix @ x == rhs``.",
)  # fmt: skip


def solve(
    matrix: TensorLike, rhs: TensorLike, adjoint: bool = False, name: str | None = None
) -> Any:
    """Solve systems of linear equations: ``matrix @ x == rhs``.

    Args:
        matrix: tensor of shape (..., M, M) and of a floating or complex dtype.
        rhs: tensor of shape (..., M, K) and of the same dtype.
        adjoint: whether to solve with the adjoint of ``matrix``.
    Returns:
        Tensor x of shape (..., M, K) and of the inputs' dtype.
    Raises:
        InvalidArgumentError: a matrix is singular, the shapes do not fit (also a ValueError), or
            the dtypes differ (also a TypeError).
    """
    return solve_op(adjoint_of(matrix) if adjoint else matrix, rhs, name=name)


def adjoint_of(matrix: TensorLike, name: str | None = None) -> Any:
    """Transpose and conjugate matrices.

    Args:
        matrix: tensor of shape (..., M, N) and of any dtype.
    Returns:
        Tensor of shape (..., N, M) and of the dtype of ``matrix``.
    Raises:
        InvalidArgumentError: the rank is less than 2 (also a ValueError).
    """
    return matrix_transpose(matrix, name or "adjoint", conjugate=True)


def matrix_transpose(
    a: TensorLike, name: str = "matrix_transpose", conjugate: bool = False
) -> Any:
    """Transpose matrices, the last two axes.

    Args:
        a: tensor of shape (..., M, N) and of any dtype.
        conjugate: whether to conjugate the elements, too.
    Returns:
        Tensor of shape (..., N, M) and of the dtype of ``a``.
    Raises:
        InvalidArgumentError: the rank is less than 2 (also a ValueError).
    """
    a = dispatch.convert(a)
    if a.shape.dims is None:
        count = rank(a)
        order: Any = concat([creation.range(count - 2), [count - 1, count - 2]], 0)
    else:
        _matrix_dims("matrix_transpose", a.shape.dims)
        places = len(a.shape)
        order = [*range(places - 2), places - 1, places - 2]
    return transpose(a, order, conjugate=conjugate, name=name)


def _cross(a: Array, b: Array) -> Any:
    _check_cross(a.shape, b.shape)
    return np.cross(a, b)


def _check_cross(a: Any, b: Any) -> None:
    fits = TensorShape(a).is_compatible_with(b)
    if not fits or a is not None and (not len(a) or a[-1] not in (3, None)):
        raise IncompatibleShapesError(
            f"cross: both inputs must have one shape that ends in 3, got {TensorShape(a)} and "
            f"{TensorShape(b)}"
        )


@gives(
    "Tensor of the shape and dtype of ``{x}``.",
    "the shapes differ or do not end in 3 (also a ValueError)", "(..., 3)",
)  # fmt: skip
def _cross_infer(a: TensorSpec, b: TensorSpec) -> TensorSpec:
    _check_cross(a.shape.dims, b.shape.dims)
    return TensorSpec(a.shape.merge_with(b.shape), a.dtype)


cross = define(
    "cross",
    grad=lazy_gradient("matrices.cross"),
    inputs="a b", kernel=_cross, infer=_cross_infer, dtype_kinds="iuf", node_name="Cross",
    overloads=(np.cross,), samples=lambda: [case([1, 0, 0], [0, 1, 0]),
                                         case(spread(-1, 1, 2, 3), spread(-2, 1, 2, 3))],
    doc="Compute the cross products of vectors of three elements, the last axis.",
)  # fmt: skip


def _checked_order(ord: Any, axes: tuple[int, ...] | None) -> bool:
    """Whether the norm is one of matrices; ValueError when there is no such norm."""
    matrix = axes is not None and len(axes) == 2
    if axes is not None and len(axes) not in (1, 2):
        raise ValueError(f"norm: axis must be None, a number, or a list of 1 or 2, got {axes}")
    number = isinstance(ord, int | float | np.number) and not isinstance(ord, bool)
    named = ("euclidean", "fro") if matrix else ("euclidean",)
    if not (ord in named if isinstance(ord, str) else number and ord > 0):
        raise ValueError(f"norm: ord {ord!r} is not supported for axis {axes}; expected a number "
                         f"above 0 or one of {', '.join(named)}")  # fmt: skip
    if matrix and number and ord not in (1, 2, np.inf):
        raise ValueError(f"norm: ord of matrices must be 'euclidean', 1, 2 or inf, got {ord!r}")
    return matrix


def _matrix_norm(x: Any, ord: float, axes: tuple[int, ...]) -> Any:
    """The norm along two axes, which stay, with size 1: of columns, of rows, or spectral."""
    if ord == 2:
        places = len(x.shape) if x.shape.dims is not None else None
        if places is None:
            raise ValueError("norm: ord 2 of matrices needs a tensor of known rank")
        first, second = (a % places for a in axes)
        order = [a for a in range(places) if a not in (first, second)] + [first, second]
        size = reduction.reduce_max(lookup("svd")(transpose(x, order), full_matrices=False,
                                                  compute_uv=False), -1)  # fmt: skip
        for axis in sorted((first, second)):
            size = expand_dims(size, axis)
        return size
    summed, greatest = axes if ord == 1 else axes[::-1]
    sums = reduction.reduce_sum(elementwise.abs(x), summed, keepdims=True)
    return reduction.reduce_max(sums, greatest, keepdims=True)


def norm(tensor: TensorLike, ord: Any = "euclidean", axis: AxisLike | None = None,
         keepdims: bool = False, name: str | None = None) -> Any:  # fmt: skip
    """Compute norms of vectors or matrices.

    Args:
        tensor: tensor of a floating or complex dtype.
        ord: of vectors 'euclidean', inf or a number p > 0; of matrices 'euclidean' or 'fro', 1, 2
            or inf.
        axis: axis of the vectors, or the two axes of the matrices; None for all elements, as one
            vector.
        keepdims: whether to keep the axes with size 1.
    Returns:
        Tensor without the axes, of the dtype of ``tensor``; of complex numbers 'euclidean' norms of
        them are complex and others real.
    Raises:
        ValueError: ``ord`` is not supported.
        InvalidArgumentError: the dtype is another one (also a TypeError), or an axis is out of
            range (also a ValueError).
    """
    x = dispatch.convert(tensor)
    over = static_axis(axis)
    axes = (over,) if isinstance(over, int) else over
    matrix = _checked_order(ord, axes)
    if x.dtype.is_integer or x.dtype.is_bool:
        raise MismatchedTypesError(
            f"norm does not take dtype {x.dtype.name}: use runtime.cast(x, runtime.float32)"
        )
    if isinstance(ord, str) or (ord == 2 and not matrix):
        return reduction.reduce_euclidean_norm(x, over, keepdims, name=name)
    if matrix and axes is not None:
        norms = _matrix_norm(x, ord, axes)
        return norms if keepdims else squeeze(norms, axes, name=name)
    size = elementwise.abs(x)
    if ord == np.inf:
        return reduction.reduce_max(size, over, keepdims, name=name)
    if ord == 1:
        return reduction.reduce_sum(size, over, keepdims, name=name)
    powers = reduction.reduce_sum(elementwise.pow(size, float(ord)), over, keepdims)
    return elementwise.pow(powers, 1.0 / ord, name=name)


def _qr(x: Array, *, full_matrices: bool) -> Any:
    _matrix_dims("qr", x.shape)
    return tuple(np.linalg.qr(x, "complete" if full_matrices else "reduced"))


def _qr_infer(x: TensorSpec, *, full_matrices: bool) -> Any:
    dims = x.shape.dims
    if dims is None:
        return (TensorSpec(UNKNOWN_SHAPE, x.dtype),) * 2
    _matrix_dims("qr", dims)
    rows, columns = dims[-2:]
    inner = rows if full_matrices else None
    if not full_matrices and rows is not None and columns is not None:
        inner = min(rows, columns)
    q, r = (*dims[:-2], rows, inner), (*dims[:-2], inner, columns)
    return TensorSpec(q, x.dtype), TensorSpec(r, x.dtype)


qr_op = define(
    "qr",
    grad=lazy_gradient("matrices.qr"),
    inputs="input", kernel=_qr, infer=_qr_infer, dtype_kinds="fc", node_name="Qr",
    overloads=(np.linalg.qr,),
    samples=lambda: [
        case(x, full_matrices=full)
        for x in (spread(-1, 1, 3, 2), spread(-1, 1, 2, 3), _regular()[1].inputs[0])
        for full in (True, False)
    ],
    doc="Matrices as products of an orthogonal and an upper triangular one.",
)  # fmt: skip


class Qr(NamedTuple):
    """What ``qr`` gives."""

    q: Any
    r: Any


def qr(input: TensorLike, full_matrices: bool = False, name: str | None = None) -> Qr:
    """Compute QR decompositions: ``q @ r == input``.

    LAPACK's geqrf computes them, by Householder reflections: Anderson et al., LAPACK Users' Guide
    (1999).

    Args:
        input: tensor of shape (..., M, N) and of a floating or complex dtype.
        full_matrices: whether q is square; otherwise it has P = min(M, N) columns.
    Returns:
        (q, r): q of shape (..., M, P) has orthonormal columns; r of shape (..., P, N) is upper
        triangular.
    Raises:
        InvalidArgumentError: the rank is less than 2 (also a ValueError), or the dtype is another
            one (also a TypeError).
    """
    return Qr(*qr_op(input, full_matrices=bool(full_matrices), name=name))


@gives(
    "(e, v): tensors of shape (..., N), real, and (..., N, N) of the dtype of ``{x}``; column i of "
    "v belongs to e[i].", NOT_SQUARE, MATRICES,
)  # fmt: skip
def _eigh_infer(x: TensorSpec) -> Any:
    dims = x.shape.dims
    if dims is None:
        return TensorSpec(None, x.dtype.real_dtype), TensorSpec(None, x.dtype)
    _square("eigh", dims)
    return TensorSpec(dims[:-1], x.dtype.real_dtype), same(x)


eigh = define(
    "eigh",
    grad=lazy_gradient("matrices.eigh"),
    inputs="tensor", infer=_eigh_infer, dtype_kinds="fc", node_name="SelfAdjointEigV2",
    kernel=_numeric("eigh", lambda x: tuple(np.linalg.eigh(x)), "it did not converge"),
    overloads=(np.linalg.eigh,), samples=_definite,
    lower=OnArrays(plan=loops.decomposition("eigh")),
    doc="Compute the eigenvalues, ascending, and eigenvectors of symmetric or Hermitian matrices.",
)  # fmt: skip
