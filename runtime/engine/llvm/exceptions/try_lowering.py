"""Lowering of ``assert`` and ``try``, whose body, ``else`` clause and handlers become blocks.

What the body saves is kept only as long as something may raise that a handler catches, so that
lists which change afterwards are not shared with what was saved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.exceptions.handler_choice import HandlerChoice
from runtime.engine.llvm.exceptions.try_ir import Forget, Save, Try, is_used
from runtime.engine.llvm.list_inference import ListVariable
from runtime.engine.plan import PlanStep
from runtime.graph.operation import Operation, subgraphs
from runtime.graph.raise_tracking import raised_by
from runtime.ops.op import HIGHER_ORDER, LOOP, RAISES
from runtime.ops.rules.lowering import Control

if TYPE_CHECKING:
    from runtime.engine.llvm.lowering import Lowering


class _KernelNeededError(Exception):
    """Kernel inside of a ``try`` that saves what native code would have to know."""


class Tries:
    """The ``try`` statements that are being lowered, and what is saved for their handlers."""

    def __init__(self, lowering: Lowering) -> None:
        self._lowering = lowering
        self.attempts: dict[Any, Try] = {}
        """By ``saved`` attribute: the statements whose bodies are being lowered."""
        self._needless: set[int] = set()
        """Saves, by id of their steps, after which nothing raises."""
        self._entered: Try | None = None
        """Statement whose body is lowered next."""
        self._forgets_after: dict[int, list[Forget]] = {}
        """By id of a step: what is forgotten after it has raised, or not."""

    def lower(self, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
        """Lower a ``try``; None if an operation in it calls a kernel that saves for it."""
        saved = step.operation.attrs["saved"]
        outer_attempts = dict(self.attempts)
        try:
            return self._try(block, step, args, saved)
        except _KernelNeededError:
            return None
        finally:
            self.attempts = outer_attempts

    def _try(self, block: ir.Block, step: Any, args: ir.Registers, saved: Any) -> ir.Results:
        attrs = step.operation.attrs
        body, otherwise = attrs["body_graph"], attrs["else_graph"]
        gives = self._lowering.types_of(step.operation.outputs)
        block_inputs = _split(args, attrs["splits"])
        attempt, part_specs = self._handlers(attrs["handlers"], block_inputs, gives, saved.attempt)
        if attempt is None:
            return None
        shared = _shared_inputs(attempt, block_inputs)
        attempt.kept = tuple([value.type for value in shared])
        if attempt.forgets and not _may_forget(body, saved):
            return None  # lists that a loop changes would be copied for each change
        for handler, inputs in zip(attempt.handlers, block_inputs[2:], strict=True):
            self._keep(handler, len(attempt.saved), shared, inputs)
        after = self._lowering.types_of(otherwise.inputs)
        self.attempts[saved] = self._entered = attempt
        body_takes, body_gives = self._lowering.types_of(body.inputs), after[: len(body.outputs)]
        attempt.body = self._lowering.lower_graph(body, body_takes, body_gives)
        del self.attempts[saved]
        attempt.otherwise = self._lowering.lower_graph(otherwise, after, gives)
        for inner, inputs in zip(attempt.blocks()[:2], block_inputs[:2], strict=True):
            _drop_unused(inner, inputs)
        _set_sites(attempt, step, HandlerChoice(saved.attempt, part_specs))
        attempt.without_exception = _without_exception(saved.attempt, attrs["handlers"])
        attempt.results = tuple(map(self._lowering.new, gives))
        self._give(block, attempt, block_inputs, shared)
        block.add(attempt)
        return list(attempt.results)

    def _handlers(
        self, graphs: Sequence[Any], block_inputs: list[list[ir.Register]], gives: Sequence[Any],
        statement: Any,
    ) -> tuple[Try | None, list[list[Any]]]:  # fmt: skip
        """Lower the handlers; return the ``try`` with them, None if they disagree about what is
        saved; and the specs of what each takes of the exception.
        """
        count = len(statement.saved_specs)
        attempt = Try(self._lowering.types_of(graphs[0].inputs[:count]))
        part_specs, blocks = [], []
        for graph, inputs in zip(graphs, block_inputs[2:], strict=True):
            takes, first = self._lowering.types_of(graph.inputs), len(graph.inputs) - len(inputs)
            if not _same_types(takes[:count], attempt.saved):
                return None, []
            part_specs.append([tensor.spec for tensor in graph.inputs[count:first]])
            takes = [*attempt.saved, *takes[count:]]
            blocks.append(self._lowering.lower_graph(graph, takes, gives))
            _drop_unused(blocks[-1], inputs)
        attempt.handlers = tuple(blocks)
        attempt.parts = tuple([
            _objects(block.params[count : count + len(specs)])
            for block, specs in zip(blocks, part_specs, strict=True)
        ])
        return attempt, part_specs

    def _keep(
        self, block: ir.Block, count: int, shared: ir.Registers, inputs: list[ir.Register]
    ) -> None:
        """Let a handler take what is kept behind the ``count`` values that are saved."""
        first = len(block.params) - len(inputs)
        own_params = list(block.params[first:])
        params = []
        for value in shared:
            if value in inputs:
                position = inputs.index(value)
                del inputs[position]
                params.append(own_params.pop(position))
            else:
                params.append(self._lowering.new(value.type))
        block.params = (*block.params[:count], *params, *block.params[count:first], *own_params)

    def _give(
        self, block: ir.Block, attempt: Try, block_inputs: list[list[ir.Register]],
        shared: ir.Registers,
    ) -> None:  # fmt: skip
        """Set the arguments of a ``try``."""
        args: list[ir.Register] = []
        for inner, inputs in zip(attempt.blocks(), block_inputs, strict=True):
            types = [param.type for param in inner.params[len(inner.params) - len(inputs) :]]
            args += self._lowering.convert_all(block, inputs, types)
        attempt.args = (*args, *shared)
        attempt.splits = tuple(map(len, block_inputs))

    def save(self, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
        """Lower what a body saves; None if its ``try`` is not native."""
        attempt = self.attempts.get(step.operation.attrs["saved"])
        if attempt is None:
            return None
        if id(step) not in self._needless:
            saved = self._lowering.convert_all(block, args, attempt.saved)
            block.add(Save(attempt, saved))
        return []

    # -- how long it is kept ----------------------------------------------------------------------

    def ends_of_saves(self, plan: Any) -> dict[int, list[Forget]]:
        """Return ahead of which steps of a plan what was saved is forgotten."""
        steps, ends = plan.steps, dict[int, list[Forget]]()
        entered, self._entered = self._entered, None
        for saved, attempt in self.attempts.items():
            if not attempt.forgets:
                continue
            saves = [n for n, step in enumerate(steps) if _saves(step.operation, saved)]
            for save, following in pairwise([*saves, len(steps)]):
                between = range(save + 1, following)
                last_risk = max(
                    (n for n in between if _risks(steps[n].operation, saved)), default=-1
                )
                if last_risk < 0:
                    self._needless.add(id(steps[save]))
                else:
                    self._end(ends, steps, last_risk, Forget(attempt))
            if attempt is entered and attempt.kept:
                risky = [n for n, step in enumerate(steps) if _risks(step.operation, None)]
                self._end(ends, steps, max(risky, default=-1), Forget(attempt, forever=True))
        return ends

    def _end(
        self, ends: dict[int, list[Forget]], steps: Sequence[Any], step_number: int, forget: Forget
    ) -> None:
        ends.setdefault(step_number + 1, []).append(forget)
        if step_number >= 0:
            self._forgets_after.setdefault(id(steps[step_number]), []).append(forget)

    def forget(self, block: ir.Block, instructions: Sequence[Forget]) -> None:
        """Forget what was saved for some statements."""
        block.instructions += [
            Forget(instruction.attempt, instruction.forever) for instruction in instructions
        ]

    def check_index(self, block: ir.Block, step: Any, args: ir.Registers, opcode: str) -> None:
        """Check the index of an operation that changes a list, ahead of it: what was saved is
        forgotten in between, so that the list need not be copied.
        """
        if opcode in _CHECKED and self.attempts:
            checks = step._replace(kernel=_checking(step.kernel))
            block.add(ir.Compute("list.check", args, (), ir.Site(checks)))
            self.forget(block, self._forgets_after.get(id(step), ()))

    def check_kernel(self, node: Operation) -> None:
        """Give up the ``try`` around an operation whose kernel would save for it."""
        if HIGHER_ORDER in node.op_def.traits:
            for saved in self.attempts:
                if _saves_inside(node, saved):
                    raise _KernelNeededError


def try_(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Lower a ``try``; None if an operation in it calls a kernel that saves for it."""
    return lowering.tries.lower(block, step, args)


def save(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Lower what a body saves; None if its ``try`` is not native."""
    return lowering.tries.save(block, step, args)


def check(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Lower an assertion: its kernel is called where the condition is false."""
    if not isinstance(args[0].type, ir.Scalar):
        return None
    cold = ir.Block([lowering.new(value.type) for value in args])
    cold.add(ir.Callback(ir.Site(step), cold.params, ()))
    inputs = [lowering.truth(block, args[0]), *args]
    block.add(ir.Switch(inputs, (), [ir.Block(()), cold], [0, len(args)]))
    return []


_CHECKED = frozenset({"list.set", "list.without"})
"""Operations that change a list in place, and raise if their second argument is no index of it."""


def _checking(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return the kernel that raises what another one raises, and gives nothing."""

    def check(*args: Any, **attrs: Any) -> tuple[()]:
        kernel(*args, **attrs)
        return ()

    return check


def _split(args: ir.Registers, splits: Sequence[int]) -> list[list[ir.Register]]:
    groups, start = [], 0
    for count in splits:
        groups.append(list(args[start : start + count]))
        start += count
    return groups


def _objects(params: ir.Registers) -> tuple[ir.Type, ...]:
    """Return the types of parameters which Python makes: lists are objects."""
    for param in params:
        if isinstance(param.type, ListVariable):
            param.type.spoil()
    return tuple([param.type for param in params])


def _same_types(types: Sequence[Any], expected: Sequence[Any]) -> bool:
    return all(
        x == y or (isinstance(x, ListVariable) and isinstance(y, ListVariable))
        for x, y in zip(types, expected, strict=True)
    )


def _shared_inputs(attempt: Try, block_inputs: list[list[ir.Register]]) -> list[ir.Register]:
    """Return the inputs of handlers that are no numbers and which the body takes, too."""
    shared: dict[ir.Register, None] = {}
    for block, inputs in zip(attempt.handlers, block_inputs[2:], strict=True):
        own_params = block.params[len(block.params) - len(inputs) :]
        for param, value in zip(own_params, inputs, strict=True):
            if value in block_inputs[0] and not isinstance(value.type, ir.Scalar):
                if isinstance(param.type, ListVariable) and isinstance(value.type, ListVariable):
                    param.type.unify(value.type)
                    shared[value] = None
                elif param.type is value.type:
                    shared[value] = None
    return list(shared)


def _drop_unused(block: ir.Block, inputs: list[ir.Register]) -> None:
    """Take the parameters at the end of a block, which stand for inputs, away that it does not use.
    """
    first = len(block.params) - len(inputs)
    own_params = block.params[first:]
    used = [is_used(block, param) for param in own_params]
    inputs[:] = [value for value, keep in zip(inputs, used, strict=True) if keep]
    block.params = (
        *block.params[:first],
        *[p for p, keep in zip(own_params, used, strict=True) if keep],
    )


def _set_sites(attempt: Try, step: Any, choice: HandlerChoice) -> None:
    node = step.operation
    attempt.choose = ir.Site(PlanStep(choice.choose, {}, (), (), (), node), order=())
    attempt.leave = ir.Site(PlanStep(choice.leave, {}, (), (), (), node), order=())


def _saves(node: Operation, saved: Any) -> bool:
    return node.op_def.lower == Control("save") and node.attrs["saved"] is saved


def _saves_inside(node: Operation, saved: Any) -> bool:
    return any(
        _saves(inner, saved) or _saves_inside(inner, saved)
        for graph in subgraphs(node) for inner in graph.operations
    )  # fmt: skip


def _risks(node: Operation, saved: Any) -> bool:
    """Return whether an operation may raise, and needs the state that was saved before it."""
    if HIGHER_ORDER not in node.op_def.traits:
        return RAISES in node.op_def.traits or _raises(node)
    graphs = list(subgraphs(node))
    return not graphs or any(_risks_first(graph, saved) for graph in graphs)


def _raises(node: Operation) -> bool:
    """Return whether the kernel of an operation may raise; a division by 7 does not."""
    if not raised_by(node.op_def, node.inputs, node.attrs):
        return False
    kernel = node.op_def.python_kernel
    if kernel is None or not all(tensor.weak for tensor in node.inputs):
        return True
    divisor = node.inputs[-1].spec.value
    return divisor is None or not kernel.is_safe(divisor)


def _risks_first(graph: Any, saved: Any) -> bool:
    """Return whether a graph may raise before it saves anything itself."""
    for node in graph.operations:
        if _saves(node, saved):
            return False
        if _risks(node, saved):
            return True
    return False


def _may_forget(body: Any, saved: Any) -> bool:
    """Return whether only operations raise: no handler catches the Ctrl-C that loops look for."""
    return saved.attempt.find_handler(KeyboardInterrupt()) is None or not _looks_at_signals(body)


def _looks_at_signals(graph: Any) -> bool:
    for node in graph.operations:
        if HIGHER_ORDER in node.op_def.traits:
            inner = list(subgraphs(node))
            if LOOP in node.op_def.traits or not inner or any(map(_looks_at_signals, inner)):
                return True
    return False


def _without_exception(
    statement: Any, handlers: Sequence[Any]
) -> Callable[[BaseException], tuple[int, list[Any]] | None]:
    """Return the function that finds the handler for an exception, and what it takes of it; None if
    the handler may raise what would refer to the exception.
    """

    def find(error: BaseException) -> tuple[int, list[Any]] | None:
        choice: tuple[int, list[Any]] | None = statement.find_handler(error)
        return None if choice is None or _risks_first(handlers[choice[0]], None) else choice

    return find
