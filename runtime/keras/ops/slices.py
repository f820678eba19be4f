"""Parts of tensors at places that may be computed: cut out, put in, added."""

from __future__ import annotations

from typing import Any

from runtime.keras.ops.tensors import shape as shape_of
from runtime.ops.array import constants, gather_scatter
from runtime.ops.array.concat_split import stack, unstack
from runtime.ops.array.constants import convert_to_tensor as to_tensor
from runtime.ops.array.creation import meshgrid
from runtime.ops.array.creation import range as range_op
from runtime.ops.docstrings import documented

_X = "tensor, array or number"


@documented("Tensor", inputs=_X, start_indices="where to begin, for each axis", shape="sizes")
def slice(inputs: Any, start_indices: Any, shape: Any) -> Any:
    """Cut a part out of a tensor."""
    return gather_scatter.slice(to_tensor(inputs), start_indices, shape)


@documented("Tensor of the shape of ``inputs``", inputs=_X, start_indices="place of the part",
            updates="the part")  # fmt: skip
def slice_update(inputs: Any, start_indices: Any, updates: Any) -> Any:
    """Put a part into a tensor."""
    inputs, updates = to_tensor(inputs), to_tensor(updates)
    places = [
        range_op(begin, begin + count)
        for begin, count in zip(_ints(start_indices), shape_of(updates), strict=True)
    ]
    grid = stack(list(meshgrid(*places, indexing="ij")), -1)
    return gather_scatter.tensor_scatter_nd_update(inputs, grid, updates)


def _ints(values: Any) -> list[Any]:
    return list(values) if isinstance(values, list | tuple) else list(unstack(to_tensor(values)))


@documented("Tensor of shape ``shape``", indices="positions", values="entries; equal places add",
            shape="the shape")  # fmt: skip
def scatter(indices: Any, values: Any, shape: Any) -> Any:
    """Put entries into zeros."""
    return gather_scatter.scatter_nd(to_tensor(indices), to_tensor(values), shape)


@documented("Tensor of the shape of ``inputs``", "ValueError: for another reduction", inputs=_X,
            indices="positions", updates="entries",
            reduction="None: put in place of the old ones; 'add', 'max' or 'min'")  # fmt: skip
def scatter_update(inputs: Any, indices: Any, updates: Any, reduction: str | None = None) -> Any:
    """Put entries into a tensor."""
    kinds = {
        None: gather_scatter.tensor_scatter_nd_update, "add": gather_scatter.tensor_scatter_nd_add,
        "max": gather_scatter.tensor_scatter_nd_max, "min": gather_scatter.tensor_scatter_nd_min,
    }  # fmt: skip
    if reduction not in kinds:
        raise ValueError(f"reduction must be None, 'add', 'max' or 'min', got {reduction!r}")
    inputs = to_tensor(inputs)
    return kinds[reduction](inputs, to_tensor(indices), constants.cast(updates, inputs.dtype))
