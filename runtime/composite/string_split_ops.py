"""Op definitions that split strings into rows of parts, and join rows of parts.

Rows of different lengths are a vector of all values, and ``row_splits``, the position where each
row ends.  runtime/composite/string_split.py makes RaggedTensors of both.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.ops.array.ragged_rows import (
    check_scalar,
    check_splits,
    number_of_rows,
    size_of_vector,
)
from runtime.ops.op import define
from runtime.ops.rules.kernels import checked
from runtime.ops.rules.samples import case
from runtime.types.dtypes import Array, DType, int32, int64, string
from runtime.types.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.types.shapes import TensorShape, TensorSpec

__all__: list[str] = []


def objects(items: Sequence[bytes]) -> Array:
    """Return strings as a vector of objects."""
    array = np.empty(len(items), object)
    array[:] = items
    return array


def values_and_ends(rows: Sequence[Sequence[Any]], dtype: DType) -> tuple[Array, Array]:
    """Return the values of rows, and where each row ends."""
    flat = [item for row in rows for item in row]
    ends = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return objects(flat) if dtype is string else np.array(flat, dtype.as_numpy_dtype), ends


def _splits(input: TensorSpec) -> TensorSpec:
    count = size_of_vector(input, "input")
    return TensorSpec([None if count is None else count + 1], int64)


def _split_one(text: Any, sep: bytes, maxsplit: int) -> list[bytes]:
    if not sep:
        return text.split(None, maxsplit)
    return text.split(sep, maxsplit) if text else [b""]


def _split(input: Any, sep: Any, *, maxsplit: int) -> Any:
    mark = bytes(np.asarray(sep, object).item())
    return values_and_ends([_split_one(text, mark, maxsplit) for text in input], string)


def _split_infer(
    input: TensorSpec, sep: TensorSpec, *, maxsplit: int
) -> tuple[TensorSpec, TensorSpec]:
    check_scalar(sep, "sep")
    return TensorSpec([None], string), _splits(input)


split_op = define(
    "string_split",
    inputs="input sep",
    kernel=checked(_split, _split_infer),
    infer=_split_infer,
    dtype_kinds="O",
    grad=None,
    node_name="StringSplitV2",
    samples=lambda: [case(["a b  c", ""], "", maxsplit=-1), case(["a,,b"], ",", maxsplit=1)],
    doc="Split each string at separators, or at white space if the separator is empty.",
)

bytes_op = define(
    "bytes_split",
    inputs="input",
    kernel=checked(
        lambda x: values_and_ends([[bytes([b]) for b in text] for text in x], string), _splits
    ),
    infer=lambda x: (TensorSpec([None], string), _splits(x)),
    dtype_kinds="O",
    grad=None,
    node_name="StringBytesSplit",
    samples=lambda: [case(["ab", "", "é"])],
    doc="Split each string into bytes.",
)


# -- Unicode --------------------------------------------------------------------------------------


class Coding(NamedTuple):
    """Encoding of strings, and the treatment of malformed text."""

    encoding: str
    errors: str
    replacement: int
    control: bool = False

    @property
    def codec(self) -> str:
        """Name of the encoding in Python."""
        return {"UTF-16-BE": "utf-16-be", "UTF-32-BE": "utf-32-be"}.get(
            self.encoding.upper(), self.encoding.lower()
        )

    def decoded(self, text: bytes) -> list[tuple[int, int]]:
        """Decode a string into characters, each with the position of its first byte."""
        characters: list[tuple[int, int]] = []
        at = 0
        while at < len(text):
            try:
                good, bad = text[at:].decode(self.codec), 0
            except UnicodeDecodeError as error:
                good, bad = text[at : at + error.start].decode(self.codec), error.end - error.start
            for letter in good:
                code = ord(letter)
                if self.control and (code < 32 or 127 <= code < 160):
                    code = self.replacement
                characters.append((code, at))
                at += len(letter.encode(self.codec))
            if bad:
                if self.errors == "strict":
                    raise InvalidArgumentError("Invalid formatting on input string")
                if self.errors == "replace":
                    characters.append((self.replacement, at))
                at += bad
        return characters

    def encoded(self, codes: Sequence[int]) -> bytes:
        """Encode characters as a string."""
        letters = []
        for code in map(int, codes):
            if 0 <= code < 0x110000 and not 0xD800 <= code < 0xE000:
                letters.append(chr(code))
            elif self.errors == "strict":
                raise InvalidArgumentError(
                    f"Code point is out of range for Unicode, or a noncharacter: {code}"
                )
            elif self.errors == "replace":
                letters.append(chr(self.replacement))
        return "".join(letters).encode(self.codec)


_UTF8 = Coding("UTF-8", "replace", 65533)


def _decode(input: Any, *, coding: Coding) -> Any:
    rows = [coding.decoded(text) for text in input]
    codes, ends = values_and_ends([[code for code, _ in row] for row in rows], int32)
    places, _ = values_and_ends([[index for _, index in row] for row in rows], int64)
    return codes, places, ends


unicode_decode_op = define(
    "unicode_decode",
    inputs="input",
    kernel=checked(_decode, lambda input, *, coding: _splits(input)),
    infer=lambda input, *, coding: (
        TensorSpec([None], int32), TensorSpec([None], int64), _splits(input),
    ),
    dtype_kinds="O",
    grad=None,
    node_name="UnicodeDecodeWithOffsets",
    samples=lambda: [case(["aé", ""], coding=_UTF8)],
    doc="Decode each string into code points and the positions of their first bytes.",
)  # fmt: skip


def _by_rows(function: Callable[[Sequence[int]], bytes], x: Array) -> Any:
    result = np.empty(x.shape[:-1], object)
    for index in np.ndindex(result.shape):
        result[index] = function(x[index].tolist())
    return result


unicode_encode_op = define(
    "unicode_encode",
    inputs="input",
    kernel=lambda x, *, coding: _by_rows(coding.encoded, x),
    infer=lambda x, *, coding: TensorSpec(x.shape[:-1], string),
    dtype_kinds="iu",
    grad=None,
    node_name="UnicodeEncode",
    samples=lambda: [case([[97, 233], [98, 99]], coding=_UTF8), case([104, 105], coding=_UTF8)],
    doc="Encode the code points along the last axis as strings.",
)


def row_ends(values: Array, row_splits: Array) -> list[int]:
    check_splits(row_splits, len(values))
    return [int(end) for end in row_splits]


def _join_rows(values: Array, row_splits: Array, *, separator: bytes) -> Any:
    ends = row_ends(values, row_splits)
    return objects([separator.join(values[a:b]) for a, b in itertools.pairwise(ends)])


def joined_rows(values: TensorSpec, ends: TensorSpec, **attrs: Any) -> TensorSpec:
    """Infer the type of one string for each row."""
    size_of_vector(values, "values")
    return TensorSpec([number_of_rows(ends)], string)


join_rows_op = define(
    "ragged_reduce_join",
    inputs="values row_splits",
    same_dtype_inputs=slice(0, 1),
    kernel=checked(_join_rows, joined_rows),
    infer=joined_rows,
    dtype_kinds="O",
    grad=None,
    node_name="ReduceJoin",
    samples=lambda: [case(["a", "b", "c"], np.array([0, 2, 2, 3]), separator=b"-")],
    doc="Join the strings of each row.",
)


def _encode_rows(values: Array, row_splits: Array, *, coding: Coding) -> Any:
    ends = row_ends(values, row_splits)
    return objects([coding.encoded(values[a:b].tolist()) for a, b in itertools.pairwise(ends)])


encode_rows_op = define(
    "ragged_unicode_encode",
    inputs="values row_splits",
    same_dtype_inputs=None,
    kernel=checked(_encode_rows, joined_rows),
    infer=joined_rows,
    grad=None,
    node_name="UnicodeEncode",
    samples=lambda: [case([97, 233, 98], np.array([0, 2, 3]), coding=_UTF8)],
    doc="Encode the code points of each row as a string.",
)


def _transcode(x: Any, *, coding: Coding, output: str) -> Any:
    out = Coding(output, coding.errors, coding.replacement)
    result = np.empty(np.shape(x), object)
    for index in np.ndindex(result.shape):
        result[index] = out.encoded([code for code, _ in coding.decoded(x[index])])
    return result


transcode_op = define(
    "unicode_transcode",
    inputs="input",
    kernel=_transcode,
    infer=lambda x, *, coding, output: TensorSpec(x.shape, string),
    dtype_kinds="O",
    grad=None,
    node_name="UnicodeTranscode",
    samples=lambda: [case(["aé", ""], coding=_UTF8, output="UTF-16-BE")],
    doc="Convert each string to another encoding.",
)


def _segment_join(
    inputs: Array, segment_ids: Array, num_segments: Array, *, separator: bytes
) -> Any:
    count = int(num_segments)
    row_shape = inputs.shape[segment_ids.ndim :]
    rows = inputs.reshape(segment_ids.size, *row_shape)
    groups: list[list[int]] = [[] for _ in range(count)]
    for row, number in enumerate(segment_ids.reshape(-1).tolist()):
        if not 0 <= number < count:
            raise InvalidArgumentError(f"segment_ids: {number} is not in [0, {count})")
        groups[number].append(row)
    result = np.empty((count, *row_shape), object)
    for index in np.ndindex(result.shape):
        result[index] = separator.join(rows[row, *index[1:]] for row in groups[index[0]])
    return result


def _segment_infer(
    inputs: TensorSpec, segment_ids: TensorSpec, num_segments: TensorSpec, *, separator: bytes
) -> TensorSpec:
    check_scalar(num_segments, "num_segments")
    axes, ids = inputs.shape.dims, segment_ids.shape.dims
    if axes is not None and ids is not None:
        if not TensorShape(axes[: len(ids)]).is_compatible_with(ids):
            raise IncompatibleShapesError(
                f"the shape of inputs must start with that of segment_ids, got {inputs.shape} and "
                f"{segment_ids.shape}"
            )
    count = None if num_segments.value is None else int(num_segments.value)
    if count is not None and count < 0:
        raise InvalidArgumentError(f"num_segments must be 0 or more, got {count}")
    if axes is None or ids is None:
        return TensorSpec(TensorShape(None), string)
    return TensorSpec(TensorShape([count, *axes[len(ids) :]]), string)


segment_join_op = define(
    "unsorted_segment_join",
    inputs="inputs segment_ids num_segments",
    same_dtype_inputs=slice(0, 1),
    kernel=checked(_segment_join, _segment_infer),
    infer=_segment_infer,
    dtype_kinds="O",
    grad=None,
    node_name="UnsortedSegmentJoin",
    samples=lambda: [
        case(["a", "b", "c"], [0, 1, 0], 2, separator=b":"),
        case([["a", "b"], ["c", "d"], ["e", "f"]], [2, 0, 2], 3, separator=b":"),
        case([[["a"], ["b"]], [["c"], ["d"]]], [[1, 0], [1, 1]], 2, separator=b""),
    ],
    doc="Join the strings of each segment along the leading axes of the segment numbers.",
)
