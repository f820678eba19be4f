"""Compiler of plans to Python functions, one line for each operation.

Walking a plan costs more per operation than a kernel takes on a number.  A written plan calls the
same kernels on the same values in the same order, so it gives what walking gives; branches, loops
and calls are written in place.  NumPy's own operators stand for the kernels that they are::

    def plan(v0):
        s1 = v0
        while True:
            v2 = s1 < c3
            if not v2: break
            v4 = s1 + c5
            s1 = v4
        return [s1]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

import numpy as np

from runtime.engine import python_numbers
from runtime.engine.error_location import located
from runtime.engine.python_scalar_kernels import is_pythons
from runtime.graph.operation import Operation, subgraphs
from runtime.ops.control_flow.cond_while import cond_op, while_op
from runtime.ops.op import CALL, FORWARD, HIGHER_ORDER
from runtime.types.conversion import as_object_scalar
from runtime.types.python_source import PythonSource

MAX_LINES = 600
"""Longest function, in lines: longer ones take too long to compile."""
_DEEPEST = 15
"""Deepest nesting of blocks; Python allows 20."""

PlanOf = Callable[[Any], Any]
"""Function from a graph to its plan."""


LineSource = tuple[Operation, list[str]]
"""Operation of a line, and the names of its inputs."""


class CodeEmitter(PythonSource):
    """Writes the lines of one function, and notes which operation stands in each."""

    def __init__(self, plan_of: PlanOf) -> None:
        super().__init__(only=_only, check_size=python_numbers.check_size)
        self.plan_of = plan_of
        self.sites: dict[int, LineSource] = {}
        self._shared: set[str] = set()
        """Names that stand for several values."""
        self._numbers: set[str] = set()
        """Names that stand for Python's own numbers and bools, as weak values do in loops."""

    def add(self, depth: int, line: str, site: LineSource | None = None) -> None:
        """One more line."""
        number = self.line(line, depth)
        if site is not None:
            self.sites[number] = site

    def plan(self, plan: Any, inputs: Sequence[str], depth: int) -> list[str]:
        """Emit the operations of a plan; return the names of its results."""
        env = dict(zip(plan.feed_slots, inputs, strict=True))
        large: set[str] = set()  # what is to be let go after its last use

        def name_of(slot: int) -> str:
            name = env.get(slot)
            if name is None:
                name = env[slot] = self.known(plan.start[slot], "c")
            return name

        for step in plan.steps:
            sources = [name_of(slot) for slot in step.sources]
            site = (step.operation, sources)
            write = self._in_place(step.operation, depth)
            if write is not None:
                targets = write(site, depth)
            else:
                targets = self._call(step, site, depth)
                outputs = zip(targets, step.operation.outputs, strict=True)
                large.update(name for name, t in outputs if t.spec.shape.dims != ())
            env.update(zip(step.targets, targets, strict=True))
            for slot in step.dead:
                if env.get(slot) in large - self._shared:
                    self.add(depth, f"{env[slot]} = None")
        return [name_of(slot) for slot in plan.fetch_slots]

    # -- plain operations ---------------------------------------------------------------------

    def _call(self, step: Any, site: LineSource, depth: int) -> list[str]:
        node, sources = site
        text = self._on_numbers(site, depth)
        if text is not None:
            return [text]
        sources = [self._as_numpy(*pair) for pair in zip(sources, node.inputs, strict=True)]
        text = self._operator(step, sources)
        gives_one = text is not None or isinstance(step.kernel, np.ufunc) or is_pythons(node)
        if text is None:
            shown = [f"{key}={self.known(value, 'a')}" for key, value in step.attrs.items()]
            text = f"{self.known(step.kernel, 'k')}({', '.join([*sources, *shown])})"
        targets = [self.fresh("v") for _ in node.outputs]
        if len(targets) == 1:
            plain = gives_one and not _is_text(node, 0)
            self.add(depth, f"{targets[0]} = {text if plain else f'only({text})'}", site)
        else:
            self.add(depth, f"{', '.join(targets)} = {text}" if targets else text, site)
            for number, name in enumerate(targets):
                if _is_text(node, number):
                    self.add(depth, f"{name} = only({name})")
        return targets

    def _on_numbers(self, site: LineSource, depth: int) -> str | None:
        """Add the lines of an operation on Python numbers; return the name of its result.

        None if no input is held as one, or the operation has no such expression.
        """
        node, sources = site
        if self._numbers.isdisjoint(sources) or len(node.outputs) != 1:
            return None
        numbers = [self._as_python(*pair) for pair in zip(sources, node.inputs, strict=True)]
        operands = [text for text in numbers if text is not None]
        if len(operands) < len(numbers):
            return None
        text = python_numbers.expression(node, operands)
        if text is None:
            return None
        name = self.fresh("n")
        self._numbers.add(name)
        self.add(depth, f"{name} = {text}", site)
        condition = python_numbers.too_large(node, operands, name)
        if condition:
            self.add(depth, f"if {condition}: check_size({name})", site)
        return name

    def _as_python(self, name: str, tensor: Any) -> str | None:
        """Return the expression of a value as a Python number; None if it is none."""
        if name in self._numbers:
            return name
        if not python_numbers.is_held(tensor):
            return None
        number = self.names.get(name)
        text = None if number is None else python_numbers.literal(number)
        return text or f"{name}.item()"

    def _as_numpy(self, name: str, tensor: Any) -> str:
        """Return the expression of a value as kernels take it."""
        if name not in self._numbers:
            return name
        return f"{self.known(python_numbers.numpy_type(tensor), 't')}({name})"

    def as_numpy(self, names: Sequence[str], tensors: Sequence[Any]) -> list[str]:
        """Return the expressions of values as kernels take them."""
        return [self._as_numpy(*pair) for pair in zip(names, tensors, strict=True)]

    def _held(self, names: Sequence[str], targets: Sequence[str], tensors: Sequence[Any]) -> Any:
        """Return the expressions of values in the way that their targets are held."""
        return [
            (self._as_python(name, tensor) or name) if target in self._numbers
            else self._as_numpy(name, tensor)
            for name, target, tensor in zip(names, targets, tensors, strict=True)
        ]  # fmt: skip

    def _operator(self, step: Any, sources: list[str]) -> str | None:
        """Return the Python operator that equals the kernel on these inputs, if any."""
        node = step.operation
        operator = node.op_def.python_operator
        specs = [t.spec for t in node.inputs]
        if operator is None or step.kernel is not node.op_def.kernel or _takes_text(specs):
            return None
        operand = self.names.get(sources[-1])  # None when it is not known before the function runs
        if not operator.applies(specs, operand):
            return None
        if len(sources) == 1:
            return f"{operator.text}({sources[0]})"
        return f"{sources[0]} {operator.text} {sources[1]}"

    # -- operations that hold graphs ----------------------------------------------------------

    def _in_place(
        self, node: Operation, depth: int
    ) -> Callable[[LineSource, int], list[str]] | None:
        """Return the emitter of an operation with inlined graphs; None if they are too large."""
        op_def = node.op_def
        if FORWARD in op_def.traits:
            return self._passed
        if HIGHER_ORDER not in op_def.traits or depth >= _DEEPEST:
            return None
        write = self._branches if op_def is cond_op else self._loop if op_def is while_op else None
        write = self._called if CALL in op_def.traits else write
        if write is None or len(self.lines) + _size(node, self.plan_of) > MAX_LINES:
            return None
        return write

    def _passed(self, site: LineSource, depth: int) -> list[str]:
        self._shared.add(site[1][0])
        return [site[1][0]]

    def _called(self, site: LineSource, depth: int) -> list[str]:
        outputs = self.plan(self.plan_of(site[0].attrs["graph"]), site[1], depth)
        self._shared.update(outputs)
        return outputs

    def _branches(self, site: LineSource, depth: int) -> list[str]:
        node, (pred, *inputs) = site
        split = node.attrs["splits"][0]
        targets = [self.fresh("b") for _ in node.outputs]
        if self._numbers:
            output_pairs = zip(node.outputs, node.attrs["true_graph"].outputs,
                       node.attrs["false_graph"].outputs)  # fmt: skip
            are_numbers = [all(map(python_numbers.is_held, tensors)) for tensors in output_pairs]
            self._numbers.update(name for name, is_number in zip(targets, are_numbers) if is_number)
        sides = (f"if {pred}:", inputs[:split]), ("else:", inputs[split:])
        for key, (head, given) in zip(("true_graph", "false_graph"), sides, strict=True):
            self.add(depth, head, site)
            outputs = self.plan(self.plan_of(node.attrs[key]), given, depth + 1)
            outputs = self._held(outputs, targets, node.attrs[key].outputs)
            self._assign(targets, outputs, depth + 1)
        return targets

    def _loop(self, site: LineSource, depth: int) -> list[str]:
        node, inputs = site
        count = len(inputs) - sum(node.attrs["splits"])
        names = [self.fresh("s") for _ in range(count)] + inputs[count:]
        values = [
            (python_numbers.is_held(tensor) and self._as_python(name, tensor))
            or self._as_number(tensor, name)
            for tensor, name in zip(node.inputs, inputs, strict=True)
        ]
        values[count:] = [
            name if name in self.names else value
            for name, value in zip(inputs[count:], values[count:], strict=True)
        ]
        for number in range(count, len(inputs)):
            if values[number] != inputs[number]:
                names[number] = self.fresh("s")
        self._hold(node, names)
        self._assign(names, values, depth)
        self.loop(node, names, count, depth)
        return names[:count]

    def _as_number(self, tensor: Any, name: str) -> str:
        """Return the expression of a NumPy scalar, faster in loops than an array of shape ()."""
        is_number = name in self.names or name in self._numbers or tensor.spec.shape.dims != ()
        return name if is_number or tensor.spec.dtype._dtype.kind == "O" else f"{name}[()]"

    def _hold(self, node: Operation, names: Sequence[str]) -> None:
        """Note which names of a loop's inputs stand for Python numbers."""
        self._numbers.update(
            name for name, tensor in zip(names, node.inputs, strict=True)
            if name not in self.names and python_numbers.is_held(tensor)
        )  # fmt: skip

    def whole_loop(self, node: Operation, inputs: Sequence[str]) -> list[str]:
        """Emit a loop on the inputs of a function; return its results, as kernels take them."""
        for tensor, name in zip(node.inputs, inputs, strict=True):
            if python_numbers.is_held(tensor):
                self.add(1, f"{name} = {name}.item()")
        self._hold(node, inputs)
        count = len(node.outputs)
        self.loop(node, list(inputs), count, 1)
        return self.as_numpy(inputs[:count], node.outputs)

    def loop(self, node: Operation, names: list[str], count: int, depth: int) -> None:
        """Emit a loop, whose state is the first ``count`` names."""
        state, captures = names[:count], names[count:]
        split = node.attrs["splits"][0]
        self.add(depth, "while True:")
        test = self.plan_of(node.attrs["test_graph"])
        (going,) = self.plan(test, [*state, *captures[:split]], depth + 1)
        self.add(depth + 1, f"if not {going}: break", (node, names))
        body = self.plan_of(node.attrs["body_graph"])
        outputs = self.plan(body, [*state, *captures[split:]], depth + 1)
        outputs = self._held(outputs, state, node.attrs["body_graph"].outputs)
        self._assign(state, outputs, depth + 1)

    def _assign(self, targets: Sequence[str], values: Sequence[str], depth: int) -> None:
        pairs = [(t, v) for t, v in zip(targets, values, strict=True) if t != v]
        if pairs:
            left, right = zip(*pairs, strict=True)
            self.add(depth, f"{', '.join(left)} = {', '.join(right)}")
        else:
            self.add(depth, "pass")


def _takes_text(specs: Sequence[Any]) -> bool:
    return any(spec.dtype._dtype.kind == "O" for spec in specs)


def _is_text(node: Operation, number: int) -> bool:
    return node.outputs[number].spec.dtype._dtype.kind == "O"


def _only(result: Any) -> Any:
    """Return the only result of a kernel, bare bytes as an array."""
    if type(result) is tuple:
        (result,) = result
    return as_object_scalar(result) if type(result) is bytes else result


def _size(node: Operation, plan_of: PlanOf) -> int:
    """Estimate the lines that an operation needs with its graphs inlined."""
    lines, todo = 1, list(subgraphs(node))
    while todo and lines <= MAX_LINES:
        steps = plan_of(todo.pop()).steps
        lines += len(steps) + 3
        todo += [graph for step in steps for graph in subgraphs(step.operation)]
    return lines


class CompiledPlan:
    """Plan compiled to a Python function of the fed values."""

    __slots__ = ("_code", "_sites", "function")

    def __init__(self, writer: CodeEmitter, inputs: Sequence[str], results: Sequence[str]) -> None:
        writer.line(f"return [{', '.join(results)}]")
        self.function: Callable[..., list[Any]] = writer.compile("plan", inputs)
        """The function, which raises the errors of kernels."""
        self._code = self.function.__code__
        self._sites = writer.sites

    def run(self, values: Sequence[Any]) -> list[Any]:
        """Run on the fed values; errors name the operation."""
        try:
            return self.function(*values)
        except Exception as error:
            raise self.failure(error) from error.__cause__

    def failure(self, error: Exception) -> Exception:
        """Return the error to raise for one of the function, with the operation that failed."""
        traceback: TracebackType | None = error.__traceback__
        while traceback is not None and traceback.tb_frame.f_code is not self._code:
            traceback = traceback.tb_next
        if traceback is None or traceback.tb_lineno - 1 not in self._sites:
            return error
        node, names = self._sites[traceback.tb_lineno - 1]
        frame = traceback.tb_frame
        values = {**frame.f_globals, **frame.f_locals}
        return located(error, node, [python_numbers.as_numpy(values[name]) for name in names])


def compile_plan(plan: Any, plan_of: PlanOf) -> CompiledPlan:
    """Compile a plan."""
    writer = CodeEmitter(plan_of)
    inputs = [writer.fresh("i") for _ in plan.feed_slots]
    results = writer.plan(plan, inputs, 1)
    return CompiledPlan(writer, inputs, writer.as_numpy(results, plan.fetches))


def compile_loop(node: Operation, plan_of: PlanOf) -> CompiledPlan | None:
    """Compile the loop of an operation to a function of its inputs; None if it is too long."""
    if _size(node, plan_of) > MAX_LINES:
        return None
    writer = CodeEmitter(plan_of)
    inputs = [writer.fresh("s") for _ in node.inputs]
    return CompiledPlan(writer, inputs, writer.whole_loop(node, inputs))
