"""Learning rates that change with the number of updates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from runtime.keras.identifiers import by_name, identified
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.where import where
from runtime.ops.math.elementary import cos, log
from runtime.ops.math.elementwise import ceil, floor, minimum, pow
from runtime.types.aliases import TensorLike
from runtime.types.annexes import explained as _explained

__all__ = [
    "CosineDecay", "CosineDecayRestarts", "ExponentialDecay", "InverseTimeDecay",
    "LearningRateSchedule", "PiecewiseConstantDecay", "PolynomialDecay", "deserialize", "serialize",
]  # fmt: skip


class LearningRateSchedule:
    """Base of schedules: called with a number of updates, they return a learning rate."""

    _config: dict[str, Any]

    def __call__(self, step: TensorLike) -> Any:
        """Return the learning rate after ``step`` updates, a scalar."""
        raise NotImplementedError(
            f"Learning rate schedule '{type(self).__name__}' must override `__call__(self, step)`."
        )

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, from which ``from_config`` makes an equal schedule."""
        if "_config" in vars(self):
            return dict(self._config)
        raise NotImplementedError(
            f"Learning rate schedule '{type(self).__name__}' must override `get_config()` in order "
            "to be serializable."
        )

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Make a schedule from its arguments."""
        return cls(**config)

    def _keep(self, **config: Any) -> None:
        """Note the arguments, also as attributes."""
        self._config = config
        vars(self).update(config)

    def _numbers(self, step: TensorLike, *names: str) -> list[Any]:
        """Return the initial rate, the step and other arguments as tensors of one dtype."""
        initial = convert_to_tensor(self._config["initial_learning_rate"])
        numbers = [cast(self._config[name], initial.dtype) for name in names]
        return [initial, cast(step, initial.dtype), *numbers]


class ExponentialDecay(LearningRateSchedule):
    """Schedule ``initial_learning_rate * decay_rate ** (step / decay_steps)``.

    With ``staircase`` the exponent is rounded down.
    """

    def __init__(
        self, initial_learning_rate: float, decay_steps: int, decay_rate: float,
        staircase: bool = False, name: str = "ExponentialDecay",
    ) -> None:  # fmt: skip
        self._keep(
            initial_learning_rate=initial_learning_rate, decay_steps=_positive(decay_steps),
            decay_rate=decay_rate, staircase=staircase, name=name,
        )  # fmt: skip

    def __call__(self, step: TensorLike) -> Any:
        """Return the learning rate after ``step`` updates, a scalar."""
        initial, step, steps, rate = self._numbers(step, "decay_steps", "decay_rate")
        exponent = step / steps
        return initial * pow(rate, floor(exponent) if self._config["staircase"] else exponent)


class InverseTimeDecay(LearningRateSchedule):
    """Schedule ``initial_learning_rate / (1 + decay_rate * step / decay_steps)``.

    With ``staircase`` the quotient of steps is rounded down.
    """

    def __init__(
        self, initial_learning_rate: float, decay_steps: int, decay_rate: float,
        staircase: bool = False, name: str = "InverseTimeDecay",
    ) -> None:  # fmt: skip
        self._keep(
            initial_learning_rate=initial_learning_rate, decay_steps=_positive(decay_steps),
            decay_rate=decay_rate, staircase=staircase, name=name,
        )  # fmt: skip

    def __call__(self, step: TensorLike) -> Any:
        """Return the learning rate after ``step`` updates, a scalar."""
        initial, step, steps, rate = self._numbers(step, "decay_steps", "decay_rate")
        progress = step / steps
        return initial / (1.0 + rate * (floor(progress) if self._config["staircase"] else progress))


class PiecewiseConstantDecay(LearningRateSchedule):
    """Schedule ``values[i]`` up to and with the step ``boundaries[i]``, and the last value then.

    ValueError unless there is one value more than boundaries.
    """

    def __init__(
        self, boundaries: Sequence[float], values: Sequence[float], name: str = "PiecewiseConstant"
    ) -> None:
        if len(boundaries) != len(values) - 1:
            raise ValueError(
                "The length of boundaries should be 1 less than the length of values. Received: "
                f"boundaries={boundaries} of length {len(boundaries)}, and values={values} of "
                f"length {len(values)}."
            )
        self._keep(boundaries=boundaries, values=values, name=name)

    def __call__(self, step: TensorLike) -> Any:
        """Return the learning rate after ``step`` updates, a scalar."""
        values = [convert_to_tensor(value) for value in self._config["values"]]
        step = convert_to_tensor(step)
        rate = values[-1]
        for boundary, value in zip(reversed(self._config["boundaries"]), reversed(values[:-1])):
            rate = where(step <= cast(boundary, step.dtype), value, rate)
        return rate


class PolynomialDecay(LearningRateSchedule):
    """Schedule from one learning rate to another: ``(1 - step / decay_steps) ** power``.

    With ``cycle`` it begins again and again, each time with more steps.
    """

    def __init__(
        self, initial_learning_rate: float, decay_steps: int, end_learning_rate: float = 0.0001,
        power: float = 1.0, cycle: bool = False, name: str = "PolynomialDecay",
    ) -> None:  # fmt: skip
        self._keep(
            initial_learning_rate=initial_learning_rate, decay_steps=_positive(decay_steps),
            end_learning_rate=end_learning_rate, power=power, cycle=cycle, name=name,
        )  # fmt: skip

    def __call__(self, step: TensorLike) -> Any:
        """Return the learning rate after ``step`` updates, a scalar."""
        names = ("decay_steps", "end_learning_rate", "power")
        initial, step, steps, end, power = self._numbers(step, *names)
        if self._config["cycle"]:
            steps = steps * where(step == 0, cast(1.0, step.dtype), ceil(step / steps))
        else:
            step = minimum(step, steps)
        return (initial - end) * pow(1.0 - step / steps, power) + end


class CosineDecay(LearningRateSchedule):
    """Schedule along half a cosine, to ``alpha`` times the learning rate at ``decay_steps``.

    With ``warmup_target`` it first grows evenly to that in ``warmup_steps`` updates.
    """

    def __init__(
        self, initial_learning_rate: float, decay_steps: int, alpha: float = 0.0,
        name: str = "CosineDecay", warmup_target: float | None = None, warmup_steps: int = 0,
    ) -> None:  # fmt: skip
        self._keep(
            initial_learning_rate=initial_learning_rate, decay_steps=_positive(decay_steps),
            alpha=alpha, name=name, warmup_target=warmup_target, warmup_steps=warmup_steps,
        )  # fmt: skip

    def __call__(self, step: TensorLike) -> Any:
        """Return the learning rate after ``step`` updates, a scalar."""
        initial, step, steps, warmup = self._numbers(step, "decay_steps", "warmup_steps")
        target = self._config["warmup_target"]
        if target is None:
            return self._decayed(initial, minimum(step, steps) / steps)
        step = minimum(step, steps + warmup)
        rising = initial + (target - initial) * step / warmup
        return where(step < warmup, rising, self._decayed(target, (step - warmup) / steps))

    def _decayed(self, rate: Any, progress: Any) -> Any:
        alpha = self._config["alpha"]
        return rate * ((1.0 - alpha) * _cosine(progress) + alpha)


class CosineDecayRestarts(LearningRateSchedule):
    """Schedule along half cosines, each ``t_mul`` times as long as the one before.

    Each begins at ``m_mul`` times the learning rate of the one before, and ends at ``alpha`` times
    the first one.  Loshchilov and Hutter: SGDR (2017).
    """

    def __init__(
        self, initial_learning_rate: float, first_decay_steps: int, t_mul: float = 2.0,
        m_mul: float = 1.0, alpha: float = 0.0, name: str = "SGDRDecay",
    ) -> None:  # fmt: skip
        self._keep(
            initial_learning_rate=initial_learning_rate,
            first_decay_steps=_positive(first_decay_steps, "first_decay_steps"), t_mul=t_mul,
            m_mul=m_mul, alpha=alpha, name=name,
        )  # fmt: skip

    def __call__(self, step: TensorLike) -> Any:
        """Return the learning rate after ``step`` updates, a scalar."""
        names = ("first_decay_steps", "t_mul", "m_mul", "alpha")
        initial, step, steps, longer, factor, alpha = self._numbers(step, *names)
        progress = step / steps
        if self._config["t_mul"] == 1.0:
            restarts = floor(progress)
            progress = progress - restarts
        else:
            restarts = floor(log(1.0 - progress * (1.0 - longer)) / log(longer))
            before = (1.0 - pow(longer, restarts)) / (1.0 - longer)
            progress = (progress - before) / pow(longer, restarts)
        return initial * ((1.0 - alpha) * pow(factor, restarts) * _cosine(progress) + alpha)


def _cosine(progress: Any) -> Any:
    """Return half a cosine: 1 at 0, 0 at 1."""
    return 0.5 * (1.0 + cos(math.pi * progress))


def _positive(steps: Any, name: str = "decay_steps") -> Any:
    """Return a number of steps; ValueError unless it is above 0."""
    if isinstance(steps, int | float) and steps <= 0:
        raise ValueError(f"Argument `{name}` must be > 0. Received: {name}={steps}")
    return steps


_CLASSES = (
    CosineDecay, CosineDecayRestarts, ExponentialDecay, InverseTimeDecay, PiecewiseConstantDecay,
    PolynomialDecay,
)  # fmt: skip
deserialize, _get, serialize = identified("learning rate schedule", by_name(_CLASSES))


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
