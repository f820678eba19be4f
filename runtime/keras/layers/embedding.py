"""``Embedding``, and ``Masking`` of steps."""

from __future__ import annotations

from typing import Any

from runtime.keras import constraints, initializers, regularizers
from runtime.keras.layers.base.layer import Layer
from runtime.keras.layers.base.masks import set_mask
from runtime.keras.layers.dense import positive_int, weight_config
from runtime.ops.array.constants import cast
from runtime.ops.array.gather_scatter import gather
from runtime.ops.math.comparison import not_equal
from runtime.ops.math.reduction import reduce_any

__all__ = ["Embedding", "Masking"]


class Embedding(Layer):
    """Layer that gives a row of its weight for each integer of the inputs.

    ``embeddings`` has the shape (input_dim, output_dim).  ``mask_zero`` says that the integer 0
    stands for no step, and masks it.
    """

    def __init__(
        self, input_dim: int, output_dim: int, embeddings_initializer: Any = "uniform",
        embeddings_regularizer: Any = None, embeddings_constraint: Any = None,
        mask_zero: bool = False, weights: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        length = kwargs.pop("input_length", None)
        if length is not None and "input_shape" not in kwargs:
            kwargs["input_shape"] = (length,)
        super().__init__(**kwargs)
        self.input_dim = positive_int(input_dim, "input_dim", "Embedding")
        self.output_dim = positive_int(output_dim, "output_dim", "Embedding")
        self.embeddings_initializer = initializers.get(embeddings_initializer)
        self.embeddings_regularizer = regularizers.get(embeddings_regularizer)
        self.embeddings_constraint = constraints.get(embeddings_constraint)
        self.mask_zero = mask_zero
        self.supports_masking = mask_zero
        if weights is not None:
            self.build()
            is_list = isinstance(weights, list) and len(weights) == 1
            self.set_weights(weights if is_list else [weights])

    def build(self, input_shape: Any = None) -> None:
        """Make ``embeddings``."""
        self.embeddings = self.add_weight(
            (self.input_dim, self.output_dim), self.embeddings_initializer, name="embeddings",
            autocast=False,
            regularizer=self.embeddings_regularizer, constraint=self.embeddings_constraint,
        )  # fmt: skip

    def call(self, inputs: Any) -> Any:
        """Gather rows; InvalidArgumentError for integers that are none."""
        indices = inputs if inputs.dtype.is_integer else cast(inputs, "int32")
        return cast(gather(self.embeddings, indices), self.compute_dtype)

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """Return where the integers are not 0; None unless ``mask_zero``."""
        return not_equal(inputs, 0) if self.mask_zero else None

    def _pass_mask_on(self, inputs: Any, mask: Any, outputs: Any) -> None:
        set_mask(outputs, self.compute_mask(inputs))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return (*input_shape, self.output_dim)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = super().get_config()
        return {
            **config, "input_dim": self.input_dim, "output_dim": self.output_dim,
            "activity_regularizer": config.get("activity_regularizer"),
            "mask_zero": self.mask_zero,
            **weight_config(self, ("embeddings",)),
        }  # fmt: skip


class Masking(Layer):
    """Layer that masks steps all of whose elements are ``mask_value``, and sets them to zero."""

    _is_stateless = True

    def __init__(self, mask_value: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.mask_value = mask_value
        self.supports_masking = True

    def _counts(self, inputs: Any) -> Any:
        return not_equal(cast(inputs, self.compute_dtype), self.mask_value)

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """Return which steps count."""
        return reduce_any(self._counts(inputs), -1)

    def _pass_mask_on(self, inputs: Any, mask: Any, outputs: Any) -> None:
        set_mask(outputs, self.compute_mask(inputs))

    def call(self, inputs: Any) -> Any:
        """Set the masked steps to zero."""
        counts = reduce_any(self._counts(inputs), -1, keepdims=True)
        return inputs * cast(counts, inputs.dtype)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "mask_value": self.mask_value}
