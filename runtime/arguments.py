"""What a call of a traced function is: its tensors, and a key for all the rest.

Calls with equal keys share a trace.  Tensors count by dtype and shape, Python values by type and
value, objects that have no value of their own by identity.
"""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime import interpreter, nest
from runtime.interpreter import Value
from runtime.types import TensorShape, TensorSpec
from runtime.variables import Variable

Shapes = tuple[TensorShape, ...]


class Call(NamedTuple):
    """One call, taken apart.

    key      equal for calls that may share a trace, but for the shapes of tensors
    shapes   the tensors' shapes
    tensors  the tensors (or their specs, when no call is made but a trace is asked for)
    args, kwargs  the arguments, bound to the signature
    """

    key: Hashable
    shapes: Shapes
    tensors: list[Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class Identity:
    """A key that is equal only for the very same object; keeps it alive only if it must."""

    __slots__ = ("_hash", "_ref")

    def __init__(self, value: Any) -> None:
        self._hash = id(value)
        try:
            self._ref: Callable[[], Any] = weakref.ref(value)
        except TypeError:
            self._ref = lambda: value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Identity):
            return NotImplemented
        mine = self._ref()
        return mine is not None and mine is other._ref()

    def __hash__(self) -> int:
        return self._hash


def is_tensor_argument(value: Any) -> bool:
    """Whether an argument is passed as a tensor rather than by value."""
    return isinstance(value, Value | np.ndarray | np.generic | TensorSpec)


def key_of(value: Any, tensors: list[Any]) -> Hashable:
    """The key of one argument; the tensors in it are appended to ``tensors``."""
    if isinstance(value, Value | TensorSpec):
        tensors.append(value)
        return value.dtype  # type: ignore[union-attr]
    if isinstance(value, np.ndarray | np.generic):
        tensors.append(interpreter.convert(value))
        return tensors[-1].dtype
    if value is None or isinstance(value, bool | int | str | bytes):
        return type(value), value
    if isinstance(value, float):
        return float, value.hex()  # tells 0.0 from -0.0, and NaN is NaN
    if isinstance(value, Variable):
        return Identity(value)
    if nest.is_nested(value):
        items = tuple([(k, key_of(v, tensors)) for k, v in nest.entries(value)])
        if nest.is_composite(value):
            return type(value), items, value.__tf_flatten__()[0]
        return type(value), items
    try:
        hash(value)
    except TypeError:
        return Identity(value)
    return (type(value), value) if "__eq__" in _defined(type(value)) else Identity(value)


def _defined(cls: type) -> set[str]:
    """The names that a class defines itself, or inherits from another than ``object``."""
    return {name for base in cls.__mro__[:-1] for name in vars(base)}


class Parameters:
    """The parameters of a Python function, and the types it takes if they were fixed."""

    def __init__(self, function: Callable[..., Any], input_signature: Any) -> None:
        self.name = getattr(function, "__name__", type(function).__name__)
        self.signature = inspect.signature(function)
        parameters = self.signature.parameters.values()
        simple = all(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters)
        self._simple = len(parameters) if simple else -1
        """The number of arguments, when all may be given by position; else -1."""
        self.specs: tuple[Any, ...] | None = None
        if input_signature is not None:
            self.specs = tuple(input_signature)
            for spec in nest.flatten(list(self.specs)):
                if not isinstance(spec, TensorSpec):
                    raise TypeError(
                        f"input_signature must be a sequence of nested TensorSpec objects, got "
                        f"{spec!r}. Give one TensorSpec(shape, dtype) for each tensor argument."
                    )

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
        """Take a call apart; TypeError when it does not fit the signature."""
        tensors: list[Any] = []
        if not kwargs and len(args) == self._simple and self.specs is None:
            key = tuple([key_of(a, tensors) for a in args])
            return Call((key, ()), tuple([t.shape for t in tensors]), tensors, args, kwargs)
        bound = self._bound(args, kwargs)
        key = (
            tuple([key_of(a, tensors) for a in bound.args]),
            tuple([(k, key_of(v, tensors)) for k, v in bound.kwargs.items()]),
        )
        shapes = tuple([t.shape for t in tensors])
        return Call(key, shapes, tensors, bound.args, bound.kwargs)

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> inspect.BoundArguments:
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self.name}() {error}") from None
        bound.apply_defaults()
        if self.specs is not None:
            self._fit(bound)
        return bound

    def _fit(self, bound: inspect.BoundArguments) -> None:
        """Convert the arguments to what the input signature asks for."""
        assert self.specs is not None
        names = list(bound.arguments)
        first = 1 if names and names[0] == "self" and len(names) > len(self.specs) else 0
        for name, spec in zip(names[first:], self.specs):
            value = bound.arguments[name]
            try:
                bound.arguments[name] = self._fitting(value, spec)
            except ValueError as error:
                raise TypeError(
                    f"{self.name}(): the argument {name!r} does not fit the input_signature: "
                    f"{error}"
                ) from None

    def _fitting(self, value: Any, spec: Any) -> Any:
        """An argument as tensors laid out as its specs; ValueError when it does not fit."""
        if not isinstance(spec, TensorSpec):
            if not nest.is_nested(value) or len(nest.entries(value)) != len(nest.entries(spec)):
                raise ValueError(f"it is {value!r}, but {spec!r} is expected")
            pairs = zip(nest.entries(value), nest.entries(spec), strict=True)
            return nest.rebuild(value, [self._fitting(v, s) for (_, v), (_, s) in pairs])
        if isinstance(value, TensorSpec):
            return spec
        tensor = interpreter.convert(value, spec.dtype)
        if not tensor.shape.is_compatible_with(spec.shape):
            raise ValueError(f"it has shape {tensor.shape}, but {spec.shape} is expected")
        return tensor

    def declared(self) -> tuple[Any, ...]:
        """The arguments that stand for any call, when an input signature was given."""
        if self.specs is None:
            raise ValueError(
                f"{self.name}: get_concrete_function() without arguments needs an "
                "input_signature; pass TensorSpec(shape, dtype) for each tensor"
            )
        return self.specs


def replaced(values: Any, tensors: Sequence[Any]) -> Any:
    """A nest of arguments, its tensors (in the order of ``key_of``) replaced."""
    return _replaced(values, iter(tensors))


def _replaced(value: Any, tensors: Any) -> Any:
    if is_tensor_argument(value):
        return next(tensors)
    if isinstance(value, Variable) or not nest.is_nested(value):
        return value
    return nest.rebuild(value, [_replaced(v, tensors) for _, v in nest.entries(value)])


def names_of(call: Call, signature: inspect.Signature) -> list[str]:
    """A name for each tensor: that of its parameter."""
    names: list[str] = []
    parameters = list(signature.parameters.values())
    for position, value in enumerate(call.args):
        parameter = parameters[min(position, len(parameters) - 1)]
        names += [parameter.name] * count_tensors(value)
    for name, value in call.kwargs.items():
        names += [name] * count_tensors(value)
    return names


def count_tensors(value: Any) -> int:
    """How many tensors there are in a nest of arguments."""
    if is_tensor_argument(value):
        return 1
    if isinstance(value, Variable) or not nest.is_nested(value):
        return 0
    return sum(count_tensors(v) for _, v in nest.entries(value))
