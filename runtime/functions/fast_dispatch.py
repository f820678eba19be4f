"""Fast cache keys for calls with eager tensors and plain Python values.

The arguments may be eager tensors, NumPy arrays, numbers, strings, None, and nests of them.  The
key specialises the one of cache_key.py: it ignores the signature, uses NumPy's dtypes, contains the
shapes, and is a flat list in which the parts of a nest follow its node.  Equal fast keys imply
equal keys and equal shapes; a property test checks this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from runtime.eager.tensor import Tensor
from runtime.functions.cache_key import BY_VALUE
from runtime.functions.call_source import CallSource
from runtime.functions.carried_slots import SLOTS_LOCK
from runtime.functions.concrete_function import ConcreteFunction
from runtime.functions.number_arguments import StagedNumber
from runtime.functions.output_packing import runner
from runtime.functions.signature import BoundCall
from runtime.graph.operation import SymbolicTensor
from runtime.types.conversion import to_array
from runtime.types.dtypes import DTYPE_OF_NUMPY, bool_, float64, int64, string
from runtime.types.node_types import NODE_TYPES


class GuardedTrace:
    """Trace that depends on state, with a function that checks and reads it, and writes it back.

    Its checks compare what the trace depends on by identity; where one of them fails, the call
    takes the general way (carrying_function.py), which gives the same result.
    """

    def __init__(self, trace: Any, links: Any, compute: Callable[[Sequence[Any]], Any]) -> None:
        self.graph = trace.graph
        self.links = links
        self.compute = compute


def guard_of(trace: Any) -> GuardedTrace | None:
    """The guarded trace for a trace that ran before; None where there are no fast checks for it."""
    variant = trace.variant
    if trace.runs < 2 or variant.arguments:
        return None
    entry: GuardedTrace | None = trace.guard
    if entry is None or entry.links is not variant.links:
        compute = _guarded_compute(trace)
        entry = trace.guard = GuardedTrace(trace, variant.links, compute) if compute else None
    return entry


def _guarded_compute(trace: Any) -> Callable[[Sequence[Any]], Any] | None:
    """The function of the arrays of the arguments; None where a slot is none of the plain."""
    source, pack = CallSource(), trace.result_packer()
    source.check_links(trace.links)
    if trace.carried is None:
        compute = runner(trace.graph, pack, trace.calls.add)
        source.line(f"return {source.known(compute, 'f')}(arrays)")
        return source.compile("guarded", ["arrays"])
    carried, inputs = trace.carried, ["*arrays"]
    for state in carried.slots:
        slot = source.read_slot(state)
        if slot is None:
            return None
        inputs.append(source.array_of(*slot))
    run = source.known(runner(trace.graph, list, trace.calls.add), "f")
    save = source.known(carried.run_saving, "f")
    source.line(f"outputs = {save}({run}, [{', '.join(inputs)}])")
    size = len(trace.graph.outputs) - sum(len(value.tensors) for value in carried.written)
    texts = [
        _slot_text(value.structure, f"outputs[{number}]")
        for number, value in enumerate(carried.written, size)
    ]
    if not source.write_slots(carried.written, texts, SLOTS_LOCK):
        return None
    source.line(f"return {source.known(pack, 'p')}(outputs[:{size}])")
    return source.compile("guarded", ["arrays"])


def _slot_text(like: Any, output: str) -> str | None:
    """The expression of what an output is in a slot; None for other than numbers and tensors."""
    if not isinstance(like, SymbolicTensor):
        return None
    if like.weak and like.dtype not in (bool_, int64, float64):
        return None
    return f"{output}.item()" if like.weak else f"wrap({output})"


MAX_KEYS = 1000
"""Maximum number of cached keys: many shapes may lead to one trace."""

FastCache = dict[tuple[Any, ...], ConcreteFunction | GuardedTrace]

_UNKNOWN = object()
_BY_VALUE = frozenset(BY_VALUE)
_ARRAYS = frozenset(dtype for dtype in DTYPE_OF_NUMPY if dtype.kind in "biufc")


def append_key(value: Any, key: list[Any], arrays: list[Any]) -> None:
    """Append the parts of an argument to a key, and the arrays in it to ``arrays``."""
    try:
        _add_parts(value, key, arrays)
    except (RecursionError, TypeError):  # a nest in itself, or a very deep one; keys of two kinds
        key.append(_UNKNOWN)


def append_number_key(value: Any, key: list[Any], arrays: list[Any]) -> None:
    """As ``append_key`` for functions that stage numbers: these count by their class alone."""
    kind = type(value)
    if kind is int and -_TOO_LARGE <= value < _TOO_LARGE:
        arrays.append(np.int64(value))
        key.append(kind)
    elif kind is float:
        arrays.append(np.float64(value))
        key.append(kind)
    elif kind is bool:
        arrays.append(np.bool_(value))
        key.append(kind)
    elif kind is str:
        arrays.append(to_array(value, string))
        key.append(kind)
    elif kind is np.ndarray and value.dtype in _ARRAYS:
        arrays.append((value,))
        key += (kind, value.dtype, value.shape)
    else:
        key.append(_UNKNOWN)


_TOO_LARGE = 2**63


def _add_parts(value: Any, key: list[Any], arrays: list[Any]) -> None:
    kind = type(value)
    if kind is Tensor:
        array = value._array
        arrays.append(array)
        key += (array.dtype, array.shape)
    elif kind in _BY_VALUE:
        key += (kind, value)
    elif kind is float:
        key += (kind, value.hex())  # tells 0.0 from -0.0
    elif kind is list or kind is tuple:  # as below, in fewer steps
        key += (kind, len(value))
        for item in value:
            _add_parts(item, key, arrays)
    elif kind is dict:
        order = tuple(value)
        key += (kind, order, tuple(map(type, order)))
        for name in sorted(order):
            _add_parts(value[name], key, arrays)
    elif (kind is np.ndarray or isinstance(value, np.generic)) and value.dtype in _ARRAYS:
        arrays.append((value,))
        key += (np.ndarray if kind is np.ndarray else np.generic, value.dtype, value.shape)
    else:
        _add_node(value, key, arrays)


def _add_node(value: Any, key: list[Any], arrays: list[Any]) -> None:
    node = NODE_TYPES[type(value)]
    if node is None or node.composite:
        key.append(_UNKNOWN)
        return
    children, data, metadata = node.flatten(value)
    if metadata is not None:
        key.append(_UNKNOWN)
    key += (node.cls, len(children), data)
    for child in children:
        _add_parts(child, key, arrays)


def remember(
    cache: FastCache, key: tuple[Any, ...], keywords: Iterable[str], arrays: list[Any],
    call: BoundCall, trace: ConcreteFunction,
) -> None:  # fmt: skip
    """Cache the trace of a call under its fast key, which was made with ``arrays``, if those are
    what the trace takes, in this order.
    """
    if _UNKNOWN in key or trace.graph.captures or trace.graph.transient:
        return
    names = [name for name, _ in call.labels]
    places = [names.index(name) for name in keywords]
    if places != sorted(places):
        return
    callers = call.arrays or (None,) * len(call.tensors)
    if len(arrays) != len(call.tensors) or not all(map(_is_taken, arrays, call.tensors, callers)):
        return
    if trace.returns_numbers and any(type(leaf) is Tensor for leaf in call.leaves):
        return  # tensors go out
    variant = trace.variant
    entry = trace if variant is None or not variant.depends else guard_of(trace)
    if entry is None:
        return
    if len(cache) >= MAX_KEYS:
        cache.clear()
    cache[key] = entry


def _is_taken(array: Any, tensor: Any, callers: Any) -> bool:
    """Whether a trace takes the array of a key: that of a tensor, the caller's, or a number."""
    if type(array) is not tuple:
        return array is tensor._array or type(tensor) is StagedNumber
    return array[0] is callers and array[0].dtype == tensor.dtype.as_numpy_dtype
