"""``TextVectorization``: texts as places of their words in a vocabulary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.composite.ragged_tensor import RaggedTensor
from runtime.composite.string_split import ngrams as ngrams_of
from runtime.composite.string_split import split as split_words
from runtime.composite.string_split import unicode_split
from runtime.keras.layers.base.layer import Layer
from runtime.keras.layers.features.encoding import encoded_shape
from runtime.keras.layers.features.lookup import StringLookup
from runtime.keras.layers.features.vocabulary import batches
from runtime.ops.array.concat_split import pad
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.array.shape import squeeze
from runtime.ops.math.elementwise import maximum
from runtime.ops.string.regex import regex_replace
from runtime.ops.string.strings import lower

__all__ = ["TextVectorization"]

_STANDARDS = ("lower_and_strip_punctuation", "lower", "strip_punctuation")
_PUNCTUATION = r'[!"#$%&()\*\+,-\./:;<=>?@\[\\\]^_`{|}~\']'


class TextVectorization(Layer):
    """Layer that splits texts into words, and gives the words their places in a vocabulary.

    ``adapt`` takes the vocabulary from data; or it is given.  Place 0 is that of the padding, 1
    that of words that are not in the vocabulary.

    Args:
        max_tokens: greatest size of the vocabulary.
        standardize: 'lower_and_strip_punctuation', 'lower', 'strip_punctuation', None, or a
            function of a tensor of texts.
        split: 'whitespace', 'character', None, or a function of a tensor of texts.
        ngrams: None, the greatest number of words that stand together, or a tuple of numbers.
        output_mode: 'int', 'one_hot', 'multi_hot', 'count' or 'tf_idf'.
        output_sequence_length: number of places, cut off or padded; for the mode 'int'.
        pad_to_max_tokens: whether encodings have ``max_tokens`` columns.
        vocabulary: words, or the name of a file with one in each line.
        idf_weights: weights of the words, for the mode 'tf_idf'.
        sparse: must be False: there are no sparse tensors.
        ragged: whether places are a ragged tensor, without padding.
        encoding: must be 'utf-8'.
        name: name of the layer.
        kwargs: arguments of ``Layer``.

    Raises:
        ValueError: for arguments that are none of these, or do not go together.
    """

    def __init__(
        self, max_tokens: int | None = None,
        standardize: str | Callable[[Any], Any] | None = "lower_and_strip_punctuation",
        split: str | Callable[[Any], Any] | None = "whitespace", ngrams: Any = None,
        output_mode: str = "int", output_sequence_length: int | None = None,
        pad_to_max_tokens: bool = False, vocabulary: Any = None, idf_weights: Any = None,
        sparse: bool = False, ragged: bool = False, encoding: str = "utf-8",
        name: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        size = kwargs.pop("vocabulary_size", None)
        kwargs.pop("has_input_vocabulary", None)
        super().__init__(name=name, **kwargs)
        _check_way("standardize", standardize, _STANDARDS)
        _check_way("split", split, ("whitespace", "character"))
        counted = ngrams if isinstance(ngrams, tuple) else () if ngrams is None else (ngrams,)
        if not all(isinstance(number, int) for number in counted):
            raise ValueError(
                "`ngrams` must be None, an integer, or a tuple of integers. Received: "
                f"ngrams={ngrams}"
            )
        length = output_sequence_length
        if length is not None and (output_mode != "int" or not isinstance(length, int)):
            raise ValueError(
                "`output_sequence_length` must be an integer, and `output_mode` 'int', or it must "
                f"not be set. Received: output_sequence_length={length} and "
                f"output_mode={output_mode}"
            )
        if ragged and output_mode != "int":
            raise ValueError(
                "`ragged` can only be True if `output_mode` is `'int'`. Received: "
                f"output_mode={output_mode}"
            )
        self._standardize, self._split, self._ngrams, self._ragged = (
            standardize, split, ngrams, ragged,
        )  # fmt: skip
        self._length = length
        self._lookup = StringLookup(
            max_tokens, mask_token="", vocabulary=vocabulary, idf_weights=idf_weights,
            output_mode=output_mode, pad_to_max_tokens=pad_to_max_tokens, sparse=sparse,
            encoding=encoding, vocabulary_size=size,
        )  # fmt: skip

    def adapt(self, data: Any, batch_size: int | None = None, steps: int | None = None) -> None:
        """Take the vocabulary from data: an array or a list of texts, or batches of them."""
        self.reset_state()
        for batch in batches(data, steps):
            self.update_state(batch)
        self.finalize_state()

    def update_state(self, data: Any) -> None:
        """Count the words of a batch."""
        self._lookup.update_state(self._words(convert_to_tensor(data)))

    def finalize_state(self) -> None:
        """Make the vocabulary of what was counted."""
        self._lookup.finalize_state()

    def reset_state(self) -> None:
        """Forget what was counted."""
        self._lookup.reset_state()

    def get_vocabulary(self, include_special_tokens: bool = True) -> list[str]:
        """Return the vocabulary, by default with the padding and what stands for other words."""
        return self._lookup.get_vocabulary(include_special_tokens)

    def vocabulary_size(self) -> int:
        """Return the number of words, with the padding and what stands for others."""
        return self._lookup.vocabulary_size()

    def set_vocabulary(self, vocabulary: Any, idf_weights: Any = None) -> None:
        """Set the vocabulary: words, or the name of a file; see ``StringLookup``."""
        self._lookup.set_vocabulary(vocabulary, idf_weights)

    def call(self, inputs: Any) -> Any:
        """Return the places, or encode them."""
        places = self._lookup.call(self._words(convert_to_tensor(inputs)))
        if self._lookup.output_mode != "int":
            return places
        if isinstance(places, RaggedTensor):
            if self._ragged:
                return places
            size = [*places.shape.as_list()[:-1], self._length]
            return places.to_tensor(default_value=0, shape=size)
        if self._length is None:
            return places
        places = places[..., : self._length]
        if self._ragged:
            return places
        missing = maximum(self._length - shape_of(places)[-1], 0)
        padded = pad(places, [*[[0, 0]] * (places.shape.rank - 1), [0, missing]])
        padded.set_shape([*places.shape.as_list()[:-1], self._length])
        return padded

    def _words(self, inputs: Any) -> Any:
        if self._standardize in ("lower", "lower_and_strip_punctuation"):
            inputs = lower(inputs)
        if self._standardize in ("strip_punctuation", "lower_and_strip_punctuation"):
            inputs = regex_replace(inputs, _PUNCTUATION, "")
        if callable(self._standardize):
            inputs = self._standardize(inputs)
        if self._split is not None:
            if inputs.shape.rank > 1:
                if inputs.shape[-1] != 1:
                    raise ValueError(
                        "When using `TextVectorization` to tokenize strings, the input rank must "
                        "be 1 or the last shape dimension must be 1. Received: "
                        f"inputs.shape={inputs.shape} with rank={inputs.shape.rank}"
                    )
                inputs = squeeze(inputs, [-1])
            if callable(self._split):
                inputs = self._split(inputs)
            elif self._split == "whitespace":
                inputs = split_words(inputs)
            else:
                inputs = unicode_split(inputs, "UTF-8")
        if self._ngrams is not None:
            widths = self._ngrams
            widths = tuple(range(1, widths + 1)) if isinstance(widths, int) else widths
            inputs = ngrams_of(inputs, ngram_width=widths, separator=" ")
        return inputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        if self._lookup.output_mode == "int":
            return input_shape[0], self._length
        if self._split is not None:
            input_shape = (*input_shape, None)
        elif len(input_shape) <= 1:
            input_shape = (*input_shape, 1)
        lookup = self._lookup
        depth = lookup.max_tokens if lookup.pad_to_max_tokens else lookup.vocabulary_size()
        return encoded_shape(input_shape, lookup.output_mode, depth)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, and the vocabulary, also of ``adapt``."""
        from runtime.keras.serialization import serialize_keras_object

        lookup = self._lookup.get_config()
        argument_names = ("max_tokens", "output_mode", "pad_to_max_tokens", "sparse", "vocabulary",
                "idf_weights", "encoding")  # fmt: skip
        return {
            **super().get_config(), **{name: lookup[name] for name in argument_names},
            "standardize": serialize_keras_object(self._standardize),
            "split": serialize_keras_object(self._split), "ngrams": self._ngrams,
            "output_sequence_length": self._length, "ragged": self._ragged,
            "vocabulary_size": self.vocabulary_size(),
        }  # fmt: skip

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """Make a layer of its arguments."""
        from runtime.keras.serialization import deserialize_keras_object

        config = dict(config)
        for name in ("standardize", "split"):
            if not isinstance(config[name], str):
                config[name] = deserialize_keras_object(config[name], custom_objects)
        if isinstance(config["ngrams"], list):
            config["ngrams"] = tuple(config["ngrams"])
        return cls(**config)


def _check_way(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    if value is not None and value not in allowed and not callable(value):
        raise ValueError(
            f"The `{name}` argument of TextVectorization must be one of {allowed}, None, or a "
            f"function. Received: {name}={value!r}"
        )
