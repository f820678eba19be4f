"""Masks of tensors: which steps of a sequence count.

A mask belongs to a tensor that a layer gave, and the next layer finds it there; it goes with the
tensor.
"""

from __future__ import annotations

import weakref
from typing import Any

from runtime.eager.tensor import Tensor
from runtime.graph.operation import SymbolicTensor
from runtime.graph.side_table import SideTable
from runtime.types import nest

_masks: dict[int, tuple[weakref.ref[Any], Any]] = {}
_of_graphs: SideTable[dict[int, Any]] = SideTable()
"""Masks of symbolic tensors, which live and die with their graph."""


def set_mask(tensor: Any, mask: Any) -> None:
    """Note the mask of a tensor; None takes it away."""
    key = id(tensor)
    if isinstance(tensor, SymbolicTensor):
        graph: Any = tensor.op.graph
        _of_graphs.setdefault(graph, {})[key] = mask
        return
    if mask is None:
        _masks.pop(key, None)
        return
    _masks[key] = weakref.ref(tensor, lambda _: _masks.pop(key, None)), mask


def mask_of(tensor: Any) -> Any:
    """Return the mask of a tensor; None if it has none."""
    if isinstance(tensor, SymbolicTensor):
        graph: Any = tensor.op.graph
        return (_of_graphs.get(graph) or {}).get(id(tensor))
    entry = _masks.get(id(tensor))
    return entry[1] if entry is not None and entry[0]() is tensor else None


def _noted_mask(tensor: Any) -> Any:
    """Mask of the tensor; AttributeError if it has none."""
    mask = mask_of(tensor)
    if mask is None:
        raise AttributeError(f"{type(tensor).__name__!r} object has no attribute '_keras_mask'")
    return mask


setattr(Tensor, "_keras_mask", property(_noted_mask, set_mask))  # noqa: B010 - not for type checkers


def masks_of(values: Any) -> Any:
    """Return the masks of the tensors in a nest: of one tensor its mask; None if there are none."""
    if not isinstance(values, list | tuple | dict):
        return mask_of(values)
    masks = nest.map_structure(mask_of, values)
    return None if all(mask is None for mask in nest.flatten(masks)) else masks
