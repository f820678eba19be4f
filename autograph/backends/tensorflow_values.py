"""Values on TensorFlow: their types, and the tensors that they are made of; for ``tensorflow``."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from autograph.backends import scalars
from autograph.backends.scalars import ComputesScalars, StagedScalar
from autograph.backends.tensorflow_lists import Rows, TensorLists, TensorListSpec
from autograph.named_tuples import NamedTuple
from autograph.staging import MISSING, StagedText, StagedUnion, marked_as_number

DTYPES: dict[type, Any] = {
    bool: tf.bool, int: tf.int64, float: tf.float64, complex: tf.complex128, str: tf.string
}


class TensorFlowSpec(NamedTuple):
    """Type of a staged value: Python's type if it is a number or text, dtype and static shape."""

    kind: type | None
    dtype: Any
    shape: Any

    def __repr__(self) -> str:
        if self.kind is not None:
            return f"a Python {self.kind.__name__}"
        return f"a tensor of dtype {self.dtype.name} and shape {tf.TensorShape(self.shape)}"


class TensorFlowComposite(NamedTuple):
    """Type of a value that is made of tensors, such as a RaggedTensor or a TensorArray."""

    type_spec: Any

    def __repr__(self) -> str:
        return f"a value of {self.type_spec!r}"


def _dims(shape: Any) -> Any:
    return None if shape.rank is None else tuple(shape.as_list())


class TensorFlowValues(TensorLists, ComputesScalars):
    """The part of the backend for values: tensors, Python's numbers, lists, composite tensors."""

    read: Any
    text: Any

    # -- how values are laid out, and how two of them become one ----------------------------------

    def specs(self, values: Sequence[Any]) -> list[Any]:
        """Describe values."""
        return list(map(self._spec, values))

    def _spec(self, value: Any) -> Any:
        kind = scalars.kind_of(value)
        if kind is not None:
            return TensorFlowSpec(kind, DTYPES[kind], ())
        if isinstance(value, tf.Variable):
            value = value.value()
        if isinstance(value, (tf.Tensor, np.ndarray, np.generic)):
            try:
                dims = _dims(tf.TensorShape(value.shape))
                return TensorFlowSpec(None, tf.as_dtype(value.dtype), dims)
            except TypeError:  # NumPy's arrays of objects
                return None
        if isinstance(value, Rows):
            return value.spec
        if isinstance(value, (tf.__internal__.CompositeTensor, tf.TensorArray)):
            return TensorFlowComposite(tf.type_spec_from_value(value))
        return None

    def join(self, left: Any, right: Any) -> Any:
        """Return the description of both."""
        if left == right:
            return left
        if isinstance(left, TensorListSpec) and isinstance(right, TensorListSpec):
            return self.join_lists(left, right)
        if isinstance(left, TensorFlowComposite) and isinstance(right, TensorFlowComposite):
            joined = left.type_spec.most_specific_common_supertype([right.type_spec])
            if joined is not None:
                return TensorFlowComposite(joined)
        if isinstance(left, TensorFlowSpec) and isinstance(right, TensorFlowSpec):
            return self._join(left, right)
        raise TypeError(f"it is {left!r} on one path and {right!r} on the other")

    def _join(self, left: TensorFlowSpec, right: TensorFlowSpec) -> TensorFlowSpec:
        shapes = tf.TensorShape(left.shape), tf.TensorShape(right.shape)
        shape = _dims(shapes[0].most_specific_common_supertype([shapes[1]]) or tf.TensorShape(None))
        if left.kind and right.kind and str not in (left.kind, right.kind):
            kind = max(left.kind, right.kind, key=scalars.KINDS.index)
            return TensorFlowSpec(kind, DTYPES[kind], ())
        dtypes = {side.dtype for side in (left, right) if side.kind is None}
        dtypes = dtypes or {left.dtype, right.dtype}
        weak = next((side.kind for side in (left, right) if side.kind is not None), None)
        if len(dtypes) > 1 or not (weak is None or _takes(weak, *dtypes)):
            raise TypeError(f"it is {left!r} on one path and {right!r} on the other")
        return TensorFlowSpec(left.kind and right.kind, dtypes.pop(), shape)

    def convert(self, values: Sequence[Any], specs: Sequence[Any]) -> list[Any]:
        """Convert values to the specs."""
        return list(map(self._convert, values, specs))

    def _convert(self, value: Any, spec: Any) -> Any:
        if isinstance(spec, TensorListSpec):
            return self.convert_list(value, spec)
        if isinstance(spec, TensorFlowComposite):
            if value is MISSING:
                raise TypeError(f"{spec!r} cannot be left out on a path")
            return value
        if value is MISSING:
            dims = [1 if dim is None else dim for dim in spec.shape or ()]
            zeros = tf.fill(dims, tf.constant("" if spec.dtype == tf.string else 0, spec.dtype)) \
                if spec.dtype != tf.bool else tf.fill(dims, False)
            return zeros if spec.kind is None else StagedScalar(self, spec.kind, zeros)
        if spec.kind is not None:
            scalar = self.scalar(value)
            return StagedScalar(self, spec.kind, self.cast(scalar.value, spec.kind))
        return self.tensor(value, spec.dtype)

    def tensor(self, value: Any, dtype: Any = None) -> Any:
        """Return a value as a tensor."""
        if isinstance(value, StagedUnion):
            value = value.ag__operand()
        if isinstance(value, StagedText):
            value = self.text(value)
        if isinstance(value, StagedScalar):
            value = value.value
            return value if dtype in (None, value.dtype) else tf.cast(value, dtype)
        return tf.convert_to_tensor(value, dtype)

    # values as flat lists of tensors, which operations take and give

    def flat(self, value: Any) -> list[Any]:
        """Return the tensors of a value."""
        if isinstance(value, StagedScalar):
            return [value.value]
        if isinstance(value, Rows):
            return list(value.tensors)
        if isinstance(value, tf.TensorArray):
            return list(tf.type_spec_from_value(value)._to_components(value))
        return tf.nest.flatten(value, expand_composites=True)

    def flat_specs(self, spec: Any) -> list[tuple[Any, Any]]:
        """Return dtypes and shapes of the tensors of a value that a spec describes."""
        if isinstance(spec, TensorListSpec):
            return spec.flat()
        if isinstance(spec, TensorFlowComposite):
            if isinstance(spec.type_spec, tf.TensorArraySpec):
                return [(tf.variant, ())]
            flat = tf.nest.flatten(spec.type_spec, expand_composites=True)
            return [(part.dtype, _dims(part.shape)) for part in flat]
        return [(spec.dtype, spec.shape)]

    def pack(self, specs: Sequence[Any], tensors: Sequence[Any]) -> list[Any]:
        """Return values of these specs that are made of tensors."""
        rest = iter(tensors)
        values: list[Any] = []
        for spec in specs:
            own = list(itertools.islice(rest, len(self.flat_specs(spec))))
            if isinstance(spec, TensorListSpec):
                values.append(Rows(spec, own))
            elif isinstance(spec, TensorFlowComposite) and isinstance(
                spec.type_spec, tf.TensorArraySpec
            ):
                values.append(spec.type_spec._from_components(own))
            elif isinstance(spec, TensorFlowComposite):
                values.append(tf.nest.pack_sequence_as(spec.type_spec, own, True))
            else:
                (leaf,) = own
                values.append(leaf if spec.kind is None else StagedScalar(self, spec.kind, leaf))
        return values

    def flat_all(self, values: Sequence[Any]) -> list[Any]:
        """Return the tensors of several values."""
        return [tensor for value in values for tensor in self.flat(value)]

    # -- numbers ----------------------------------------------------------------------------------

    def compute(self, name: str, kind: type, *values: Any) -> Any:
        """Compute an operation on tensors of the dtype of a kind."""
        with self.ordered():
            return OPERATIONS[name](*values)

    def constant(self, value: Any) -> Any:
        """Return a number as a tensor of 64 bits."""
        return tf.constant(value, DTYPES[type(value)])

    def cast(self, value: Any, kind: type) -> Any:
        """Return a tensor in the dtype of a kind."""
        return value if value.dtype == DTYPES[kind] else tf.cast(value, DTYPES[kind])

    def like(self, scalar: StagedScalar, met: Any) -> Any:
        """Return a number in the dtype of the tensor that it meets."""
        dtype = self.read(met).dtype
        if not _takes(scalar.kind, dtype):
            raise TypeError(
                f"a Python {scalar.kind.__name__} meets a tensor of dtype {dtype.name}: use tf.cast"
            )
        tensor = self.tensor(scalar, dtype)
        return marked_as_number(tensor, self)  # type: ignore[arg-type]  # part of a backend

    def kind_of_value(self, value: Any) -> type:
        """Return Python's type for a scalar tensor."""
        dtype = self.read(value).dtype
        kinds = (("is_bool", bool), ("is_integer", int), ("is_floating", float))
        return next((kind for name, kind in kinds if getattr(dtype, name)), str)

    def truth(self, value: Any) -> Any:
        """Return whether a scalar is not zero, as a tensor."""
        value = self.tensor(self.read(value))
        if value.dtype == tf.string:
            return tf.strings.length(value) > 0
        if value.shape.rank is None or value.shape.rank > 0:
            value = tf.reshape(value, [])
        return value if value.dtype == tf.bool else value != 0


def tensor_or_number(tensor: Any) -> Any:
    """Return the number that a scalar constant of a graph is; any other tensor itself."""
    if tensor.op.type != "Const" or tensor.shape.rank != 0 or tensor.dtype == tf.string:
        return tensor
    return tf.get_static_value(tensor).item()


def _takes(kind: type, dtype: Any) -> bool:
    """Whether a Python number becomes a tensor of a dtype."""
    if kind is str or dtype == tf.string:
        return kind is str and dtype == tf.string
    if dtype == tf.bool or kind is bool:
        return dtype == tf.bool and kind is bool
    return kind is int or dtype.is_floating or dtype.is_complex


OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": tf.add, "sub": tf.subtract, "mul": tf.multiply, "truediv": tf.divide,
    "floordiv": tf.math.floordiv, "mod": tf.math.floormod, "pow": tf.pow,
    "lt": tf.less, "le": tf.less_equal, "gt": tf.greater, "ge": tf.greater_equal,
    "eq": tf.equal, "ne": tf.not_equal,
    "and_": lambda x, y: x & y, "or_": lambda x, y: x | y, "xor": lambda x, y: x ^ y,
    "lshift": tf.bitwise.left_shift, "rshift": tf.bitwise.right_shift,
    "neg": tf.negative, "pos": tf.identity, "abs": tf.abs, "invert": tf.bitwise.invert,
    "round": tf.round,
}  # fmt: skip
