"""``runtime.linalg``: the public names of linear algebra, as in TensorFlow."""

from runtime.ops.clipping import global_norm as global_norm
from runtime.ops.creation import eye as eye
from runtime.ops.decompositions import cholesky_solve as cholesky_solve
from runtime.ops.decompositions import eig as eig
from runtime.ops.decompositions import eigvals as eigvals
from runtime.ops.decompositions import eigvalsh as eigvalsh
from runtime.ops.decompositions import expm as expm
from runtime.ops.decompositions import logdet as logdet
from runtime.ops.decompositions import logm as logm
from runtime.ops.decompositions import lstsq as lstsq
from runtime.ops.decompositions import lu as lu
from runtime.ops.decompositions import matrix_rank as matrix_rank
from runtime.ops.decompositions import normalize as normalize
from runtime.ops.decompositions import pinv as pinv
from runtime.ops.decompositions import slogdet as slogdet
from runtime.ops.decompositions import sqrtm as sqrtm
from runtime.ops.decompositions import svd as svd
from runtime.ops.decompositions import triangular_solve as triangular_solve
from runtime.ops.diagonals import diag as diag
from runtime.ops.diagonals import diag_part as diag_part
from runtime.ops.diagonals import set_diag as set_diag
from runtime.ops.linalg import einsum as einsum
from runtime.ops.linalg import matmul as matmul
from runtime.ops.linalg import matvec as matvec
from runtime.ops.linalg import tensordot as tensordot
from runtime.ops.matrices import adjoint_of as adjoint
from runtime.ops.matrices import band_part as band_part
from runtime.ops.matrices import cholesky as cholesky
from runtime.ops.matrices import cross as cross
from runtime.ops.matrices import det as det
from runtime.ops.matrices import eigh as eigh
from runtime.ops.matrices import inv as inv
from runtime.ops.matrices import matrix_transpose as matrix_transpose
from runtime.ops.matrices import norm as norm
from runtime.ops.matrices import qr as qr
from runtime.ops.matrices import solve as solve
from runtime.ops.matrices import trace as trace
from runtime.ops.nn import l2_normalize as l2_normalize
from runtime.ops.systems import banded_triangular_solve as banded_triangular_solve
from runtime.ops.systems import eigh_tridiagonal as eigh_tridiagonal
from runtime.ops.systems import lu_matrix_inverse as lu_matrix_inverse
from runtime.ops.systems import lu_reconstruct as lu_reconstruct
from runtime.ops.systems import lu_solve as lu_solve
from runtime.ops.systems import tensor_diag as tensor_diag
from runtime.ops.systems import tensor_diag_part as tensor_diag_part
from runtime.ops.systems import tridiagonal_matmul as tridiagonal_matmul
from runtime.ops.systems import tridiagonal_solve as tridiagonal_solve

__all__ = [
    "adjoint", "band_part", "banded_triangular_solve", "cholesky", "cholesky_solve", "cross", "det",
    "diag", "diag_part", "eig", "eigh", "eigh_tridiagonal", "eigvals", "eigvalsh", "einsum", "expm",
    "eye", "global_norm", "inv", "l2_normalize", "logdet", "logm", "lstsq", "lu",
    "lu_matrix_inverse", "lu_reconstruct", "lu_solve", "matmul", "matrix_rank", "matrix_transpose",
    "matvec", "norm", "normalize", "pinv", "qr", "set_diag", "slogdet", "solve", "sqrtm", "svd",
    "tensor_diag", "tensor_diag_part", "tensordot", "trace", "triangular_solve",
    "tridiagonal_matmul", "tridiagonal_solve",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
