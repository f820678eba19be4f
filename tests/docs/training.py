"""What docs/examples shows of examples/training: the source as it is there."""

from __future__ import annotations

import importlib
import inspect
import textwrap
from collections.abc import Callable
from pathlib import Path

PARTS = {
    "characters": ("    @tf.function(", "\n\n    def get_config"),
    "variational": ("class Sampling", "\n\n\n"),
    "actor_critic": ("    def episode", "\n\n    def "),
}
"""By page: where the part that it shows begins in the example, and what follows it."""


def source(name: str) -> str:
    """The part of an example that its page shows."""
    module = importlib.import_module(f"examples.training.{name}")
    text = Path(inspect.getfile(module)).read_text(encoding="utf-8")
    first, after = PARTS[name]
    start = text.index(first)
    return textwrap.dedent(text[start : text.index(after, start + 1)]) + "\n"


SHOWN: dict[str, Callable[[], str]] = {
    f"example {name}": lambda name=name: source(name) for name in PARTS
}
