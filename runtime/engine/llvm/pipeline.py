"""Pipeline of lowering: the steps from an execution plan to a module of kernel IR, with reasons.

``plan -> ON_PLANS -> lowering -> ON_MODULES -> codegen``: native.py has the module compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.composition import expand_compositions
from runtime.engine.llvm.control_lowering import lower_while
from runtime.engine.llvm.loop_arrays import prepare_arrays
from runtime.engine.llvm.lowering import Lowering, NotNativeError, PlanOf, type_of
from runtime.engine.llvm.random.draw import share_lookups
from runtime.engine.llvm.resolution import drop_unused_objects, number_sites, resolve_types
from runtime.engine.llvm.unswitching import unswitch_loops
from runtime.engine.llvm.verifier import verify
from runtime.engine.plan import PlanStep


class OnPlans(NamedTuple):
    """Step that makes a plan of a plan, of that of the module and those of the graphs it holds."""

    run: Callable[[Any], Any]
    reason: str


class OnModules(NamedTuple):
    """Step that changes a module."""

    run: Callable[[ir.KernelModule], object]
    reason: str


ON_PLANS = (
    OnPlans(
        expand_compositions,
        "what operations are made of joins fusions with what stands around them",
    ),
)
"""Steps ahead of lowering, which goes through a plan once and looks at what stands before only."""

ON_MODULES = (
    OnModules(unswitch_loops,
              "before loops prepare the arrays that they use: each copy uses other ones"),
    OnModules(prepare_arrays,
              "it adds copies of arrays, which have sites, ahead of whole loops"),
    OnModules(resolve_types,
              "all uses of a list have been seen, and each may have changed its type"),
    OnModules(drop_unused_objects,
              "fusions keep constants as numbers; they are an object's only use often"),
    OnModules(number_sites,
              "types stand firm: which operations on lists are Python's, what sites take"),
    OnModules(share_lookups,
              "its sites come after all others, which keep their numbers with and without draws"),
    OnModules(verify,
              "last: a fault of the steps before is found here, not in machine code"),
)  # fmt: skip
"""Steps after lowering, which change the module in place."""


def lower(plan: Any, plan_of: PlanOf) -> ir.KernelModule:
    """Lower a plan; NotNativeError if the module would be too long."""
    specs = [tensor.spec for tensor in plan.feeds]
    lowering = Lowering(lambda graph: prepare_plan(plan_of(graph)), specs)
    main = lowering.function("main")
    lowering.fill(main, prepare_plan(plan), [*map(type_of, plan.feeds)], None)
    return finish(lowering.module)


def lower_loop(node: Any, plan_of: PlanOf) -> ir.KernelModule:
    """Lower the loop of an operation to a module that takes the operation's inputs."""
    specs = [tensor.spec for tensor in node.inputs]
    lowering = Lowering(lambda graph: prepare_plan(plan_of(graph)), specs)
    main = lowering.function("main")
    block = main.block = ir.Block([lowering.new(type_of(tensor)) for tensor in node.inputs])
    step = PlanStep(node.op_def.kernel, node.attrs, (), (), (), node)
    results = lower_while(lowering, block, step, block.params)
    if results is None:
        raise NotNativeError("the test of the loop gives no number")
    block.results = tuple(results)
    main.gives = tuple([value.type for value in results])
    return finish(lowering.module)


def prepare_plan(plan: Any) -> Any:
    """Return the plan that is lowered in place of another."""
    for step in ON_PLANS:
        plan = step.run(plan)
    return plan


def finish(module: ir.KernelModule) -> ir.KernelModule:
    """Run the steps after lowering on a module; return it."""
    for step in ON_MODULES:
        step.run(module)
    return module
