"""``GroupedQueryAttention``: heads of queries share heads of keys and values."""

from __future__ import annotations

from typing import Any

from runtime.keras.layers.attention.multi_head import MultiHeadAttention
from runtime.keras.layers.dense import positive_int, weight_config
from runtime.keras.layers.einsum_dense import EinsumDense
from runtime.ops.array.concat_split import repeat

__all__ = ["GroupQueryAttention", "GroupedQueryAttention"]


class GroupedQueryAttention(MultiHeadAttention):
    """Layer in which heads attend as in ``MultiHeadAttention``, and groups of them share keys.

    ``layer(query, value, key=None)`` of sequences, (batch, steps, size).
    Source: Ainslie et al., GQA, 2023, arXiv:2305.13245.

    Args:
        head_dim: size of each head.
        num_query_heads: number of heads of the queries.
        num_key_value_heads: number of heads of keys and values, a divisor of the other.
        dropout: share of the attention weights that are dropped while training.
        use_bias: whether the projections have a bias.
        sliding_window: number of steps around a query beyond which keys do not count.
        flash_attention: not used.
        kernel_initializer: initializer, or its name; so are the other arguments of weights.
        bias_initializer: initializer of the biases.
        kernel_regularizer: regularizer of the kernels.
        bias_regularizer: regularizer of the biases.
        activity_regularizer: regularizer of the output.
        kernel_constraint: constraint of the kernels.
        bias_constraint: constraint of the biases.
        use_gate: must be False: gates are not supported.
        seed: seed of the dropout.
        kwargs: arguments of ``Layer``.

    Raises:
        ValueError: for numbers that are not positive or do not divide, and for ``use_gate``.
    """

    def __init__(
        self, head_dim: int, num_query_heads: int, num_key_value_heads: int, dropout: float = 0.0,
        use_bias: bool = True, sliding_window: int | None = None, flash_attention: Any = None,
        kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, use_gate: bool = False, seed: int | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            num_query_heads, head_dim, dropout=dropout, use_bias=use_bias,
            sliding_window=sliding_window, kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer, kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer, activity_regularizer=activity_regularizer,
            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint,
            use_gate=use_gate, seed=seed, **kwargs,
        )  # fmt: skip
        self.head_dim, self.num_query_heads = head_dim, num_query_heads
        self.num_key_value_heads = positive_int(
            num_key_value_heads, "num_key_value_heads", type(self).__name__
        )
        if num_query_heads % num_key_value_heads:
            raise ValueError(
                "`num_query_heads` must be divisible by `num_key_value_heads`. Received: "
                f"num_query_heads={num_query_heads} and num_key_value_heads={num_key_value_heads}"
            )

    def build(  # type: ignore[override]
        self, query_shape: Any, value_shape: Any, key_shape: Any = None
    ) -> None:
        """Make the projections; ValueError for what are no sequences."""
        if len(query_shape) != 3 or len(value_shape) != 3:
            raise ValueError(
                "GroupedQueryAttention takes sequences, (batch, steps, size). Received: "
                f"query_shape={query_shape} and value_shape={value_shape}"
            )
        super().build(query_shape, value_shape, key_shape)

    def _projection(self, name: str, shape: Any, size: int) -> EinsumDense:
        heads = self.num_query_heads if name == "query" else self.num_key_value_heads
        return self._dense(name, "abz,zAB->abAB", "AB", (*shape[1:-1], heads, size), shape)

    def _projected(self, dense: EinsumDense, inputs: Any) -> Any:
        return repeat(dense(inputs), self.num_query_heads // self.num_key_value_heads, axis=2)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = super().get_config()
        for name in ("num_heads", "key_dim", "value_dim", "output_shape", "attention_axes"):
            del config[name]
        return {
            **config, "head_dim": self.head_dim, "num_query_heads": self.num_query_heads,
            "num_key_value_heads": self.num_key_value_heads, **weight_config(self),
        }  # fmt: skip


GroupQueryAttention = GroupedQueryAttention
