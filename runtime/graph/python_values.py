"""Symbolic tensors that stand for a Python number, bool or text: weak ones, in promotion's words.

``staging/python_numbers`` gives them Python's attributes and operators.
"""

from __future__ import annotations

from typing import Any

from runtime.types.conversion import to_array
from runtime.types.promotion import WEAK_DTYPE

PYTHON_KINDS = {bool: "bool", int: "int", float: "float", complex: "complex", str: "str"}
"""The classes whose values are staged as weak tensors, and what Python calls them."""


def weak_array(value: Any) -> Any:
    """Return a Python number or text as the array of a weak tensor; OverflowError beyond 64 bits.
    """
    return to_array(value, WEAK_DTYPE[PYTHON_KINDS[type(value)]])


def weak_constant(graph: Any, value: Any) -> Any:
    """Record a Python number or text as a weak constant; OverflowError beyond 64 bits."""
    return graph.constant(weak_array(value), weak=True)


def as_python_value(tensor: Any) -> Any:
    """Mark a new tensor as one that stands for a Python number, bool or text."""
    tensor.weak = True
    return tensor
