"""``Attention`` and ``AdditiveAttention``: weights from one score of each query and key."""

from __future__ import annotations

from typing import Any

from runtime.keras.layers.attention.masks import causal_mask
from runtime.keras.layers.base.layer import Layer
from runtime.keras.layers.base.masks import masks_of, set_mask
from runtime.ops.array.constants import cast
from runtime.ops.array.shape import expand_dims
from runtime.ops.linalg.products import matmul
from runtime.ops.math.elementary import tanh
from runtime.ops.math.logical import logical_and, logical_not
from runtime.ops.math.reduction import reduce_sum
from runtime.ops.nn.activations_losses import dropout, softmax
from runtime.types.dtypes import bool_, float16

__all__ = ["AdditiveAttention", "Attention"]


class Attention(Layer):
    """Layer that means values, weighted by the softmax of the scores of queries and keys.

    It is called with ``[query, value]`` or ``[query, value, key]`` of shapes (batch, steps, size);
    without keys the values are.  Source: Luong et al., Effective Approaches to Attention, 2015.

    Args:
        use_scale: whether scores are multiplied by a weight ``scale``.
        score_mode: 'dot' for products, 'concat' for the tanh of sums, weighted by a weight.
        dropout: share of the weights that are dropped while training.
        seed: seed of the dropout.
        kwargs: arguments of ``Layer``.

    Raises:
        ValueError: for another mode, and inputs or masks that are no such lists.
    """

    def __init__(
        self, use_scale: bool = False, score_mode: str = "dot", dropout: float = 0.0,
        seed: int | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        if score_mode not in ("dot", "concat"):
            raise ValueError(
                "Invalid value for argument score_mode. Expected one of {'dot', 'concat'}. "
                f"Received: score_mode={score_mode}"
            )
        self.use_scale = use_scale
        self.score_mode = score_mode
        self.dropout = dropout
        self.seed = seed
        self.scale: Any = None
        self.concat_score_weight: Any = None
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Make the weights."""
        self._check_list(input_shape)
        if self.use_scale:
            self.scale = self.add_weight((), "ones", name="scale")
        if self.score_mode == "concat":
            self.concat_score_weight = self.add_weight((), "ones", name="concat_score_weight")

    def _check_list(self, inputs: Any, mask: Any = None) -> None:
        kind = type(self).__name__
        if not isinstance(inputs, list) or not 2 <= len(inputs) <= 3:
            raise ValueError(
                f"{kind} layer must be called on a list of length 2 or 3, namely [query, value] or "
                f"[query, value, key]. Received: inputs={inputs}."
            )
        if mask is not None and not isinstance(mask, list | tuple):
            raise ValueError(
                f"{kind} layer mask must be a list, namely [query_mask, value_mask]. Received: "
                f"mask={mask}."
            )
        if mask is not None and not 2 <= len(mask) <= 3:
            raise ValueError(f"{kind} layer accepts mask list of length 2 or 3. Received: {mask=}.")

    def _scores(self, query: Any, key: Any) -> Any:
        """Return the scores, (batch, queries, keys)."""
        if self.score_mode == "dot":
            scores = matmul(query, key, transpose_b=True)
            return scores if self.scale is None else scores * self.scale
        sums = expand_dims(query, -2) + expand_dims(key, -3)
        sums = sums if self.scale is None else self.scale * sums
        return self.concat_score_weight * reduce_sum(tanh(sums), -1)

    def call(
        self, inputs: Any, mask: Any = None, training: Any = False,
        return_attention_scores: bool = False, use_causal_mask: bool = False,
    ) -> Any:  # fmt: skip
        """Compute the means; with ``return_attention_scores``, also the weights."""
        self._check_list(inputs, mask)
        query, value = inputs[0], inputs[1]
        key = inputs[2] if len(inputs) > 2 else value
        query_mask, value_mask = (mask[0], mask[1]) if mask is not None else (None, None)
        scores = self._scores(query, key)
        seen = None if value_mask is None else expand_dims(cast(value_mask, bool_), -2)
        if use_causal_mask:
            past = causal_mask(scores)
            seen = past if seen is None else logical_and(seen, past)
        if seen is not None:
            lowest = 65504.0 if scores.dtype is float16 else 1e9
            scores = scores - lowest * cast(logical_not(seen), scores.dtype)
        weights = softmax(scores, -1)
        if training and self.dropout > 0:
            weights = dropout(weights, self.dropout, seed=self.seed)
        result = matmul(weights, value)
        if query_mask is not None:
            result = result * cast(expand_dims(query_mask, -1), result.dtype)
        return (result, weights) if return_attention_scores else result

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Return the mask of the queries."""
        self._check_list(inputs, mask)
        return None if mask is None or mask[0] is None else mask[0]

    def _pass_mask_on(self, inputs: Any, mask: Any, outputs: Any) -> None:
        output_mask = self.compute_mask(inputs, masks_of(inputs) if mask is None else mask)
        set_mask(outputs[0] if isinstance(outputs, tuple) else outputs, output_mask)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the means."""
        return (*input_shape[0][:-1], input_shape[1][-1])

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {
            **super().get_config(), "use_scale": self.use_scale, "score_mode": self.score_mode,
            "dropout": self.dropout, "seed": self.seed,
        }  # fmt: skip


class AdditiveAttention(Attention):
    """``Attention`` with the scores ``sum(scale * tanh(query + key))`` over the last axis.

    ``use_scale`` says whether ``scale`` is a weight, of the size of that axis.
    Source: Bahdanau, Cho and Bengio, Neural Machine Translation, 2014.
    """

    def __init__(self, use_scale: bool = True, dropout: float = 0.0, **kwargs: Any) -> None:
        super().__init__(use_scale=use_scale, dropout=dropout, **kwargs)

    def build(self, input_shape: Any) -> None:
        """Make ``scale``."""
        self._check_list(input_shape)
        if self.use_scale:
            self.scale = self.add_weight((input_shape[0][-1],), "glorot_uniform", name="scale")

    def _scores(self, query: Any, key: Any) -> Any:
        sums = tanh(expand_dims(query, -2) + expand_dims(key, -3))
        return reduce_sum(sums if self.scale is None else self.scale * sums, -1)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = super().get_config()
        del config["score_mode"]
        return config
