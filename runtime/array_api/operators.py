"""Operators between tensors that promote as the array API standard says: a switch, off at first.

TensorFlow's operators never convert a tensor.  While the switch is on, the operator methods of
``Tensor`` are wrapped: operands of one kind come in their common dtype, ``@`` takes vectors, and
``//`` by infinity goes by the quotient.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.array_api.elementwise import floor_divide
from runtime.array_api.linalg import matmul
from runtime.array_api.promotion import cast, is_scalar, result_type
from runtime.eager import Tensor
from runtime.value import Value

_ARITHMETIC = "add sub mul truediv floordiv mod pow and or xor lshift rshift matmul"
NAMES = [f"__{side}{name}__" for name in _ARITHMETIC.split() for side in ("", "r")]
NAMES += ["__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"]

_originals: dict[str, Callable[[Any, Any], Any]] = {}


def _promoting(name: str, method: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def operator(self: Any, other: Any) -> Any:
        if isinstance(other, Value):
            dtype = result_type(self, other)
            self, other = cast(self, dtype), cast(other, dtype)
        elif type(other) is complex and self.dtype.is_floating:
            self = cast(self, result_type(self, other))
        return method(self, other)

    def product(self: Any, other: Any) -> Any:
        if isinstance(other, Value):
            return matmul(self, other) if name == "__matmul__" else matmul(other, self)
        return method(self, other)

    def quotient(self: Any, other: Any) -> Any:
        if isinstance(other, Value) or is_scalar(other):
            return floor_divide(*((other, self) if name == "__rfloordiv__" else (self, other)))
        return method(self, other)

    wrapped = product if "matmul" in name else quotient if "floordiv" in name else operator
    wrapped.__name__, wrapped.__doc__ = name, method.__doc__
    return wrapped


def promote_operators(enabled: bool = True) -> None:
    """Let operators between tensors promote as the standard says, or no longer.

    For the whole process.  Off, as in TensorFlow, tensors of two dtypes are an error.
    """
    if enabled and not _originals:
        for name in NAMES:
            if name in vars(Tensor):
                _originals[name] = vars(Tensor)[name]
                setattr(Tensor, name, _promoting(name, _originals[name]))
    elif not enabled:
        while _originals:
            setattr(Tensor, *_originals.popitem())
