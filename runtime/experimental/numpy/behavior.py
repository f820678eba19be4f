"""``experimental_enable_numpy_behavior``: operators, indices and methods of tensors as NumPy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.eager.tensor import Tensor
from runtime.experimental.numpy import arrangement, composed, promotion, reductions
from runtime.experimental.numpy.elementwise import FUNCTIONS as BY_ELEMENT
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.dispatch import Operator, set_operator_rule
from runtime.types.dtypes import as_dtype

_OPERANDS = (Tensor, np.ndarray, np.generic, bool, int, float, complex, list, tuple)
_COMPUTED = {
    "__truediv__": "divide", "__floordiv__": "floor_divide", "__mod__": "mod", "__pow__": "power",
    "__matmul__": "matmul",
}  # fmt: skip
"""Operators for which functions are called, whose dtypes differ from the operator's."""


def _promoted(method_name: str, operator: Operator, self: Any, other: Any) -> Any:
    """Return the result of an operator between values of NumPy's common dtype."""
    if not isinstance(other, _OPERANDS):
        return operator(self, other)
    is_reflected = method_name.startswith("__r") and method_name != "__rshift__"
    plain = f"__{method_name[3:]}" if is_reflected else method_name
    if plain in _COMPUTED:
        name = _COMPUTED[plain]
        function = BY_ELEMENT.get(name) or composed.FUNCTIONS[name]
        return function(other, self) if is_reflected else function(self, other)
    return operator(*promotion.common(self, other))


def _axes_of(args: tuple[Any, ...]) -> Any:
    """Return sizes or axes that a method takes one by one, or as one sequence."""
    return args[0] if len(args) == 1 and not isinstance(args[0], int) else args


def _reshape(self: Any, *args: Any, order: str = "C") -> Any:
    """Return the elements in another shape."""
    return arrangement.reshape(self, _axes_of(args), order)


def _transpose(self: Any, *args: Any) -> Any:
    """Return the axes in another order, by default reversed."""
    return composed.FUNCTIONS["transpose"](self, _axes_of(args) if args else None)


def _astype(self: Any, dtype: Any) -> Any:
    """Return the elements in another dtype."""
    return cast(self, as_dtype(promotion.numpy_dtype(dtype)))


def _tolist(self: Any) -> Any:
    """Return nested lists of Python's numbers."""
    return np.asarray(self).tolist()


def _item_getter(indexed: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return the method that takes lists, tuples and bools in a key as NumPy does."""

    def __getitem__(self: Any, key: Any) -> Any:
        if isinstance(key, tuple):
            return indexed(self, tuple([_as_index(entry) for entry in key]))
        return indexed(self, _as_index(key) if isinstance(key, list) else key)

    return __getitem__


def _as_index(entry: Any) -> Any:
    return convert_to_tensor(np.asarray(entry)) if isinstance(entry, list | tuple) else entry


def _install_methods() -> None:
    """Give tensors NumPy's methods; once for the process."""
    if hasattr(Tensor, "astype"):
        return
    functions: dict[str, Any] = {
        "astype": _astype, "clip": composed.FUNCTIONS["clip"], "flatten": arrangement.flatten,
        "max": reductions.amax, "mean": reductions.mean, "min": reductions.amin,
        "ravel": composed.FUNCTIONS["ravel"], "reshape": _reshape, "tolist": _tolist,
        "transpose": _transpose, "__round__": arrangement.around,
        "__pos__": BY_ELEMENT["positive"],
    }  # fmt: skip
    for name, function in functions.items():
        setattr(Tensor, name, _method(function))
    setattr(Tensor, "T", property(_transpose))  # noqa: B010 - typed as another property
    getter: Any = Tensor.__getitem__
    setattr(Tensor, "__getitem__", _item_getter(getter))  # noqa: B010 - typed as a method


def _method(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    method.__name__ = getattr(function, "__name__", "method").lstrip("_")
    method.__doc__ = function.__doc__
    return method


def experimental_enable_numpy_behavior(
    prefer_float32: bool = False, dtype_conversion_mode: str = "legacy"
) -> None:
    """Let operators promote dtypes, and tensors have methods and indices, as NumPy has them.

    The operators are those of this thread; methods and indices are there for the process.

    Args:
        prefer_float32: whether Python's floats, and what ints become, are float32.
        dtype_conversion_mode: ``legacy``, for NumPy's rules, or ``off``, for none.
    Returns:
        None.
    Raises:
        ValueError: another mode.
    """
    if dtype_conversion_mode not in ("legacy", "off"):
        raise ValueError(
            "experimental_enable_numpy_behavior: dtype_conversion_mode must be 'legacy' or 'off' "
            f"here, got {dtype_conversion_mode!r}"
        )
    promotion.prefer_float32(prefer_float32)
    _install_methods()
    set_operator_rule(_promoted if dtype_conversion_mode == "legacy" else None)
