"""Finds the source of a function and parses it into a gast tree: the first step of a conversion.

The text comes from ``linecache``; the position comes from the code object (first line, columns).
The source is compiled again and compared with the function's code: the tree is the function's own,
or a ``NoSourceError`` says why there is none.
"""

from __future__ import annotations

import ast
import linecache
import types
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import gast

from autograph.errors import NoSourceError, NotAFunctionError, UnsupportedSyntaxError
from autograph.named_tuples import NamedTuple
from autograph.syntax.code_markers import is_converted, original_of
from autograph.syntax.comments import Comment, comments_of
from autograph.syntax.data_classes import dataclass
from autograph.syntax.exec_source import lines_of, timed_cells
from autograph.syntax.fork_safe_lock import computed_once
from autograph.syntax.match_code_object import Definition, Function, class_of, fitting_nodes
from autograph.syntax.parse import parse
from autograph.syntax.recursion_limit import deep, stack_is_deep
from autograph.syntax.sent_source import kept_texts
from autograph.syntax.tree_translation import to_gast

_ATTEMPTS = 8  # how many ends of a block are tried before the whole file is parsed


@dataclass(frozen=True)
class SourceFunction:
    """Function as its author wrote it.

    ``text`` is the source from the ``def`` line to the end of the body, or the lambda expression; a
    ``def`` has lost its decorators, which have been applied already.  ``column`` is where a lambda
    begins in its line, in utf-8 bytes.  ``class_name`` is the class whose body holds the function,
    at any depth: private names are mangled with it.
    """

    name: str
    filename: str
    first_line: int
    column: int
    text: str
    is_lambda: bool
    class_name: str | None

    def tree(self) -> Any:
        """Return Python's own tree, with the positions of the user's file; it is the caller's.

        The first call gets the tree in which the function was found, later calls parse the text.
        """
        tree = vars(self).pop("_found", None)
        if tree is not None:
            return tree
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # met when the module was imported
            return self._parsed()

    def _parsed(self) -> Any:
        line = self.first_line
        if not self.is_lambda:
            head = "\n" * (line - 1)
            if _column(self.text):
                head = "\n" * (line - 2) + "if 1:\n"
            definition: Any = parse(head + self.text).body[0]
            return definition.body[0] if isinstance(definition, ast.If) else definition
        # a lambda may have line breaks inside brackets around it
        head = "\n" * (line - 2) + "(\n" + " " * self.column if line > 1 else "(" * self.column
        tail = "\n)" if line > 1 else ")" * self.column
        statement: Any = parse(head + self.text + tail).body[0]
        return statement.value

    @computed_once
    def node(self) -> gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda:
        """Return the gast tree, with the line numbers and utf-8 column offsets of the user's file.
        """
        try:
            tree = vars(self).get("_found") or self.tree()
            return deep(lambda: to_gast(tree))
        except RecursionError:
            raise _too_deep(self.name, self.filename, self.first_line) from None

    @computed_once
    def comments(self) -> dict[int, Comment]:
        """Return the comments inside the function, by line number of the user's file."""
        if "#" not in self.text:
            return {}
        if self.is_lambda:
            # A lambda may have line breaks inside brackets around it.
            return comments_of(f"({self.text})", self.first_line)
        return comments_of(self.text, self.first_line)


def source_of(function: Callable[..., Any]) -> SourceFunction:
    """Return the source of a Python function, method or lambda; ``__wrapped__`` is never followed.

    Raises ``NotAFunctionError`` for anything without Python code, ``NoSourceError`` when the
    source is missing, ambiguous, or no longer that of the function, and
    ``UnsupportedSyntaxError`` when its expressions are nested too deeply for Python.
    """
    while isinstance(function, types.MethodType):
        function = function.__func__
    if not isinstance(function, types.FunctionType):
        raise NotAFunctionError(
            f"{function!r} is not a Python function, but {type(function).__name__}",
            help="pass a function, method or lambda that is written in Python",
        )
    code = original_of(function.__code__)
    try:
        return _source_of(code, function.__globals__)
    except RecursionError:
        raise _too_deep(code.co_qualname, code.co_filename, code.co_firstlineno) from None


def _too_deep(name: str, filename: str, line: int) -> UnsupportedSyntaxError:
    failure = UnsupportedSyntaxError(
        f"{name} contains an expression or statement that is nested too deeply",
        where=(filename, line),
        help="split it into several; a table or a loop is shorter",
    )
    failure.is_transient = stack_is_deep()
    return failure


def parse_module(text: str, filename: str) -> gast.Module:
    """Return the gast tree of a whole module; raises ``SyntaxError`` as Python would."""
    tree = parse(text, filename)
    module: gast.Module = deep(lambda: to_gast(tree))
    return module


def _source_of(code: types.CodeType, namespace: dict[str, Any]) -> SourceFunction:
    lines: list[str] = []
    with warnings.catch_warnings():
        # The user saw the compiler's warnings about this text when it was imported.
        warnings.simplefilter("ignore")
        # First the lines as they were last read: after an edit they may still be the code's own.
        for renew in (False, True):
            if renew:
                linecache.checkcache(code.co_filename)
            lines = lines_of(code.co_filename, namespace)
            if lines and (definition := _find(code, lines)) is not None:
                return _source_function(code, definition, lines)
        for cell in timed_cells(code.co_filename, namespace):
            if (definition := _find(code, cell)) is not None:
                return _source_function(code, definition, cell)
        for file, text in kept_texts(code.co_filename):
            if (definition := _find(code, text)) is not None:
                return _source_function(code.replace(co_filename=file), definition, text)
    raise _no_source(code, lines)


def _source_function(code: types.CodeType, definition: _Found, lines: list[str]) -> SourceFunction:
    node = definition.node
    if isinstance(node, ast.Lambda):
        rows = [line.encode() for line in lines[node.lineno - 1 : node.end_lineno]]
        rows[-1] = rows[-1][: node.end_col_offset]
        text = b"".join(rows)[node.col_offset :].decode()
    else:
        text = "".join(lines[node.lineno - 1 : _end_of_text(node, lines)])
    source = SourceFunction(
        code.co_qualname, code.co_filename, node.lineno, node.col_offset, text,
        isinstance(node, ast.Lambda), class_of(code),
    )  # fmt: skip
    if not definition.is_shared:
        if isinstance(node, Function):
            node.decorator_list = []
        vars(source)["_found"] = node
    return source


def _end_of_text(node: Function, lines: list[str]) -> int:
    """Return the last line of a definition, with the comments that end its body."""
    end = text_end = node.end_lineno or node.lineno
    column = _column(lines[node.lineno - 1])
    for number in range(end, len(lines)):
        line = lines[number].strip()
        if line and (line[0] != "#" or _column(lines[number]) <= column):
            break
        if line:
            text_end = number + 1
    return text_end


# Finding the node


class _Found(NamedTuple):
    """Node that a code object was compiled from."""

    node: Definition
    is_shared: bool
    """Whether it belongs to the tree of a whole file, which is kept."""


def _find(code: types.CodeType, lines: list[str]) -> _Found | None:
    """Return the node that ``code`` was compiled from; None when there is none in ``lines``."""
    if code.co_firstlineno > len(lines):
        return None
    for text in _snippets(code, lines):
        try:
            tree = parse(text)
        except (SyntaxError, ValueError):
            continue
        if node := _choose(code, _definitions(_innermost(tree)).get(code.co_firstlineno, [])):
            return _Found(node, is_shared=False)
        break
    node = _choose(code, _definitions_of("".join(lines)).get(code.co_firstlineno, []))
    return None if node is None else _Found(node, is_shared=True)


def _snippets(code: types.CodeType, lines: list[str]) -> Iterator[str]:
    """Yield texts, smallest first, that should hold the function on its own lines."""
    start = code.co_firstlineno - 1
    column = _column(lines[start])
    # An indented block needs a header; blank lines in front keep the line numbers.
    head = "\n" * start if not column else "\n" * (start - 1) + "if 1:\n"
    end_line = _last_line(code)
    if code.co_name == "<lambda>":
        yield head + "".join(lines[start:end_line])
        return
    attempts = 0
    for end in range(end_line, len(lines) + 1):
        if end < len(lines):
            line = lines[end].strip()
            if not line or line[0] == "#" or _column(lines[end]) > column:
                continue
        yield head + "".join(lines[start:end])
        attempts += 1
        if attempts == _ATTEMPTS:
            return


def _column(line: str) -> int:
    """Return the indentation of a line, counted as Python's tokenizer counts it."""
    column = 0
    for char in line:
        if char == " ":
            column += 1
        elif char == "\t":
            column = column // 8 * 8 + 8
        elif char == "\f":
            column = 0
        else:
            break
    return column


def _last_line(code: types.CodeType) -> int:
    end_line = code.co_firstlineno
    for _, end, _, _ in code.co_positions():
        if end is not None and end > end_line:
            end_line = end
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            end_line = max(end_line, _last_line(const))
    return end_line


@lru_cache(maxsize=8)
def _definitions_of(text: str) -> dict[int, list[Definition]]:
    try:
        return _definitions(ast.walk(parse(text)))
    except (SyntaxError, ValueError):
        return {}


def _innermost(tree: ast.Module) -> list[ast.AST]:
    """Return the nodes of a snippet's tree that may be the function: all, or just the ``def``."""
    if not tree.body:
        return []  # lines of another text under the same name, as "<string>" is one
    first = tree.body[0]
    if isinstance(first, ast.If):
        first = first.body[0]
    return [first] if isinstance(first, Function) else list(ast.walk(tree))


def _definitions(nodes: Iterable[ast.AST]) -> dict[int, list[Definition]]:
    """Return the functions among ``nodes``, by their code objects' first lines."""
    by_line: dict[int, list[Definition]] = {}
    for node in nodes:
        if isinstance(node, Definition):
            decorators = getattr(node, "decorator_list", [])
            line = decorators[0].lineno if decorators else node.lineno
            by_line.setdefault(line, []).append(node)
    return by_line


def _choose(code: types.CodeType, nodes: list[Definition]) -> Definition | None:
    """Return the node that ``code`` was compiled from; raises when it could be either of two."""
    nodes = [node for node in nodes if getattr(node, "name", "<lambda>") == code.co_name]
    if len(nodes) == 1 and is_converted(code):
        return nodes[0]  # a local function of a converted one, whose own text compiles to another
    columns = any(start is not None for _, _, start, _ in code.co_positions())
    if code.co_name == "<lambda>" and columns:
        nodes = [node for node in nodes if _holds(node, code)]
    fitting = fitting_nodes(code, nodes)
    if not columns and len({ast.dump(node) for node in fitting}) > 1:
        raise NoSourceError(
            f"{len(fitting)} functions on this line could be {code.co_name}",
            where=(code.co_filename, code.co_firstlineno),
            help="run Python without -X no_debug_ranges, or give each lambda its own line",
        )
    return fitting[-1] if fitting else None


def _holds(node: Definition, code: types.CodeType) -> bool:
    """Whether all instructions of ``code`` come from the body of a lambda."""
    body = node.body
    assert isinstance(body, ast.expr)
    start = (body.lineno, body.col_offset)
    end = (body.end_lineno or 0, body.end_col_offset or 0)
    for line, end_line, column, end_column in code.co_positions():
        if line is None or end_line is None or column is None or end_column is None:
            continue
        # Instructions of no expression (RESUME, in 3.11 RETURN_VALUE) have an empty position.
        if end_column and ((line, column) < start or (end_line, end_column) > end):
            return False
    return True


_AT_A_PROMPT = (
    "Python does not keep what it reads from standard input: define the function in a file, or use "
    "IPython, a notebook or the prompt of Python 3.13"
)


def _no_source(code: types.CodeType, lines: list[str]) -> NoSourceError:
    where = (code.co_filename, code.co_firstlineno)
    # "<string>" names no file: what linecache has under it is the text of another exec
    if lines and code.co_filename != "<string>":
        return NoSourceError(
            f"the file has changed since {code.co_qualname} was loaded from it",
            where=where,
            help="reload the module, or start Python again",
        )
    return NoSourceError(
        f"no source found for {code.co_qualname}",
        where=where,
        help=_AT_A_PROMPT if code.co_filename == "<stdin>" else
        "define the function in a file, or run its text with autograph.exec_source",
    )
