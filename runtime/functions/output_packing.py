"""Results of traced functions as tensors of a graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.staging import StagedSequence
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.ops.array.constants import convert_to_tensor
from runtime.state.variable import Variable
from runtime.types.value import Value


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
