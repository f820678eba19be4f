"""How code objects say that conversion made them: by their last constant.

Written by ``load``; read by whoever meets a function and asks whether it is converted.
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
"""The last constant of functional code, and of the functions inside it."""

BODY_MARK = "added by autograph"
"""The last constant of the code of a local function that conversion added."""

ADDED = re.compile(r"((if|else|loop|try|except|finally)_body|loop_test)(_\d+)?$")
"""The names of such functions, by which those in converted files are known."""

_FUNCTION = 0x1  # CO_OPTIMIZED: the code of a function, not of a class or module

Cells = Mapping[str, types.CellType]
Functional = Callable[[dict[str, Any], Cells, tuple[Any, ...]], types.FunctionType]


class Half:
    """The last constant of the plain half of a converted function: the way to its other half."""

    __slots__ = ("end", "functional", "run")

    def __init__(
        self, functional: Functional, run: Callable[[], AbstractContextManager[Any]]
    ) -> None:
        self.functional = functional
        """Makes the functional half for a function's globals, cells and arguments."""
        self.run = run
        """Makes the block in which the prologue calls the functional half."""
        self.end = -1
        """Where in the code the prologue ends, which asks whether to run the functional half."""

    def bind(
        self, cells: types.FunctionType, arguments: tuple[Any, ...] = ()
    ) -> types.FunctionType:
        """The functional half for the globals and the cells of a function that has them all."""
        return self.functional(cells.__globals__, cells_of(cells), arguments)


class Origin:
    """The last constant of the user's functions inside a plain half: the code they stand for."""

    __slots__ = ("code",)

    def __init__(self, code: types.CodeType) -> None:
        self.code = code


def cells_of(function: types.FunctionType) -> dict[str, types.CellType]:
    """The cells of a function's free variables."""
    names = function.__code__.co_freevars
    return dict(zip(names, function.__closure__ or (), strict=True))


def _last(code: types.CodeType) -> object:
    constants = code.co_consts
    return constants[-1] if constants else None


def is_converted(code: types.CodeType) -> bool:
    """Whether a code object is a conversion: nothing is left to be converted."""
    last = _last(code)
    kind = type(last)
    return kind is Half or (kind is str and last in (MARK, BODY_MARK))


def is_added(code: types.CodeType) -> bool:
    """Whether a code object is a local function that conversion added."""
    last = _last(code)
    return type(last) is str and last == BODY_MARK


def half_of(code: types.CodeType) -> Half | None:
    """What leads from a plain half to its functional one; None for any other code."""
    last = _last(code)
    return last if type(last) is Half else None


def is_inside_plain_half(code: types.CodeType) -> bool:
    """Whether a code object is a user's function inside a plain half."""
    return type(_last(code)) is Origin


def original_of(code: types.CodeType) -> types.CodeType:
    """The code that a function inside a plain half stands for; any other code itself."""
    last = _last(code)
    return last.code if type(last) is Origin else code


def in_prologue(frame: types.FrameType) -> bool:
    """Whether a frame is a plain half that has handed over to its functional half."""
    half = half_of(frame.f_code)
    return half is not None and frame.f_lasti <= half.end


def may_be_converted(code: types.CodeType) -> bool:
    """Whether frames of a code object may be those of a converted function."""
    return is_converted(code) or (bool(code.co_flags & _FUNCTION) and AG in code.co_names)


def is_converted_frame(frame: types.FrameType) -> bool:
    """Whether a frame runs a function of the user that was converted."""
    code = frame.f_code
    if is_converted(code):
        return not is_added(code) and not in_prologue(frame)
    in_file = bool(code.co_flags & _FUNCTION) and AG in code.co_names
    return in_file and AG in frame.f_globals and not ADDED.match(code.co_name)
