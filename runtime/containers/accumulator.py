"""``ConditionalAccumulator``: the average of gradients, as soon as there are enough."""

from __future__ import annotations

from typing import Any

from runtime.containers import accumulator_ops
from runtime.graph.trace import current_graph
from runtime.ops.array.constants import convert_to_tensor
from runtime.types.dtypes import DType, as_dtype, int64
from runtime.types.shapes import TensorShape

__all__ = ["ConditionalAccumulator"]


class ConditionalAccumulator:
    """Accumulator of dense gradients of one dtype and shape, from several workers.

    A gradient that was computed at an earlier step than the accumulator's is left out.
    ``reduction_type`` is ``MEAN`` or ``SUM``; ValueError for another.
    """

    def __init__(
        self, dtype: Any, shape: Any = None, shared_name: str | None = None,
        name: str = "conditional_accumulator", reduction_type: str = "MEAN",
    ) -> None:  # fmt: skip
        if reduction_type not in ("MEAN", "SUM"):
            raise ValueError(f"reduction_type must be 'MEAN' or 'SUM', got {reduction_type!r}")
        graph = current_graph()
        per_session, made_on = graph is not None and not graph.temporary, ""
        if graph is not None and per_session:
            name = shared_name or graph.unique_name(name)
            made_on = graph.device_of_new(name, "ConditionalAccumulator")
        self._accumulator = accumulator_ops.Accumulator(
            name, as_dtype(dtype), TensorShape(shape), reduction_type, per_session, made_on
        )

    @property
    def accumulator_ref(self) -> Any:
        """Handle of the accumulator."""
        return self._accumulator

    @property
    def name(self) -> str:
        """Name of the accumulator."""
        return self._accumulator.name

    @property
    def dtype(self) -> DType:
        """Dtype of the gradients."""
        return self._accumulator.dtype

    def apply_grad(self, grad: Any, local_step: Any = 0, name: str | None = None) -> Any:
        """Add a gradient that was computed at a step; an operation in a graph, None eagerly."""
        return accumulator_ops.accumulator_add_op(
            convert_to_tensor(local_step, int64), convert_to_tensor(grad, self.dtype),
            accumulator=self._accumulator, name=name,
        ) or None  # fmt: skip

    def take_grad(self, num_required: Any, name: str | None = None) -> Any:
        """Wait for gradients; return their average, and begin the next step without any."""
        return accumulator_ops.accumulator_take_op(
            convert_to_tensor(num_required), accumulator=self._accumulator, name=name
        )

    def set_global_step(self, new_global_step: Any, name: str | None = None) -> Any:
        """Set the step; an operation in a graph, None eagerly."""
        return accumulator_ops.accumulator_set_step_op(
            convert_to_tensor(new_global_step, int64), accumulator=self._accumulator, name=name
        ) or None  # fmt: skip

    def num_accumulated(self, name: str | None = None) -> Any:
        """Return how many gradients there are, an int32 scalar."""
        return accumulator_ops.accumulator_count_op(accumulator=self._accumulator, name=name)

    def __repr__(self) -> str:
        return f"<ConditionalAccumulator {self.name!r}>"
