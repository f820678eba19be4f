"""Products and linear algebra of ``keras.ops``."""

from __future__ import annotations

from typing import Any

from runtime.keras.ops.promotion import as_float, promoted
from runtime.keras.ops.shapes import rank_of, ravel
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.docstrings import documented
from runtime.ops.linalg import decompositions, matrices, products
from runtime.ops.numpy_functions import matrix_product
from runtime.types.errors import InvalidArgumentError

_M = "tensor of shape [..., n, n]"


def _number(x: Any) -> bool:
    return rank_of(x) == 0


def _differ(one: int | None, other: int | None, tensor: Any) -> bool:
    """Return whether two sizes differ; an unknown one does in functional models, as in Keras."""
    from runtime.keras.functional.functional_graph import is_functional

    return one != other and (is_functional(tensor) or None not in (one, other))


def _square(x: Any) -> Any:
    """Convert to floating matrices; ValueError for such as are not square."""
    x = as_float(x)
    rows, columns = x.shape[-2], x.shape[-1]
    if _differ(rows, columns, x):
        raise ValueError(f"Expected a square matrix. Received an input with shape {x.shape}")
    return x


def _equations(a: Any, b: Any) -> tuple[Any, Any]:
    """Convert to square matrices and right sides, with as many rows; ValueError for others."""
    one, other = promoted(a, b)
    one, other = _square(one), as_float(other)
    if rank_of(other) == 0:
        raise ValueError(f"`b` must have at least one axis. Received: b.shape={other.shape}")
    rows = other.shape[-1] if rank_of(other) == rank_of(one) - 1 else other.shape[-2]
    size = one.shape[-1]
    if _differ(rows, size, other):
        raise ValueError(
            f"Incompatible shapes between `a` {tuple(one.shape)} and `b` {tuple(other.shape)}"
        )
    return one, other


@documented("Tensor", x1="tensor", x2="tensor")
def matmul(x1: Any, x2: Any) -> Any:
    """Multiply matrices, of batches too; vectors as NumPy takes them."""
    left, right = promoted(x1, x2)
    rank_of(left), rank_of(right)
    return matrix_product(left, right)


@documented("Tensor", x1="tensor", x2="tensor")
def dot(x1: Any, x2: Any) -> Any:
    """Add products of the last axis of one with the second to last of the other, as NumPy does."""
    one, other = promoted(x1, x2)
    if _number(one) or _number(other):
        return one * other
    last = rank_of(other) - 2 if rank_of(other) > 1 else 0
    return products.tensordot(one, other, [[rank_of(one) - 1], [last]])


@documented("Tensor", x1="tensor", x2="tensor", axes="number of axes, or two lists of them")
def tensordot(x1: Any, x2: Any, axes: Any = 2) -> Any:
    """Add products along axes."""
    one, other = promoted(x1, x2)
    return products.tensordot(one, other, axes)


@documented("Tensor", subscripts="letters of the axes, as in 'ij,jk->ik'", operands="tensors")
def einsum(subscripts: str, *operands: Any) -> Any:
    """Add products along axes that letters name."""
    return products.einsum(subscripts, *promoted(*operands))


@documented("Matrix", x1="tensor", x2="tensor")
def outer(x1: Any, x2: Any) -> Any:
    """Multiply each element with each."""
    one, other = promoted(x1, x2)
    return ravel(one)[:, None] * ravel(other)[None, :]


@documented("Tensor", x1="tensor", x2="tensor")
def inner(x1: Any, x2: Any) -> Any:
    """Add products along the last axes."""
    one, other = promoted(x1, x2)
    if _number(one) or _number(other):
        return one * other
    return products.tensordot(one, other, [[rank_of(one) - 1], [rank_of(other) - 1]])


@documented("Tensor", x="vector or matrix", k="diagonal")
def diag(x: Any, k: int = 0) -> Any:
    """Make a matrix of a diagonal, or return the diagonal of a matrix."""
    x = convert_to_tensor(x)
    if rank_of(x) == 1:
        return matrices.diag_op(x, k=k)
    return matrices.diag_part_op(x, k=k)


@documented("Matrix, lower triangular", raises="ValueError: ``x`` is not positive definite", x=_M,
            upper="whether the upper triangle is returned")  # fmt: skip
def cholesky(x: Any, upper: bool = False) -> Any:
    """Compute the Cholesky decomposition."""
    try:
        lower = matrices.cholesky(_square(x))
    except InvalidArgumentError as error:
        raise ValueError(f"Cholesky failed: {error}") from error
    return matrices.matrix_transpose(lower) if upper else lower


@documented("Tensor of shape [...]", x=_M)
def det(x: Any) -> Any:
    """Compute determinants."""
    return matrices.det(_square(x))


@documented("Tensor of the shape of ``x``", x=_M)
def inv(x: Any) -> Any:
    """Invert matrices."""
    return matrices.inv(_square(x))


@documented("Tensor of the shape of ``b``", a=_M, b="tensor of shape [..., n] or [..., n, k]")
def solve(a: Any, b: Any) -> Any:
    """Solve linear equations."""
    one, other = _equations(a, b)
    if rank_of(other) == rank_of(one) - 1:
        return matrices.solve(one, other[..., None])[..., 0]
    return matrices.solve(one, other)


@documented("Tensor of the shape of ``b``", a=_M, b="right sides",
            lower="whether the lower triangle is taken")  # fmt: skip
def solve_triangular(a: Any, b: Any, lower: bool = False) -> Any:
    """Solve linear equations of triangular matrices."""
    one, other = _equations(a, b)
    if rank_of(other) == rank_of(one) - 1:
        return decompositions.triangular_solve(one, other[..., None], lower)[..., 0]
    return decompositions.triangular_solve(one, other, lower)


@documented("Pair of tensors: q and r", "ValueError: for another mode",
            x="tensor of shape [..., m, n]", mode="'reduced' or 'complete'")  # fmt: skip
def qr(x: Any, mode: str = "reduced") -> Any:
    """Compute the QR decomposition."""
    if mode not in ("reduced", "complete"):
        raise ValueError(
            "`mode` argument value not supported. Expected one of {'reduced', 'complete'}. "
            f"Received: mode={mode}"
        )
    return tuple(matrices.qr(as_float(x), full_matrices=mode == "complete"))


@documented("Tensors u, s and vh, or s alone", x="tensor of shape [..., m, n]",
            full_matrices="whether u and vh are square", compute_uv="whether to compute them")
def svd(x: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    """Compute the singular value decomposition."""
    found = decompositions.svd(as_float(x), full_matrices=full_matrices, compute_uv=compute_uv)
    if not compute_uv:
        return found
    s, u, v = found
    return u, s, matrices.matrix_transpose(v)


@documented("Pair of tensors: eigenvalues in ascending order, and eigenvectors", x=_M)
def eigh(x: Any) -> Any:
    """Compute eigenvalues and eigenvectors of symmetric matrices."""
    return tuple(matrices.eigh(as_float(x)))
