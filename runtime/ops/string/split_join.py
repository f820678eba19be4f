"""Rows that take strings apart, or put them together from parts: rows of any lengths.

What comes out in rows of different lengths is given as all the values, one row behind the other,
and ``row_splits``: where each row ends.  runtime/composite/ragged_tensor.py makes a RaggedTensor
of both.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.ops.op import define
from runtime.ops.rules.kernels import checked
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.samples import case
from runtime.types.dtypes import Array, DType, int32, int64, string
from runtime.types.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.types.shapes import TensorShape, TensorSpec

__all__: list[str] = []


def _objects(items: Sequence[bytes]) -> Array:
    array = np.empty(len(items), object)
    array[:] = items
    return array


def _in_rows(rows: Sequence[Sequence[Any]], dtype: DType) -> tuple[Array, Array]:
    """Rows as their values and where each ends."""
    flat = [item for row in rows for item in row]
    ends = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return _objects(flat) if dtype is string else np.array(flat, dtype.as_numpy_dtype), ends


def _vector(spec: TensorSpec, what: str) -> int | None:
    """The size of a vector, as far as it is known; an error for another rank."""
    dims = spec.shape.dims
    if dims is not None and len(dims) != 1:
        raise IncompatibleShapesError(f"{what} must be a vector, got shape {spec.shape}")
    return None if dims is None else dims[0]


def _splits(input: TensorSpec) -> TensorSpec:
    count = _vector(input, "input")
    return TensorSpec([None if count is None else count + 1], int64)


def _scalar(spec: TensorSpec, what: str) -> None:
    if spec.shape.dims not in (None, ()):
        raise IncompatibleShapesError(f"{what} must be a scalar, got shape {spec.shape}")


def _split_one(text: Any, sep: bytes, maxsplit: int) -> list[bytes]:
    if not sep:
        return text.split(None, maxsplit)
    return text.split(sep, maxsplit) if text else [b""]


def _split(input: Any, sep: Any, *, maxsplit: int) -> Any:
    mark = bytes(np.asarray(sep, object).item())
    return _in_rows([_split_one(text, mark, maxsplit) for text in input], string)


def _split_infer(
    input: TensorSpec, sep: TensorSpec, *, maxsplit: int
) -> tuple[TensorSpec, TensorSpec]:
    _scalar(sep, "sep")
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
    doc="The parts of each string between separators, or white space if the separator is empty.",
)

bytes_op = define(
    "bytes_split",
    inputs="input",
    kernel=checked(
        lambda x: _in_rows([[bytes([b]) for b in text] for text in x], string), _splits
    ),
    infer=lambda x: (TensorSpec([None], string), _splits(x)),
    dtype_kinds="O",
    grad=None,
    node_name="StringBytesSplit",
    samples=lambda: [case(["ab", "", "é"])],
    doc="The bytes of each string.",
)


# -- Unicode --------------------------------------------------------------------------------------


class Coding(NamedTuple):
    """An encoding, and what to do about what it cannot read or write."""

    encoding: str
    errors: str
    replacement: int
    control: bool = False

    @property
    def codec(self) -> str:
        """Python's name of the encoding."""
        return {"UTF-16-BE": "utf-16-be", "UTF-32-BE": "utf-32-be"}.get(
            self.encoding.upper(), self.encoding.lower()
        )

    def decoded(self, text: bytes) -> list[tuple[int, int]]:
        """The characters of a string, each with the place of its first byte."""
        found: list[tuple[int, int]] = []
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
                found.append((code, at))
                at += len(letter.encode(self.codec))
            if bad:
                if self.errors == "strict":
                    raise InvalidArgumentError("Invalid formatting on input string")
                if self.errors == "replace":
                    found.append((self.replacement, at))
                at += bad
        return found

    def encoded(self, codes: Sequence[int]) -> bytes:
        """A string of these characters."""
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
    codes, ends = _in_rows([[code for code, _ in row] for row in rows], int32)
    places, _ = _in_rows([[place for _, place in row] for row in rows], int64)
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
    doc="The numbers of the characters of each string, and the places of their first bytes.",
)  # fmt: skip


def _by_rows(function: Callable[[Sequence[int]], bytes], x: Array) -> Any:
    result = np.empty(x.shape[:-1], object)
    for place in np.ndindex(result.shape):
        result[place] = function(x[place].tolist())
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
    doc="Strings of the characters whose numbers stand along the last axis.",
)


def _ends(values: Array, row_splits: Array) -> list[int]:
    check_splits(row_splits, len(values))
    return [int(end) for end in row_splits]


def _join_rows(values: Array, row_splits: Array, *, separator: bytes) -> Any:
    ends = _ends(values, row_splits)
    return _objects([separator.join(values[a:b]) for a, b in itertools.pairwise(ends)])


def _count(row_splits: TensorSpec) -> Any:
    """How many rows there are."""
    size = _vector(row_splits, "row_splits")
    if size == 0:
        raise IncompatibleShapesError("row_splits must hold at least the number 0, got none")
    return None if size is None else size - 1


def _joined_rows(values: TensorSpec, ends: TensorSpec, **attrs: Any) -> TensorSpec:
    _vector(values, "values")
    return TensorSpec([_count(ends)], string)


join_rows_op = define(
    "ragged_reduce_join",
    inputs="values row_splits",
    same_dtype_inputs=slice(0, 1),
    kernel=checked(_join_rows, _joined_rows),
    infer=_joined_rows,
    dtype_kinds="O",
    grad=None,
    node_name="ReduceJoin",
    samples=lambda: [case(["a", "b", "c"], np.array([0, 2, 2, 3]), separator=b"-")],
    doc="The strings of each row joined.",
)


def _encode_rows(values: Array, row_splits: Array, *, coding: Coding) -> Any:
    ends = _ends(values, row_splits)
    return _objects([coding.encoded(values[a:b].tolist()) for a, b in itertools.pairwise(ends)])


encode_rows_op = define(
    "ragged_unicode_encode",
    inputs="values row_splits",
    same_dtype_inputs=None,
    kernel=checked(_encode_rows, _joined_rows),
    infer=_joined_rows,
    grad=None,
    node_name="UnicodeEncode",
    samples=lambda: [case([97, 233, 98], np.array([0, 2, 3]), coding=_UTF8)],
    doc="Strings of the characters whose numbers stand in each row.",
)


def _transcode(x: Any, *, coding: Coding, output: str) -> Any:
    out = Coding(output, coding.errors, coding.replacement)
    result = np.empty(np.shape(x), object)
    for place in np.ndindex(result.shape):
        result[place] = out.encoded([code for code, _ in coding.decoded(x[place])])
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
    doc="Each string in another encoding.",
)


# -- rows as tensors ------------------------------------------------------------------------------


def check_splits(row_splits: Array, size: int) -> None:
    """InvalidArgumentError unless the ends of rows rise from 0 to the number of values."""
    if row_splits.ndim != 1 or not len(row_splits) or row_splits[0] != 0:
        raise InvalidArgumentError("Arguments to from_row_splits do not form a valid RaggedTensor")
    if np.any(np.diff(row_splits) < 0) or row_splits[-1] != size:
        raise InvalidArgumentError(
            "Arguments to from_row_splits do not form a valid RaggedTensor: row_splits "
            f"{row_splits.tolist()} must rise to the number of values, {size}"
        )


def _to_tensor(values: Array, default: Array, row_splits: Array, *, width: int | None) -> Any:
    check_splits(row_splits, len(values))
    lengths = np.diff(row_splits)
    wide = int(lengths.max(initial=0)) if width is None else width
    result = np.empty((len(lengths), wide, *values.shape[1:]), values.dtype)
    result[...] = default
    for row, (start, length) in enumerate(zip(row_splits.tolist(), lengths.tolist())):
        kept = min(length, wide)
        result[row, :kept] = values[start : start + kept]
    return result


def _to_tensor_infer(
    values: TensorSpec, default: TensorSpec, row_splits: TensorSpec, *, width: int | None
) -> TensorSpec:
    _scalar(default, "default_value")
    dims, count = values.shape.dims, _count(row_splits)
    if dims is None:
        return TensorSpec(None, values.dtype)
    if not dims:
        raise IncompatibleShapesError("the values of rows must have an axis, got a scalar")
    return TensorSpec([count, width, *dims[1:]], values.dtype)


to_tensor_op = define(
    "ragged_to_tensor",
    inputs="values default row_splits",
    same_dtype_inputs=slice(0, 2),
    kernel=checked(_to_tensor, _to_tensor_infer),
    infer=_to_tensor_infer,
    grad=lazy_gradient("partitions.rows_to_tensor"),
    node_name="RaggedTensorToTensor",
    samples=lambda: [
        case([1, 2, 3], 0, np.array([0, 2, 2, 3]), width=None),
        case(["a", "b", "c"], "", np.array([0, 1, 3]), width=1),
    ],
    doc="Rows of different lengths as one tensor, filled up with a default.",
)


# -- n-grams --------------------------------------------------------------------------------------


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
        found: list[bytes] = []
        for width in self.widths:
            pad = self.pad(width)
            row = [*[self.left] * pad, *tokens, *[self.right] * pad]
            found += [
                self.separator.join(row[k : k + width]) for k in range(len(row) - width + 1)
            ]
        if not found and self.keep_short and len(tokens):
            width = min(self.widths)
            pad = self.pad(width)
            found = [self.separator.join([*[self.left] * pad, *tokens, *[self.right] * pad])]
        return found


def _grams(data: Any, *, grams: Grams) -> Any:
    rows = [grams.made(data[place]) for place in np.ndindex(data.shape[:-1])]
    width = len(rows[0]) if rows else len(grams.made([b""] * data.shape[-1]))
    flat = [item for row in rows for item in row]
    return _objects(flat).reshape(*data.shape[:-1], width)


def _grams_infer(data: TensorSpec, *, grams: Grams) -> TensorSpec:
    dims = data.shape.dims
    if dims == ():
        raise IncompatibleShapesError("Data must have rank>0")
    if dims is None:
        return TensorSpec(None, string)
    last = None if dims[-1] is None else len(grams.made([b""] * dims[-1]))
    return TensorSpec([*dims[:-1], last], string)


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
    ends = _ends(values, row_splits)
    return _in_rows([grams.made(values[a:b]) for a, b in itertools.pairwise(ends)], string)


ngrams_rows_op = define(
    "ragged_string_ngrams",
    inputs="values row_splits",
    same_dtype_inputs=slice(0, 1),
    kernel=checked(_grams_of_rows, _joined_rows),
    infer=lambda values, ends, *, grams: (
        _joined_rows(values, ends) and TensorSpec([None], string),
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


# -- base 64 --------------------------------------------------------------------------------------


def _segment_join(
    inputs: Array, segment_ids: Array, num_segments: Array, *, separator: bytes
) -> Any:
    count = int(num_segments)
    rest = inputs.shape[segment_ids.ndim :]
    rows = inputs.reshape(segment_ids.size, *rest)
    groups: list[list[int]] = [[] for _ in range(count)]
    for row, number in enumerate(segment_ids.reshape(-1).tolist()):
        if not 0 <= number < count:
            raise InvalidArgumentError(f"segment_ids: {number} is not in [0, {count})")
        groups[number].append(row)
    result = np.empty((count, *rest), object)
    for place in np.ndindex(result.shape):
        result[place] = separator.join(rows[row, *place[1:]] for row in groups[place[0]])
    return result


def _segment_infer(
    inputs: TensorSpec, segment_ids: TensorSpec, num_segments: TensorSpec, *, separator: bytes
) -> TensorSpec:
    _scalar(num_segments, "num_segments")
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
    doc="The strings of each segment joined, along the leading axes that the segment numbers have.",
)
