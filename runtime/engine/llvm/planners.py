"""Planners: how a step of a plan is lowered, by the type of the rule ``lower`` of its op.

A step becomes part of a fusion if it can; otherwise a function lowers it by itself, which calls the
kernel in the end.  Nobody asks whether a step is of another rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.array_loop import array_loop, plan_of_step
from runtime.engine.llvm.arrays.array_lowering import copy_views, lower_windows, product
from runtime.engine.llvm.arrays.fusion_lowering import OpenFusions
from runtime.engine.llvm.arrays.selection import as_view, row_of
from runtime.engine.llvm.control_lowering import CONTROL
from runtime.engine.llvm.element_lowering import (
    Element,
    is_write,
    lower_element,
    reads_element,
    write_element,
    write_in_rows,
)
from runtime.engine.llvm.scope import PlanScope
from runtime.engine.llvm.texts.text_lowering import lower_text, with_operands
from runtime.engine.python_scalar_kernels import is_pythons
from runtime.ops.op import FORWARD
from runtime.ops.rules import lowering as rules

if TYPE_CHECKING:
    from runtime.engine.llvm.lowering import Lowering



class Planner(NamedTuple):
    """How the steps of one type of rule are lowered.

    fuse   methods of the open fusions: the first that returns True has done the step
    alone  otherwise: the function that lowers it by itself
    """

    fuse: tuple[Callable[[OpenFusions, Any], bool], ...]
    alone: Callable[[PlanScope, Any], None]


def lower_plan(
    lowering: Lowering, block: ir.Block, plan: Any, inputs: ir.Registers
) -> ir.Registers:
    """Lower the steps of a plan into a block; return the values that it fetches."""
    scope = PlanScope(lowering, block, plan, inputs)
    fusions, ends = scope.fusions, lowering.tries.ends_of_saves(plan)
    for position, step in enumerate(plan.steps):
        if position in ends:
            fusions.close_all()
            lowering.tries.forget(block, ends[position])
        if position < scope.resume:
            continue
        lowering.count_instruction()
        scope.position = position
        planner = PLANNERS[type(step.operation.op_def.lower)]
        for fuse in planner.fuse:
            if fuse(fusions, step):
                break
        else:
            if fusions.open:
                fusions.keep_order(step)
            planner.alone(scope, step)
    fusions.close_all()
    if len(plan.steps) in ends:
        lowering.tries.forget(block, ends[len(plan.steps)])
    return scope.read_all(plan.fetch_slots)


# -- steps that may be part of a fusion -----------------------------------------------------------


def _join(fusions: OpenFusions, step: Any) -> bool:
    """Let an opcode on arrays join a fusion.

    Numbers are told apart first because most operations of compiled programs are on numbers, and
    none of those joins a fusion: all questions about arrays cost as much as their lowering.
    """
    node = step.operation
    is_on_numbers = not (
        [tensor for tensor in node.outputs if tensor.spec.shape.dims != ()]
        or [t for t in (*node.inputs, *node.outputs) if t.spec.dtype._dtype not in ir.NUMBERS]
    )
    return not is_on_numbers and fusions.join(step)


def _write(fusions: OpenFusions, step: Any) -> bool:
    return is_write(step) and fusions.write(step)


# -- steps by themselves --------------------------------------------------------------------------


def _by_kernel(scope: PlanScope, step: Any) -> None:
    args = scope.read_all(step.sources)
    scope.hold(step, scope.lowering.call_kernel(scope.block, step, args))


def _on_registers(
    lower: Callable[[Lowering, ir.Block, Any, ir.Registers], ir.Results]
) -> Callable[[PlanScope, Any], None]:
    """Return a function that lowers a step by another one, or by its kernel if that returns None.
    """

    def alone(scope: PlanScope, step: Any) -> None:
        args = scope.read_all(step.sources)
        results = lower(scope.lowering, scope.block, step, args)
        if results is None:
            results = scope.lowering.call_kernel(scope.block, step, args)
        scope.hold(step, results)

    return alone


def _in_windows(scope: PlanScope, step: Any) -> None:
    if not lower_windows(scope, step):
        _by_kernel(scope, step)


def _elements(scope: PlanScope, step: Any) -> None:
    """Lower a read or a write of an element, or a loop over whole arrays, which reads views as they
    were stored.
    """
    row = row_of(scope.values.get(step.sources[0])) if step.sources else None
    if reads_element(step) and plan_of_step(step) is None:
        value = lower_element(scope, step, row)
        view = as_view(value) if isinstance(value, Element) else value
        scope.values[step.targets[0]] = view
    elif row is None or not is_write(step) or not write_in_rows(scope, step, row):
        copy_views(scope, step)
        _on_registers(_write_or_run)(scope, step)


def _loop(scope: PlanScope, step: Any) -> None:
    """Lower a loop over whole arrays."""
    copy_views(scope, step)
    _on_registers(array_loop)(scope, step)


def _write_or_run(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    written = write_element(lowering, block, step, args) if is_write(step) else None
    return written or array_loop(lowering, block, step, args)


def _control(scope: PlanScope, step: Any) -> None:
    """Lower an op that runs graphs, has effects or works on lists; each reader of an empty list
    makes one of its own.
    """
    rule = step.operation.op_def.lower
    if rule == _EMPTY_LIST and not step.sources:
        scope.values[step.targets[0]] = step
    elif rule.is_on_lists:
        args = scope.read_all(step.sources)
        scope.hold(step, scope.lowering.list_op(scope.block, step, args, rule.name))
    else:
        _on_registers(CONTROL[rule.name])(scope, step)


_EMPTY_LIST = rules.Control("list.new")


def _call(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Call the kernel of an op, which may give lists that native code knows."""
    opcode = step.operation.op_def.lower.unifies
    return lowering.list_op(block, step, args, opcode) if opcode else None


def _number(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Lower an opcode on numbers; None if these are none, or the kernel has to compute it."""
    node = step.operation
    rule = node.op_def.lower
    if FORWARD in node.op_def.traits:
        return args[:1]
    gives = lowering.types_of(node.outputs)
    if ir.TEXT in [value.type for value in args] or ir.TEXT in gives:
        return lower_text(lowering, block, step, args)
    order = None
    if rule.operands is not None:
        step, args, order = with_operands(lowering, block, step, args)
    takes = [value.type for value in args if isinstance(value.type, ir.Scalar)]
    if len(takes) < len(args) or not (rule.mixed or len({*takes}) < 2):
        return None
    if [type for type in gives if not isinstance(type, ir.Scalar)]:
        return None
    opcode = rule.opcode_for([type.kind for type in takes], is_pythons(node), node.attrs)
    if not opcode:
        return None
    results = [lowering.new(type) for type in gives]
    block.add(ir.Compute(opcode, args, results, ir.Site(step, order)))
    return results


PLANNERS: dict[type, Planner] = {
    rules.Native: Planner((_join,), _on_registers(_number)),
    rules.Composes: Planner((OpenFusions.fill, OpenFusions.join), _loop),
    rules.Reduces: Planner((OpenFusions.join,), _by_kernel),
    rules.Multiplies: Planner((OpenFusions.join, OpenFusions.multiply), _on_registers(product)),
    rules.OnWindows: Planner((), _in_windows),
    rules.OnArrays: Planner(
        (OpenFusions.fill, OpenFusions.select, _write, OpenFusions.assemble,
         OpenFusions.join_elements), _elements,
    ),
    rules.Control: Planner((OpenFusions.update,), _control),
    rules.ByKernel: Planner((), _on_registers(_call)),
    type(None): Planner((), _by_kernel),
}
"""By the type of a rule."""
