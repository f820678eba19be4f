"""Rows of regular expressions, in RE2's language as TensorFlow has it, run by Python's ``re``.

Patterns are translated: what both languages spell alike but mean differently is spelt for Python,
and what RE2 does not have (look-around, references back) is refused as RE2 refuses it.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from typing import Any

import numpy as np

from runtime.ops.op import MAPS_FIRST, define
from runtime.ops.rules.kernels import checked
from runtime.ops.rules.samples import case
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import bool_, string
from runtime.types.errors import InvalidArgumentError
from runtime.types.shapes import TensorShape, TensorSpec

__all__ = ["regex_replace"]

_POSIX = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": "\\x00-\\x7F", "blank": "\\t ",
    "cntrl": "\\x00-\\x1F\\x7F", "digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~",
    "punct": "!-/:-@\\[-`{-~", "space": "\\t\\n\\v\\f\\r ", "upper": "A-Z", "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}  # fmt: skip


def _invalid(pattern: str, why: str) -> InvalidArgumentError:
    return InvalidArgumentError(f"Invalid pattern: {pattern}, error: {why}")


@functools.lru_cache(maxsize=512)
def compiled(pattern: bytes) -> re.Pattern[str]:
    """A pattern of RE2 as one of Python; InvalidArgumentError for what RE2 refuses."""
    text = pattern.decode("utf-8", "surrogateescape")
    parts: list[str] = []
    in_class = False
    flags: list[list[str]] = [[]]  # those set within each open group, so far
    position = 0
    while position < len(text):
        setting = None if in_class else re.match(r"\(\?([ims]*)(-[ims]+)?\)", text[position:])
        if setting and setting.end() > 3:
            flags[-1].append(f"(?{setting.group(1)}{setting.group(2) or ''}:")
            parts.append(flags[-1][-1])
            position += setting.end()
            continue
        if in_class:
            part, position, in_class = _in_class(text, position)
        else:
            part, position, in_class = _outside(text, position)
            part = _closing(part, flags)
        parts.append(part)
    parts.append(")" * len(flags[0]))
    try:
        return re.compile("".join(parts))
    except (re.error, OverflowError) as error:
        raise _invalid(text, str(error)) from None


def _closing(part: str, flags: list[list[str]]) -> str:
    """A part, with the groups closed that Python needs for flags in the middle of a pattern."""
    if part[0] == "(":
        flags.append([])
    elif part == ")" and len(flags) > 1:
        return ")" * len(flags.pop()) + ")"
    elif part == "|" and flags[-1]:
        return ")" * len(flags[-1]) + "|" + "".join(flags[-1])
    return part


def _outside(text: str, at: int) -> tuple[str, int, bool]:
    """The translation of what stands at a place outside of brackets, and where to go on."""
    rest = text[at:]
    if rest.startswith("\\Q"):
        literal, _, _ = rest[2:].partition("\\E")
        end = at + 2 + len(literal)
        return re.escape(literal), end + 2 if text[end : end + 2] == "\\E" else end, False
    if rest[0] == "\\" and len(rest) > 1:
        return (*_escape(text, at, False), False)
    if rest[0] == "[":
        opening = re.match(r"\[\^?\]?", rest)
        assert opening is not None
        return opening.group().replace("]", "\\]"), at + opening.end(), True
    if rest.startswith("(?"):
        if rest.startswith("(?P="):
            raise _invalid(text, "invalid named capture group: (?P=")
        if not re.match(r"\(\?(:|P?<\w|[ims]*-?[ims]+:)", rest):
            swaps = re.match(r"\(\?[ims]*-?[ims]*U", rest)
            why = "the flag U is not supported here" if swaps else "invalid perl operator"
            raise _invalid(text, f"{why}: {rest[:3]}")
        if rest.startswith("(?<"):
            return "(?P<", at + 3, False
        return "(?", at + 2, False
    if rest[0] == "$" and not re.search(r"\(\?[a-zA-Z]*m", text):
        return "\\Z", at + 1, False  # Python's $ also stands before a newline at the end
    if rest[0] == "{":
        return (*_repetition(text, at), False)
    if rest[:2] in ("*+", "++", "?+"):
        raise _invalid(text, f"bad repetition operator: {rest[:2]}")
    return rest[0], at + 1, False


def _repetition(text: str, at: int) -> tuple[str, int]:
    counts = re.compile(r"\{(\d+)(?:,(\d*))?\}(\+?)").match(text, at)
    if counts is None:
        return "\\{", at + 1  # Python takes {,2} for {0,2}
    if any(int(n) > 1000 for n in counts.groups()[:2] if n):
        raise _invalid(text, f"invalid repetition size: {counts.group()}")
    if counts.group(3):
        raise _invalid(text, f"bad repetition operator: {counts.group()}")
    return counts.group(), counts.end()


_CLASSES = {"d": "0-9", "w": "0-9A-Za-z_", "s": "\\t\\n\\f\\r "}
_BOUNDARIES = {
    "z": "\\Z", "b": "(?a:\\b)", "B": "(?a:\\B|\\A\\Z)",  # Python finds none in an empty text
}  # fmt: skip


def _escape(text: str, at: int, in_class: bool) -> tuple[str, int]:
    """The translation of what begins with a backslash, and where to go on."""
    letter, end = text[at + 1], at + 2
    code = re.compile(r"\\(?:x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{2})|(0[0-7]{0,2}|[1-7][0-7]{1,2}))")
    number = code.match(text, at)
    if number is not None:
        value = int(number.group(1) or number.group(2) or number.group(3), 8 if number[3] else 16)
        if value > 0x10FFFF:
            raise _invalid(text, f"invalid escape sequence: {number.group()}")
        return re.escape(chr(value)), number.end()
    if letter.isdigit() or letter in "xuUNZGkKXR" or letter == "b" and in_class:
        raise _invalid(text, f"invalid escape sequence: \\{letter}")
    if letter == "C":
        raise InvalidArgumentError(
            f"Invalid pattern: {text}, error: \\C is not supported here: texts match by characters"
        )
    if letter.lower() in _CLASSES:
        inside = _CLASSES[letter.lower()]
        return _one_of(inside, letter.isupper(), in_class), end
    if letter in "pP":
        name = re.compile(r"\{(\^?)(\w+)\}|()(\w)").match(text, end)
        if name is None:
            raise _invalid(text, f"invalid character class range: \\{letter}")
        without = (letter == "P") != bool(name[1])
        inside = _category(name[2] or name[4])
        if not inside:
            raise InvalidArgumentError(
                f"Invalid pattern: {text}, error: {name.group()!r} is no general category; Python "
                "does not know scripts: list the characters in brackets"
            )
        return _one_of(inside, without, in_class), name.end()
    if letter in _BOUNDARIES and not in_class:
        return _BOUNDARIES[letter], end
    return f"\\{letter}", end


def _one_of(inside: str, without: bool, in_class: bool) -> str:
    """A class of characters, or its complement, for use between brackets or alone."""
    if in_class:
        return _others(inside) if without else inside
    return f"[^{inside}]" if without else f"[{inside}]"


@functools.lru_cache(maxsize=64)
def _category(name: str) -> str:
    """The characters of a general category of Unicode, as ranges; "" for no category."""
    of = unicodedata.category
    codes = [c for c in range(0x110000) if of(chr(c)).startswith(name) and not 0xD800 <= c < 0xE000]
    return _ranges(codes)


def _ranges(codes: list[int]) -> str:
    """Code points, in order, as ranges between brackets."""
    if not codes:
        return ""
    starts = [c for c, before in zip(codes, [-2, *codes], strict=False) if c != before + 1]
    ends = [c for c, after in zip(codes, [*codes[1:], -2], strict=True) if after != c + 1]
    return "".join(f"\\U{a:08x}-\\U{b:08x}" for a, b in zip(starts, ends, strict=True))


def _in_class(text: str, at: int) -> tuple[str, int, bool]:
    """The translation of what stands at a place between brackets."""
    rest = text[at:]
    posix = re.match(r"\[:(\^?)(\w+):\]", rest)
    if posix:
        if posix.group(2) not in _POSIX:
            raise _invalid(text, f"invalid character class range: {posix.group()}")
        inside = _POSIX[posix.group(2)]
        return _others(inside) if posix.group(1) else inside, at + posix.end(), True
    if rest[0] == "\\" and len(rest) > 1:
        return (*_escape(text, at, True), True)
    if rest[0] == "[":
        return "\\[", at + 1, True
    return rest[0], at + 1, rest[0] != "]"


@functools.lru_cache(maxsize=64)
def _others(inside: str) -> str:
    """All characters but those of a class, for use between brackets."""
    found = re.compile(f"[{inside}]")
    return _ranges([c for c in range(0x110000) if not found.match(chr(c))])


@functools.lru_cache(maxsize=512)
def _rewriting(rewrite: bytes, groups: int) -> tuple[Any, ...]:
    """A rewrite as literal texts and numbers of groups."""
    parts: list[Any] = []
    text = rewrite.decode("utf-8", "surrogateescape")
    for token in re.findall(r"\\.|[^\\]+|\\", text, re.DOTALL):
        if token[0] != "\\":
            parts.append(token)
        elif token[1:].isdigit():
            if int(token[1:]) > groups:
                raise InvalidArgumentError(
                    f"Invalid rewrite: {text}: the pattern has {groups} groups, but the rewrite "
                    f"asks for group {token[1:]}"
                )
            parts.append(int(token[1:]))
        elif token == "\\\\":
            parts.append("\\")
        else:
            raise InvalidArgumentError(f"Invalid rewrite: {text}: {token!r} is no group")
    return tuple(parts)


def _replaced(found: re.Pattern[str], parts: tuple[Any, ...], whole: bytes, every: bool) -> bytes:
    """As RE2 does it: an empty match right behind another match does not count."""
    text = whole.decode("utf-8", "surrogateescape")
    out: list[str] = []
    done, at, last = 0, 0, -1
    while at <= len(text):
        match = found.search(text, at)
        if match is None:
            break
        if match.end() == match.start() == last:
            at = match.end() + 1
            continue
        out.append(text[done : match.start()])
        out += [match.group(p) or "" if isinstance(p, int) else p for p in parts]
        done = last = match.end()
        at = done
        if not every:
            break
        if match.start() == match.end():
            at += 1
    out.append(text[done:])
    return "".join(out).encode("utf-8", "surrogateescape")


def _text(scalar: Any) -> bytes:
    return bytes(np.asarray(scalar, object).item())


def _replace(input: Any, pattern: Any, rewrite: Any, *, every: bool) -> Any:
    found = compiled(_text(pattern))
    parts = _rewriting(_text(rewrite), found.groups)
    result = np.empty(np.shape(input), object)
    for place in np.ndindex(result.shape):
        result[place] = _replaced(found, parts, input[place], every)
    return result


def _replace_infer(
    input: TensorSpec, pattern: TensorSpec, rewrite: TensorSpec, *, every: bool
) -> TensorSpec:
    _check_scalars(pattern=pattern, rewrite=rewrite)
    return TensorSpec(input.shape, string)


def _check_scalars(**specs: TensorSpec) -> None:
    for name, spec in specs.items():
        if not spec.shape.is_compatible_with(TensorShape(())):
            raise InvalidArgumentError(f"{name} must be scalar, but received {spec.shape}")


regex_replace_op = define(
    "regex_replace",
    inputs="input pattern rewrite",
    kernel=checked(_replace, _replace_infer),
    infer=_replace_infer,
    kinds="O",
    grad=None,
    label="RegexReplace",
    traits=(MAPS_FIRST,),
    samples=lambda: [
        case(["aXbX", "c"], "X", "-", every=True), case("größe", "(.)e$", "<\\1>", every=False),
    ],
    doc="What a regular expression matches, replaced.",
)  # fmt: skip


def regex_replace(input: TensorLike, pattern: TensorLike, rewrite: TensorLike,
                  replace_global: bool = True, name: str | None = None) -> Any:  # fmt: skip
    """What ``pattern`` (RE2) matches replaced by ``rewrite``: ``\\\\1`` is the first group.

    InvalidArgumentError for a pattern that RE2 does not take.
    """
    return regex_replace_op(input, pattern, rewrite, every=bool(replace_global), name=name)


def _matches(input: Any, pattern: Any) -> Any:
    found = compiled(_text(pattern))
    result = np.empty(np.shape(input), np.bool_)
    for place in np.ndindex(result.shape):
        text = input[place].decode("utf-8", "surrogateescape")
        result[place] = found.fullmatch(text) is not None
    return result


def _match_infer(input: TensorSpec, pattern: TensorSpec) -> TensorSpec:
    _check_scalars(pattern=pattern)
    return TensorSpec(input.shape, bool_)


regex_match_op = define(
    "regex_full_match",
    inputs="input pattern",
    kernel=checked(_matches, _match_infer),
    infer=_match_infer,
    kinds="O",
    grad=None,
    label="RegexFullMatch",
    traits=(MAPS_FIRST,),
    samples=lambda: [case(["ab", "abc"], "a.")],
    doc="Whether a regular expression matches the whole string.",
)


def regex_full_match(input: TensorLike, pattern: TensorLike, name: str | None = None) -> Any:
    """Whether ``pattern`` (RE2) matches each whole string."""
    return regex_match_op(input, pattern, name=name)
