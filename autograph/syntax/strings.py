"""Prints strings and f-strings: the part of ``emit`` that chooses quotes."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import gast

from autograph.syntax.expressions import TEST, Expressions
from autograph.syntax.literals import QUOTES, docstring, escaped, fits, inside, spelled, unescaped

_NESTED_QUOTES = sys.version_info >= (3, 12)  # may a field hold the quotes of its f-string?


class _NoQuotesLeft(Exception):
    """An f-string's fields cannot be written inside the quotes tried."""


class Strings(Expressions):
    """Writes expressions and strings; patterns and statements are added by its subclasses."""

    def __init__(self, indent: int = 0) -> None:
        super().__init__(indent)
        self._outer: tuple[str, ...] = ()  # quotes of the f-strings around, outermost first

    def _Constant(self, node: gast.Constant) -> None:
        value = node.value
        if self._outer and isinstance(value, (str, bytes)):
            text = unescaped(value, self._outer)
            if text is None:
                raise _NoQuotesLeft
            self.write(text)
        elif type(value) is str:
            lines = (getattr(node, "end_lineno", None) or 0) - (getattr(node, "lineno", None) or 0)
            if lines > 0 and "\n" in value[:-1] and not node.kind:
                self.write(docstring(value))  # its author gave it several lines
            else:
                self.write("u" + repr(value) if node.kind == "u" else repr(value))
        else:
            self.write(spelled(value))

    def _FormattedValue(self, node: gast.FormattedValue) -> None:
        self._JoinedStr(gast.JoinedStr([node]))

    def _JoinedStr(self, node: gast.JoinedStr, prefix: str = "f") -> None:
        outer = self._outer
        literals = "".join(value.value for value in node.values if type(value) is gast.Constant)
        # Quotes that need no escapes come first.
        for quote in sorted(inside(outer), key=lambda quote: not fits(literals, quote)):
            self._outer = (*outer, quote)
            mark = len(self._parts)
            try:
                text = self._fields(node.values, quote)
            except _NoQuotesLeft:
                del self._parts[mark:]
            else:
                self.write(f"{prefix}{quote}{text}{quote}")
                return
            finally:
                self._outer = outer
        if outer:
            raise _NoQuotesLeft
        if _NESTED_QUOTES:
            self.write(f"{prefix}'{self._fields(node.values, QUOTES[0])}'")
        else:
            self._format_call(node.values)

    def _fields(self, values: Sequence[gast.AST], quote: str, spec: bool = False) -> str:
        """The text between the quotes of an f-string, or of a format specification."""
        texts = []
        for value in values:
            if type(value) is gast.Constant:
                open_, close = ("\\x7b", "\\x7d") if spec else ("{{", "}}")
                text = escaped(value.value, quote).replace("{", open_).replace("}", close)
                if len(self._outer) > 1 and not all(
                    fits(text, outer_quote) for outer_quote in self._outer
                ):
                    raise _NoQuotesLeft
                texts.append(text)
                continue
            text = self.text_of(value.value, TEST)
            if "lambda" in text or text[0] == "*":
                text = f"({text})"  # a colon would begin the format specification
            texts.append("{ " if text[0] == "{" else "{")
            texts.append(text)
            if value.conversion != -1:
                texts.append("!" + chr(value.conversion))
            if value.format_spec is not None:
                texts.append(":" + self._fields(value.format_spec.values, quote, spec=True))
            texts.append("}")
        return "".join(texts)

    def _format_call(self, values: Sequence[gast.AST]) -> None:
        """Return ``str.format`` for an f-string that Python before 3.12 has no quotes for."""
        arguments: list[gast.AST] = []

        def template(pieces: Sequence[gast.AST]) -> str:
            text = ""
            for piece in pieces:
                if type(piece) is gast.Constant:
                    text += piece.value.replace("{", "{{").replace("}", "}}")
                    continue
                arguments.append(piece.value)
                conversion = "" if piece.conversion == -1 else "!" + chr(piece.conversion)
                spec = "" if piece.format_spec is None else ":" + template(piece.format_spec.values)
                text += "{" + conversion + spec + "}"
            return text

        self.write(repr(template(values)) + ".format(")
        self.sequence(arguments)
        self.write(")")
