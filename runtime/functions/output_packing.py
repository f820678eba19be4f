"""Compiled packing of results: from output arrays to the structure that a function returned.

Calls of small functions spend more time on packing results than in kernels.  For a
result that is a tuple of a tensor and a dict this is ``return (wrap(v[0]), {n1[0]: wrap(v[1])},)``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from runtime.eager.tensor import Tensor, silent_copy, wrap
from runtime.engine.executable import executable_of
from runtime.graph.func_graph import FuncGraph
from runtime.types.dtypes import string
from runtime.types.node_types import NodeType
from runtime.types.settings import SETTINGS
from runtime.types.source_location import PACKAGE_FOLDER
from runtime.types.treedef import TreeDef, flatten
from runtime.types.value import Value

Compute = Callable[[Sequence[Any]], Any]

_DEEPEST = 50
"""Python's parser takes about 100 brackets one inside the other."""


def runner(graph: FuncGraph, structure: Any, count: Callable[[], Any]) -> Compute | None:
    """Return a function of input arrays that counts the call, runs the graph and packs the result.

    None if the structure of the result cannot be compiled.  For eager execution only.
    """
    leaves, layout = flatten(structure)
    if not _is_plain(leaves, layout):
        return None
    pack, copy = _packer(leaves, layout), silent_copy
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
    names: dict[str, Any] = {"wrap": wrap, "new": object.__new__, "T": Tensor}
    lines = ["def pack(v):", *_result(leaves, structure, names)]
    exec(compile("\n ".join(lines), PACKAGE_FOLDER + "<pack>", "exec"), names)
    found: Callable[[Sequence[Any]], Any] = names["pack"]
    return found


def _result(leaves: list[Any], structure: TreeDef, names: dict[str, Any]) -> list[str]:
    """The lines of the function's body."""
    alone = structure.skeleton == (None,)
    if alone and leaves[0] is not None and leaves[0].dtype is not string:
        return ["t = new(T)", "t._array = v[0]", "return t"]
    numbers = itertools.count()
    texts = ["None" if leaf is None else f"wrap(v[{next(numbers)}])" for leaf in leaves]
    return [f"return {structure.fold(texts, partial(_node_text, names))}"]


def _node_text(
    names: dict[str, Any], kind: NodeType, data: Any, metadata: Any, parts: list[str]
) -> str:
    """The expression that makes a collection of those of its entries."""
    if kind.cls is dict:
        by_key = dict(zip(kind.keys(data, len(parts)), parts, strict=True))
        keys, order = _named(names, data[1])
        return f"{{{', '.join([f'{keys}[{i}]: {by_key[key]}' for i, key in enumerate(order)])}}}"
    inner = "".join([f"{part}, " for part in parts])
    if kind.cls is list:
        return f"[{inner}]"
    return f"({inner})" if kind.cls is tuple else f"{_named(names, kind.cls)[0]}({inner})"


def _named(names: dict[str, Any], value: Any) -> tuple[str, Any]:
    """A name for a value in the text, and the value."""
    name = f"n{len(names)}"
    names[name] = value
    return name, value


def _is_plain(leaves: list[Any], structure: TreeDef) -> bool:
    """Whether a result consists of tensors, None and plain collections alone, not too deep."""
    if not all(leaf is None or isinstance(leaf, Value) for leaf in leaves):
        return False
    classes = {node[0] for node in structure.skeleton if node is not None}
    if not all(cls in (dict, list, tuple) or hasattr(cls, "_make") for cls in classes):
        return False
    return max(map(len, structure.paths()), default=0) <= _DEEPEST
