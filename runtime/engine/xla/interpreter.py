"""Interpreter of execution plans under ``jax.jit``: it calls a rule for each operation.

Values are NumPy arrays where they are known while a graph is traced (constants, and what follows
from shapes), else JAX's; lists are ``ColumnarList``.  Where XLA does without a word what the kernel
raises for, a rule notes a guard: a truth value that must hold, else the run counts for nothing.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.engine import purity
from runtime.engine.python_scalar_kernels import is_pythons
from runtime.engine.python_scalar_kernels import kernel_of as python_kernel_of
from runtime.engine.xla.carried_kernels import CarryError, KernelCarrier
from runtime.graph.operation import Operation
from runtime.ops.op import HIGHER_ORDER, OpDef, PythonKernel
from runtime.types.dtypes import as_dtype
from runtime.types.shapes import TensorShape, TensorSpec

Rule = Callable[..., Any]

LARGEST_CONSTANT = 65_536
"""Elements up to which a result is computed by its kernel while a graph is traced."""
LARGEST_SIZES = 64
"""Elements of a value that a trace may be for."""


class XLARefusal(Exception):
    """Reason why XLA does not run a graph."""

    is_located = False
    """Whether it names the operation and the user's line."""


class StaticValueError(XLARefusal):
    """Value that decides about a shape, but is known in a run only."""


class UnknownSizeError(XLARefusal):
    """Value that decides about a shape, and that a run up to it can tell."""

    def __init__(self, value: Any) -> None:
        super().__init__("a size is not known before a run")
        self.value = value


FAILED, FULL, CHANGED = 1, 2, 3
"""Status of a run: a guard does not hold; a list needs more room, which counts first; a size is not
what the trace is for, and all that follows from it says nothing.
"""


class TraceFrame:
    """Scope of a trace, a graph or the body of a branch or loop: its guards and variables.

    guards     pairs: a truth value that must hold, and the status of the run if it does not
    variables  storage of a variable -> its value at this point
    """

    def __init__(self, variables: dict[Any, Any]) -> None:
        self.guards: list[tuple[Any, int]] = []
        self.variables = variables

    @property
    def status(self) -> Any:
        """Status: an int32; NumPy's 0 if there are no guards."""
        status: Any = np.int32(0)
        for holds, failure in self.guards:
            status = jnp.maximum(status, jnp.where(holds, 0, failure).astype(np.int32))
        return status


class _Trace(threading.local):
    """Trace that runs in a thread.

    frames    scopes, the innermost last
    capacity  capacity of lists that grow
    sizes     values that the trace is for, where they decide about shapes, in the order of its
              questions; the first ``asked`` of them were asked for
    number    number of the run, and whether it calls kernels (host_calls.py)
    group     group of devices that it is for (rules/replicas.py), and the draws before the run
    """

    def __init__(self) -> None:
        self.frames: list[TraceFrame] = []
        self.capacity = 16
        self.sizes: Sequence[Any] = ()
        self.asked = 0
        self.number: Any = None
        self.has_calls = False
        self.group: Any = None
        self.draws: Any = None


TRACE = _Trace()


@contextlib.contextmanager
def new_frame(variables: dict[Any, Any]) -> Iterator[TraceFrame]:
    """Start a frame within the block."""
    frame = TraceFrame(variables)
    TRACE.frames.append(frame)
    try:
        yield frame
    finally:
        TRACE.frames.pop()


def require(holds: Any, failure: int = FAILED) -> None:
    """Note a truth value, of all elements, that must hold for the run to count."""
    if holds is True or (is_static(holds) and np.all(holds)):
        return
    TRACE.frames[-1].guards.append((jnp.all(holds), failure))


def require_status(status: Any) -> None:
    """Note the status of a frame inside of this one."""
    if not is_static(status):
        require(status != CHANGED, CHANGED)
        require(status != FULL, FULL)
        require(status != FAILED)


def static(value: Any, what: str) -> Any:
    """Return a value that must be known while a graph is traced; ``what`` names it.

    Outside of branches and loops it is the one that the trace is for.
    """
    if is_static(value):
        return value
    is_inside = len(TRACE.frames) > 1 or TRACE.group is not None
    if is_inside or value.dtype.kind not in "iub" or value.size > LARGEST_SIZES:
        raise StaticValueError(f"{what} depends on values, and XLA needs it before the run")
    if TRACE.asked == len(TRACE.sizes):
        raise UnknownSizeError(value)
    size = TRACE.sizes[TRACE.asked]
    TRACE.asked += 1
    require(value == size, CHANGED)
    return size


def is_static(value: Any) -> bool:
    """Return whether a value is known while a graph is traced."""
    return isinstance(value, np.ndarray | np.generic)


_CARRIER = KernelCarrier()
RULES: dict[str, Rule] = {}
"""Name of an op -> function on JAX's arrays, with the kernel's arguments."""

KIND_RULES: dict[type, Callable[[Operation], Rule]] = {}
"""Declared kind of an op, or of its kernel -> function that gives the rule of an operation."""

TAKES_OPERATION: dict[str, Rule] = {}
"""Name of an op -> function of the interpreter, the operation and its inputs.  It may give
NotImplemented: then the op is computed as any other.
"""


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Make a function the rule of some ops."""

    def enter(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, function))
        return function

    return enter


def stands_for(function: Callable[..., Any]) -> Callable[[Rule], Rule]:
    """Make a function what kernels call on JAX's arrays instead of one that looks at values."""

    def enter(replacement: Rule) -> Rule:
        _CARRIER.replace(function, replacement)
        return replacement

    return enter


def operation_rule(*names: str) -> Callable[[Rule], Rule]:
    """Make a function of the interpreter, the operation and its inputs the rule of some ops."""

    def enter(function: Rule) -> Rule:
        TAKES_OPERATION.update(dict.fromkeys(names, function))
        return function

    return enter


class PlanInterpreter:
    """Interpreter of plans; ``plan_of`` gives the plan of a graph that an operation holds."""

    def __init__(self, plan_of: Callable[[Any], Any]) -> None:
        self._plan_of = plan_of

    def run_graph(self, graph: Any, inputs: Sequence[Any]) -> list[Any]:
        """Run the body of a function, branch or loop in the current frame."""
        return self.run(self._plan_of(graph), inputs)

    def run(self, plan: Any, inputs: Sequence[Any]) -> list[Any]:
        """Run a plan on values for its feeds; return those of its fetches."""
        slots = plan.start.copy()
        for slot, value in zip(plan.feed_slots, inputs, strict=True):
            slots[slot] = value
        for step in plan.steps:
            result = self.apply(step.operation, [slots[s] for s in step.sources])
            for slot, value in zip(step.targets, result, strict=True):
                slots[slot] = value
            for slot in step.dead:
                slots[slot] = None
        return [slots[slot] for slot in plan.fetch_slots]

    def apply(self, node: Operation, inputs: Sequence[Any]) -> Sequence[Any]:
        """Compute the outputs of an operation."""
        op = node.op_def
        try:
            special = TAKES_OPERATION.get(op.name)
            if special is not None:
                result = special(self, node, *inputs)
                if result is not NotImplemented:
                    return as_tuple(result)
            if HIGHER_ORDER in op.traits or not op.plain:
                raise XLARefusal("it has effects that XLA knows nothing of")
            if all(map(is_static, inputs)) and _is_small(node):
                with np.errstate(all="ignore"):
                    return as_tuple(python_kernel_of(node)(*inputs, **node.attrs))
            return self._compute(node, inputs)
        except UnknownSizeError:
            raise
        except XLARefusal as refusal:
            if refusal.is_located:
                raise
            located = type(refusal)(f"op {op.name}, {node.location}: {refusal}")
            located.is_located = True
            raise located from refusal

    def _compute(self, node: Operation, inputs: Sequence[Any]) -> Sequence[Any]:
        specs = [spec_of(value) for value in inputs]
        outputs = inferred(node, specs)
        results = as_tuple(self._rule(node, specs)(*inputs, **node.attrs))
        for value, spec in zip(results, outputs, strict=True):
            dtype = spec.dtype.as_numpy_dtype
            if value.dtype != dtype or not spec.shape.is_compatible_with(value.shape):
                raise XLARefusal(
                    f"JAX gives {value.dtype.name}{list(value.shape)} for {spec.dtype.name}"
                    f"{spec.shape}"
                )
        return results

    def _rule(self, node: Operation, specs: Sequence[TensorSpec]) -> Rule:
        op = node.op_def
        if is_pythons(node):
            return KIND_RULES[PythonKernel](node)
        written = RULES.get(op.name)
        if written is not None:
            return written
        of_kind = KIND_RULES.get(type(op.lower))
        if of_kind is not None:
            return of_kind(node)
        if not purity.never_raises(op, specs, node.attrs) and op.name not in CHECK_THEMSELVES:
            raise XLARefusal("it may raise, and no rule says when")
        return carried(op)


def carried(op: OpDef) -> Rule:
    """Return the kernel of an op on JAX's arrays; XLARefusal when it does not carry over."""
    try:
        kernel = _CARRIER.carried(op.kernel)
    except CarryError as error:
        raise XLARefusal(str(error)) from error

    def run(*inputs: Any, **attrs: Any) -> Any:
        try:
            return kernel(*inputs, **attrs)
        except jax.errors.ConcretizationTypeError as error:
            raise StaticValueError("its kernel asks for values before the run") from error
        except (CarryError, TypeError, AttributeError, ValueError, NotImplementedError,
                jax.errors.JAXTypeError, jax.errors.JAXIndexError) as error:  # fmt: skip
            line = str(error).partition("\n")[0]
            raise XLARefusal(f"its kernel is not JAX's: {line}") from error

    return run


def inferred(node: Operation, specs: Sequence[TensorSpec]) -> Sequence[TensorSpec]:
    """Return the types of the outputs; XLARefusal for inputs for which the op raises."""
    try:
        outputs = node.op_def.infer(*specs, **node.attrs)
    except Exception as error:
        raise XLARefusal(f"it raises {type(error).__name__}: {error}") from error
    return as_tuple(outputs)


def as_tuple(result: Any) -> Sequence[Any]:
    """Return what an op gives, one value or several or none, as a sequence."""
    return result if isinstance(result, tuple | list) else () if result is None else (result,)


def spec_of(value: Any) -> TensorSpec:
    """Return the type of a value, with the value where it is known."""
    known = np.asarray(value) if is_static(value) else None
    return TensorSpec(TensorShape(value.shape), as_dtype(value.dtype), None, known)


def _is_small(node: Operation) -> bool:
    sizes = [tensor.shape.num_elements() for tensor in node.outputs]
    return all(size is None or size <= LARGEST_CONSTANT for size in sizes)


CHECK_THEMSELVES = frozenset({
    "argmax", "argmin", "band_part", "broadcast_dynamic_shape", "cross", "diag_part", "einsum",
    "in_top_k", "linspace", "meshgrid", "one_hot", "pad", "roll", "slice", "split_by_sizes",
    "tensordot", "tile",
})  # fmt: skip
"""Ops whose kernels themselves look at what they raise for: at shapes, which ``infer`` has seen, or
at values, which must be known then.  NumPy raises nothing inside of them.
"""
