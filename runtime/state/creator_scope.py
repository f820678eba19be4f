"""``variable_creator_scope``: functions that intercept the construction of variables.

Below variable.py, whose class has the metaclass :class:`CreatedBy`; that calls the creators of the
scopes that the thread has entered.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

__all__ = ["variable_creator_scope"]


class _Scopes(threading.local):
    def __init__(self) -> None:
        self.creators: list[Callable[..., Any]] = []


_scopes = _Scopes()


@contextlib.contextmanager
def variable_creator_scope(variable_creator: Callable[..., Any]) -> Iterator[None]:
    """Let ``Variable(...)`` call a function in its place within a block.

    Args:
        variable_creator: function ``(next_creator, **kwargs)`` that returns a variable.  ``kwargs``
            are all arguments of the variable; ``next_creator(**kwargs)`` calls the creator of the
            outer scope, or makes the variable.  Arguments and result may be changed.
    Returns:
        Context manager.
    Raises:
        TypeError: the creator is not callable.
    """
    if not callable(variable_creator):
        raise TypeError(f"variable_creator must be callable, got {variable_creator!r}")
    _scopes.creators.append(variable_creator)
    try:
        yield
    finally:
        _scopes.creators.pop()


class CreatedBy(type):
    """Metaclass whose classes make instances by the creators of the scopes around, if any."""

    if not TYPE_CHECKING:  # which read the class's own constructor

        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            """Call the innermost creator with these arguments, or make an instance."""
            make = super().__call__
            if not _scopes.creators or CreatedBy in map(type, cls.__bases__):
                return make(*args, **kwargs)
            bound = inspect.signature(cls.__init__).bind(None, *args, **kwargs)
            bound.apply_defaults()
            creators, arguments = list(_scopes.creators), dict(bound.arguments)
            del arguments["self"]

            def create(depth: int, **kwargs: Any) -> Any:
                if not depth:
                    return make(**kwargs)
                return creators[depth - 1](functools.partial(create, depth - 1), **kwargs)

            return create(len(creators), **arguments)
