"""NumPy arrays among the arguments of a traced function: seen by the trace as arrays, written back.

concrete_function.py makes one ``ArrayArguments`` for each trace.  In the trace an array is a
symbolic array, which can be changed in place.  What it holds at the end of the trace is one more
output of the graph, and a call copies that into the caller's array.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from weakref import ReferenceType

import numpy as np

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from autograph.staging import ArrayStorage, ChangeWatch, StaleContent
from runtime.engine.purity import repeatable, total
from runtime.functions.signature import BoundCall
from runtime.graph.func_graph import FuncGraph, graphs_inside
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.ops import dispatch
from runtime.ops.array.constants import placeholder_op
from runtime.ops.op import CONTAINED, HIGHER_ORDER, READS, STATEFUL
from runtime.staging.numpy_arrays.symbolic_array import IN_PLACE, SymbolicArray

if TYPE_CHECKING:
    from runtime.functions.concrete_function import ConcreteFunction

TENSOR, ARRAY, READ_ONLY, SCALAR, READ = range(5)
Pattern = tuple[int, ...]
"""For each tensor of a call: whether the caller has an array that may be changed, or a scalar; an
array of any kind is READ by a trace that changes nothing."""


def patterns_of(call: BoundCall) -> Sequence[Pattern]:
    """Which tensors of a call are arrays of the caller's, and the same for traces that change none;
    empty if there are no arrays.
    """
    pattern = tuple(map(_kind, call.arrays))
    reading = tuple([READ if kind in (ARRAY, READ_ONLY) else kind for kind in pattern])
    return (pattern, reading) if pattern else ()


def _kind(array: Any) -> int:
    if array is None:
        return TENSOR
    if isinstance(array, np.generic):
        return SCALAR
    return READ_ONLY if isinstance(array, np.ndarray) and not array.flags.writeable else ARRAY


class ArrayArguments:
    """The arrays among the arguments of one trace.

    values   what the Python function is called with: symbolic arrays in place of tensors
    pattern  of the calls that the trace is for; None for calls without arrays
    written  the numbers of the arguments that the trace changes
    """

    def __init__(
        self, function: str, call: BoundCall, symbolic: Sequence[SymbolicTensor], names: list[str]
    ) -> None:
        patterns = patterns_of(call) or (None, None)
        self.pattern: Pattern | None = patterns[0]
        self._reading = patterns[1]
        self.written: list[int] = []
        self.changes = False
        """Whether a call may change arrays, if only before it raises."""
        self.outside: Sequence[ReferenceType[Any]] = ()
        """Arrays that the function can reach besides its arguments, where it changes arguments."""
        self._function = function
        self._names = names
        self._symbolic = symbolic
        self._changes = IN_PLACE.count
        self._storages: list[ArrayStorage | None] = []
        self.watch = ChangeWatch()
        self.values: list[Any] = [
            tensor if array is None else symbolic_array(tensor, array)
            for tensor, array in zip(symbolic, call.arrays or [None] * len(symbolic), strict=True)
        ]

    @property
    def may_have_changed(self) -> bool:
        """Whether an array has been changed since the trace began."""
        return IN_PLACE.count != self._changes

    def finish(self, graph: FuncGraph, carries_state: bool) -> list[SymbolicTensor]:
        """The contents of the arrays that the trace has changed; EffectError for lost changes."""
        values, self.values = self.values, []
        self._storages = [getattr(value, "storage", None) for value in values]
        if not self.may_have_changed:
            self.pattern = self._reading
            return []
        changed = [storage is not None and storage.links.changed_at for storage in self._storages]
        self.changes = any(changed)
        self.watch.check(lambda t: t.graph is graph, lambda t: graph.encloses(t.graph))
        for number, (storage, before) in enumerate(zip(self._storages, self._symbolic)):
            if storage is None or storage.content is before:
                continue
            self.written.append(number)
            name = self._names[number]
            if fault := _why_lost(storage.content, name, graph, carries_state):
                raise EffectError(
                    f"{self._function}() changes in place {fault}",
                    where=storage.links.changed_at or user_line(),
                    help=f"change a copy, {name} + 0, and return it",
                    subject=name,
                )
        return [values[number].storage.content for number in self.written]

    def tensor_of(self, array: SymbolicArray) -> SymbolicTensor:
        """The tensor that an array is when it is returned; EffectError when that is not known."""
        content = None if array.storage is None else array.storage.content
        if type(content) is not StaleContent:
            return array.current()
        raise EffectError(
            f"{self._function}() returns an array, but another one is changed here that shares its "
            "memory on some staged path",
            where=content.location,
            help="change a copy, x + 0, or give each variable an array of its own on every path",
        ).of(content.array)

    def number_of(self, array: SymbolicArray) -> int | None:
        """Which argument an array is, all of it; None when it is none."""
        if array.storage is None or not array.is_whole:
            return None
        numbers = [n for n, storage in enumerate(self._storages) if storage is array.storage]
        return numbers[0] if numbers else None

    def may_overlap(self, arrays: Sequence[Any]) -> bool:
        """Whether a changed array may share memory with another argument of a call, or with an
        array outside of it that the function can reach.
        """
        outside = [array for reference in self.outside if (array := reference()) is not None]
        for number in self.written if arrays else ():
            neighbours = [*arrays[:number], *arrays[number + 1 :], *outside]
            if any(near is not None and _share(arrays[number], near) for near in neighbours):
                return True
        return False

    def write_back(self, arrays: Sequence[Any], contents: Sequence[Any]) -> None:
        """Copy what a call leaves in the arrays into those of the caller."""
        for number, content in zip(self.written, contents, strict=True):
            array = arrays[number]
            if type(array) is SymbolicArray:
                array.change(content)
            else:
                np.copyto(array, getattr(content, "_array", content))

    def check_caller(self, arrays: Sequence[Any], tracing: bool, overlaps: bool) -> None:
        """EffectError when the caller would not see the changes, or not as NumPy makes them."""
        for number in self.written:
            name, array = self._names[number], arrays[number] if arrays else None
            fits = type(array) is SymbolicArray if tracing else isinstance(array, np.ndarray)
            if fits and not overlaps:
                continue
            fault = "shares memory with another array of it" if fits else "is no such array here"
            raise EffectError(
                f"{self._function}() changes its argument '{name}', a NumPy array, in place, but "
                f"it {fault}",
                where=user_line(),
                help=f"return the changed array: {self._function}() can change a copy, {name} + 0",
                subject=name,
            )


def _why_lost(content: Any, name: str, graph: FuncGraph, carries_state: bool) -> str:
    """Return why an array could not be given its contents after a call; empty if it could."""
    if type(content) is StaleContent:
        return f"an array that is '{name}' on some staged path, and another one on others"
    if content.graph is not graph:
        return f"the array '{name}' on a path that staging cannot follow"
    if _raises_amid_effects(graph):
        return (
            f"the array '{name}' and has other effects, and may raise an exception: what the array "
            "holds then could not be known"
        )
    if carries_state:
        return (
            f"the array '{name}' beside state that it carries from call to call, where staging "
            "cannot write it back"
        )
    return ""


def call_in_place(
    trace: ConcreteFunction, arrays: Sequence[Any], run: Callable[[], Any],
    plain: Callable[[], Any] | None = None,
) -> Any:  # fmt: skip
    """The result of a trace, which changes the caller's arrays as the Python function does.

    ``run`` runs the trace and writes to the arrays.  ``plain`` calls the Python function without
    staging: where arrays overlap, and after an exception, to leave in the arrays what Python
    leaves.
    """
    array_arguments, tracing = trace.arrays, isinstance(dispatch.current(), Graph)
    overlaps = array_arguments.may_overlap(arrays)
    if overlaps and plain is not None and not tracing:
        return plain()
    array_arguments.check_caller(arrays, tracing, overlaps)
    if tracing:
        IN_PLACE.note()
    try:
        return run()
    except Exception as error:
        if tracing:
            raise
        if plain is None or trace.carries_state or has_effects(trace.graph):
            note_unchanged(error, trace.name)
            raise
    return plain()


def has_swapped_bytes(array: Any) -> bool:
    """Whether an array has the other byte order, which views of it and copies keep."""
    return isinstance(array, np.ndarray) and not array.dtype.isnative


def lose_changes(error: Exception) -> None:
    """Note that tracing raises the program's error after changes of arguments, which are lost."""
    error.loses_changes = True  # type: ignore[attr-defined]


def loses_changes(error: Exception) -> bool:
    """Whether a call has to be repeated without staging to leave what Python leaves."""
    return getattr(error, "loses_changes", False)


def note_unchanged(error: Exception, name: str) -> None:
    """Add to the exception of a call that its arguments do not show what it did before."""
    error.add_note(
        f"note: {name}() raised this after it had changed its arguments, maybe; the lists, dicts "
        "and arrays among them are left as they were before the call"
    )


def symbolic_array(tensor: SymbolicTensor, array: Any) -> SymbolicArray:
    """Return what stands for an array or scalar of NumPy, whose contents are a tensor."""
    kind = _kind(array)
    if kind == SCALAR:
        return SymbolicArray.fresh(tensor)
    symbolic = SymbolicArray.argument(tensor)
    assert symbolic.storage is not None
    if kind == READ_ONLY:
        symbolic.storage.links.refusal = "is read-only: NumPy raises ValueError here"
    return symbolic


def _share(array: Any, neighbour: Any) -> bool:
    if type(array) is SymbolicArray or type(neighbour) is SymbolicArray:
        return getattr(array, "storage", None) is getattr(neighbour, "storage", 0)
    return np.may_share_memory(array, neighbour)


def _raises_amid_effects(graph: FuncGraph) -> bool:
    """Whether a call may raise, and cannot be repeated without staging to know what is left."""
    nodes = [node for inner in (graph, *graphs_inside(graph)) for node in inner.operations]
    nodes = [node for node in nodes if HIGHER_ORDER not in node.op_def.traits]
    effects = [node for node in nodes if _has_effect(node)]
    return bool(effects) and not all(
        node in effects or total(node) or node.op_def is placeholder_op for node in nodes
    )


def has_effects(graph: FuncGraph) -> bool:
    """Whether a run does more than compute and raise: it prints, assigns, draws numbers."""
    return any(
        _has_effect(node) for inner in (graph, *graphs_inside(graph)) for node in inner.operations
    )


def _has_effect(node: Operation) -> bool:
    traits = node.op_def.traits
    return STATEFUL in traits and READS not in traits and CONTAINED not in traits


def may_run_again(trace: ConcreteFunction) -> bool:
    """Whether a call of a trace leaves nothing behind that a second run would repeat."""
    if trace.carries_state:
        return False
    return not has_effects(trace.graph) or all(map(repeatable, trace.graph.operations))
