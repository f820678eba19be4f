"""``GradientTape``: notes which operations are applied, and tells gradients afterwards.

A tape is a watcher of the interpreter (interpreter.py).  It notes only what depends on what it
watches.  In a graph that is being built the notes are the graph's own operations.
"""

from __future__ import annotations

import contextlib
import enum
import logging
from collections.abc import Iterator, Sequence
from typing import Any

from runtime import interpreter, nest
from runtime.autodiff.reverse import Key, Record, as_gradient, walk
from runtime.autodiff.sources import hidden_sources
from runtime.eager import Tensor
from runtime.graph import Graph
from runtime.interpreter import Value
from runtime.locations import NOWHERE, user_location
from runtime.op import HIGHER_ORDER, Missing, Op
from runtime.ops.constants import convert_to_tensor
from runtime.ops.creation import ones_like, zeros_like
from runtime.ops.list_gradients import differentiable
from runtime.ops.state import Place
from runtime.symbolic import SymbolicTensor
from runtime.variables import Variable

__all__ = ["GradientTape", "UnconnectedGradients"]

_log = logging.getLogger("runtime")


class UnconnectedGradients(enum.Enum):
    """What the gradient of a source is that the target does not depend on."""

    NONE = "none"
    ZERO = "zero"


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
        self._recording = False
        self._records: list[Any] | None = None
        """What was applied; None before the block, and when the tape is used up."""
        self._watched: set[Key] = set()
        self._explicit: list[Any] = []
        """What ``watch`` was given; kept so that no other tensor takes its id."""
        self._variables: dict[Place, Any] = {}
        self._home: Any = None

    # -- recording --------------------------------------------------------------------------------

    def __enter__(self) -> GradientTape:
        self._start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._recording:
            self._stop()

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
        if self._records is None:
            raise RuntimeError(
                "GradientTape.watch: the tape records nothing yet. Call it within the block "
                "`with runtime.GradientTape() as tape:`."
            )
        for leaf in nest.flatten(tensor):
            if isinstance(leaf, Variable):
                self._watched.add(leaf._place)
                self._variables[leaf._place] = leaf
            elif not isinstance(leaf, Value):
                raise ValueError(
                    f"Passed in object {leaf} of type {type(leaf).__name__!r}, not tf.Tensor or "
                    "tf.Variable or ExtensionType."
                )
            elif not differentiable(leaf):
                _log.warning(
                    "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r",
                    leaf.dtype,  # type: ignore[attr-defined]
                )
            else:
                self._watched.update(self._keys(leaf))
                self._explicit.append(leaf)

    def watched_variables(self) -> tuple[Any, ...]:
        """The variables watched so far, in the order in which they were first read."""
        return tuple(self._variables.values())

    def record(self, op: Op, inputs: Sequence[Any], attrs: dict[str, Any], outputs: Any) -> None:
        """Take note of one op, if it depends on what is watched."""
        grad = op.grad
        if grad is None:
            return
        watched = self._watched
        place = attrs.get("place")
        if place is not None:
            if not self._takes(place):
                return
        elif HIGHER_ORDER not in op.traits or not self._reads(op, attrs):
            for tensor in inputs:
                if id(tensor) in watched:
                    break
            else:
                return
        given = outputs if type(outputs) is tuple else (outputs,)
        first = given[0]
        if type(first) is Tensor:
            where = user_location() if type(grad) is Missing else NOWHERE
            node: Any = Record(op, inputs, attrs, given, where)
        elif not isinstance(first, SymbolicTensor):
            return  # an operation without outputs
        else:
            node = first.op
            if node.graph is not self._home and node.graph.temporary:
                return  # it belongs to a branch, body or function whose operation will follow
        assert self._records is not None
        self._records.append(node)
        for tensor in given:
            if differentiable(tensor):
                watched.add(id(tensor))

    def amended(self, node: Any, outputs: Sequence[Any]) -> None:
        """Follow the outputs that a recorded operation was given for another derivative."""
        if any(id(t) in self._watched for t in (*node.inputs, *node.outputs)):
            self._watched.update([id(t) for t in outputs if differentiable(t)])

    def _reads(self, op: Op, attrs: dict[str, Any]) -> bool:
        """Whether the graphs of an op read what is watched."""
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
        return (2 if self._persistent else 1) if keys else 0, keys

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
        try:
            found = self._gradients(
                _leaves(target), _leaves(sources), _given(target, output_gradients)
            )
        finally:
            if not self._persistent:
                self._records = None
        filled = connected(found, _leaves(sources), unconnected_gradients)
        return nest.pack_sequence_as(sources, filled) if nest.is_nested(sources) else filled[0]

    def _ask(self) -> None:
        """RuntimeError when the tape is used up; one that is not persistent records no further."""
        if self._records is None:
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients "
                "(or jacobians)"
            )
        if self._recording and not self._persistent:
            self._stop()

    def _gradients(
        self, targets: Sequence[Any], sources: Sequence[Any], given: Sequence[Any]
    ) -> list[Any]:
        assert self._records is not None
        seeds = [
            (key_of(target), _seed(target, gradient))
            for target, gradient in zip(targets, given, strict=True)
            if _checked(target, "target")
        ]
        keys: dict[Key, None] = {}
        for source in sources:
            if _checked(source, "source"):
                keys.update(dict.fromkeys(self._keys(source)))
        found = walk(tuple(self._records), seeds, keys)
        return [total([found[k] for k in self._keys(s) if k in found]) for s in sources]

    def _keys(self, source: Any) -> list[Key]:
        """What a source is known by among the records: also what stands for it in the graph."""
        if isinstance(source, Variable):
            return [source._place]
        keys: list[Key] = [id(source)]
        home = self._home
        if isinstance(home, Graph) and getattr(source, "graph", None) is not home:
            if not isinstance(source, SymbolicTensor) or home.encloses(source.graph):
                keys.append(id(home.own(source)))
        return keys


def key_of(target: Any) -> Key:
    """What a target is known by."""
    return target._place if isinstance(target, Variable) else id(target)


def total(gradients: Sequence[Any]) -> Any:
    """The sum of what arrived at one source, or None."""
    if not gradients:
        return None
    first, *others = gradients
    for other in others:
        first = first + other
    return first


def _leaves(value: Any) -> list[Any]:
    """The tensors and variables of a nest; Python numbers become tensors."""
    leaves = nest.flatten(value) if nest.is_nested(value) else [value]
    return [v if isinstance(v, Value | Variable) else convert_to_tensor(v) for v in leaves]


def _given(target: Any, gradients: Any) -> list[Any]:
    """The gradients given for the targets, None for those to be ones."""
    count = len(nest.flatten(target)) if nest.is_nested(target) else 1
    if gradients is None:
        return [None] * count
    given = nest.flatten(gradients) if nest.is_nested(gradients) else [gradients]
    if not nest.is_nested(target) and len(given) > 1:
        given = [convert_to_tensor(gradients)]
    if len(given) != count:
        raise ValueError(
            f"output_gradients must be laid out as the target: {count} tensors, got {len(given)}"
        )
    return given


def _seed(target: Any, gradient: Any) -> Any:
    tensor = target.read_value() if isinstance(target, Variable) else target
    if gradient is None:
        return ones_like(tensor)
    found: Any = gradient
    if not isinstance(gradient, Value):
        found = convert_to_tensor(gradient, tensor.dtype)
    if not found.shape.is_compatible_with(tensor.shape):
        raise ValueError(
            f"output_gradients: the target has shape {tensor.shape}, but the gradient given for it "
            f"has shape {found.shape}"
        )
    return as_gradient(found, tensor)


def _checked(tensor: Any, what: str) -> bool:
    """Whether a target or source can take part; a warning where it cannot."""
    if tensor.dtype.is_floating or tensor.dtype.is_complex:
        return True
    _log.warning(
        "The dtype of the %s tensor must be floating (e.g. tf.float32) when calling "
        "GradientTape.gradient, got %r", what, tensor.dtype,
    )  # fmt: skip
    return False


def connected(found: Sequence[Any], sources: Sequence[Any], unconnected: Any) -> list[Any]:
    """The gradients, with zeros in place of None if asked for; ValueError for another wish."""
    try:
        unconnected = UnconnectedGradients(unconnected)
    except ValueError:
        raise ValueError(
            f"Unknown value for unconnected_gradients: {unconnected!r}"
        ) from None
    if unconnected is UnconnectedGradients.NONE:
        return list(found)
    return [
        zeros_like(convert_to_tensor(s)) if g is None else g
        for g, s in zip(found, sources, strict=True)
    ]
