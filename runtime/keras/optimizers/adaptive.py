"""Optimizers with a learning rate for each element: Adagrad and its relatives, Ftrl, Adafactor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.keras import initializers
from runtime.keras.optimizers.optimizer import Optimizer
from runtime.ops.array.constants import cast
from runtime.ops.array.shape import expand_dims
from runtime.ops.math.clipping import clip_by_value
from runtime.ops.math.elementwise import maximum, minimum, pow, rsqrt, sqrt, square
from runtime.ops.math.reduction import reduce_mean
from runtime.state.variable import Variable


class Adagrad(Optimizer):
    """Optimizer: steps divided by the root of the sum of squares of all gradients.

    Duchi, Hazan, Singer: Adaptive Subgradient Methods (2011).
    """

    def __init__(
        self, learning_rate: Any = 0.001, initial_accumulator_value: float = 0.1,
        epsilon: float = 1e-7, *args: Any, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, *args, **kwargs)
        self.initial_accumulator_value, self.epsilon = initial_accumulator_value, epsilon

    def build(self, variables: Sequence[Variable]) -> None:
        """Make the sums."""
        if not self.built:
            super().build(variables)
            initial = initializers.Constant(self.initial_accumulator_value)
            self._sums = self.add_optimizer_variables(variables, "accumulator", initial)

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable by its gradient."""
        state = self._sums[self._get_variable_index(variable)]
        total = state + square(gradient)
        step = cast(learning_rate, variable.dtype) * gradient / sqrt(total + self.epsilon)
        self.assign_sub(variable, step)
        self.assign(state, total)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        arguments = {
            "initial_accumulator_value": self.initial_accumulator_value, "epsilon": self.epsilon
        }
        return {**super().get_config(), **arguments}


class Adadelta(Optimizer):
    """Optimizer: steps in proportion to the roots of means of squares of steps and gradients.

    Zeiler: ADADELTA (2012).
    """

    def __init__(
        self, learning_rate: Any = 0.001, rho: float = 0.95, epsilon: float = 1e-7, *args: Any,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, *args, **kwargs)
        self.rho, self.epsilon = rho, epsilon

    def build(self, variables: Sequence[Variable]) -> None:
        """Make the means."""
        if not self.built:
            super().build(variables)
            names = ("accumulated_grad", "accumulated_delta_var")
            self._gradients, self._steps = self.add_optimizer_variables(variables, names)

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable by its gradient."""
        at = self._get_variable_index(variable)
        gradients, steps = self._gradients[at], self._steps[at]
        before = steps.read_value()
        squares = self.rho * gradients + (1.0 - self.rho) * square(gradient)
        step = -sqrt(before + self.epsilon) / sqrt(squares + self.epsilon) * gradient
        after = self.rho * before + (1.0 - self.rho) * square(step)
        self.assign_add(variable, cast(learning_rate, variable.dtype) * step)
        self.assign(gradients, squares)
        self.assign(steps, after)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "rho": self.rho, "epsilon": self.epsilon}


class RMSprop(Optimizer):
    """Optimizer: steps divided by the root of a mean of squares of gradients.

    With ``centered`` of their variance; with ``momentum`` steps go on.  Tieleman and Hinton (2012).
    """

    def __init__(
        self, learning_rate: Any = 0.001, rho: float = 0.9, momentum: float = 0.0,
        epsilon: float = 1e-7, centered: bool = False, *args: Any, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, *args, **kwargs)
        self.rho, self.momentum, self.epsilon, self.centered = rho, momentum, epsilon, centered

    def build(self, variables: Sequence[Variable]) -> None:
        """Make the means, and the steps."""
        if not self.built:
            super().build(variables)
            self._squares = self.add_optimizer_variables(variables, "velocity")
            if self.momentum > 0:
                self._steps = self.add_optimizer_variables(variables, "momentum")
            if self.centered:
                self._means = self.add_optimizer_variables(variables, "average_gradient")

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable by its gradient."""
        at = self._get_variable_index(variable)
        squares = self.rho * self._squares[at] + (1.0 - self.rho) * square(gradient)
        states = [(self._squares[at], squares)]
        if self.centered:
            mean = self.rho * self._means[at] + (1.0 - self.rho) * gradient
            states.append((self._means[at], mean))
            squares = squares - square(mean)
        step = cast(learning_rate, variable.dtype) * gradient * rsqrt(squares + self.epsilon)
        if self.momentum > 0:
            step = self.momentum * self._steps[at] + step
            states.append((self._steps[at], step))
        self.assign_sub(variable, step)
        for state, value in states:
            self.assign(state, value)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        arguments = {
            "rho": self.rho, "momentum": self.momentum, "epsilon": self.epsilon,
            "centered": self.centered,
        }  # fmt: skip
        return {**super().get_config(), **arguments}


class Ftrl(Optimizer):
    """Optimizer: follow the regularized leader, for many features of which few are there.

    McMahan et al.: Ad Click Prediction (2013).  ValueError for factors out of range.
    """

    def __init__(
        self, learning_rate: Any = 0.001, learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1, l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0, l2_shrinkage_regularization_strength: float = 0.0,
        beta: float = 0.0, *args: Any, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, *args, **kwargs)
        self._own: dict[str, float] = {
            "learning_rate_power": learning_rate_power,
            "initial_accumulator_value": initial_accumulator_value,
            "l1_regularization_strength": l1_regularization_strength,
            "l2_regularization_strength": l2_regularization_strength,
            "l2_shrinkage_regularization_strength": l2_shrinkage_regularization_strength,
            "beta": beta,
        }
        for name, value in self._own.items():
            power = name == "learning_rate_power"
            if value > 0 if power else value < 0:
                sign = "negative or zero" if power else "positive or zero"
                raise ValueError(f"`{name}` needs to be {sign}. Received: {name}={value}.")

    def build(self, variables: Sequence[Variable]) -> None:
        """Make the sums of squares, and the linear terms."""
        if not self.built:
            super().build(variables)
            initial = initializers.Constant(self._own["initial_accumulator_value"])
            self._sums, self._linears = self.add_optimizer_variables(
                variables, ("accumulator", "linear"), (initial, "zeros")
            )

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable by its gradient."""
        arguments = self._own
        rate = cast(learning_rate, variable.dtype)
        at = self._get_variable_index(variable)
        value, before = variable.read_value(), self._sums[at].read_value()
        total = before + square(gradient)
        power = -arguments["learning_rate_power"]
        scale = pow(total, power)
        shrunk = gradient + 2.0 * arguments["l2_shrinkage_regularization_strength"] * value
        linear = self._linears[at] + shrunk - (scale - pow(before, power)) / rate * value
        l1 = arguments["l1_regularization_strength"]
        l2 = arguments["l2_regularization_strength"] + arguments["beta"] / (2.0 * rate)
        self.assign(variable, (clip_by_value(linear, -l1, l1) - linear) / (scale / rate + 2.0 * l2))
        self.assign(self._sums[at], total)
        self.assign(self._linears[at], linear)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), **self._own}


class Adafactor(Optimizer):
    """Optimizer: Adam's divisors from the means of rows and columns alone, to save memory.

    Shazeer and Stern: Adafactor (2018).  With ``relative_step`` the learning rate is at most
    1 divided by the root of the number of the step.
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta_2_decay: float = -0.8, epsilon_1: float = 1e-30,
        epsilon_2: float = 1e-3, clip_threshold: float = 1.0, relative_step: bool = True,
        *args: Any, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, *args, **kwargs)
        self._own: dict[str, Any] = {
            "beta_2_decay": beta_2_decay, "epsilon_1": epsilon_1, "epsilon_2": epsilon_2,
            "clip_threshold": clip_threshold, "relative_step": relative_step,
        }  # fmt: skip

    def build(self, variables: Sequence[Variable]) -> None:
        """Make the means: of the squares of vectors, of rows and columns of matrices.

        Each variable has three, as in Keras' files; those that it does not need stay as they are.
        """
        if self.built:
            return
        super().build(variables)
        self._means: list[tuple[Variable, ...]] = []
        for variable in variables:
            sizes = variable.shape.as_list()
            is_matrix = len(sizes) > 1
            shapes = [sizes[:-1], [*sizes[:-2], sizes[-1]]] if is_matrix else [(), ()]
            by_axis = [
                self.add_variable(shape, dtype=variable.dtype, name=variable.name)
                for shape in shapes
            ]
            squares = self.add_variable_from_reference(variable, "velocity")
            self._means.append(tuple(by_axis) if is_matrix else (squares,))

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable by its gradient."""
        arguments, dtype = self._own, variable.dtype
        step = cast(self.iterations + 1, dtype)
        rate = cast(learning_rate, dtype)
        rate = minimum(rate, rsqrt(step))  # also without relative_step, as in Keras
        rate = maximum(arguments["epsilon_2"], _root_mean_square(variable.read_value())) * rate
        decay = 1.0 - pow(step, arguments["beta_2_decay"])
        squares = square(gradient) + arguments["epsilon_1"]
        means = self._means[self._get_variable_index(variable)]
        for axis, state in zip((-1, -2), means):
            now = squares if len(means) == 1 else reduce_mean(squares, axis=axis)
            self.assign(state, decay * state + (1.0 - decay) * now)
        divisor = means[0].read_value()
        if len(means) == 2:
            rows = divisor / reduce_mean(divisor, axis=-1, keepdims=True)
            divisor = expand_dims(rows, -1) * expand_dims(means[1].read_value(), -2)
        scaled = gradient * rsqrt(divisor)
        scaled = scaled / maximum(1.0, _root_mean_square(scaled) / arguments["clip_threshold"])
        self.assign_sub(variable, rate * scaled)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), **self._own}


def _root_mean_square(x: Any) -> Any:
    """Return the root of the mean of the squares of all elements."""
    return sqrt(reduce_mean(square(x)))
