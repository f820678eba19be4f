"""Specs on the command line: what a function is traced for, as ``f32[3, ?]`` or a Python literal.

The grammar is that of the types in drawings and in the texts of graphs; ``graph`` makes specs of
the runtime of it.
"""

from __future__ import annotations

import difflib
import re
from typing import NamedTuple

from autograph.conversion.module_source import FileError

SHORT = {
    "bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64", "i8": "int8",
    "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16",
    "u32": "uint32", "u64": "uint64", "c64": "complex64", "c128": "complex128", "str": "string",
}  # fmt: skip
DTYPES = (*SHORT.values(), "bool")
_FORM = re.compile(r"\s*([A-Za-z]\w*)\s*(?:\[(.*)\])?\s*", re.DOTALL)
_UNKNOWN = ("?", "None", "-1")


class ArgumentSpec(NamedTuple):
    """Dtype and shape of an argument; None stands for an unknown size, or for an unknown rank."""

    dtype: str
    sizes: tuple[int | None, ...] | None


def spec_of(text: str) -> ArgumentSpec | None:
    """Return the spec that a text writes; None when it does not have the form of one.

    FileError for an unknown dtype, or for what is no size.
    """
    form = _FORM.fullmatch(text)
    if form is None or form[2] is None and SHORT.get(form[1], form[1]) not in DTYPES:
        return None
    dtype = SHORT.get(form[1], form[1])
    if dtype not in DTYPES:
        close = difflib.get_close_matches(form[1], [*DTYPES, *SHORT], n=1)
        meant = f", did you mean {close[0]}?" if close else f"; there are {', '.join(DTYPES)}"
        raise FileError(f"there is no dtype {form[1]}{meant}", text)
    return ArgumentSpec(dtype, _sizes(form[2] or "", text))


def _sizes(inside: str, text: str) -> tuple[int | None, ...] | None:
    inside = inside.strip()
    inside = inside.removesuffix(",") or inside
    if inside in ("*", "..."):
        return None
    sizes: list[int | None] = []
    for size_text in map(str.strip, inside.split(",")) if inside else ():
        if size_text in _UNKNOWN:
            sizes.append(None)
        elif size_text.isdecimal() and size_text.isascii():
            sizes.append(int(size_text))
        else:
            raise FileError(
                f"{size_text!r} is no size; write a number, or ? for an unknown one", text
            )
    return tuple(sizes)
