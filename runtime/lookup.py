"""``runtime.lookup``: the public names of hash tables, as in TensorFlow."""

from types import SimpleNamespace as _Names
from typing import TYPE_CHECKING

from runtime.containers.hash_table import KeyValueTensorInitializer as KeyValueTensorInitializer
from runtime.containers.hash_table import MutableHashTable as _MutableHashTable
from runtime.containers.hash_table import StaticHashTable as StaticHashTable
from runtime.containers.hash_table import StaticVocabularyTable as StaticVocabularyTable
from runtime.containers.hash_table import TextFileIndex as TextFileIndex
from runtime.containers.hash_table import TextFileInitializer as TextFileInitializer
from runtime.types.annexes import explained as _explained

experimental = _Names(MutableHashTable=_MutableHashTable)
"""Tables whose entries change."""

__all__ = [
    "KeyValueTensorInitializer", "StaticHashTable", "StaticVocabularyTable", "TextFileIndex",
    "TextFileInitializer", "experimental",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
