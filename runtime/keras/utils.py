"""``runtime.keras.utils``: what programs with Keras use around models."""

from __future__ import annotations

import gc
import importlib
import itertools
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.keras.models.plots import model_to_dot as model_to_dot
from runtime.keras.models.plots import plot_model as plot_model
from runtime.keras.names import reset_names
from runtime.keras.ops.norms import norm as norm_of
from runtime.keras.preprocessing.sequence import pad_sequences as pad_sequences
from runtime.keras.serialization import CustomObjectScope as CustomObjectScope
from runtime.keras.serialization import custom_object_scope as custom_object_scope
from runtime.keras.serialization import deserialize_keras_object as deserialize_keras_object
from runtime.keras.serialization import get_custom_objects as get_custom_objects
from runtime.keras.serialization import get_registered_name as get_registered_name
from runtime.keras.serialization import get_registered_object as get_registered_object
from runtime.keras.serialization import register_keras_serializable as register_keras_serializable
from runtime.keras.serialization import serialize_keras_object as serialize_keras_object
from runtime.ops.array.constants import cast, convert_to_tensor, is_tensor
from runtime.ops.array.creation import one_hot, ones_like
from runtime.ops.array.where import where
from runtime.ops.random.sampling import set_random_seed as set_runtime_seed
from runtime.types.aliases import TensorLike
from runtime.types.annexes import explained as _explained
from runtime.types.dtypes import float32, int32

if TYPE_CHECKING:
    from runtime.eager.tensor import Tensor
    from runtime.keras.files.folders import (
        image_dataset_from_directory as image_dataset_from_directory,
    )
    from runtime.keras.files.folders import (
        text_dataset_from_directory as text_dataset_from_directory,
    )
    from runtime.keras.files.images import array_to_img as array_to_img
    from runtime.keras.files.images import img_to_array as img_to_array
    from runtime.keras.files.images import load_img as load_img
    from runtime.keras.files.images import save_img as save_img
    from runtime.keras.files.timeseries import (
        timeseries_dataset_from_array as timeseries_dataset_from_array,
    )

__all__ = [
    "CustomObjectScope", "PyDataset", "Sequence", "array_to_img", "clear_session",
    "custom_object_scope", "deserialize_keras_object", "get_custom_objects",
    "get_registered_name", "get_registered_object", "image_dataset_from_directory",
    "img_to_array", "load_img", "normalize", "pad_sequences", "register_keras_serializable",
    "save_img", "serialize_keras_object", "set_random_seed", "text_dataset_from_directory",
    "timeseries_dataset_from_array", "to_categorical",
]  # fmt: skip


def clear_session(free_memory: bool = True) -> None:
    """Begin anew: names of layers have no numbers yet, and inputs begin another graph.

    Args:
        free_memory: whether what nobody refers to any more is collected.
    Returns:
        None.
    """
    from runtime.keras.functional.functional_graph import drop_functional_graph  # circular else

    reset_names()
    drop_functional_graph()
    if free_memory:
        gc.collect()


class PyDataset:
    """Base of sequences of batches: ``fit`` takes one, and asks for its items by number.

    Subclasses define ``__len__``, the number of batches, and ``__getitem__(index)``, which returns
    a batch ``(inputs, targets)`` or ``(inputs, targets, sample_weights)``.  ``on_epoch_begin`` and
    ``on_epoch_end`` are called around each epoch.  With ``shuffle=True``, ``fit`` takes the batches
    in another order in each epoch.

    The batches are made one after the other: ``workers``, ``use_multiprocessing`` and
    ``max_queue_size`` are kept, and not used.
    """

    def __init__(
        self, workers: int = 1, use_multiprocessing: bool = False, max_queue_size: int = 10
    ) -> None:
        self.workers = workers
        self.use_multiprocessing = use_multiprocessing
        self.max_queue_size = max_queue_size

    def __getitem__(self, index: int) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not define __getitem__()")

    def __len__(self) -> int:
        raise NotImplementedError(f"{type(self).__name__} does not define __len__()")

    def __iter__(self) -> Iterator[Any]:
        """Yield the batches of an epoch; those of one without a number do not end."""
        has_end = type(self).__len__ is not PyDataset.__len__
        has_end = has_end or type(self).num_batches is not PyDataset.num_batches
        count = self.num_batches if has_end else None
        for number in itertools.count() if count is None else range(count):
            yield self[number]

    @property
    def num_batches(self) -> int | None:
        """Number of batches of an epoch; None, in a subclass, for batches that do not end."""
        return len(self)

    def on_epoch_begin(self) -> None:
        """Begin an epoch."""

    def on_epoch_end(self) -> None:
        """End an epoch."""


Sequence = PyDataset


def set_random_seed(seed: int) -> None:
    """Set the seeds of Python, NumPy and this runtime, so that models begin alike, too.

    Args:
        seed: int; initializers draw their seeds from Python's generator.
    Returns:
        None.
    Raises:
        ValueError: it is no int.
    """
    if not isinstance(seed, int):
        raise ValueError(f"Expected `seed` argument to be an integer. Received: seed={seed!r}")
    random.seed(seed)
    np.random.seed(seed)
    set_runtime_seed(seed)


def to_categorical(x: TensorLike, num_classes: int | None = None) -> Any:
    """Represent classes by rows of zeros with a one at the class.

    Args:
        x: ints of any shape; a last axis of size 1 is left out.
        num_classes: size of the rows; by default one more than the greatest class of an array.
    Returns:
        NumPy array of dtype float32; of a tensor, a tensor.
    Raises:
        ValueError: ``x`` is a tensor, and the number of classes is not given.
    """
    if is_tensor(x):
        sizes = convert_to_tensor(x).shape
        classes = x if sizes.rank in (None, 0, 1) or sizes[-1] != 1 else x[..., 0]
        if num_classes is None:
            raise ValueError("to_categorical of a tensor needs `num_classes`")
        return one_hot(cast(classes, int32), num_classes, dtype=float32)
    array = np.array(x, dtype="int64")
    if array.ndim > 1 and array.shape[-1] == 1:
        array = array[..., 0]
    size = int(np.max(array)) + 1 if num_classes is None else num_classes
    return np.eye(size, dtype="float32")[array]


def normalize(x: TensorLike, axis: int = -1, order: int = 2) -> Tensor:
    """Divide vectors by their norms.

    Args:
        x: array of numbers.
        axis: axis of the vectors.
        order: order of the norm.
    Returns:
        Array of the shape of ``x``, a tensor of a tensor; vectors of norm 0 stay as they are.
    """
    if is_tensor(x):
        length = norm_of(x, order, axis, keepdims=True)
        return x / where(length == 0, ones_like(length), length)
    array = np.asarray(x)
    norm = np.atleast_1d(np.linalg.norm(array, order, axis))
    norm[norm == 0] = 1
    return array / np.expand_dims(norm, axis)


_FILES = {
    "array_to_img": "images", "image_dataset_from_directory": "folders", "img_to_array": "images",
    "load_img": "images", "save_img": "images", "text_dataset_from_directory": "folders",
    "timeseries_dataset_from_array": "timeseries",
}  # fmt: skip
"""Functions of files and the modules of keras/files that they are in, which load datasets."""

if not TYPE_CHECKING:  # type checkers find what is misspelt

    def __getattr__(name: str) -> object:
        """Return a function of files, whose module is loaded when it is first asked for."""
        if name in _FILES:
            module = importlib.import_module(f"runtime.keras.files.{_FILES[name]}")
            globals()[name] = getattr(module, name)
            return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)

    __getattr__ = _explained(__name__, __getattr__)


def __dir__() -> list[str]:
    return __all__
