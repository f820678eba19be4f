"""Results of traced functions as tensors of a graph, and compiled packing of output arrays.

Calls of small functions spend more time on packing results than in kernels.  For a
result that is a tuple of a tensor and a dict this is
``return (wrap(values[0]), {keys1[0]: wrap(values[1])},)``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograph.errors import ConcreteValueError
from autograph.staging import StagedSequence, user_line
from runtime.eager.tensor import Tensor, silent_copy, wrap
from runtime.engine.executable import executable_of
from runtime.graph.func_graph import FuncGraph
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.ops.array.constants import convert_to_tensor
from runtime.state.variable import Variable
from runtime.types.dtypes import string
from runtime.types.node_types import NodeType
from runtime.types.python_source import PythonSource
from runtime.types.settings import SETTINGS
from runtime.types.treedef import TreeDef, flatten
from runtime.types.value import Value

Compute = Callable[[Sequence[Any]], Any]

_DEEPEST = 50
"""Python's parser takes about 100 brackets one inside the other."""


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


def packer(structure: Any) -> Callable[[Sequence[Any]], Any] | None:
    """Compile what packs output arrays; None if the structure of the result cannot be compiled."""
    leaves, layout = flatten(structure)
    return _packer(leaves, layout) if _is_plain(leaves, layout) else None


def runner(
    graph: FuncGraph, pack: Callable[[Sequence[Any]], Any], count: Callable[[], Any]
) -> Compute:
    """Return a function of input arrays that counts the call, runs the graph and packs the result.

    For eager execution only.
    """
    copy = silent_copy
    current = SETTINGS.generation, executable_of(graph)

    def compiled() -> Any:
        """The executable for the settings that are in force by now."""
        nonlocal current
        current = SETTINGS.generation, executable_of(graph)
        return current[1]

    def compute(arrays: Sequence[Any]) -> Any:
        count()
        generation, run = current
        if generation != SETTINGS.generation:
            run = compiled()
        return pack(copy().run(run, arrays))

    def compute_with_effects(arrays: Sequence[Any]) -> Any:
        count()
        generation, run = current
        if generation != SETTINGS.generation:
            run = compiled()
        with np.errstate(all="ignore"):  # the user's code may be called, in its own context
            return pack(run(arrays))

    return compute_with_effects if graph.stateful else compute


def _packer(leaves: list[Any], structure: TreeDef) -> Callable[[Sequence[Any]], Any]:
    source = PythonSource(wrap=wrap, new=object.__new__, Tensor=Tensor)
    if structure.skeleton == (None,) and leaves[0] is not None and leaves[0].dtype is not string:
        source.line("tensor = new(Tensor)")
        source.line("tensor._array = values[0]")
        source.line("return tensor")
    else:
        numbers = itertools.count()
        texts = ["None" if leaf is None else f"wrap(values[{next(numbers)}])" for leaf in leaves]
        source.line(f"return {structure.fold(texts, partial(node_text, source))}")
    return source.compile("pack", ["values"])


def number_text(source: PythonSource, cls: type[np.generic], text: str) -> str:
    """Return the expression that makes a NumPy number of a Python number that has its value.

    Adding a zero takes a third of the time of calling the class.  0.0 would make -0.0 positive.
    """
    if issubclass(cls, np.bool_):
        return f"{source.known(cls, 'n')}({text})"
    zero = cls(-0.0) if issubclass(cls, np.floating) else cls(0)
    return f"({source.known(zero, 'z')} + {text})"


def node_text(
    source: PythonSource, kind: NodeType, data: Any, metadata: Any, parts: list[str]
) -> str:
    """The expression that makes a collection of those of its entries."""
    if kind.cls is dict:
        by_key = dict(zip(kind.keys(data, len(parts)), parts, strict=True))
        keys = source.known(data[1], "keys")
        items = [f"{keys}[{i}]: {by_key[key]}" for i, key in enumerate(data[1])]
        return f"{{{', '.join(items)}}}"
    inner = "".join([f"{part}, " for part in parts])
    if kind.cls is list:
        return f"[{inner}]"
    return f"({inner})" if kind.cls is tuple else f"{source.known(kind.cls, 'kind')}({inner})"


def _is_plain(leaves: list[Any], structure: TreeDef) -> bool:
    """Whether a result consists of tensors, None and plain collections alone, not too deep."""
    if not all(leaf is None or isinstance(leaf, Value) for leaf in leaves):
        return False
    return has_text(structure)


def has_text(structure: TreeDef) -> bool:
    """Whether ``node_text`` writes out a structure: of plain collections, not too deep."""
    classes = {node[0] for node in structure.skeleton if node is not None}
    if not all(cls in (dict, list, tuple) or hasattr(cls, "_make") for cls in classes):
        return False
    return max(map(len, structure.paths()), default=0) <= _DEEPEST
