"""Prints literals: numbers, strings, docstrings and the quotes of f-strings.

Used by ``emit``; works on values, not on trees.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

INFINITY = f"1e{sys.float_info.max_10_exp + 1}"

QUOTES = ("'", '"', '"""', "'''")
"""The quotes a string may have, best first."""

_LONG = 10_000  # bits; longer numbers may pass Python's limit of decimal digits


def spelled(value: object) -> str:
    """Return the source of a constant other than a string that needs special quotes.

    A value that has no literal (NaN, a negative number) becomes a parenthesised expression.
    """
    if value is Ellipsis:
        return "..."
    if isinstance(value, tuple):
        items = ", ".join(map(spelled, value))
        return f"({items},)" if len(value) == 1 else f"({items})"
    if isinstance(value, complex):
        return _complex(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > _LONG:
        return hex(value)
    return repr(value)


def docstring(text: str) -> str:
    """Return a triple-quoted string whose value is exactly ``text``."""
    return f'"""{escaped(text, QUOTES[2])}"""'


def escaped(text: str, quote: str) -> str:
    """Return ``text`` escaped for two ``quote``; line ends stay in triple quotes."""
    if len(quote) == 3 and text.endswith(quote[0]):
        return f"{escaped(text[:-1], quote)}\\{quote[0]}"
    result = text.replace("\\", "\\\\")
    if len(quote) == 3:
        result = result.replace(quote, f"\\{quote[0]}" * 3)
        keep = "\n\t"
    else:
        result = result.replace(quote, f"\\{quote}")
        keep = ""
    if result.isprintable():
        return result
    return "".join(
        char if char.isprintable() or char in keep else repr(char)[1:-1] for char in result
    )


def inside(outer: Sequence[str]) -> list[str]:
    """Return the quotes usable in a field of f-strings with the quotes ``outer``, before Python
    3.12.
    """
    return [quote for quote in QUOTES if all(outer_quote not in quote for outer_quote in outer)]


def unescaped(value: str | bytes, outer: Sequence[str]) -> str | None:
    """Return a literal for a field of f-strings with the quotes ``outer``, before Python 3.12.

    It holds no backslash and none of those quotes; None when there is no such literal.
    """
    prefix, text = ("b", value.decode("latin-1")) if isinstance(value, bytes) else ("", value)
    if prefix and not text.isascii() or not all(fits(text, quote) for quote in outer):
        return None
    for quote in inside(outer):
        if fits(text, quote):
            return f"{prefix}{quote}{text}{quote}"
    return None


def fits(text: str, quote: str) -> bool:
    """Whether ``text`` can stand between two ``quote`` as it is."""
    if "\\" in text or "\r" in text or "\0" in text or quote in text:
        return False
    if any("\ud800" <= char <= "\udfff" for char in text):
        return False
    return not text.endswith(quote[0]) if len(quote) == 3 else "\n" not in text


def _float(value: float) -> str:
    if value != value:
        return f"({INFINITY} - {INFINITY})"
    text = repr(value).replace("inf", INFINITY)
    return f"({text})" if text[0] == "-" else text


def _complex(value: complex) -> str:
    imaginary = value.imag
    if imaginary != imaginary:
        return f"({_float(value.real)} + ({INFINITY}j - {INFINITY}j))"
    text = repr(complex(0, abs(imaginary))).replace("inf", INFINITY)
    negative = repr(imaginary)[0] == "-"
    if value.real == 0 and not negative and repr(value.real)[0] != "-":
        return text
    return f"({_float(value.real)} {'-' if negative else '+'} {text})"
