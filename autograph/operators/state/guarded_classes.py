"""Guarded classes: the user's classes whose methods tracing replaces, until the last trace ends.

``copied_objects`` and ``joins.may_alias`` let classes refuse what they cannot allow of an object.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.state.closure_cells import UNDEFINED
from autograph.syntax.fork_safe_lock import fork_safe_lock

Method = Callable[..., Any]


class GuardedClasses:
    """Classes some of whose methods are replaced, with what each class held by the names."""

    def __init__(self, names: tuple[str, ...], guarding: Callable[[str, Method], Method]) -> None:
        """Guard methods of these names; ``guarding`` makes the method for a name and the method of
        the class.
        """
        self._names = names
        self._guarding = guarding
        self._methods: dict[type, dict[str, tuple[Any, Method]]] = {}
        self.lock = fork_safe_lock()

    def add(self, kind: type) -> None:
        """Guard a class; the lock is held."""
        if kind in self._methods:
            return
        self._methods[kind] = {}
        for name in self._names:
            original = vars(kind).get(name, UNDEFINED)
            method = self._guarding(name, getattr(kind, name))
            self._methods[kind][name] = original, method
            type.__setattr__(kind, name, method)

    def release(self) -> None:
        """Give all classes their methods back; the lock is held."""
        for kind, methods in self._methods.items():
            for name, (original, method) in methods.items():
                put_back(kind, name, method, original)
        self._methods.clear()


def put_back(owner: type, name: str, attribute: Any, original: Any) -> None:
    """Let a class hold what it held before tracing put an attribute there, unless it was replaced.
    """
    if vars(owner).get(name) is not attribute:
        return
    if original is UNDEFINED:
        type.__delattr__(owner, name)
    else:
        type.__setattr__(owner, name, original)
