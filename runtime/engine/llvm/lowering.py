"""Lowering: execution plans become a module of kernel IR.

Graphs that operations hold become blocks, calls are inlined, recursive calls become functions.  An
operation without a native rule becomes a call of its kernel.  list_inference.py finds the types of
lists on the way; at the end ``finish`` puts them in and numbers the sites.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.array_loop import array_loop, has_plan
from runtime.engine.llvm.arrays.array_lowering import ArrayLowering
from runtime.engine.llvm.arrays.fusion_lowering import FusedValue, OpenFusions
from runtime.engine.llvm.arrays.selection import SelectedValue
from runtime.engine.llvm.arrays.uniform import Uniform
from runtime.engine.llvm.composition import composed
from runtime.engine.llvm.element_lowering import (
    WRITE,
    Element,
    Sizes,
    opcode_on_arrays,
    reads_element,
)
from runtime.engine.llvm.exceptions.try_lowering import TryLowering
from runtime.engine.llvm.list_inference import ListVariable, unify_types
from runtime.engine.llvm.loop_arrays import prepare_arrays
from runtime.engine.llvm.loop_lowering import LoopLowering
from runtime.engine.llvm.random.random_lowering import RandomLowering
from runtime.engine.llvm.resolution import finish
from runtime.engine.llvm.row_layouts import row_by_row
from runtime.engine.llvm.variables.variable_lowering import VariableLowering
from runtime.engine.plan import PlanStep
from runtime.engine.python_scalar_kernels import is_pythons
from runtime.ops.array.indexing import KeyInput
from runtime.ops.op import FORWARD
from runtime.ops.rules.lowering import ByKernel, Control, Multiplies, Native, OnLists
from runtime.types.dtypes import variant
from runtime.types.shapes import TensorSpec

MOST_INSTRUCTIONS = 20_000
"""Longest module that is compiled, even if that is asked for."""

PlanOf = Callable[[Any], Any]


class NotNativeError(Exception):
    """Request that native code cannot run, and why."""


def type_of(spec: TensorSpec) -> Any:
    """Return the kernel type of the values of a spec; a new variable for a list."""
    if spec.dtype is variant:
        return ListVariable()
    if spec.shape.dims != ():
        return ir.OBJECT
    return ir.NUMBERS.get(spec.dtype._dtype, ir.OBJECT)


def lower(plan: Any, plan_of: PlanOf) -> ir.KernelModule:
    """Lower a plan; NotNativeError if the module would be too long."""
    specs = [tensor.spec for tensor in plan.feeds]
    lowering = Lowering(plan_of, specs)
    main = ir.KernelFunction("main")
    lowering.module.functions.append(main)
    lowering.fill(main, plan, [type_of(spec) for spec in specs], None)
    prepare_arrays(lowering.module, lowering.new)
    return finish(lowering.module)


def lower_loop(node: Any, plan_of: PlanOf) -> ir.KernelModule:
    """Lower the loop of an operation to a module that takes the operation's inputs."""
    specs = [tensor.spec for tensor in node.inputs]
    lowering = Lowering(plan_of, specs)
    main = ir.KernelFunction("main")
    lowering.module.functions.append(main)
    block = ir.Block([lowering.new(type_of(spec)) for spec in specs])
    main.block = block
    step = PlanStep(node.op_def.kernel, node.attrs, (), (), (), node)
    results = lowering.loop(block, step, block.params)
    if results is None:
        raise NotNativeError("the test of the loop gives no number")
    block.results = tuple(results)
    main.gives = tuple([value.type for value in results])
    prepare_arrays(lowering.module, lowering.new)
    return finish(lowering.module)


class Lowering(ArrayLowering, VariableLowering, RandomLowering, LoopLowering, TryLowering):
    """State of the lowering of one module."""

    def __init__(self, plan_of: PlanOf, specs: Sequence[TensorSpec]) -> None:
        super().__init__()
        self.plan_of = plan_of
        self.module = ir.KernelModule(specs)
        self._objects: dict[int, int] = {}
        self._functions: dict[int, ir.KernelFunction] = {}
        self._signatures: dict[int, tuple[list[Any], list[Any]]] = {}
        self._count = 0
        self._length = 0

    def new(self, type: Any) -> ir.Register:
        """Return a new value."""
        self._count += 1
        return ir.Register(type, self._count)

    def fill(
        self, function: ir.KernelFunction, plan: Any, takes: Sequence[Any], gives: Any
    ) -> None:
        """Lower a plan to the block of a function."""
        function.block = ir.Block([self.new(type) for type in takes])
        if gives is not None:
            function.gives = tuple(gives)
        results = self.plan(function.block, plan, function.block.params)
        wanted = [value.type for value in results] if gives is None else gives
        function.block.results = self._all_as(function.block, results, wanted)
        function.gives = tuple(wanted)

    def plan(self, block: ir.Block, plan: Any, inputs: Sequence[ir.Register]) -> list[ir.Register]:
        """Lower the steps of a plan into a block; return the values that it fetches."""
        plan = composed(plan)
        env: dict[int, Any] = dict(zip(plan.feed_slots, inputs, strict=True))
        fusions = OpenFusions(self, block, plan, env)
        done, ends = 0, self.ends_of_saves(plan)
        for position, step in enumerate(plan.steps):
            if position in ends:
                fusions.close_all()
                self.forget(block, ends[position])
            if position < done:
                continue
            self._length += 1
            if self._length > MOST_INSTRUCTIONS:
                raise NotNativeError(
                    f"it has more than {MOST_INSTRUCTIONS} operations, which take too long to "
                    "compile"
                )
            if _makes_an_empty_list(step):
                env[step.targets[0]] = step
                continue
            if fusions.join(position):
                continue
            if reads_element(step) and not has_plan(step):
                env[step.targets[0]] = self._element(block, plan, env, step)
                continue
            done = position + self._write_in_rows(block, plan, env, position)
            if position < done or self._windowed(block, plan, env, step):
                continue
            self._copy_views(block, env, step)
            args = [self._read(block, plan, env, slot) for slot in step.sources]
            results = self._step(block, step, args)
            env.update(zip(step.targets, results, strict=True))
        fusions.close_all()
        if len(plan.steps) in ends:
            self.forget(block, ends[len(plan.steps)])
        return [self._read(block, plan, env, slot) for slot in plan.fetch_slots]

    def _read(self, block: ir.Block, plan: Any, env: dict[int, Any], slot: int) -> ir.Register:
        """Return the value of a slot.  Each reader of an empty list gets one of its own: the lists
        that readers make of it may have entries of different types.
        """
        found = env.get(slot)
        if isinstance(found, FusedValue):
            found.fusion.owner.close(found.fusion)
            found = env[slot]
        if isinstance(found, Element | Sizes | SelectedValue | Uniform):
            found = env[slot] = self._made(block, found)
        if isinstance(found, ir.Register):
            return found
        if found is not None:
            (result,) = self._step(block, found, [])
            return result
        result = env[slot] = self._constant(block, plan.start[slot])
        return result

    def _constant(self, block: ir.Block, value: Any) -> ir.Register:
        type: Any = ir.OBJECT
        if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and not value.ndim):
            type = ir.NUMBERS.get(value.dtype, ir.OBJECT)
        if type is ir.OBJECT and getattr(value, "dtype", None) in ir.ELEMENTS:
            value = np.asarray(value)  # loops read the elements of arrays
        result = self.new(type)
        if type is ir.OBJECT:
            block.instructions.append(ir.ObjectConstant(self.object_index(value), result))
        else:
            block.instructions.append(ir.Number(value.item(), result))
        return result

    def object_index(self, value: Any) -> int:
        """Return the number of a Python object in the module."""
        index = self._objects.setdefault(id(value), len(self._objects))
        if index == len(self.module.objects):
            self.module.objects.append(row_by_row(value))
        return index

    # -- operations -------------------------------------------------------------------------------

    def _step(self, block: ir.Block, step: Any, args: list[ir.Register]) -> Sequence[ir.Register]:
        node = step.operation
        rule = node.op_def.lower
        found: Sequence[ir.Register] | None = None
        if FORWARD in node.op_def.traits:
            found = args[:1]
        elif isinstance(rule, Control):
            found = getattr(self, rule.name)(block, step, args)
        elif isinstance(rule, OnLists):
            found = self._list(block, step, args, rule.opcode)
        elif isinstance(rule, ByKernel) and rule.unifies:
            found = self._list(block, step, args, rule.unifies)
        elif isinstance(rule, Native):
            found = self._number(block, step, args, rule)
        elif isinstance(rule, Multiplies):
            found = self._product(block, step, args, rule)
        elif opcode_on_arrays(step) == WRITE:
            found = self._write(block, step, args)
        if found is None:
            found = array_loop(self, block, step, args) or self._callback(block, step, args)
        return found

    def _number(
        self, block: ir.Block, step: Any, args: list[ir.Register], rule: Native
    ) -> Sequence[ir.Register] | None:
        node = step.operation
        order = None
        if rule.operands is not None and rule.opcode_for((), False, node.attrs):
            values, attrs = rule.operands(node.attrs)
            inputs = [part.index if isinstance(part, KeyInput) else -1 for part in values]
            args = [
                self._constant(block, np.asarray(part)[()]) if index < 0 else args[index]
                for index, part in zip(inputs, values, strict=True)
            ]
            order = [inputs.index(index) for index in range(len(node.inputs))]
            step = step._replace(attrs=attrs)
        takes: list[Any] = [value.type for value in args]
        gives = [type_of(tensor.spec) for tensor in node.outputs]
        if not all(isinstance(type, ir.Scalar) for type in (*takes, *gives)):
            return None
        if not rule.mixed and len(set(takes)) > 1:
            return None
        opcode = rule.opcode_for([type.kind for type in takes], is_pythons(node), node.attrs)
        if not opcode:
            return None
        results = [self.new(type) for type in gives]
        block.instructions.append(ir.Compute(opcode, args, results, ir.Site(step, order)))
        return results

    def _callback(
        self, block: ir.Block, step: Any, args: Sequence[ir.Register]
    ) -> list[ir.Register]:
        self.check_kernel(step.operation)
        results = [self.new(type_of(tensor.spec)) for tensor in step.operation.outputs]
        for value in results:
            if isinstance(value.type, ListVariable):
                value.type.spoil()
        block.instructions.append(ir.Callback(ir.Site(step), args, results))
        return results

    def _as(self, block: ir.Block, value: ir.Register, type: Any) -> ir.Register:
        """Convert a value to a type: lists are unified, numbers put into objects or taken out."""
        if isinstance(type, ListVariable) and isinstance(value.type, ListVariable):
            type.unify(value.type)
            return value
        if value.type == type:
            return value
        for side in (type, value.type):
            if isinstance(side, ListVariable):
                side.spoil()
        if isinstance(value.type, ir.Scalar) and isinstance(type, ir.Scalar):
            raise NotNativeError(f"a value of type {value.type} is taken as {type}")
        result = self.new(type)
        block.instructions.append(ir.Callback(ir.Site(None), (value,), (result,)))
        return result

    def _all_as(
        self, block: ir.Block, values: Sequence[ir.Register], types: Sequence[Any]
    ) -> tuple[ir.Register, ...]:
        return tuple([self._as(block, v, t) for v, t in zip(values, types, strict=True)])

    def _block(
        self, graph: Any, takes: Sequence[Any], gives: Sequence[Any] | None, borrowed: int = 0
    ) -> ir.Block:
        """Lower a graph to a block; the last ``borrowed`` parameters belong to the block around."""
        params = [self.new(type) for type in takes]
        block = ir.Block(params, params[len(params) - borrowed :])
        results = self.plan(block, self.plan_of(graph), params)
        block.results = tuple(results) if gives is None else self._all_as(block, results, gives)
        return block

    def _specs(self, tensors: Sequence[Any]) -> list[Any]:
        return [type_of(tensor.spec) for tensor in tensors]

    # -- operations with graphs -------------------------------------------------------------------

    def cond(self, block: ir.Block, step: Any, args: list[ir.Register]) -> Any:
        """Lower a conditional."""
        attrs = step.operation.attrs
        graphs = attrs["true_graph"], attrs["false_graph"]
        return self._switch(block, step, args, graphs, by_truth=True)

    def case(self, block: ir.Block, step: Any, args: list[ir.Register]) -> Any:
        """Lower a choice by an index."""
        return self._switch(block, step, args, step.operation.attrs["branches"])

    def _switch(
        self, block: ir.Block, step: Any, args: list[ir.Register], graphs: Sequence[Any],
        by_truth: bool = False,
    ) -> list[ir.Register] | None:  # fmt: skip
        chooser, *inputs = args
        kind = chooser.type
        if not isinstance(kind, ir.Scalar):
            return None
        if by_truth:
            chooser = self._truth(block, chooser)
        elif kind.kind not in "iu":
            return None
        splits = step.operation.attrs["splits"]
        gives = self._specs(step.operation.outputs)
        given: list[ir.Register] = []
        branches, start = [], 0
        for graph, split in zip(graphs, splits, strict=True):
            takes = self._specs(graph.inputs)
            given += self._all_as(block, inputs[start : start + split], takes)
            branches.append(self._block(graph, takes, gives))
            start += split
        results = [self.new(type) for type in gives]
        block.instructions.append(ir.Switch([chooser, *given], results, branches, splits))
        return results

    def _truth(self, block: ir.Block, value: ir.Register) -> ir.Register:
        if value.type == ir.BOOL:
            return value
        result = self.new(ir.BOOL)
        block.instructions.append(ir.Compute("truth", (value,), (result,), None))
        return result

    def call(self, block: ir.Block, step: Any, args: Sequence[ir.Register]) -> list[ir.Register]:
        """Inline a call."""
        return self._inline(block, step, args, step.operation.attrs["graph"])

    def _inline(
        self, block: ir.Block, step: Any, args: Sequence[ir.Register], graph: Any
    ) -> list[ir.Register]:
        given = self._all_as(block, args, self._specs(graph.inputs))
        results = self.plan(block, self.plan_of(graph), given)
        return list(self._all_as(block, results, self._specs(step.operation.outputs)))

    def recurse(
        self, block: ir.Block, step: Any, args: Sequence[ir.Register]
    ) -> list[ir.Register] | None:
        """Lower a call of a function that may call itself."""
        callee = step.operation.attrs["callee"]
        graph = callee.graph
        function = self._functions.get(id(callee))
        if function is None:
            function = ir.KernelFunction(f"recursive{len(self._functions)}", recursive=True)
            self._functions[id(callee)] = function
            self.module.functions.append(function)
            gives = self._specs(step.operation.outputs)
            self._signatures[id(callee)] = self._specs(graph.inputs), gives
            around, self._attempts = self._attempts, {}  # of other calls
            self.fill(function, self.plan_of(graph), self._signatures[id(callee)][0], gives)
            self._attempts = around
        takes, gives = self._signatures[id(callee)]
        given = self._all_as(block, args, takes)
        results = [self.new(type) for type in gives]
        block.instructions.append(ir.Call(function, given, results, ir.Site(step)))
        return results

    # -- lists ------------------------------------------------------------------------------------

    def _list(
        self, block: ir.Block, step: Any, args: list[ir.Register], opcode: str
    ) -> list[ir.Register] | None:
        results = [self.new(type_of(tensor.spec)) for tensor in step.operation.outputs]
        if not unify_types(opcode, step, args, results):
            return None
        self.check_index(block, step, args, opcode)
        block.instructions.append(ir.Compute(opcode, args, results, ir.Site(step)))
        return results


def _makes_an_empty_list(step: Any) -> bool:
    return step.operation.op_def.lower == OnLists("list.new") and not step.sources
