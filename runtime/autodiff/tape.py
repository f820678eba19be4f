"""``GradientTape``: notes which operations are applied, and tells gradients afterwards.

A tape is a watcher of the interpreter (interpreter.py).  It notes only what depends on what it
watches.  In a graph that is being built the notes are the graph's own operations.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Sequence
from typing import Any

from runtime import interpreter, nest
from runtime.autodiff.jacobians import batch_jacobian, jacobians
from runtime.autodiff.records import walk_records
from runtime.autodiff.reverse import Key, Record, walk
from runtime.autodiff.sources import hidden_sources
from runtime.autodiff.targets import (
    UnconnectedGradients,
    as_tensor,
    connected,
    given_for,
    is_smooth,
    key_of,
    leaves_of,
    seed_of,
    total,
)
from runtime.eager import Tensor
from runtime.graph import Graph
from runtime.interpreter import Value
from runtime.locations import user_location
from runtime.op import HIGHER_ORDER, Missing, Op
from runtime.ops.creation import zeros
from runtime.ops.joining import concat
from runtime.ops.list_gradients import differentiable
from runtime.ops.shape import shape
from runtime.ops.state import Place
from runtime.variables import Variable

__all__ = ["GradientTape", "UnconnectedGradients"]

_log = logging.getLogger("runtime")


class GradientTape:
    """Records operations within a ``with`` block, to differentiate what they compute::

        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        tape.gradient(y, x)                         # 2 * x

    A ``persistent`` tape can be asked more than once.  With ``watch_accessed_variables`` trainable
    variables are watched when they are read.  Tapes nest: an outer one records what an inner one
    computes, which gives derivatives of higher order.
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._accessed = watch_accessed_variables
        self.levels = 2 if persistent else 1
        """How often an eager call is prepared to be differentiated."""
        self._recording = False
        self._records: list[Any] | None = None
        """What was applied; None before the block, and when the tape is used up."""
        self._watched: set[Key] = set()
        self._explicit: list[Any] = []
        """What ``watch`` was given; kept so that no other tensor takes its id."""
        self._variables: dict[Place, Any] = {}
        self._home: Any = None
        self._mixed = False
        """Whether operations of graphs stand among the records."""

    # -- recording --------------------------------------------------------------------------------

    def __enter__(self) -> GradientTape:
        self._start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._recording:
            self._stop()

    @property
    def started(self) -> bool:
        """Whether there are records to ask for gradients."""
        return self._records is not None

    def _start(self) -> None:
        if self._recording:
            raise ValueError(
                "Tape is still recording, This can happen if you try to re-enter an "
                "already-active tape."
            )
        if self._records is None:
            self._records, self._watched, self._explicit = [], set(), []
            self._variables = {}
            self._home = interpreter.current()
        self._recording = True
        interpreter.start_watching(self)

    def _stop(self) -> None:
        if not self._recording:
            raise ValueError("Tape is not recording.")
        interpreter.stop_watching(self)
        self._recording = False

    @contextlib.contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Within the block nothing is recorded; RuntimeError when nothing was anyway."""
        if self._records is None or not self._recording:
            raise RuntimeError("Trying to stop recording a tape which is not recording.")
        self._stop()
        try:
            yield
        finally:
            self._start()

    def reset(self) -> None:
        """Forget all that was recorded and watched; ValueError outside of the ``with`` block."""
        self._stop()
        self._records = None
        self._start()

    def watch(self, tensor: Any) -> None:
        """Record what is computed from a tensor or variable, or a nest of them, from now on.

        ValueError for anything else.
        """
        leaves = (tensor,) if isinstance(tensor, Tensor) else nest.flatten(tensor)
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
                self._watched.add(leaf._place)
                self._variables[leaf._place] = leaf
            elif not differentiable(leaf):
                _log.warning(
                    "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r",
                    leaf.dtype,
                )
            else:
                self._watched.update(self._keys(leaf))
                self._explicit.append(leaf)

    def watched_variables(self) -> tuple[Any, ...]:
        """The variables watched so far, in the order in which they were made."""
        places = sorted(self._variables, key=lambda place: place.number)
        return tuple([self._variables[place] for place in places])

    def record(self, op: Op, inputs: Sequence[Any], attrs: dict[str, Any], outputs: Any) -> None:
        """Take note of one op, if it depends on what is watched."""
        grad = op.grad
        if grad is None:
            return
        watched = self._watched
        if op.plain or not self._reads(op, attrs):
            if "place" in attrs:
                return  # what is assigned has no past
            for tensor in inputs:
                if id(tensor) in watched:
                    break
            else:
                return
        if type(outputs) is Tensor:
            given: Any = (outputs,)
            array = outputs._array
            kind = getattr(array.dtype, "kind", "f") if hasattr(array, "dtype") else "f"
            smooth = given if kind in "fc" else ()
        else:
            given = outputs if type(outputs) is tuple else (outputs,)
            if not isinstance(given[0], Tensor):
                return  # an operation without outputs
            smooth = tuple([t for t in given if differentiable(t)])
        if type(given[0]) is Tensor:
            where = user_location() if type(grad) is Missing else None
            node: Any = Record(op, inputs, attrs, given, smooth, where)
        else:
            node = given[0].op
            self._mixed = True
            if node.graph is not self._home and node.graph.temporary:
                return  # it belongs to a branch, body or function whose operation will follow
        self._records.append(node)  # type: ignore[union-attr]
        for tensor in smooth:
            watched.add(id(tensor))

    def amended(self, node: Any, outputs: Sequence[Any]) -> None:
        """Follow the outputs that a recorded operation was given for another derivative."""
        if any(id(t) in self._watched for t in (*node.inputs, *node.outputs)):
            self._watched.update([id(t) for t in outputs if differentiable(t)])

    def _reads(self, op: Op, attrs: dict[str, Any]) -> bool:
        """Whether an op reads what is watched otherwise than by its inputs."""
        place = attrs.get("place")
        if place is not None:
            return self._takes(place)
        if HIGHER_ORDER not in op.traits:
            return False
        found = False
        for key, source in hidden_sources(Record(op, (), attrs, ())).items():
            taken = self._takes(source) if isinstance(source, Place) else key in self._watched
            found = taken or found
        return found

    def _takes(self, place: Place) -> bool:
        """Whether a variable that is read is watched, perhaps from now on."""
        if place in self._watched:
            return True
        if not self._accessed or not place.trainable or not place.differentiable:
            return False
        self._watched.add(place)
        self._variables[place] = place.variable()
        return True

    def wanted(self, op: Op, inputs: Sequence[Any], attrs: dict[str, Any]) -> tuple[int, set[Key]]:
        """How often it may differentiate an op that is applied next, and by what."""
        keys: set[Key] = {id(t) for t in inputs if id(t) in self._watched}
        for key, source in hidden_sources(Record(op, (), attrs, ())).items():
            if self._takes(source) if isinstance(source, Place) else key in self._watched:
                keys.add(key)
        return self.levels if keys else 0, keys

    # -- telling ----------------------------------------------------------------------------------

    def gradient(
        self, target: Any, sources: Any, output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any:
        """The gradients of ``target`` by ``sources``, laid out as ``sources``.

        Nests of targets are added up.  ``output_gradients``, laid out as ``target``, are the
        gradients to start from, ones by default.  A source that the target does not depend on has
        the gradient None, or zeros.  RuntimeError when a tape that is not persistent was asked
        before, LookupError when an op on the path has no derivative.
        """
        if target is None:
            raise TypeError(
                "Argument `target` should be a list or nested structure of Tensors, Variables or "
                "CompositeTensors to be differentiated, but received None."
            )
        self._ask()
        leaves = leaves_of(sources)
        try:
            found = self._gradients(
                leaves_of(target), leaves, given_for(target, output_gradients)
            )
        finally:
            if not self._persistent:
                self._records = None
        if unconnected_gradients is not UnconnectedGradients.NONE:
            found = connected(found, leaves, unconnected_gradients)
        if isinstance(sources, Tensor):
            return found[0]
        return nest.pack_sequence_as(sources, found) if nest.is_nested(sources) else found[0]

    def jacobian(
        self, target: Any, sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None, experimental_use_pfor: bool = True,
    ) -> Any:
        """The derivatives of every element of a tensor by ``sources``, laid out as ``sources``.

        Each has the shape of the target followed by that of the source.  Errors as ``gradient``;
        RuntimeError, too, for a tape that must be persistent: eagerly without
        ``experimental_use_pfor``.
        """
        tensor = as_tensor(target)
        self._ask_rows(experimental_use_pfor)
        leaves = leaves_of(sources)
        try:
            found = jacobians(
                tensor, leaves, lambda seed: self._gradients([target], leaves, [seed])
            )
        finally:
            if not self._persistent:
                self._records = None
        if UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO:
            found = [
                zeros(concat([shape(tensor), shape(source)], 0), as_tensor(source).dtype)
                if one is None else one
                for one, source in zip(found, leaves, strict=True)
            ]  # fmt: skip
        return nest.pack_sequence_as(sources, found) if nest.is_nested(sources) else found[0]

    def batch_jacobian(
        self, target: Any, source: Any, unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None, experimental_use_pfor: bool = True,
    ) -> Any:
        """The derivatives of every element of each row of ``target`` by that row of ``source``.

        Shape ``[b, *target.shape[1:], *source.shape[1:]]``; zeros where there is no path.  Rows of
        the target that depend on other rows of the source are not noticed.  ValueError unless both
        have one first dimension and a rank of 2 or more; RuntimeError as ``jacobian``.
        """
        rows, taken = as_tensor(target), as_tensor(source)
        for what, value in (("target", rows), ("source", taken)):
            if value.shape.rank is not None and value.shape.rank < 2:
                raise ValueError(f"Shape {value.shape} of the {what} must have rank at least 2")
        if not rows.shape[:1].is_compatible_with(taken.shape[:1]):
            raise ValueError(
                f"Need first dimension of target shape ({rows.shape}) and source shape "
                f"({taken.shape}) to match."
            )
        self._ask_rows(experimental_use_pfor)
        try:
            return batch_jacobian(
                rows, taken, lambda seed: self._gradients([target], [source], [seed])
            )
        finally:
            if not self._persistent:
                self._records = None

    def _ask(self) -> None:
        """RuntimeError when the tape is used up; one that is not persistent records no further."""
        if self._records is None:
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients "
                "(or jacobians)"
            )
        if self._recording and not self._persistent:
            self._stop()

    def _ask_rows(self, at_once: bool) -> None:
        """As ``_ask``, for a Jacobian, which TensorFlow walks back for row by row or at once."""
        if not at_once and not self._persistent and interpreter.executing_eagerly():
            raise RuntimeError(
                "GradientTape must be created with persistent=True to compute the jacobian with "
                "eager execution enabled and with experimental_use_pfor set to False."
            )
        self._ask()

    def _gradients(
        self, targets: Sequence[Any], sources: Sequence[Any], given: Sequence[Any]
    ) -> list[Any]:
        records = self._records
        assert records is not None
        seeds = [
            (key_of(target), seed_of(target, gradient))
            for target, gradient in zip(targets, given, strict=True)
            if is_smooth(target, "target")
        ]
        groups = [self._keys(s) if is_smooth(s, "source") else () for s in sources]
        keys: dict[Key, None] = {}
        for group in groups:
            for key in group:
                keys[key] = None
        eager = not isinstance(self._home, Graph) and not self._mixed
        walked = (walk_records if eager else walk)(tuple(records), seeds, keys)
        return [total([walked[k] for k in group if k in walked]) for group in groups]

    def _keys(self, source: Any) -> Sequence[Key]:
        """What a source is known by among the records: also what stands for it in the graph."""
        if isinstance(source, Variable):
            return (source._place,)
        home = self._home
        if not isinstance(home, Graph):
            return (id(source),)
        keys: list[Key] = [id(source)]
        if type(source) is Tensor or (source.graph is not home and home.encloses(source.graph)):
            keys.append(id(home.own(source)))
        return keys
