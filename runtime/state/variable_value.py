"""The value of a variable as ``variable.value``: Keras' attribute, and TensorFlow's method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.types.value import HasOperators

if TYPE_CHECKING:
    from runtime.eager.tensor import Tensor


class VariableValue(HasOperators):
    """The tensor that a variable had when it was asked for; called, that tensor itself.

    It has the operators and attributes of the tensor, and is converted where tensors are.
    """

    __slots__ = ("_tensor",)
    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, tensor: Any) -> None:
        self._tensor = tensor

    def __call__(self) -> Tensor:
        """Return the tensor."""
        return self._tensor

    read_value = __call__

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the tensor."""
        if name.startswith("__") or name == "_tensor":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self._tensor, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return VariableValue, (self._tensor,)

    def __repr__(self) -> str:
        return repr(self._tensor)
