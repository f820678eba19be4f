"""``GradientTape``: gradients and Jacobians of what a ``with`` block computed.

recorder.py records the operations, backprop.py computes the gradients.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.autodiff.backprop import Key, backpropagate
from runtime.autodiff.eager_backprop import backpropagate_records
from runtime.autodiff.gradient_cache import recurring
from runtime.autodiff.jacobians import batch_jacobian, jacobians
from runtime.autodiff.recorder import Recorder
from runtime.autodiff.seeds import (
    UnconnectedGradients,
    as_tensor,
    connected,
    given_for,
    is_differentiable,
    key_of,
    leaves_of,
    seed_of,
    total,
)
from runtime.eager.tensor import Tensor
from runtime.graph.graph import Graph
from runtime.ops import dispatch
from runtime.ops.array.concat_split import concat
from runtime.ops.array.creation import zeros
from runtime.ops.array.shape import shape
from runtime.ops.dispatch import ACTIVE
from runtime.types import nest

__all__ = ["GradientTape", "UnconnectedGradients"]


class GradientTape(Recorder):
    """Records operations within a ``with`` block, to differentiate what they compute::

        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        tape.gradient(y, x)                         # 2 * x

    A ``persistent`` tape can be asked more than once.  With ``watch_accessed_variables`` trainable
    variables are watched when they are read.  Tapes nest: an outer one records what an inner one
    computes, which gives derivatives of higher order.
    """

    def __enter__(self) -> GradientTape:
        self._start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._recording:
            self._stop()

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
        if not at_once and not self._persistent and dispatch.executing_eagerly():
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
        if self._signature and not ACTIVE:
            keys = [key_of(source) for source in sources]
            found = recurring(
                self._signature, records, self._watched, self._others, targets, keys, given
            )
            if found is not None:
                return found
        seeds = [
            (key_of(target), seed_of(target, gradient))
            for target, gradient in zip(targets, given, strict=True)
            if is_differentiable(target, "target")
        ]
        groups = [self._keys(s) if is_differentiable(s, "source") else () for s in sources]
        wanted: dict[Key, None] = {}
        for group in groups:
            for key in group:
                wanted[key] = None
        eager = not isinstance(self._home, Graph) and not self._mixed
        walked = (backpropagate_records if eager else backpropagate)(tuple(records), seeds, wanted)
        return [total([walked[k] for k in group if k in walked]) for group in groups]
