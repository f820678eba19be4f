"""The marker base class of tensors, for files that must know a tensor without its classes.

At the bottom of the package: promotion and dispatch ask ``isinstance(x, Value)``; eager tensors,
symbolic tensors and variables derive from it.
"""

from __future__ import annotations


class Value:
    """What ops take and give: the marker base of eager and symbolic tensors."""

    __slots__ = ()
