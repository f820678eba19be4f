"""Op definitions of n-grams: sequences of neighbouring strings, joined to one string each."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np

from runtime.composite.string_split_ops import (
    joined_rows,
    objects,
    row_ends,
    values_and_ends,
)
from runtime.ops.op import define
from runtime.ops.rules.kernels import checked
from runtime.ops.rules.samples import case
from runtime.types.dtypes import Array, int64, string
from runtime.types.errors import IncompatibleShapesError
from runtime.types.shapes import TensorSpec

__all__: list[str] = []


class Grams(NamedTuple):
    """How n-grams are made of a row of tokens."""

    widths: tuple[int, ...]
    separator: bytes
    left: bytes
    right: bytes
    padding: int
    keep_short: bool

    def pad(self, width: int) -> int:
        """How many fillers stand on each side."""
        return width - 1 if self.padding < 0 else min(self.padding, width - 1)

    def made(self, tokens: Any) -> list[bytes]:
        """The n-grams of a row."""
        grams: list[bytes] = []
        for width in self.widths:
            pad = self.pad(width)
            row = [*[self.left] * pad, *tokens, *[self.right] * pad]
            grams += [
                self.separator.join(row[k : k + width]) for k in range(len(row) - width + 1)
            ]
        if not grams and self.keep_short and len(tokens):
            width = min(self.widths)
            pad = self.pad(width)
            grams = [self.separator.join([*[self.left] * pad, *tokens, *[self.right] * pad])]
        return grams


def _grams(data: Any, *, grams: Grams) -> Any:
    rows = [grams.made(data[index]) for index in np.ndindex(data.shape[:-1])]
    width = len(rows[0]) if rows else len(grams.made([b""] * data.shape[-1]))
    flat = [item for row in rows for item in row]
    return objects(flat).reshape(*data.shape[:-1], width)


def _grams_infer(data: TensorSpec, *, grams: Grams) -> TensorSpec:
    dims = data.shape.dims
    if dims == ():
        raise IncompatibleShapesError("Data must have rank>0")
    if dims is None:
        return TensorSpec(None, string)
    gram_count = None if dims[-1] is None else len(grams.made([b""] * dims[-1]))
    return TensorSpec([*dims[:-1], gram_count], string)


ngrams_op = define(
    "string_ngrams",
    inputs="data",
    kernel=checked(_grams, _grams_infer),
    infer=_grams_infer,
    dtype_kinds="O",
    grad=None,
    node_name="StringNGrams",
    samples=lambda: [
        case([["a", "b", "c"]], grams=Grams((1, 2), b" ", b"", b"", 0, False)),
        case(["a", "b"], grams=Grams((3,), b"-", b"<", b">", -1, False)),
    ],
    doc="The n-grams of the tokens along the last axis.",
)


def _grams_of_rows(values: Any, row_splits: Array, *, grams: Grams) -> Any:
    ends = row_ends(values, row_splits)
    return values_and_ends([grams.made(values[a:b]) for a, b in itertools.pairwise(ends)], string)


ngrams_rows_op = define(
    "ragged_string_ngrams",
    inputs="values row_splits",
    same_dtype_inputs=slice(0, 1),
    kernel=checked(_grams_of_rows, joined_rows),
    infer=lambda values, ends, *, grams: (
        joined_rows(values, ends) and TensorSpec([None], string),
        TensorSpec(ends.shape.merge_with([None]), int64),
    ),
    dtype_kinds="O",
    grad=None,
    node_name="StringNGrams",
    samples=lambda: [
        case(["a", "b", "c"], np.array([0, 2, 3]), grams=Grams((2,), b" ", b"", b"", 0, True)),
    ],
    doc="The n-grams of the tokens in each row.",
)
