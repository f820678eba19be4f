"""Python functions as operations: ``py_function``, ``numpy_function``, ``py_func``.

Under eager execution they are called at once.  In a graph they are called whenever the operation
runs, in program order.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from runtime.eager.tensor import Tensor, wrap
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.graph.trace import current_graph
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.control_flow.py_function import as_array, for_numpy, name_of, py_func_op, several
from runtime.types.dtypes import DType, as_dtype
from runtime.types.errors import MismatchedTypesError
from runtime.types.shapes import TensorSpec

__all__ = ["numpy_function", "py_func", "py_function"]


def _recorded(
    call: Callable[..., Any], tensors: list[Any], dtypes: tuple[DType, ...], name: str | None
) -> Any:
    """Record a call; return the list of outputs, or the operation if there are none."""
    outputs = py_func_op(*tensors, call=call, dtypes=dtypes, name=name)
    return outputs if isinstance(outputs, Operation) else list(outputs)


def _types(Tout: Any) -> tuple[tuple[DType, ...], list[Any]]:
    """Return the dtypes and shapes of the results."""
    specs = list(Tout) if isinstance(Tout, list | tuple) else [Tout]
    dtypes = tuple([s.dtype if isinstance(s, TensorSpec) else as_dtype(s) for s in specs])
    return dtypes, [s.shape if isinstance(s, TensorSpec) else None for s in specs]


def _returned(outputs: Any, Tout: Any, shapes: list[Any]) -> Any:
    if isinstance(outputs, Operation):
        return outputs
    for output, shape in zip(outputs, shapes, strict=True):
        if shape is not None:
            output.set_shape(shape)
    return outputs if isinstance(Tout, list | tuple) else outputs[0]


def _as_tensor(value: Any, dtype: DType, number: int, function: Any) -> Tensor:
    try:
        tensor: Tensor = convert_to_tensor(value, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise MismatchedTypesError(
            f"{number}-th value returned by {name_of(function)}: {error}"
        ) from None
    return tensor


def _inputs(inp: Any) -> tuple[list[Any], bool]:
    """Convert the inputs to tensors; the second result says whether to call at once."""
    listed = inp if isinstance(inp, list | tuple) else [inp]
    tensors = [convert_to_tensor(value) for value in listed]
    staged = any(isinstance(tensor, SymbolicTensor) for tensor in tensors)
    return tensors, current_graph() is None and not staged


def _check(function: Any, inp: Any, Tout: Any, what: str) -> None:
    if not callable(function):
        raise ValueError(f"{what}: Expected func to be callable. Received func={function!r}")
    if inp is None:
        raise TypeError(f"Missing required argument: 'inp' of {what}")
    if Tout is None:
        raise TypeError(
            f"Missing required argument: 'Tout' of {what}: the dtypes of what it returns, [] for "
            "nothing"
        )


class EagerCall:
    """Function of arrays that calls a function of eager tensors, which tapes can record."""

    def __init__(self, eagerly: Callable[..., list[Tensor]], name: str) -> None:
        self.eagerly = eagerly
        self.__name__ = name

    def __call__(self, *arrays: Any) -> list[Any]:
        return [tensor._array for tensor in self.eagerly(*map(wrap, arrays))]


def py_function(
    func: Callable[..., Any] | None = None, inp: Any = None, Tout: Any = None,
    name: str | None = None,
) -> Any:
    """Call a Python function with eager tensors, in a graph when the graph runs.

    It has derivatives: of any order under eager execution, of first order in graphs.

    Args:
        func: function of as many eager tensors as ``inp`` has; it returns a value, or a list of
            values, that convert to the dtypes ``Tout``.  Without it, a decorator is returned.
        inp: tensor or list of tensors.
        Tout: dtype or TensorSpec of the result, or a list of these; ``[]`` for no result.
        name: name of the operation.

    Returns:
        A tensor, or a list of tensors if ``Tout`` is a list; the operation if there are none.

    Raises:
        TypeError: ``inp`` or ``Tout`` is missing.
        ValueError: ``func`` is not callable.
        InvalidArgumentError: a result has another dtype, or their number differs from ``Tout``.
        Exceptions of ``func`` are raised unchanged.
    """
    if func is None:
        return functools.partial(_decorated, py_function, Tout=Tout, name=name)
    _check(func, inp, Tout, "py_function")
    dtypes, shapes = _types(Tout)
    tensors, at_once = _inputs(inp)

    def call(*values: Any) -> list[Any]:
        results = several(func(*values), dtypes, func)
        pairs = enumerate(zip(results, dtypes, strict=True))
        return [_as_tensor(value, dtype, k, func) for k, (value, dtype) in pairs]

    if at_once:
        return _returned(call(*tensors), Tout, shapes)

    kernel = EagerCall(call, name_of(func))
    return _returned(_recorded(kernel, tensors, dtypes, name), Tout, shapes)


def numpy_function(
    func: Callable[..., Any] | None = None, inp: Any = None, Tout: Any = None,
    stateful: bool = True, name: str | None = None,
) -> Any:
    """Call a Python function with copies of NumPy arrays, in a graph when the graph runs.

    Python numbers among the results are converted to the dtypes; arrays must have them.  There are
    no
    derivatives.

    Args:
        func: function of NumPy arrays; None returns a decorator.
        inp: list of tensors.
        Tout: dtype or TensorSpec of the result, or a list of them; an empty list for none.
        stateful: without effect; the function is called each time.
    Returns:
        Tensor or list of tensors of the dtypes ``Tout``.
    Raises:
        TypeError: an argument is invalid.  A run raises InvalidArgumentError for results of other
            dtypes or of another number.
    """
    if func is None:
        return functools.partial(_decorated, numpy_function, Tout=Tout, name=name)
    _check(func, inp, Tout, "numpy_function")
    dtypes, shapes = _types(Tout)
    tensors, at_once = _inputs(inp)

    def call(*arrays: Any) -> list[Any]:
        results = several(func(*map(for_numpy, arrays)), dtypes, func)
        pairs = enumerate(zip(results, dtypes, strict=True))
        return [as_array(value, dtype, k, func) for k, (value, dtype) in pairs]

    if at_once:
        found = [wrap(array) for array in call(*[tensor._array for tensor in tensors])]
        return _returned(found, Tout, shapes)
    call.__name__ = name_of(func)
    return _returned(_recorded(call, tensors, dtypes, name), Tout, shapes)


def py_func(
    func: Callable[..., Any], inp: Any, Tout: Any, stateful: bool = True, name: str | None = None
) -> Any:
    """Call a Python function with NumPy arrays: TensorFlow 1's name of ``numpy_function``.

    Args:
        func: function of NumPy arrays.
        inp: list of tensors.
        Tout: dtype or TensorSpec of the result, or a list of them; an empty list for none.
        stateful: without effect; the function is called each time.
    Returns:
        Tensor or list of tensors of the dtypes ``Tout``.
    """
    return numpy_function(func, inp, Tout, stateful, name)


def _decorated(
    wrapper: Callable[..., Any], func: Callable[..., Any], Tout: Any, name: str | None
) -> Callable[..., Any]:
    @functools.wraps(func)
    def call(*args: Any) -> Any:
        return wrapper(func, args, Tout, name=name)

    return call
