"""Derivatives by name, as TensorFlow 1 has them: ``RegisterGradient`` and what overrides mean.

``graph.gradient_override_map`` gives operations the name of another derivative than their row's;
reverse.py asks here what that name stands for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.ops.op import TABLE, Missing, OpDef

__all__ = ["NoGradient", "NotDifferentiable", "RegisterGradient", "no_gradient"]

Registered = Callable[..., Any]
_registered: dict[str, Registered | None] = {}


def _row_of(name: str) -> OpDef | None:
    """The row whose operations have this type."""
    return next((op_def for op_def in TABLE.values() if op_def.type_name == name), None)


def _enter(name: Any, function: Registered | None) -> None:
    if not isinstance(name, str):
        raise TypeError(f"op_type must be a string, got {name!r}")
    if name in _registered or _row_of(name) is not None:
        raise KeyError(f"Registering two gradient with name {name!r}! There is one already.")
    _registered[name] = function


class RegisterGradient:
    """Names a derivative: ``@RegisterGradient("Clipped") def f(op, *gradients): ...``.

    The function is given the operation and the gradients of its outputs, and gives that of each
    input, or None for none.  KeyError for a name that has a derivative, TypeError for no text.
    """

    def __init__(self, op_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError(f"op_type must be a string, got {op_type!r}")
        self._op_type = op_type

    def __call__(self, f: Registered) -> Registered:
        """Enter the function, and return it."""
        _enter(self._op_type, f)
        return f


def NotDifferentiable(op_type: str) -> None:
    """Name the derivative that is none: what operations with it take has no gradient."""
    _enter(op_type, None)


NoGradient = NotDifferentiable
no_gradient = NotDifferentiable


def registered(node: Any) -> Registered | None:
    """What the derivative is that an operation was given by name: a function, or None for none.

    LookupError for a name that nobody gave a derivative.
    """
    name = node.override
    if name in _registered:
        return _registered[name]
    op_def = _row_of(name)
    if op_def is None or isinstance(op_def.grad, Missing):
        raise LookupError(
            f"No gradient defined for operation {node.name!r} (op type: {name}), which "
            "gradient_override_map asks for. Define one with RegisterGradient."
        )
    grad = op_def.grad
    if grad is None:
        return None

    def function(op: Any, *gradients: Any) -> list[Any]:
        try:
            given = grad(*op.inputs, *op.outputs, *gradients)
        except TypeError as error:
            raise LookupError(
                f"The gradient of {name!r} does not fit the operation {op.name!r}: {error}"
            ) from error
        return [g() if callable(g) else g for g in given]

    return function
