"""Writer of ONNX nodes: names, constants, casts, and failures where the runtime raises.

One writer is one scope: the model's graph, a branch, the body of a loop, or a function.  Values are
names; a scope sees those of the scopes around it, except that a function sees its inputs only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.export.onnx_models.element_types import number_of
from runtime.export.onnx_models.onnx_gap import OnnxGap
from runtime.export.onnx_models.onnx_library import onnx_library
from runtime.types.dtypes import DType, as_dtype


class Names:
    """Names of values and nodes, each of which a model uses once."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def unique(self, base: str) -> str:
        """Return a name that begins with ``base`` and was not used yet."""
        base = re.sub(r"[^\w./:-]", "_", base) or "value"
        name, count = base, 0
        while name in self._used:
            count += 1
            name = f"{base}_{count}"
        self._used.add(name)
        return name


class NodeWriter:
    """Scope of ONNX nodes in the order in which they run.

    label     name of the operation that is being written, for the names of nodes and values
    pending   truth values that must hold although no value of the scope depends on them
    """

    def __init__(self, names: Names, outer: NodeWriter | None = None) -> None:
        self.names = names
        self.outer = outer
        self.label = "value"
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []
        self.pending: list[str] = []
        self._constants: dict[Any, str] = {}
        self._casts: dict[str, tuple[str, DType]] = {}
        self._onnx = onnx_library()

    def emit(self, op_type: str, *inputs: str, count: int = 1, domain: str = "",
             **attrs: Any) -> Any:  # fmt: skip
        """Write a node; return the name of its output, or the names of several."""
        outputs = [self.names.unique(self.label) for _ in range(count)]
        attrs = {key: value for key, value in attrs.items() if value is not None}
        node = self._onnx.helper.make_node(
            op_type, list(inputs), outputs, name=outputs[0], domain=domain, **attrs
        )
        self.nodes.append(node)
        return outputs[0] if count == 1 else outputs

    # -- constants --------------------------------------------------------------------------------

    def constant(self, value: Any, dtype: Any = None, name: str = "") -> str:
        """Return the name of a constant: one for equal ones of this scope and those around."""
        array = np.asarray(value) if dtype is None else np.asarray(value, as_numpy(dtype))
        key = self._key(array)
        known = self._known(key)
        if known is not None:
            return known
        constant_name = self.names.unique(name or "constant")
        self._constants[key] = constant_name
        self.add_constant(as_tensor_proto(array, constant_name))
        return constant_name

    def add_constant(self, tensor: Any) -> None:
        """Write a constant; a function, which has no initializers, writes a node."""
        self.initializers.append(tensor)

    def _key(self, array: Any) -> Any:
        if array.dtype == object:
            return "string", array.shape, tuple(array.reshape(-1).tolist())
        return array.dtype.str, array.dtype.name, array.shape, array.tobytes()

    def _known(self, key: Any) -> str | None:
        if key in self._constants:
            return self._constants[key]
        return None if self.outer is None else self.outer._known(key)

    def ints(self, *numbers: int) -> str:
        """Return a constant vector of int64."""
        return self.constant(np.array(numbers, np.int64))

    # -- values -----------------------------------------------------------------------------------

    def cast(self, value: str, old: DType, new: DType) -> str:
        """Convert a value; a cast back from a wider integer is left out."""
        if old is new:
            return value
        origin = self._cast_of(value)
        if origin is not None and origin[1] is new and old.is_integer and new.is_integer:
            return origin[0]
        result: str = self.emit("Cast", value, to=number_or_refusal(new))
        if old.is_integer and new.is_integer and old.size > new.size:
            self._casts[result] = value, old
        return result

    def _cast_of(self, value: str) -> tuple[str, DType] | None:
        if value in self._casts:
            return self._casts[value]
        return None if self.outer is None else self.outer._cast_of(value)

    def note_cast(self, value: str, origin: str, dtype: DType) -> None:
        """Note that a value is an integer of another dtype, narrowed without loss."""
        self._casts[value] = origin, dtype

    def all_true(self, condition: str, is_scalar: bool) -> str:
        """Return whether all elements of a bool are true, as a scalar."""
        if is_scalar:
            return condition
        failures = self.emit("Cast", self.emit("Not", condition), to=6)
        count = self.emit("ReduceSum", failures, keepdims=0)
        result: str = self.emit("Equal", count, self.constant(np.int32(0)))
        return result

    def require(self, holds: str, value: str) -> str:
        """Return a value; running the model fails unless a scalar truth holds.

        ONNX raises nothing but where an index is out of range, so an entry beyond the only one is
        taken.  The value depends on it: runtimes drop what nothing depends on.
        """
        index = self.emit("Cast", self.emit("Not", holds), to=7)
        entries = self.emit("Unsqueeze", value, self.ints(0))
        result: str = self.emit("Gather", entries, index, axis=0)
        return result


class FunctionWriter(NodeWriter):
    """Scope of a function: it has constants of its own, and sees no names around it."""

    def add_constant(self, tensor: Any) -> None:
        """Write a node that gives the constant."""
        self.nodes.append(
            self._onnx.helper.make_node("Constant", [], [tensor.name], tensor.name, value=tensor)
        )


def as_numpy(dtype: Any) -> Any:
    """Return NumPy's dtype."""
    return dtype.as_numpy_dtype if isinstance(dtype, DType) else dtype


def as_tensor_proto(array: Any, name: str) -> Any:
    """Return an array as ONNX' message; OnnxGap for a dtype that ONNX has not."""
    helper, numpy_helper = onnx_library().helper, onnx_library().numpy_helper
    dtype = as_dtype(array.dtype)
    number = number_or_refusal(dtype)
    if array.dtype == object:
        texts = [x if isinstance(x, bytes) else str(x).encode() for x in array.reshape(-1).tolist()]
        return helper.make_tensor(name, number, array.shape, texts)
    return numpy_helper.from_array(np.asarray(array, order="C"), name)


def number_or_refusal(dtype: DType) -> int:
    """Return ONNX' number of a dtype; OnnxGap for one that it has not."""
    number = number_of(dtype)
    if number is None:
        raise OnnxGap(f"ONNX has no operators on elements of type {dtype.name}")
    return number


def value_info(name: str, dtype: DType, dims: Sequence[int | str | None] | None) -> Any:
    """Return the type of a tensor as ONNX' message; sizes may be numbers, names or unknown."""
    helper = onnx_library().helper
    return helper.make_tensor_value_info(name, number_or_refusal(dtype), dims)
