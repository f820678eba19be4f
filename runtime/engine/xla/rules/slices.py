"""Rule of ``getitem`` for slices between bounds of the run, of a size that the program declares.

``rows = x[k * size : (k + 1) * size]; rows.set_shape([size])`` is so in loops over batches.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from runtime.engine.xla.interpreter import PlanInterpreter, is_static, operation_rule, require
from runtime.graph.operation import Operation
from runtime.ops.array.indexing import KeyInput


@operation_rule("getitem")
def _getitem(run: PlanInterpreter, node: Operation, *inputs: Any) -> Any:
    bounds = _bounds(node.attrs["key"], inputs[1:])
    size = (node.outputs[0].shape.dims or (None,))[0]
    if bounds is None or size is None or all(map(is_static, bounds)):
        return NotImplemented
    x, (start, stop) = jnp.asarray(inputs[0]), bounds
    require((start >= 0) & (stop - start == size) & (stop <= x.shape[0]))
    return jax.lax.dynamic_slice_in_dim(x, start, size)


def _bounds(key: Any, tensors: Any) -> tuple[Any, Any] | None:
    """Return the bounds of a slice of the first axis, if it is that and both are tensors."""
    if len(key) != 1 or not isinstance(key[0], slice) or key[0].step not in (None, 1):
        return None
    ends = key[0].start, key[0].stop
    if not all(isinstance(end, KeyInput) for end in ends):
        return None
    start, stop = (tensors[end.index] for end in ends)
    return start, stop
