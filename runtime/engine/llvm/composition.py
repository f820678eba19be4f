"""Composed operations: before a plan is lowered, other operations take the place of those whose
rule says what they are made of.

    y = softmax(x, axis=-1)                 top = reduce_max(x, axis=(1,), keepdims=True)
                                            e = exp(subtract(x, top))
                                            y = divide(e, reduce_sum(e, axis=(1,), keepdims=True))

Only the native engine does so: it computes them in few loops, and what several of them compute, as
a loss and its gradient do, once.  They do not raise; errors are those of the operation's kernel.

Operations on bfloat16 that are no loop over elements become operations on float32 between
conversions, which is what their kernels are (ops/narrow_floats.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.vector_math.processor import converts_halves
from runtime.engine.passes.cse import share
from runtime.engine.passes.prune import prune
from runtime.engine.passes.queries import constant_value
from runtime.engine.passes.reuse_buffers import forget
from runtime.engine.passes.rewrite import (
    OptimizedGraph,
    Replacement,
    copy_graph,
    copy_into,
    replace_each,
)
from runtime.engine.passes.simplify import simplify
from runtime.engine.purity import total
from runtime.graph import raise_tracking
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.graph.run_request import RunRequest, request_for
from runtime.ops import dispatch
from runtime.ops.array.constants import cast
from runtime.ops.control_flow.guarded import guarded_op
from runtime.ops.narrow_floats import computes_wide
from runtime.ops.op import CAST, ELEMENTWISE, FORWARD, ROUNDS_ONCE
from runtime.ops.rules.lowering import (
    ByKernel,
    Composes,
    Control,
    Guarded,
    Measured,
    Multiplies,
    OnArrays,
    Reduces,
    Selection,
    composition,
)
from runtime.types.dtypes import NARROW, DType, float16, float32
from runtime.types.errors import InvalidArgumentError
from runtime.types.shapes import TensorSpec
from runtime.types.source_location import KnownCallers

Origin = int | tuple[int, int]
"""A size, or the id of a tensor and the number of its axis."""


class SizeOrigins:
    """Origins of the sizes of the tensors of one graph."""

    def __init__(self) -> None:
        self._origins: dict[int, tuple[Origin, ...]] = {}
        self._tensors: list[SymbolicTensor] = []
        """The tensors, so that their ids stay unique."""

    def of(self, tensor: SymbolicTensor) -> tuple[Origin, ...]:
        """Return the origin of each size of a tensor, whose rank is known."""
        origins = self._origins.get(id(tensor))
        if origins is None:
            self._tensors.append(tensor)
            dims = tensor.shape.dims or ()
            from_inputs = self._origins_from_inputs(tensor) if None in dims else ()
            if len(from_inputs) != len(dims):
                from_inputs = [None] * len(dims)
            origins = self._origins[id(tensor)] = tuple([
                size if size is not None else origin if origin is not None else (id(tensor), axis)
                for axis, (size, origin) in enumerate(zip(dims, from_inputs, strict=True))
            ])  # fmt: skip
        return origins

    def _origins_from_inputs(self, tensor: SymbolicTensor) -> Sequence[Origin | None]:
        """Return the origins that an operation takes over from its inputs; () if it is unknown."""
        node = tensor.op
        if any(operand.shape.dims is None for operand in node.inputs) or len(node.outputs) != 1:
            return ()
        rule, traits = node.op_def.lower, node.op_def.traits
        if traits & {ELEMENTWISE, CAST, FORWARD}:
            return self._broadcast_origins(tensor)
        if isinstance(rule, Reduces):
            return self._reduction_origins(node)
        if isinstance(rule, Multiplies):
            return self._product_origins(node, rule)
        if isinstance(rule, OnArrays) and rule.selects is not None:
            values = [constant_value(operand) for operand in node.inputs[1:]]
            selection = rule.selects(node.inputs[0].shape.dims or (), node.attrs, values)
            return () if selection is None else self._selection_origins(node, selection)
        return ()

    def _broadcast_origins(self, tensor: SymbolicTensor) -> list[Origin | None]:
        """Return the origins where all inputs that are not of size 1 have the same."""
        rank = len(tensor.shape.dims or ())
        axes: list[set[Origin]] = [set() for _ in range(rank)]
        for operand in tensor.op.inputs:
            for axis, origin in enumerate(reversed(self.of(operand))):
                if origin != 1:
                    axes[rank - 1 - axis].add(origin)
        return [candidates.pop() if len(candidates) == 1 else None for candidates in axes]

    def _reduction_origins(self, node: Any) -> list[Origin | None]:
        origins = self.of(node.inputs[0])
        axis, keep = node.attrs["axis"], node.attrs["keepdims"]
        axes = range(len(origins)) if axis is None else (axis,) if isinstance(axis, int) else axis
        reduced = {number % len(origins) for number in axes}
        return [1 if n in reduced else origin for n, origin in enumerate(origins)
                if keep or n not in reduced]  # fmt: skip

    def _product_origins(self, node: Any, rule: Multiplies) -> list[Origin | None]:
        """Return the origins of a product of matrices, or of one batch with a matrix."""
        if len(node.inputs) != 2:
            return []
        sizes = [self.of(factor) for factor in node.inputs]
        axes = rule.axes(node.attrs, [len(factor) for factor in sizes])
        if axes is None or (axes.batch[0] and axes.batch[1]):
            return []
        origins: list[Origin | None] = []
        for factor, inner, batch in zip(sizes, axes.inner, axes.batch, strict=True):
            origins[:0] = [factor[axis] for axis in batch]
            origins += [factor[n] for n in range(len(factor)) if n not in {*inner, *batch}]
        return origins

    def _selection_origins(self, node: Any, selection: Selection) -> list[Origin | None]:
        origins, result = self.of(node.inputs[0]), list[Origin | None]()
        for selected in selection.axes:
            size = selected.size if isinstance(selected.size, int) else None
            is_whole_axis = selected.axis is not None and selected.size is None
            result.append(origins[selected.axis or 0] if is_whole_axis else size)
        return result


def expand_compositions(plan: Any) -> Any:
    """Return the plan that computes the same with the operations that others are made of."""
    if not any(_function_of(step.operation) for step in plan.steps):
        return plan
    operations = [step.operation for step in plan.steps]
    graph = copy_graph(RunRequest(plan.graph, plan.fetches, plan.feeds, operations), deep=False)
    for node in graph.operations:
        forget(node)  # compositions know no marks, and other operations may read an array now
    origins = SizeOrigins()
    if not replace_each(graph, None, lambda node: _replacement(graph, node, origins)):
        return plan
    replace_each(graph, None, lambda node: _replacement(graph, node, origins))
    for tidy in (simplify, share, prune):
        tidy(graph)
    graph.seal()
    return plan.of(request_for(graph))


def _function_of(node: Operation) -> Callable[..., Any] | None:
    """Return the function that computes what an operation does; None if it stays as it is."""
    name = _composition_of(node)
    if name:
        return composition(name)
    rule = node.op_def.lower
    stays = isinstance(rule, ByKernel | Control) or ELEMENTWISE in node.op_def.traits
    return None if stays or not _is_widened(node) else node.op_def


def _is_widened(node: Operation) -> bool:
    """Return whether the kernel of an operation on narrow floats rounds what it gives of float32.
    """
    dtypes = [tensor.dtype for tensor in node.inputs]
    if ROUNDS_ONCE in node.op_def.traits and float16 in dtypes:
        return converts_halves()
    return computes_wide(node.op_def, dtypes)


def _composition_of(node: Operation) -> str:
    """Return the name of the function that composes an operation; empty if there is none."""
    rule = node.op_def.lower
    if isinstance(rule, Composes):
        is_complex = any(tensor.dtype.is_complex for tensor in node.inputs)
        return "" if rule.of_complex and is_complex else rule.name
    if isinstance(rule, Multiplies):
        return rule.like(node.attrs)
    if not isinstance(rule, OnArrays) or not rule.like:
        return ""
    is_measured = any(_shape_source(node, tensor) is not None for tensor in node.inputs)
    return rule.like if is_measured else ""


def _shape_source(node: Operation, tensor: SymbolicTensor) -> SymbolicTensor | None:
    """Return the tensor whose shape an input of an operation is, if its sizes are not all known and
    the operation takes it for a shape.
    """
    rule, names = tensor.op.op_def.lower, node.op_def.inputs
    places = [place for place, operand in enumerate(node.inputs) if operand is tensor]
    if any(place >= len(names) or names[place] not in ("shape", "dims") for place in places):
        return None
    if not isinstance(rule, OnArrays) or rule.opcode != "array.size":
        return None
    (source,) = tensor.op.inputs
    if source.shape.dims is None or None not in source.shape.dims:
        return None
    return source if source.dtype._dtype in ir.NUMBERS and not source.weak else None


def _replacement(
    graph: OptimizedGraph, node: Operation, origins: SizeOrigins
) -> Replacement | None:
    """Return the operations that one is made of, and its result; None if its kernel is called."""
    function = _function_of(node)
    if function is None:
        return None
    tensors = (*node.inputs, *node.outputs)
    if any(t.weak or t.dtype._dtype not in ir.ELEMENTS or t.shape.dims is None for t in tensors):
        return None
    body = _trace_composition(node, function, origins)
    if body is None:
        return None
    sources = [(tensor, _shape_source(node, tensor)) for tensor in node.inputs]
    arguments = tuple([tensor if source is None else source for tensor, source in sources])
    nodes, results = copy_into(graph, request_for(body), arguments, f"{node.name}/")
    for operation in nodes:
        operation.origin, operation.location = node.origin or node, node.location
    for old, new in zip(node.outputs, results, strict=True):
        _refine(new, old)
    return nodes, results


def _trace_composition(
    node: Operation, function: Callable[..., Any], origins: SizeOrigins
) -> FuncGraph | None:
    """Trace the composition of an operation; None if there is none."""
    with dispatch.eagerly():
        graph = FuncGraph(node.op_def.name)
    with raise_tracking.suspended(), KnownCallers(), graph.as_default():
        inputs = [_input(graph, tensor, node, origins) for tensor in node.inputs]
        narrow = (float16, *NARROW) if ROUNDS_ONCE in node.op_def.traits else NARROW
        arguments = [
            cast(x, float32) if not isinstance(x, Measured) and x.dtype in narrow else x
            for x in inputs
        ]
        try:
            outcome = function(*arguments, **node.attrs)
        except InvalidArgumentError:  # of what passes found out: it is raised where it is computed
            return None
        if isinstance(outcome, Guarded):
            attrs: dict[str, Any] = {"op": node.op_def, "attrs": node.attrs}
            outcome = guarded_op(outcome.holds, outcome.value, *arguments, **attrs)
        elif outcome is None or not (
            function is node.op_def or total(node) or any(isinstance(x, Measured) for x in inputs)
        ):
            return None
        results = list(outcome) if isinstance(outcome, list | tuple) else [outcome]
        dtypes = [tensor.dtype for tensor in node.outputs]
        graph.set_outputs([_as(x, dtype) for x, dtype in zip(results, dtypes, strict=True)])
    return graph


def _as(tensor: Any, dtype: DType) -> Any:
    """Convert a tensor unless it has a dtype."""
    return tensor if tensor.dtype == dtype else cast(tensor, dtype)


def _input(
    graph: FuncGraph, tensor: SymbolicTensor, node: Operation, origins: SizeOrigins
) -> SymbolicTensor | Measured:
    """Add an input of which all is known that a tensor knows: numbers and sizes, too; for the shape
    of a tensor, that one.
    """
    source = _shape_source(node, tensor)
    param = graph.add_input((tensor if source is None else source).spec)
    if source is None:
        param.spec = tensor.spec
        return param
    other_operands = [operand for operand in node.inputs if operand is not tensor]
    return Measured(
        param, origins.of(source), origins.of(other_operands[0]) if other_operands else ()
    )


def _refine(new: SymbolicTensor, old: SymbolicTensor) -> None:
    """Let a result know the sizes that the result which it stands for knows."""
    shape = new.shape.merge_with(old.shape)
    if shape.dims != new.shape.dims:
        new.spec = TensorSpec(shape, new.dtype)
