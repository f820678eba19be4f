"""Explains errors of unconverted code: which calls led to it, and why it was not converted.

Runs only when Python needs the concrete value of a staged value (its truth, a number, its items).
Converted code never does, so the code at fault is not converted; the message says which code it
is and why.
"""

from __future__ import annotations

import builtins
import inspect
import types
from collections.abc import Callable, Iterable
from typing import Any

import gast

from autograph.conversion.conversion import failure_of
from autograph.diagnostics.source_lines import lines_at, node_at, statement_at
from autograph.diagnostics.user_frame import is_own
from autograph.errors import RelatedLine, UnconvertedError
from autograph.named_tuples import NamedTuple
from autograph.operators.calls.calls import is_excluded_code
from autograph.operators.names.caller_frames import is_users
from autograph.operators.state.skip_list import is_skipped
from autograph.syntax.code_markers import AG, is_converted_frame
from autograph.syntax.data_classes import dataclass

_MOST = 12
"""How many calls are listed at most."""

_OPTIMIZED = 0x1  # CO_OPTIMIZED: the code of a function, not of a class or module
_WRITTEN_IN_C = (
    types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType,
    types.ClassMethodDescriptorType, types.MethodWrapperType,
)  # fmt: skip
_STAYING = frozenset(("locals", "vars", "dir", "eval", "exec", "breakpoint"))


class Reason(NamedTuple):
    """Reason why code is not converted, and what to do about it."""

    text: str
    help: str


@dataclass(frozen=True)
class ActiveCall:
    """Call in progress of one of the user's functions."""

    frame: types.FrameType
    line: int
    at: types.FrameType
    excluded: bool

    @property
    def converted(self) -> bool:
        """Whether the function is converted; the body of a class in it is not."""
        return is_converted_frame(self.frame) and bool(self.frame.f_code.co_flags & _OPTIMIZED)

    @property
    def name(self) -> str:
        """Return how a message names the function."""
        code = self.frame.f_code
        if code.co_name == "<lambda>":
            return f"the lambda of line {code.co_firstlineno}"
        if code.co_name.startswith("<"):
            return f"the code of line {self.line}"
        if not code.co_flags & _OPTIMIZED:
            return f"the body of class {code.co_name}"
        return f"{code.co_name}()"

    def related_line(self) -> RelatedLine:
        """Return its line in the chain of calls."""
        lines = lines_at(self.at)
        text = lines[self.line - 1].strip() if self.line <= len(lines) else "?"
        state = "converted" if self.converted else "not converted"
        spoken = self.frame.f_code.co_qualname.replace("<locals>.", "")
        return RelatedLine(self.frame.f_code.co_filename, self.line, f"in {spoken}, {state}", text)


Replacement = Callable[[Any], str | None]
"""Names the backend's function that does on staged values what a function in C does on others."""


def explain_unconverted(
    error: UnconvertedError, replacement: Replacement = lambda function: None
) -> UnconvertedError:
    """Add the line, the chain of calls, and the reason why the code is not converted.

    Where a function in C needs the value, the remedy names its ``replacement``, if there is one.
    """
    calls = _calls()
    if not calls:
        return error
    innermost = calls[0]
    error.where = innermost.at.f_code.co_filename, innermost.line
    last_converted = max((n for n, call in enumerate(calls) if call.converted), default=-1)
    reason = _reason(calls) if last_converted >= 0 else _failure(innermost)
    if reason is not None:
        error.message = f"{error.message}; {reason.text}"
        error.help = reason.help
    called = _called_in_c(innermost.at)
    substitute = None if called is None else replacement(called)
    if substitute is not None:
        error.help = f"use {substitute} in place of {_name_of(called)}"
    chain = [call.related_line() for call in reversed(calls[: last_converted + 1])]
    error.related_lines = tuple(chain[:_MOST])
    return error


def _calls() -> list[ActiveCall]:
    """Return the calls in progress of the user's functions, innermost first."""
    calls: list[ActiveCall] = []
    at: types.FrameType | None = None  # the innermost frame of a function and its bodies
    excluded = False
    frame: types.FrameType | None = inspect.currentframe()
    while frame is not None:
        if is_own(frame.f_code.co_filename):
            excluded = excluded or frame.f_code.co_name == "as_it_is"
        else:
            at = at or frame
            if is_users(frame):
                if calls and excluded:
                    calls[-1] = ActiveCall(calls[-1].frame, calls[-1].line, calls[-1].at, True)
                calls.append(ActiveCall(frame, at.f_lineno, at, False))
                at, excluded = None, False
        frame = frame.f_back
    return calls


def _reason(calls: list[ActiveCall]) -> Reason | None:
    """Return why the innermost call is not converted, or why its statement is not."""
    innermost = calls[0]
    if innermost.converted:
        return _in_converted_code(innermost)
    position = next(n for n, call in enumerate(calls) if call.converted)
    outer = calls[position - 1]
    reason = _why(outer, calls[position])
    if position == 1:
        return Reason(f"{outer.name} is not converted: {reason.text}", reason.help)
    return Reason(
        f"{innermost.name} is not converted, because its caller {outer.name} is not: {reason.text}",
        reason.help,
    )


def _failure(call: ActiveCall) -> Reason | None:
    """Return why the conversion of a function failed; None: the error's own remedy is right."""
    failure = failure_of(call.frame.f_code)
    if failure is None:
        return None
    text = f"{call.name} is not converted: {failure.message}"
    return Reason(text, failure.help or "write it differently")


def _in_converted_code(call: ActiveCall) -> Reason | None:
    """Return why converted code itself needs the value: a C function does, or a statement stays."""
    node = node_at(call.at)
    if isinstance(node, gast.Call):
        callee = _callee(call.at, node.func)
        if _in_c(callee):
            return _c_code(node, "it is passed to")
    statement = statement_at(call.at, call.line)
    for inner in gast.walk(statement) if statement is not None else ():
        if isinstance(inner, (gast.Yield, gast.YieldFrom, gast.Await)):
            word = "await" if isinstance(inner, gast.Await) else "yield"
            return Reason(
                f"a statement that contains '{word}' stays plain Python",
                f"move the condition into a function without '{word}', and call that function",
            )
        if isinstance(inner, gast.Call) and getattr(inner.func, "id", None) in _STAYING:
            return Reason(
                f"a statement that calls {inner.func.id}() stays plain Python",
                f"move the condition to another statement, without {inner.func.id}()",
            )
    return None


def _why(call: ActiveCall, caller: ActiveCall) -> Reason:
    """Return why a function that converted code reached is not converted."""
    code = call.frame.f_code
    module = call.frame.f_globals.get("__name__")
    if call.excluded or is_excluded_code(code):
        return Reason(
            "it is marked do_not_convert", "remove the mark, or decide before the call"
        )
    if is_skipped(module):
        return Reason(
            f"{module} belongs to a library whose functions are not converted",
            "pass concrete values, or use operations on tensors in its place",
        )
    failure = failure_of(code)
    if failure is not None:
        return Reason(failure.message, failure.help or "write it differently")
    if not code.co_flags & _OPTIMIZED:
        return Reason("code outside of functions is not converted", "move it into a function")
    if getattr(_operators(caller.at), "is_recursive", True) is False:
        return Reason(
            "to_graph was called with recursive=False",
            "omit recursive=False, or convert the function itself",
        )
    return _how_reached(call, caller)


def _how_reached(call: ActiveCall, caller: ActiveCall) -> Reason:
    """Return the reason when the function could be converted, had the call been seen."""
    node = node_at(caller.at)
    name = call.frame.f_code.co_name
    if isinstance(node, gast.Call):
        callee = _callee(caller.at, node.func)
        if _in_c(callee):
            return _c_code(node, "it is called by")
    if name.startswith("__") and name.endswith("__") or not isinstance(node, gast.Call):
        return Reason(
            "Python itself calls it, without a call in the source",
            "call a method or function by name there, or convert it with autograph.convert",
        )
    return Reason(
        "its caller is not Python code that could be converted",
        "convert it with autograph.convert where it is defined",
    )


def _c_code(node: gast.Call, how: str) -> Reason:
    from autograph.syntax.emit import emit  # most programs never write code

    called = emit(node.func).strip()
    return Reason(
        f"{how} {called}(), which is written in C",
        "write a loop in Python, or use an operation on tensors",
    )


def _operators(frame: types.FrameType) -> Any:
    return frame.f_locals.get(AG, frame.f_globals.get(AG))


def _callee(frame: types.FrameType, function: gast.expr) -> Any:
    """Return what an expression of names and attributes means in a frame; None if unclear."""
    if isinstance(function, gast.Name):
        spaces: Iterable[dict[str, Any]] = (frame.f_locals, frame.f_globals, vars(builtins))
        return next((space[function.id] for space in spaces if function.id in space), None)
    if isinstance(function, gast.Attribute):
        owner = _callee(frame, function.value)
        return None if owner is None else inspect.getattr_static(owner, function.attr, None)
    return None


def _called_in_c(frame: types.FrameType) -> Any:
    """Return the function written in C that a frame is calling, or None."""
    node = node_at(frame)
    callee = _callee(frame, node.func) if isinstance(node, gast.Call) else None
    is_python = isinstance(callee, (types.FunctionType, types.MethodType, type))
    return None if is_python else callee


def _name_of(function: Any) -> str:
    module = getattr(function, "__module__", None)
    name = str(getattr(function, "__name__", function))
    return name if module in (None, "builtins") else f"{str(module).lstrip('_')}.{name}"


def _in_c(function: Any) -> bool:
    if isinstance(function, type):
        return function.__module__ in ("builtins", "itertools", "functools", "collections")
    return isinstance(function, _WRITTEN_IN_C)
