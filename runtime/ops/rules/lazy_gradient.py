"""Gradient rules that are imported on first use, and the extension of rules to complex numbers.

A gradient rule of one line stands in the op's definition.  A longer rule, or one that needs ops of
families loaded later, is a function in runtime/ops/gradients/<family>.py; the definition refers to
it by ``grad=lazy_gradient("family.function")``.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from runtime.ops.op import lookup


class LazyGradient:
    """Gradient rule in a file of runtime/ops/gradients/, imported on first use."""

    __slots__ = ("_function", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self._function: Callable[..., Any] | None = None

    def function(self) -> Callable[..., Any]:
        """Import and return the rule; ImportError or AttributeError when there is none."""
        if self._function is None:
            family, _, name = self.name.partition(".")
            module = importlib.import_module(f"runtime.ops.gradients.{family}")
            self._function = getattr(module, name)
        return self._function

    def __call__(self, *values: Any, **attrs: Any) -> tuple[Any, ...]:
        """Compute the gradients, one for each input."""
        return (self._function or self.function())(*values, **attrs)

    def __repr__(self) -> str:
        return f"lazy_gradient({self.name!r})"


def lazy_gradient(name: str) -> LazyGradient:
    """Refer to the gradient rule ``"family.function"`` of runtime/ops/gradients/."""
    return LazyGradient(name)


def holomorphic(grad: Callable[..., Any]) -> Callable[..., Any]:
    """Extend a gradient rule for real numbers to a holomorphic function of complex numbers.

    The gradient of a real loss by a complex number is ``dL/dRe + i dL/dIm``, as in TensorFlow: the
    output's gradient times the *conjugate* of the derivative.  ``grad`` must be linear in its last
    argument, the gradient of the one output.
    """

    def derivative(*values: Any, **attrs: Any) -> tuple[Any, ...]:
        dy = values[-1]
        if not dy.dtype.is_complex:
            return grad(*values, **attrs)
        conj = lookup("conj")
        gradients = grad(*values[:-1], conj(dy), **attrs)
        return tuple([None if g is None else _then(conj, g) for g in gradients])

    return derivative


def _then(conj: Callable[..., Any], gradient: Any) -> Any:
    """Conjugate a gradient, or a function that computes it on demand."""
    return (lambda: conj(gradient())) if callable(gradient) else conj(gradient)
