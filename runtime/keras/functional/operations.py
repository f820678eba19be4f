"""Operations of functional models, outside of layers, as plain values in the form of Keras 3.

Where Keras has the operation it is written as Keras does, so that Keras reads it; others are
written by the names of this package, which reads both.
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from runtime.graph.operation import Operation
from runtime.keras import ops
from runtime.keras.names import snake_case
from runtime.ops import dispatch
from runtime.ops.array.concat_split import concat_op
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.indexing import getitem_op
from runtime.ops.math import elementary, elementwise, reduction
from runtime.ops.op import CONCATENATES, TABLE
from runtime.types.dtypes import DType, as_dtype
from runtime.types.shapes import TensorShape

_OWN = "runtime.ops"
_OF_KERAS = "keras.src.ops."
_CLASSES = {
    "Add": elementwise.add, "Subtract": elementwise.subtract, "Multiply": elementwise.multiply,
    "TrueDivide": elementwise.truediv, "Power": elementwise.pow,
    "Maximum": elementwise.maximum, "Minimum": elementwise.minimum,
    "Negative": elementwise.negative, "Absolute": elementwise.abs, "Square": elementwise.square,
    "Sqrt": elementwise.sqrt, "Exp": elementary.exp, "Log": elementary.log,
    "Tanh": elementary.tanh, "Sin": elementary.sin, "Cos": elementary.cos,
    "Mean": reduction.mean_op, "Sum": reduction.sum_op, "Max": reduction.max_op,
    "Min": reduction.min_op, "Concatenate": concat_op, "GetItem": getitem_op,
}  # fmt: skip
"""Operations on floats that Keras has, by its classes; their attributes have the same names."""
_CLASS_OF_OP = {op: name for name, op in _CLASSES.items()}


def is_constant(step: Any) -> bool:
    """Return whether a step is an operation that gives the same array each time."""
    return isinstance(step, Operation) and not step.inputs and "value" in step.attrs


def operation_config(step: Operation, name: str, of: Any) -> dict[str, Any]:
    """Return an operation as plain values; ``of`` describes the place of one of its inputs.

    ValueError for an operation that is no function of its inputs, such as the read of a variable.
    """
    arguments = [_array(t.op) if is_constant(t.op) else of(t) for t in step.inputs]
    attrs = {key: _plain(value, step) for key, value in step.attrs.items()}
    kind = _CLASS_OF_OP.get(step.op_def)
    if kind is None or not all(t.dtype.is_floating for t in (*step.inputs, *step.outputs)):
        described: dict[str, Any] = {
            "module": _OWN, "class_name": step.op_def.name, "config": {"name": name, **attrs},
            "registered_name": step.op_def.name,
        }  # fmt: skip
    else:
        arguments = [_number(argument) for argument in arguments]
        if CONCATENATES in step.op_def.traits:
            arguments = [arguments]  # Keras takes them as one argument, a list
        if "key" in attrs:  # an argument of the call, and of no constructor
            arguments.append(_unmarked(attrs.pop("key")))
        config = {"name": name, **{key: _unmarked(value) for key, value in attrs.items()}}
        described = {
            "module": f"{_OF_KERAS}numpy", "class_name": kind, "config": config,
            "registered_name": kind,
        }  # fmt: skip
    node: dict[str, Any] = {"args": arguments, "kwargs": {}}
    return {**described, "name": name, "inbound_nodes": [node]}


def is_operation(described: dict[str, Any]) -> bool:
    """Return whether plain values describe an operation, and no layer."""
    module = described.get("module") or ""
    return module == _OWN or module.startswith(_OF_KERAS)


class SavedOperation:
    """Operation that is read from a configuration; called with tensors, it is applied to them.

    TypeError for one that is not known.
    """

    def __init__(self, described: dict[str, Any]) -> None:
        self.name = described["name"]
        self._kind = str(described["class_name"])
        self._attrs = {key: v for key, v in described["config"].items() if key != "name"}
        self._is_own = described["module"] == _OWN
        self._function: Any = (
            TABLE.get(self._kind) if self._is_own
            else getattr(ops, snake_case(self._kind), None)
        )  # fmt: skip
        if self._kind == "GetItem":
            self._function = lambda x, key: x[_key(key)]
        if self._function is None:
            raise TypeError(f"Could not locate the operation {self._kind!r} of {self.name!r}.")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return what the operation gives."""
        if self._is_own:
            inputs = [convert_to_tensor(attribute) for attribute in args]
            attrs = {key: _value(attribute) for key, attribute in self._attrs.items()}
            return dispatch.apply(self._function, inputs, attrs)
        parameters = inspect.signature(self._function).parameters
        attrs = {key: attribute for key, attribute in self._attrs.items() if key in parameters}
        if len(attrs) < len(self._attrs.keys() - {"dtype", "trainable"}):
            raise TypeError(
                f"the operation {self._kind!r} of {self.name!r} has the arguments "
                f"{sorted(self._attrs)}; here it takes {sorted(parameters)}"
            )
        return self._function(*args, **{**attrs, **kwargs})


def _array(constant: Operation) -> dict[str, Any]:
    array = np.asarray(constant.attrs["value"])
    if array.dtype.kind not in "biuf":
        raise ValueError(f"constants of dtype {array.dtype} cannot be saved")
    return {
        "class_name": "__numpy__", "config": {"value": array.tolist(), "dtype": array.dtype.name}
    }


def _number(argument: Any) -> Any:
    """Return a constant without axes as a number, as Keras writes it."""
    is_number = argument["class_name"] == "__numpy__" and np.ndim(argument["config"]["value"]) == 0
    return argument["config"]["value"] if is_number else argument


def _plain(value: Any, step: Operation) -> Any:
    """Return an attribute as plain values from which ``_value`` makes it again."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, DType):
        return {"dtype": value.name}
    if isinstance(value, TensorShape):
        return {"shape": None if value.dims is None else value.as_list()}
    if isinstance(value, slice):
        bounds = {name: getattr(value, name) for name in ("start", "stop", "step")}
        return {"class_name": "__slice__", "config": bounds}
    if value is Ellipsis:
        return {"class_name": "__ellipsis__", "config": {}}
    if isinstance(value, list | tuple):
        return {"items": [_plain(entry, step) for entry in value]}
    raise ValueError(
        f"the operation {step.op_def.name!r} ({step.name!r}), which is applied to tensors of Input "
        "outside of layers, cannot be saved: apply it in the call() of a Layer"
    )


def _value(plain: Any) -> Any:
    if not isinstance(plain, dict):
        return plain
    if "dtype" in plain:
        return as_dtype(plain["dtype"])
    if "items" in plain:
        return tuple(_value(entry) for entry in plain["items"])
    return TensorShape(plain["shape"]) if "shape" in plain else _key(plain)


def _unmarked(plain: Any) -> Any:
    """Return an attribute as Keras writes it: lists for tuples."""
    if isinstance(plain, dict) and "items" in plain:
        return [_unmarked(entry) for entry in plain["items"]]
    return plain


def _key(key: Any) -> Any:
    """Return the key of an item from plain values."""
    if isinstance(key, list | tuple):
        return tuple(_key(entry) for entry in key)
    if isinstance(key, dict):
        if key["class_name"] == "__ellipsis__":
            return Ellipsis
        bounds = key["config"]
        return slice(bounds["start"], bounds["stop"], bounds["step"])
    return key
