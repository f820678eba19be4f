"""What a traced function tells about itself: signatures, traces, and the statistics of its cache.

The part of ``Function`` (function.py) that calls do not need.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from runtime.functions.begun_function import BegunFunction
from runtime.functions.options import CacheInfo

if TYPE_CHECKING:
    from runtime.functions.concrete_function import ConcreteFunction
    from runtime.functions.retracing import Explanation


class DescribedFunction(BegunFunction):
    """Traced function, as far as it describes itself."""

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
