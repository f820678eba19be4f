"""``variable_creator_scope``: functions that stand between ``Variable(...)`` and the variable.

variables.py builds on this: its class is made by :class:`CreatedBy`, which asks the creators of the
scopes that the thread is in.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import threading
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["variable_creator_scope"]


class _Scopes(threading.local):
    def __init__(self) -> None:
        self.creators: list[Callable[..., Any]] = []


_scopes = _Scopes()


@contextlib.contextmanager
def variable_creator_scope(variable_creator: Callable[..., Any]) -> Iterator[None]:
    """Within the block, ``Variable(...)`` gives ``variable_creator(next_creator, **kwargs)``.

    ``kwargs`` are all arguments of the variable.  ``next_creator(**kwargs)`` asks the scopes
    around, and at last makes the variable; the creator may change the arguments, or what it
    returns.  TypeError for a creator that cannot be called.
    """
    if not callable(variable_creator):
        raise TypeError(f"variable_creator must be callable, got {variable_creator!r}")
    _scopes.creators.append(variable_creator)
    try:
        yield
    finally:
        _scopes.creators.pop()


class CreatedBy(type):
    """The class of a class whose instances are made by the creators around, if there are any."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """What the innermost creator makes of these arguments; else a new instance."""
        make = super().__call__
        if not _scopes.creators or CreatedBy in map(type, cls.__bases__):
            return make(*args, **kwargs)
        bound = inspect.signature(cls.__init__).bind(None, *args, **kwargs)  # type: ignore[misc]
        bound.apply_defaults()
        creators, given = list(_scopes.creators), dict(bound.arguments)
        del given["self"]

        def create(depth: int, **kwargs: Any) -> Any:
            if not depth:
                return make(**kwargs)
            return creators[depth - 1](functools.partial(create, depth - 1), **kwargs)

        return create(len(creators), **given)
