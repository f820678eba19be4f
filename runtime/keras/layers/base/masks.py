"""Masks of tensors: which steps of a sequence count.

A mask belongs to a tensor that a layer gave, and the next layer finds it there; it goes with the
tensor.
"""

from __future__ import annotations

import weakref
from typing import Any

from runtime.types import nest

_masks: dict[int, tuple[weakref.ref[Any], Any]] = {}


def set_mask(tensor: Any, mask: Any) -> None:
    """Note the mask of a tensor; None takes it away."""
    key = id(tensor)
    if mask is None:
        _masks.pop(key, None)
        return
    _masks[key] = weakref.ref(tensor, lambda _: _masks.pop(key, None)), mask


def mask_of(tensor: Any) -> Any:
    """Return the mask of a tensor; None if it has none."""
    found = _masks.get(id(tensor))
    return found[1] if found is not None and found[0]() is tensor else None


def masks_of(values: Any) -> Any:
    """Return the masks of the tensors in a nest: of one tensor its mask; None if there are none."""
    if not isinstance(values, list | tuple | dict):
        return mask_of(values)
    found = nest.map_structure(mask_of, values)
    return None if all(one is None for one in nest.flatten(found)) else found
