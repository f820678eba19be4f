"""Op definitions of products: matmul, einsum, tensordot.  Other linear algebra is in matrices.py.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.ops.array.constants import cast
from runtime.ops.array.shape import expand_dims, squeeze
from runtime.ops.linalg.product_axes import Axes, dot_axes, of_matmul, of_tensordot, of_terms
from runtime.ops.math.elementary import conj
from runtime.ops.op import NUMERIC, ROUNDS_ONCE, define
from runtime.ops.rules.inference import broadcast_shapes
from runtime.ops.rules.lazy_gradient import holomorphic, lazy_gradient
from runtime.ops.rules.lowering import Multiplies, ProductAxes
from runtime.ops.rules.never_raises import known
from runtime.ops.rules.samples import case, spread
from runtime.ops.rules.static_arguments import known_value, static_int, static_ints
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.dtypes import Array, as_dtype
from runtime.types.errors import IncompatibleShapesError
from runtime.types.shapes import UNKNOWN_SHAPE, TensorShape, TensorSpec

__all__ = ["einsum", "matmul", "tensordot"]


def _swap(x: Array, transpose: bool) -> Array:
    return np.swapaxes(x, -1, -2) if transpose else x


def _check_rank(label: str, dims: tuple[int | None, ...]) -> None:
    if len(dims) < 2:
        raise IncompatibleShapesError(
            f"matmul: {label} must have 2 dimensions or more, got shape {TensorShape(dims)}. "
            "Use runtime.tensordot or runtime.linalg.matvec for vectors."
        )


def _matmul(a: Array, b: Array, *, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    for label, x in (("a", a), ("b", b)):
        _check_rank(label, x.shape)  # NumPy would take vectors
    return np.matmul(_swap(a, transpose_a), _swap(b, transpose_b))


def _matmul_infer(
    a: TensorSpec, b: TensorSpec, *, transpose_a: bool = False, transpose_b: bool = False
) -> TensorSpec:
    m, n = a.shape.dims, b.shape.dims
    for label, dims in (("a", m), ("b", n)):
        if dims is not None:
            _check_rank(label, dims)
    if m is None or n is None:
        return TensorSpec(UNKNOWN_SHAPE, a.dtype)
    rows, inner = (m[-1], m[-2]) if transpose_a else (m[-2], m[-1])
    rows_of_b, columns = (n[-1], n[-2]) if transpose_b else (n[-2], n[-1])
    if inner is not None and rows_of_b is not None and inner != rows_of_b:
        raise IncompatibleShapesError(
            f"Matrix size-incompatible: In[0]: {list(m)}, In[1]: {list(n)}: the inner dimensions "
            f"must be equal, but are {inner} and {rows_of_b}."
        )
    batch = broadcast_shapes(TensorShape(m[:-2]), TensorShape(n[:-2]))
    return TensorSpec(batch + TensorShape((rows, columns)), a.dtype)


matmul_op = define(
    "matmul",
    inputs="a b",
    kernel=_matmul,
    infer=_matmul_infer,
    dtype_kinds=NUMERIC,
    grad=holomorphic(lazy_gradient("linalg.matmul")),
    lower=Multiplies(of_matmul),
    traits=(ROUNDS_ONCE,),
    node_name="MatMul",
    overloads=("__matmul__", "__rmatmul__", np.matmul),
    never_raises=known,
    samples=lambda: [
        case(spread(-1, 1, 2, 3), spread(-1, 1, 3, 4)),
        case(spread(-1, 1, 3, 2), spread(-1, 1, 4, 3), transpose_a=True, transpose_b=True),
        case(spread(-1, 1, 5, 2, 3), spread(-1, 1, 3, 1)),
        case([[1, 2]], [[3], [4]]),
    ],
    doc="Multiply two matrices, or batches of them.",
)


def matmul(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: DTypeLike | None = None,
    name: str | None = None,
) -> Any:
    """Multiply matrices, or batches of them.

    Args:
        a: tensor of shape (..., M, K) and of a numeric dtype; the batches broadcast.
        b: tensor of shape (..., K, N) and of the same dtype.
        transpose_a: whether to transpose ``a`` first.
        transpose_b: whether to transpose ``b`` first.
        adjoint_a: whether to transpose and conjugate ``a`` first.
        adjoint_b: whether to transpose and conjugate ``b`` first.
        a_is_sparse: ignored; it changes no result.
        b_is_sparse: ignored; it changes no result.
        output_type: dtype to which both are cast first; by default their own.
    Returns:
        Tensor of shape (..., M, N) and of the inputs' dtype, or ``output_type``.
    Raises:
        ValueError: a matrix is both transposed and adjoint; the inner sizes differ or a rank is
            less than 2 (also an InvalidArgumentError).
        InvalidArgumentError: the dtypes differ or are not numeric (also a TypeError).
    """
    for label, transpose, adjoint in (("a", transpose_a, adjoint_a), ("b", transpose_b, adjoint_b)):
        if transpose and adjoint:
            raise ValueError(f"Only one of transpose_{label} and adjoint_{label} can be True.")
    flip_a, flip_b = bool(transpose_a or adjoint_a), bool(transpose_b or adjoint_b)
    a, b = _conjugate(a) if adjoint_a else a, _conjugate(b) if adjoint_b else b
    if output_type is not None:
        a, b = cast(a, output_type), cast(b, output_type)
    return matmul_op.direct(a, b, flip_a, flip_b, name)


def _rank(x: TensorLike) -> int | None:
    """The rank of a tensor or array, if it is known; None for anything else."""
    shape = getattr(x, "shape", None)
    return shape.rank if isinstance(shape, TensorShape) else None if shape is None else len(shape)


def _conjugate(x: TensorLike) -> Any:
    dtype = getattr(x, "dtype", None)
    return x if dtype is not None and not as_dtype(dtype).is_complex else conj(x)


def matvec(a: TensorLike, b: TensorLike, transpose_a: bool = False, adjoint_a: bool = False,
           name: str | None = None) -> Any:  # fmt: skip
    """Multiply matrices by vectors.

    Args:
        a: tensor of shape (..., M, N) and of a numeric dtype.
        b: tensor of shape (..., N) and of the same dtype.
        transpose_a: whether to transpose ``a`` first.
        adjoint_a: whether to transpose and conjugate ``a`` first.
    Returns:
        Tensor of shape (..., M) and of the inputs' dtype.
    Raises:
        ValueError: ``a`` is both transposed and adjoint; the sizes differ (also an
            InvalidArgumentError).
        InvalidArgumentError: the dtypes differ (also a TypeError).
    """
    if _rank(a) == 2 and _rank(b) == 1 and not (transpose_a and adjoint_a):
        matrix = _conjugate(a) if adjoint_a else a
        inner = 0 if transpose_a or adjoint_a else 1
        return tensordot_op(matrix, b, axes=((inner,), (0,)), name=name)
    column = expand_dims(b, -1)
    product = matmul(a, column, transpose_a=transpose_a, adjoint_a=adjoint_a, name=name)
    return squeeze(product, [-1])


LETTERS = string.ascii_letters


def einsum_terms(equation: str, ranks: list[int]) -> tuple[list[str], str]:
    """The labels of inputs and output, ``...`` written out in capital letters not used elsewhere.

    ValueError when the equation does not fit the number of inputs or their ranks.
    """
    inputs, arrow, output = equation.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if len(terms) != len(ranks):
        raise IncompatibleShapesError(
            f"einsum: {equation!r} has {len(terms)} inputs, but {len(ranks)} were given"
        )
    free = [c for c in LETTERS if c not in equation][::-1]
    extra = [
        rank - len(term.replace("...", "")) for term, rank in zip(terms, ranks, strict=True)
    ]
    for term, rank, added in zip(terms, ranks, extra, strict=True):
        if added < 0 or (added and "..." not in term):
            raise IncompatibleShapesError(
                f"einsum: the term {term!r} of {equation!r} does not fit an input of rank {rank}"
            )
    width = max(
        (added for term, added in zip(terms, extra, strict=True) if "..." in term), default=0
    )
    dots = "".join(free[:width])
    full = [
        term.replace("...", dots[width - added :])
        for term, added in zip(terms, extra, strict=True)
    ]
    strange = sorted(set(output.replace("...", "")) - set("".join(terms)))
    if strange:
        raise IncompatibleShapesError(
            f"einsum: {', '.join(strange)} of the result is in no input of {equation!r}"
        )
    if arrow:
        return full, output.replace("...", dots)
    counts = Counter("".join(terms).replace(".", ""))
    return full, dots + "".join(sorted(c for c, n in counts.items() if n == 1))


def _einsum(*inputs: Array, equation: str) -> Any:
    terms, out = einsum_terms(equation, [x.ndim for x in inputs])
    # By products of matrices where there is much to do; to plan them takes a while.
    large = len(inputs) > 2 or (len(inputs) == 2 and sum(x.size for x in inputs) > 512)
    result = np.einsum(f"{','.join(terms)}->{out}", *inputs, optimize=large)
    return np.asarray(result, inputs[0].dtype)


def _einsum_infer(*inputs: TensorSpec, equation: str) -> TensorSpec:
    terms = equation.replace(" ", "").partition("->")[0].split(",")
    ranks: list[int] = []
    for x, term in zip(inputs, terms):
        if x.shape.dims is None and "." in term:
            return TensorSpec(UNKNOWN_SHAPE, inputs[0].dtype)
        ranks.append(len(term) if x.shape.dims is None else len(x.shape))
    terms, out = einsum_terms(equation, ranks)
    sizes: dict[str, Any] = {}
    for term, x in zip(terms, inputs, strict=True):
        if x.shape.dims is None:
            sizes |= {label: None for label in term if sizes.get(label, 1) == 1}
            continue
        for label, size in zip(term, x.shape, strict=True):
            label_size = sizes.get(label, 1)
            if label_size not in (None, 1) and size not in (None, 1, label_size):
                raise IncompatibleShapesError(
                    f"einsum: {label!r} in {equation!r} stands for {label_size} and for {size}"
                )
            sizes[label] = (
                size if label_size == 1 or (label_size is None and size != 1) else label_size
            )
    return TensorSpec([sizes[label] for label in out], inputs[0].dtype)


def _einsum_axes(attrs: dict[str, Any], ranks: Sequence[int]) -> ProductAxes | None:
    return of_terms(*einsum_terms(attrs["equation"], list(ranks)))


einsum_op = define(
    "einsum",
    inputs="*inputs",
    kernel=_einsum,
    infer=_einsum_infer,
    dtype_kinds=NUMERIC,
    grad=holomorphic(lazy_gradient("linalg.einsum")),
    lower=Multiplies(_einsum_axes),
    node_name="Einsum",
    overloads=(np.einsum,),
    samples=lambda: [
        case(spread(-1, 1, 2, 3), spread(-1, 1, 3, 4), equation="ij,jk->ik"),
        case(spread(-1, 1, 2, 3), spread(-1, 1, 3, 4), equation="ij,jk"),
        case(spread(-1, 1, 3, 3), equation="ii->"),
        case(spread(-1, 1, 5, 2, 3), spread(-1, 1, 3), equation="...ij,j->...i"),
        case([1, 2], [3, 4], [5, 6], equation="i,i,j->j"),
    ],
    doc="Compute a sum of products by Einstein's convention.",
)


def einsum(equation: str, *inputs: Any, optimize: str = "greedy", name: str | None = None) -> Any:
    """Compute a sum of products by Einstein's convention, such as ``'ij,jk->ik'``.

    Args:
        equation: letters of the axes of each input, and after ``->`` of the result; ``...`` stands
            for axes that broadcast.
        inputs: tensors of one numeric dtype.
        optimize: ignored; NumPy chooses the order of several products.
    Returns:
        Tensor of the inputs' dtype whose axes are those of the result's letters.
    Raises:
        ValueError: there is no input, or the equation does not fit the inputs (also an
            InvalidArgumentError).
    """
    if not inputs:
        raise ValueError("einsum takes at least one tensor after the equation")
    return einsum_op(*inputs, equation=equation, name=name)


def _axes_of(axes: int | Axes, a: int, b: int) -> Axes:
    """The axes summed over; an error if there are not so many."""
    if isinstance(axes, int) and not 0 <= axes <= min(a, b):
        raise IncompatibleShapesError(f"tensordot: axes={axes} does not fit ranks {a} and {b}")
    return dot_axes(axes, a, b)


def _tensordot_infer(a: TensorSpec, b: TensorSpec, *, axes: int | Axes) -> TensorSpec:
    m, n = a.shape.dims, b.shape.dims
    if m is None or n is None:
        return TensorSpec(UNKNOWN_SHAPE, a.dtype)
    axes_of_a, axes_of_b = _axes_of(axes, len(m), len(n))
    for i, j in zip(axes_of_a, axes_of_b, strict=True):
        if m[i] is not None and n[j] is not None and m[i] != n[j]:
            raise IncompatibleShapesError(
                f"tensordot: axis {i} of a has size {m[i]}, but axis {j} of b has size {n[j]}"
            )
    result_dims = [d for i, d in enumerate(m) if i not in axes_of_a]
    return TensorSpec(result_dims + [d for j, d in enumerate(n) if j not in axes_of_b], a.dtype)


def _tensordot(a: Array, b: Array, *, axes: int | Axes) -> Any:
    if axes == 1 and a.ndim == 1 == b.ndim:
        return a.dot(b)
    inner = _axes_of(axes, a.ndim, b.ndim)
    if max(a.ndim, b.ndim) <= 2 and inner == ((a.ndim - 1,), (max(b.ndim - 2, 0),)):
        return np.asarray(np.dot(a, b))  # the same, sooner
    return np.tensordot(a, b, inner)


tensordot_op = define(
    "tensordot",
    inputs="a b",
    kernel=_tensordot,
    infer=_tensordot_infer,
    dtype_kinds=NUMERIC,
    grad=holomorphic(lazy_gradient("linalg.tensordot")),
    lower=Multiplies(of_tensordot),
    traits=(ROUNDS_ONCE,),
    overloads=(np.tensordot,),
    samples=lambda: [
        case(spread(-1, 1, 2, 3), spread(-1, 1, 3, 4), axes=1),
        case(spread(-1, 1, 2, 3), spread(-1, 1, 3, 2), axes=((0, 1), (1, 0))),
        case([1, 2], [3, 4], axes=0),
    ],
    doc="Contract two tensors over axes.",
)


def tensordot(a: TensorLike, b: TensorLike, axes: Any, name: str | None = None) -> Any:
    """Contract two tensors over several axes.

    Args:
        a: tensor of a numeric dtype.
        b: tensor of the same dtype.
        axes: number of axes, the last of ``a`` and the first of ``b``; or two lists of axes.
    Returns:
        Tensor with the other axes of ``a``, then those of ``b``, of the inputs' dtype.
    Raises:
        ValueError: the two lists differ in length; the sizes differ (also an InvalidArgumentError).
    """
    if type(axes) is int:
        return tensordot_op.direct(a, b, axes, name)
    if not isinstance(axes, list | tuple) and np.ndim(known_value(axes)) and len(axes) == 2:
        axes = [*known_value(axes)]
    if isinstance(axes, list | tuple) and len(axes) == 2:
        pair = static_ints(axes[0], "axes"), static_ints(axes[1], "axes")
        if len(pair[0]) != len(pair[1]):
            raise ValueError(f"tensordot: axes must name as many axes of a as of b, got {axes}")
        return tensordot_op(a, b, axes=pair, name=name)
    return tensordot_op(a, b, axes=static_int(axes, "axes"), name=name)
