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

from collections.abc import Callable
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.size_origins import SizeOrigins
from runtime.engine.llvm.vector_math.processor import converts_halves
from runtime.engine.passes.cse import share
from runtime.engine.passes.prune import prune
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
from runtime.ops.op import ELEMENTWISE, ROUNDS_ONCE
from runtime.ops.rules.lowering import (
    ByKernel,
    Composes,
    Control,
    Guarded,
    Measured,
    Multiplies,
    OnArrays,
    composition,
)
from runtime.types.dtypes import NARROW, DType, float16, float32
from runtime.types.errors import InvalidArgumentError
from runtime.types.shapes import TensorSpec
from runtime.types.source_location import KnownCallers


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
