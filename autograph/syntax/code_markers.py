"""Markers of converted code: the last constant of a code object says how conversion made it.

``load`` writes them; everything that asks whether a function is converted reads them.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

AG = "ag__"
"""The name under which converted code finds the operators."""

MARK = "converted by autograph"
"""The last constant of a staged version, and of the functions inside it."""

BODY_MARK = "added by autograph"
"""The last constant of the code of a local function that conversion added."""

ADDED = re.compile(r"((if|else|loop|try|except|finally)_body|loop_test)(_\d+)?$")
"""The names of such functions, by which they are recognised in converted files."""

_FUNCTION = 0x1  # CO_OPTIMIZED: the code of a function, not of a class or module

Cells = Mapping[str, types.CellType]
MakeStaged = Callable[[dict[str, Any], Cells, tuple[Any, ...]], types.FunctionType]


class VersionLink:
    """Link from the unstaged version of a converted function to its staged version.

    It is the last constant of the unstaged version's code.
    """

    __slots__ = ("end", "make_staged", "run")

    def __init__(
        self, make_staged: MakeStaged, run: Callable[[], AbstractContextManager[Any]]
    ) -> None:
        self.make_staged = make_staged
        """Makes the staged version for a function's globals, cells and arguments."""
        self.run = run
        """Makes the context in which the prologue calls the staged version."""
        self.end = -1
        """The offset at which the prologue ends; the prologue selects the version to run."""

    def bind(
        self, cells: types.FunctionType, arguments: tuple[Any, ...] = ()
    ) -> types.FunctionType:
        """Return the staged version with the globals and cells of the function ``cells``."""
        return self.make_staged(cells.__globals__, cells_of(cells), arguments)


class Origin:
    """The original code of a user's function inside an unstaged version; its last constant."""

    __slots__ = ("code",)

    def __init__(self, code: types.CodeType) -> None:
        self.code = code


def cells_of(function: types.FunctionType) -> dict[str, types.CellType]:
    """Return the cells of a function's free variables."""
    names = function.__code__.co_freevars
    return dict(zip(names, function.__closure__ or (), strict=True))


def _last(code: types.CodeType) -> object:
    constants = code.co_consts
    return constants[-1] if constants else None


def is_converted(code: types.CodeType) -> bool:
    """Whether a code object is the result of a conversion."""
    marker = _last(code)
    kind = type(marker)
    return kind is VersionLink or (kind is str and marker in (MARK, BODY_MARK))


def is_added(code: types.CodeType) -> bool:
    """Whether a code object is a local function that conversion added."""
    marker = _last(code)
    return type(marker) is str and marker == BODY_MARK


def version_link_of(code: types.CodeType) -> VersionLink | None:
    """Return the link from an unstaged version to its staged version; None for any other code."""
    marker = _last(code)
    return marker if type(marker) is VersionLink else None


def is_inside_unstaged(code: types.CodeType) -> bool:
    """Whether a code object is a user's function inside an unstaged version."""
    return type(_last(code)) is Origin


def original_of(code: types.CodeType) -> types.CodeType:
    """Return the original code of a function inside an unstaged version; any other code itself."""
    marker = _last(code)
    return marker.code if type(marker) is Origin else code


def in_prologue(frame: types.FrameType) -> bool:
    """Whether a frame is an unstaged version whose prologue is calling the staged version."""
    link = version_link_of(frame.f_code)
    return link is not None and frame.f_lasti <= link.end


def may_be_converted(code: types.CodeType) -> bool:
    """Whether a frame of a code object may belong to a converted function."""
    return is_converted(code) or (bool(code.co_flags & _FUNCTION) and AG in code.co_names)


def is_converted_frame(frame: types.FrameType) -> bool:
    """Whether a frame runs a converted function of the user's."""
    code = frame.f_code
    if is_converted(code):
        return not is_added(code) and not in_prologue(frame)
    in_file = bool(code.co_flags & _FUNCTION) and AG in code.co_names
    return in_file and AG in frame.f_globals and not ADDED.match(code.co_name)
