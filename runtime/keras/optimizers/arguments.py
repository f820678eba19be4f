"""Checks of the arguments that all optimizers take."""

from __future__ import annotations

from typing import Any


def check_clipping(*limits: float | None) -> None:
    """Raise ValueError if several ways of clipping are given."""
    if sum(limit is not None for limit in limits) > 1:
        norm, value, global_norm = limits
        raise ValueError(
            "Only one of `clipnorm`, `clipvalue` and `global_clipnorm` can be set. Received: "
            f"clipnorm={norm}, clipvalue={value}, global_clipnorm={global_norm}"
        )


def check_at_least(name: str, value: Any, least: int) -> None:
    """Raise ValueError unless a value is None or an int of at least ``least``."""
    if value and not (isinstance(value, int) and value >= least):
        raise ValueError(f"`{name}` must be an integer >= {least}. Received: {name}={value}")


def checked_rate(value: Any) -> Any:
    """Return a learning rate; ValueError unless it is a number or can be called.

    Keras takes floats alone, also negative ones; whole numbers are taken here, from zero on.
    """
    is_number = isinstance(value, float) or isinstance(value, int) and value >= 0
    if not callable(value) and not is_number:
        raise ValueError(
            "Argument `learning_rate` should be float, or an instance of LearningRateSchedule, or "
            "a callable without arguments that returns the learning rate. Received instead: "
            f"learning_rate={value}"
        )
    return value
