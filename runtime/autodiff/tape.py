"""``GradientTape``: gradients and Jacobians of the operations in a ``with`` block.

recorder.py records the operations, backprop.py computes the gradients.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.autodiff.backprop import Key, backpropagate
from runtime.autodiff.eager_backprop import backpropagate_records
from runtime.autodiff.gradient_cache import recurring_gradients
from runtime.autodiff.jacobians import batch_jacobian, jacobians
from runtime.autodiff.recorder import Recorder
from runtime.autodiff.seeds import (
    UnconnectedGradients,
    as_tensor,
    check_targets,
    fill_unconnected,
    initial_gradients_of,
    is_differentiable,
    key_of,
    leaves_of,
    seed_of,
    total,
)
from runtime.eager.tensor import Tensor
from runtime.graph.graph import Graph
from runtime.graph.parts import note_part
from runtime.graph.trace import current_graph
from runtime.ops import dispatch
from runtime.ops.array.concat_split import concat
from runtime.ops.array.creation import zeros
from runtime.ops.array.shape import shape
from runtime.ops.dispatch import ACTIVE
from runtime.types import nest

__all__ = ["GradientTape", "UnconnectedGradients"]


class GradientTape(Recorder):
    """Tape that records operations within a ``with`` block and differentiates them::

        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        tape.gradient(y, x)                         # 2 * x

    The method is reverse accumulation over the record of the computation (R. E. Wengert, "A simple
    automatic derivative evaluation program", Comm. ACM 7(8), 1964; Griewank and Walther,
    "Evaluating Derivatives", 2nd ed., SIAM 2008, chapter 3).

    A ``persistent`` tape computes gradients more than once.  With ``watch_accessed_variables``
    trainable variables are watched when they are read.  Tapes nest: an outer tape records what an
    inner tape computes, for derivatives of higher order.
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
        """Compute the gradients of ``target`` with respect to ``sources``.

        Args:
            target: tensor, variable or nest of them, of floating or complex dtype; the gradients of
                several targets are summed.
            sources: tensor, variable or nest of them.
            output_gradients: initial gradients in the structure of ``target``; ones by default.
            unconnected_gradients: ``UnconnectedGradients.NONE`` or ``ZERO``: the gradient of a
                source that the target does not depend on.

        Returns:
            A nest in the structure of ``sources``: tensors of the shape and dtype of each source
            (IndexedSlices for some gathers), or None.

        Raises:
            RuntimeError: the tape is not persistent and has computed gradients before.
            LookupError: an operation between sources and target has no derivative.
            ValueError: ``output_gradients`` differ from the target in structure or shape.
            TypeError: ``target`` is None, or a NumPy array or a float, which no tape records.
        """
        if target is None:
            raise TypeError(
                "Argument `target` should be a list or nested structure of Tensors, Variables or "
                "CompositeTensors to be differentiated, but received None."
            )
        check_targets(target)
        self._ask()
        leaves = leaves_of(sources)
        graph = current_graph()
        first = 0 if graph is None else len(graph.operations)
        try:
            result = self._gradients(
                leaves_of(target), leaves, initial_gradients_of(target, output_gradients)
            )
        finally:
            if not self._persistent:
                self._records = None
        if unconnected_gradients is not UnconnectedGradients.NONE:
            result = fill_unconnected(result, leaves, unconnected_gradients)
        if graph is not None:
            note_part(graph, "gradients", first)
        if isinstance(sources, Tensor):
            return result[0]
        return nest.pack_sequence_as(sources, result) if nest.is_nested(sources) else result[0]

    def jacobian(
        self, target: Any, sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None, experimental_use_pfor: bool = True,
    ) -> Any:
        """Compute the derivatives of each element of ``target`` with respect to ``sources``.

        Returns a nest in the structure of ``sources``: tensors of shape
        ``[*target.shape, *source.shape]``, or None for a source that the target does not depend on.
        Raises as ``gradient``; RuntimeError, too, if the tape is not persistent under eager
        execution without ``experimental_use_pfor``.
        """
        tensor = as_tensor(target)
        self._ask_rows(experimental_use_pfor)
        leaves = leaves_of(sources)
        try:
            matrices = jacobians(
                tensor, leaves, lambda seed: self._gradients([target], leaves, [seed])
            )
        finally:
            if not self._persistent:
                self._records = None
        if UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO:
            matrices = [
                zeros(concat([shape(tensor), shape(source)], 0), as_tensor(source).dtype)
                if matrix is None else matrix
                for matrix, source in zip(matrices, leaves, strict=True)
            ]  # fmt: skip
        return nest.pack_sequence_as(sources, matrices) if nest.is_nested(sources) else matrices[0]

    def batch_jacobian(
        self, target: Any, source: Any, unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None, experimental_use_pfor: bool = True,
    ) -> Any:
        """Compute the Jacobian of ``target`` with respect to ``source`` for each entry of a batch.

        ``target`` has shape ``[b, ...]`` and ``source`` shape ``[b, ...]``, both of rank 2 or more.
        The result has shape ``[b, *target.shape[1:], *source.shape[1:]]``; it is zero if the target
        does not depend on the source.  Dependence on other entries of the batch is not detected.
        Raises ValueError for other shapes, and as ``jacobian``.
        """
        rows, columns = as_tensor(target), as_tensor(source)
        for role, value in (("target", rows), ("source", columns)):
            if value.shape.rank is not None and value.shape.rank < 2:
                raise ValueError(f"Shape {value.shape} of the {role} must have rank at least 2")
        if not rows.shape[:1].is_compatible_with(columns.shape[:1]):
            raise ValueError(
                f"Need first dimension of target shape ({rows.shape}) and source shape "
                f"({columns.shape}) to match."
            )
        self._ask_rows(experimental_use_pfor)
        try:
            return batch_jacobian(
                rows, columns, lambda seed: self._gradients([target], [source], [seed])
            )
        finally:
            if not self._persistent:
                self._records = None

    def _ask(self) -> None:
        """Raise RuntimeError if the tape was used; stop recording if it is not persistent."""
        if self._records is None:
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients "
                "(or jacobians)"
            )
        if self._recording and not self._persistent:
            self._stop()

    def _ask_rows(self, at_once: bool) -> None:
        """Check as ``_ask`` does, for a Jacobian, which may need a persistent tape."""
        if not at_once and not self._persistent and dispatch.executing_eagerly():
            raise RuntimeError(
                "GradientTape must be created with persistent=True to compute the jacobian with "
                "eager execution enabled and with experimental_use_pfor set to False."
            )
        self._ask()

    def _gradients(
        self, targets: Sequence[Any], sources: Sequence[Any], initial_gradients: Sequence[Any]
    ) -> list[Any]:
        records = self._records
        assert records is not None
        if self._signature and not ACTIVE:
            keys = [key_of(source) for source in sources]
            compiled = recurring_gradients(
                self._signature,
                records,
                self._watched,
                self._unwatched,
                targets,
                keys,
                initial_gradients,
            )
            if compiled is not None:
                return compiled
        seeds = [
            (key_of(target), seed_of(target, gradient))
            for target, gradient in zip(targets, initial_gradients, strict=True)
            if is_differentiable(target, "target")
        ]
        groups = [self._keys(s) if is_differentiable(s, "source") else () for s in sources]
        source_keys: dict[Key, None] = {}
        for group in groups:
            for key in group:
                source_keys[key] = None
        eager = not isinstance(self._home, Graph) and not self._mixed
        by_key = (backpropagate_records if eager else backpropagate)(
            tuple(records), seeds, source_keys
        )
        return [total([by_key[k] for k in group if k in by_key]) for group in groups]
