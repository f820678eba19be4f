"""Which optimiser passes run: TensorFlow's names of groups of them, as ``config.optimizer`` has it.

passes/pipeline.py asks here before each plan is made.
"""

from __future__ import annotations

from typing import Any

from runtime.types.errors import UnimplementedError
from runtime.types.settings import SETTINGS

PASSES_ON = (
    "arithmetic_optimization", "constant_folding", "function_optimization", "loop_optimization",
    "remapping", "shape_optimization",
)  # fmt: skip
"""What switches passes on (the default) and off; passes/pipeline.py names the option of each."""

PASSES_OFF = ("disable_meta_optimizer", "disable_model_pruning")
"""What switches passes off: all of them, and one."""

NOTHING = (
    "dependency_optimization", "implementation_selector", "layout_optimizer", "min_graph_nodes",
    "pin_to_host_optimization", "scoped_allocator_optimization",
)  # fmt: skip
"""What has nothing to switch here: kept, and given back."""

REFUSED = {
    "auto_mixed_precision": "computes in less than the dtypes that the program names",
    "debug_stripper": "takes away the program's assertions and prints",
}


class _Switches:
    """What was set, and what follows of it."""

    def __init__(self) -> None:
        self.options: dict[str, Any] = {}
        self.set({})

    def set(self, options: dict[str, Any]) -> None:
        """Add to what was set."""
        known = self.options
        known.update(options)
        off = [name for name in PASSES_ON if not known.get(name, True)]
        off += [name for name in PASSES_OFF if known.get(name, False)]
        self.off = frozenset(off)
        SETTINGS.change("passes switched off", self.off)


_switches = _Switches()


def switched_off() -> frozenset[str]:
    """The options whose passes do not run; ``disable_meta_optimizer`` stands for all passes."""
    return _switches.off


def set_experimental_options(options: dict[str, Any]) -> None:
    """Switch groups of optimiser passes on and off, for all plans that are made or used from now.

    ``{"constant_folding": False}``; ``{"disable_meta_optimizer": True}`` runs graphs as they were
    recorded.  ValueError for a name that there is not, UnimplementedError for an option that would
    change what a program computes.
    """
    for name, value in options.items():
        if name in REFUSED and value:
            raise UnimplementedError(f"{name} {REFUSED[name]}: leave it out")
        if name not in (*PASSES_ON, *PASSES_OFF, *NOTHING, *REFUSED):
            known = ", ".join(sorted((*PASSES_ON, *PASSES_OFF, *NOTHING)))
            raise ValueError(f"There is no optimizer option {name!r}; there are {known}")
    _switches.set(options)


def get_experimental_options() -> dict[str, Any]:
    """The options that were set."""
    return dict(_switches.options)


def forget() -> None:
    """Take all options back: everything is on."""
    _switches.options.clear()
    _switches.set({})
