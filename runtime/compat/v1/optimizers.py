"""TensorFlow 1's optimizers, whose formulas and first values differ from Keras' in places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.compat.v1.optimizer import Optimizer
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.where import where
from runtime.ops.math.elementwise import abs, pow, rsqrt, sign, sqrt, square
from runtime.state.indexed_slices import IndexedSlices
from runtime.state.variable import Variable

__all__ = [
    "AdadeltaOptimizer", "AdagradOptimizer", "AdamOptimizer", "FtrlOptimizer",
    "GradientDescentOptimizer", "MomentumOptimizer", "Optimizer", "RMSPropOptimizer",
]  # fmt: skip


class GradientDescentOptimizer(Optimizer):
    """Optimizer: ``variable -= learning_rate * gradient``."""

    def __init__(
        self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent"
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate

    def _apply_dense(self, grad: Any, var: Variable) -> Any:
        return var.assign_sub(grad * self._number(self._learning_rate, var))

    def _apply_sparse(self, grad: Any, var: Variable) -> Any:
        step = cast(grad.values, var.dtype) * self._number(self._learning_rate, var)
        return var.scatter_sub(IndexedSlices(step, grad.indices, grad.dense_shape))


class _OfRows(Optimizer):
    """Base of optimizers that leave rows without a gradient, of IndexedSlices, as they are."""

    def _changes(self, grad: Any, var: Variable) -> Sequence[tuple[Variable, Any]]:
        """Return new values of the slots and of the variable."""
        raise NotImplementedError

    def _apply_dense(self, grad: Any, var: Variable) -> Any:
        return self._change(self._changes(grad, var))

    def _apply_sparse(self, grad: Any, var: Variable) -> Any:
        return self._change(self._changes(cast(convert_to_tensor(grad), var.dtype), var), grad)


class MomentumOptimizer(_OfRows):
    """Optimizer: steps along ``accumulation = momentum * accumulation + gradient``.

    With ``use_nesterov`` the step is that of the next accumulation.
    """

    def __init__(
        self, learning_rate: Any, momentum: Any, use_locking: bool = False, name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._learning_rate, self._momentum = learning_rate, momentum
        self._use_nesterov = use_nesterov

    def _create_slots(self, var_list: Sequence[Variable]) -> None:
        for var in var_list:
            self._zeros_slot(var, "momentum", self._name)

    def _changes(self, grad: Any, var: Variable) -> Sequence[tuple[Variable, Any]]:
        rate, momentum = self._number(self._learning_rate, var), self._number(self._momentum, var)
        slot = self.get_slot(var, "momentum")
        total = slot * momentum + grad
        step = grad * rate + total * momentum * rate if self._use_nesterov else total * rate
        return (var, var - step), (slot, total)


class AdamOptimizer(Optimizer):
    """Optimizer: steps of a mean of gradients, divided by the root of a mean of their squares.

    ``epsilon`` is added to the root before it is corrected for the first steps: "epsilon hat" in
    Kingma and Ba, Adam, 2014.
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
        epsilon: Any = 1e-8, use_locking: bool = False, name: str = "Adam",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._lr, self._beta1, self._beta2, self._epsilon = learning_rate, beta1, beta2, epsilon

    def _create_slots(self, var_list: Sequence[Variable]) -> None:
        first = min(var_list, key=lambda var: str(var.name))
        self._powers = (
            self._other("beta1_power", _known(self._beta1), first),
            self._other("beta2_power", _known(self._beta2), first),
        )
        for var in var_list:
            self._zeros_slot(var, "m", self._name)
            self._zeros_slot(var, "v", self._name)

    def _apply_dense(self, grad: Any, var: Variable) -> Any:
        beta1, beta2 = self._number(self._beta1, var), self._number(self._beta2, var)
        power1, power2 = (cast(power.read_value(), var.dtype) for power in self._powers)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        rate = self._number(self._lr, var) * sqrt(1.0 - power2) / (1.0 - power1)
        mean = m + (grad - m) * (1.0 - beta1)
        spread = v + (square(grad) - v) * (1.0 - beta2)
        step = rate * mean / (sqrt(spread) + self._number(self._epsilon, var))
        return self._change([(var, var - step), (m, mean), (v, spread)])

    def _finish(self, update_ops: Sequence[Any], name_scope: str) -> Any:
        return [
            power.assign(power * self._number(beta, power))
            for power, beta in zip(self._powers, (self._beta1, self._beta2), strict=True)
        ]


class RMSPropOptimizer(_OfRows):
    """Optimizer: steps divided by the root of a mean of squares of gradients, which begins at 1.

    ``epsilon`` is added under the root.  With ``centered`` the square of the mean is subtracted
    from the mean of squares.
    """

    def __init__(
        self, learning_rate: Any, decay: Any = 0.9, momentum: Any = 0.0, epsilon: Any = 1e-10,
        use_locking: bool = False, centered: bool = False, name: str = "RMSProp",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._learning_rate, self._decay, self._momentum = learning_rate, decay, momentum
        self._epsilon, self._centered = epsilon, centered

    def _create_slots(self, var_list: Sequence[Variable]) -> None:
        for var in var_list:
            self._filled_slot(var, "rms", self._name, 1.0)
            if self._centered:
                self._zeros_slot(var, "mg", self._name)
            self._zeros_slot(var, "momentum", self._name)

    def _changes(self, grad: Any, var: Variable) -> Sequence[tuple[Variable, Any]]:
        decay = self._number(self._decay, var)
        rms, momentum = self.get_slot(var, "rms"), self.get_slot(var, "momentum")
        squares = rms + (square(grad) - rms) * (1.0 - decay)
        changes = [(rms, squares)]
        divisor = squares + self._number(self._epsilon, var)
        if self._centered:
            mg = self.get_slot(var, "mg")
            mean = mg + (grad - mg) * (1.0 - decay)
            changes.append((mg, mean))
            divisor = divisor - square(mean)
        rate, share = self._number(self._learning_rate, var), self._number(self._momentum, var)
        step = momentum * share + rate * grad * rsqrt(divisor)
        return [(var, var - step), *changes, (momentum, step)]


class AdagradOptimizer(_OfRows):
    """Optimizer: steps divided by the root of the sum of squares of all gradients.

    ValueError unless ``initial_accumulator_value`` is positive.
    """

    def __init__(
        self, learning_rate: Any, initial_accumulator_value: float = 0.1, use_locking: bool = False,
        name: str = "Adagrad",
    ) -> None:  # fmt: skip
        if initial_accumulator_value <= 0.0:
            raise ValueError(
                f"initial_accumulator_value must be positive: {initial_accumulator_value}"
            )
        super().__init__(use_locking, name)
        self._learning_rate, self._initial = learning_rate, initial_accumulator_value

    def _create_slots(self, var_list: Sequence[Variable]) -> None:
        for var in var_list:
            self._filled_slot(var, "accumulator", self._name, self._initial)

    def _changes(self, grad: Any, var: Variable) -> Sequence[tuple[Variable, Any]]:
        slot = self.get_slot(var, "accumulator")
        total = slot + square(grad)
        step = self._number(self._learning_rate, var) * grad * rsqrt(total)
        return (var, var - step), (slot, total)


class AdadeltaOptimizer(_OfRows):
    """Optimizer: steps in proportion to the roots of means of squares of steps and gradients."""

    def __init__(
        self, learning_rate: Any = 0.001, rho: Any = 0.95, epsilon: Any = 1e-8,
        use_locking: bool = False, name: str = "Adadelta",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._lr, self._rho, self._epsilon = learning_rate, rho, epsilon

    def _create_slots(self, var_list: Sequence[Variable]) -> None:
        for var in var_list:
            self._zeros_slot(var, "accum", self._name)
            self._zeros_slot(var, "accum_update", self._name)

    def _changes(self, grad: Any, var: Variable) -> Sequence[tuple[Variable, Any]]:
        rho, epsilon = self._number(self._rho, var), self._number(self._epsilon, var)
        squares, steps = self.get_slot(var, "accum"), self.get_slot(var, "accum_update")
        now = squares * rho + square(grad) * (1.0 - rho)
        step = sqrt(steps + epsilon) * rsqrt(now + epsilon) * grad
        after = steps * rho + square(step) * (1.0 - rho)
        return (var, var - self._number(self._lr, var) * step), (squares, now), (steps, after)


class FtrlOptimizer(_OfRows):
    """Optimizer: follows the regularized leader.

    McMahan et al., Ad Click Prediction: a View from the Trenches, 2013.  ValueError for numbers out
    of range.
    """

    def __init__(
        self, learning_rate: Any, learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1, l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0, use_locking: bool = False, name: str = "Ftrl",
        accum_name: str | None = None, linear_name: str | None = None,
        l2_shrinkage_regularization_strength: float = 0.0, beta: float | None = None,
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        for label, value in (
            ("initial_accumulator_value", initial_accumulator_value),
            ("l1_regularization_strength", l1_regularization_strength),
            ("l2_regularization_strength", l2_regularization_strength),
            ("l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength),
        ):
            if value < 0.0:
                raise ValueError(f"{label} {value} needs to be greater than or equal to zero")
        if learning_rate_power > 0.0:
            raise ValueError(
                f"learning_rate_power {learning_rate_power} needs to be negative or zero"
            )
        self._learning_rate, self._power = learning_rate, learning_rate_power
        self._initial = initial_accumulator_value
        self._l1, self._l2 = l1_regularization_strength, l2_regularization_strength
        self._shrinkage, self._beta = l2_shrinkage_regularization_strength, beta or 0.0
        self._accum_name, self._linear_name = accum_name, linear_name

    def _create_slots(self, var_list: Sequence[Variable]) -> None:
        for var in var_list:
            self._filled_slot(var, "accum", self._accum_name or self._name, self._initial)
            self._zeros_slot(var, "linear", self._linear_name or self._name)

    def _changes(self, grad: Any, var: Variable) -> Sequence[tuple[Variable, Any]]:
        rate = self._number(self._learning_rate, var)
        squares, linear = self.get_slot(var, "accum"), self.get_slot(var, "linear")
        shrunk = grad + 2.0 * self._shrinkage * var.read_value()
        total = squares + square(grad)
        before, now = pow(squares, -self._power), pow(total, -self._power)
        sums = linear + shrunk - (now - before) / rate * var.read_value()
        divisor = now / rate + 2.0 * (self._l2 + self._beta / (2.0 * rate))
        value = where(abs(sums) > self._l1, (sign(sums) * self._l1 - sums) / divisor, 0.0)
        return (var, value), (squares, total), (linear, sums)


def _known(value: float | Callable[[], float]) -> Any:
    return value() if callable(value) else value
