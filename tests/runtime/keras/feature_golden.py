"""Golden facts of Keras 3 about layers with vocabularies, bins and encodings.

``python -m tests.runtime.keras.feature_golden``, where TensorFlow and Keras are installed (the
extra ``bench``), writes feature_golden.json; test_features.py compares this runtime with it.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

PAGE = Path(__file__).with_name("feature_golden.json")


class Case(NamedTuple):
    """A layer, what it is adapted to, and what it is called with."""

    kind: str
    arguments: dict[str, Any]
    inputs: Any
    data: Any = None

    @property
    def name(self) -> str:
        """Text that tells the case from others."""
        data = "" if self.data is None else f" after {self.data}"
        return f"{self.kind}({self.arguments}) of {self.inputs}{data}"


WORDS = [["a", "c", "d"], ["d", "z", "b"]]
TEXTS = ["The cat, the dog.", "A dog!", "", "Größe \u00fcber the CAT  sat"]
NUMBERS = [[12, 1138, 42], [42, 1000, 36]]
VOCABULARY = {"vocabulary": ["a", "b", "c", "d"]}
INTS = {"vocabulary": [12, 36, 1138, 42]}
FLOATS = [[-1.5, 1.0, 3.4, 0.5], [0.0, 3.0, 1.3, 0.0]]
MANY = [round(((n * 7919) % 1009) / 10 - 40, 1) for n in range(600)]
TOKENS = [[1, 0, 3], [3, 3, 2]]
MODES = ("one_hot", "multi_hot", "count")

CASES = [
    *[Case("CategoryEncoding", {"num_tokens": 4, "output_mode": m}, i)
      for m in MODES for i in (TOKENS, [3, 2, 0, 1], [[0], [9], [2]], 2)],
    *[Case("CategoryEncoding", {"num_tokens": 4, "output_mode": m}, [TOKENS, TOKENS])
      for m in MODES],
    *[Case("Hashing", {"num_bins": 5, **more}, i) for i in (WORDS, NUMBERS)
      for more in ({}, {"salt": 7}, {"salt": [3, 9]}, {"output_mode": "one_hot"},
                   {"output_mode": "multi_hot"}, {"output_mode": "count"})],
    Case("Hashing", {"num_bins": 3, "mask_value": ""}, [["A"], ["B"], [""], ["C"]]),
    Case("Hashing", {"num_bins": 3, "mask_value": 42}, NUMBERS),
    Case("Hashing", {"num_bins": 4}, [[1.5, 2.9]]),
    *[Case("Discretization", {"bin_boundaries": [0.0, 1.0, 2.0], "output_mode": m}, FLOATS)
      for m in ("int", *MODES)],
    Case("Discretization", {"bin_boundaries": [0.0, 1.0]}, [-1, 0, 1, 2]),
    Case("Discretization", {"num_bins": 4, "epsilon": 0.01}, FLOATS, FLOATS),
    Case("Discretization", {"num_bins": 7, "epsilon": 0.05}, FLOATS, MANY),
    *[Case("StringLookup", {**VOCABULARY, **more}, WORDS) for more in (
        {}, {"num_oov_indices": 3}, {"num_oov_indices": 2, "salt": 5}, {"mask_token": "d"},
        {"mask_token": ""}, {"output_mode": "one_hot"}, {"output_mode": "multi_hot"},
        {"output_mode": "count", "mask_token": ""}, {"max_tokens": 9, "pad_to_max_tokens": True,
                                                     "output_mode": "count"})
      if more.get("mask_token") != "d"],
    Case("StringLookup", {"vocabulary": ["", "[UNK]", "a", "z"], "mask_token": ""}, WORDS),
    Case("StringLookup", {**VOCABULARY, "output_mode": "tf_idf",
                          "idf_weights": [0.25, 0.75, 0.6, 0.4]}, WORDS),
    Case("StringLookup", {**VOCABULARY, "invert": True}, [[1, 3, 4], [4, 0, 2]]),
    Case("StringLookup", {**VOCABULARY, "invert": True, "mask_token": ""}, [[0, 1, 2], [5, 9, 3]]),
    *[Case("StringLookup", arguments, WORDS, WORDS) for arguments in (
        {}, {"max_tokens": 4}, {"output_mode": "tf_idf"}, {"mask_token": "z"},
        {"output_mode": "tf_idf", "max_tokens": 9, "pad_to_max_tokens": True})],
    *[Case("IntegerLookup", {**INTS, **more}, NUMBERS) for more in (
        {}, {"num_oov_indices": 2}, {"num_oov_indices": 3, "oov_method": "farmhash"},
        {"mask_token": 0}, {"output_mode": "one_hot"}, {"output_mode": "multi_hot"},
        {"output_mode": "count"})],
    Case("IntegerLookup", {**INTS, "invert": True}, [[1, 3, 4], [4, 0, 2]]),
    Case("IntegerLookup", {}, NUMBERS, NUMBERS),
    Case("IntegerLookup", {"output_mode": "tf_idf"}, NUMBERS, NUMBERS),
    *[Case("TextVectorization", arguments, TEXTS, TEXTS) for arguments in (
        {}, {"max_tokens": 5}, {"output_sequence_length": 2}, {"output_sequence_length": 7},
        {"standardize": "lower"}, {"standardize": None}, {"standardize": "strip_punctuation"},
        {"split": "character"}, {"ngrams": 2}, {"ngrams": (2, 3)}, {"output_mode": "multi_hot"},
        {"output_mode": "count"}, {"output_mode": "tf_idf"},
        {"output_mode": "count", "max_tokens": 30, "pad_to_max_tokens": True})],
    Case("TextVectorization", {"vocabulary": ["the", "cat"]}, [[text] for text in TEXTS]),
    Case("TextVectorization", {"split": None, "vocabulary": ["a dog"]}, [["A dog!", "x"]]),
]  # fmt: skip


def array_of(values: Any) -> Any:
    """Values as an array, texts as objects."""
    found = np.array(values)
    return found.astype(object) if found.dtype.kind == "U" else found


def facts(keras: Any, case: Case, way: Any = lambda f: f) -> dict[str, Any]:
    """The output, its dtype, and the vocabulary or the boundaries."""
    layer = getattr(keras.layers, case.kind)(**case.arguments)
    if case.data is not None:
        layer.adapt(array_of(case.data))
    output = np.asarray(way(layer)(array_of(case.inputs)))
    found: dict[str, Any] = {"dtype": str(output.dtype), "shape": list(output.shape)}
    texts = output.dtype.kind in "OS"
    found["output"] = (
        [item.decode() for item in output.reshape(-1).tolist()] if texts
        else [round(float(item), 5) for item in output.reshape(-1).tolist()]
    )  # fmt: skip
    if hasattr(layer, "get_vocabulary"):
        vocabulary = layer.get_vocabulary()
        found["vocabulary"] = [v if isinstance(v, str) else int(v) for v in vocabulary]
    if hasattr(layer, "bin_boundaries"):
        found["boundaries"] = [round(float(bound), 4) for bound in layer.bin_boundaries]
    found["config"] = sorted(layer.get_config())
    return found


def reference() -> dict[str, Any]:
    """What Keras computes now."""
    keras = importlib.import_module("keras")
    return {case.name: facts(keras, case) for case in CASES}


if __name__ == "__main__":
    lines = [f"{json.dumps(name)}: {json.dumps(found)}" for name, found in reference().items()]
    PAGE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
