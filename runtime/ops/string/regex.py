"""Op definitions of regular expressions in RE2's language, as in TensorFlow; RE2 runs them.

The extra ``text`` brings it (google-re2).  Its time is linear in the text, whatever the pattern.
"""

from __future__ import annotations

import functools
import re
from typing import Any

import numpy as np

from runtime.ops.op import MAPS_FIRST, define
from runtime.ops.rules.kernels import checked
from runtime.ops.rules.samples import case
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import bool_, string
from runtime.types.errors import InvalidArgumentError
from runtime.types.extras import require
from runtime.types.shapes import TensorShape, TensorSpec

__all__ = ["regex_replace"]


@functools.lru_cache(maxsize=128)
def _compiled(pattern: bytes, op_name: str) -> Any:
    """A compiled pattern; InvalidArgumentError for what RE2 refuses."""
    re2 = require("re2", extra="text", for_=op_name)
    options = re2.Options()
    options.log_errors = False  # they are raised
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        why = error.args[0].decode() if isinstance(error.args[0], bytes) else str(error)
        text = pattern.decode("utf-8", "backslashreplace")
        raise InvalidArgumentError(f"Invalid pattern: {text}, error: {why}") from None


@functools.lru_cache(maxsize=128)
def _rewriting(rewrite: bytes, groups: int) -> tuple[Any, ...]:
    """A rewrite as literal texts and numbers of groups."""
    tokens: list[Any] = []
    text = rewrite.decode("utf-8", "backslashreplace")
    for token in re.findall(rb"\\.|[^\\]+|\\", rewrite, re.DOTALL):
        if token[:1] != b"\\":
            tokens.append(token)
        elif token[1:].isdigit():
            if int(token[1:]) > groups:
                raise InvalidArgumentError(
                    f"Invalid rewrite: {text}: the pattern has {groups} groups, but the rewrite "
                    f"asks for group {token[1:].decode()}"
                )
            tokens.append(int(token[1:]))
        elif token == b"\\\\":
            tokens.append(b"\\")
        else:
            raise InvalidArgumentError(f"Invalid rewrite: {text}: {token!r} is no group")
    return tuple(tokens)


_CHARACTER = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
"""A character of several bytes in UTF-8."""


def _after(text: bytes, at: int) -> int:
    """The place behind the character at a place; a byte that is none counts as one."""
    match = _CHARACTER.match(text, at)
    return at + 1 if match is None else match.end()


def _replaced(pattern: Any, rewriting: tuple[Any, ...], text: bytes, every: bool) -> bytes:
    """As RE2's GlobalReplace: an empty match right behind another match does not count.

    google-re2's own ``sub`` reads rewrites as Python does, and steps by bytes.
    """
    out: list[bytes] = []
    done, at, last_end = 0, 0, -1
    while at <= len(text):
        match = pattern.search(text, at)
        if match is None:
            break
        start, end = match.span()
        if start == end == last_end:
            at = _after(text, end)
            continue
        out.append(text[done:start])
        out += [match.group(p) or b"" if isinstance(p, int) else p for p in rewriting]
        done = last_end = at = end
        if not every:
            break
        if start == end:
            at = _after(text, end)
    out.append(text[done:])
    return b"".join(out)


def _text(scalar: Any) -> bytes:
    return bytes(np.asarray(scalar, object).item())


def _replace(input: Any, pattern: Any, rewrite: Any, *, every: bool) -> Any:
    expression = _compiled(_text(pattern), "regex_replace")
    rewriting = _rewriting(_text(rewrite), expression.groups)
    result = np.empty(np.shape(input), object)
    for index in np.ndindex(result.shape):
        result[index] = _replaced(expression, rewriting, input[index], every)
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
    dtype_kinds="O",
    grad=None,
    node_name="RegexReplace",
    traits=(MAPS_FIRST,),
    extra="text",
    samples=lambda: [
        case(["aXbX", "c"], "X", "-", every=True), case("größe", "(.)e$", "<\\1>", every=False),
    ],
    doc="Replace the matches of a regular expression.",
)  # fmt: skip


def regex_replace(input: TensorLike, pattern: TensorLike, rewrite: TensorLike,
                  replace_global: bool = True, name: str | None = None) -> Any:  # fmt: skip
    r"""Replace the matches of a regular expression (RE2) in each string.

    Args:
        input: tensor of dtype string.
        pattern: scalar of dtype string.
        rewrite: scalar of dtype string; ``\\1`` is the first group.
        replace_global: whether to replace all matches, or the first one alone.
    Returns:
        Tensor of the shape of ``input`` and of dtype string.
    Raises:
        InvalidArgumentError: RE2 does not accept ``pattern`` or ``rewrite``.
    """
    return regex_replace_op(input, pattern, rewrite, every=bool(replace_global), name=name)


def _matches(input: Any, pattern: Any) -> Any:
    expression = _compiled(_text(pattern), "regex_full_match")
    result = np.empty(np.shape(input), np.bool_)
    for index in np.ndindex(result.shape):
        result[index] = expression.fullmatch(input[index]) is not None
    return result


def _match_infer(input: TensorSpec, pattern: TensorSpec) -> TensorSpec:
    _check_scalars(pattern=pattern)
    return TensorSpec(input.shape, bool_)


regex_match_op = define(
    "regex_full_match",
    inputs="input pattern",
    kernel=checked(_matches, _match_infer),
    infer=_match_infer,
    dtype_kinds="O",
    grad=None,
    node_name="RegexFullMatch",
    traits=(MAPS_FIRST,),
    extra="text",
    samples=lambda: [case(["ab", "abc"], "a.")],
    doc="Test whether a regular expression matches the whole string.",
)


def regex_full_match(input: TensorLike, pattern: TensorLike, name: str | None = None) -> Any:
    """Test whether a regular expression (RE2) matches each whole string.

    Args:
        input: tensor of dtype string.
        pattern: scalar of dtype string.
    Returns:
        Tensor of the shape of ``input`` and of dtype bool.
    Raises:
        InvalidArgumentError: RE2 does not accept ``pattern``.
    """
    return regex_match_op(input, pattern, name=name)
