"""``runtime.keras.datasets``: Keras' small data sets, from files that are on this machine.

Nothing is downloaded: a file is looked for where Keras keeps it, in ``~/.keras/datasets`` or in
``$KERAS_HOME/datasets``, and an error names the place and the address that Keras would ask.
"""

from __future__ import annotations

import gzip
import os
import pickle
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.types.annexes import explained as _explained
from runtime.types.errors import DataLossError

_SERVER = "https://storage.googleapis.com/tensorflow/tf-keras-datasets"
_TORONTO = "https://www.cs.toronto.edu/~kriz"


def _local(path: str, address: str) -> str:
    """The name of a local file or folder; FileNotFoundError that says where it is looked for."""
    home = os.environ.get("KERAS_HOME", os.path.join(os.path.expanduser("~"), ".keras"))
    place = path if os.path.isabs(path) else os.path.join(home, "datasets", path)
    if not os.path.exists(place):
        raise FileNotFoundError(
            f"there is no file {place}; nothing is downloaded here: bring {address} to that place"
        )
    return place


def _arrays(path: str, address: str, *names: str) -> list[Any]:
    place = _local(path, address)
    try:
        with np.load(place, allow_pickle=False) as file:
            return [file[name] for name in names]
    except (OSError, ValueError, KeyError) as error:
        text = f"{place} does not hold the arrays {', '.join(names)}: {error}"
        raise DataLossError(text) from None


def _mnist(path: str = "mnist.npz") -> Any:
    """Read handwritten digits: 60,000 and 10,000 images of 28 by 28 pixels.

    Args:
        path: name of the file, absolute or within Keras' folder.
    Returns:
        ``(x_train, y_train), (x_test, y_test)``, arrays of uint8.
    Raises:
        FileNotFoundError: there is no such file.
        DataLossError: the file is another one.
    """
    x, y, x_test, y_test = _arrays(
        path, f"{_SERVER}/mnist.npz", "x_train", "y_train", "x_test", "y_test"
    )
    return (x, y), (x_test, y_test)


def _fashion_mnist() -> Any:
    """Read pictures of clothes: 60,000 and 10,000 images of 28 by 28 pixels.

    Returns:
        ``(x_train, y_train), (x_test, y_test)``, arrays of uint8.
    Raises:
        FileNotFoundError: a file is not there.
        DataLossError: a file is another one.
    """
    pairs = []
    for part in ("train", "t10k"):
        labels = _idx(f"{part}-labels-idx1-ubyte.gz", 8)
        pixels = _idx(f"{part}-images-idx3-ubyte.gz", 16)
        if len(pixels) != len(labels) * 784:
            raise DataLossError(f"fashion-mnist: {len(labels)} labels, {len(pixels)} pixels")
        pairs.append((pixels.reshape(len(labels), 28, 28), labels))
    return tuple(pairs)


def _idx(name: str, offset: int) -> Any:
    place = _local(os.path.join("fashion-mnist", name), f"{_SERVER}/{name}")
    try:
        with gzip.open(place, "rb") as file:
            return np.frombuffer(file.read(), np.uint8, offset=offset)
    except (OSError, EOFError, ValueError) as error:
        raise DataLossError(f"{place} is no such file: {error}") from None


class _Arrays(pickle.Unpickler):
    """Reads pickled arrays alone: no other code that a file names is run."""

    _ALLOWED = ("_reconstruct", "ndarray", "dtype")

    def find_class(self, module: str, name: str) -> Any:
        if module.partition(".")[0] == "numpy" and name in self._ALLOWED:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is no array")


def _batch(place: str, label_key: str) -> tuple[Any, Any]:
    try:
        with open(place, "rb") as file:
            batch = _Arrays(file, encoding="bytes").load()
        pixels, labels = batch[b"data"], batch[label_key.encode()]
    except (OSError, KeyError, pickle.UnpicklingError, EOFError) as error:
        raise DataLossError(f"{place} is no batch of images: {error}") from None
    images = np.asarray(pixels).reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
    return images, np.array(labels, np.uint8)


def _cifar10() -> Any:
    """Read small photographs of 10 kinds: 50,000 and 10,000 images of 32 by 32 pixels.

    Returns:
        ``(x_train, y_train), (x_test, y_test)``, arrays of uint8.
    Raises:
        FileNotFoundError: the folder is not there.
        DataLossError: a file is another one.
    """
    folder = _local("cifar-10-batches-py", f"{_TORONTO}/cifar-10-python.tar.gz, unpacked,")
    parts = [_batch(os.path.join(folder, f"data_batch_{k}"), "labels") for k in range(1, 6)]
    x, y = (np.concatenate(arrays) for arrays in zip(*parts))
    x_test, y_test = _batch(os.path.join(folder, "test_batch"), "labels")
    return (x, y[:, None]), (x_test, y_test[:, None])


def _cifar100(label_mode: str = "fine") -> Any:
    """Read small photographs of 100 kinds: 50,000 and 10,000 images of 32 by 32 pixels.

    Args:
        label_mode: 'fine' for 100 kinds, 'coarse' for 20.
    Returns:
        ``(x_train, y_train), (x_test, y_test)``, arrays of uint8.
    Raises:
        FileNotFoundError: the folder is not there.
        DataLossError: a file is another one.
        ValueError: ``label_mode`` is another one.
    """
    if label_mode not in ("fine", "coarse"):
        raise ValueError(f"`label_mode` must be one of 'fine', 'coarse', got {label_mode!r}")
    folder = _local("cifar-100-python", f"{_TORONTO}/cifar-100-python.tar.gz, unpacked,")
    pairs = [_batch(os.path.join(folder, n), f"{label_mode}_labels") for n in ("train", "test")]
    return tuple([(x, y[:, None]) for x, y in pairs])


def _housing(name: str, address: str) -> Any:
    def load_data(path: str = name, test_split: float = 0.2, seed: int = 113) -> Any:
        """Read prices of houses and what they depend on.

        Args:
            path: name of the file, absolute or within Keras' folder.
            test_split: the part that is for tests.
            seed: seed of the order.
        Returns:
            ``(x_train, y_train), (x_test, y_test)``, arrays of floats.
        Raises:
            FileNotFoundError: there is no such file.
            DataLossError: the file is another one.
        """
        x, y = _arrays(path, address, "x", "y")
        order = np.arange(len(x))
        np.random.RandomState(seed).shuffle(order)
        x, y = x[order], y[order]
        count = int(len(x) * (1 - test_split))
        return (x[:count], y[:count]), (x[count:], y[count:])

    return load_data


mnist = SimpleNamespace(load_data=_mnist)
fashion_mnist = SimpleNamespace(load_data=_fashion_mnist)
cifar10 = SimpleNamespace(load_data=_cifar10)
cifar100 = SimpleNamespace(load_data=_cifar100)
boston_housing = SimpleNamespace(
    load_data=_housing("boston_housing.npz", f"{_SERVER}/boston_housing.npz")
)
california_housing = SimpleNamespace(
    load_data=_housing("california_housing.npz", f"{_SERVER}/california_housing.npz")
)

__all__ = [
    "boston_housing", "california_housing", "cifar10", "cifar100", "fashion_mnist", "mnist",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
