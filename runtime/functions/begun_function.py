"""Beginning of a traced function: what it holds from the start, and what it makes for its traces.

The latter needs graphs, engines and the libraries that convert, whose import takes longer than many
a program: it is made when it is first asked for, which plain calls of ``jit`` never do.
"""

from __future__ import annotations

import functools
import types
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from autograph.collection_pause import without_collection
from autograph.tracing import CallsPython
from runtime.functions.direct_calls import DirectCalls
from runtime.functions.function_name import name_of
from runtime.functions.options import FunctionOptions
from runtime.functions.trace_lock import TraceLock

if TYPE_CHECKING:
    from runtime.functions.retracing import History
    from runtime.functions.signature import FunctionSignature
    from runtime.functions.trace_cache import Traces
    from runtime.graph.graph import Graph

_FOR_TRACES = frozenset(
    {"_history", "_parameters", "_state", "_traces", "_traces_by_graph"}
)


class BegunFunction(CallsPython):
    """Traced function, as far as it holds what it needs."""

    _history: History
    _parameters: FunctionSignature
    _state: Any
    _traces: Traces
    _traces_by_graph: weakref.WeakKeyDictionary[Graph, Traces]

    def _start(self, python: Callable[..., Any], options: FunctionOptions, bound: bool) -> None:
        wrapper: Any = self
        functools.update_wrapper(wrapper, python, updated=())
        for name, value in vars(python).items() if isinstance(python, types.FunctionType) else ():
            is_private = name.startswith("_") and not name.startswith("__")
            if not (is_private or hasattr(type(self), name)):
                setattr(self, name, value)  # a wrapper may have those of another traced function
        self._python_function = python
        self._options = options
        self._bound = bound
        self.__name__ = self._name = name_of(python)
        self.__qualname__ = getattr(python, "__qualname__", self._name)
        self._converted: Callable[..., Any] | None = None
        self._misses = 0
        self._variables: list[Any] = []
        """Variables that the first call made: the program may hold no other reference to them."""
        self._trace_lock = TraceLock()
        self._direct_calls = DirectCalls()
        self._direct = self._direct_calls.by_form
        self._instances: dict[int, tuple[Any, Any]] = {}
        if options.input_signature is not None or options.follow_type_hints:
            self._begin_traces()  # which checks them

    def _begin_traces(self) -> None:
        """Make what traces need, unless another thread has done so."""
        with without_collection():
            from runtime.functions.carrying_function import CarriedState  # noqa: F401 - soon needed
            from runtime.functions.retracing import History
            from runtime.functions.signature import FunctionSignature
            from runtime.functions.trace_cache import Traces

        with self._trace_lock.acquire():
            if "_history" in vars(self):
                return
            options = self._options
            self._parameters = FunctionSignature(
                self._python_function, options.input_signature, self._bound,
                options.follow_type_hints, options.stage_numbers,
            )  # fmt: skip
            self._traces = Traces()
            self._traces_by_graph = weakref.WeakKeyDictionary()
            self._state = self._no_state()
            self._history = History(self._name)

    def _no_state(self) -> Any:
        """Return the record of the state that calls carry, which is empty yet."""
        from runtime.functions.carrying_function import CarriedState

        parameters = self._parameters if self._options.stage_numbers else None
        return CarriedState(self._name, parameters, undoes_refused=not self._options.strict)

    if not TYPE_CHECKING:  # type checkers read the attributes above

        def __getattr__(self, name: str) -> Any:
            if name in _FOR_TRACES and "_instances" in vars(self):
                self._begin_traces()
                return vars(self)[name]
            text = f"{type(self).__name__!r} object has no attribute {name!r}"
            raise AttributeError(text, name=name, obj=self)
