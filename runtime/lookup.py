"""``runtime.lookup``: the public names of hash tables, as in TensorFlow."""

from types import SimpleNamespace as _Names

from runtime.tables import DenseHashTable as _DenseHashTable
from runtime.tables import KeyValueTensorInitializer as KeyValueTensorInitializer
from runtime.tables import MutableHashTable as _MutableHashTable
from runtime.tables import StaticHashTable as StaticHashTable
from runtime.tables import StaticVocabularyTable as StaticVocabularyTable
from runtime.tables import TextFileIndex as TextFileIndex
from runtime.tables import TextFileInitializer as TextFileInitializer

experimental = _Names(DenseHashTable=_DenseHashTable, MutableHashTable=_MutableHashTable)
"""Tables whose entries change."""

__all__ = [
    "KeyValueTensorInitializer", "StaticHashTable", "StaticVocabularyTable", "TextFileIndex",
    "TextFileInitializer", "experimental",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
