"""Converts the text of a module into the text of the converted module, for ``autograph convert``.

The body of every outermost function and method is converted and written where it stood.  All
else - decorators, headers, docstrings, comments, module-level statements, line ends - stays as it
is, character for character.
"""

from __future__ import annotations

import builtins
import io
import tokenize
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import gast

from autograph import pipeline
from autograph.diagnostics.printable import printable
from autograph.errors import ConversionError
from autograph.features import Feature
from autograph.syntax.code_markers import AG
from autograph.syntax.data_classes import dataclass
from autograph.syntax.emit import emit
from autograph.syntax.modules import ModuleText, bound_names, is_docstring
from autograph.syntax.names import names_in
from autograph.syntax.recursion_limit import deep

IMPORT = f"from autograph import operators as {AG}"
"""What a converted module imports."""

_DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)


class FileError(ConversionError):
    """Raised when a file cannot be read, converted or written; one line that begins with the
    location.
    """

    def __init__(
        self, message: str, filename: str, line: int | None = None, column: int | None = None
    ) -> None:
        super().__init__(message, where=None if line is None else (filename, line))
        self.column = column
        places = (printable(filename), line, column)
        self.location = ":".join(str(place) for place in places if place is not None)

    def __str__(self) -> str:
        return f"{self.location}: {self.message}"


def convert_bytes(data: bytes, filename: str) -> bytes:
    """Convert the contents of a Python file, keeping encoding and line ends.

    The result is a module that Python compiles.  Without a function to convert it is ``data``.
    Raises FileError, naming ``filename``, for what is not the text of a Python module.
    """
    text, encoding = decoded(data, filename)
    converted = convert_text(text, filename)
    if converted == text:
        return data
    # What the encoding lacks can only stand in a string, where the user had it escaped.
    try:
        result = converted.encode(encoding, "backslashreplace")
    except UnicodeError:
        raise FileError(
            f"the converted text cannot be written in encoding {encoding}; save the file as UTF-8",
            filename, 1,
        ) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(result, filename, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise FileError(
            f"the converted text is not valid Python ({error}); this is a fault of autograph, "
            "please report it with the file", filename
        ) from error
    return result


def compiled(data: bytes, filename: str, path: str) -> types.CodeType:
    """Return the code of a Python file at ``path``; raises FileError as ``convert_bytes`` does."""
    decoded(data, filename)
    with syntax_errors(filename):
        return compile(data, path, "exec", dont_inherit=True)


def decoded(data: bytes, filename: str) -> tuple[str, str]:
    """Return the text of a Python file, and its encoding by byte order mark or cookie.

    Raises FileError for binary data, an encoding that Python does not know, and bytes that are
    not of the encoding.
    """
    position = data.find(b"\0")
    if position >= 0:
        line = data.count(b"\n", 0, position) + 1
        raise FileError("not Python source: a NUL byte, so the file is binary", filename, line)
    encoding = "utf-8"
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding), encoding
    except (SyntaxError, LookupError, UnicodeError) as error:
        raise _encoding_error(error, data, filename) from None


def _encoding_error(error: Exception, data: bytes, filename: str) -> FileError:
    reason: Exception | None = error
    if isinstance(error, SyntaxError):  # detect_encoding raises it also for bytes that do not fit
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as undecodable:
            reason = undecodable if "encoding problem" not in str(error) else error
    if not isinstance(reason, UnicodeDecodeError):
        return FileError(f"{reason}; name an encoding that Python has", filename, 1)
    before = data[: reason.start]
    line_start = before.rfind(b"\n") + 1
    column = len(before[line_start:].decode(reason.encoding, "replace")) + 1
    return FileError(
        f"byte 0x{data[reason.start]:02x} is not {reason.encoding}; save the file as UTF-8, or "
        "name its encoding in the first line: # coding: latin-1",
        filename, before.count(b"\n") + 1, column,
    )


def parsed(data: bytes, filename: str) -> ModuleText:
    """Return text and tree of a Python file; raises FileError as ``convert_bytes`` does."""
    text, _ = decoded(data, filename)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with syntax_errors(filename):
            return ModuleText(text, filename)


def convert_text(text: str, filename: str, flags: int = 0, imports: bool = True) -> str:
    """Convert the text of a module; without a function to convert it is returned as it is.

    ``flags`` are those of ``compile``; ``imports`` says whether to add ``IMPORT``.  Raises
    FileError for a syntax error, and where a function cannot be converted.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the user sees the compiler's warnings on import
        with syntax_errors(filename):
            module = ModuleText(text, filename, flags)
        if AG in names_in(module.tree):
            if _is_converted(module.tree):
                return text
            raise _name_taken(module)
        is_builtin = builtin_test(module.tree)
        edits = [
            edit for node in module.functions() if (edit := _edit(module, node, is_builtin))
        ]
    if not edits:
        return text
    pieces, at = [], 0
    for edit in [_import(module), *edits] if imports else edits:
        pieces += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*pieces, text[at:]])


def builtin_test(tree: gast.Module) -> Callable[[str], bool]:
    """Return a test of whether a name means Python's builtin in a module, judged by its text.

    A star import might hide a builtin; the test assumes that it does not.  It is used for
    ``super``, ``locals`` and the like, which are better left alone in doubt.
    """
    bound = bound_names(tree)
    return lambda name: name not in bound and hasattr(builtins, name)


@contextmanager
def syntax_errors(filename: str) -> Iterator[None]:
    """Turn what Python's parser raises into FileError."""
    try:
        yield
    except SyntaxError as error:
        raise FileError(error.msg, filename, error.lineno or 1, error.offset or 1) from None
    except ValueError as error:
        raise FileError(str(error), filename) from None
    except (RecursionError, MemoryError):
        raise FileError("nested too deeply; split the longest expression up", filename) from None


def _is_converted(tree: gast.Module) -> bool:
    return any(
        isinstance(node, gast.ImportFrom)
        and node.module == "autograph"
        and any((alias.name, alias.asname) == ("operators", AG) for alias in node.names)
        for node in tree.body
    )


def _name_taken(module: ModuleText) -> FileError:
    for node in gast.walk(module.tree):
        if AG in vars(node).values() and hasattr(node, "lineno"):
            break
    return FileError(
        f"the name {AG} is reserved for the operators of converted code; rename yours",
        module.filename, getattr(node, "lineno", None), getattr(node, "col_offset", 0) + 1,
    )


@dataclass(frozen=True)
class _Edit:
    """Text that replaces the original between two offsets."""

    start: int
    end: int
    text: str


def _edit(
    module: ModuleText, node: gast.FunctionDef, is_builtin: Callable[[str], bool]
) -> _Edit | None:
    """Return the edit that writes the converted body of a function; None when nothing changes."""
    line, column = node.lineno, module.column(node.lineno, node.col_offset) + 1
    try:
        return _edit_of(module, node, is_builtin)
    except RecursionError:
        reason = f"{node.name} is nested too deeply; split its longest expression up"
        raise FileError(reason, module.filename, line, column) from None


def _edit_of(
    module: ModuleText, node: gast.FunctionDef, is_builtin: Callable[[str], bool]
) -> _Edit | None:
    location = module.body(node)
    before = deep(lambda: _fields_of(node.body))
    _convert(module, node, is_builtin)
    if deep(lambda: _fields_of(node.body)) == before:
        return None
    body = node.body[1:] if location.has_docstring else node.body
    lines = indented(emit(body, location.comments), location.margin, location.unit)
    if location.is_inline:
        lines.insert(0, "")
    ending = module.ending(node.lineno)
    text = ending.join(lines)
    if module.is_ended(location.end):
        text += ending
    return _Edit(location.start, location.end, text)


def _fields_of(node: object) -> object:
    """Return the contents of a tree as comparable tuples; ``gast.dump`` prints no long integers."""
    if isinstance(node, gast.AST):
        return type(node), tuple(_fields_of(getattr(node, name, None)) for name in node._fields)
    if isinstance(node, list):
        return tuple(map(_fields_of, node))
    return type(node), node


def _convert(
    module: ModuleText, node: gast.FunctionDef, is_builtin: Callable[[str], bool]
) -> None:
    """Convert a function in place; its errors name this file."""
    line, column = node.lineno, module.column(node.lineno, node.col_offset) + 1
    try:
        deep(lambda: pipeline.convert(node, Feature.resolve(None), is_builtin))
        return
    except ConversionError as error:
        if error.where is not None and error.where[1] != line:
            line, column = error.where[1], 1
        reason = error.message + (f"; {error.help}" if error.help else "")
    raise FileError(reason, module.filename, line, column)


def indented(text: str, margin: str, unit: str) -> list[str]:
    """Return the lines of emitted statements, behind ``margin`` and a ``unit`` for each level.

    Lines inside a string that runs over several lines stay as they are.
    """
    lines = text.removesuffix("\n").split("\n")
    inside: set[int] = set()
    if '"""' in text or "'''" in text:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            inside.update(range(token.start[0], token.end[0]))
    for number, line in enumerate(lines):
        if line and number not in inside:
            bare = line.lstrip(" ")
            levels, spaces = divmod(len(line) - len(bare), 4)
            lines[number] = margin + unit * levels + " " * spaces + bare
    return lines


def _import(module: ModuleText) -> _Edit:
    """Return the edit that adds the import behind the docstring and imports from __future__."""
    body = module.tree.body
    leading = int(is_docstring(body[0]))
    while leading < len(body) and _is_future(body[leading]):
        leading += 1
    following = body[leading]
    if not leading:
        row = module.above(module.first_row(following))
        ending = module.ending(row)
        gap = 3 if isinstance(following, _DEFINITIONS) else 1
        return _insertion(module.offset(row), IMPORT + ending * gap)
    last_import = body[leading - 1]
    row = module.last_row(last_import)
    if module.first_row(following) <= row:  # on the same line, behind a semicolon
        column = module.column(last_import.end_lineno, last_import.end_col_offset)
        return _insertion(module.offset(last_import.end_lineno, column), f"; {IMPORT}")
    ending = module.ending(row)
    before = "" if _is_future(last_import) else ending
    return _insertion(module.offset(row + 1), before + IMPORT + ending)


def _insertion(offset: int, text: str) -> _Edit:
    return _Edit(offset, offset, text)


def _is_future(node: gast.AST) -> bool:
    return isinstance(node, gast.ImportFrom) and node.module == "__future__" and not node.level
