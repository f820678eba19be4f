"""Optimizers with moments of the gradients: Adam and its relatives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.keras.optimizers.optimizer import Optimizer
from runtime.ops.array.constants import cast
from runtime.ops.array.where import where
from runtime.ops.linalg.matrices import norm
from runtime.ops.math.elementwise import abs, maximum, pow, sqrt, square
from runtime.state.variable import Variable


class MomentsOptimizer(Optimizer):
    """Base of Adam and its relatives: a mean of gradients, and one of something else, each."""

    _SECOND = "velocity"

    def __init__(
        self, learning_rate: Any, beta_1: float, beta_2: float, epsilon: float, *args: Any,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, *args, **kwargs)
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon

    def build(self, variables: Sequence[Variable]) -> None:
        """Make the means."""
        if not self.built:
            super().build(variables)
            names = ("momentum", self._SECOND)
            self._momentums, self._seconds = self.add_optimizer_variables(variables, names)

    def moments(self, gradient: Any, variable: Variable) -> tuple[Any, Any]:
        """Return the next means of the gradients and of their squares."""
        at = self._get_variable_index(variable)
        first, second = self._momentums[at], self._seconds[at]
        m, v = first.read_value(), second.read_value()
        m = m + (gradient - m) * (1.0 - self.beta_1)
        v = v + (square(gradient) - v) * (1.0 - self.beta_2)
        return m, v

    def finish(self, variable: Variable, step: Any, first: Any, second: Any) -> None:
        """Subtract a step from a variable, and store its means.

        Writes come after all reads, so that native code computes everything in one loop.
        """
        at = self._get_variable_index(variable)
        self.assign_sub(variable, step)
        self.assign(self._momentums[at], first)
        self.assign(self._seconds[at], second)

    def corrections(self, dtype: Any) -> tuple[Any, Any]:
        """Return what the means are less than without zeros at the beginning: two factors."""
        step = cast(self.iterations + 1, dtype)
        powers = [pow(cast(beta, dtype), step) for beta in (self.beta_1, self.beta_2)]
        return 1.0 - powers[0], 1.0 - powers[1]

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        arguments = {"beta_1": self.beta_1, "beta_2": self.beta_2, "epsilon": self.epsilon}
        return {**super().get_config(), **arguments}


class Adam(MomentsOptimizer):
    """Optimizer: steps of a mean of gradients, divided by the root of a mean of their squares.

    With ``amsgrad`` divided by the root of the greatest such mean so far.  Kingma and Ba: Adam
    (2014); Reddi et al.: On the Convergence of Adam and Beyond (2018).
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta_1: float = 0.9, beta_2: float = 0.999,
        epsilon: float = 1e-7, amsgrad: bool = False, *args: Any, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, beta_1, beta_2, epsilon, *args, **kwargs)
        self.amsgrad = amsgrad

    def build(self, variables: Sequence[Variable]) -> None:
        """Make the means."""
        if not self.built:
            super().build(variables)
            if self.amsgrad:
                self._greatest = self.add_optimizer_variables(variables, "velocity_hat")

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable by its gradient."""
        first, second = self.corrections(variable.dtype)
        rate = cast(learning_rate, variable.dtype) * sqrt(second) / first
        m, v = self.moments(gradient, variable)
        if not self.amsgrad:
            self.finish(variable, m * rate / (sqrt(v) + self.epsilon), m, v)
            return
        state = self._greatest[self._get_variable_index(variable)]
        greatest = maximum(state.read_value(), v)
        self.finish(variable, m * rate / (sqrt(greatest) + self.epsilon), m, v)
        self.assign(state, greatest)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "amsgrad": self.amsgrad}


class AdamW(Adam):
    """Optimizer: Adam with weight decay.  ValueError if ``weight_decay`` is None.

    Loshchilov and Hutter: Decoupled Weight Decay Regularization (2019).
    """

    def __init__(
        self, learning_rate: Any = 0.001, weight_decay: float = 0.004, beta_1: float = 0.9,
        beta_2: float = 0.999, epsilon: float = 1e-7, amsgrad: bool = False, *args: Any,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            learning_rate, beta_1, beta_2, epsilon, amsgrad, weight_decay, *args, **kwargs
        )
        if weight_decay is None:
            raise ValueError("Argument `weight_decay` must be a float. Received: weight_decay=None")


class Adamax(MomentsOptimizer):
    """Optimizer: Adam with the greatest recent gradient in the place of the mean of squares."""

    _SECOND = "norm"

    def __init__(
        self, learning_rate: Any = 0.001, beta_1: float = 0.9, beta_2: float = 0.999,
        epsilon: float = 1e-7, *args: Any, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, beta_1, beta_2, epsilon, *args, **kwargs)

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable by its gradient."""
        rate = cast(learning_rate, variable.dtype) / self.corrections(variable.dtype)[0]
        at = self._get_variable_index(variable)
        first, greatest = self._momentums[at], self._seconds[at]
        m, u = first.read_value(), greatest.read_value()
        m = m + (gradient - m) * (1.0 - self.beta_1)
        u = maximum(u * self.beta_2, abs(gradient))
        self.finish(variable, m * rate / (u + self.epsilon), m, u)


class Nadam(MomentsOptimizer):
    """Optimizer: Adam with Nesterov's momentum.

    Dozat: Incorporating Nesterov Momentum into Adam (2016).
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta_1: float = 0.9, beta_2: float = 0.999,
        epsilon: float = 1e-7, *args: Any, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, beta_1, beta_2, epsilon, *args, **kwargs)

    def build(self, variables: Sequence[Variable]) -> None:
        """Make the means, and the product of the momenta so far."""
        if not self.built:
            super().build(variables)
            self._product = self.add_variable((), "ones")

    def _update(self, grads: list[Any], variables: list[Variable]) -> None:
        """Update all variables, and then the product, which they share."""
        super()._update(grads, variables)
        self._product.assign(self._product * self._momentum_at(1, self._product.dtype))

    def _momentum_at(self, later: int, dtype: Any) -> Any:
        """Return the momentum of an iteration counted from the last one."""
        step = cast(self.iterations + later, dtype)
        return self.beta_1 * (1.0 - 0.5 * pow(cast(0.96, dtype), step))

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable by its gradient."""
        dtype = variable.dtype
        now, then = self._momentum_at(1, dtype), self._momentum_at(2, dtype)
        product = cast(self._product, dtype) * now
        m, v = self.moments(gradient, variable)
        mean = then * m / (1.0 - product * then) + (1.0 - now) * gradient / (1.0 - product)
        divisor = sqrt(v / self.corrections(dtype)[1]) + self.epsilon
        self.finish(variable, mean * cast(learning_rate, dtype) / divisor, m, v)


class Lamb(MomentsOptimizer):
    """Optimizer: Adam with steps in proportion to the norm of the variable.

    You et al.: Large Batch Optimization for Deep Learning (2019).
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta_1: float = 0.9, beta_2: float = 0.999,
        epsilon: float = 1e-7, *args: Any, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, beta_1, beta_2, epsilon, *args, **kwargs)

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable by its gradient."""
        first, second = self.corrections(variable.dtype)
        m, v = self.moments(gradient, variable)
        step = m / first / (sqrt(v / second) + self.epsilon)
        size, length = norm(variable.read_value()), norm(step)
        ratio = where(size > 0, where(length > 0, size / length, 1.0), 1.0)
        self.finish(variable, ratio * cast(learning_rate, variable.dtype) * step, m, v)
