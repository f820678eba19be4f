"""Results of traced functions as tensors of a graph, and the function that runs one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.staging import StagedSequence
from runtime.eager.tensor import silent_copy
from runtime.engine.executable import executable_of
from runtime.graph.func_graph import FuncGraph
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.ops.array.constants import convert_to_tensor
from runtime.state.variable import Variable
from runtime.types.settings import SETTINGS
from runtime.types.value import Value

Compute = Callable[[Sequence[Any]], Any]


def as_output(leaf: Any, graph: Graph, name: str) -> Any:
    """A returned value as a tensor of a graph; None and operations give None."""
    if leaf is None or isinstance(leaf, Operation):
        return None
    if isinstance(leaf, SymbolicTensor) and leaf.op.graph is graph:
        return graph.as_tensor(leaf)
    if isinstance(leaf, StagedSequence):
        raise ConcreteValueError(
            f"{name}() must return tensors, numbers, None or nests of those, but returned the "
            f"{leaf.what} of a staged value",
            where=user_line(),
            help="return list() of it",
        )
    try:
        return graph.as_tensor(convert_to_tensor(leaf))
    except (TypeError, ValueError) as error:
        if isinstance(leaf, Value | Variable):
            raise
        kind = type(leaf).__name__
        raise ConcreteValueError(
            f"{name}() must return tensors, numbers, None or nests of those, but "
            f"returned {leaf!r} of type {kind}: {error}",
            where=user_line(),
            help=f"return its parts, as a tuple or dict, and make the {kind} outside of {name}()",
        ) from None


def check_array(array: np.ndarray[Any, Any], function: str) -> None:
    """ConcreteValueError for an array that as a tensor would not be what the function returns."""
    if array.dtype.kind in "USO":
        raise ConcreteValueError(
            f"{function}() returns an array of texts or objects, dtype {array.dtype}, which it "
            "makes while it is traced",
            where=user_line(),
            help="return a list: array.tolist()",
        )
    if not array.dtype.isnative:
        raise ConcreteValueError(
            f"{function}() returns an array of dtype {array.dtype.str!r}, whose byte order is not "
            "that of this machine",
            where=user_line(),
            help="return x.astype(x.dtype.newbyteorder('='))",
        )


def runner(
    graph: FuncGraph, pack: Callable[[Sequence[Any]], Any], count: Callable[[], Any]
) -> Compute:
    """Return a function of input arrays that counts the call, runs the graph and packs the result.

    For eager execution only.
    """
    copy = silent_copy
    current = SETTINGS.generation, executable_of(graph)

    def compile_again() -> Any:
        """The executable for the settings that are in force by now."""
        nonlocal current
        current = SETTINGS.generation, executable_of(graph)
        return current[1]

    def compute(arrays: Sequence[Any]) -> Any:
        count()
        generation, run = current
        if generation != SETTINGS.generation:
            run = compile_again()
        return pack(copy().run(run, arrays))

    def compute_with_effects(arrays: Sequence[Any]) -> Any:
        count()
        generation, run = current
        if generation != SETTINGS.generation:
            run = compile_again()
        with np.errstate(all="ignore"):  # the user's code may be called, in its own context
            return pack(run(arrays))

    return compute_with_effects if graph.stateful else compute
