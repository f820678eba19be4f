"""``Vocabulary``: base of the layers of lookup.py; text.py uses ``batches``, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from runtime.composite.ragged_tensor import RaggedTensor
from runtime.containers.hash_table import KeyValueTensorInitializer, StaticHashTable
from runtime.keras.config import floatx
from runtime.keras.layers.base.layer import Layer
from runtime.keras.layers.features.encoding import (
    MODES,
    check_dense,
    encoded,
    encoded_shape,
    hashed,
    mode_of,
    salt_of,
)
from runtime.ops.array.constants import cast, constant, convert_to_tensor
from runtime.ops.array.shape import expand_dims, squeeze
from runtime.ops.array.where import where
from runtime.ops.control_flow.assertions import assert_greater_equal
from runtime.ops.math.comparison import equal
from runtime.ops.math.elementwise import floormod
from runtime.ops.string.strings import as_string
from runtime.types.atomic_files import file_errors
from runtime.types.dtypes import int64

_DROPPED = np.iinfo("int64").max
"""Index of masked values where they count for nothing: it is outside of every encoding."""


class Vocabulary(Layer):
    """Base of layers that give values of a vocabulary their places in it, or the other way."""

    vocabulary_dtype = ""

    def __init__(
        self, max_tokens: int | None, num_oov_indices: int, mask_token: Any, oov_token: Any,
        vocabulary: Any, idf_weights: Any, invert: bool, output_mode: str, sparse: bool,
        pad_to_max_tokens: bool, oov_method: str, salt: Any, name: str | None, **kwargs: Any,
    ) -> None:  # fmt: skip
        size = kwargs.pop("vocabulary_size", None)
        for argument in ("dtype", "trainable", "has_input_vocabulary"):
            kwargs.pop(argument, None)
        super().__init__(name=name, **kwargs)
        kind = type(self).__name__
        if max_tokens is not None and max_tokens <= 1:
            raise ValueError(
                "If set, `max_tokens` must be greater than 1. Received: "
                f"max_tokens={max_tokens}"
            )
        if pad_to_max_tokens and max_tokens is None:
            raise ValueError("If pad_to_max_tokens is True, must set `max_tokens`.")
        if num_oov_indices < 0:
            raise ValueError(
                "`num_oov_indices` must be greater than or equal to 0. Received: "
                f"num_oov_indices={num_oov_indices}"
            )
        self.output_mode = mode_of(output_mode, (*MODES, "tf_idf"), kind)
        check_dense(sparse, kind)
        if invert and self.output_mode != "int":
            raise ValueError(
                "`output_mode` must be `'int'` when `invert` is true. Received: "
                f"output_mode={output_mode}"
            )
        if idf_weights is not None and self.output_mode != "tf_idf":
            raise ValueError(
                "`idf_weights` should only be set if `output_mode` is `'tf_idf'`. Received: "
                f"output_mode={output_mode}"
            )
        if vocabulary is not None and self.output_mode == "tf_idf" and idf_weights is None:
            raise ValueError(
                "When specifying the `vocabulary` argument, in TF-IDF output mode, the "
                "`idf_weights` argument must also be provided."
            )
        self.max_tokens, self.num_oov_indices = max_tokens, num_oov_indices
        self.mask_token, self.oov_token = mask_token, oov_token
        self.invert, self.pad_to_max_tokens = invert, pad_to_max_tokens
        self.oov_method, self.salt = oov_method, salt_of(salt, kind)
        self._tokens: list[Any] = []
        self._idf: Any = None
        self._size: int | None = size
        self._is_given = vocabulary is not None
        self.reset_state()
        if vocabulary is not None:
            self.set_vocabulary(vocabulary, idf_weights)

    # -- the vocabulary ---------------------------------------------------------------------------

    @property
    def _masks(self) -> int:
        return int(self.mask_token is not None and self.output_mode == "int")

    @property
    def _special(self) -> list[Any]:
        """What stands before the tokens: the mask, and what is not in the vocabulary."""
        return [self.mask_token] * self._masks + [self.oov_token] * self.num_oov_indices

    def get_vocabulary(self, include_special_tokens: bool = True) -> list[Any]:
        """Return the vocabulary, by default with the mask and what stands for other values."""
        return [*(self._special if include_special_tokens else ()), *self._tokens]

    def vocabulary_size(self) -> int:
        """Return the number of tokens, with the mask and what stands for other values."""
        return len(self._special) + len(self._tokens)

    def set_vocabulary(self, vocabulary: Any, idf_weights: Any = None) -> None:
        """Set the vocabulary: an array, or the name of a file with a token in each line.

        ValueError for an empty one, one with repeated tokens, one that is greater than
        ``max_tokens``, and for weights that do not fit.
        """
        if (idf_weights is not None) != (self.output_mode == "tf_idf"):
            raise ValueError(
                "`idf_weights` must be set if, and only if, output_mode is `'tf_idf'`. Received: "
                f"output_mode={self.output_mode} and idf_weights={idf_weights}"
            )
        if isinstance(vocabulary, str):
            tokens, plain = self._lines(vocabulary), True
        else:
            tokens = self._plain(vocabulary)
            special = self._special
            plain = not (special and tokens[: len(special)] == special)
            tokens = tokens if plain else tokens[len(special) :]
        if not tokens:
            raise ValueError(f"Cannot set an empty vocabulary. Received: vocabulary={vocabulary}")
        self._check(tokens)
        self._set(tokens)
        if idf_weights is not None:
            self._set_weights(np.asarray(idf_weights, floatx()), len(tokens), plain)

    def _lines(self, path: str) -> list[Any]:
        with file_errors(path), open(path, encoding="utf-8") as file:
            return self._plain(file.read().splitlines())

    def _plain(self, values: Any) -> list[Any]:
        """Return values as a list of texts, or of ints."""
        raise NotImplementedError

    def _check(self, tokens: list[Any]) -> None:
        repeated = [token for token, count in Counter(tokens).items() if count > 1]
        if repeated:
            raise ValueError(
                "The passed vocabulary has at least one repeated term. Please uniquify your "
                f"dataset. The repeated terms are: {repeated}"
            )
        reserved = {"mask": self.mask_token, "OOV": self.oov_token if self.invert else None}
        for kind, token in reserved.items():
            if token is not None and token in tokens:
                raise ValueError(
                    f"Found reserved {kind} token at unexpected location in `vocabulary`. Either "
                    "remove all mask and OOV tokens, or include them only at the start of the "
                    f"vocabulary in precisely this order: {self._special}. Received: {token!r} at "
                    f"index {tokens.index(token)}"
                )
        size = len(self._special) + len(tokens)
        if self.max_tokens is not None and size > self.max_tokens:
            raise ValueError(
                "Attempted to set a vocabulary larger than the maximum vocab size. Received "
                f"vocabulary size is {size}; `max_tokens` is {self.max_tokens}."
            )

    def _set(self, tokens: list[Any]) -> None:
        size = len(self._special) + len(tokens)
        free = self.output_mode == "int" or self.pad_to_max_tokens
        if not free and self._size not in (None, size):
            raise RuntimeError(
                f"When using `output_mode={self.output_mode}` and `pad_to_max_tokens=False`, the "
                "vocabulary size cannot be changed. Old vocab size is "
                f"{self._size}, new vocab size is {size}"
            )
        self._tokens, self._size = tokens, size
        keys = constant(tokens, self.vocabulary_dtype)
        places = constant(np.arange(len(self._special), size), int64)
        default: Any = self.oov_token
        if not self.invert:
            default = self._masks if self.num_oov_indices == 1 else -1
        pairs = (places, keys) if self.invert else (keys, places)
        self.lookup_table = StaticHashTable(KeyValueTensorInitializer(*pairs), default)

    def _set_weights(self, weights: Any, count: int, plain: bool) -> None:
        """Set the weights of tokens; those of other values are their mean."""
        front = len(self._special) if plain else 0
        if weights.ndim != 1 or len(weights) != count + len(self._special) - front:
            raise ValueError(
                "`idf_weights` must be a vector of the same length as vocabulary. Its shape is "
                f"{weights.shape}; len(vocabulary) is {count + len(self._special) - front}"
            )
        weights = np.concatenate([np.full(front, np.average(weights), floatx()), weights])
        if self.pad_to_max_tokens and self.max_tokens is not None:
            weights = np.pad(weights, (0, self.max_tokens - len(weights)))
        self._idf = weights.astype(floatx())

    # -- adapting ---------------------------------------------------------------------------------

    def adapt(self, data: Any, steps: int | None = None) -> None:
        """Take the vocabulary from data: the most frequent values come first.

        ``data`` is an array or a list of samples, or batches of them, of which ``steps`` count.
        ValueError where a vocabulary was given.
        """
        self.reset_state()
        for batch in batches(data, steps):
            self.update_state(batch)
        self.finalize_state()

    def reset_state(self) -> None:
        """Forget what was counted."""
        self._counts: Counter[Any] = Counter()
        self._documents: Counter[Any] = Counter()
        self._number = 0

    def update_state(self, data: Any) -> None:
        """Count the values of a batch, whose rows are documents; a vector is one."""
        if self._is_given:
            raise ValueError(
                f"Cannot adapt layer '{self.name}' after setting a static vocabulary via "
                "`vocabulary` argument."
            )
        for row in _documents(data):
            tokens = self._plain(row)
            self._counts.update(tokens)
            self._documents.update(set(tokens))
            self._number += 1

    def finalize_state(self) -> None:
        """Make the vocabulary of what was counted; ties are in reverse order of the values."""
        counts = {token: count for token, count in self._counts.items()
                  if token not in (self.mask_token, self.oov_token)}  # fmt: skip
        if not counts:
            return
        key = (lambda token: token.encode()) if self.vocabulary_dtype == "string" else int
        tokens = sorted(counts, key=lambda token: (counts[token], key(token)), reverse=True)
        if self.max_tokens:
            tokens = tokens[: self.max_tokens - len(self._special)]
        self._set(tokens)
        if self.output_mode == "tf_idf":
            document_counts = np.array([self._documents[token] for token in tokens], "float64")
            self._set_weights(
                np.log(1 + self._number / (1 + document_counts)).astype(floatx()), len(tokens), True
            )
        self.reset_state()

    # -- calling ----------------------------------------------------------------------------------

    def call(self, inputs: Any) -> Any:
        """Look values up; ragged inputs give ragged places."""
        if not self._tokens:
            raise RuntimeError(
                f"layer {self.name!r} has no vocabulary: pass `vocabulary` to it, or call `adapt` "
                "with some sample data"
            )
        if isinstance(inputs, RaggedTensor):
            places: Any = inputs.with_flat_values(self._places(inputs.flat_values))
            if self.output_mode == "int":
                return places
            places = places.to_tensor(default_value=_DROPPED)
        else:
            dtype = int64 if self.invert else self.vocabulary_dtype
            inputs = convert_to_tensor(inputs)
            inputs = inputs if dtype == "string" else cast(inputs, dtype)
            is_scalar = inputs.shape.rank == 0
            places = self._places(expand_dims(inputs, -1) if is_scalar else inputs)
            if self.output_mode == "int":
                return squeeze(places, [-1]) if is_scalar else places
        depth = self.max_tokens if self.pad_to_max_tokens else self._size
        if self.output_mode == "tf_idf":
            return encoded(places, "count", depth, floatx()) * constant(self._idf)
        return encoded(places, self.output_mode, depth, int64)

    def _places(self, values: Any) -> Any:
        places = self.lookup_table.lookup(values)
        if self.mask_token is not None:
            if self.invert:
                masked, place = equal(values, constant(0, int64)), constant(self.mask_token)
            else:
                masked = equal(values, constant(self.mask_token, values.dtype))
                place = constant(0 if self.output_mode == "int" else _DROPPED, int64)
            places = where(masked, place, places)
        if self.invert or self.num_oov_indices == 1:
            return places
        if self.num_oov_indices == 0:
            text = (
                "When `num_oov_indices=0` all inputs should be in vocabulary, found others; "
                "consider setting `num_oov_indices=1`."
            )
            assert_greater_equal(places, constant(0, int64), message=text)
            return places
        unknown_places = self._masks + self._others(values)
        return where(equal(places, constant(-1, int64)), unknown_places, places)

    def _others(self, values: Any) -> Any:
        """Return which of the places for other values they get."""
        if values.dtype.is_integer:
            if self.oov_method != "farmhash":
                return floormod(values, constant(self.num_oov_indices, values.dtype))
            values = as_string(values)
        return hashed(values, self.num_oov_indices, self.salt)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        depth = self.max_tokens if self.pad_to_max_tokens else self._size
        return encoded_shape(input_shape, self.output_mode, depth)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, and the vocabulary, also of ``adapt``."""
        return {
            **super().get_config(), "invert": self.invert, "max_tokens": self.max_tokens,
            "num_oov_indices": self.num_oov_indices, "oov_token": self.oov_token,
            "mask_token": self.mask_token, "output_mode": self.output_mode, "sparse": False,
            "pad_to_max_tokens": self.pad_to_max_tokens,
            "idf_weights": self._listed_weights(), "vocabulary": self._tokens or None,
            "vocabulary_size": self._size, "oov_method": self.oov_method, "salt": self.salt,
        }  # fmt: skip

    def _listed_weights(self) -> list[float] | None:
        if self._idf is None:
            return None
        start = len(self._special)
        return [float(weight) for weight in self._idf[start : start + len(self._tokens)]]


def batches(data: Any, steps: int | None) -> Iterator[Any]:
    """Yield the batches of data; an array or a list is one, in which numbers are samples."""
    if isinstance(data, list | tuple) or hasattr(data, "shape"):
        array = data if isinstance(data, RaggedTensor) else np.asarray(data)
        yield array[:, None] if array.shape is not None and len(array.shape) == 1 else array
        return
    for number, batch in enumerate(data):
        if steps is not None and number >= steps:
            return
        yield batch


def _documents(data: Any) -> Iterator[Any]:
    """Yield the rows of a batch."""
    if isinstance(data, RaggedTensor):
        yield from map(np.asarray, (np.array(row, dtype=object) for row in data.to_list()))
        return
    array = np.asarray(data)
    yield from array if array.ndim > 1 else [array]
