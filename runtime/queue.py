"""``runtime.queue``: the public names of queues, as in TensorFlow."""

from typing import TYPE_CHECKING

from runtime.containers.queue import FIFOQueue as FIFOQueue
from runtime.containers.queue import PaddingFIFOQueue as PaddingFIFOQueue
from runtime.containers.queue import PriorityQueue as PriorityQueue
from runtime.containers.queue import QueueBase as QueueBase
from runtime.containers.queue import RandomShuffleQueue as RandomShuffleQueue
from runtime.types.annexes import explained as _explained

__all__ = [
    "FIFOQueue", "PaddingFIFOQueue", "PriorityQueue", "QueueBase", "RandomShuffleQueue",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
