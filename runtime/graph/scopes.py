"""Names and scopes of a graph: unique names, and the ``with`` blocks that apply to operations.

Part of Graph that does not know how operations are recorded.  Each thread has its own scopes, so
that several threads may record in one graph.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any

from runtime.graph.staging_hooks import STAGING
from runtime.types.device_spec import Request, device_of, requested

_VALID_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*\Z")
_VALID_SCOPE = re.compile(r"[A-Za-z0-9_.\\/>-]*\Z")


def valid_name(name: str) -> str:
    """Return a name of an operation for what has another one, such as an eager variable."""
    if _VALID_NAME.match(name):
        return name
    return re.sub(r"[^A-Za-z0-9_.-]", "_", name).lstrip("_-") or "unnamed"


class NameScopes(threading.local):
    """Blocks of one graph that a thread has entered."""

    def __init__(self) -> None:
        self.name = ""
        self.control: list[tuple[Any, ...]] = []
        self.devices: tuple[Request, ...] = ()
        self.container = ""


class NameTable:
    """Table of unique operation names, as TensorFlow makes them: ``add``, ``scope/add_1``."""

    def __init__(self, scopes: NameScopes) -> None:
        self.operations: dict[str, Any] = {}
        self._scopes = scopes
        self._used: dict[str, int] = {}

    def unique(self, name: str, mark_as_used: bool = True) -> str:
        """Return an unused name in the current scope; one ending in ``/`` is used as it is."""
        name = name.decode() if isinstance(name, bytes) else name
        if name.endswith("/"):
            return name[:-1]
        scope = self._scopes.name
        full = f"{scope}/{name}" if scope else name
        key = full.lower()  # some file systems and TensorBoard ignore case
        key = full if key == full else key  # keep one string, not two equal ones
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
        """Prefix names within the block; yield the prefix with a trailing ``/``."""
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
        """Return an operation by name; KeyError if unknown, ValueError for a tensor's name."""
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
        """Return a tensor by name (``add:0``); KeyError if unknown, ValueError for other forms."""
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


def _suggest(name: str, by_name: dict[str, Any]) -> str:
    import difflib  # only for messages

    close = difflib.get_close_matches(name, by_name, 3)
    return f" Did you mean {' or '.join(map(repr, close))}?" if close else ""


class ScopeMixin:
    """Part of a graph: its ``with`` blocks."""

    scopes: NameScopes
    names: NameTable
    run_effects: list[Any]

    def name_scope(self, name: str | None) -> contextlib.AbstractContextManager[str]:
        """Prefix the names of operations within the block with ``name/``."""
        return self.names.scope(name)

    def get_name_scope(self) -> str:
        """Return the name scope of this thread: ``a/b``, or ``""``."""
        return self.scopes.name

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """Return an unused name in the current scope: ``name``, ``name_1`` ..."""
        return self.names.unique(name, mark_as_used)

    @contextlib.contextmanager
    def control_dependencies(self, control_inputs: Iterable[Any] | None) -> Iterator[None]:
        """Make operations of the block run after ``control_inputs``; None clears outer blocks.

        ``control_inputs`` are operations, tensors, variables or names of this graph or of one
        around it.  ValueError for those of other graphs, TypeError for anything else.
        """
        control = self.scopes.control
        if control_inputs is None:
            dependencies: tuple[Any, ...] = ()
        else:
            around = control[-1] if control else ()
            controls = [self.control_input(item) for item in control_inputs]
            dependencies = tuple(dict.fromkeys((*around, *[o for o in controls if o is not None])))
        control.append(dependencies)
        try:
            yield
        finally:
            control.pop()

    def control_input(self, item: Any) -> Any:
        """Return the operation to wait for; None when there is nothing to wait for."""
        raise NotImplementedError

    @contextlib.contextmanager
    def device(self, device_name_or_function: Any) -> Iterator[None]:
        """Set the ``device`` of operations within the block, which says where they run.

        ``device_name_or_function`` is a name such as ``/job:worker/gpu:1``, a DeviceSpec, a
        function from the operation to one, or None, which clears outer blocks.  Each part of a
        device that an inner block names replaces that of outer blocks.
        """
        scopes = self.scopes
        before = scopes.devices
        device = requested(device_name_or_function)
        scopes.devices = () if device is None else (*before, device)
        try:
            yield
        finally:
            scopes.devices = before

    def device_of_new(self, name: str, op_type: str) -> str:
        """Return the device that is asked for, now, of what no operation makes, such as a queue."""
        stand_in = SimpleNamespace(name=name, type=op_type, device="", graph=self, attrs={})
        return device_of(stand_in, self.scopes.devices)

    @contextlib.contextmanager
    def colocate_with(self, op: Any, ignore_existing: bool = False) -> Iterator[None]:
        """Give operations within the block the device of ``op``, a tensor or variable too."""
        with self.device(None), self.device(op.device or None):
            yield

    @contextlib.contextmanager
    def container(self, container_name: str) -> Iterator[str]:
        """Accept a resource container, for TensorFlow's sake: each session owns its state."""
        scopes = self.scopes
        before, scopes.container = scopes.container, container_name
        try:
            yield container_name
        finally:
            scopes.container = before

    def current_run_id(self) -> int:
        """Return the run id of the converted code that records now; 0 outside of such code."""
        return STAGING.run_id()

    def had_effects(self) -> bool:
        """Return whether the current run has recorded effects in this graph so far."""
        run_id = self.current_run_id()
        return any(node.run_id == run_id for node in reversed(self.run_effects))
