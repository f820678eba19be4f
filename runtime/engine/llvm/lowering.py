"""Lowering: execution plans become a module of kernel IR.

Graphs that operations hold become blocks, calls are inlined, recursive calls become functions.  The
steps of a plan are lowered by planners.py; pipeline.py says what comes before and after.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.exceptions.try_lowering import Tries
from runtime.engine.llvm.list_inference import ListVariable, unify_types
from runtime.engine.llvm.planners import lower_plan
from runtime.engine.llvm.row_layouts import row_by_row
from runtime.engine.llvm.texts.text_values import known_text
from runtime.types.dtypes import string, variant
from runtime.types.shapes import TensorSpec

MOST_INSTRUCTIONS = 20_000
"""Longest module that is compiled, even if that is asked for."""

PlanOf = Callable[[Any], Any]


class NotNativeError(Exception):
    """Request that native code cannot run, and why."""


def type_of(tensor: Any) -> Any:
    """Return the kernel type of the values of a tensor; a new variable for a list."""
    spec = tensor.spec
    if spec.dtype is variant:
        return ListVariable()
    if spec.shape.dims != ():
        return ir.OBJECT
    if spec.dtype is string:
        return ir.TEXT if tensor.weak else ir.OBJECT
    return ir.NUMBERS.get(spec.dtype._dtype, ir.OBJECT)


class Lowering:
    """Lowering of one module: its registers, objects and functions."""

    def __init__(self, plan_of: PlanOf, specs: Sequence[TensorSpec]) -> None:
        self.plan_of = plan_of
        self.module = ir.KernelModule(specs)
        self.tries = Tries(self)
        self._objects: dict[int, int] = {}
        self._functions: dict[int, tuple[ir.KernelFunction, list[Any], list[Any]]] = {}
        """By id of a traced function: what it became, and the types that this takes and gives."""
        self.new = self.module.new
        self._length = 0

    def function(self, name: str, recursive: bool = False) -> ir.KernelFunction:
        """Add a function to the module."""
        function = ir.KernelFunction(name, recursive)
        self.module.functions.append(function)
        return function

    def fill(
        self, function: ir.KernelFunction, plan: Any, takes: Sequence[Any], gives: Any
    ) -> None:
        """Lower a plan to the block of a function."""
        function.block = ir.Block([self.new(type) for type in takes])
        if gives is not None:
            function.gives = tuple(gives)
        results = lower_plan(self, function.block, plan, function.block.params)
        types = [value.type for value in results] if gives is None else gives
        function.block.results = self.convert_all(function.block, results, types)
        function.gives = tuple(types)

    def count_instruction(self) -> None:
        """Count an operation; NotNativeError when there are too many."""
        self._length += 1
        if self._length > MOST_INSTRUCTIONS:
            raise NotNativeError(
                f"it has more than {MOST_INSTRUCTIONS} operations, which take too long to compile"
            )

    def constant(self, block: ir.Block, value: Any) -> ir.Register:
        """Add a constant to a block: a number, or an object."""
        type: Any = ir.OBJECT
        if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and not value.ndim):
            type = ir.NUMBERS.get(value.dtype, ir.OBJECT)
        if (text := known_text(value)) is not None:
            result = self.new(ir.TEXT)
            block.add(ir.TextConstant(text, result))
            return result
        if type is ir.OBJECT and getattr(value, "dtype", None) in ir.ELEMENTS:
            value = np.asarray(value)  # loops read the elements of arrays
        result = self.new(type)
        if type is ir.OBJECT:
            block.add(ir.ObjectConstant(self.object_index(value), result))
        else:
            block.add(ir.Number(value.item(), result))
        return result

    def object_index(self, value: Any) -> int:
        """Return the number of a Python object in the module."""
        index = self._objects.setdefault(id(value), len(self._objects))
        if index == len(self.module.objects):
            self.module.objects.append(row_by_row(value))
        return index

    def call_kernel(self, block: ir.Block, step: Any, args: ir.Registers) -> list[ir.Register]:
        """Call the kernel of a step; the lists that it gives are Python's."""
        self.tries.check_kernel(step.operation)
        results = self.results_of(step.operation)
        for value in results:
            if isinstance(value.type, ListVariable):
                value.type.spoil()
        block.add(ir.Callback(ir.Site(step), args, results))
        return results

    def _convert(self, block: ir.Block, value: ir.Register, type: Any) -> ir.Register:
        """Convert a value to a type: lists are unified, numbers put into objects or taken out."""
        if isinstance(type, ListVariable) and isinstance(value.type, ListVariable):
            type.unify(value.type)
            return value
        if value.type == type:
            return value
        for side in (type, value.type):
            if isinstance(side, ListVariable):
                side.spoil()
        if ir.TEXT in (type, value.type) and ir.OBJECT not in (type, value.type):
            raise NotNativeError(f"a value of type {value.type} is taken as {type}")
        if isinstance(value.type, ir.Scalar) and isinstance(type, ir.Scalar):
            raise NotNativeError(f"a value of type {value.type} is taken as {type}")
        result = self.new(type)
        block.add(ir.Callback(ir.Site(None), (value,), (result,)))
        return result

    def convert_all(
        self, block: ir.Block, values: ir.Registers, types: Sequence[Any]
    ) -> tuple[ir.Register, ...]:
        """Convert values to types."""
        return tuple([self._convert(block, v, t) for v, t in zip(values, types, strict=True)])

    def lower_graph(
        self, graph: Any, takes: Sequence[Any], gives: Sequence[Any] | None, borrowed: int = 0
    ) -> ir.Block:
        """Lower a graph to a block; the last ``borrowed`` parameters belong to the block around."""
        params = [self.new(type) for type in takes]
        block = ir.Block(params, params[len(params) - borrowed :])
        results = lower_plan(self, block, self.plan_of(graph), params)
        block.results = tuple(results) if gives is None else self.convert_all(block, results, gives)
        return block

    def types_of(self, tensors: Sequence[Any]) -> list[Any]:
        """Return the kernel types of tensors."""
        return [type_of(tensor) for tensor in tensors]

    def results_of(self, node: Any) -> list[ir.Register]:
        """Return new registers for the results of an operation."""
        return [self.new(type_of(tensor)) for tensor in node.outputs]

    def truth(self, block: ir.Block, value: ir.Register) -> ir.Register:
        """Return whether a number or a text is true."""
        if value.type == ir.BOOL:
            return value
        result = self.new(ir.BOOL)
        if value.type == ir.TEXT:
            block.add(ir.Compute("list.text_truth", (value,), (result,), None))
            return result
        block.add(ir.Compute("truth", (value,), (result,), None))
        return result

    def inline(
        self, block: ir.Block, step: Any, args: ir.Registers, graph: Any
    ) -> list[ir.Register]:
        """Lower a graph in place of a step."""
        params = self.convert_all(block, args, self.types_of(graph.inputs))
        results = lower_plan(self, block, self.plan_of(graph), params)
        return list(self.convert_all(block, results, self.types_of(step.operation.outputs)))

    def function_of(
        self, callee: Any, gives: list[Any]
    ) -> tuple[ir.KernelFunction, list[Any], list[Any]]:
        """Return the function that a traced function becomes which may call itself, and the types
        that it takes and gives.
        """
        if id(callee) not in self._functions:
            function = self.function(f"recursive{len(self._functions)}", recursive=True)
            takes = self.types_of(callee.graph.inputs)
            self._functions[id(callee)] = function, takes, gives
            outer_attempts, self.tries.attempts = self.tries.attempts, {}  # of other calls
            self.fill(function, self.plan_of(callee.graph), takes, gives)
            self.tries.attempts = outer_attempts
        return self._functions[id(callee)]

    def list_op(
        self, block: ir.Block, step: Any, args: ir.Registers, opcode: str
    ) -> list[ir.Register]:
        """Lower an op on lists; by its kernel if native code does not know their entries."""
        results = self.results_of(step.operation)
        if not unify_types(opcode, step, args, results):
            return self.call_kernel(block, step, args)
        self.tries.check_index(block, step, args, opcode)
        block.add(ir.Compute(opcode, args, results, ir.Site(step)))
        return results
