"""Which optimiser passes run: TensorFlow's names of groups of them, as ``config.optimizer`` has it.

passes/pipeline.py asks here before each plan is made.
"""

from __future__ import annotations

from typing import Any

from runtime.types.errors import UnimplementedError
from runtime.types.settings import SETTINGS

GROUPS: dict[str, tuple[str, ...]] = {
    "arithmetic_optimization": ("simplify", "share"),
    "constant_folding": ("fold", "decide"),
    "function_optimization": ("inline",),
    "loop_optimization": ("freeze", "hoist"),
    "shape_optimization": ("propagate",),
    "remapping": ("reuse",),
}
"""What switches which passes on (the default) and off."""

OFF = {"disable_model_pruning": ("prune",), "disable_meta_optimizer": ("*",)}
"""What switches passes off."""

NOTHING = (
    "dependency_optimization", "implementation_selector", "layout_optimizer", "min_graph_nodes",
    "pin_to_host_optimization", "scoped_allocator_optimization",
)  # fmt: skip
"""What has nothing to switch here: kept, and given back."""

REFUSED = {
    "auto_mixed_precision": "computes in less than the dtypes that the program names",
    "debug_stripper": "takes away the program's assertions and prints",
}

_options: dict[str, Any] = {}
_PASSES = "passes switched off"


def switched_off() -> frozenset[str]:
    """The names of the passes that do not run; ``*`` stands for all."""
    off = [n for name, names in GROUPS.items() if not _options.get(name, True) for n in names]
    off += [n for name, names in OFF.items() if _options.get(name, False) for n in names]
    return frozenset(off)


SETTINGS.change(_PASSES, switched_off())


def set_experimental_options(options: dict[str, Any]) -> None:
    """Switch groups of optimiser passes on and off, for all plans that are made or used from now.

    ``{"constant_folding": False}``; ``{"disable_meta_optimizer": True}`` runs graphs as they were
    recorded.  ValueError for a name that there is not, UnimplementedError for an option that would
    change what a program computes.
    """
    for name, value in options.items():
        if name in REFUSED and value:
            raise UnimplementedError(f"{name} {REFUSED[name]}: leave it out")
        if name not in (*GROUPS, *OFF, *NOTHING, *REFUSED):
            known = ", ".join(sorted((*GROUPS, *OFF, *NOTHING)))
            raise ValueError(f"There is no optimizer option {name!r}; there are {known}")
    _options.update(options)
    SETTINGS.change(_PASSES, switched_off())


def get_experimental_options() -> dict[str, Any]:
    """The options that were set."""
    return dict(_options)


def forget() -> None:
    """Take all options back: everything is on."""
    _options.clear()
    SETTINGS.change(_PASSES, switched_off())
