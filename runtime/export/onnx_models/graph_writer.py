"""Writer of graphs: it writes each operation by the rule of its op, of its declared kind, or as
other operations.

The tables are filled by ``rules/``.  A rule is a function of the writer, the operation and the
names of its inputs, and returns the names of the outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.engine.python_scalar_kernels import is_pythons, never_raises
from runtime.export.onnx_models.node_writer import FunctionWriter, Names, NodeWriter
from runtime.export.onnx_models.onnx_gap import OnnxGap, refusal_error
from runtime.graph.operation import Operation
from runtime.graph.order import topological_order
from runtime.graph.run_request import request_for
from runtime.graph.trace import trace
from runtime.ops.array.constants import constant_op, placeholder_op
from runtime.ops.op import READS, STATEFUL
from runtime.ops.rules.lowering import Guarded
from runtime.types.shapes import TensorSpec

Rule = Callable[..., Any]

RULES: dict[str, Rule] = {}
"""Name of an op -> rule."""

FORMULAS: dict[str, Rule] = {}
"""Name of an op -> function of tensors that computes it by other ops, with the kernel's arguments.
"""

KIND_RULES: dict[type, Rule] = {}
"""Declared kind of an op (``rules/lowering.py`` of ops) -> rule."""

PYTHON_RULES: dict[str, Rule] = {}
"""Name of an op -> rule for Python's numbers, which raises where Python does."""

REASONS: dict[str, str] = {}
"""Name of an op -> why it is refused, and what to do."""


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Make a function the rule of some ops."""

    def enter(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, function))
        return function

    return enter


def formula(*names: str) -> Callable[[Rule], Rule]:
    """Make a function what some ops are made of."""

    def enter(function: Rule) -> Rule:
        FORMULAS.update(dict.fromkeys(names, function))
        return function

    return enter


def python_rule(*names: str) -> Callable[[Rule], Rule]:
    """Make a function the rule of some ops on Python's numbers."""

    def enter(function: Rule) -> Rule:
        PYTHON_RULES.update(dict.fromkeys(names, function))
        return function

    return enter


class Model:
    """What the writers of one model share: names, functions, variables, and the refusals."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.names = Names()
        self.functions: dict[int, Any] = {}
        """Id of a graph that is called -> its function."""
        self.kept: list[Any] = []
        """Graphs whose ids are keys."""
        self.refusals: list[tuple[Operation, str]] = []
        self.parents: dict[int, Operation] = {}
        """Id of a graph that an operation holds -> the operation."""
        self.variables: dict[int, tuple[Any, str]] = {}
        """Id of a variable's storage -> the storage, and the name of its value."""

    def note(self, graph: Any, node: Operation) -> None:
        """Note which operation holds a graph."""
        self.parents[id(graph)] = node
        self.kept.append(graph)


class GraphWriter:
    """Writer of the operations of a graph into a scope."""

    def __init__(self, model: Model, scope: NodeWriter) -> None:
        self.model = model
        self.scope = scope

    def inner(self, graph: Any, node: Operation) -> GraphWriter:
        """Return the writer of a branch or the body of a loop that an operation holds."""
        self.model.note(graph, node)
        return GraphWriter(self.model, NodeWriter(self.model.names, self.scope))

    def function(self) -> GraphWriter:
        """Return the writer of a function."""
        return GraphWriter(self.model, FunctionWriter(self.model.names))

    def emit(self, op_type: str, *inputs: str, **attrs: Any) -> Any:
        """Write a node; return the name of its output, or the names of several."""
        return self.scope.emit(op_type, *inputs, **attrs)

    def write(self, graph: Any, arguments: Sequence[Any]) -> list[Any]:
        """Write the operations that the outputs and effects of a graph need.

        Returns the names of its outputs.
        """
        request = request_for(graph)
        values = {id(t): name for t, name in zip(graph.inputs, arguments, strict=True)}
        fed = frozenset(values)
        targets = [*request.operations, *(t.op for t in request.fetches if id(t) not in fed)]
        for node in topological_order(graph, targets, fed):
            if len(node.outputs) == 1 and id(node.outputs[0]) in fed:
                continue
            names = self._written(node, [values[id(t)] for t in node.inputs])
            values.update((id(t), name) for t, name in zip(node.outputs, names, strict=True))
        return [values[id(t)] for t in request.fetches]

    def finish(self, outputs: Sequence[Any]) -> list[Any]:
        """Return the outputs of the scope, which fail with what must hold in it."""
        results = list(outputs)
        arrays = [k for k, value in enumerate(results) if isinstance(value, str)]
        for holds in self.scope.pending if results else ():
            if any(isinstance(value, Unwritten) for value in (holds, *results)):
                continue
            if arrays:
                results[arrays[0]] = self.scope.require(holds, results[arrays[0]])
            else:
                first, *others = results[0].names
                kept = self._require_list(holds, first, results[0].dtypes[0])
                results[0] = results[0].replaced([kept, *others])
        return results

    def _require_list(self, holds: str, sequence: str, dtype: Any) -> str:
        """Return a sequence; running the model fails unless a truth holds.

        One more entry is put in, and taken out at an index that is out of range then.
        """
        scope = self.scope
        longer = scope.emit("SequenceInsert", sequence, scope.constant(0, dtype))
        last, beyond = scope.constant(np.int64(-1)), scope.constant(np.int64(2**62))
        return str(scope.emit("SequenceErase", longer, scope.emit("Where", holds, last, beyond)))

    def _written(self, node: Operation, inputs: Sequence[str]) -> Sequence[str]:
        if any(isinstance(value, Unwritten) for value in inputs):
            return [Unwritten() for _ in node.outputs]  # one reason is enough
        before = self.scope.label
        self.scope.label = node.name
        try:
            return as_names(self.operation(node, inputs))
        except OnnxGap as refusal:
            self.model.refusals.append((node, str(refusal)))
            return [Unwritten() for _ in node.outputs]
        finally:
            self.scope.label = before

    def operation(self, node: Operation, inputs: Sequence[str]) -> Any:
        """Write one operation; OnnxGap for what ONNX cannot say."""
        op = node.op_def
        if op is constant_op:
            return self.scope.constant(node.attrs["value"], name=node.name)
        if op is placeholder_op:
            raise OnnxGap("it is fed in a session, and is no argument")
        if op.name in REASONS:
            raise OnnxGap(REASONS[op.name])
        tables = [RULES]
        if is_pythons(node):
            if op.name not in PYTHON_RULES and not never_raises(node):
                raise OnnxGap(
                    "Python's numbers raise where ONNX has no error: make them tensors first"
                )
            tables = [PYTHON_RULES, RULES]
        for table in tables:
            written = table.get(op.name)
            if written is not None:
                result = written(self, node, *inputs)
                if result is not NotImplemented:
                    return result
        if op.name in FORMULAS:
            return self.composed(node, inputs, FORMULAS[op.name])
        of_kind = KIND_RULES.get(type(op.lower))
        if of_kind is not None:
            return of_kind(self, node, *inputs)
        if STATEFUL in op.traits and READS not in op.traits:
            raise OnnxGap("it has an effect, and an ONNX model has none")
        raise OnnxGap("ONNX has no operator for it, and no composition of operators is written")

    def composed(
        self, node: Operation, inputs: Sequence[str], function: Callable[..., Any]
    ) -> Sequence[str]:
        """Write an operation as others: those that a function of tensors records."""
        specs = [(TensorSpec(t.shape, t.dtype, None, t.spec.value), False) for t in node.inputs]

        def body(*tensors: Any) -> Any:
            for tensor, (spec, _) in zip(tensors, specs, strict=True):
                tensor.spec = spec  # with its value, where that is known
            return function(*tensors, **node.attrs)

        graph, result = trace("composition", node.name, body, specs)
        if result is None:
            raise OnnxGap("it is composed of other operations for some shapes only, not for these")
        guarded = isinstance(result, Guarded)
        outputs = [result.holds, result.value] if guarded else result
        graph.set_outputs(outputs if isinstance(outputs, list | tuple) else [outputs])
        self.model.kept.append(graph)
        names = _InlineWriter(self, node).write(graph, inputs)
        if not guarded:
            return names
        holds, value = names
        return [self.scope.require(holds, value)]


class _InlineWriter(GraphWriter):
    """Writer of a composition: what is refused is the operation that is composed."""

    def __init__(self, around: GraphWriter, node: Operation) -> None:
        super().__init__(around.model, around.scope)
        self._label = node.name

    def _written(self, node: Operation, inputs: Sequence[str]) -> Sequence[str]:
        self.scope.label = self._label
        return as_names(self.operation(node, inputs))


class Unwritten(str):
    """Value that was refused, as is all that depends on it."""

    __slots__ = ()


def as_names(result: Any) -> Sequence[Any]:
    """Return what a rule gives, one value or several, as a sequence."""
    is_list = isinstance(result, tuple) and hasattr(result, "names")
    return [result] if isinstance(result, str) or is_list else list(result or ())


def known_value(tensor: Any) -> Any:
    """Return the value of a tensor that is known before the run; None if it is not."""
    if tensor.op.op_def is constant_op:
        return tensor.op.attrs["value"]
    return tensor.spec.value


def known_dims(tensor: Any, role: str = "the operation") -> tuple[int | None, ...]:
    """Return the sizes of a tensor, None for those not known; OnnxGap if the rank is not known."""
    dims = tensor.shape.dims
    if dims is None:
        raise OnnxGap(f"{role} has an unknown number of dimensions: give the arguments a rank")
    return tuple(dims)


def check_refusals(model: Model) -> None:
    """Raise UnimplementedError, with all refusals, if there are any."""
    if model.refusals:
        unique = {id(node.origin or node): (node, text) for node, text in model.refusals}
        raise refusal_error(model.title, list(unique.values()))

