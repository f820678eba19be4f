"""Rules of ops whose results have as many elements as values say.

XLA's sizes are static: the count of such elements is one that the trace is for (interpreter.py).
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.engine.xla.array_tables import last_written
from runtime.engine.xla.interpreter import XLARefusal, require, rule, static
from runtime.engine.xla.rules.indexing import true_places


@rule("argwhere")
def _argwhere(condition: Any) -> Any:
    if not np.ndim(condition):
        raise XLARefusal("a scalar has no indices")
    return jnp.stack(true_places(jnp.asarray(condition) != 0), -1)


@rule("unique_with_counts")
def _unique(x: Any, *, out_idx: Any) -> Any:
    kind, size = out_idx.as_numpy_dtype, x.shape[0]
    if x.dtype.kind in "fcV":
        require(~jnp.isnan(x))  # NumPy takes all of them for one
    order = jnp.argsort(x, stable=True)
    ordered = x[order]
    is_other = jnp.concatenate([jnp.ones(min(size, 1), bool), ordered[1:] != ordered[:-1]])
    group = jnp.cumsum(is_other) - 1
    first_of_group = jax.ops.segment_min(order, group, max(size, 1))
    first = jnp.zeros(size, order.dtype).at[order].set(first_of_group[group])
    is_first = first == jnp.arange(size)
    (places,) = true_places(is_first)
    index = (jnp.cumsum(is_first) - 1)[first]
    counts = jnp.zeros(places.shape, kind).at[index].add(1)
    return x[places], index.astype(kind), counts


@rule("setdiff1d")
def _difference(x: Any, y: Any) -> Any:
    (places,) = true_places(~jnp.isin(x, y))
    return x[places], places


@rule("dynamic_partition")
def _partition(data: Any, partitions: Any, *, num_partitions: int) -> Any:
    require((partitions >= 0) & (partitions < num_partitions))
    return tuple(
        jnp.asarray(data)[true_places(jnp.asarray(partitions) == number)]
        for number in range(num_partitions)
    )


@rule("dynamic_stitch")
def _stitch(*inputs: Any) -> Any:
    half = len(inputs) // 2
    indices = jnp.concatenate([x.reshape(-1) for x in inputs[:half]])
    row_shape = inputs[half].shape[inputs[0].ndim :]
    rows = jnp.concatenate([x.reshape(-1, *row_shape) for x in inputs[half:]])
    require(indices >= 0)
    size = int(static(jnp.max(indices, initial=-1) + 1, "the greatest index"))
    return last_written(jnp.zeros((size, *row_shape), rows.dtype), indices, rows)
