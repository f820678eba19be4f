"""``runtime.queue``: the public names of queues, as in TensorFlow."""

from runtime.queues import FIFOQueue as FIFOQueue
from runtime.queues import PaddingFIFOQueue as PaddingFIFOQueue
from runtime.queues import PriorityQueue as PriorityQueue
from runtime.queues import QueueBase as QueueBase
from runtime.queues import RandomShuffleQueue as RandomShuffleQueue

__all__ = [
    "FIFOQueue", "PaddingFIFOQueue", "PriorityQueue", "QueueBase", "RandomShuffleQueue",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
