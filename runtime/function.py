"""``function``: calls of a Python function become runs of graphs traced from it.

A call is taken apart (arguments.py), its trace is looked up or made, and the trace is run as one
``call`` row: at once under eager execution, recorded inside another graph.
"""

from __future__ import annotations

import contextlib
import functools
import re
import threading
import types
import warnings
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import autograph
from autograph.errors import ConversionError, NeverReturnsError, NotAFunctionError
from autograph.features import Feature
from autograph.operators.recursion import watched
from autograph.tracebacks import shorten
from runtime import attempts, interpreter, nest, optionals, promotion
from runtime.arguments import Call, Parameters, Shapes, count_tensors, names_of, replaced
from runtime.eager import wrap
from runtime.graph import Graph
from runtime.interpreter import Value
from runtime.ops.constants import convert_to_tensor
from runtime.subgraph import SubGraph
from runtime.symbolic import Operation, SymbolicTensor
from runtime.tracing import call_graph, current_graph
from runtime.types import TensorSpec
from runtime.variables import Variable

__all__ = ["function"]

# In TensorFlow a bare ``print`` runs while tracing; runtime.print prints values.
_FEATURES = tuple(
    feature for feature in Feature if feature not in (Feature.ALL, Feature.PRINT)
)


class ConcreteFunction:
    """One trace: a graph for arguments of certain types."""

    def __init__(self, name: str, call: Call, parameters: Parameters, python: Any) -> None:
        self.name = name
        self._call = call
        self._parameters = parameters
        with attempts.suspended():
            self.graph = SubGraph(name)
        names = names_of(call, parameters.signature)
        symbolic = [
            self.graph.add_input(TensorSpec(t.shape, t.dtype, _node_name(n)))
            for t, n in zip(call.tensors, names, strict=True)
        ]
        self._names = [t.op.name for t in symbolic]
        args, kwargs = replaced(list(call.args), symbolic), dict(call.kwargs)
        if kwargs:
            left = symbolic[len(symbolic) - count_tensors(kwargs) :]
            kwargs = replaced(kwargs, left)
        with attempts.suspended(), self.graph.as_default():
            try:
                result = python(*args, **kwargs)
            except NeverReturnsError:
                result = None  # a run raises
            self._set_outputs(result)

    def _set_outputs(self, result: Any) -> None:
        self.structured_outputs = optionals.map_inside(self._output, result)
        leaves = optionals.flatten(self.structured_outputs)
        self.graph.outputs = [leaf for leaf in leaves if leaf is not None]
        self._plain = isinstance(self.structured_outputs, Value)

    def _output(self, leaf: Any) -> Any:
        """A returned value as a tensor of the graph; None and operations give None."""
        if leaf is None or isinstance(leaf, Operation):
            return None
        try:
            return self.graph.lift(convert_to_tensor(leaf))
        except (TypeError, ValueError) as error:
            if isinstance(leaf, Value | Variable):
                raise
            raise TypeError(
                f"{self.name}() must return tensors, numbers, None or nests of those, but "
                f"returned {leaf!r} of type {type(leaf).__name__}: {error}"
            ) from None

    @property
    def inputs(self) -> list[SymbolicTensor]:
        """The graph's inputs: the arguments, then what is captured."""
        return list(self.graph.inputs)

    @property
    def outputs(self) -> list[SymbolicTensor]:
        """The graph's outputs, flat."""
        return list(self.graph.outputs)

    @property
    def captured_inputs(self) -> list[SymbolicTensor]:
        """The tensors of the enclosing graph that the function uses."""
        return self.graph.captured_tensors()

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments, with specs in place of tensors."""
        specs = [
            TensorSpec(t.shape, t.dtype, name)
            for t, name in zip(self._call.tensors, self._names, strict=True)
        ]
        count = len(specs) - count_tensors(self._call.kwargs)
        args = replaced(list(self._call.args), specs[:count])
        return tuple(args), replaced(dict(self._call.kwargs), specs[count:])

    def accepts(self, shapes: Shapes) -> bool:
        """Whether tensors of these shapes may be passed."""
        return all(
            shape.is_subtype_of(t.shape) for shape, t in zip(shapes, self.graph.inputs)
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the graph for tensors, given by position or by the names of the inputs.

        TypeError for a wrong number, ValueError for a wrong dtype or shape.
        """
        count = len(self._names)
        given = [value for value in nest.flatten(list(args)) if value is not None]
        if len(given) > count or kwargs.keys() - set(self._names):
            given = self._parameters.call(args, kwargs).tensors
            kwargs = {}
        missing = self._names[len(given) :]
        try:
            given += [kwargs[name] for name in missing]
        except KeyError:
            raise TypeError(
                f"{self.name}() takes {count} tensors ({', '.join(self._names)}), got "
                f"{len(given) + len(kwargs)}"
            ) from None
        tensors = [
            self._fitting(value, wanted) for value, wanted in zip(given, self.graph.inputs)
        ]
        return self.run(tensors)

    def _fitting(self, value: Any, wanted: SymbolicTensor) -> Any:
        tensor = convert_to_tensor(value, wanted.dtype)
        if not tensor.shape.is_compatible_with(wanted.shape):
            raise ValueError(
                f"{self.name}(): the argument {wanted.op.name!r} has shape {tensor.shape}, but "
                f"this trace takes {wanted.shape}"
            )
        return tensor

    def run(self, tensors: Sequence[Any]) -> Any:
        """The result for tensors that fit the graph's inputs, as the Python function gives it."""
        outputs = call_graph(self.graph, tensors)
        if self._plain:
            return outputs[0]
        values = iter(outputs)
        leaves = [
            None if leaf is None else next(values)
            for leaf in optionals.flatten(self.structured_outputs)
        ]
        return optionals.pack_sequence_as(self.structured_outputs, leaves, _item)

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.name} at {hex(id(self))}>"

    def __str__(self) -> str:
        return str(self.graph)


def _item(value: Any, spec: Any) -> Any:
    """An item of a returned list, as a tensor."""
    strong = promotion.strengthen(value, promotion.SETTLED[spec.dtype]) if spec.weak else value
    return wrap(strong)


def _node_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.]", "_", name).lstrip("_") or "input"


Traces = dict[Any, dict[Shapes, ConcreteFunction]]


class Function:
    """A Python function whose calls run as graphs; what ``function`` returns."""

    def __init__(
        self, python_function: Callable[..., Any], input_signature: Any = None,
        autograph: bool = True, reduce_retracing: bool = False,
        features: tuple[Feature, ...] = (),
    ) -> None:
        functools.update_wrapper(self, python_function)
        self.python_function = python_function
        self.input_signature = input_signature
        self._parameters = Parameters(python_function, input_signature)
        self._name = self._parameters.name
        self._autograph = autograph
        self._features = _FEATURES + features
        self._reduce_retracing = reduce_retracing
        self._converted: Callable[..., Any] | None = None
        self._traces: Traces = {}
        self._inside: weakref.WeakKeyDictionary[Graph, Traces] = weakref.WeakKeyDictionary()
        self._count = 0
        self._lock = threading.RLock()
        self._tracer = 0
        """The thread that traces the function now."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function: by its trace for such arguments, made on the first call."""
        if self._tracer == threading.get_ident() and self._converted is not None:
            return watched(self._converted)(*args, **kwargs)  # it calls itself
        try:
            call = self._parameters.call(args, kwargs)
            trace = self._find(call) or self._trace(call)
            return trace.run(_inputs(call))
        except Exception as error:
            shorten(error)
            raise

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for arguments of such types; tensors may be given as ``TensorSpec``s."""
        if not args and not kwargs and self._parameters.specs is not None:
            args = self._parameters.declared()
        try:
            call = self._parameters.call(args, kwargs)
            return self._find(call, exactly=True) or self._trace(call)
        except Exception as error:
            shorten(error)
            raise

    def experimental_get_tracing_count(self) -> int:
        """How often the Python function was traced."""
        return self._count

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """The signatures of the traces, a line each."""
        lines = [
            f"{self._name}({', '.join(map(str, trace.structured_input_signature[0]))})"
            for group in self._traces.values()
            for trace in group.values()
        ]
        return "\n".join(lines)

    # -- traces -------------------------------------------------------------------------------

    def _stores(self) -> list[Traces]:
        outer = current_graph()
        inside = self._inside.get(outer) if outer is not None else None
        return [self._traces] if inside is None else [inside, self._traces]

    def _find(self, call: Call, exactly: bool = False) -> ConcreteFunction | None:
        for store in self._stores():
            group = store.get(call.key)
            if not group:
                continue
            found = group.get(call.shapes)
            if found is not None or exactly:
                return found
            for trace in group.values():
                if trace.accepts(call.shapes):
                    return trace
        return None

    @contextlib.contextmanager
    def _traced_here(self) -> Iterator[None]:
        before, self._tracer = self._tracer, threading.get_ident()
        try:
            yield
        finally:
            self._tracer = before

    def _trace(self, call: Call) -> ConcreteFunction:
        with self._lock, self._traced_here():
            found = self._find(call, exactly=True)
            if found is not None:
                return found
            wanted = self._relaxed(self._declared(call))
            trace = ConcreteFunction(self._name, wanted, self._parameters, self._convert())
            made = trace.graph.get_collection("made")
            if made and not self._count:  # once is fine: would every call make them?
                trace = ConcreteFunction(self._name, wanted, self._parameters, self._convert())
                made = trace.graph.get_collection("made")
            if made:
                raise ValueError(
                    f"{self._name}: a runtime.function may create variables on its first call "
                    f"only, but this call made {made[0]!r}. Make variables outside of the "
                    "function, or once: `if self.v is None: self.v = Variable(...)`."
                )
            self._count += 1
            self._store(trace).setdefault(call.key, {})[wanted.shapes] = trace
            return trace

    def _store(self, trace: ConcreteFunction) -> Traces:
        """Where to keep a trace: those that use tensors of a graph belong to that graph."""
        outer = current_graph()
        if outer is None or not trace.graph.captures:
            return self._traces
        return self._inside.setdefault(outer, {})

    def _declared(self, call: Call) -> Call:
        """The call for which to trace: of the declared types, if an input signature was given."""
        specs = nest.flatten(list(self._parameters.specs or ()))
        if not specs:
            return call
        shapes = tuple([spec.shape for spec in specs])
        return call._replace(shapes=shapes, tensors=specs)

    def _relaxed(self, call: Call) -> Call:
        """With ``reduce_retracing``: sizes that differ from an earlier trace's become unknown."""
        group = self._traces.get(call.key)
        if not self._reduce_retracing or not group:
            return call
        shapes = call.shapes
        for known in group:
            shapes = tuple([a.most_specific_compatible_shape(b) for a, b in zip(shapes, known)])
        specs = [TensorSpec(s, t.dtype) for s, t in zip(shapes, call.tensors)]
        return call._replace(shapes=shapes, tensors=specs)

    def _convert(self) -> Callable[..., Any]:
        """The Python function, converted once."""
        if self._converted is None:
            self._converted = self.python_function
            if self._autograph:
                try:
                    self._converted = autograph.to_graph(
                        self.python_function, experimental_optional_features=self._features
                    )
                except NotAFunctionError:
                    pass  # builtins and C functions have nothing to convert
                except ConversionError as error:
                    warnings.warn(
                        f"{self._name} is traced as it stands: {error}", stacklevel=4
                    )
        return self._converted

    def __repr__(self) -> str:
        return f"<runtime.function {self._name} at {hex(id(self))}>"


def _inputs(call: Call) -> list[Any]:
    """The tensors of a call as strong tensors."""
    current = interpreter.current()
    if not isinstance(current, Graph):
        return call.tensors
    return [current.lift(tensor) for tensor in call.tensors]


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: str | None = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
) -> Any:
    """Run a Python function as a graph: ``function(f)``, ``@function`` or ``@function(...)``.

    The function is traced once for each combination of its arguments' types: tensors and NumPy
    arrays count by dtype and shape, Python values by value.  With ``autograph`` its control flow
    on tensors is staged; Python's side effects happen while tracing.

    Args:
        func: the function; None gives a decorator.
        input_signature: TensorSpecs (nests of them) of the arguments: one trace for all calls.
        autograph: whether to convert the function.
        jit_compile: accepted; graphs run on the reference executor.
        reduce_retracing: whether sizes that change from call to call become unknown.
        experimental_autograph_options: a Feature or several to add, such as Feature.PRINT.

    Raises TypeError for an input signature that holds anything but TensorSpecs, and for an option
    that is no Feature.
    """
    relax = reduce_retracing or bool(experimental_relax_shapes)
    features = tuple(Feature.chosen(experimental_autograph_options or ()))

    def decorate(inner: Callable[..., Any]) -> Function:
        return Function(inner, input_signature, autograph, relax, features)

    return decorate if func is None else decorate(func)
