"""Types of the names of ``runtime.lookup``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime.containers.hash_table import KeyValueTensorInitializer as KeyValueTensorInitializer
from runtime.containers.hash_table import StaticHashTable as StaticHashTable
from runtime.containers.hash_table import StaticVocabularyTable as StaticVocabularyTable
from runtime.containers.hash_table import TextFileIndex as TextFileIndex
from runtime.containers.hash_table import TextFileInitializer as TextFileInitializer
from typing import Any

experimental: Any
