"""Moving averages of variables, which optimizers keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.control_flow.cond import cond
from runtime.ops.array.constants import cast, identity
from runtime.state.variable import Variable


class MovingAverages:
    """Exponential moving averages of variables; the first average is the first value.

    ValueError unless the momentum is in [0, 1] and the frequency None or an int of at least 1.
    """

    def __init__(self, used: bool, momentum: float, frequency: int | None) -> None:
        if used and not 0 <= momentum <= 1:
            raise ValueError(
                f"`ema_momentum` must be in the range [0, 1]. Received: ema_momentum={momentum}"
            )
        if used and frequency and not (isinstance(frequency, int) and frequency >= 1):
            raise ValueError(
                "`ema_overwrite_frequency` must be an integer >= 1 or None. Received: "
                f"ema_overwrite_frequency={frequency}"
            )
        self.momentum = momentum
        self.frequency = frequency
        self.variables: list[Variable] = []

    def update(self, trained: Sequence[Variable], iterations: Any) -> None:
        """Move the averages towards the variables; replace these every so many steps."""
        for variable, average in zip(trained, self.variables):
            later = cast(iterations != 0, variable.dtype)
            momentum = later * self.momentum
            average.assign(momentum * average + (1.0 - momentum) * variable)
        if self.frequency:
            due = (iterations + 1) % self.frequency == 0
            cond(due, self._replace(trained), lambda: identity(0))

    def _replace(self, trained: Sequence[Variable]) -> Any:
        def replace() -> Any:
            for variable, average in zip(trained, self.variables):
                variable.assign(average.read_value())
            return identity(0)

        return replace

    def overwrite(self, variables: Sequence[Variable], positions: Mapping[int, int]) -> None:
        """Replace variables by their averages."""
        for variable in variables:
            variable.assign(self.variables[positions[id(variable)]].read_value())
