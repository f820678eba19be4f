"""Bytes as tensors and tensors as bytes: ``io.decode_raw``, ``serialize_tensor``, base64, gzip.

A serialized tensor is TensorFlow's message TensorProto.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Any

import numpy as np

from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.op import RAISES, OpDef, define
from runtime.ops.rules.samples import case
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.conversion import as_object_scalar
from runtime.types.dtypes import Array, DType, as_dtype, string
from runtime.types.errors import DataLossError, InvalidArgumentError, UnimplementedError
from runtime.types.shapes import SCALAR_SHAPE, TensorShape, TensorSpec
from runtime.types.tensor_message import TensorProto, array_of, message_of

__all__ = [
    "decode_base64", "decode_compressed", "decode_raw", "encode_base64", "parse_tensor",
    "serialize_tensor",
]  # fmt: skip


def _each_text(function: Any, texts: Array) -> Array:
    result = np.empty(texts.shape, object)
    for place in np.ndindex(texts.shape):
        result[place] = function(texts[place])
    return result


def _same_strings(x: TensorSpec, **attrs: Any) -> TensorSpec:
    return TensorSpec(x.shape, string)


def _decode_raw(texts: Array, *, dtype: DType, little_endian: bool, length: int | None) -> Array:
    kind = dtype.as_numpy_dtype(0).dtype
    flat = [bytes(text) for text in np.asarray(texts, object).reshape(-1)]
    if length is not None:
        flat = [text[:length].ljust(length, b"\0") for text in flat]
    sizes = {len(text) for text in flat}
    if len(sizes) > 1:
        raise InvalidArgumentError(
            f"decode_raw: all strings must have the same number of bytes, got {sorted(sizes)}"
        )
    size = sizes.pop() if sizes else 0
    if size % kind.itemsize:
        raise InvalidArgumentError(
            f"Input to decode_raw has length {size} that is not a multiple of {kind.itemsize}, the "
            f"size of {dtype.name}"
        )
    whole = np.frombuffer(b"".join(flat), kind.newbyteorder("<" if little_endian else ">"))
    return whole.astype(kind).reshape(*np.shape(texts), size // kind.itemsize)


def _decode_raw_infer(
    texts: TensorSpec, *, dtype: DType, little_endian: bool, length: int | None
) -> TensorSpec:
    width = None if length is None else length // dtype.size
    return TensorSpec(texts.shape.concatenate(TensorShape([width])), dtype)


decode_raw_op = define(
    "decode_raw",
    inputs="input_bytes",
    dtype_kinds="O",
    kernel=_decode_raw,
    infer=_decode_raw_infer,
    grad=None,
    node_name="DecodeRaw",
    traits=(RAISES,),
    samples=lambda: [
        case(["abcd", "efgh"], dtype=as_dtype("uint16"), little_endian=True, length=None),
        case("abcde", dtype=as_dtype("uint8"), little_endian=True, length=3),
    ],
    doc="Take strings as the bytes of numbers.",
)


def decode_raw(input_bytes: TensorLike, out_type: DTypeLike, little_endian: bool = True,
               fixed_length: int | None = None, name: str | None = None) -> Any:  # fmt: skip
    """Take strings as the bytes of numbers.

    Args:
        input_bytes: string tensor of any shape; the strings have equal lengths.
        out_type: dtype of the numbers: of floats, integers or bools.
        little_endian: whether the first byte of a number is the least significant one.
        fixed_length: number of bytes of each string, longer ones being cut and shorter ones filled
            up with zeros.
    Returns:
        Tensor of dtype ``out_type`` with one more axis, of the numbers of a string.
    Raises:
        InvalidArgumentError: the lengths differ, or are no multiple of a number's.
        ValueError: ``fixed_length`` is no multiple of a number's size.
        TypeError: ``out_type`` is another dtype.
    """
    dtype = as_dtype(out_type)
    if dtype is string or not dtype.size:
        raise TypeError(f"io.decode_raw: no numbers of dtype {dtype.name}")
    if fixed_length is not None and fixed_length % dtype.size:
        raise ValueError(
            f"io.decode_raw: fixed_length {fixed_length} is no multiple of {dtype.size}, the size "
            f"of {dtype.name}"
        )
    return decode_raw_op(
        input_bytes, dtype=dtype, little_endian=bool(little_endian), length=fixed_length, name=name
    )


# -- tensors as messages --------------------------------------------------------------------------


serialize_op = define(
    "serialize_tensor",
    inputs="tensor",
    kernel=lambda x: as_object_scalar(message_of(x).SerializeToString()),
    infer=lambda x: TensorSpec(SCALAR_SHAPE, string),
    grad=None,
    node_name="SerializeTensor",
    samples=lambda: [case([[1.0, 2.0]]), case(["a", "bc"]), case(np.array(True))],
    doc="Encode a tensor as a message.",
)


def _parse_tensor(text: Array, *, dtype: DType) -> Array:
    try:
        array = array_of(TensorProto.FromString(bytes(text[()])))
    except (DataLossError, UnimplementedError) as error:
        raise InvalidArgumentError(f"parse_tensor: could not parse the tensor: {error}") from None
    if array.dtype != dtype.as_numpy_dtype:
        raise InvalidArgumentError(
            f"Type mismatch between parsed tensor ({array.dtype}) and dtype ({dtype.name})"
        )
    return array


parse_op = define(
    "parse_tensor",
    inputs="serialized",
    dtype_kinds="O",
    kernel=_parse_tensor,
    infer=lambda text, *, dtype: TensorSpec(None, dtype),
    grad=None,
    node_name="ParseTensor",
    traits=(RAISES,),
    samples=lambda: [
        case(message_of(np.arange(4.0)).SerializeToString(), dtype=as_dtype("float64")),
    ],
    doc="Decode a tensor from a message.",
)


def serialize_tensor(tensor: TensorLike, name: str | None = None) -> Any:
    """Encode a tensor as a message, TensorFlow's TensorProto.

    Args:
        tensor: tensor of any dtype and shape.
    Returns:
        Scalar of dtype string.
    """
    return serialize_op(convert_to_tensor(tensor), name=name)


def parse_tensor(serialized: TensorLike, out_type: DTypeLike, name: str | None = None) -> Any:
    """Decode a tensor from a message, as ``serialize_tensor`` encodes it.

    Args:
        serialized: string tensor, a scalar.
        out_type: dtype of the tensor.
    Returns:
        Tensor of dtype ``out_type`` and of the shape in the message.
    Raises:
        InvalidArgumentError: the bytes are no tensor, or one of another dtype.
    """
    return parse_op(serialized, dtype=as_dtype(out_type), name=name)


# -- texts of bytes -------------------------------------------------------------------------------


def _encode(text: bytes, pad: bool) -> bytes:
    encoded = base64.urlsafe_b64encode(text)
    return encoded if pad else encoded.rstrip(b"=")


def _decode(text: bytes) -> bytes:
    bare = text.rstrip(b"=")
    try:
        if len(bare) % 4 == 1 or not bare.replace(b"-", b"").replace(b"_", b"").isalnum() and bare:
            raise binascii.Error("another character, or number of them")
        return base64.urlsafe_b64decode(bare + b"=" * (-len(bare) % 4))
    except binascii.Error as error:
        raise InvalidArgumentError(f"decode_base64: {text!r} is no base64: {error}") from None


_BITS = {"GZIP": 31, "ZLIB": 15}


def _inflate(text: bytes, kind: str) -> bytes:
    if not kind:
        return text
    try:
        return zlib.decompress(text, _BITS[kind])
    except zlib.error as error:
        raise InvalidArgumentError(f"decode_compressed: no {kind} data: {error}") from None


def _of_texts(op_name: str, function: Any, node_name: str, doc: str, **sample: Any) -> OpDef:
    return define(
        op_name, inputs="input", dtype_kinds="O", infer=_same_strings, grad=None,
        kernel=lambda x, **attrs: _each_text(lambda text: function(text, **attrs), x),
        node_name=node_name, traits=(RAISES,), doc=doc,
        samples=lambda: [case(["YWI", ""], **sample)],
    )  # fmt: skip


encode_base64_op = _of_texts(
    "encode_base64", _encode, "EncodeBase64", "Encode strings in base64.", pad=True
)
decode_base64_op = _of_texts(
    "decode_base64", _decode, "DecodeBase64", "Decode strings from base64."
)
decode_compressed_op = _of_texts(
    "decode_compressed", _inflate, "DecodeCompressed", "Decompress strings.", kind=""
)


def encode_base64(input: TensorLike, pad: bool = False, name: str | None = None) -> Any:
    """Encode strings in base64, in its alphabet for addresses (RFC 4648, section 5).

    Args:
        input: string tensor.
        pad: whether ``=`` fills the text up to a multiple of four characters.
    Returns:
        String tensor of the shape of ``input``.
    """
    return encode_base64_op(input, pad=bool(pad), name=name)


def decode_base64(input: TensorLike, name: str | None = None) -> Any:
    """Decode strings from base64, in its alphabet for addresses (RFC 4648, section 5).

    Args:
        input: string tensor.
    Returns:
        String tensor of the shape of ``input``.
    Raises:
        InvalidArgumentError: a string is no base64.
    """
    return decode_base64_op(input, name=name)


def decode_compressed(bytes: TensorLike, compression_type: str = "",
                      name: str | None = None) -> Any:  # fmt: skip
    """Decompress strings.

    Args:
        bytes: string tensor.
        compression_type: '', GZIP or ZLIB.
    Returns:
        String tensor of the shape of ``bytes``.
    Raises:
        InvalidArgumentError: a string is not compressed in this way.
        ValueError: ``compression_type`` is another one.
    """
    if compression_type not in ("", *_BITS):
        raise ValueError(f"io.decode_compressed: no compression_type {compression_type!r}")
    return decode_compressed_op(bytes, kind=compression_type, name=name)
