"""Queues: ``FIFOQueue``, ``PaddingFIFOQueue``, ``PriorityQueue`` and ``RandomShuffleQueue``.

A queue made in a graph has rows of its own in each session; eagerly, and in a function, it keeps
them itself.  Operations run in the order of the program, so who waits needs another thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.containers import queue_ops
from runtime.graph.trace import current_graph
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.rules.static_arguments import whole_numbers
from runtime.types.dtypes import DType, as_dtype, int64
from runtime.types.errors import InvalidArgumentError
from runtime.types.shapes import TensorShape

__all__ = [
    "FIFOQueue", "PaddingFIFOQueue", "PriorityQueue", "QueueBase", "RandomShuffleQueue",
]  # fmt: skip


class QueueBase:
    """What all queues have; make one of the classes below."""

    def __init__(
        self, dtypes: Any, shapes: Any, names: Any, queue_ref: queue_ops.Queue
    ) -> None:
        self._names = _listed(names) if names is not None else []
        if self._names and len(self._names) != len(queue_ref.dtypes):
            raise ValueError(
                f"Queue names must be as many as its components: {len(queue_ref.dtypes)}, got "
                f"{self._names}"
            )
        self._queue = queue_ref

    @property
    def queue_ref(self) -> Any:
        """What the operations of the queue refer to."""
        return self._queue

    @property
    def name(self) -> str:
        """The name of the queue."""
        return self._queue.name

    @property
    def dtypes(self) -> list[DType]:
        """The dtypes of the components of a row."""
        return list(self._queue.dtypes)

    @property
    def shapes(self) -> list[TensorShape]:
        """The shapes of the components of a row."""
        known = self._queue.shapes
        return [TensorShape(None)] * len(self._queue.dtypes) if known is None else list(known)

    @property
    def names(self) -> list[str]:
        """The names of the components, if they have any."""
        return self._names

    def enqueue(self, vals: Any, name: str | None = None) -> Any:
        """Put a row in: a tensor, a list of them, or a dict by name; waits while it is full.

        Gives the operation, None eagerly.  ValueError for more or fewer components and for other
        shapes; CancelledError, when it runs, if the queue is closed.
        """
        tensors = self._components(vals)
        for tensor, shape in zip(tensors, self.shapes, strict=True):
            if not tensor.shape.is_compatible_with(shape):
                raise ValueError(f"enqueue: a component of shape {shape} is given {tensor.shape}")
        return queue_ops.enqueue_op(*tensors, queue=self._queue, many=False, name=name) or None

    def enqueue_many(self, vals: Any, name: str | None = None) -> Any:
        """Put the rows of tensors in, one by one.  Errors as ``enqueue``."""
        tensors = self._components(vals)
        count = TensorShape([None])
        for tensor, shape in zip(tensors, self.shapes, strict=True):
            if not tensor.shape.is_compatible_with(TensorShape([None]).concatenate(shape)):
                raise ValueError(
                    f"enqueue_many: rows of shape {shape} are given as {tensor.shape}"
                )
            if tensor.shape.rank == 0:
                raise ValueError("enqueue_many: every component needs a first axis")
            count = count.merge_with(tensor.shape[:1]) if tensor.shape.rank else count
        return queue_ops.enqueue_op(*tensors, queue=self._queue, many=True, name=name) or None

    def dequeue(self, name: str | None = None) -> Any:
        """Take a row out: a tensor, a list of them, or a dict by name; waits for one.

        OutOfRangeError, when it runs, if the queue is closed and empty.
        """
        return self._returned(queue_ops.dequeue_op(queue=self._queue, name=name))

    def dequeue_many(self, n: Any, name: str | None = None) -> Any:
        """Take ``n`` rows out, put together along a new first axis; waits for them.

        InvalidArgumentError when the shapes of the components are not known; OutOfRangeError, when
        it runs, if the queue is closed and has too few.
        """
        return self._many(n, False, name)

    def dequeue_up_to(self, n: Any, name: str | None = None) -> Any:
        """As ``dequeue_many``; of a closed queue fewer rows if there are fewer, but not none."""
        return self._many(n, True, name)

    def _many(self, n: Any, up_to: bool, name: str | None) -> Any:
        queue = self._queue
        if queue.shapes is None or not (
            queue.padded or all(shape.is_fully_defined() for shape in queue.shapes)
        ):
            raise InvalidArgumentError(
                "dequeue_many and dequeue_up_to require the components to have specified shapes: "
                "give the queue `shapes`."
            )
        count = whole_numbers(n, "n")
        return self._returned(queue_ops.dequeue_many_op(count, queue=queue, up_to=up_to, name=name))

    def size(self, name: str | None = None) -> Any:
        """How many rows there are: an int32 scalar."""
        return queue_ops.queue_size_op(queue=self._queue, name=name)

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Any:
        """Take no more rows; with ``cancel_pending_enqueues`` also none of those that wait."""
        cancel = bool(cancel_pending_enqueues)
        return queue_ops.queue_close_op(queue=self._queue, cancel=cancel, name=name) or None

    def is_closed(self, name: str | None = None) -> Any:
        """Whether it takes no more rows: a bool scalar."""
        return queue_ops.queue_is_closed_op(queue=self._queue, name=name)

    def _components(self, vals: Any) -> list[Any]:
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("Queue must have names to enqueue a dictionary")
            if sorted(self._names) != sorted(vals):
                raise ValueError(
                    f"Keys in dictionary to enqueue do not match names of Queue: {sorted(vals)} "
                    f"against {sorted(self._names)}"
                )
            vals = [vals[name] for name in self._names]
        elif self._names:
            raise ValueError("You must enqueue a dictionary in a Queue with names")
        listed = _listed(vals)
        if len(listed) != len(self._queue.dtypes):
            raise ValueError(
                f"The queue has {len(self._queue.dtypes)} components, but {len(listed)} are given"
            )
        return [convert_to_tensor(v, d) for v, d in zip(listed, self._queue.dtypes, strict=True)]

    def _returned(self, tensors: Sequence[Any]) -> Any:
        if self._names:
            return dict(zip(self._names, tensors, strict=True))
        return tensors[0] if len(tensors) == 1 else list(tensors)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _made(
    capacity: int, dtypes: Any, shapes: Any, shared_name: str | None, name: str
) -> queue_ops.Queue:
    kinds = [as_dtype(d) for d in _listed(dtypes)]
    known = None
    if shapes is not None:
        one = isinstance(shapes, TensorShape) or not isinstance(shapes, list | tuple)
        flat = not one and all(s is None or isinstance(s, int | np.integer) for s in shapes)
        known = [TensorShape(s) for s in ([shapes] if one or flat else shapes)]
        if len(known) != len(kinds):
            raise ValueError(
                "Queue shapes must have the same length as dtypes, received "
                f"len(shapes)={len(known)}, len(dtypes)={len(kinds)}"
            )
    graph = current_graph()
    return queue_ops.Queue(
        name, None if capacity < 0 else int(capacity), kinds, known,
        graph is not None and not graph.temporary, shared_name,
    )  # fmt: skip


class FIFOQueue(QueueBase):
    """A queue that gives its rows in the order in which they came.

    ``capacity`` bounds how many it holds; negative, nothing does.  ``shapes`` of the components are
    needed for ``dequeue_many``; ``names`` make rows dicts.  ValueError when their numbers differ.
    """

    def __init__(
        self, capacity: int, dtypes: Any, shapes: Any = None, names: Any = None,
        shared_name: str | None = None, name: str = "fifo_queue",
    ) -> None:
        made = _made(capacity, dtypes, shapes, shared_name, name)
        super().__init__(dtypes, shapes, names, made)


class PaddingFIFOQueue(QueueBase):
    """A FIFOQueue whose rows may differ in the sizes that ``shapes`` leaves open.

    ``dequeue_many`` fills them up with zeros to the largest.
    """

    def __init__(
        self, capacity: int, dtypes: Any, shapes: Any, names: Any = None,
        shared_name: str | None = None, name: str = "padding_fifo_queue",
    ) -> None:
        made = _made(capacity, dtypes, shapes, shared_name, name)
        if made.shapes is None or any(shape.rank is None for shape in made.shapes):
            raise ValueError("Shapes must be provided for PaddingFIFOQueue, with known ranks")
        made.padded = True
        super().__init__(dtypes, shapes, names, made)


class RandomShuffleQueue(QueueBase):
    """A queue that gives its rows in random order; ``min_after_dequeue`` rows stay in it until it
    is closed, so that there is something to choose from."""

    def __init__(
        self, capacity: int, min_after_dequeue: int, dtypes: Any, shapes: Any = None,
        names: Any = None, seed: int | None = None, shared_name: str | None = None,
        name: str = "random_shuffle_queue",
    ) -> None:
        made = _made(capacity, dtypes, shapes, shared_name, name)
        made.least = int(min_after_dequeue)
        draw = np.random.default_rng(seed)
        made.pick = lambda held: held.pop(int(draw.integers(len(held))))
        super().__init__(dtypes, shapes, names, made)


class PriorityQueue(QueueBase):
    """A queue that gives the row first whose first component, an int64 scalar, is least.

    ``types`` and ``shapes`` are those of the other components.
    """

    def __init__(
        self, capacity: int, types: Any, shapes: Any = None, names: Any = None,
        shared_name: str | None = None, name: str = "priority_queue",
    ) -> None:
        inner = [] if shapes is None else _listed(shapes)
        given = [TensorShape([]), *inner] if shapes is not None else None
        dtypes = [int64, *_listed(types)]
        made = _made(capacity, dtypes, given, shared_name, name)
        queue_ops.by_priority(made)
        super().__init__(dtypes, given, names, made)
