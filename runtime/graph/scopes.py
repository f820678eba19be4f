"""The names and scopes of a graph: unique names, and what ``with`` blocks say about operations.

Parts of Graph that stand on their own: they know nothing of how operations are recorded.  Scopes
are each thread's own, so that several threads may add to one graph.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from autograph.staging import RUN, current_run
from runtime.types.device_spec import Request, requested

_VALID_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*\Z")
_VALID_SCOPE = re.compile(r"[A-Za-z0-9_.\\/>-]*\Z")


class NameScopes(threading.local):
    """The blocks of one graph that a thread is inside of."""

    def __init__(self) -> None:
        self.name = ""
        self.program = 0
        self.control: list[tuple[Any, ...]] = []
        self.devices: tuple[Request, ...] = ()
        self.container = ""


class NameTable:
    """Gives operations unique names, as TensorFlow does: ``add``, ``add_1``, ``scope/add``."""

    def __init__(self, scopes: NameScopes) -> None:
        self.operations: dict[str, Any] = {}
        self._scopes = scopes
        self._used: dict[str, int] = {}

    def unique(self, name: str, mark_as_used: bool = True) -> str:
        """A name nobody has yet, within the current scope; one ending in ``/`` is taken as is."""
        name = name.decode() if isinstance(name, bytes) else name
        if name.endswith("/"):
            return name[:-1]
        scope = self._scopes.name
        full = f"{scope}/{name}" if scope else name
        key = full.lower()  # file systems and TensorBoard do not tell capitals apart
        key = full if key == full else key  # one text less to keep
        used = self._used.get(key, 0)
        if not used:
            if not _VALID_NAME.match(full):
                raise ValueError(
                    f"{name!r} is not a valid name of an operation or scope: use letters, digits, "
                    "'.', '_', '-', '/' and start with a letter, digit or '.'"
                )
            if mark_as_used:
                self._used[key] = 1
            return full
        candidate = f"{full}_{used}"
        while candidate.lower() in self._used:
            used += 1
            candidate = f"{full}_{used}"
        if mark_as_used:
            self._used[key] = used + 1
            self._used[candidate.lower()] = 1
        return candidate

    def reserve(self, names: Iterable[str]) -> None:
        """Mark names as used, which are whole and unique: those of a graph that was copied."""
        self._used.update(dict.fromkeys([name.lower() for name in names], 1))

    @contextlib.contextmanager
    def scope(self, name: str | None) -> Iterator[str]:
        """Within the block, names start with the scope's; yields it with a trailing ``/``."""
        if name and not _VALID_SCOPE.match(name):
            raise ValueError(f"{name!r} is not a valid scope name")
        scopes = self._scopes
        before = scopes.name
        if not name:
            scopes.name = ""
        else:
            scopes.name = name[:-1] if name.endswith("/") else self.unique(name)
        try:
            yield f"{scopes.name}/" if scopes.name else ""
        finally:
            scopes.name = before

    def operation(self, name: str) -> Any:
        """The operation of that name; ValueError for a tensor's name, KeyError for none."""
        if not isinstance(name, str):
            raise TypeError(
                f"Operation names are strings (or similar), not {type(name).__name__}."
            )
        if ":" in name:
            raise ValueError(f"Name {name!r} appears to refer to a Tensor, not an Operation.")
        if name not in self.operations:
            raise KeyError(
                f"The name {name!r} refers to an Operation not in the graph."
                + _suggest(name, self.operations)
            )
        return self.operations[name]

    def tensor(self, name: str) -> Any:
        """The tensor of a name such as ``add:0``; ValueError for other forms, KeyError for none."""
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        operation_name, colon, number = name.rpartition(":")
        if not colon and name in self.operations:
            raise ValueError(
                f"The name {name!r} refers to an Operation, not a Tensor. Tensor names must be of "
                f"the form '<op_name>:<output_index>', such as '{name}:0'."
            )
        if not colon or not number.isdigit() or ":" in operation_name:
            raise ValueError(
                f"The name {name!r} is not a valid tensor name: expected '<op_name>:<output_index>'"
                f", such as '{name.partition(':')[0]}:0'."
            )
        operation = self.operations.get(operation_name)
        if operation is None:
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist: there is no operation "
                f"{operation_name!r} in the graph." + _suggest(operation_name, self.operations)
            )
        if int(number) >= len(operation.outputs):
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist: operation "
                f"{operation_name!r} has {len(operation.outputs)} outputs."
            )
        return operation.outputs[int(number)]


def _suggest(name: str, known: dict[str, Any]) -> str:
    import difflib  # only for messages

    close = difflib.get_close_matches(name, known, 3)
    return f" Did you mean {' or '.join(map(repr, close))}?" if close else ""


class ScopeMixin:
    """The part of a graph that its ``with`` blocks are."""

    scopes: NameScopes
    names: NameTable
    required: list[Any]
    _programs: int

    def name_scope(self, name: str | None) -> contextlib.AbstractContextManager[str]:
        """Within the block, names of operations start with ``name/``."""
        return self.names.scope(name)

    def get_name_scope(self) -> str:
        """The name scope that this thread is in: ``a/b``, or ``""``."""
        return self.scopes.name

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """A name nobody has yet: ``name``, ``name_1`` ..., within the current scope."""
        return self.names.unique(name, mark_as_used)

    @contextlib.contextmanager
    def control_dependencies(self, control_inputs: Iterable[Any] | None) -> Iterator[None]:
        """Within the block, operations run only after these; None clears those around it.

        ``control_inputs`` are operations, tensors, variables or names of this graph or of one
        around it.  ValueError for those of other graphs, TypeError for anything else.
        """
        control = self.scopes.control
        if control_inputs is None:
            wanted: tuple[Any, ...] = ()
        else:
            around = control[-1] if control else ()
            found = [self.control_input(item) for item in control_inputs]
            wanted = tuple(dict.fromkeys((*around, *[o for o in found if o is not None])))
        control.append(wanted)
        try:
            yield
        finally:
            control.pop()

    def control_input(self, item: Any) -> Any:
        """The operation to wait for; None when there is nothing to wait for."""
        raise NotImplementedError

    @contextlib.contextmanager
    def device(self, device_name_or_function: Any) -> Iterator[None]:
        """Within the block, operations note this device; there is one CPU, so nothing moves.

        A name such as ``/job:worker/gpu:1``, a DeviceSpec, a function of the operation that gives
        one, or None, which forgets the blocks around.  Inner blocks win, part by part.
        """
        scopes = self.scopes
        before = scopes.devices
        wanted = requested(device_name_or_function)
        scopes.devices = () if wanted is None else (*before, wanted)
        try:
            yield
        finally:
            scopes.devices = before

    @contextlib.contextmanager
    def colocate_with(self, op: Any, ignore_existing: bool = False) -> Iterator[None]:
        """Within the block, operations stand where ``op`` stands: on the one CPU, as all do."""
        yield

    @contextlib.contextmanager
    def container(self, container_name: str) -> Iterator[str]:
        """Accepted for TensorFlow's sake: each session keeps all state itself."""
        scopes = self.scopes
        before, scopes.container = scopes.container, container_name
        try:
            yield container_name
        finally:
            scopes.container = before

    @contextlib.contextmanager
    def program(self) -> Iterator[None]:
        """Within the block, effects belong to one program: a fetch of its tensors runs them all.

        Converted Python opens one for each outermost call, so that its prints, assertions and
        writes happen although no fetched tensor depends on them.  Inner blocks join the outer one.
        """
        scopes = self.scopes
        before = scopes.program
        if not before:
            self._programs += 1
            scopes.program = self._programs
        try:
            yield
        finally:
            scopes.program = before

    def current_program(self) -> int:
        """The program that is being recorded: below zero, one that autograph counts; or 0."""
        return self.scopes.program or -(RUN.get().number or current_run())

    def had_effects(self) -> bool:
        """Whether the program that is being recorded has had effects so far."""
        program = self.current_program()
        return any(node.program == program for node in reversed(self.required))
