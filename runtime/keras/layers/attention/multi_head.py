"""``MultiHeadAttention``."""

from __future__ import annotations

import math
import string
from typing import Any

from runtime.keras import constraints, initializers, regularizers
from runtime.keras.layers.attention.masks import causal_mask, combined, near_mask
from runtime.keras.layers.base.layer import Layer
from runtime.keras.layers.base.masks import mask_of, set_mask
from runtime.keras.layers.dense import positive_int, weight_config
from runtime.keras.layers.einsum_dense import EinsumDense
from runtime.ops.array.constants import cast
from runtime.ops.array.shape import expand_dims
from runtime.ops.linalg.products import einsum
from runtime.ops.math.elementary import exp
from runtime.ops.math.reduction import reduce_logsumexp
from runtime.ops.nn.activations_losses import dropout, softmax
from runtime.types.dtypes import bool_, float16

__all__ = ["MultiHeadAttention"]


class MultiHeadAttention(Layer):
    """Layer in which several heads attend: each projects queries, keys and values by its weights.

    ``layer(query, value, key=None)``; without keys the values are.  Weights are those of the layers
    ``query``, ``key``, ``value`` and ``attention_output``.
    Source: Vaswani et al., Attention Is All You Need, 2017.

    Args:
        num_heads: number of heads.
        key_dim: size of projected queries and keys.
        value_dim: size of projected values, ``key_dim`` by default.
        dropout: share of the attention weights that are dropped while training.
        use_bias: whether the projections have a bias.
        output_shape: size of the output, or sizes; that of the query by default.
        attention_axes: axes over which is attended; all but the batch and the last by default.
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
        ValueError: for numbers that are not positive, and for ``use_gate``.
    """

    def __init__(
        self, num_heads: int, key_dim: int, value_dim: int | None = None, dropout: float = 0.0,
        use_bias: bool = True, output_shape: Any = None, attention_axes: Any = None,
        sliding_window: int | None = None, flash_attention: Any = None,
        kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, use_gate: bool = False, seed: int | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        if use_gate:
            raise ValueError("gates are not supported: use_gate must be False")
        kind = type(self).__name__
        self.num_heads = positive_int(num_heads, "num_heads", kind)
        self.key_dim = positive_int(key_dim, "key_dim", kind)
        self.value_dim = positive_int(
            key_dim if value_dim is None else value_dim, "value_dim", kind
        )
        self.dropout = dropout
        self.use_bias = use_bias
        if output_shape is not None and not isinstance(output_shape, int | list | tuple):
            raise ValueError(
                "Invalid `output_shape`: it should be a tuple, list, or int. Received: "
                f"output_shape={output_shape!r}"
            )
        sizes: Any = (output_shape,) if isinstance(output_shape, int) else output_shape
        self._output_sizes = sizes and tuple(sizes)
        self._attention_axes = attention_axes
        if isinstance(attention_axes, int):
            self._attention_axes = (attention_axes,)
        if sliding_window is not None:
            positive_int(sliding_window, "sliding_window", kind)
        self.sliding_window = sliding_window
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.seed = seed
        self.supports_masking = True

    # -- weights ----------------------------------------------------------------------------------

    query_dense = property(lambda self: self._query_dense, doc="Projection of the queries.")
    key_dense = property(lambda self: self._key_dense, doc="Projection of the keys.")
    value_dense = property(lambda self: self._value_dense, doc="Projection of the values.")
    output_dense = property(lambda self: self._output_dense, doc="Projection of the means.")

    def build(  # type: ignore[override]
        self, query_shape: Any, value_shape: Any, key_shape: Any = None
    ) -> None:
        """Make the projections."""
        key_shape = value_shape if key_shape is None else key_shape
        if tuple(key_shape[1:-1]) != tuple(value_shape[1:-1]):
            raise ValueError(
                "All dimensions of `value` and `key`, except the last one, must be equal. "
                f"Received: value_shape={value_shape} and key_shape={key_shape}"
            )
        rank = len(query_shape)
        axes = self._attention_axes or tuple(range(1, rank - 1))
        self._attention_axes = tuple([axis % rank for axis in axes])
        self._query_dense = self._projection("query", query_shape, self.key_dim)
        self._key_dense = self._projection("key", key_shape, self.key_dim)
        self._value_dense = self._projection("value", value_shape, self.value_dim)
        free = string.ascii_lowercase[: rank - 1]
        sizes = self._output_sizes or (query_shape[-1],)
        results = string.ascii_uppercase[2 : 2 + len(sizes)]
        self._output_dense = self._dense(
            "attention_output", f"{free}AB,AB{results}->{free}{results}", results,
            (*query_shape[1:-1], *sizes), (*query_shape[:-1], self.num_heads, self.value_dim),
        )  # fmt: skip
        self._set_equations(rank)

    def _projection(self, name: str, shape: Any, size: int) -> EinsumDense:
        free = string.ascii_lowercase[: len(shape) - 1]
        return self._dense(
            name, f"{free}z,zAB->{free}AB", "AB", (*shape[1:-1], self.num_heads, size), shape
        )

    def _dense(
        self, name: str, equation: str, bias_axes: str, output_shape: Any, input_shape: Any
    ) -> EinsumDense:
        layer = EinsumDense(
            equation, [None] * (len(output_shape) - len(bias_axes))
            + list(output_shape[len(output_shape) - len(bias_axes) :]),
            bias_axes=bias_axes if self.use_bias else None, name=name, dtype=self.dtype_policy,
            kernel_regularizer=self.kernel_regularizer, bias_regularizer=self.bias_regularizer,
            kernel_constraint=self.kernel_constraint, bias_constraint=self.bias_constraint,
            kernel_initializer=_another(self.kernel_initializer),
            bias_initializer=_another(self.bias_initializer),
        )  # fmt: skip
        layer.build(input_shape)
        return layer

    def _set_equations(self, rank: int) -> None:
        """Choose the letters of axes: N heads, H sizes; attended axes of keys are capitals."""
        free = string.ascii_lowercase[: rank - 1]
        axes = [axis for axis in self._attention_axes if axis < rank - 1]
        keys = "".join([string.ascii_uppercase[n] if n in axes else c for n, c in enumerate(free)])
        batch = "".join([c for n, c in enumerate(free) if n not in axes])
        queried = "".join([free[n] for n in axes])
        attended = "".join([keys[n] for n in axes])
        scores = f"{batch}Y{queried}{attended}"
        self._score_equation = f"{free}YZ,{keys}YZ->{scores}"
        self._mean_equation = f"{scores},{keys}YZ->{free}YZ"
        self._attended = len(axes)

    # -- calling ----------------------------------------------------------------------------------

    def call(
        self, query: Any, value: Any, key: Any = None, query_mask: Any = None,
        value_mask: Any = None, key_mask: Any = None, attention_mask: Any = None,
        return_attention_scores: bool = False, training: Any = None, use_causal_mask: bool = False,
    ) -> Any:  # fmt: skip
        """Attend; with ``return_attention_scores``, return the attention weights, too."""
        key = value if key is None else key
        queries = self._query_dense(query) * (1.0 / math.sqrt(self.key_dim))
        scores = einsum(self._score_equation, queries, self._projected(self._key_dense, key))
        masks = query_mask, value_mask, key_mask
        mask = self._mask(scores, masks, attention_mask, use_causal_mask)
        weights = self._softmax(scores, mask)
        kept_weights = weights
        if training and self.dropout > 0:
            kept_weights = dropout(weights, self.dropout, seed=self.seed)
        means = einsum(self._mean_equation, kept_weights, self._projected(self._value_dense, value))
        outputs = self._output_dense(means)
        return (outputs, weights) if return_attention_scores else outputs

    def _projected(self, dense: EinsumDense, inputs: Any) -> Any:
        """Return keys or values for each head of the queries."""
        return dense(inputs)

    def _mask(self, scores: Any, masks: Any, attention_mask: Any, causal: bool) -> Any:
        """Return where queries attend to keys; None for everywhere."""
        query_mask, value_mask, key_mask = masks
        mask_so_far = None if attention_mask is None else cast(attention_mask, bool_)
        if query_mask is not None:
            mask_so_far = combined(mask_so_far, expand_dims(cast(query_mask, bool_), -1))
        for mask in value_mask, key_mask:
            if mask is not None:
                mask_so_far = combined(mask_so_far, expand_dims(cast(mask, bool_), -2))
        if causal:
            mask_so_far = combined(mask_so_far, causal_mask(scores))
        if self.sliding_window is not None:
            mask_so_far = combined(mask_so_far, near_mask(scores, self.sliding_window))
        return mask_so_far

    def _softmax(self, scores: Any, mask: Any) -> Any:
        axes = list(range(-self._attended, 0))
        if mask is not None:
            for _ in range(len(scores.shape) - len(mask.shape)):
                mask = expand_dims(mask, -2 * self._attended - 1)
            lowest = -3e4 if scores.dtype is float16 else -1e9
            scores = scores + (1.0 - cast(mask, scores.dtype)) * lowest
        if len(axes) == 1:
            return softmax(scores, -1)
        return exp(scores - reduce_logsumexp(scores, axes, keepdims=True))

    def _pass_mask_on(self, inputs: Any, mask: Any, outputs: Any) -> None:
        output_mask = mask_of(inputs) if mask is None else mask
        if output_mask is not None:
            set_mask(outputs[0] if isinstance(outputs, tuple) else outputs, output_mask)

    def compute_output_shape(
        self, query_shape: Any, value_shape: Any, key_shape: Any = None
    ) -> Any:
        """Return the shape of the output; ValueError where keys and values differ in length."""
        if key_shape is not None and tuple(value_shape[1:-1]) != tuple(key_shape[1:-1]):
            raise ValueError(
                f"All dimensions of `value` and `key`, except the last one, must be equal. "
                f"Received: value_shape={value_shape} and key_shape={key_shape}"
            )
        return (*query_shape[:-1], *(self._output_sizes or (query_shape[-1],)))

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = super().get_config()
        return {
            **config, "num_heads": self.num_heads, "key_dim": self.key_dim,
            "value_dim": self.value_dim, "dropout": self.dropout, "use_bias": self.use_bias,
            "use_gate": False, "output_shape": self._output_sizes,
            "attention_axes": self._attention_axes, "sliding_window": self.sliding_window,
            "activity_regularizer": config.get("activity_regularizer"), "seed": self.seed,
            **weight_config(self),
        }  # fmt: skip


def _another(initializer: Any) -> Any:
    """Return an initializer with the same arguments, which draws numbers of its own."""
    get_config = getattr(initializer, "get_config", None)
    return initializer if get_config is None else type(initializer).from_config(get_config())
