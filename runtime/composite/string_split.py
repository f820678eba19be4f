"""Public functions that split strings: a scalar into a vector, others into a RaggedTensor.

The op definitions are in string_split_ops.py; they take one vector of strings.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.composite import ngrams_ops
from runtime.composite import string_split_ops as ops
from runtime.composite.ngrams_ops import Grams
from runtime.composite.ragged_ops import RaggedTensor
from runtime.composite.string_split_ops import Coding
from runtime.ops.array.constants import cast_op, convert_to_tensor
from runtime.ops.array.creation import range as range_of
from runtime.ops.array.shape import reshape, shape
from runtime.ops.control_flow.print_assert import shown
from runtime.ops.string import strings as texts
from runtime.types.aliases import AxisLike, TensorLike
from runtime.types.dtypes import int32, int64, string
from runtime.types.errors import InvalidArgumentError

__all__: list[str] = []


def _bytes(text: Any) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text)


def _apart(input: Any, row: Callable[[Any], Sequence[Any]]) -> list[Any]:
    """Lay out the parts of each string: as vectors for a scalar, else as ragged tensors.

    The row's last output says where the parts of each string end.
    """
    if isinstance(input, RaggedTensor):
        return [input.with_values(column) for column in _apart(input.values, row)]
    tensor = convert_to_tensor(input, string)
    rank = tensor.shape.rank
    if rank is None:
        raise ValueError(
            "the rank of the strings must be known to take them apart: set their shape with "
            "runtime.ensure_shape"
        )
    if rank == 0:
        return list(row(reshape(tensor, [1]))[:-1])
    *values, ends = row(reshape(tensor, [-1]))
    columns = [RaggedTensor(value, ends) for value in values]
    for axis in reversed(range(1, rank)):  # the axes of the input are rows of equal lengths
        sizes = shape(tensor)
        count, width = reshape_product(sizes[:axis]), sizes[axis]
        splits = cast_op(range_of(count + 1) * width, dtype=int64)
        columns = [RaggedTensor(column, splits) for column in columns]
    return columns


def reshape_product(sizes: Any) -> Any:
    """Compute the product of a vector of sizes, a scalar."""
    product = sizes[0]
    for k in range(1, sizes.shape[0]):
        product = product * sizes[k]
    return product


def split(input: TensorLike, sep: Any = None, maxsplit: int = -1, name: str | None = None) -> Any:
    """Split strings at a separator.

    Args:
        input: tensor or RaggedTensor of strings, of known rank.
        sep: separator; None or an empty one splits at white space.
        maxsplit: greatest number of splits; -1 for no limit.
    Returns:
        Strings: of a scalar a vector, otherwise a RaggedTensor.
    Raises:
        ValueError: the rank is unknown.
    """
    mark = convert_to_tensor(b"" if sep is None else sep, string)

    def row(flat: Any) -> Any:
        return ops.split_op(flat, mark, maxsplit=int(maxsplit), name=name)

    return _apart(input, row)[0]


def bytes_split(input: TensorLike, name: str | None = None) -> Any:
    """Split strings into bytes.

    Args:
        input: tensor or RaggedTensor of strings, of known rank.
    Returns:
        Strings of one byte: of a scalar a vector, otherwise a RaggedTensor.
    Raises:
        ValueError: the rank is unknown.
    """
    return _apart(input, lambda flat: ops.bytes_op(flat, name=name))[0]


_ENCODINGS = ("UTF-8", "UTF-16-BE", "UTF-32-BE")


def _coding(encoding: str, errors: str, replacement: int, control: bool = False,
            reading: bool = False) -> Coding:  # fmt: skip
    """Return the encoding; raise ValueError for an unknown one."""
    if errors not in ("strict", "replace", "ignore"):
        raise ValueError(f"errors must be 'strict', 'replace' or 'ignore', got {errors!r}")
    if not reading and encoding.upper() not in _ENCODINGS:
        raise ValueError(f"the encoding must be one of {', '.join(_ENCODINGS)}, got {encoding!r}")
    coding = Coding(encoding, errors, int(replacement), bool(control))
    try:
        codecs.lookup(coding.codec)
    except LookupError:
        raise InvalidArgumentError(
            f"Could not create converter for input encoding: {encoding}"
        ) from None
    return coding


def unicode_decode(input: TensorLike, input_encoding: str, errors: str = "replace",
                   replacement_char: int = 65533, replace_control_characters: bool = False,
                   name: str | None = None) -> Any:  # fmt: skip
    """Decode strings into the code points of their characters.

    Args:
        input: tensor or RaggedTensor of strings, of known rank.
        input_encoding: name of the encoding of the strings, such as 'UTF-8'.
        errors: 'strict' raises InvalidArgumentError for malformed text, 'replace' replaces it,
            'ignore' drops it.
        replacement_char: number of the character that replaces malformed text.
        replace_control_characters: whether control characters are replaced, too.
    Returns:
        Tensor of int32: of a scalar a vector, otherwise a RaggedTensor.
    Raises:
        ValueError: ``errors`` is another text, or the rank is unknown.
        InvalidArgumentError: the encoding is unknown.
    """
    return unicode_decode_with_offsets(
        input, input_encoding, errors, replacement_char, replace_control_characters, name
    )[0]


def unicode_decode_with_offsets(
    input: TensorLike, input_encoding: str, errors: str = "replace", replacement_char: int = 65533,
    replace_control_characters: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """Decode strings into the code points and the positions of their characters.

    Args:
        input: tensor or RaggedTensor of strings, of known rank.
        input_encoding: name of the encoding of the strings, such as 'UTF-8'.
        errors: 'strict' raises InvalidArgumentError for malformed text, 'replace' replaces it,
            'ignore' drops it.
        replacement_char: number of the character that replaces malformed text.
        replace_control_characters: whether control characters are replaced, too.
    Returns:
        Pair of the numbers, int32, and the positions of their first bytes, int64: of a scalar a
            vector, otherwise a RaggedTensor.
    Raises:
        ValueError: ``errors`` is another text, or the rank is unknown.
        InvalidArgumentError: the encoding is unknown.
    """
    coding = _coding(
        input_encoding, errors, replacement_char, replace_control_characters, reading=True
    )
    row = ops.unicode_decode_op
    return tuple(_apart(input, lambda flat: row(flat, coding=coding, name=name)))


def unicode_split(input: TensorLike, input_encoding: str, errors: str = "replace",
                  replacement_char: int = 65533, name: str | None = None) -> Any:  # fmt: skip
    """Split strings into characters.

    Args:
        input: tensor or RaggedTensor of strings, of known rank.
        input_encoding: name of the encoding of the strings, 'UTF-8', 'UTF-16-BE' or 'UTF-32-BE'.
        errors: 'strict' raises InvalidArgumentError for malformed text, 'replace' replaces it,
            'ignore' drops it.
        replacement_char: number of the character that replaces malformed text.
    Returns:
        Strings of one character in that encoding: of a scalar a vector, otherwise a RaggedTensor.
    Raises:
        ValueError: ``errors`` is another text, or the rank is unknown.
        InvalidArgumentError: the encoding is unknown.
    """
    return unicode_split_with_offsets(input, input_encoding, errors, replacement_char, name)[0]


def unicode_split_with_offsets(
    input: TensorLike, input_encoding: str, errors: str = "replace", replacement_char: int = 65533,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Split strings into characters and their positions.

    Args:
        input: tensor or RaggedTensor of strings, of known rank.
        input_encoding: name of the encoding of the strings, 'UTF-8', 'UTF-16-BE' or 'UTF-32-BE'.
        errors: 'strict' raises InvalidArgumentError for malformed text, 'replace' replaces it,
            'ignore' drops it.
        replacement_char: number of the character that replaces malformed text.
    Returns:
        Pair of the characters and the positions of their first bytes, int64: of a scalar a vector,
            otherwise a RaggedTensor.
    Raises:
        ValueError: ``errors`` is another text, or the rank is unknown.
        InvalidArgumentError: the encoding is unknown.
    """
    codes, places = unicode_decode_with_offsets(
        input, input_encoding, errors, replacement_char, name=name
    )
    coding = _coding(input_encoding, "replace", replacement_char)

    def written(flat: Any) -> Any:
        return ops.unicode_encode_op(reshape(flat, [-1, 1]), coding=coding)

    if isinstance(codes, RaggedTensor):
        return codes.with_flat_values(written(codes.flat_values)), places
    return written(codes), places


def unicode_encode(input: TensorLike, output_encoding: str, errors: str = "replace",
                   replacement_char: int = 65533, name: str | None = None) -> Any:  # fmt: skip
    """Encode code points along the last axis as strings.

    Args:
        input: tensor or RaggedTensor of int32, of rank 1 or more.
        output_encoding: 'UTF-8', 'UTF-16-BE' or 'UTF-32-BE'.
        errors: 'strict' raises InvalidArgumentError for numbers that are no characters, 'replace'
            replaces it, 'ignore' drops it.
        replacement_char: number of the character that replaces a number that is none.
    Returns:
        Tensor or RaggedTensor of strings without the last axis.
    Raises:
        ValueError: ``input`` is a scalar, or ``errors`` or the encoding is another text.
    """
    coding = _coding(output_encoding, errors, replacement_char)
    if isinstance(input, RaggedTensor):
        if isinstance(input.values, RaggedTensor):
            inner = unicode_encode(input.values, output_encoding, errors, replacement_char)
            return input.with_values(inner)
        return ops.encode_rows_op(input.values, input.row_splits, coding=coding, name=name)
    tensor = convert_to_tensor(input, dtype_hint=int32)
    if tensor.shape.dims == ():
        raise ValueError("input_tensor's rank must be at least 1.")
    return ops.unicode_encode_op(tensor, coding=coding, name=name)


def unicode_transcode(
    input: TensorLike, input_encoding: str, output_encoding: str, errors: str = "replace",
    replacement_char: int = 65533, replace_control_characters: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Convert strings from one encoding to another.

    Args:
        input: tensor of strings.
        input_encoding: name of the encoding of the strings, such as 'UTF-8'.
        output_encoding: 'UTF-8', 'UTF-16-BE' or 'UTF-32-BE'.
        errors: 'strict' raises InvalidArgumentError for malformed text, 'replace' replaces it,
            'ignore' drops it.
        replacement_char: number of the character that replaces malformed text.
        replace_control_characters: whether control characters are replaced, too.
    Returns:
        Tensor of strings in the shape of ``input``.
    Raises:
        ValueError: ``errors`` or the output encoding is another text.
        InvalidArgumentError: the input encoding is unknown.
    """
    coding = _coding(
        input_encoding, errors, replacement_char, replace_control_characters, reading=True
    )
    out = _coding(output_encoding, errors, replacement_char).encoding
    return ops.transcode_op(input, coding=coding, output=out, name=name)


def ngrams(
    data: TensorLike, ngram_width: Any, separator: str = " ", pad_values: Any = None,
    padding_width: int | None = None, preserve_short_sequences: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Join neighbouring strings along the last axis.

    Args:
        data: tensor or RaggedTensor of strings.
        ngram_width: number of neighbours, or several numbers.
        separator: text between joined strings.
        pad_values: string for both ends, or a pair of one for each end; None for no padding.
        padding_width: number of padding strings at each end; by default the width less one.
        preserve_short_sequences: whether a sequence too short for any width is joined as a whole.
    Returns:
        Tensor or RaggedTensor of strings.
    Raises:
        ValueError: a width is not positive, or ``padding_width`` is given without ``pad_values``.
    """
    widths = (ngram_width,) if isinstance(ngram_width, int) else tuple(ngram_width)
    if not widths or any(width < 1 for width in widths):
        raise ValueError(f"All ngram_widths must be greater than 0. Received: {ngram_width}")
    if padding_width is not None and pad_values is None:
        raise ValueError("pad_values must be provided if padding_width is set.")
    if padding_width is not None and padding_width < 1:
        raise ValueError(f"padding_width must be greater than 0. Received: {padding_width}")
    sides = pad_values if isinstance(pad_values, tuple | list) else (pad_values, pad_values)
    pads = (b"", b"") if pad_values is None else tuple(map(_bytes, sides))
    padding = 0 if pad_values is None else -1 if padding_width is None else padding_width
    grams = Grams(
        widths, _bytes(separator), pads[0], pads[1], padding, bool(preserve_short_sequences)
    )
    if isinstance(data, RaggedTensor):
        rows = data.values, data.row_splits
        values, ends = ngrams_ops.ngrams_rows_op(*rows, grams=grams, name=name)
        return RaggedTensor(values, ends)
    return ngrams_ops.ngrams_op(data, grams=grams, name=name)


def reduce_join(inputs: Any, axis: AxisLike | None = None, keepdims: bool = False,
                separator: str = "", name: str | None = None) -> Any:  # fmt: skip
    """Join strings along axes.

    Args:
        inputs: tensor or RaggedTensor of strings; the latter is joined along axis 1.
        axis: an axis, or several, joined in this order; None for all.
        keepdims: whether the axes stay, with size 1.
        separator: text between joined strings.
    Returns:
        Tensor of strings without the axes, unless ``keepdims``.
    Raises:
        ValueError: ``inputs`` is ragged, and ``axis`` or ``keepdims`` are others.
    """
    if not isinstance(inputs, RaggedTensor):
        return texts.reduce_join(inputs, axis, keepdims, separator, name)
    if axis not in (1, -1) or keepdims or isinstance(inputs.values, RaggedTensor):
        raise ValueError(
            "a RaggedTensor of strings is joined along its rows, axis=1, without keepdims; for "
            "anything else use ragged.to_tensor()"
        )
    mark = _bytes(separator)
    return ops.join_rows_op(inputs.values, inputs.row_splits, separator=mark, name=name)


def unsorted_segment_join(inputs: Any, segment_ids: TensorLike, num_segments: TensorLike,
                          separator: str = "", name: str | None = None) -> Any:  # fmt: skip
    """Join the strings of each segment in order.

    Args:
        inputs: tensor of strings.
        segment_ids: tensor of integers, whose shape is a prefix of that of ``inputs``.
        num_segments: number of segments, a scalar.
        separator: text between joined strings.
    Returns:
        Tensor of strings, of shape ``[num_segments, ...]``.
    Raises:
        InvalidArgumentError: an id is no segment.
    """
    return ops.segment_join_op(
        inputs, segment_ids, num_segments, separator=_bytes(separator), name=name
    )


def format(template: str, inputs: Any, placeholder: str = "{}", summarize: int = 3,
           name: str | None = None) -> Any:  # fmt: skip
    """Format tensors into a text, as ``runtime.print`` shows them.

    Args:
        template: text with placeholders.
        inputs: tensor or list of tensors.
        placeholder: text that each tensor replaces.
        summarize: number of elements to show at the ends of an axis; -1 for all.
    Returns:
        Scalar string.
    Raises:
        ValueError: there are not as many placeholders as tensors.
    """
    values = list(inputs) if isinstance(inputs, list | tuple) else [inputs]
    tensors = [convert_to_tensor(value) for value in values]
    pieces = template.split(placeholder)
    if len(pieces) - 1 != len(tensors):
        raise ValueError(
            f"The template expects {len(pieces) - 1} tensors, but the inputs only has "
            f"{len(tensors)}. Please ensure the number of placeholders in template matches inputs "
            "length."
        )

    def render(*arrays: Any) -> str:
        texts = [shown(np.asarray(array), summarize) for array in arrays]
        return pieces[0] + "".join(t + p for t, p in zip(texts, pieces[1:], strict=True))

    return texts.text_op(*tensors, render=render, name=name or "StringFormat")
