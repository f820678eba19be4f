"""Bound methods of traced functions: the value of ``instance.method``.

As in Python, a bound method keeps its instance alive; the function that it calls refers to the
instance weakly.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from autograph.tracing import CallsPython

if TYPE_CHECKING:
    from runtime.functions.concrete_function import ConcreteFunction


class BoundMethod(CallsPython):
    """Bound method: the function that belongs to an instance, and the instance itself."""

    __slots__ = ("__func__", "__self__", "__weakref__")

    def __init__(self, function: Any, instance: Any) -> None:
        self.__func__ = function
        self.__self__ = instance

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the method."""
        return self.__func__(*args, **kwargs)

    def get_concrete_function(self, /, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """Return the trace for such arguments, which are given without the instance."""
        return self.__func__.get_concrete_function(*args, **kwargs)

    @property
    def python_function(self) -> Callable[..., Any]:
        """The Python method."""
        return self.__func__.python_function

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__func__, name)

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return self.__func__.__doc__

    @property
    def __signature__(self) -> inspect.Signature:
        return self.__func__.signature

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BoundMethod):
            return NotImplemented
        return self.__func__ is other.__func__

    def __hash__(self) -> int:
        return id(self.__func__)

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self.__self__, self.__func__.__name__)

    def __repr__(self) -> str:
        return f"<bound runtime.function {self.__func__.__qualname__} of {self.__self__!r}>"
