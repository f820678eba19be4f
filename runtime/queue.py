"""``runtime.queue``: the public names of queues, as in TensorFlow."""

from runtime.containers.queue import FIFOQueue as FIFOQueue
from runtime.containers.queue import PaddingFIFOQueue as PaddingFIFOQueue
from runtime.containers.queue import PriorityQueue as PriorityQueue
from runtime.containers.queue import QueueBase as QueueBase
from runtime.containers.queue import RandomShuffleQueue as RandomShuffleQueue

__all__ = [
    "FIFOQueue", "PaddingFIFOQueue", "PriorityQueue", "QueueBase", "RandomShuffleQueue",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
