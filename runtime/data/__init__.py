"""``runtime.data``: input pipelines, with TensorFlow's names.

From below: elements.py (structure), functions.py (the user's functions as graphs), the modules
that say what happens at run time (sources, batching, shuffling, caching, threads), then the
classes of iterators and the methods of ``Dataset``.
"""

from typing import TYPE_CHECKING

from runtime.data import experimental as experimental
from runtime.data.base import DatasetSpec as DatasetSpec
from runtime.data.dataset import Dataset as Dataset
from runtime.data.dataset import get_output_classes as get_output_classes
from runtime.data.dataset import get_output_shapes as get_output_shapes
from runtime.data.dataset import get_output_types as get_output_types
from runtime.data.dataset import make_initializable_iterator as make_initializable_iterator
from runtime.data.dataset import make_one_shot_iterator as make_one_shot_iterator
from runtime.data.files import FixedLengthRecordDataset as FixedLengthRecordDataset
from runtime.data.files import TextLineDataset as TextLineDataset
from runtime.data.files import TFRecordDataset as TFRecordDataset
from runtime.data.iterators import DatasetIterator as Iterator
from runtime.data.iterators import IteratorSpec as IteratorSpec
from runtime.data.iterators import NumpyIterator as NumpyIterator
from runtime.data.options import Options as Options
from runtime.data.prefetching import AUTOTUNE as AUTOTUNE
from runtime.ops.resource.dataset import INFINITE, UNKNOWN
from runtime.types.annexes import explained as _explained

INFINITE_CARDINALITY = INFINITE
"""The cardinality of a dataset without end."""
UNKNOWN_CARDINALITY = UNKNOWN
"""The cardinality of a dataset of which it is not known before going through it."""

__all__ = [
    "AUTOTUNE", "INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY", "Dataset", "DatasetSpec",
    "FixedLengthRecordDataset", "Iterator", "IteratorSpec", "NumpyIterator", "Options",
    "TFRecordDataset", "TextLineDataset", "get_output_classes", "get_output_shapes",
    "get_output_types", "make_initializable_iterator", "make_one_shot_iterator",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
