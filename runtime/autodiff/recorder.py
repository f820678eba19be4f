"""Recorder: the base of ``GradientTape``, which records the ops that gradients are computed from.

A recorder listens to every op that is executed (ops/dispatch.py) and records those that depend on a
watched tensor or variable.  In a graph that is being built the records are the graph's operations.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Sequence
from typing import Any

from runtime.autodiff.backprop import Key, TapeRecord
from runtime.autodiff.captured_sources import hidden_sources
from runtime.autodiff.gradient_cache import is_array, sign, sign_attributes, types_of
from runtime.autodiff.vjp_call import prepare
from runtime.eager.tensor import Tensor
from runtime.graph.graph import Graph
from runtime.graph.operation import SymbolicTensor, read
from runtime.ops import dispatch
from runtime.ops.op import HIGHER_ORDER, Missing, OpDef
from runtime.ops.resource.list_gradients import differentiable
from runtime.ops.resource.variable import VariableStorage
from runtime.state.variable import Variable
from runtime.types import nest
from runtime.types.dtypes import SMOOTH
from runtime.types.source_location import user_location
from runtime.types.value import Value

_log = logging.getLogger("runtime")
_new: Any = tuple.__new__  # a NamedTuple's own way takes twice as long


class Recorder:
    """Recorder of the ops that depend on watched tensors and variables."""

    _recording = False
    _records: list[Any] | None = None
    """Records in program order; None before the block, and once the tape is used up."""
    _watched: dict[Key, int]
    """Keys that are watched or depend on watched ones, numbered from 0."""
    _unwatched: dict[Key, int]
    """Ids of the other tensors in records, numbered from -1 downwards."""
    _signature: list[Any] | None
    """Signature of the records (gradient_cache.py); None when they cannot be cached."""
    _explicit: list[Any]
    """Tensors passed to ``watch``, kept alive so that no other tensor takes their ids."""
    _variables: dict[VariableStorage, Any]
    _home: Any
    _mixed = False
    """Whether some records are operations of graphs."""

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._accessed = watch_accessed_variables
        self.levels = 2 if persistent else 1
        """Order of derivatives that eager calls of functions save residuals for."""
        self._variables = {}

    @property
    def started(self) -> bool:
        """Return whether there are records to compute gradients from."""
        return self._records is not None

    def _start(self) -> None:
        if self._recording:
            raise ValueError(
                "Tape is still recording, This can happen if you try to re-enter an "
                "already-active tape."
            )
        if self._records is None:
            self._records, self._watched, self._explicit = [], {}, []
            self._unwatched = {}
            self._variables = {}
            self._home = dispatch.current()
            self._signature = None if isinstance(self._home, Graph) else []
        self._recording = True
        dispatch.add_listener(self)

    def _stop(self) -> None:
        if not self._recording:
            raise ValueError("Tape is not recording.")
        dispatch.remove_listener(self)
        self._recording = False

    @contextlib.contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Stop recording within the block; RuntimeError if the tape is not recording."""
        if self._records is None or not self._recording:
            raise RuntimeError("Trying to stop recording a tape which is not recording.")
        self._stop()
        try:
            yield
        finally:
            self._start()

    def reset(self) -> None:
        """Drop all records and watched sources; ValueError outside of the ``with`` block."""
        self._stop()
        self._records = None
        self._start()

    def watch(self, tensor: Any) -> None:
        """Record what is computed from a tensor or variable, or a nest of them, from now on.

        ValueError for anything else.
        """
        if type(tensor) is Tensor and self._records is not None and self._signature is not None:
            array = tensor._array  # the common case; all others below
            if is_array(array) and array.dtype.kind in SMOOTH:
                self._follow(id(tensor))
                self._explicit.append(tensor)
                number = self._unwatched.get(id(tensor))
                self._signature += ("watch", array.dtype, array.shape, number)
                return
        flat = (tensor,) if isinstance(tensor, Tensor) else nest.flatten(tensor)
        leaves = [read(leaf) for leaf in flat]
        for leaf in leaves:
            if not isinstance(leaf, Value | Variable):
                raise ValueError(
                    f"Passed in object {leaf} of type {type(leaf).__name__!r}, not tf.Tensor or "
                    "tf.Variable or ExtensionType."
                )
        if self._records is None:
            raise RuntimeError(
                "GradientTape.watch: the tape records nothing yet. Call it within the block "
                "`with runtime.GradientTape() as tape:`."
            )
        for leaf in leaves:
            if isinstance(leaf, Variable):
                self._follow(leaf._storage)
                self._variables[leaf._storage] = leaf
            elif not differentiable(leaf):
                _log.warning(
                    "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r",
                    leaf.dtype,
                )
            else:
                for key in self._keys(leaf):
                    self._follow(key)
                self._explicit.append(leaf)
                if type(leaf) is not Tensor:
                    self._signature = None
                elif self._signature is not None:
                    self._signature += ("watch", *types_of(leaf), self._unwatched.get(id(leaf)))

    def watched_variables(self) -> tuple[Any, ...]:
        """Return the variables watched so far, in the order of their creation."""
        storages = sorted(self._variables, key=lambda storage: storage.number)
        return tuple([self._variables[storage] for storage in storages])

    def record(self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], outputs: Any) -> None:
        """Record an op if it depends on a watched source."""
        grad = op.grad
        if grad is None:
            return
        signature, records = self._signature, self._records
        if (
            signature is None or records is None or not op.plain or type(outputs) is not Tensor
            or type(grad) is Missing or not is_array(outputs._array)
        ):  # fmt: skip
            self._record(op, inputs, attrs, outputs)
            return
        # Fast path of plain ops with one array as output; `_record` below handles all others.
        watched = self._watched
        for tensor in inputs:
            if id(tensor) in watched:
                break
        else:
            return
        signature.append(op)
        unwatched = self._unwatched
        for tensor in inputs:
            key = id(tensor)
            number = watched.get(key)
            if number is None:
                number = unwatched.get(key)
                if number is None:
                    unwatched[key] = -1 - len(unwatched)
                    signature += types_of(tensor)
                    continue
            signature.append(number)
        if attrs and not sign_attributes(signature, attrs):
            self._signature = None
        array = outputs._array
        if not op.elementwise:
            signature.append(array.shape)
        output_tuple = (outputs,)
        differentiable_outputs = output_tuple if array.dtype.kind in SMOOTH else ()
        records.append(
            _new(TapeRecord, (op, inputs, attrs, output_tuple, differentiable_outputs, None))
        )
        if differentiable_outputs:
            watched[id(outputs)] = len(watched)
        else:
            unwatched[id(outputs)] = -1 - len(unwatched)

    def _record(
        self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], outputs: Any
    ) -> None:
        watched = self._watched
        if op.plain or not self._reads(op, attrs):
            if "storage" in attrs:
                return  # what is assigned has no past
            for tensor in inputs:
                if id(tensor) in watched:
                    break
            else:
                return
        if type(outputs) is Tensor:
            output_tuple: Any = (outputs,)
            differentiable_outputs = output_tuple if differentiable(outputs) else ()
        else:
            output_tuple = outputs if type(outputs) is tuple else (outputs,)
            if not isinstance(output_tuple[0], Tensor):
                return  # an operation without outputs
            differentiable_outputs = tuple([t for t in output_tuple if differentiable(t)])
        if not isinstance(output_tuple[0], SymbolicTensor):
            where = user_location() if type(op.grad) is Missing else None
            node: Any = _new(
                TapeRecord, (op, inputs, attrs, output_tuple, differentiable_outputs, where)
            )
            if type(output_tuple[0]) is not Tensor:
                self._signature = None  # it is on a device, where cached gradients do not run
            signature = self._signature
            if signature is not None and not sign(signature, node, watched, self._unwatched):
                self._signature = None
        else:
            node = output_tuple[0].op
            self._mixed, self._signature = True, None
            if node.graph is not self._home and node.graph.temporary:
                return  # it belongs to a branch, body or function whose operation will follow
        self._records.append(node)  # type: ignore[union-attr]
        for tensor in differentiable_outputs:
            watched[id(tensor)] = len(watched)

    def _follow(self, key: Key) -> None:
        self._watched.setdefault(key, len(self._watched))

    def extended(self, node: Any, outputs: Sequence[Any]) -> None:
        """Follow the outputs by which an operation was extended for another derivative."""
        if any(id(t) in self._watched for t in (*node.inputs, *node.outputs)):
            for tensor in outputs:
                if differentiable(tensor):
                    self._follow(id(tensor))

    def _reads(self, op: OpDef, attrs: dict[str, Any]) -> bool:
        """Return whether an op reads a watched source other than by its inputs."""
        storage = attrs.get("storage")
        if storage is not None:
            return self._takes(storage)
        if HIGHER_ORDER not in op.traits:
            return False
        reads = False
        for key, source in hidden_sources(TapeRecord(op, (), attrs, ())).items():
            is_variable = isinstance(source, VariableStorage)
            is_watched = self._takes(source) if is_variable else key in self._watched
            reads = is_watched or reads
        return reads

    def _takes(self, storage: VariableStorage) -> bool:
        """Return whether a variable that is read is watched; start watching it if it is to be."""
        if storage in self._watched:
            return True
        if not self._accessed or not storage.trainable or not storage.differentiable:
            return False
        self._follow(storage)
        self._variables[storage] = storage.variable()
        return True

    def derivative_needs(
        self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any]
    ) -> tuple[int, set[Key]]:
        """Return the order of derivatives that the next op may need, and the keys of their sources.
        """
        keys: set[Key] = {id(t) for t in inputs if id(t) in self._watched}
        for key, source in hidden_sources(TapeRecord(op, (), attrs, ())).items():
            if self._takes(source) if isinstance(source, VariableStorage) else key in self._watched:
                keys.add(key)
        return self.levels if keys else 0, keys

    def prepare(
        self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], listeners: Sequence[Any]
    ) -> dict[str, Any]:
        """Return attributes with which an op that holds graphs saves residuals for all listeners.
        """
        return prepare(op, inputs, attrs, listeners)

    def _keys(self, source: Any) -> Sequence[Key]:
        """Return the keys of a source among the records, including its counterpart in the graph."""
        if isinstance(source, Variable):
            return (source._storage,)
        home = self._home
        if not isinstance(home, Graph):
            return (id(source),)
        keys: list[Key] = [id(source)]
        is_eager = not isinstance(source, SymbolicTensor)
        if is_eager or (source.graph is not home and home.encloses(source.graph)):
            keys.append(id(home.as_local(source)))
        return keys
