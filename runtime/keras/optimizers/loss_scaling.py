"""``LossScaleOptimizer``: gradients of a scaled loss, which half precision can hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from runtime.control_flow.cond import cond
from runtime.keras.effects import RecordedEffects
from runtime.keras.initializers import Constant
from runtime.keras.optimizers.optimizer import Optimizer
from runtime.keras.replicas import once, summed
from runtime.keras.serialization import deserialize_keras_object, serialize_keras_object
from runtime.ops.array.concat_split import stack
from runtime.ops.array.constants import cast, convert_to_tensor, identity
from runtime.ops.math.elementwise import is_finite
from runtime.ops.math.reduction import reduce_all
from runtime.state.indexed_slices import IndexedSlices
from runtime.state.variable import Variable
from runtime.types import nest
from runtime.types.aliases import TensorLike


class LossScaleOptimizer(Optimizer):
    """Optimizer that has another one apply the gradients of a loss that ``scale_loss`` scaled.

    The scale is halved where a gradient is infinite or NaN, and nothing is applied then; it is
    doubled after ``dynamic_growth_steps`` steps in a row without that.
    Source: Micikevicius et al., Mixed Precision Training, 2018.

    ValueError unless ``inner_optimizer`` is an optimizer.
    """

    def __init__(
        self, inner_optimizer: Any, initial_scale: float = 2.0**15,
        dynamic_growth_steps: int = 2000, name: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        if not isinstance(inner_optimizer, Optimizer):
            raise ValueError(
                "LossScaleOptimizer takes the optimizer that applies gradients. Received: "
                f"inner_optimizer={inner_optimizer!r}"
            )
        super().__init__(0.0, name=name, **kwargs)
        self.inner_optimizer = inner_optimizer
        self.initial_scale = initial_scale
        self.dynamic_growth_steps = dynamic_growth_steps
        self.step_counter: Any = None
        self.dynamic_scale: Any = None

    def build(self, variables: Sequence[Variable]) -> None:
        """Make the scale, and the state of the other optimizer."""
        if self.built:
            return
        self.step_counter = self.add_variable((), dtype="int32", name="step_counter")
        self.dynamic_scale = self.add_variable(
            (), Constant(self.initial_scale), "float32", name="dynamic_scale"
        )
        self.inner_optimizer.build(variables)
        super().build(variables)

    @property
    def variables(self) -> list[Variable]:  # type: ignore[override]
        """Variables of both optimizers."""
        return [*self._variables, *self.inner_optimizer.variables]

    @property
    def iterations(self) -> Any:
        """Number of updates by the other optimizer."""
        return self.inner_optimizer.iterations

    @property
    def learning_rate(self) -> Any:
        """Learning rate of the other optimizer."""
        return self.inner_optimizer.learning_rate

    @learning_rate.setter
    def learning_rate(self, value: Any) -> None:
        self.inner_optimizer.learning_rate = value

    def scale_loss(self, loss: TensorLike) -> Any:
        """Return a loss times the scale."""
        tensor = convert_to_tensor(loss)
        scale = self.dynamic_scale if self.built else self.initial_scale
        scaled = tensor * cast(scale, tensor.dtype)
        return self.inner_optimizer.scale_loss(scaled)

    def apply(
        self, grads: Sequence[Any], trainable_variables: Sequence[Variable] | None = None
    ) -> Any:
        """Change variables by the gradients of a scaled loss, unless one of them is not finite."""
        pairs = self._with_gradients(list(grads), trainable_variables)
        gradients = summed([gradient for gradient, _ in pairs])
        variables = [variable for _, variable in pairs]
        return once(lambda: self._applied(gradients, variables))

    def _applied(self, grads: list[Any], variables: list[Variable]) -> Any:
        effects = RecordedEffects()
        leaves = [
            gradient.values if isinstance(gradient, IndexedSlices) else gradient
            for gradient in grads
        ]
        all_finite = reduce_all(stack([reduce_all(is_finite(leaf)) for leaf in leaves]))

        def update() -> Any:
            scale = self.dynamic_scale.read_value()
            unscaled = [
                nest.map_structure(lambda x: x / scale if x.dtype.is_floating else x, gradient)
                for gradient in _as_float32(grads)
            ]
            self.inner_optimizer.apply(unscaled, variables)
            is_due = self.step_counter >= self.dynamic_growth_steps - 1

            def grow() -> Any:
                self.step_counter.assign(0)
                self.dynamic_scale.assign(self.dynamic_scale * 2.0)
                return identity(0)

            def count() -> Any:
                self.step_counter.assign_add(1)
                return identity(0)

            return cond(is_due, grow, count)

        def shrink() -> Any:
            self.step_counter.assign(0)
            self.dynamic_scale.assign(self.dynamic_scale / 2.0)
            return identity(0)

        after = cond(all_finite, update, shrink)
        return self.iterations if effects.graph is None else after

    def finalize_variable_values(self, var_list: Sequence[Variable]) -> None:
        """Replace variables by the other optimizer's moving averages."""
        self.inner_optimizer.finalize_variable_values(var_list)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, from which ``from_config`` makes an equal optimizer."""
        return {
            "name": self.name, "inner_optimizer": serialize_keras_object(self.inner_optimizer),
            "initial_scale": self.initial_scale,
            "dynamic_growth_steps": self.dynamic_growth_steps,
        }  # fmt: skip

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        """Make an optimizer from its arguments."""
        inner = deserialize_keras_object(config["inner_optimizer"], custom_objects)
        return cls(**{**config, "inner_optimizer": inner})


def _as_float32(grads: list[Any]) -> list[Any]:
    """Return gradients of half precision, which division by the scale would round to zero."""


    def widened(x: Any) -> Any:
        return cast(x, "float32") if x.dtype.is_floating and x.dtype.size < 4 else x

    return [nest.map_structure(widened, gradient) for gradient in grads]
