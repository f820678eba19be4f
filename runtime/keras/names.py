"""Names of layers, losses and metrics: ``dense``, ``dense_1``, ``dense_2`` ..."""

from __future__ import annotations

import collections
import re
import threading

_NOT_WORDS = re.compile(r"\W+")


def snake_case(name: str) -> str:
    """Return the name of a class as that of an instance: ``Conv2DTranspose``, ``conv2d_transpose``.
    """
    name = _NOT_WORDS.sub("", name)
    # "LSTMCell" has a boundary before "Cell", "myLayer" one before "Layer"
    name = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()


class _Counts(threading.local):
    """How many names of each kind the thread has given out."""

    def __init__(self) -> None:
        self.by_prefix: collections.Counter[str] = collections.Counter()


_counts = _Counts()


def unique_name(prefix: str) -> str:
    """Return the prefix, with a number from the second time on."""
    number = _counts.by_prefix[prefix]
    _counts.by_prefix[prefix] += 1
    return f"{prefix}_{number}" if number else prefix


def reset_names() -> None:
    """Start anew: the next layer of each class has no number."""
    _counts.by_prefix.clear()
