"""``runtime.linalg``: the public names of linear algebra, as in TensorFlow."""

from runtime.ops.creation import eye as eye
from runtime.ops.linalg import einsum as einsum
from runtime.ops.linalg import matmul as matmul
from runtime.ops.linalg import matvec as matvec
from runtime.ops.linalg import tensordot as tensordot
from runtime.ops.matrices import adjoint_of as adjoint
from runtime.ops.matrices import band_part as band_part
from runtime.ops.matrices import cholesky as cholesky
from runtime.ops.matrices import cross as cross
from runtime.ops.matrices import det as det
from runtime.ops.matrices import diag as diag
from runtime.ops.matrices import diag_part as diag_part
from runtime.ops.matrices import eigh as eigh
from runtime.ops.matrices import inv as inv
from runtime.ops.matrices import matrix_transpose as matrix_transpose
from runtime.ops.matrices import norm as norm
from runtime.ops.matrices import qr as qr
from runtime.ops.matrices import solve as solve
from runtime.ops.matrices import trace as trace
from runtime.ops.nn import l2_normalize as l2_normalize

__all__ = [
    "adjoint", "band_part", "cholesky", "cross", "det", "diag", "diag_part", "eigh", "einsum",
    "eye", "inv", "l2_normalize", "matmul", "matrix_transpose", "matvec", "norm", "qr", "solve",
    "tensordot", "trace",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
