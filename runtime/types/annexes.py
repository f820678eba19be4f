"""The list of annexes: rooms that the core does without, and whose names go with them.

The core is types, ops, eager, graph, engine, control_flow, autodiff, functions, staging and state;
it knows what annexes define by protocol and registration.  The lists of public names gather both:
each imports what an annex defines inside ``optional_annex()``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

ANNEXES = (
    "array_api",
    "compat",
    "composite",
    "containers",
    "data",
    "testing",
)


def is_missing_annex(error: ModuleNotFoundError) -> bool:
    """Whether an import failed because an annex is not installed."""
    return error.name in [f"runtime.{annex}" for annex in ANNEXES]


@contextlib.contextmanager
def optional_annex() -> Iterator[None]:
    """Skip the rest of a block of imports where an annex is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if not is_missing_annex(error):
            raise
