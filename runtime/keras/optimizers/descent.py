"""Optimizers that follow the gradient: SGD, with momentum, Lion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.keras.optimizers.optimizer import Optimizer
from runtime.ops.array.constants import cast
from runtime.ops.math.elementwise import sign
from runtime.state.variable import Variable


class SGD(Optimizer):
    """Optimizer: gradient descent, with momentum ``velocity = momentum * velocity - rate * g``.

    With ``nesterov`` the step is that of the next iteration.  ValueError unless the momentum is in
    [0, 1].
    """

    def __init__(
        self, learning_rate: Any = 0.01, momentum: float = 0.0, nesterov: bool = False,
        *args: Any, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, *args, **kwargs)
        if not isinstance(momentum, int | float) or not 0 <= momentum <= 1:
            raise ValueError("`momentum` must be a float between [0, 1].")
        self.momentum, self.nesterov = momentum, nesterov

    def build(self, variables: Sequence[Variable]) -> None:
        """Make the velocities."""
        if not self.built:
            super().build(variables)
            if self.momentum:
                self._momentums = self.add_optimizer_variables(variables, "momentum")

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable by its gradient."""
        step = gradient * cast(learning_rate, variable.dtype)
        if not self.momentum:
            self.assign_sub(variable, step)
            return
        state = self._momentums[self._get_variable_index(variable)]
        velocity = state * self.momentum - step
        self.assign_add(variable, velocity * self.momentum - step if self.nesterov else velocity)
        self.assign(state, velocity)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "momentum": self.momentum, "nesterov": self.nesterov}


class Lion(Optimizer):
    """Optimizer: steps of one size, in the direction of a mean of gradients.

    Chen et al.: Symbolic Discovery of Optimization Algorithms (2023).
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta_1: float = 0.9, beta_2: float = 0.99, *args: Any,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, *args, **kwargs)
        if not 0 < beta_1 <= 1:
            raise ValueError(
                "Argument `beta_1` must be in the [0, 1] range. Otherwise, the optimizer "
                f"degenerates to SignSGD. Received: beta_1={beta_1}."
            )
        self.beta_1, self.beta_2 = beta_1, beta_2

    def build(self, variables: Sequence[Variable]) -> None:
        """Make the means."""
        if not self.built:
            super().build(variables)
            self._momentums = self.add_optimizer_variables(variables, "momentum")

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable by its gradient."""
        rate = cast(learning_rate, variable.dtype)
        state = self._momentums[self._get_variable_index(variable)]
        before = state.read_value()
        direction = sign(before * self.beta_1 + gradient * (1.0 - self.beta_1))
        after = before * self.beta_2 + gradient * (1.0 - self.beta_2)
        self.assign_sub(variable, rate * direction)
        self.assign(state, after)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "beta_1": self.beta_1, "beta_2": self.beta_2}
