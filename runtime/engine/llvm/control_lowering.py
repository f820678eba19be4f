"""Lowering of operations that run graphs or have effects: for each rule ``Control``, a function.

A function takes the lowering, the block, the step, and the registers of its inputs.  It returns
None where the kernel has to compute the step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.exceptions.try_lowering import check, save, try_
from runtime.engine.llvm.random.random_lowering import draw, draw_truncated, skip_draws
from runtime.engine.llvm.texts.text_lowering import lower_format
from runtime.engine.llvm.variables import variable_lowering
from runtime.engine.plan import PlanStep
from runtime.graph.scan_loop import scan_as_loop

if TYPE_CHECKING:
    from runtime.engine.llvm.lowering import Lowering

def _cond(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Lower a conditional."""
    chooser, attrs = args[0], step.operation.attrs
    if not isinstance(chooser.type, ir.Scalar) and chooser.type != ir.TEXT:
        return None
    graphs = attrs["true_graph"], attrs["false_graph"]
    return _switch(lowering, block, step, [lowering.truth(block, chooser), *args[1:]], graphs)


def _case(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Lower a choice by an index."""
    kind = args[0].type
    if not isinstance(kind, ir.Scalar) or kind.kind not in "iu":
        return None
    return _switch(lowering, block, step, args, step.operation.attrs["branches"])


def _switch(
    lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers, graphs: Sequence[Any]
) -> list[ir.Register]:
    chooser, *inputs = args
    splits = step.operation.attrs["splits"]
    gives = lowering.types_of(step.operation.outputs)
    branch_inputs: list[ir.Register] = []
    branches, start = [], 0
    for graph, split in zip(graphs, splits, strict=True):
        takes = lowering.types_of(graph.inputs)
        branch_inputs += lowering.convert_all(block, inputs[start : start + split], takes)
        branches.append(lowering.lower_graph(graph, takes, gives))
        start += split
    results = [lowering.new(type) for type in gives]
    block.add(ir.Switch([chooser, *branch_inputs], results, branches, splits))
    return results


def lower_while(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Lower a loop; None if its test gives no number."""
    attrs = step.operation.attrs
    test_graph, body_graph = attrs["test_graph"], attrs["body_graph"]
    count, split = len(step.operation.outputs), attrs["splits"][0]
    state = lowering.types_of(body_graph.inputs[:count])
    test_takes = [*state, *lowering.types_of(test_graph.inputs[count:])]
    body_takes = [*state, *lowering.types_of(body_graph.inputs[count:])]
    test = lowering.lower_graph(test_graph, test_takes, None, borrowed=len(test_takes))
    if not isinstance(test.results[0].type, ir.Scalar) and test.results[0].type != ir.TEXT:
        return None
    test.results = (lowering.truth(test, test.results[0]),)
    captured = len(body_takes) - count
    body = lowering.lower_graph(body_graph, body_takes, state, borrowed=captured)
    inputs = lowering.convert_all(block, args, [*state, *test_takes[count:], *body_takes[count:]])
    results = [lowering.new(type) for type in state]
    block.add(ir.WhileLoop(inputs, results, test, body, split))
    return results


def _scan(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Lower a loop that stacks results to one that writes rows; None if their shapes are not known
    before.
    """
    graph = scan_as_loop(step.operation)
    return None if graph is None else lowering.inline(block, step, args, graph)


def _call(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Inline a call."""
    return lowering.inline(block, step, args, step.operation.attrs["graph"])


def _recurse(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Lower a call of a function that may call itself."""
    gives = lowering.types_of(step.operation.outputs)
    function, takes, gives = lowering.function_of(step.operation.attrs["callee"], gives)
    inputs = lowering.convert_all(block, args, takes)
    results = [lowering.new(type) for type in gives]
    block.add(ir.Call(function, inputs, results, ir.Site(step)))
    return results


def _guarded(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Lower a value that holds, or not: the kernel of the operation that was composed."""
    holds, value, *inputs = args
    node = step.operation
    if holds.type != ir.BOOL:
        return None
    pass_through = ir.Block([lowering.new(value.type)])
    pass_through.results = tuple(pass_through.params)
    kernel = ir.Block([lowering.new(input.type) for input in inputs])
    fallback = PlanStep(node.attrs["op"].kernel, node.attrs["attrs"], (), (), (), node.origin)
    computed, result = lowering.new(value.type), lowering.new(value.type)
    kernel.instructions.append(ir.Callback(ir.Site(fallback), kernel.params, (computed,)))
    kernel.results = (computed,)
    block.add(
        ir.Switch([holds, value, *inputs], [result], [pass_through, kernel], (1, len(inputs)), True)
    )
    return [result]


CONTROL: dict[str, Callable[..., ir.Results]] = {
    "text": lower_format,
    "cond": _cond,
    "case": _case,
    "loop": lower_while,
    "scan": _scan,
    "call": _call,
    "recurse": _recurse,
    "guarded": _guarded,
    "try_": try_,
    "save": save,
    "check": check,
    "read_variable": variable_lowering.read_variable,
    "assign_variable": variable_lowering.assign_variable,
    "assign_sum": variable_lowering.assign_sum,
    "assign_changed": variable_lowering.assign_changed,
    "count_up_to": variable_lowering.count_up_to,
    "draw_uniform": partial(draw, "uniform"),
    "draw_normal": partial(draw, "normal"),
    "draw_truncated": draw_truncated,
    "draw_whole": partial(draw, "whole"),
    "skip_draws": skip_draws,
}
"""By the name of a rule."""
