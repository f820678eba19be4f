"""Diagonals and bands of matrices: made into matrices, extracted, replaced.

The ops of a single diagonal are in matrices.py.  A band is an array of diagonals of one length,
shorter ones padded.  The position of each of its numbers in the matrix is known beforehand, so the
result is one gather.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array.gather_scatter import gather
from runtime.ops.array.shape import known_rank, reshape, sizes_of
from runtime.ops.array.where import where
from runtime.ops.linalg.matrices import diag_op, diag_part_op
from runtime.ops.rules.static_arguments import static_int, static_ints
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import Array
from runtime.types.errors import IncompatibleShapesError, RefusedArgumentError
from runtime.types.shapes import TensorShape

__all__: list[str] = []

ALIGNMENTS = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")


def _band(k: Any) -> tuple[int, int]:
    """The lowest and the highest diagonal meant by ``k``."""
    ends = static_ints(k, "k")
    if len(ends) not in (1, 2) or ends[0] > ends[-1]:
        raise RefusedArgumentError(f"k must be a number or two, lower first, got {k!r}")
    return ends[0], ends[-1]


def _length(rows: int, columns: int, k: int) -> int:
    return max(0, min(rows + min(k, 0), columns - max(k, 0)))


def _places(rows: int, columns: int, k: tuple[int, int], align: str) -> tuple[Array, int]:
    """Where the elements of a band stand in the matrix, and how long its diagonals are.

    An array (diagonals, length) of row * columns + column; -1 where a diagonal is filled up.
    """
    if align not in ALIGNMENTS:
        raise RefusedArgumentError(f"align must be one of {', '.join(ALIGNMENTS)}, got {align!r}")
    low, high = k
    if not (-rows < low <= high < columns or low == high == 0):
        raise RefusedArgumentError(
            f"k={k} reaches beyond the diagonals of matrices of {rows} rows and {columns} columns"
        )
    above, below = align.split("_")
    longest = max(_length(rows, columns, d) for d in range(low, high + 1))
    places = np.full((high - low + 1, longest), -1)
    for line, d in enumerate(range(high, low - 1, -1)):
        length = _length(rows, columns, d)
        is_left = (d >= 0 and above == "LEFT") or (d <= 0 and below == "LEFT")
        start = 0 if is_left else longest - length
        at = np.arange(length)
        places[line, start : start + length] = (at + max(-d, 0)) * columns + at + max(d, 0)
    return places, longest


def _matrix_sizes(x: Any, caller: str) -> tuple[int, int]:
    known_rank(x, caller)
    if len(x.shape) < 2:
        raise IncompatibleShapesError(
            f"{caller}: the input must hold matrices, got shape {x.shape}"
        )
    rows, columns = x.shape.dims[-2:]
    if rows is None or columns is None:
        raise ValueError(f"{caller} needs matrices of known size here, got shape {x.shape}")
    return rows, columns


def _taken(x: Any, axis_count: int, places: Array, filling: Any, name: str) -> Any:
    """Elements of the last ``axis_count`` axes at flat places, ``filling`` where they are -1."""
    lead = sizes_of(x)[:-axis_count]
    inner = int(np.prod(x.shape.as_list()[-axis_count:]))
    flat = gather(reshape(x, [*lead, inner]), np.maximum(places, 0), axis=-1)
    return where(places >= 0, flat, filling, name=name)


def _sources(places: Array, size: int) -> Array:
    """The other way round: for each of ``size`` places of the matrix, where its number stands."""
    sources = np.full(size, -1)
    inside = places >= 0
    sources[places[inside]] = np.flatnonzero(inside)
    return sources


def _matrix_shape(longest: int, k: tuple[int, int], rows: int, columns: int) -> tuple[int, int]:
    """The size of the matrix around a band; what is not asked for (-1) is as small as may be."""
    least = longest - min(k[1], 0), longest + max(k[0], 0)
    if rows == columns == -1:
        return max(least), max(least)
    shape = (least[0] if rows == -1 else rows), (least[1] if columns == -1 else columns)
    fits = shape[0] >= least[0] and shape[1] >= least[1]
    if not fits or (shape[0] != least[0] and shape[1] != least[1]):
        raise RefusedArgumentError(
            f"diag: diagonals of length {longest} with k={k} do not fit a matrix of {rows} rows "
            f"and {columns} columns (-1: any)"
        )
    return shape


def diag(diagonal: TensorLike, name: str = "diag", k: TensorLike = 0, num_rows: TensorLike = -1,
         num_cols: Any = -1, padding_value: TensorLike = 0,
         align: str = "RIGHT_LEFT") -> Any:  # fmt: skip
    """Make matrices of their diagonals.

    Args:
        diagonal: tensor of any dtype, of shape (..., L), or (..., D, L) for D diagonals, the
            highest first.
        k: number of the diagonal, 0 for the main one, or (lowest, highest).
        num_rows: number of rows; -1 for the least that holds the diagonals.
        num_cols: number of columns; -1 for the least that holds the diagonals.
        padding_value: scalar outside of the diagonals.
        align: 'RIGHT_LEFT', 'LEFT_RIGHT', 'LEFT_LEFT' or 'RIGHT_RIGHT': at which end of a row of
            ``diagonal`` the diagonals above and below the main one stand.
    Returns:
        Tensor of shape (..., num_rows, num_cols) and of the dtype of ``diagonal``.
    Raises:
        InvalidArgumentError: the shape of ``diagonal`` does not fit the other arguments (also a
            ValueError).
    """
    band = _band(k)
    rows, columns = static_int(num_rows, "num_rows"), static_int(num_cols, "num_cols")
    plain = type(padding_value) in (int, float) and padding_value == 0
    if band[0] == band[1] and rows == columns == -1 and plain:
        return diag_op(diagonal, k=band[0], name=name)
    x = dispatch.convert(diagonal)
    known_rank(x, "diag")
    several = band[0] < band[1]
    count, longest = x.shape.as_list()[-2:] if several else (1, x.shape[-1])
    if longest is None or count != band[1] - band[0] + 1:
        raise IncompatibleShapesError(
            f"diag: with k={band} the input must end in {band[1] - band[0] + 1} diagonals of "
            f"known length, got shape {x.shape}"
        )
    rows, columns = _matrix_shape(longest, band, rows, columns)
    places, longest_found = _places(rows, columns, band, align)
    if longest_found != longest:
        raise IncompatibleShapesError(
            f"diag: the diagonals have length {longest}, but k={band} and {rows} rows and "
            f"{columns} columns ask for {longest_found}"
        )
    sources = _sources(places, rows * columns).reshape(rows, columns)
    filling = dispatch.convert(padding_value, x.dtype)
    return _taken(x, 2 if several else 1, sources, filling, name)


def diag_part(input: TensorLike, name: str = "diag_part", k: TensorLike = 0,
              padding_value: TensorLike = 0, align: str = "RIGHT_LEFT") -> Any:  # fmt: skip
    """Extract diagonals of matrices.

    Args:
        input: tensor of any dtype, of shape (..., M, N).
        k: number of the diagonal, 0 for the main one, or (lowest, highest).
        padding_value: scalar that fills up shorter diagonals.
        align: 'RIGHT_LEFT', 'LEFT_RIGHT', 'LEFT_LEFT' or 'RIGHT_RIGHT': at which end of a row the
            diagonals above and below the main one stand.
    Returns:
        Tensor of shape (..., L), or (..., D, L) for D diagonals, the highest first, and of the
        dtype of ``input``.
    Raises:
        InvalidArgumentError: the rank is less than 2, or a pair ``k`` is out of range (also a
            ValueError).
    """
    band = _band(k)
    if band[0] == band[1]:
        return diag_part_op(input, k=band[0], name=name)
    x = dispatch.convert(input)
    places, _ = _places(*_matrix_sizes(x, "diag_part"), band, align)
    return _taken(x, 2, places, dispatch.convert(padding_value, x.dtype), name)


def set_diag(input: TensorLike, diagonal: TensorLike, name: str = "set_diag", k: TensorLike = 0,
             align: str = "RIGHT_LEFT") -> Any:  # fmt: skip
    """Replace diagonals of matrices.

    Args:
        input: tensor of any dtype, of shape (..., M, N).
        diagonal: tensor of the same dtype, of shape (..., L), or (..., D, L) for D diagonals.
        k: number of the diagonal, 0 for the main one, or (lowest, highest).
        align: as in ``linalg.diag``.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        InvalidArgumentError: ``diagonal`` has another shape (also a ValueError), or the dtypes
            differ (also a TypeError).
    """
    x, new = dispatch.convert(input), dispatch.convert(diagonal)
    band = _band(k)
    rows, columns = _matrix_sizes(x, "set_diag")
    places, longest = _places(rows, columns, band, align)
    several = band[0] < band[1]
    lines = [band[1] - band[0] + 1] if several else []
    expected = TensorShape([*x.shape.dims[:-2], *lines, longest])
    if not new.shape.is_compatible_with(expected):
        raise IncompatibleShapesError(
            f"set_diag: diagonal must have shape {expected} for an input of shape {x.shape} and "
            f"k={k}, got {new.shape}"
        )
    new.shape.assert_has_rank(len(expected))
    sources = _sources(places, rows * columns).reshape(rows, columns)
    return _taken(new, 2 if several else 1, sources, x, name)
