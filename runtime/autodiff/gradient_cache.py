"""Cache of compiled gradients of tapes.

A training step records the same ops on arrays of the same types again and again, so its gradients
are the same computation.  A tape keeps a *signature* of its records.  When gradients are requested
for a signature for the fourth time, backpropagation is traced over symbolic tensors; from then on
the engine runs that graph on the arrays of the records.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.autodiff.backprop import TapeRecord, backpropagate
from runtime.autodiff.graph_editing import prune
from runtime.eager.tensor import Tensor, silent_copy, wrap
from runtime.engine.executable import executable_of
from runtime.engine.protocol import Executable
from runtime.graph import raise_tracking
from runtime.graph.func_graph import FuncGraph
from runtime.ops.resource.variable import VariableStorage, read_op
from runtime.types.conversion import literal_key
from runtime.types.dtypes import DTYPE_OF_NUMPY
from runtime.types.settings import SETTINGS
from runtime.types.shapes import TensorShape, TensorSpec

SIGHTS = 4
"""How often a signature is seen before its gradients are traced."""
_LONGEST = 2000
"""Parts of a signature that is worth it."""
_MOST = 256
_SIMPLE = frozenset((bool, int, str, type(None)))

Watched = Mapping[Hashable, int]
"""Number of what a tape watches, from 0: ids of tensors, and storages of variables.  The other
tensors that its records hold are numbered from -1 downwards."""


class ArraySource(NamedTuple):
    """Where an array of the records is found."""

    record: int
    """Number of the record."""
    is_output: bool
    """Whether it belongs to an output of that record; else to an input."""
    position: int
    """Position among its outputs or inputs."""


class Recurring(NamedTuple):
    """The gradients of a signature."""

    run: Executable
    """From arrays to the arrays of the gradients."""
    arrays: tuple[ArraySource, ...]
    """Sources of the arrays that it takes."""
    results: tuple[int | None, ...]
    """For each source the number of its gradient; None without a path."""


_sights: dict[int, int] = {}
_functions: dict[Any, Recurring | None] = {}


def sign(
    signature: list[Any], record: TapeRecord, watched: Watched, unwatched: dict[Hashable, int]
) -> bool:
    """Add a record to a signature; whether that is possible: of a plain op, or of a reading.

    Numbers stand for what is watched.  Other tensors are told by their types where they are first
    met, and by a number in ``unwatched`` from then on: where they come again is part of it.
    """
    op, inputs, attrs, outputs, _, _ = record
    if op.plain:
        signature.append(op)
        for tensor in inputs:
            number = watched.get(id(tensor), unwatched.get(id(tensor)))
            signature += types_of(tensor) if number is None else (number,)
            if number is None:
                unwatched[id(tensor)] = -1 - len(unwatched)
        if not sign_attributes(signature, attrs):
            return False
    elif op is read_op:
        signature += (op, watched[attrs["storage"]])
    else:
        return False
    for tensor in outputs:
        signature += types_of(tensor)
        unwatched[id(tensor)] = -1 - len(unwatched)  # unless it is watched from now on
    return len(signature) <= _LONGEST


def sign_attributes(signature: list[Any], attrs: Mapping[str, Any]) -> bool:
    """Add attributes to a signature; whether that is possible: all count by value."""
    for name, value in attrs.items():
        kind = type(value)
        key = value if kind in _SIMPLE else literal_key(value)
        if key is None and value is not None:
            return False
        signature += (name, kind, key)
    return True


def types_of(tensor: Any) -> tuple[Any, Any]:
    """Dtype and shape of an eager tensor; of a list, which has neither, an object without equal."""
    array = tensor._array
    return (array.dtype, array.shape) if is_array(array) else (object(), None)


def is_array(value: Any) -> bool:
    """Whether what a tensor holds is an array, and no list."""
    return type(value) is np.ndarray or isinstance(value, np.generic)


def recurring_gradients(
    signature: list[Any], records: Sequence[TapeRecord], watched: Watched, unwatched: Watched,
    targets: Sequence[Any], sources: Sequence[Hashable], initial_gradients: Sequence[Any],
) -> list[Any] | None:
    """The gradients of ``targets`` by what is known as ``sources``, from ``initial_gradients``.

    None when they are to be found by walking: seen too seldom, not made of plain calls alone, or
    not from ones at scalars.
    """
    for target, gradient in zip(targets, initial_gradients):
        if gradient is not None or type(target) is not Tensor or target._array.shape != ():
            return None
    key_parts = [*signature]
    for role, ids in (("targets", map(id, targets)), ("sources", sources)):
        key_parts.append(role)
        for tensor_id in ids:
            number = watched.get(tensor_id)
            key_parts.append(unwatched.get(tensor_id) if number is None else number)
    key_parts.append(SETTINGS.generation)
    key = tuple(key_parts)
    try:
        function = _functions[key]
    except KeyError:
        function = _count_sight(key, records, targets, sources)
    if function is None:
        return None
    arrays = [
        (records[number].outputs if is_output else records[number].inputs)[index]._array
        for number, is_output, index in function.arrays
    ]
    try:
        results = silent_copy().run(function.run, arrays)
    except Exception:  # applied one by one, the ops say what is wrong and where
        return None
    return [None if index is None else wrap(results[index]) for index in function.results]


def _count_sight(
    key: Any, records: Sequence[TapeRecord], targets: Sequence[Any], sources: Sequence[Hashable]
) -> Recurring | None:
    """Count one more sight of a key; the last one needed makes its function."""
    number = hash(key)
    sights = _sights.pop(number, 0) + 1
    if sights < SIGHTS:
        _sights[number] = sights
        if len(_sights) > 64 * _MOST:
            _sights.clear()
        return None
    if len(_functions) > _MOST:
        _functions.clear()
    _functions[key] = function = _compile_gradients(records, targets, sources)
    return function


def _compile_gradients(
    records: Sequence[TapeRecord], targets: Sequence[Any], sources: Sequence[Hashable]
) -> Recurring | None:
    """The gradients as a compiled graph; None when it has effects."""
    with raise_tracking.suspended():
        graph = FuncGraph("gradient")
    with raise_tracking.suspended(), graph.as_default():
        symbols: dict[Hashable, Any] = {}
        fields: dict[int, ArraySource] = {}
        for number, record in enumerate(records):
            for is_output, tensors in enumerate((record.inputs, record.outputs)):
                for index, tensor in enumerate(tensors):
                    if id(tensor) not in symbols:
                        symbols[id(tensor)] = symbol = graph.add_input(_spec(tensor))
                        fields[id(symbol)] = ArraySource(number, bool(is_output), index)
        if any(id(target) not in symbols for target in targets):
            return None
        nodes = [
            TapeRecord(
                r.op_def, _stand_ins(r.inputs, symbols), r.attrs, _stand_ins(r.outputs, symbols)
            )
            for r in records
        ]
        names = {key: id(symbol) for key, symbol in symbols.items()}
        source_keys = [s if isinstance(s, VariableStorage) else names.get(s) for s in sources]
        seeds = [
            (id(symbols[id(t)]), graph.as_tensor(np.ones((), t._array.dtype))) for t in targets
        ]
        by_source = backpropagate(nodes, seeds, dict.fromkeys(source_keys))
        outputs = [graph.as_tensor(gradient) for gradient in by_source.values()]
        order = {key: number for number, key in enumerate(by_source)}
    prune(graph, outputs, 0)
    graph.freeze(outputs)
    if graph.stateful:
        return None
    run = executable_of(graph)
    run.warm_up()
    arrays = tuple([fields[id(symbol)] for symbol in graph.inputs])
    return Recurring(run, arrays, tuple([order.get(key) for key in source_keys]))


def _spec(tensor: Tensor) -> TensorSpec:
    array = tensor._array
    return TensorSpec(TensorShape(array.shape), DTYPE_OF_NUMPY[array.dtype])


def _stand_ins(tensors: Sequence[Any], symbols: Mapping[Hashable, Any]) -> tuple[Any, ...]:
    return tuple([symbols[id(tensor)] for tensor in tensors])
