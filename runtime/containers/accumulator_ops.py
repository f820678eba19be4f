"""Op definitions of accumulators, which average the gradients of several workers.

An accumulator is an attribute of its operations, as a queue is: each session, or the task of a
cluster, has a sum of its own.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from runtime.ops.op import RAISES, STATEFUL, Missing, define
from runtime.ops.resource.session_resource import SessionResource
from runtime.ops.resource.variable import check_waiting, running_values
from runtime.ops.rules.inference import nothing
from runtime.types.dtypes import Array, DType, int32
from runtime.types.errors import IncompatibleShapesError
from runtime.types.shapes import SCALAR_SHAPE, TensorShape, TensorSpec

__all__: list[str] = []

_NO_SAMPLES = Missing("accumulators are no arrays")


class GradientSum:
    """Sum of the gradients since the last average, in one session."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.total: Any = None
        self.count = 0
        self.step = 0


class Accumulator(SessionResource):
    """Accumulator of gradients of one dtype and shape; ``reduction`` is ``MEAN`` or ``SUM``."""

    __slots__ = ("_content", "dtype", "made_on", "name", "per_session", "reduction", "shape")

    def __init__(
        self, name: str, dtype: DType, shape: TensorShape, reduction: str, per_session: bool,
        made_on: str,
    ) -> None:  # fmt: skip
        self.name = name
        self.dtype = dtype
        self.shape = shape
        self.reduction = reduction
        self.per_session = per_session
        self.made_on = made_on
        self.clear()

    def clear(self) -> None:
        """Have no gradients outside of sessions."""
        self._content = GradientSum()

    def content(self) -> GradientSum:
        """Sum in the session that runs, or eagerly."""
        of_session: Any = running_values() if self.per_session else None
        if of_session is None:
            return self._content
        content: GradientSum = of_session.setdefault(self, GradientSum())
        return content

    def add(self, gradient: Array, step: int) -> None:
        """Add a gradient, unless it was computed at an earlier step than the accumulator's."""
        if not self.shape.is_compatible_with(gradient.shape):
            raise IncompatibleShapesError(
                f"The accumulator {self.name!r} takes gradients of shape {self.shape}, got "
                f"{TensorShape(gradient.shape)}"
            )
        content = self.content()
        with content.changed:
            if step >= content.step:
                content.total = gradient if content.total is None else content.total + gradient
                content.count += 1
                content.changed.notify_all()

    def take(self, required: int) -> Array:
        """Wait for so many gradients; return their average or sum, and begin the next step."""
        content = self.content()
        with content.changed:
            while content.count < required:
                check_waiting(f"the accumulator {self.name!r}")
                content.changed.wait(0.1)
            total, count = content.total, content.count
            content.total, content.count = None, 0
            content.step += 1
        if self.reduction == "MEAN":
            total = total / np.asarray(count, total.dtype)
        return np.asarray(total, self.dtype.as_numpy_dtype)[()]

    def __repr__(self) -> str:
        return f"<accumulator {self.name!r}>"


def _add(local_step: Array, gradient: Array, *, accumulator: Accumulator) -> Any:
    accumulator.add(np.asarray(gradient), int(local_step))
    return ()


accumulator_add_op = define(
    "accumulator_add",
    inputs="local_step gradient",
    same_dtype_inputs=None,
    kernel=_add,
    infer=nothing,
    grad=None,
    node_name="AccumulatorApplyGradient",
    traits=(STATEFUL, RAISES),
    samples=_NO_SAMPLES,
    doc="Add a gradient to an accumulator, unless it is of an earlier step.",
)

accumulator_take_op = define(
    "accumulator_take",
    inputs="required",
    same_dtype_inputs=None,
    kernel=lambda required, *, accumulator: accumulator.take(int(required)),
    infer=lambda required, *, accumulator: TensorSpec(accumulator.shape, accumulator.dtype),
    grad=None,
    node_name="AccumulatorTakeGradient",
    traits=(STATEFUL, RAISES),
    samples=_NO_SAMPLES,
    doc="Wait for ``required`` gradients, return their average and begin the next step.",
)


def _set_step(step: Array, *, accumulator: Accumulator) -> Any:
    content = accumulator.content()
    with content.changed:
        content.step = int(step)
    return ()


accumulator_set_step_op = define(
    "accumulator_set_step",
    inputs="step",
    same_dtype_inputs=None,
    kernel=_set_step,
    infer=nothing,
    grad=None,
    node_name="AccumulatorSetGlobalStep",
    traits=(STATEFUL,),
    samples=_NO_SAMPLES,
    doc="Set the step of an accumulator: gradients of earlier steps are left out.",
)

accumulator_count_op = define(
    "accumulator_count",
    inputs="",
    kernel=lambda *, accumulator: np.int32(accumulator.content().count),
    infer=lambda *, accumulator: TensorSpec(SCALAR_SHAPE, int32),
    grad=None,
    node_name="AccumulatorNumAccumulated",
    traits=(STATEFUL,),
    samples=_NO_SAMPLES,
    doc="Count the gradients in an accumulator.",
)
