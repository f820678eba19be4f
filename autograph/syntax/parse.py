"""``ast.parse``, one thread at a time.

CPython counts the depth of the trees that it makes for all threads together (until 3.13), and
raises SystemError when two threads make one at once.
"""

from __future__ import annotations

import ast

from autograph.syntax.fork_safe_lock import fork_safe_lock

_lock = fork_safe_lock()


def parse(text: str, filename: str = "<unknown>") -> ast.Module:
    """Return the tree of a text; raises SyntaxError, ValueError and RecursionError as Python does.
    """
    with _lock:
        return ast.parse(text, filename)
