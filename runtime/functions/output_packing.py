"""From the arrays that a plan gives to what a traced function returns, written out as a function.

Calls of small functions spend more time on laying out results than in kernels.  For a
result that is a tuple of a tensor and a dict this is ``return (wrap(v[0]), {n1[0]: wrap(v[1])},)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.staging import kind_of
from runtime.eager.tensor import Tensor, silent_copy, wrap
from runtime.engine.executable import executable
from runtime.graph.func_graph import SubGraph
from runtime.graph.run_request import request_for
from runtime.types import nest
from runtime.types.dtypes import string
from runtime.types.settings import SETTINGS
from runtime.types.source_location import PACKAGE_FOLDER
from runtime.types.value import Value

Compute = Callable[[Sequence[Any]], Any]


def runner(graph: SubGraph, structure: Any, count: Callable[[], Any]) -> Compute | None:
    """A function of the inputs' arrays: it counts, runs the graph, and lays out the result.

    None for a structure that is not packed in this way.  Under eager execution only.
    """
    if not _is_plain(structure):
        return None
    pack, copy = _packer(structure), silent_copy
    current = SETTINGS.generation, executable(request_for(graph))

    def compiled() -> Any:
        """The executable for the settings that are in force by now."""
        nonlocal current
        current = SETTINGS.generation, executable(request_for(graph))
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


def _packer(structure: Any) -> Callable[[Sequence[Any]], Any]:
    names: dict[str, Any] = {"wrap": wrap, "new": object.__new__, "T": Tensor}
    values = (f"v[{number}]" for number in range(10**9))
    lines = ["def pack(v):", *_result(structure, values, names)]
    exec(compile("\n ".join(lines), PACKAGE_FOLDER + "<pack>", "exec"), names)
    found: Callable[[Sequence[Any]], Any] = names["pack"]
    return found


def _result(structure: Any, values: Iterator[str], names: dict[str, Any]) -> list[str]:
    """The lines of the function's body."""
    if isinstance(structure, Value):
        value = next(values)
        if structure.dtype is not string:  # type: ignore[attr-defined]
            return ["t = new(T)", f"t._array = {value}", "return t"]
        return [f"return wrap({value})"]
    return [f"return {_packed(structure, values, names)}"]


def _packed(structure: Any, values: Iterator[str], names: dict[str, Any]) -> str:
    """The expression that makes a structure of tensors."""
    if structure is None:
        return "None"
    if isinstance(structure, Value):
        return f"wrap({next(values)})"
    parts = [(key, _packed(item, values, names)) for key, item in nest.entries(structure)]
    kind, known = kind_of(structure), len(names)
    if kind is dict:
        ordered = dict(parts)
        names[f"n{known}"] = keys = tuple(structure)
        items = [f"n{known}[{i}]: {ordered[key]}" for i, key in enumerate(keys)]
        return f"{{{', '.join(items)}}}"
    inner = "".join(f"{text}, " for _, text in parts)
    if kind is tuple or kind is list:
        return f"({inner})" if kind is tuple else f"[{inner}]"
    names[f"n{known}"] = kind
    return f"n{known}({inner})"


def _is_plain(structure: Any) -> bool:
    """Whether a result consists of tensors, None and plain collections alone."""
    if structure is None or isinstance(structure, Value):
        return True
    kind = kind_of(structure)
    if kind not in (dict, tuple, list) and not hasattr(kind, "_make"):
        return False
    return all(_is_plain(item) for _, item in nest.entries(structure))
