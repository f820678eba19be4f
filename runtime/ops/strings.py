"""Rows about strings, which are bytes in object arrays: length, case, joining, numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.dtypes import Array, DType, as_dtype, bool_, float32, int32, string
from runtime.errors import InvalidArgumentError
from runtime.facets.arguments import listed, static_axis, whole_numbers
from runtime.facets.infer import broadcast, reduced_shape, same, same_as
from runtime.facets.kernels import check_axes
from runtime.facets.samples import Case, array, case
from runtime.op import ELEMENTWISE, TAKES_WEAK, Op, define
from runtime.types import TensorSpec

__all__: list[str] = []

TEXT = "O"


def _each(function: Callable[..., Any], dtype: Any, *arrays: Any) -> Any:
    """The results of a function of single elements, in an array of ``dtype``."""
    joint = np.broadcast_arrays(*arrays)
    result = np.empty(joint[0].shape, dtype)
    for i in np.ndindex(result.shape):
        result[i] = function(*[a[i] for a in joint])
    return result


def _words() -> list[Case]:
    return [case(["Abc", " x ", "", "größe"]), case("one")]


def _by_word(name: str, function: Callable[[bytes], bytes], label: str, doc: str) -> Op:
    return define(
        name, inputs="input", kernel=lambda x: _each(function, object, x), infer=same, kinds=TEXT,
        grad=None, label=label, traits=(ELEMENTWISE,), samples=_words, doc=doc,
    )  # fmt: skip


lower_op = _by_word(
    "string_lower", lambda s: s.decode().lower().encode(), "StringLower", "In lower case."
)
upper_op = _by_word(
    "string_upper", lambda s: s.decode().upper().encode(), "StringUpper", "In upper case."
)
strip_op = _by_word("string_strip", bytes.strip, "StringStrip", "Without blanks at both ends.")


def lower(input: Any, encoding: str = "", name: str | None = None) -> Any:
    """Each string in lower case."""
    return lower_op(input, name=name)


def upper(input: Any, encoding: str = "", name: str | None = None) -> Any:
    """Each string in upper case."""
    return upper_op(input, name=name)


def strip(input: Any, name: str | None = None) -> Any:
    """Each string without white space at both ends."""
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
        len if unit == "BYTE" else lambda s: len(s.decode()), np.int32, x
    ),
    infer=lambda x, *, unit: TensorSpec(x.shape, int32),
    kinds=TEXT,
    grad=None,
    label="StringLength",
    traits=(ELEMENTWISE,),
    samples=lambda: [Case(c.inputs, {"unit": u}) for c in _words() for u in UNITS],
    doc="The length of each string in bytes or characters.",
)


def length(input: Any, unit: str = "BYTE", name: str | None = None) -> Any:
    """The length of each string, in bytes or in characters (``unit='UTF8_CHAR'``)."""
    return length_op(input, unit=_check_unit(unit), name=name)


def _join_strings(*inputs: Array, separator: bytes) -> Any:
    return _each(lambda *parts: separator.join(parts), object, *inputs)


join_op = define(
    "string_join",
    inputs="*inputs",
    kernel=_join_strings,
    infer=lambda *inputs, separator: broadcast(*inputs),
    kinds=TEXT,
    grad=None,
    label="StringJoin",
    traits=(ELEMENTWISE,),
    samples=lambda: [case(["a", "b"], "-", ["c", "d"], separator=b"/"), case("x", separator=b"")],
    doc="The strings of several tensors joined element by element.",
)


def join(inputs: Any, separator: str = "", name: str | None = None) -> Any:
    """The strings of several tensors joined, element by element, by ``separator``."""
    return join_op(*listed(inputs, "inputs"), separator=_bytes(separator), name=name)


def _bytes(text: Any) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text)


def _reduce_join(x: Array, *, axis: Any, keepdims: bool, separator: bytes) -> Any:
    check_axes(x, axis)
    axes = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    gone = [a % x.ndim for a in axes]
    rest = [i for i in range(x.ndim) if i not in gone]
    rows = np.transpose(x, rest + gone).reshape(*[x.shape[i] for i in rest], -1)
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
    kinds=TEXT,
    grad=None,
    label="ReduceJoin",
    samples=lambda: [
        Case((array([["a", "b"], ["c", "d"]]),), {"axis": a, "keepdims": k, "separator": b"-"})
        for a in (None, 0, -1, (1, 0))
        for k in (False, True)
    ],
    doc="The strings along axes joined.",
)


def reduce_join(inputs: Any, axis: Any = None, keepdims: bool = False, separator: str = "",
                name: str | None = None) -> Any:  # fmt: skip
    """The strings along ``axis`` (all by default) joined by ``separator``."""
    attrs = {"axis": static_axis(axis), "keepdims": bool(keepdims), "separator": _bytes(separator)}
    return reduce_join_op(inputs, name=name, **attrs)


def _substr(x: Array, pos: Array, count: Array, *, unit: str) -> Any:
    def one(text: bytes, start: Any, size: Any) -> bytes:
        whole: Any = text if unit == "BYTE" else text.decode()
        if not -len(whole) <= start <= len(whole):
            raise InvalidArgumentError(f"pos {start} out of range for string {whole!r}")
        first = start + len(whole) if start < 0 else start
        part = whole[first : first + size]
        return part if unit == "BYTE" else part.encode()

    return _each(one, object, x, pos, count)


substr_op = define(
    "substr",
    inputs="input pos len",
    together=slice(0, 1),
    kernel=_substr,
    infer=lambda x, pos, count, *, unit: TensorSpec(broadcast(x, pos, count).shape, string),
    kinds=TEXT,
    grad=None,
    label="Substr",
    traits=(ELEMENTWISE,),
    samples=lambda: [case(["hello", "größe"], [1, -2], 3, unit="UTF8_CHAR")],
    doc="A part of each string.",
)


def substr(input: Any, pos: Any, len: Any, unit: str = "BYTE", name: str | None = None) -> Any:
    """The part of each string that starts at ``pos`` and has at most ``len`` bytes (characters)."""
    first, count = whole_numbers(pos, "pos"), whole_numbers(len, "len")
    return substr_op(input, first, count, unit=_check_unit(unit), name=name)


def _to_number(x: Array, *, out_type: DType) -> Any:
    def one(text: bytes) -> Any:
        try:
            return int(text) if out_type.is_integer else float(text)
        except ValueError:
            raise InvalidArgumentError(
                f"StringToNumberOp could not correctly convert string: {text.decode()}"
            ) from None

    return _each(one, out_type.as_numpy_dtype, x)


to_number_op = define(
    "string_to_number",
    inputs="input",
    kernel=_to_number,
    infer=lambda x, *, out_type: TensorSpec(x.shape, out_type),
    kinds=TEXT,
    grad=None,
    label="StringToNumber",
    traits=(ELEMENTWISE,),
    samples=lambda: [case(["1.5", "-2", "inf"], out_type=float32), case("7", out_type=int32)],
    doc="The numbers that strings spell.",
)


def to_number(input: Any, out_type: Any = float32, name: str | None = None) -> Any:
    """The numbers that strings spell; InvalidArgumentError for one that spells none."""
    return to_number_op(input, out_type=as_dtype(out_type), name=name)


def _as_string(x: Array, *, precision: int, scientific: bool) -> Any:
    digits = 6 if precision < 0 else precision

    def one(value: Any) -> bytes:
        if isinstance(value, bytes):
            return value
        if isinstance(value, np.bool_):
            return b"true" if value else b"false"
        if isinstance(value, np.floating):
            return f"{value:.{digits}{'e' if scientific else 'f'}}".encode()
        return str(value).encode()

    return _each(one, object, x)


as_string_op = define(
    "as_string",
    inputs="input",
    together=None,
    kernel=_as_string,
    infer=lambda x, *, precision, scientific: TensorSpec(x.shape, string),
    grad=None,
    label="AsString",
    traits=(ELEMENTWISE,),
    samples=lambda: [
        case([1.5, np.nan], precision=-1, scientific=False),
        case([True, False], precision=2, scientific=False),
        case(12, precision=-1, scientific=False),
    ],
    doc="Each element written out.",
)


def as_string(input: Any, precision: int = -1, scientific: bool = False,
              name: str | None = None) -> Any:  # fmt: skip
    """Each element as a string; floats with ``precision`` (6) decimals."""
    return as_string_op(input, precision=int(precision), scientific=bool(scientific), name=name)


def _regex_replace(x: Array, *, pattern: bytes, rewrite: bytes, count: int) -> Any:
    found = re.compile(pattern)
    return _each(lambda s: found.sub(rewrite, s, count=count), object, x)


regex_replace_op = define(
    "regex_replace",
    inputs="input",
    kernel=_regex_replace,
    infer=same,
    kinds=TEXT,
    grad=None,
    label="RegexReplace",
    traits=(ELEMENTWISE,),
    samples=lambda: [case(["aXbX", "c"], pattern=b"X", rewrite=b"-", count=0)],
    doc="What a regular expression matches, replaced.",
)


def regex_replace(input: Any, pattern: str, rewrite: str, replace_global: bool = True,
                  name: str | None = None) -> Any:  # fmt: skip
    """What ``pattern`` matches replaced by ``rewrite`` (in which ``\\\\1`` is the first group)."""
    attrs = {"pattern": _bytes(pattern), "rewrite": _bytes(rewrite)}
    return regex_replace_op(input, count=0 if replace_global else 1, name=name, **attrs)


regex_match_op = define(
    "regex_full_match",
    inputs="input",
    kernel=lambda x, *, pattern: _each(
        lambda s: re.fullmatch(pattern, s) is not None, np.bool_, x
    ),
    infer=lambda x, *, pattern: same_as(bool_)(x),
    kinds=TEXT,
    grad=None,
    label="RegexFullMatch",
    traits=(ELEMENTWISE,),
    samples=lambda: [case(["ab", "abc"], pattern=b"a.")],
    doc="Whether a regular expression matches the whole string.",
)


def regex_full_match(input: Any, pattern: str, name: str | None = None) -> Any:
    """Whether ``pattern`` matches each whole string."""
    return regex_match_op(input, pattern=_bytes(pattern), name=name)


def _texts() -> list[Case]:
    return [case([1, 2], 3.5, render=lambda *arrays: " ".join(map(str, arrays)))]


text_op = define(
    "text",
    inputs="*inputs",
    together=None,
    kernel=lambda *values, render: render(*values).encode(),
    infer=lambda *values, render: TensorSpec((), string),
    grad=None,
    label="Text",
    traits=(TAKES_WEAK,),
    samples=_texts,
    doc="The text that ``render(*arrays)`` makes, as Python's f-strings, ``%`` and ``str`` do.",
)
