"""Derivative words: where a row's derivative stands, and how complex numbers go through it.

A derivative of a line stands in its row.  A longer one, or one that needs rows from further down
the list of families, is a function of runtime/ops/gradients/<family>.py, to which the row points by
``grad=written("family.function")``: that file is imported when a derivative is first asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from runtime.ops.op import lookup


class Written:
    """A derivative that stands in a file of runtime/ops/gradients/, imported on first use."""

    __slots__ = ("_function", "place")

    def __init__(self, place: str) -> None:
        self.place = place
        self._function: Callable[..., Any] | None = None

    def function(self) -> Callable[..., Any]:
        """The function itself; an ImportError or AttributeError when it is not there."""
        if self._function is None:
            family, _, name = self.place.partition(".")
            module = importlib.import_module(f"runtime.ops.gradients.{family}")
            self._function = getattr(module, name)
        return self._function

    def __call__(self, *values: Any, **attrs: Any) -> tuple[Any, ...]:
        """The gradients, one for each input."""
        return (self._function or self.function())(*values, **attrs)

    def __repr__(self) -> str:
        return f"written({self.place!r})"


def written(place: str) -> Written:
    """The derivative ``"family.function"`` of runtime/ops/gradients/."""
    return Written(place)


def holomorphic(grad: Callable[..., Any]) -> Callable[..., Any]:
    """``grad``, written as for real numbers, for a function that also is one of complex numbers.

    The gradient of a real loss by a complex number is ``dL/dRe + i dL/dIm``, as in TensorFlow: the
    output's gradient times the *conjugate* of the slope.  ``grad`` must be linear in its last
    argument, the gradient of the one output.
    """

    def derivative(*values: Any, **attrs: Any) -> tuple[Any, ...]:
        dy = values[-1]
        if not dy.dtype.is_complex:
            return grad(*values, **attrs)
        conj = lookup("conj")
        found = grad(*values[:-1], conj(dy), **attrs)
        return tuple([None if g is None else _then(conj, g) for g in found])

    return derivative


def _then(conj: Callable[..., Any], gradient: Any) -> Any:
    """The conjugate of a gradient, which may still have to be asked for."""
    return (lambda: conj(gradient())) if callable(gradient) else conj(gradient)
