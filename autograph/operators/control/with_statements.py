"""``with``: the user's context managers while a backend is tracing.

A ``with`` statement stays Python: its manager is entered and left during tracing, and its methods
are converted.  An exception that is raised at run time cannot reach ``__exit__``, so a manager that
would react to it is an error.
"""

from __future__ import annotations

import contextlib
import itertools
import threading
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph.conversion.convert_hook import converted
from autograph.diagnostics.user_frame import user_line
from autograph.errors import AutoGraphError, EffectError, RunTimeLimit
from autograph.operators.control.faults import is_fault
from autograph.operators.control.protected_lines import protects
from autograph.operators.state.closure_cells import Raised
from autograph.operators.state.skip_list import is_skipped
from autograph.staging.registry import tracing_backend
from autograph.staging.unsupported import check_supported
from autograph.syntax.instructions import instructions


class _OpenBlocks(threading.local):
    """Managers whose blocks are open, and how many are open around each ``try``."""

    def __init__(self) -> None:
        self.managers: list[_Manager] = []
        self.catching: list[tuple[int, Sequence[type]]] = []


_open = _OpenBlocks()


def manager(value: Any) -> Any:
    """Return what to enter instead of a context manager."""
    check_supported(_enter, value)
    if tracing_backend() is None or not _may_act_on_exit(value):
        return value
    return _Manager(value, user_line())


def _enter(value: Any) -> None:
    with value:
        return


def _may_act_on_exit(value: Any) -> bool:
    """Whether leaving the block may change something that matters for staged values."""
    kind = type(value)
    if issubclass(kind, contextlib.suppress | contextlib.ExitStack):
        return True
    if issubclass(kind, contextlib._GeneratorContextManager):
        return True
    leave = _method(kind, "__exit__")
    return leave is not None and not is_skipped(leave.__module__)


def _ignores(function: types.FunctionType) -> bool:
    """Whether an ``__exit__`` does the same with and without an exception."""
    code = function.__code__
    parameters = code.co_varnames[1 : code.co_argcount + bool(code.co_flags & 0x04)]
    before: Any = None
    for instruction in instructions(code):
        if instruction.opname.startswith("LOAD_") and instruction.argval in parameters:
            if instruction.opname != "LOAD_CONST":
                return False
        if instruction.opname == "RETURN_VALUE" and not (
            before is not None and before.opname == "LOAD_CONST" and not before.argval
        ):
            return False
        if instruction.opname == "RETURN_CONST" and instruction.argval:
            return False
        before = instruction
    return True


def _has_handler(code: types.CodeType) -> bool:
    """Whether a function has an ``except``, and not only ``finally`` clauses."""
    names = [name.opname for name in instructions(code)]
    return "CHECK_EXC_MATCH" in names or any(
        name == "POP_EXCEPT" and after != "RERAISE" for name, after in itertools.pairwise(names)
    )


def _method(kind: type, name: str) -> types.FunctionType | None:
    method = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
    return method if type(method) is types.FunctionType else None


class _Manager:
    """Context manager with converted methods, which knows when its block is open."""

    def __init__(self, value: Any, location: tuple[str, int] | None) -> None:
        self.value = value
        self.location = location
        self._backend: Any = None
        self._mark: Any = None

    def __enter__(self) -> Any:
        entered = self._converted("__enter__")()
        _open.managers.append(self)
        backend = tracing_backend()
        if backend is not None and (backend.stages_tries or backend.notes_failures):
            self._backend, self._mark = backend, backend.mark()
        return entered

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> Any:
        raised = self.raised()
        if self._mark is not None:
            self._backend.failures(self._mark)
        if self in _open.managers:
            del _open.managers[_open.managers.index(self) :]
        kinds = [cls for cls in raised if not issubclass(cls, RunTimeLimit)]
        if kinds and not _is_fault(error) and self._may_catch(kinds):
            self._converted("__exit__")(None, None, None)
            raise self.refusal(" or ".join([cls.__name__ for cls in kinds[:2]]), None)
        swallows = self._converted("__exit__")(kind, error, traceback)
        return False if isinstance(error, Raised) or _is_fault(error) else swallows

    def raised(self) -> frozenset[type[BaseException]]:
        """The exceptions that operations of its block may raise, up to here."""
        return frozenset(self._declared())

    def forget(self, before: frozenset[type[BaseException]], caught: Sequence[type]) -> None:
        """Forget exceptions that may have been raised since, and were caught."""
        for cls in self.raised() - before:
            if any(issubclass(cls, kind) for kind in caught):
                del self._declared()[cls]

    def _declared(self) -> dict[type[BaseException], None]:
        return {} if self._mark is None else self._backend.declared_failures(self._mark)

    def may_react_to(self, kinds: Sequence[type]) -> bool:
        """Whether exceptions of these classes would make a difference to it."""
        if isinstance(self.value, contextlib.suppress):
            caught: tuple[type, ...] = vars(self.value)["_exceptions"]
            return any(issubclass(k, c) or issubclass(c, k) for k in kinds for c in caught)
        if isinstance(self.value, contextlib._GeneratorContextManager):
            frame = getattr(self.value.gen, "gi_frame", None)
            return frame is not None and protects(frame)
        leave = _method(type(self.value), "__exit__")
        return leave is None or not _ignores(leave)

    def _may_catch(self, kinds: Sequence[type]) -> bool:
        """Whether it may swallow or replace exceptions of operations, rather than clean up."""
        if isinstance(self.value, contextlib._GeneratorContextManager):
            return self.may_react_to(kinds) and _has_handler(self.value.gen.gi_code)  # type: ignore[attr-defined]
        return self.may_react_to(kinds)

    def refusal(self, statement: str, where: tuple[str, int] | None) -> EffectError:
        """The error for an exception of this text that leaves its block."""
        line = self.location[1] if self.location is not None else "?"
        return EffectError(
            f"'{statement}' depends on a staged value and leaves the 'with' of line {line}, whose "
            f"manager, a {type(self.value).__name__}, is exited while tracing",
            where=where or user_line(),
            help="catch it inside the 'with', or write a 'try' in its place",
        )

    def _converted(self, name: str) -> Callable[..., Any]:
        function = _method(type(self.value), name)
        bound = getattr(self.value, name) if function is None else types.MethodType(
            function, self.value
        )
        method: Callable[..., Any] = converted(bound)
        return method


def _is_fault(error: Any) -> bool:
    backend = tracing_backend()
    if error is None or backend is None:
        return isinstance(error, AutoGraphError)
    return is_fault(error, backend)


def refuse_in_with(
    statement: str, kinds: Sequence[type], where: tuple[str, int] | None, caught: bool = False
) -> None:
    """Refuse to stage an exception that would leave the block of a manager that reacts to it.

    ``caught``: a handler catches it, which would then see what the manager did.
    """
    first = 0
    for count, classes in _open.catching:
        if all(any(issubclass(kind, base) for base in classes) for kind in kinds):
            first = count
    passing = [m for m in _open.managers[first:] if caught or m.may_react_to(kinds)]
    if passing:
        raise passing[-1].refusal(statement, where)


@contextlib.contextmanager
def catching(kinds: Sequence[type]) -> Iterator[int]:
    """Trace the body of a ``try`` in this block; gives the number of open blocks around it."""
    count = len(_open.managers)
    around = [(manager, manager.raised()) for manager in _open.managers]
    _open.catching.append((count, kinds))
    try:
        yield count
    finally:
        _open.catching.pop()
        for manager, before in around:
            manager.forget(before, kinds)


def open_block_count() -> int:
    """Return how many blocks of managers are open."""
    return len(_open.managers)
