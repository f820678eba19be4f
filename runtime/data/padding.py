"""What padded batches are padded to, and with: for each tensor its sizes and a value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from runtime.data.component_specs import is_plain
from runtime.data.elements import Layout
from runtime.eager.tensor import Tensor
from runtime.graph.operation import SymbolicTensor
from runtime.ops.array.concat_split import stack
from runtime.ops.array.constants import cast, constant, convert_to_tensor
from runtime.types import nest
from runtime.types.dtypes import int64
from runtime.types.errors import IncompatibleShapesError
from runtime.types.shapes import TensorShape, TensorSpec


class Target(NamedTuple):
    """What to pad a tensor to: its shape, as far as it is known, and a vector of sizes.

    A size of -1 stands for the largest of the batch.
    """

    shape: TensorShape
    sizes: Any


def _tensors_in(layout: Layout) -> list[TensorSpec]:
    return [spec for spec in layout.flat if is_plain(spec)]


def targets_of(layout: Layout, shapes: Any) -> list[Target]:
    """What ``padded_shapes`` says of each tensor; TypeError or ValueError where it does not fit."""
    specs = _tensors_in(layout)
    if shapes is None:
        for spec in specs:
            if spec.shape.rank is None:
                raise ValueError(
                    "You must provide `padded_shapes` argument because component of unknown rank "
                    f"was found: {layout.spec}"
                )
        return [_static(spec.shape) for spec in specs]
    entries = zip(_matching(layout.spec, shapes, "padded_shapes"), layout.flat, strict=True)
    return [_target(value, spec) for value, spec in entries if is_plain(spec)]


def _static(shape: TensorShape) -> Target:
    sizes = [-1 if d is None else d for d in shape.dims or ()]
    return Target(shape, convert_to_tensor(np.array(sizes, np.int64)))


def _target(entry: Any, spec: TensorSpec) -> Target:
    """One entry of ``padded_shapes``: a shape, sizes, or a tensor of sizes."""
    if isinstance(entry, list | tuple) and any(isinstance(d, SymbolicTensor) for d in entry):
        entry = stack([cast(convert_to_tensor(-1 if d is None else d), int64) for d in entry])
    if isinstance(entry, SymbolicTensor) and entry.spec.value is None:
        _check_vector(entry, entry.shape, entry.dtype)
        count = entry.shape[0] if entry.shape.rank else spec.shape.rank
        target = Target(TensorShape(None if count is None else [None] * count), cast(entry, int64))
    else:
        target = _static(entry if isinstance(entry, TensorShape) else _shape(entry))
    padded_dims, dims = target.shape.dims, spec.shape.dims
    if padded_dims is None or dims is None:
        return target
    too_small = [w for w, h in zip(padded_dims, dims) if w is not None and h is not None and w < h]
    if len(padded_dims) != len(dims) or too_small:
        raise ValueError(
            f"The padded shape {target.shape} is not compatible with the shape {spec.shape} of the "
            "corresponding input component."
        )
    return target


def _shape(entry: Any) -> TensorShape:
    if isinstance(entry, Tensor):
        value = entry.spec.value if isinstance(entry, SymbolicTensor) else entry._array
        sizes: Any = np.asarray(value)
    else:
        flat = [entry] if entry is None or isinstance(entry, int) else entry
        sizes = np.asarray([-1 if size is None else size for size in flat])
    if not sizes.size:
        return TensorShape([])
    _check_vector(entry, TensorShape(sizes.shape), sizes.dtype)
    if min(sizes) < -1:
        raise IncompatibleShapesError(
            f"Padded shape {entry!r}: sizes must be 0 or more, or -1 for any"
        )
    return TensorShape([None if size == -1 else size for size in sizes.tolist()])


def _check_vector(entry: Any, shape: TensorShape, dtype: Any) -> None:
    if not shape.is_compatible_with([None]):
        raise ValueError(
            f"Padded shape {entry!r} must be a `tf.int64` vector tensor, but its shape was {shape}."
        )
    if np.dtype(getattr(dtype, "as_numpy_dtype", dtype)).kind not in "iu":
        raise TypeError(
            f"Padded shape {entry!r} must be a `tf.int64` vector tensor, but its element type was "
            f"{getattr(dtype, 'name', dtype)}."
        )


def with_lengths(targets: list[Target], length: Any) -> list[Target]:
    """The targets with a tensor for each size that is not known."""
    return [
        Target(target.shape, stack([length if d is None else constant(d, int64) for d in dims]))
        if (dims := target.shape.dims) else target
        for target in targets
    ]  # fmt: skip


def _matching(spec: Any, entries: Any, argument: str) -> list[Any]:
    """The entries of a nest as the element, a list or shape being one entry; None is any."""
    if not nest.is_nested(spec):
        return [entries]
    if entries is None and argument == "padding_values":
        return [None] * len(nest.flatten(spec))
    same = not isinstance(entries, TensorShape) and nest.is_nested(entries)
    if same and isinstance(spec, Mapping):
        same = isinstance(entries, Mapping) and spec.keys() == entries.keys()
    if not same or len(nest.entries(entries)) != len(nest.entries(spec)):
        raise ValueError(f"{argument}={entries!r} must be a nest as the element: {spec}")
    pairs = zip(nest.entries(spec), nest.entries(entries), strict=True)
    return [leaf for (_, s), (_, g) in pairs for leaf in _matching(s, g, argument)]


def values_of(layout: Layout, values: Any) -> list[Any]:
    """The value to pad each tensor with: by default zero, or an empty text."""
    if values is not None and not nest.is_nested(values):
        flat = [values] * len(layout.flat)
    else:
        flat = _matching(layout.spec, values, "padding_values")
    return [_value(v, spec) for v, spec in zip(flat, layout.flat, strict=True) if is_plain(spec)]


def _value(value: Any, spec: TensorSpec) -> Any:
    kind = spec.dtype.as_numpy_dtype
    if value is None:
        value = np.full((), b"" if kind is object else 0, kind)
    tensor = convert_to_tensor(value, spec.dtype)
    if not tensor.shape.is_compatible_with(()):
        raise ValueError(f"A padding value must be a scalar, got {value!r}")
    return tensor
