"""Layers that encode categories: ``CategoryEncoding``, ``Hashing`` and ``Discretization``.

``encoded`` is used by vocabularies (vocabulary.py), too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.containers.string_hash_ops import to_hash_bucket_fast, to_hash_bucket_strong
from runtime.graph.default_graph import control_dependencies
from runtime.keras.layers.base.layer import Layer
from runtime.ops.array.constants import cast, constant, convert_to_tensor, identity
from runtime.ops.array.creation import one_hot, zeros_like
from runtime.ops.array.shape import expand_dims, reshape, squeeze
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.array.sorting import searchsorted
from runtime.ops.array.where import where
from runtime.ops.control_flow.assertions import assert_non_negative
from runtime.ops.math.comparison import equal
from runtime.ops.math.reduction import reduce_max, reduce_sum
from runtime.ops.string.strings import as_string

__all__ = ["CategoryEncoding", "Discretization", "Hashing"]

MODES = ("int", "one_hot", "multi_hot", "count")


def mode_of(value: str, allowed: tuple[str, ...], layer: str) -> str:
    """Return an output mode by its present name; ValueError for what is none."""
    mode = {"binary": "multi_hot", "tf-idf": "tf_idf"}.get(value, value)
    if mode not in allowed:
        raise ValueError(
            f"Invalid value for argument `output_mode`. Expected one of {allowed} for {layer}. "
            f"Unknown arg for output_mode: {value}. Received: output_mode={value!r}"
        )
    return mode


def check_dense(sparse: bool, layer: str, mode: str = "") -> None:
    """Raise ValueError for sparse outputs, which there are none of."""
    if sparse and mode == "int":
        raise ValueError(
            "`sparse` may only be true if `output_mode` is `'one_hot'`, `'multi_hot'`, or "
            f"`'count'`. Received: sparse={sparse} and output_mode={mode} for {layer}, which gives "
            "dense outputs only"
        )
    if sparse:
        raise ValueError(
            f"{layer} gives dense outputs only: there are no sparse tensors; leave out sparse=True"
        )


def salt_of(salt: Any, layer: str) -> list[int] | None:
    """Return the two numbers of a salt; ValueError for what is neither one nor two."""
    if salt is None:
        return None
    if isinstance(salt, tuple | list) and len(salt) == 2:
        return list(salt)
    if isinstance(salt, int):
        return [salt, salt]
    raise ValueError(
        f"The `salt` argument for `{layer}` can only be a tuple of size 2 integers, or a single "
        f"integer. Received: salt={salt}."
    )


def hashed(values: Any, buckets: int, salt: list[int] | None) -> Any:
    """Return the buckets of texts: by FarmHash64, or with a salt by SipHash64."""
    if salt is None:
        return to_hash_bucket_fast(values, buckets)
    return to_hash_bucket_strong(values, buckets, salt)


def encoded(indices: Any, mode: str, depth: Any, dtype: Any, weights: Any = None) -> Any:
    """Return categories as ``mode`` says; those outside of ``depth`` count for nothing."""
    if mode == "int":
        return cast(indices, dtype)
    if indices.shape.rank == 0:
        indices = expand_dims(indices, -1)
    if mode == "one_hot":
        if indices.shape.rank > 1 and indices.shape[-1] == 1:
            indices = squeeze(indices, [-1])
        return one_hot(indices, depth, dtype=dtype)
    axis = 1 if indices.shape.rank > 1 else 0
    rows = one_hot(indices, depth, dtype=dtype if weights is None else weights.dtype)
    if mode == "multi_hot":
        return reduce_max(rows, axis)
    return reduce_sum(rows if weights is None else rows * expand_dims(weights, -1), axis)


def encoded_shape(shape: Any, mode: str, depth: int | None) -> Any:
    """Return the shape of encoded categories."""
    shape = tuple(shape)
    if mode == "int":
        return shape
    if mode == "one_hot":
        is_row = not (len(shape) > 1 and shape[-1] == 1)
        return (*shape, depth) if is_row else (*shape[:-1], depth)
    return (shape[0], *shape[2:], depth) if len(shape) > 1 else (depth,)


class CategoryEncoding(Layer):
    """Layer that encodes whole numbers from 0 on: which of them a row holds, or how often.

    Args:
        num_tokens: number of categories, the size of the last axis of the output.
        output_mode: 'multi_hot' (1 for each that a row holds), 'count' (how often), or 'one_hot' (a
            row for each element).
        sparse: must be False: there are no sparse tensors.
        kwargs: arguments of ``Layer``.

    Raises:
        ValueError: for a number that is not positive, an unknown mode, or weights without counts.
    """

    def __init__(
        self, num_tokens: int | None = None, output_mode: str = "multi_hot", sparse: bool = False,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self.output_mode = mode_of(output_mode, MODES[1:], "CategoryEncoding")
        if num_tokens is None:
            raise ValueError(
                "num_tokens must be set to use this layer. If the number of tokens is not known "
                "beforehand, use the IntegerLookup layer instead."
            )
        if num_tokens < 1:
            raise ValueError(f"`num_tokens` must be >= 1. Received: num_tokens={num_tokens}.")
        check_dense(sparse, "CategoryEncoding")
        self.num_tokens = num_tokens

    def call(self, inputs: Any, count_weights: Any = None) -> Any:
        """Encode, with a weight for each element if they are counted."""
        if count_weights is not None:
            if self.output_mode != "count":
                raise ValueError(
                    "`count_weights` is not used when `output_mode` is not `'count'`. Received "
                    f"`count_weights={count_weights}`."
                )
            count_weights = cast(convert_to_tensor(count_weights), self.compute_dtype)
        indices = cast(convert_to_tensor(inputs), "int64")
        if self.output_mode != "one_hot":  # which has rows of zeros for them, as in Keras
            remedy = f"categories of {self.name!r} count from 0: mask others before the layer"
            with control_dependencies([assert_non_negative(indices, message=remedy)]):
                indices = identity(indices)
        dtype = self.compute_dtype
        return encoded(indices, self.output_mode, self.num_tokens, dtype, count_weights)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return encoded_shape(input_shape, self.output_mode, self.num_tokens)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = {"num_tokens": self.num_tokens, "output_mode": self.output_mode}
        return {**super().get_config(), **config}


class Hashing(Layer):
    """Layer that puts texts or whole numbers into bins by their hash.

    Args:
        num_bins: number of bins.
        mask_value: value that gets bin 0, which no other then gets.
        salt: one or two numbers: SipHash64 with these in place of FarmHash64.
        output_mode: 'int', 'one_hot', 'multi_hot' or 'count'.
        sparse: must be False: there are no sparse tensors.
        kwargs: arguments of ``Layer``.

    Raises:
        ValueError: for a number of bins that is not positive, and other wrong arguments.
    """

    def __init__(
        self, num_bins: int, mask_value: Any = None, salt: Any = None, output_mode: str = "int",
        sparse: bool = False, **kwargs: Any,
    ) -> None:  # fmt: skip
        if kwargs.get("dtype") is None and output_mode == "int":
            kwargs["dtype"] = "int64"
        super().__init__(**kwargs)
        if num_bins is None or num_bins <= 0:
            raise ValueError(
                "The `num_bins` for `Hashing` cannot be `None` or non-positive values. Received: "
                f"num_bins={num_bins}."
            )
        self.output_mode = mode_of(output_mode, MODES, "Hashing")
        if output_mode == "int" and str(self.compute_dtype) not in ("int32", "int64"):
            raise ValueError(
                'When `output_mode="int"`, `dtype` should be an integer type, \'int32\' or '
                f"'int64'. Received: dtype={kwargs['dtype']}"
            )
        check_dense(sparse, "Hashing", output_mode)
        self.num_bins, self.mask_value = num_bins, mask_value
        self.salt = salt_of(salt, "Hashing")

    def call(self, inputs: Any) -> Any:
        """Hash; floats are taken for whole numbers."""
        values = convert_to_tensor(inputs)
        bins, masked = self.num_bins, None
        if self.mask_value is not None and bins > 1:
            bins -= 1
            masked = equal(values, constant(self.mask_value, values.dtype))
        if values.dtype.is_floating:
            values = cast(values, "int64")
        if str(values.dtype.name) != "string":
            values = as_string(values)
        bins_found = hashed(values, bins, self.salt)
        if masked is not None:
            bins_found = where(masked, zeros_like(bins_found), bins_found + 1)
        return encoded(bins_found, self.output_mode, self.num_bins, self.compute_dtype)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return encoded_shape(input_shape, self.output_mode, self.num_bins)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {
            **super().get_config(), "num_bins": self.num_bins, "salt": self.salt,
            "mask_value": self.mask_value, "output_mode": self.output_mode, "sparse": False,
        }  # fmt: skip


class Discretization(Layer):
    """Layer that says between which boundaries numbers lie.

    ``adapt`` takes the boundaries from data, as quantiles; or they are given.

    Args:
        bin_boundaries: increasing numbers; n of them make n + 1 bins.
        num_bins: number of bins that ``adapt`` makes.
        epsilon: how far the quantiles may be off, as a share of the data.
        output_mode: 'int', 'one_hot', 'multi_hot' or 'count'.
        sparse: must be False: there are no sparse tensors.
        dtype: dtype of the outputs, except of 'int', which are int32.
        name: name of the layer.

    Raises:
        ValueError: unless one of ``bin_boundaries`` and ``num_bins`` is given; for a call before
            there are boundaries.
    """

    def __init__(
        self, bin_boundaries: Any = None, num_bins: int | None = None, epsilon: float = 0.01,
        output_mode: str = "int", sparse: bool = False, dtype: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name=name, dtype=dtype)
        self.output_mode = mode_of(output_mode, MODES, "Discretization")
        check_dense(sparse, "Discretization", output_mode)
        if num_bins is not None and num_bins < 0:
            raise ValueError(
                "`num_bins` must be greater than or equal to 0. Received: "
                f"`num_bins={num_bins}`"
            )
        if (num_bins is None) == (bin_boundaries is None):
            too_many = (
                "Both `num_bins` and `bin_boundaries` are set. " if num_bins is not None else ""
            )
            raise ValueError(
                f"{too_many}Exactly one of `num_bins` and `bin_boundaries` must be set. Received: "
                f"`num_bins={num_bins}` and `bin_boundaries={bin_boundaries}`"
            )
        self.bin_boundaries, self.num_bins, self.epsilon = bin_boundaries, num_bins, epsilon
        self._summary = _NOTHING

    def adapt(self, data: Any, steps: int | None = None) -> None:
        """Take the boundaries from data: an array, or batches of arrays, ``steps`` at most."""
        if self.num_bins is None:
            raise ValueError(
                "Cannot adapt a Discretization layer that has been initialized with "
                "`bin_boundaries`, use `num_bins` instead."
            )
        self.reset_state()
        for number, batch in enumerate([data] if hasattr(data, "dtype") else data):
            if steps is not None and number >= steps:
                break
            self.update_state(batch)
        self.finalize_state()

    def update_state(self, data: Any) -> None:
        """Take a batch into account."""
        values = np.sort(np.asarray(data).astype("float32").reshape(-1))
        step = max(values.size * self.epsilon, 1)
        sampled = values[int(step - 1) :: int(step)]
        merged = np.concatenate(
            (np.stack([sampled, np.ones_like(sampled) * step]), self._summary), axis=1
        )
        self._summary = _compressed(merged[:, np.argsort(merged[0])], self.epsilon)

    def finalize_state(self) -> None:
        """Make boundaries of what was taken into account."""
        if self.num_bins is not None:
            self.bin_boundaries = _compressed(self._summary, 1.0 / self.num_bins)[0, :-1].tolist()

    def reset_state(self) -> None:
        """Forget what was taken into account."""
        self._summary = _NOTHING

    def call(self, inputs: Any) -> Any:
        """Return the bins."""
        if self.bin_boundaries is None:
            raise ValueError(
                "You need to either pass the `bin_boundaries` argument at construction time or "
                "call `adapt(dataset)` before you can start using the `Discretization` layer."
            )
        inputs = convert_to_tensor(inputs)
        if not inputs.dtype.is_floating:
            inputs = cast(inputs, "float32")
        bounds = constant(np.asarray(self.bin_boundaries, "float32"), inputs.dtype)
        bins = searchsorted(bounds, reshape(inputs, [-1]), side="right")
        bins = reshape(bins, shape_of(inputs))
        dtype = "int32" if self.output_mode == "int" else self.compute_dtype
        return encoded(bins, self.output_mode, len(self.bin_boundaries) + 1, dtype)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        bounds = self.bin_boundaries
        depth = self.num_bins if bounds is None else len(bounds) + 1
        return encoded_shape(input_shape, self.output_mode, depth)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, and the boundaries that ``adapt`` made."""
        config = super().get_config()
        return {
            "name": config["name"], "dtype": config["dtype"],
            "bin_boundaries": self.bin_boundaries, "num_bins": self.num_bins,
            "epsilon": self.epsilon, "output_mode": self.output_mode, "sparse": False,
        }  # fmt: skip

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Discretization:
        """Make a layer of its arguments, with the boundaries that ``adapt`` made."""
        bounds = config.get("bin_boundaries")
        if bounds is None or config.get("num_bins") is None:
            return cls(**config)
        layer = cls(**{**config, "bin_boundaries": None})
        layer.bin_boundaries = bounds
        return layer


_NOTHING = np.array([[], []], dtype="float32")


def _compressed(summary: Any, epsilon: float) -> Any:
    """Return a summary, rows of values and of their weights, of about 1 / epsilon columns."""
    if summary.shape[1] * epsilon < 1:
        return summary
    shares = epsilon + np.arange(0.0, 1.0, epsilon)
    weights = summary[1].cumsum()
    values = np.interp(shares, weights / weights[-1], summary[0])
    weights = np.interp(shares, weights / weights[-1], weights)
    return np.stack((values, weights - np.concatenate(([0], weights[:-1])))).astype("float32")
