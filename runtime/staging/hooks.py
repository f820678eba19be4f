"""What staging gives to the rooms below it, which import nothing of it; see backend.py."""

from __future__ import annotations

from typing import Any

from autograph import staging
from autograph.errors import UnconvertedError
from autograph.staging import RUN, StagedText, current_run
from runtime.control_flow import abstract_value
from runtime.graph.staging_hooks import STAGING


def _run_id() -> int:
    """Return the run id of the converted code that records now; for graphs."""
    return RUN.get().number or current_run()  # most ids are announced: no call


def _explain(error: UnconvertedError, *replacement: Any) -> UnconvertedError:
    """Say which code is not converted; for graphs."""
    return staging.explain_unconverted(error, *replacement)  # the name costs an import


def fill() -> None:
    """Fill the hooks."""
    STAGING.run_id = _run_id
    STAGING.explain = _explain
    abstract_value.WEAK_KINDS[StagedText] = "str"
