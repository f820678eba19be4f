"""Layers with a vocabulary: ``StringLookup`` and ``IntegerLookup``.

text.py makes ``TextVectorization`` of the former.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.keras.layers.features.vocabulary import Vocabulary

__all__ = ["IntegerLookup", "StringLookup"]


class StringLookup(Vocabulary):
    """Layer that gives texts of a vocabulary their places in it, or with ``invert`` the texts.

    ``adapt`` takes the vocabulary from data; or it is given.  Places begin with that of the mask,
    if there is one and the mode is 'int', and those of texts that are not in the vocabulary.

    Args:
        max_tokens: greatest size of the vocabulary.
        num_oov_indices: number of places for other texts; more than one are chosen by a hash.
        mask_token: text that counts for nothing.
        oov_token: text for the places of others.
        vocabulary: texts, or the name of a file with one in each line.
        idf_weights: weights of the texts, for the mode 'tf_idf'.
        invert: whether places become texts.
        output_mode: 'int', 'one_hot', 'multi_hot', 'count' or 'tf_idf'.
        pad_to_max_tokens: whether encodings have ``max_tokens`` columns.
        sparse: must be False: there are no sparse tensors.
        encoding: must be 'utf-8'.
        name: name of the layer.
        salt: one or two numbers, for another hash.
        kwargs: arguments of ``Layer``.

    Raises:
        ValueError: for arguments that are none of these, or do not go together.
    """

    vocabulary_dtype = "string"

    def __init__(
        self, max_tokens: int | None = None, num_oov_indices: int = 1,
        mask_token: str | None = None, oov_token: str = "[UNK]", vocabulary: Any = None,
        idf_weights: Any = None, invert: bool = False, output_mode: str = "int",
        pad_to_max_tokens: bool = False, sparse: bool = False, encoding: str = "utf-8",
        name: str | None = None, salt: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        if encoding.lower() not in ("utf-8", "utf8"):
            raise ValueError(f"texts are in UTF-8: encoding must be 'utf-8', got {encoding!r}")
        self.encoding = encoding
        method = kwargs.pop("oov_method", "floormod")
        super().__init__(
            max_tokens, num_oov_indices, mask_token, oov_token, vocabulary, idf_weights, invert,
            output_mode, sparse, pad_to_max_tokens, method, salt, name, **kwargs,
        )  # fmt: skip

    def _plain(self, values: Any) -> list[str]:
        array = np.asarray(values).reshape(-1)
        return [item.decode() if isinstance(item, bytes) else str(item) for item in array.tolist()]

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, and the vocabulary, also of ``adapt``."""
        return {**super().get_config(), "encoding": self.encoding}


class IntegerLookup(Vocabulary):
    """Layer that gives whole numbers of a vocabulary their places in it, as ``StringLookup``.

    Args:
        max_tokens: greatest size of the vocabulary.
        num_oov_indices: number of places for other numbers; more than one are chosen by
            ``oov_method``.
        mask_token: number that counts for nothing.
        oov_token: number for the places of others.
        vocabulary: numbers, or the name of a file with one in each line.
        vocabulary_dtype: must be 'int64'.
        idf_weights: weights of the numbers, for the mode 'tf_idf'.
        invert: whether places become numbers.
        output_mode: 'int', 'one_hot', 'multi_hot', 'count' or 'tf_idf'.
        sparse: must be False: there are no sparse tensors.
        pad_to_max_tokens: whether encodings have ``max_tokens`` columns.
        oov_method: 'floormod', the remainder, or 'farmhash'.
        salt: one or two numbers, for another hash.
        name: name of the layer.
        kwargs: arguments of ``Layer``.

    Raises:
        ValueError: for arguments that are none of these, or do not go together.
    """

    vocabulary_dtype = "int64"

    def __init__(
        self, max_tokens: int | None = None, num_oov_indices: int = 1,
        mask_token: int | None = None, oov_token: int = -1, vocabulary: Any = None,
        vocabulary_dtype: str = "int64", idf_weights: Any = None, invert: bool = False,
        output_mode: str = "int", sparse: bool = False, pad_to_max_tokens: bool = False,
        oov_method: str = "floormod", salt: Any = None, name: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        if vocabulary_dtype != "int64":
            raise ValueError(
                "Only `vocabulary_dtype='int64'` is supported at this time. Received: "
                f"vocabulary_dtype={vocabulary_dtype}"
            )
        if oov_method not in ("floormod", "farmhash"):
            raise ValueError(
                "`oov_method` must be 'floormod' or 'farmhash'. Received: "
                f"oov_method={oov_method!r}"
            )
        if salt is not None and oov_method != "farmhash":
            raise ValueError(
                "`salt` can only be used when `oov_method='farmhash'`. Received: "
                f"oov_method={oov_method}"
            )
        super().__init__(
            max_tokens, num_oov_indices, mask_token, oov_token, vocabulary, idf_weights, invert,
            output_mode, sparse, pad_to_max_tokens, oov_method, salt, name, **kwargs,
        )  # fmt: skip

    def _plain(self, values: Any) -> list[int]:
        return [int(item) for item in np.asarray(values).reshape(-1).tolist()]

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, and the vocabulary, also of ``adapt``."""
        return {**super().get_config(), "vocabulary_dtype": self.vocabulary_dtype}
