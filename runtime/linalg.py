"""``runtime.linalg``: the public names of linear algebra, as in TensorFlow."""

from typing import TYPE_CHECKING

from runtime.types.annexes import explained as _explained

# isort: off
from runtime.ops.array.creation import eye
from runtime.ops.linalg.decompositions import (
    cholesky_solve, eig, eigvals, eigvalsh, expm, logdet, logm, lstsq, lu, matrix_rank, normalize,
    pinv, slogdet, sqrtm, svd, triangular_solve,
)
from runtime.ops.linalg.diagonals import diag, diag_part, set_diag
from runtime.ops.linalg.matrices import (
    adjoint_of as adjoint, band_part, cholesky, cross, det, eigh, inv, matrix_transpose, norm, qr,
    solve, trace,
)
from runtime.ops.linalg.products import einsum, matmul, matvec, tensordot
from runtime.ops.linalg.solvers import (
    banded_triangular_solve, eigh_tridiagonal, lu_matrix_inverse, lu_reconstruct, lu_solve,
    tensor_diag, tensor_diag_part, tridiagonal_matmul, tridiagonal_solve,
)
from runtime.ops.math.clipping import global_norm
from runtime.ops.nn.activations_losses import l2_normalize
# isort: on

__all__ = [
    "adjoint", "band_part", "banded_triangular_solve", "cholesky", "cholesky_solve", "cross", "det",
    "diag", "diag_part", "eig", "eigh", "eigh_tridiagonal", "eigvals", "eigvalsh", "einsum", "expm",
    "eye", "global_norm", "inv", "l2_normalize", "logdet", "logm", "lstsq", "lu",
    "lu_matrix_inverse", "lu_reconstruct", "lu_solve", "matmul", "matrix_rank", "matrix_transpose",
    "matvec", "norm", "normalize", "pinv", "qr", "set_diag", "slogdet", "solve", "sqrtm", "svd",
    "tensor_diag", "tensor_diag_part", "tensordot", "trace", "triangular_solve",
    "tridiagonal_matmul", "tridiagonal_solve",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
