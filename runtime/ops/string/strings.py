"""Op definitions on strings, bytes in object arrays: length, case, joining, numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.ops import dispatch
from runtime.ops.op import ELEMENTWISE, RAISES, TAKES_WEAK, OpDef, define
from runtime.ops.rules.inference import broadcast, reduced_shape, same
from runtime.ops.rules.kernels import check_axes, checked
from runtime.ops.rules.lowering import Control
from runtime.ops.rules.samples import OpSample, array, case
from runtime.ops.rules.static_arguments import listed, static_axis, whole_numbers
from runtime.types.aliases import AxisLike, DTypeLike, TensorLike
from runtime.types.dtypes import (
    Array,
    DType,
    as_dtype,
    float32,
    float64,
    int32,
    int64,
    string,
    uint32,
    uint64,
)
from runtime.types.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.types.shapes import TensorShape, TensorSpec

__all__ = [  # the flat names of TensorFlow 1; the others stand in runtime.strings
    "reduce_join", "string_join", "string_length", "string_strip", "string_to_number", "substr",
]  # fmt: skip

TEXT = "O"


def _each(function: Callable[..., Any], dtype: Any, *arrays: Any) -> Any:
    """The results of a function of single elements, in an array of ``dtype``."""
    joined = np.broadcast_arrays(*arrays)
    result = np.empty(joined[0].shape, dtype)
    for i in np.ndindex(result.shape):
        result[i] = function(*[a[i] for a in joined])
    return result


def _words() -> list[OpSample]:
    return [case(["Abc", " x ", "", "größe"]), case("one")]


strip_op = define(
    "string_strip",
    inputs="input",
    kernel=lambda x: _each(bytes.strip, object, x),
    infer=same,
    dtype_kinds=TEXT,
    grad=None,
    node_name="StringStrip",
    traits=(ELEMENTWISE,),
    samples=_words,
    doc="Remove white space at both ends of strings.",
)


def _by_case(name: str, convert: str, node_name: str, doc: str) -> OpDef:
    def one(text: bytes, encoding: str) -> bytes:
        if not encoding:
            return bytes(getattr(text, convert)())  # of ASCII alone
        return str(getattr(text.decode("utf-8", "replace"), convert)()).encode()

    return define(
        name, inputs="input", infer=lambda x, *, encoding: same(x), dtype_kinds=TEXT, grad=None,
        kernel=lambda x, *, encoding: _each(lambda s: one(s, encoding), object, x),
        node_name=node_name, traits=(ELEMENTWISE,), doc=doc,
        samples=lambda: [
            OpSample(c.inputs, {"encoding": e}) for c in _words() for e in ("", "utf-8")
        ],
    )  # fmt: skip


lower_op = _by_case("string_lower", "lower", "StringLower", "In lower case.")
upper_op = _by_case("string_upper", "upper", "StringUpper", "In upper case.")


def _check_encoding(encoding: str) -> str:
    if encoding not in ("", "utf-8"):
        raise InvalidArgumentError(
            f"only utf-8 or '' (no encoding) is supported, received {encoding}"
        )
    return encoding


def lower(input: TensorLike, encoding: str = "", name: str | None = None) -> Any:
    """Convert strings to lower case.

    Args:
        input: tensor of dtype string.
        encoding: '' for the letters of ASCII, 'utf-8' for those of Unicode.
    Returns:
        Tensor of the shape of ``input`` and of dtype string.
    Raises:
        InvalidArgumentError: ``encoding`` is another one.
    """
    return lower_op(input, encoding=_check_encoding(encoding), name=name)


def upper(input: TensorLike, encoding: str = "", name: str | None = None) -> Any:
    """Convert strings to upper case.

    Args:
        input: tensor of dtype string.
        encoding: '' for the letters of ASCII, 'utf-8' for those of Unicode.
    Returns:
        Tensor of the shape of ``input`` and of dtype string.
    Raises:
        InvalidArgumentError: ``encoding`` is another one.
    """
    return upper_op(input, encoding=_check_encoding(encoding), name=name)


def strip(input: TensorLike, name: str | None = None) -> Any:
    """Remove white space at both ends of strings.

    Args:
        input: tensor of dtype string.
    Returns:
        Tensor of the shape of ``input`` and of dtype string.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError).
    """
    return strip_op(input, name=name)


UNITS = ("BYTE", "UTF8_CHAR")


def _check_unit(unit: str) -> str:
    if unit not in UNITS:
        raise ValueError(f"unit must be one of {', '.join(UNITS)}, got {unit!r}")
    return unit


length_op = define(
    "string_length",
    inputs="input",
    kernel=lambda x, *, unit: _each(
        len if unit == "BYTE" else lambda s: sum(b & 0xC0 != 0x80 for b in s), np.int32, x
    ),
    infer=lambda x, *, unit: TensorSpec(x.shape, int32),
    dtype_kinds=TEXT,
    grad=None,
    node_name="StringLength",
    traits=(ELEMENTWISE,),
    samples=lambda: [OpSample(c.inputs, {"unit": u}) for c in _words() for u in UNITS],
    doc="Compute the length of each string in bytes or characters.",
)


def length(input: TensorLike, unit: str = "BYTE", name: str | None = None) -> Any:
    """Compute the lengths of strings.

    Args:
        input: tensor of dtype string.
        unit: 'BYTE' or 'UTF8_CHAR': what to count.
    Returns:
        Tensor of the shape of ``input`` and of dtype int32.
    Raises:
        ValueError: ``unit`` is another one.
    """
    return length_op(input, unit=_check_unit(unit), name=name)


def _join_infer(*inputs: TensorSpec, separator: bytes) -> TensorSpec:
    shape = TensorShape(())
    for spec in inputs:
        if spec.shape.dims == ():
            continue
        if shape.dims != () and not shape.is_compatible_with(spec.shape):
            raise IncompatibleShapesError(f"Input shapes do not match: {shape} vs. {spec.shape}")
        is_array = shape.dims not in ((), None)
        shape = shape.merge_with(spec.shape) if is_array and spec.shape.dims else spec.shape
    return TensorSpec(shape, string)


def _join_strings(*inputs: Array, separator: bytes) -> Any:
    if not inputs:
        return b""
    return _each(lambda *texts: separator.join(texts), object, *inputs)


join_op = define(
    "string_join",
    inputs="*inputs",
    kernel=checked(_join_strings, _join_infer),
    infer=_join_infer,
    dtype_kinds=TEXT,
    grad=None,
    node_name="StringJoin",
    traits=(ELEMENTWISE,),
    samples=lambda: [case(["a", "b"], "-", ["c", "d"], separator=b"/"), case("x", separator=b"")],
    doc="Join the strings of several tensors element by element.",
)


def join(inputs: Any, separator: str = "", name: str | None = None) -> Any:
    """Join the strings of several tensors, element-wise.

    Args:
        inputs: list of tensors of dtype string; scalars broadcast.
        separator: text between two strings.
    Returns:
        Tensor of the inputs' shape and of dtype string.
    Raises:
        InvalidArgumentError: the shapes do not fit (also a ValueError).
    """
    values = list(inputs) if isinstance(inputs, list | tuple) and not inputs else (
        listed(inputs, "inputs")
    )  # fmt: skip
    texts = [p if hasattr(p, "dtype") else dispatch.convert(p, string) for p in values]
    return join_op(*texts, separator=_bytes(separator), name=name)


def _bytes(text: Any) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text)


def _reduce_join(x: Array, *, axis: Any, keepdims: bool, separator: bytes) -> Any:
    check_axes(x, axis)
    axes = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis[::-1]
    gone = [a % x.ndim for a in axes]  # of several axes, the first named is joined first
    if len(set(gone)) != len(gone):
        raise InvalidArgumentError(f"Duplicate reduction dimension in {list(axes)[::-1]}")
    kept_axes = [i for i in range(x.ndim) if i not in gone]
    size = math.prod([x.shape[i] for i in gone])
    rows = np.transpose(x, kept_axes + gone).reshape(*[x.shape[i] for i in kept_axes], size)
    result = np.empty(rows.shape[:-1], object)
    for i in np.ndindex(result.shape):
        result[i] = separator.join(rows[i])
    return np.expand_dims(result, tuple(gone)) if keepdims else result


def _reduce_join_infer(
    x: TensorSpec, *, axis: Any, keepdims: bool, separator: bytes
) -> TensorSpec:
    return TensorSpec(reduced_shape(x.shape, axis, keepdims), string)


reduce_join_op = define(
    "reduce_join",
    inputs="inputs",
    kernel=_reduce_join,
    infer=_reduce_join_infer,
    dtype_kinds=TEXT,
    grad=None,
    node_name="ReduceJoin",
    samples=lambda: [
        OpSample((array([["a", "b"], ["c", "d"]]),), {"axis": a, "keepdims": k, "separator": b"-"})
        for a in (None, 0, -1, (1, 0))
        for k in (False, True)
    ],
    doc="Join strings along axes.",
)


def reduce_join(inputs: Any, axis: AxisLike | None = None, keepdims: bool = False,
                separator: str = "", name: str | None = None) -> Any:  # fmt: skip
    """Join the strings of a tensor along axes.

    Args:
        inputs: tensor of dtype string.
        axis: axis or axes, joined in this order; by default all.
        keepdims: whether to keep the axes with size 1.
        separator: text between two strings.
    Returns:
        Tensor of dtype string, without the axes.
    Raises:
        InvalidArgumentError: an axis is out of range (also a ValueError).
    """
    attrs = {"axis": static_axis(axis), "keepdims": bool(keepdims), "separator": _bytes(separator)}
    return reduce_join_op(inputs, name=name, **attrs)


def _substr(x: Array, pos: Array, count: Array, *, unit: str) -> Any:
    def one(text: bytes, start: Any, size: Any) -> bytes:
        if size < 0 and unit != "BYTE":
            raise InvalidArgumentError(f"len must not be negative for characters, got {size}")
        characters: Any = text if unit == "BYTE" else text.decode("utf-8", "surrogateescape")
        if not -len(characters) <= start <= len(characters):
            raise InvalidArgumentError(f"pos {start} out of range for string {text!r}")
        first = int(start) + len(characters) if start < 0 else int(start)
        section = characters[first:] if size < 0 else characters[first : first + int(size)]
        return bytes(section if unit == "BYTE" else section.encode("utf-8", "surrogateescape"))

    return _each(one, object, x, pos, count)


def _substr_infer(
    x: TensorSpec, pos: TensorSpec, count: TensorSpec, *, unit: str
) -> TensorSpec:
    if not pos.shape.is_compatible_with(count.shape):
        raise IncompatibleShapesError(
            f"pos and len should have the same shape, got: {pos.shape} vs. {count.shape}"
        )
    return TensorSpec(broadcast(x, pos, count).shape, string)


substr_op = define(
    "substr",
    inputs="input pos len",
    same_dtype_inputs=slice(0, 1),
    kernel=checked(_substr, _substr_infer),
    infer=_substr_infer,
    dtype_kinds=TEXT,
    grad=None,
    node_name="Substr",
    traits=(ELEMENTWISE,),
    samples=lambda: [
        case(["hello", "größe"], [1, -2], [3, 1], unit="UTF8_CHAR"),
        case("abc", 1, -1, unit="BYTE"),
    ],
    doc="Extract a part of each string.",
)  # fmt: skip


def substr(
    input: TensorLike, pos: TensorLike, len: TensorLike, unit: str = "BYTE", name: str | None = None
) -> Any:
    """Extract parts of strings.

    Args:
        input: tensor of dtype string.
        pos: integer tensor that broadcasts: where each part begins, below 0 counted from the end.
        len: integer tensor that broadcasts: the greatest length of each part.
        unit: 'BYTE' or 'UTF8_CHAR': what to count.
    Returns:
        Tensor of the broadcast shape and of dtype string.
    Raises:
        InvalidArgumentError: ``pos`` lies outside of a string.
        ValueError: ``unit`` is another one.
    """
    first, count = whole_numbers(pos, "pos"), whole_numbers(len, "len")
    return substr_op(input, first, count, unit=_check_unit(unit), name=name)


_WHOLE = re.compile(rb"\s*[+-]?\d+\s*")
_HEX = re.compile(rb"\s*[+-]?0[xX][0-9a-fA-F]+\s*")
NUMBERS = (float32, float64, int32, int64, uint32, uint64)


def _number(text: bytes, out_type: DType) -> Any:
    try:
        if out_type.is_integer:
            if not _WHOLE.fullmatch(text) or not out_type.min <= int(text) <= out_type.max:
                raise ValueError
            return int(text)
        if b"_" in text:
            raise ValueError
        return float(int(text, 16) if _HEX.fullmatch(text) else float(text))
    except ValueError:
        raise InvalidArgumentError(
            "StringToNumberOp could not correctly convert string: "
            f"{text.decode('utf-8', 'replace')}"
        ) from None


def _to_number(x: Array, *, out_type: DType) -> Any:
    return _each(lambda text: _number(text, out_type), out_type.as_numpy_dtype, x)


to_number_op = define(
    "string_to_number",
    inputs="input",
    kernel=_to_number,
    infer=lambda x, *, out_type: TensorSpec(x.shape, out_type),
    dtype_kinds=TEXT,
    grad=None,
    node_name="StringToNumber",
    traits=(ELEMENTWISE,),
    samples=lambda: [case(["1.5", "-2", "inf"], out_type=float32), case("7", out_type=int32)],
    doc="Convert strings to the numbers that they spell.",
)


def to_number(input: TensorLike, out_type: DTypeLike = float32, name: str | None = None) -> Any:
    """Convert strings to the numbers that they spell.

    Args:
        input: tensor of dtype string.
        out_type: dtype of the result: float32, float64, or integers of 32 or 64 bits.
    Returns:
        Tensor of the shape of ``input`` and of dtype ``out_type``.
    Raises:
        InvalidArgumentError: a string spells no number, or ``out_type`` is another one.
    """
    dtype = as_dtype(out_type)
    if dtype not in NUMBERS:
        allowed = ", ".join(d.name for d in NUMBERS)
        raise InvalidArgumentError(
            f"Value for attr 'out_type' of {dtype.name} is not in the list of allowed values: "
            f"{allowed}"
        )
    return to_number_op(input, out_type=dtype, name=name)


def read_number(text: bytes, dtype: DType, decoded: bool) -> Any:
    """What ``int`` or ``float`` make of a text; as they do, ValueError where that is nothing.

    OverflowError for an int of more than 64 bits.
    """
    characters = text.decode() if decoded else text
    if dtype is float64:
        return float(characters)
    number = int(characters)
    if not int64.min <= number <= int64.max:
        raise OverflowError(f"a staged int has 64 bits, and int({characters!r}) needs more")
    return number


def _spells(text: bytes, dtype: DType, decoded: bool) -> bool:
    try:
        read_number(text, dtype, decoded)
    except (OverflowError, ValueError):
        return False
    return True


def _spelled(x: Array, *, dtype: DType, decoded: bool) -> tuple[Array, Array]:
    good = _each(lambda text: _spells(text, dtype, decoded), bool, x)

    def number(text: bytes, is_one: bool) -> Any:
        return read_number(text, dtype, decoded) if is_one else 0

    return _each(number, dtype.as_numpy_dtype, x, good), good


spelled_op = define(
    "spelled_number",
    kernel=_spelled,
    infer=lambda x, *, dtype, decoded: (TensorSpec(x.shape, dtype), TensorSpec(x.shape, bool)),
    dtype_kinds=TEXT,
    grad=None,
    traits=(ELEMENTWISE,),
    samples=lambda: [
        case(["12", " -3 ", "x", "9" * 20], dtype=int64, decoded=False),
        case(["1e3", "nan", "0x1"], dtype=float64, decoded=True),
    ],
    doc="Convert texts as ``int`` or ``float`` do, and tell whether they spell a number.",
)


class Format(NamedTuple):
    """How numbers are written: C's precision, letter, width and filler."""

    precision: int
    letter: str
    width: int
    fill: str

    def written(self, value: Any) -> bytes:
        """One element."""
        if isinstance(value, bytes):
            return value
        if isinstance(value, np.bool_):
            return b"true" if value else b"false"
        if value.dtype.kind == "V":  # bfloat16
            value = np.float32(value)
        flag = self.fill
        width = str(self.width) if self.width >= 0 else ""
        if isinstance(value, np.floating | np.complexfloating):
            digits = "" if self.precision < 0 else f".{self.precision}"
            spec = f"%{flag}{width}{digits}{self.letter}"
            if isinstance(value, np.floating):
                return (spec % float(value)).encode()
            return f"({spec % float(value.real)},{spec % float(value.imag)})".encode()
        return (f"%{flag}{width}d" % int(value)).encode()


def _as_string_infer(x: TensorSpec, *, format: Format) -> TensorSpec:
    inexact = x.dtype.is_floating or x.dtype.is_complex
    if not inexact and (format.precision >= 0 or format.letter != "f"):
        feature = "precision" if format.precision >= 0 else "scientific and shortest format"
        raise InvalidArgumentError(f"{feature} not supported for datatype {x.dtype.name}")
    return TensorSpec(x.shape, string)


_PLAIN = Format(-1, "f", -1, "")

as_string_op = define(
    "as_string",
    inputs="input",
    same_dtype_inputs=None,
    kernel=checked(lambda x, *, format: _each(format.written, object, x), _as_string_infer),
    infer=_as_string_infer,
    grad=None,
    node_name="AsString",
    traits=(ELEMENTWISE,),
    samples=lambda: [
        case([1.5, np.nan], format=_PLAIN),
        case([True, False], format=_PLAIN),
        case(12, format=Format(-1, "f", 6, "0")),
        case(1.25, format=Format(3, "e", -1, "")),
    ],
    doc="Format each element as a string.",
)


def as_string(input: TensorLike, precision: int = -1, scientific: bool = False,
              shortest: bool = False, width: int = -1, fill: str = "",
              name: str | None = None) -> Any:  # fmt: skip
    """Format each element as a string.

    Args:
        input: tensor of a numeric, bool or string dtype.
        precision: number of decimals of floats; 6 by default.
        scientific: whether to write exponents.
        shortest: whether to choose the shorter notation, as C's ``%g``.
        width: least number of characters.
        fill: what fills up the width: blanks, '0', or '-' for blanks on the right.
    Returns:
        Tensor of the shape of ``input`` and of dtype string.
    Raises:
        InvalidArgumentError: both notations are asked for, ``fill`` is unknown, or a precision is
            given for integers.
    """
    if scientific and shortest:
        raise InvalidArgumentError("Cannot select both scientific and shortest notation")
    if fill not in ("", " ", "0", "-", "+"):
        raise InvalidArgumentError(f"Fill argument not supported: {fill!r}")
    letter = "e" if scientific else "g" if shortest else "f"
    written = Format(int(precision), letter, int(width), fill)
    return as_string_op(input, format=written, name=name)


def _texts() -> list[OpSample]:
    return [case([1, 2], 3.5, render=lambda *arrays: " ".join(map(str, arrays)))]


text_op = define(
    "text",
    inputs="*inputs",
    same_dtype_inputs=None,
    kernel=lambda *values, render: render(*values).encode(),
    infer=lambda *values, render: TensorSpec((), string),
    grad=None,
    node_name="Text",
    traits=(RAISES, TAKES_WEAK),
    lower=Control("text"),
    samples=_texts,
    doc="Format arrays by ``render(*arrays)``, as Python's f-strings, ``%`` and ``str`` do.",
)


string_join = join
string_length = length
string_strip = strip
string_to_number = to_number
