"""Options of the optimiser: TensorFlow's names for groups of passes, set by ``config.optimizer``.

passes/pipeline.py reads them before each request is compiled.
"""

from __future__ import annotations

from typing import Any

from runtime.types.errors import UnimplementedError
from runtime.types.settings import SETTINGS

PASSES_ON = (
    "arithmetic_optimization", "constant_folding", "function_optimization", "loop_optimization",
    "remapping", "shape_optimization",
)  # fmt: skip
"""Options that switch passes on (the default) and off; passes/pipeline.py names that of each."""

PASSES_OFF = ("disable_meta_optimizer", "disable_model_pruning")
"""Options that switch passes off: all of them, and pruning."""

NOTHING = (
    "dependency_optimization", "implementation_selector", "layout_optimizer", "min_graph_nodes",
    "pin_to_host_optimization", "scoped_allocator_optimization",
)  # fmt: skip
"""Options without effect: stored and returned."""

REFUSED = {
    "auto_mixed_precision": "computes in less than the dtypes that the program names",
    "debug_stripper": "takes away the program's assertions and prints",
}


class _Switches:
    """Options that were set, and the passes that they switch off."""

    def __init__(self) -> None:
        self.options: dict[str, Any] = {}
        self.set({})

    def set(self, options: dict[str, Any]) -> None:
        """Update the options."""
        known = self.options
        known.update(options)
        off = [name for name in PASSES_ON if not known.get(name, True)]
        off += [name for name in PASSES_OFF if known.get(name, False)]
        self.off = frozenset(off)
        SETTINGS.change("passes switched off", self.off)


_switches = _Switches()


def switched_off() -> frozenset[str]:
    """Return the options that switch passes off; ``disable_meta_optimizer`` means all passes."""
    return _switches.off


def set_experimental_options(options: dict[str, Any]) -> None:
    """Switch groups of optimiser passes on and off, for all runs from now on.

    ``{"constant_folding": False}``; ``{"disable_meta_optimizer": True}`` runs graphs as they were
    recorded.  ValueError for an unknown option, UnimplementedError for an option that would change
    the results of a program.
    """
    for name, value in options.items():
        if name in REFUSED and value:
            raise UnimplementedError(f"{name} {REFUSED[name]}: leave it out")
        if name not in (*PASSES_ON, *PASSES_OFF, *NOTHING, *REFUSED):
            names = ", ".join(sorted((*PASSES_ON, *PASSES_OFF, *NOTHING)))
            raise ValueError(f"There is no optimizer option {name!r}; there are {names}")
    _switches.set(options)


def get_experimental_options() -> dict[str, Any]:
    """Return the options that were set."""
    return dict(_switches.options)


def forget() -> None:
    """Reset all options: all passes run."""
    _switches.options.clear()
    _switches.set({})
