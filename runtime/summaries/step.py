"""The default step of summaries: ``summary.experimental.set_step`` and ``get_step``."""

from __future__ import annotations

from typing import Any

from autograph.errors import StagingError
from runtime.summaries import defaults

__all__ = ["get_step", "set_step"]


def set_step(step: Any) -> None:
    """Set the default step of this thread.

    Args:
        step: an int, a scalar integer tensor or a variable, which is read at each summary; None for
            no default.
    Returns:
        None.
    Raises:
        StagingError: a graph is being built.
    """
    defaults.change("step", step)


def get_step() -> Any:
    """Return the default step of this thread.

    Returns:
        What was set; None if nothing was.
    Raises:
        StagingError: a graph is being built, which may run at other steps.
    """
    step = defaults.DEFAULTS.get().step
    if defaults.function_graph() is not None and not hasattr(step.value, "assign_add"):
        raise StagingError(
            "summary.experimental.get_step() would be fixed in the graph that is being built",
            help="pass the step to the function, or set a variable as the default step",
        )
    return step.value
