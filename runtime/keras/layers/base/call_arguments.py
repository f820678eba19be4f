"""Arguments of a layer's ``call`` and ``build``: what their signatures say, and conversions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.keras import dtype_policies as policies
from runtime.keras.layers.base.masks import mask_of, set_mask
from runtime.keras.layers.base.tracking import Opaque
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.shape import shape
from runtime.ops.math.elementwise import divide_no_nan
from runtime.types import nest
from runtime.types.composite import composite_of
from runtime.types.shapes import TensorShape, TensorSpec
from runtime.types.value import Value


class CallSignature(Opaque):
    """Parameters of a layer's ``call``."""

    __slots__ = ("has_training", "masks", "names", "signature", "takes_any")

    def __init__(self, call: Callable[..., Any]) -> None:
        self.signature = inspect.signature(call)
        parameters = self.signature.parameters.values()
        self.takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters)
        self.names = [p.name for p in parameters if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
        self.has_training = "training" in self.names
        self.masks = {"mask": self.names[0]} if "mask" in self.names[1:] else {}
        """Arguments whose masks other arguments are: ``mask`` is the first one's."""
        for name in self.names:
            if name.endswith("_mask") and name.removesuffix("_mask") in self.names:
                self.masks[name] = name.removesuffix("_mask")

    def bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments by name; TypeError where they do not fit."""
        return dict(self.signature.bind(*args, **kwargs).arguments)

    def put(self, name: str, value: Any, args: list[Any], kwargs: dict[str, Any]) -> None:
        """Set an argument of a call, which may be given as a positional None."""
        place = self.names.index(name) if name in self.names else len(args)
        if place < len(args):
            args[place] = value
        else:
            kwargs[name] = value


def is_tensor(value: Any) -> bool:
    """Return whether a value is a tensor, also one of several parts."""
    return isinstance(value, Value) or composite_of(value) is not None


def as_inputs(value: Any, dtype: Any) -> Any:
    """Convert arrays in an argument of a call to tensors, and floats among them to a dtype.

    A list of plain numbers, or of such lists, is one tensor.  ``dtype`` None converts no floats.
    """
    if type(value) is list and value and _is_numbers(value):
        value = np.asarray(value)
    if isinstance(value, Value):
        return _cast(value, dtype)
    if isinstance(value, np.ndarray | np.generic):
        return _cast(convert_to_tensor(value), dtype)
    if isinstance(value, list | tuple | dict):
        return nest.map_structure(lambda leaf: _leaf(leaf, dtype), value)
    return value


def floats(value: Any, dtype: Any) -> Any:
    """Convert a tensor of ints or bools to a dtype; its mask goes with it."""
    kind: Any = getattr(value, "dtype", None) if isinstance(value, Value) else None
    if kind is None or not (kind.is_integer or kind.is_bool):
        return value
    converted = cast(value, dtype)
    set_mask(converted, mask_of(value))
    return converted


def _leaf(value: Any, dtype: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        value = convert_to_tensor(value)
    return _cast(value, dtype) if isinstance(value, Value) else value


def _is_numbers(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return bool(value) and all(map(_is_numbers, value))
    return isinstance(value, int | float)


def _cast(tensor: Any, dtype: Any) -> Any:
    if dtype is None or tensor.dtype is dtype or not tensor.dtype.is_floating:
        return tensor
    return cast(tensor, dtype)


def shape_of(value: Any) -> tuple[int | None, ...] | None:
    """Return the static shape of a tensor as a tuple; None for an unknown rank."""
    shape = value.shape
    return None if shape.rank is None else tuple(shape.as_list())


def shapes_in(value: Any) -> Any:
    """Return a nest with the shapes of the tensors in it; the shape of a tensor itself."""
    if is_tensor(value):
        return shape_of(value)
    if isinstance(value, dict):
        return {name: shapes_in(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [shapes_in(entry) for entry in value]
    return None


def holds_tensors(value: Any) -> bool:
    """Return whether there is a tensor in a nest."""
    if is_tensor(value):
        return True
    if isinstance(value, dict):
        return any(map(holds_tensors, value.values()))
    return isinstance(value, list | tuple) and any(map(holds_tensors, value))


def build_arguments(build: Callable[..., Any], bound: dict[str, Any]) -> dict[str, Any] | None:
    """Return the shapes that ``build`` takes, for the arguments of a call; None for no parameters.

    A single parameter takes the shape of the first argument; several are called ``NAME_shape``,
    for the argument ``NAME``.  TypeError where such an argument is missing.
    """
    parameters = inspect.signature(build).parameters.values()
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    values = [value for value in bound.values() if holds_tensors(value)]
    if not names:
        return None
    if len(names) == 1:
        by_name = names[0].removesuffix("_shape")
        chosen = bound.get(by_name) if names[0].endswith("_shape") else None
        return {names[0]: shapes_in(values[0] if chosen is None and values else chosen)}
    shapes = {}
    for parameter in parameters:
        argument = parameter.name.removesuffix("_shape")
        if bound.get(argument) is not None:
            shapes[parameter.name] = shapes_in(bound[argument])
        elif parameter.default is parameter.empty and parameter.name in names:
            raise TypeError(
                f"build() takes {parameter.name!r}, but the call has no argument {argument!r}: "
                f"name the parameters of build() after those of call(), with '_shape' appended"
            )
    return shapes


def check_is_tensor(layer: Any, first: Any) -> None:
    """Raise ValueError for a first argument that is none, where ``build`` needs its shape."""
    parameters = list(inspect.signature(layer.build).parameters.values())
    if first is not None and not isinstance(first, int | float | str):
        return
    if not parameters or parameters[0].default is not inspect.Parameter.empty:
        return
    if first is None:
        raise ValueError(
            "Inputs to a layer should be tensors. Got 'None' (of type <class 'NoneType'>) as input "
            f"for layer {layer.name!r}."
        )
    raise ValueError(
        f"Only input tensors may be passed as positional arguments of layer {layer.name!r}. The "
        f"following argument value should be passed as a keyword argument: {first} (of type "
        f"{type(first)})"
    )


def normalized_dtype(dtype: Any) -> Any:
    """Return the dtype of weights for a dtype or policy, its name, or None for the global one."""
    return policies.get(dtype).dtypes[0]


def by_sample(loss: Any, output: Any) -> Any:
    """Divide a loss of an output by the number of samples; a batch of none has no loss."""
    if not output.shape.rank:
        return loss
    return divide_no_nan(loss, cast(shape(output)[0], loss.dtype))


def specs_of(shape: Any, dtype: Any) -> Any:
    """Return specs for a shape, or for the shapes in a nest."""
    if isinstance(shape, dict):
        return {name: specs_of(entry, dtype) for name, entry in shape.items()}
    if isinstance(shape, list | tuple) and any(isinstance(p, list | tuple | dict) for p in shape):
        return type(shape)([specs_of(entry, dtype) for entry in shape])
    return TensorSpec(TensorShape(shape), dtype)
