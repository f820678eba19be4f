"""Products and linear algebra of ``keras.ops``."""

from __future__ import annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any

from runtime.keras.ops.creation import eye
from runtime.keras.ops.promotion import as_float, promoted
from runtime.keras.ops.shapes import broadcast_to, moveaxis, rank_of, ravel
from runtime.ops.array.concat_split import stack
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.shape import expand_dims, reshape, sizes_of
from runtime.ops.array.sorting import invert_permutation
from runtime.ops.array.where import where
from runtime.ops.docstrings import documented
from runtime.ops.linalg import decompositions, matrices, products
from runtime.ops.math import elementwise, reduction
from runtime.ops.numpy_functions import matrix_product
from runtime.types.annexes import explained as _explained
from runtime.types.errors import InvalidArgumentError

_M = "tensor of shape [..., n, n]"


def _number(x: Any) -> bool:
    return rank_of(x) == 0


def _differ(size: int | None, second_size: int | None, tensor: Any) -> bool:
    """Return whether two sizes differ; an unknown one does in functional models, as in Keras."""
    from runtime.keras.functional.functional_graph import is_functional

    return size != second_size and (is_functional(tensor) or None not in (size, second_size))


def _square(x: Any) -> Any:
    """Convert to floating matrices; ValueError for such as are not square."""
    x = as_float(x)
    rows, columns = x.shape[-2], x.shape[-1]
    if _differ(rows, columns, x):
        raise ValueError(f"Expected a square matrix. Received an input with shape {x.shape}")
    return x


def _equations(a: Any, b: Any) -> tuple[Any, Any]:
    """Convert to square matrices and right sides, with as many rows; ValueError for others."""
    matrix, right = promoted(a, b)
    matrix, right = _square(matrix), as_float(right)
    if rank_of(right) == 0:
        raise ValueError(f"`b` must have at least one axis. Received: b.shape={right.shape}")
    rows = right.shape[-1] if rank_of(right) == rank_of(matrix) - 1 else right.shape[-2]
    size = matrix.shape[-1]
    if _differ(rows, size, right):
        raise ValueError(
            f"Incompatible shapes between `a` {tuple(matrix.shape)} and `b` {tuple(right.shape)}"
        )
    return matrix, right


@documented("Tensor", x1="tensor", x2="tensor")
def matmul(x1: Any, x2: Any) -> Any:
    """Multiply matrices, of batches too; vectors as NumPy takes them."""
    first, second = promoted(x1, x2)
    rank_of(first), rank_of(second)
    return matrix_product(first, second)


@documented("Tensor", x1="tensor", x2="tensor")
def dot(x1: Any, x2: Any) -> Any:
    """Add products of the last axis of one with the second to last of the other, as NumPy does."""
    first, second = promoted(x1, x2)
    if _number(first) or _number(second):
        return first * second
    axis = rank_of(second) - 2 if rank_of(second) > 1 else 0
    return products.tensordot(first, second, [[rank_of(first) - 1], [axis]])


@documented("Tensor", x1="tensor", x2="tensor", axes="number of axes, or two lists of them")
def tensordot(x1: Any, x2: Any, axes: Any = 2) -> Any:
    """Add products along axes."""
    first, second = promoted(x1, x2)
    return products.tensordot(first, second, axes)


@documented("Tensor", subscripts="letters of the axes, as in 'ij,jk->ik'", operands="tensors")
def einsum(subscripts: str, *operands: Any) -> Any:
    """Add products along axes that letters name."""
    return products.einsum(subscripts, *promoted(*operands))


@documented("Matrix", x1="tensor", x2="tensor")
def outer(x1: Any, x2: Any) -> Any:
    """Multiply each element with each."""
    first, second = promoted(x1, x2)
    return ravel(first)[:, None] * ravel(second)[None, :]


@documented("Tensor", x1="tensor", x2="tensor")
def inner(x1: Any, x2: Any) -> Any:
    """Add products along the last axes."""
    first, second = promoted(x1, x2)
    if _number(first) or _number(second):
        return first * second
    return products.tensordot(first, second, [[rank_of(first) - 1], [rank_of(second) - 1]])


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
    matrix, right = _equations(a, b)
    if rank_of(right) == rank_of(matrix) - 1:
        return matrices.solve(matrix, right[..., None])[..., 0]
    return matrices.solve(matrix, right)


@documented("Tensor of the shape of ``b``", a=_M, b="right sides",
            lower="whether the lower triangle is taken")  # fmt: skip
def solve_triangular(a: Any, b: Any, lower: bool = False) -> Any:
    """Solve linear equations of triangular matrices."""
    matrix, right = _equations(a, b)
    if rank_of(right) == rank_of(matrix) - 1:
        return decompositions.triangular_solve(matrix, right[..., None], lower)[..., 0]
    return decompositions.triangular_solve(matrix, right, lower)


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
    factors = decompositions.svd(as_float(x), full_matrices=full_matrices, compute_uv=compute_uv)
    if not compute_uv:
        return factors
    s, u, v = factors
    return u, s, matrices.matrix_transpose(v)


@documented("Pair of tensors: eigenvalues in ascending order, and eigenvectors", x=_M)
def eigh(x: Any) -> Any:
    """Compute eigenvalues and eigenvectors of symmetric matrices."""
    return tuple(matrices.eigh(as_float(x)))


@documented("Number", x1="tensor", x2="tensor of as many elements")
def vdot(x1: Any, x2: Any) -> Any:
    """Add products of all elements in a row."""
    first, second = promoted(x1, x2)
    return products.tensordot(ravel(first), ravel(second), 1)


@documented("Tensor", x1="tensor", x2="tensor")
def kron(x1: Any, x2: Any) -> Any:
    """Multiply each element of one tensor with the whole other one: Kronecker's product."""
    first, second = promoted(x1, x2)
    while rank_of(first) < rank_of(second):
        first = expand_dims(first, 0)
    while rank_of(second) < rank_of(first):
        second = expand_dims(second, 0)
    sizes = [a * b for a, b in zip(sizes_of(first), sizes_of(second), strict=True)]
    for axis in range(rank_of(first)):
        first, second = expand_dims(first, 2 * axis + 1), expand_dims(second, 2 * axis)
    return reshape(first * second, sizes)


@documented("Tensor", "ValueError: the vectors have neither 2 nor 3 elements", x1="tensor",
            x2="tensor", axisa="axis of vectors in ``x1``", axisb="axis of vectors in ``x2``",
            axisc="axis of vectors in the result", axis="one axis for all three")  # fmt: skip
def cross(
    x1: Any, x2: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Any:
    """Compute cross products of vectors in space; those of two elements lie in a plane."""
    first, second = promoted(x1, x2)
    axisa, axisb, axisc = (axisa, axisb, axisc) if axis is None else (axis, axis, axis)
    first, second = moveaxis(first, axisa, -1), moveaxis(second, axisb, -1)
    sizes = (first.shape[-1], second.shape[-1])
    if not {2, 3}.issuperset(sizes):
        raise ValueError(
            "`x1`'s dim on `axis` and `x2`'s dim on `axis` must be either 2 or 3. "
            f"Received: {sizes[0]} and {sizes[1]}"
        )
    (a, b), (d, e) = ((v[..., 0], v[..., 1]) for v in (first, second))
    third = a * e - b * d
    if sizes == (2, 2):
        return third
    c = first[..., 2] if sizes[0] == 3 else a * 0
    f = second[..., 2] if sizes[1] == 3 else d * 0
    return moveaxis(stack([b * f - c * e, c * d - a * f, third], -1), -1, axisc)


@documented("Tensor of shape [..., n, m]", x="points of shape [..., n, d]",
            y="points of shape [..., m, d]")  # fmt: skip
def cdist(x: Any, y: Any) -> Any:
    """Compute the distances of each point from each."""
    first, second = (as_float(v) for v in promoted(x, y))
    differences = expand_dims(first, -2) - expand_dims(second, -3)
    squares = reduction.reduce_sum(elementwise.square(differences), -1)
    is_apart = squares > 0.0  # the root has no slope at 0
    roots = elementwise.sqrt(where(is_apart, squares, squares + 1.0))
    return where(is_apart, roots, squares)


@documented("Tensor of shape [..., n, n]", x="triangles of shape [..., n, n]",
            upper="whether they are upper ones")  # fmt: skip
def cholesky_inverse(x: Any, upper: bool = False) -> Any:
    """Invert the matrices of which ``x`` has Cholesky's decomposition."""
    triangle = _square(x)
    size = sizes_of(triangle)[-1]
    one = eye(size, dtype=triangle.dtype)
    lower = matrices.matrix_transpose(triangle) if upper else triangle
    inverse = decompositions.triangular_solve(lower, broadcast_to(one, sizes_of(lower)), True)
    return products.matmul(inverse, inverse, transpose_a=True)


@documented("Pair of complex tensors: eigenvalues and eigenvectors", x=_M)
def eig(x: Any) -> Any:
    """Compute eigenvalues and eigenvectors."""
    return tuple(decompositions.eig(_square(x)))


@documented("Pair of tensors: signs and logarithms of absolute values", x=_M)
def slogdet(x: Any) -> Any:
    """Compute signs and logarithms of determinants."""
    return tuple(decompositions.slogdet(_square(x)))


@documented("Tensor of shape [...]", x=_M)
def logdet(x: Any) -> Any:
    """Compute the logarithms of determinants of positive definite matrices."""
    return decompositions.slogdet(_square(x))[1]


@documented("Tensor of shape [..., n, m]", x="tensor of shape [..., m, n]",
            rcond="singular values below this share of the greatest count as 0")  # fmt: skip
def pinv(x: Any, rcond: Any = None) -> Any:
    """Compute the inverses of Moore and Penrose."""
    return decompositions.pinv(as_float(x), rcond)


@documented("Tensor of dtype int32", x="tensor of shape [..., m, n]",
            tol="singular values below it count as 0")  # fmt: skip
def matrix_rank(x: Any, tol: Any = None) -> Any:
    """Return how many rows of matrices are independent."""
    return cast(decompositions.matrix_rank(as_float(x), tol), "int32")


@documented("Pair of tensors: both triangles in one matrix, and where each row went",
            x=_M)  # fmt: skip
def lu_factor(x: Any) -> Any:
    """Compute the decomposition into lower and upper triangles."""
    triangles, rows = decompositions.lu(_square(x))
    return triangles, invert_permutation(rows)


if not _TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)
