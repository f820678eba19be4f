"""``pad_sequences``: sequences of different lengths as the rows of one array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.types.annexes import explained as _explained

__all__ = ["pad_sequences"]


def pad_sequences(
    sequences: Sequence[Any], maxlen: int | None = None, dtype: Any = "int32",
    padding: str = "pre", truncating: str = "pre", value: Any = 0.0,
) -> Any:  # fmt: skip
    """Make sequences equally long, as the rows of an array.

    Args:
        sequences: sequences of numbers, or of arrays of one shape.
        maxlen: length of the rows; by default that of the longest sequence.
        dtype: dtype of the array.
        padding: 'pre' or 'post': where short sequences are filled up.
        truncating: 'pre' or 'post': where long sequences lose entries.
        value: number, or text, that fills up.
    Returns:
        NumPy array of shape (number of sequences, ``maxlen``, and that of the entries).
    Raises:
        ValueError: an entry of ``sequences`` is no sequence, the entries of the sequences differ in
            shape, the texts are others, or a text fills up an array of numbers.
    """
    for name, text in ("padding", padding), ("truncating", truncating):
        if text not in ("pre", "post"):
            raise ValueError(f"`{name}` must be 'pre' or 'post'. Received: {name}={text!r}")
    if not hasattr(sequences, "__len__"):
        raise ValueError("`sequences` must be iterable.")
    for row in sequences:
        if not hasattr(row, "__len__"):
            raise ValueError(f"`sequences` must be a list of iterables. Found non-iterable: {row}")
    filled = np.dtype(dtype)
    if isinstance(value, str) and filled.kind not in "OSU":
        raise ValueError(
            f"`dtype` {dtype} is not compatible with `value`'s type: {type(value)}\nYou should set "
            "`dtype=object` for variable length strings."
        )
    size = max(map(len, sequences), default=0) if maxlen is None else maxlen
    shape = next((np.asarray(row).shape[1:] for row in sequences if len(row)), ())
    rows = np.full((len(sequences), size, *shape), value, dtype=filled)
    for number, row in enumerate(sequences):
        if not len(row) or not size:
            continue
        cut = np.asarray(row[-size:] if truncating == "pre" else row[:size], dtype=filled)
        if cut.shape[1:] != shape:
            raise ValueError(
                f"Shape of sample {cut.shape[1:]} of sequence at position {number} is different "
                f"from expected shape {shape}"
            )
        place = slice(len(cut)) if padding == "post" else slice(size - len(cut), size)
        rows[number, place] = cut
    return rows


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
