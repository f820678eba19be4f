"""Functions whose calls run as graphs, traced from a Python function.

A call is bound to the signature (signature.py); its trace is found in the cache (trace_cache.py) or
made (concrete_function.py), with the reason recorded (retracing.py).  The trace then runs at once
under eager execution, or is recorded as a ``call`` operation in the current graph.
"""

from __future__ import annotations

import functools
import inspect
import sys
import time
import types
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from autograph.diagnostics.traceback import shorten
from autograph.errors import RunTimeLimit
from runtime.engine.config import EAGERLY
from runtime.functions.bound_method import BoundMethod
from runtime.functions.traced_function import TracedFunction
from runtime.ops.dispatch import ACTIVE, THREAD
from runtime.types.first_calls import phase
from runtime.types.function_pickles import reduced
from runtime.types.python_source import MISS

# What only traces need is imported where it is needed: plain calls of ``jit`` do without.
if TYPE_CHECKING:
    from runtime.functions.concrete_function import ConcreteFunction
    from runtime.functions.options import FunctionOptions
    from runtime.functions.signature import BoundCall
    from runtime.functions.trace_cache import Traces
    from runtime.graph.graph import Graph


class Function(TracedFunction):
    """Python function whose calls run as graphs: the result of ``function``."""

    def __init__(self, python_function: Callable[..., Any], options: FunctionOptions) -> None:
        self._decorated = python_function
        self._binds = not isinstance(python_function, staticmethod)
        self._binds_class = isinstance(python_function, classmethod)
        if isinstance(python_function, staticmethod | classmethod):
            python_function = python_function.__func__
        if not callable(python_function):
            raise TypeError(f"runtime.function: {python_function!r} is not a callable object")
        self._start(python_function, options, bound=False)

    # -- calls ------------------------------------------------------------------------------------

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run the trace for the types of the arguments; the first such call makes it.

        Raises TypeError for arguments that do not fit the signature, and what tracing or the run
        raises.
        """
        try:
            is_direct = not (ACTIVE or EAGERLY)
            if is_direct:
                direct = self._direct.get((len(args), *kwargs) if kwargs else len(args))
                if direct is not None:
                    result = direct(*args, *kwargs.values()) if kwargs else direct(*args)
                    if result is not MISS:
                        return result
            if EAGERLY:
                return self._run_eagerly()(*args, **kwargs)
            if self._is_inlined():
                from autograph import staging

                return staging.detect_recursion(self._bind(self._convert()))(*args, **kwargs)
            trace, call = self._trace_of(self._call(args, kwargs))
            if trace is None:
                from runtime.functions.carrying_function import call_inline

                return call_inline(self._bind(self._convert()), self._name, call)
            if is_direct:
                self._direct_calls.note(trace, call, args, kwargs)
            plain = functools.partial(self.python_function, *args, **kwargs)
            return trace.run_call(call, plain)
        except Exception as error:
            if isinstance(error, RunTimeLimit) and self._repeats(error, args, kwargs):
                return self(*args, **kwargs)
            from runtime.functions.array_arguments import loses_changes

            if not loses_changes(error) or _current_graph() is not None:
                shorten(error)
                raise
        return self.python_function(*args, **kwargs)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> BoundCall:
        """Bind the arguments of a call."""
        call = self._parameters.call(args, kwargs)
        context = THREAD.trace_context
        return call if context is None else call._replace(key=(call.key, context))

    def _trace_of(self, call: BoundCall) -> tuple[ConcreteFunction | None, BoundCall]:
        """The trace of a call, which is made unless there is one, and the call with its state."""
        trace = None if self._state.any else self._find_or_trace(call)
        if trace is None or self._state.any or trace.ends_trace_around():
            return self._carrying(call)
        return trace, call

    def _repeats(self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether a call that raised is repeated, since another trace would not have that limit:
        one in which loops are unrolled, or ints to staged powers may be floats.
        """
        from runtime.functions.array_arguments import has_effects

        if not self._options.stage_numbers or _current_graph() is not None:
            return False
        traces = [record.trace for record in self._history.records if record.trace is not None]
        if any(trace.carries_state or has_effects(trace.graph) for trace in traces):
            return False  # and cannot be taken back
        is_lifted: bool = self._state.lifts_limit(self._call(args, kwargs), error)
        if is_lifted:
            self.cache_clear()
        return is_lifted

    def _carrying(self, call: BoundCall) -> tuple[ConcreteFunction | None, BoundCall]:
        """The trace of a call that may carry state, and the call with that.

        None inside a graph, where the state is that of the trace around.
        """
        if _current_graph() is not None:
            return None, call
        while True:
            call = self._state.with_state(call)
            trace = self._find_or_trace(call)
            if trace is not None and (trace.carried is None or trace.carried.fit(call.state)):
                return trace, call

    def _is_inlined(self) -> bool:
        """Whether a call is a part of the trace that is being made, which may be its own."""
        if self._options.stage_numbers and _current_graph() is not None:
            return True
        return self._converted is not None and self._trace_lock.is_held

    def _run_eagerly(self) -> Callable[..., Any]:
        """Return what ``run_functions_eagerly`` calls; inside a graph, control flow is staged."""
        return self.python_function if _current_graph() is None else self._bind(self._convert())

    def _bind(self, python: Callable[..., Any]) -> Callable[..., Any]:
        """Bind the Python function, or its conversion, to the instance if there is one."""
        return python

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if not self._binds:
            return self
        if self._binds_class:
            instance = owner if instance is None else type(instance)
        return self if instance is None else self._of(instance)

    def _of(self, instance: Any) -> Any:
        """Return the bound method of an instance, whose traces live as long as the instance."""
        entry = self._instances.get(id(instance))
        if entry is None:
            instances, key = self._instances, id(instance)
            try:
                gone = weakref.ref(instance, lambda _: instances.pop(key, None))
            except TypeError:  # it cannot be held weakly: it is an argument like others
                return types.MethodType(self, instance)
            entry = instances.setdefault(key, (gone, self._for_instance(gone)))
        return BoundMethod(entry[1], instance)

    def _for_instance(self, instance: Callable[[], Any]) -> InstanceFunction:
        """Return the function of an instance, which is referred to weakly."""
        return InstanceFunction(self, instance)

    # -- traces -------------------------------------------------------------------------------

    def get_concrete_function(self, /, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """Return the trace for arguments of such types; ``TensorSpec``s may stand for tensors.

        Without arguments, the trace of the input signature; ValueError if there is none.  Raises
        TypeError for arguments that do not fit the signature, and what tracing raises.
        """
        if not args and not kwargs and self._parameters.specs is not None:
            args, kwargs = self._parameters.declared_arguments()
        try:
            call = self._state.with_state(self._call(args, kwargs))
            trace = self._find_or_trace(call, "asked for by get_concrete_function")
            assert trace is not None
            return trace
        except Exception as error:
            shorten(error)
            raise

    def _stores(self) -> list[Traces]:
        if not self._traces_by_graph:
            return [self._traces]
        outer = _current_graph()
        inside = self._traces_by_graph.get(outer) if outer is not None else None
        return [self._traces] if inside is None else [inside, self._traces]

    def _find(self, call: BoundCall) -> ConcreteFunction | None:
        for store in self._stores():
            trace = store.find(call)
            if trace is not None:
                return trace
        return None

    def _find_or_trace(self, call: BoundCall, note: str = "") -> ConcreteFunction | None:
        """Return the trace for a call; make it unless there is one."""
        seen = self._history.count
        return self._find(call) or self._trace(call, note, seen)

    def _trace(self, call: BoundCall, note: str, seen: int) -> ConcreteFunction | None:
        """Trace the function, unless another thread made a fitting trace since there were ``seen``.

        None where a graph around takes the call's state over: the call is a part of its trace.
        """
        from runtime.engine.llvm.engine import choose
        from runtime.functions.carrying_function import key_of

        with self._trace_lock.acquire():
            call = self._state.with_state(call)  # what it carries may be known by now
            other_trace = self._find(call) if self._history.count != seen else None
            if other_trace is not None:
                return other_trace
            seen = self._history.count
            record = self._history.begin(call, note, self._state.changed_labels(call))
            relaxed = self._relax(call)
            start = time.perf_counter()
            python, first = self._bind(self._convert()), not self._history.count
            with phase(f"tracing {self._name}"):
                trace, variables = self._state.trace(relaxed, python, first, bool(note))
            self._variables = variables or self._variables
            if trace is None:
                return None
            choose(trace.graph, self._options.jit_compile)
            call = key_of(trace, call)
            record.attach(trace, time.perf_counter() - start)
            # a lock that would close a circle of waiting threads lets two of them in
            other_trace = self._find(call) if self._history.count != seen else None
            if other_trace is not None:
                return other_trace
            self._store(trace).add(call, relaxed.shapes, trace)
            self._direct_calls.clear()
            self._note(record, note)
        return trace

    def _note(self, record: Any, note: str) -> None:
        runs = self._runs()
        self._history.add(record)
        if note:
            return
        self._misses += 1
        self._history.note_call(runs + 1)
        code = getattr(self._python_function, "__code__", None)
        if self._history.count == 1 and code is not None and type(self) is Function:
            from runtime.functions.retracing import note_first_trace

            note_first_trace(self, code, self._name)

    def _store(self, trace: ConcreteFunction) -> Traces:
        """Return the cache for a trace: one that captures tensors of a graph belongs to it."""
        from runtime.functions.trace_cache import Traces

        if trace.graph.transient:  # not kept: the next call may find the file that was missing
            return Traces()
        outer = _current_graph() if trace.graph.captures else None
        if outer is None:
            return self._traces
        return self._traces_by_graph.setdefault(outer, Traces())

    def _relax(self, call: BoundCall) -> BoundCall:
        """With ``reduce_retracing``, make sizes unknown that differ from those of other traces."""
        if not self._options.reduce_retracing:
            return call
        shapes = call.shapes
        for other_shapes in self._traces.shapes(call):
            pairs = zip(shapes, other_shapes)
            shapes = tuple([a.most_specific_compatible_shape(b) for a, b in pairs])
        return call._replace(shapes=shapes)

    def _convert(self) -> Callable[..., Any]:
        """Return the converted Python function; it is converted on the first call."""
        if self._converted is None:
            python = self._python_function
            if self._options.autograph:
                from runtime.staging.conversion import converted

                python = converted(python, self._name, self._options.features)
            self._converted = python
        return self._converted

    # -- what is known of it ----------------------------------------------------------------------

    @property
    def python_function(self) -> Callable[..., Any]:
        """The Python function."""
        return self._bind(self._python_function)

    def cache_clear(self) -> None:
        """Drop all traces; the next calls trace again."""
        for store in (self._traces, *self._traces_by_graph.values()):
            store.clear()
        self._state.clear()
        self._direct_calls.clear()

    def clear_cache(self) -> None:
        """Drop all traces and records, so that the next call may create variables again.

        For a method that is looked up on its class, this applies to all instances.
        """
        from runtime.functions.retracing import History

        self.cache_clear()
        self._history = History(self._name)
        self._misses, self._variables = 0, []
        for _, function in list(self._instances.values()):
            function.clear_cache()

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle by name if that leads to this object, else by the Python function."""
        return reduced(self, sys._getframe(1), Function, self._decorated, self._options)


class InstanceFunction(Function):
    """Function of one instance, which its bound methods call; it has its own traces."""

    def __init__(self, family: Function, instance: Callable[[], Any]) -> None:
        self._family = family
        self._instance = instance
        self._start(family._python_function, family._options, bound=True)

    def _bind(self, python: Callable[..., Any]) -> Callable[..., Any]:
        return types.MethodType(python, self._instance())

    def _convert(self) -> Callable[..., Any]:
        self._converted = self._family._convert()
        return self._converted

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self

    @property
    def signature(self) -> inspect.Signature:
        """Signature without the parameter of the instance."""
        return self._parameters.signature


def _current_graph() -> Graph | None:
    """Return the graph that is traced now, if any."""
    from runtime.graph.trace import current_graph

    return current_graph()
