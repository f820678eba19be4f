"""``runtime.queue``: the public names of queues, as in TensorFlow."""

from runtime.state.queue import FIFOQueue as FIFOQueue
from runtime.state.queue import PaddingFIFOQueue as PaddingFIFOQueue
from runtime.state.queue import PriorityQueue as PriorityQueue
from runtime.state.queue import QueueBase as QueueBase
from runtime.state.queue import RandomShuffleQueue as RandomShuffleQueue

__all__ = [
    "FIFOQueue", "PaddingFIFOQueue", "PriorityQueue", "QueueBase", "RandomShuffleQueue",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
