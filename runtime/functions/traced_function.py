"""Traced function as it stands between calls: what it holds, and what it tells about itself.

What it makes for its traces needs graphs, engines and the libraries that convert, whose import
takes longer than many a program: it is made when it is first asked for, which plain calls of
``jit`` never do.  ``Function`` (function.py) adds the calls.
"""

from __future__ import annotations

import functools
import itertools
import types
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from autograph.collection_pause import without_collection
from autograph.tracing import CallsPython
from runtime.functions.direct_calls import DirectCalls
from runtime.functions.function_name import name_of
from runtime.functions.options import CacheInfo, FunctionOptions
from runtime.functions.trace_lock import TraceLock

if TYPE_CHECKING:
    from runtime.functions.concrete_function import ConcreteFunction
    from runtime.functions.retracing import Explanation, History
    from runtime.functions.signature import FunctionSignature
    from runtime.functions.trace_cache import Traces
    from runtime.graph.graph import Graph

_FOR_TRACES = frozenset({"_history", "_parameters", "_state", "_traces", "_traces_by_graph"})


class TracedFunction(CallsPython):
    """Python function, its options, its traces and their statistics."""

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

    # -- what it tells ----------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of the Python function."""
        return self._name

    @property
    def input_signature(self) -> tuple[Any, ...] | None:
        """Input signature, or None."""
        specs = self._options.input_signature
        return None if specs is None else tuple(specs)

    @property
    def function_type(self) -> Any:
        """Signature, with the declared types as annotations."""
        return self._parameters.declared_signature()

    def experimental_get_tracing_count(self) -> int:
        """Return how often the Python function was traced."""
        return self._history.count

    def _all(self) -> list[ConcreteFunction]:
        return list(itertools.chain(self._traces, *self._traces_by_graph.values()))

    def _runs(self) -> int:
        return sum(store.runs for store in (self._traces, *self._traces_by_graph.values()))

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """Return the signatures of the cached traces as text."""
        texts = [trace.pretty_printed_signature(verbose) for trace in self._all()]
        return ("\n\n" if verbose else "\n").join(texts)

    def explain(self) -> Explanation:
        """Explain why each trace was made, what it cost, and which engine runs it.

        The result is a string; its attribute ``traces`` holds the records.
        """
        return self._history.explain(self._runs(), len(self._all()))

    def kernel_ir(self, /, *args: Any, **kwargs: Any) -> str:
        """Return the native engine's own code of the trace for such arguments, as text.

        Without arguments, of the latest trace.  Raises UnimplementedError if it cannot become
        machine code, TypeError for arguments that do not fit the signature.
        """
        return self._trace_for(args, kwargs).kernel_ir()

    def llvm_ir(self, /, *args: Any, **kwargs: Any) -> str:
        """Return the code that LLVM compiles, as text; arguments and errors as ``kernel_ir``."""
        return self._trace_for(args, kwargs).llvm_ir()

    def assembly(self, /, *args: Any, **kwargs: Any) -> str:
        """Return the assembly for this machine; arguments and errors as ``kernel_ir``.

        UnimplementedError also where llvmlite is missing.
        """
        return self._trace_for(args, kwargs).assembly()

    def _trace_for(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ConcreteFunction:
        """Return the trace for arguments; without them the latest one."""
        traces = [] if args or kwargs else self._all()
        return traces[-1] if traces else self.get_concrete_function(*args, **kwargs)

    def get_concrete_function(self, /, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """Return the trace for arguments (function.py)."""
        raise NotImplementedError

    def cache_info(self) -> CacheInfo:
        """Return cache hits, cache misses, and the maximum and current number of traces."""
        from runtime.functions.trace_cache import MAX_TRACES

        calls = self._runs()
        return CacheInfo(max(0, calls - self._misses), self._misses, MAX_TRACES, len(self._all()))

    def experimental_get_compiler_ir(self, /, *args: Any, **kwargs: Any) -> Any:
        """Raise NotImplementedError: graphs are not compiled by XLA."""
        raise NotImplementedError("use str(f.get_concrete_function(...).graph): there is no XLA")

    def _repr_html_(self) -> str:
        return self.explain()._repr_html_()

    def __repr__(self) -> str:
        return f"<runtime.function {self._name} at {hex(id(self))}>"
