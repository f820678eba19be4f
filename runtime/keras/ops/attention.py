"""Attention of ``keras.ops``: weighted means of values, by products of queries and keys."""

from __future__ import annotations

import math
from typing import Any

from runtime.keras.ops.creation import full_like
from runtime.keras.ops.promotion import promoted
from runtime.keras.ops.shapes import rank_of, repeat
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import range as range_op
from runtime.ops.array.shape import sizes_of
from runtime.ops.array.where import where
from runtime.ops.docstrings import documented
from runtime.ops.linalg import products
from runtime.ops.math import elementary
from runtime.ops.math.logical import logical_and
from runtime.ops.nn.activations_losses import softmax
from runtime.types.dtypes import bool_

_KEYS = "tensor of shape [batch, keys, groups, depth]; the heads are a multiple of the groups"


@documented("Tensor of the shape of ``query``", "ValueError: a tensor has another number of axes",
            query="tensor of shape [batch, queries, heads, depth]", key=_KEYS, value=_KEYS,
            bias="added to the logits of shape [batch, heads, queries, keys]",
            mask="what counts, of a shape that broadcasts to that of the logits",
            scale="factor of the logits; None: 1 / sqrt(depth)",
            is_causal="whether queries see no later keys", flash_attention="only None or False",
            attn_logits_soft_cap="limit to which logits are bent")  # fmt: skip
def dot_product_attention(
    query: Any, key: Any, value: Any, bias: Any = None, mask: Any = None,
    scale: float | None = None, is_causal: bool = False, flash_attention: bool | None = None,
    attn_logits_soft_cap: float | None = None,
) -> Any:  # fmt: skip
    """Compute attention by scaled dot products."""
    query, key, value = promoted(query, key, value)
    if flash_attention:
        raise ValueError("flash_attention is not available; leave it out")
    for name, tensor in (("query", query), ("key", key), ("value", value)):
        if rank_of(tensor) != 4:
            raise ValueError(f"{name} must have 4 axes, got the shape {tensor.shape}")
    heads, groups = query.shape[2], key.shape[2]
    if heads != groups:
        key, value = (repeat(tensor, heads // groups, 2) for tensor in (key, value))
    factor = 1.0 / math.sqrt(query.shape[-1]) if scale is None else scale
    logits = products.einsum("btnh,bsnh->bnts", query * factor, key)
    if attn_logits_soft_cap is not None:
        logits = elementary.tanh(logits / attn_logits_soft_cap) * attn_logits_soft_cap
    if bias is not None:
        logits = logits + cast(convert_to_tensor(bias), logits.dtype)
    if mask is not None:
        mask = cast(convert_to_tensor(mask), bool_)
    if is_causal:
        rows, columns = (range_op(sizes_of(x)[1]) for x in (query, key))
        earlier = columns[None, :] <= rows[:, None]
        mask = earlier if mask is None else logical_and(mask, earlier)
    if mask is not None:
        low = full_like(logits, float(logits.dtype.limits[0]) * 0.7)
        logits = where(mask, logits, low)
    return products.einsum("bnts,bsnh->btnh", softmax(logits), value)
