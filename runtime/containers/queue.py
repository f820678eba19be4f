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
    """Base of all queues; create one of the classes below."""

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
        """Handle of the queue."""
        return self._queue

    @property
    def name(self) -> str:
        """Name of the queue."""
        return self._queue.name

    @property
    def dtypes(self) -> list[DType]:
        """Dtypes of the components of an element."""
        return list(self._queue.dtypes)

    @property
    def shapes(self) -> list[TensorShape]:
        """Shapes of the components of an element."""
        shapes = self._queue.shapes
        return [TensorShape(None)] * len(self._queue.dtypes) if shapes is None else list(shapes)

    @property
    def names(self) -> list[str]:
        """Names of the components, if they have any."""
        return self._names

    def enqueue(self, vals: Any, name: str | None = None) -> Any:
        """Add an element: a tensor, a list of them, or a dict by name; wait while it is full.

        Gives the operation, None eagerly.  ValueError for more or fewer components and for other
        shapes; CancelledError, when it runs, if the queue is closed.
        """
        tensors = self._components(vals)
        for tensor, shape in zip(tensors, self.shapes, strict=True):
            if not tensor.shape.is_compatible_with(shape):
                raise ValueError(f"enqueue: a component of shape {shape} is given {tensor.shape}")
        return queue_ops.enqueue_op(*tensors, queue=self._queue, many=False, name=name) or None

    def enqueue_many(self, vals: Any, name: str | None = None) -> Any:
        """Add the slices of tensors along their first axis one by one; errors as in ``enqueue``."""
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
        """Remove an element: a tensor, a list of them, or a dict by name; wait while there is none.

        OutOfRangeError, when it runs, if the queue is closed and empty.
        """
        return self._returned(queue_ops.dequeue_op(queue=self._queue, name=name))

    def dequeue_many(self, n: Any, name: str | None = None) -> Any:
        """Remove ``n`` elements and stack them along a new first axis; wait until there are ``n``.

        InvalidArgumentError when the shapes of the components are not known; OutOfRangeError, when
        it runs, if the queue is closed and has too few.
        """
        return self._many(n, False, name)

    def dequeue_up_to(self, n: Any, name: str | None = None) -> Any:
        """As ``dequeue_many``; a closed queue returns the elements left, at least one."""
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
        """Return the number of elements, an int32 scalar."""
        return queue_ops.queue_size_op(queue=self._queue, name=name)

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Any:
        """Close the queue for new elements; ``cancel_pending_enqueues`` fails waiting ones, too."""
        cancel = bool(cancel_pending_enqueues)
        return queue_ops.queue_close_op(queue=self._queue, cancel=cancel, name=name) or None

    def is_closed(self, name: str | None = None) -> Any:
        """Return whether the queue is closed, a bool scalar."""
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


def _new_queue(
    capacity: int, dtypes: Any, shapes: Any, shared_name: str | None, name: str
) -> queue_ops.Queue:
    kinds = [as_dtype(d) for d in _listed(dtypes)]
    component_shapes = None
    if shapes is not None:
        is_shape = isinstance(shapes, TensorShape) or not isinstance(shapes, list | tuple)
        flat = not is_shape and all(s is None or isinstance(s, int | np.integer) for s in shapes)
        component_shapes = [TensorShape(s) for s in ([shapes] if is_shape or flat else shapes)]
        if len(component_shapes) != len(kinds):
            raise ValueError(
                "Queue shapes must have the same length as dtypes, received "
                f"len(shapes)={len(component_shapes)}, len(dtypes)={len(kinds)}"
            )
    graph = current_graph()
    per_session, made_on = graph is not None and not graph.temporary, ""
    if graph is not None and per_session:
        name = shared_name or graph.unique_name(name)
        made_on = graph.device_of_new(name, "QueueV2")
    return queue_ops.Queue(
        name, None if capacity < 0 else int(capacity), kinds, component_shapes, per_session,
        shared_name, made_on,
    )  # fmt: skip


class FIFOQueue(QueueBase):
    """Queue that returns its elements in the order of insertion.

    ``capacity`` bounds how many it holds; negative, nothing does.  ``shapes`` of the components are
    needed for ``dequeue_many``; ``names`` make rows dicts.  ValueError when their numbers differ.
    """

    def __init__(
        self, capacity: int, dtypes: Any, shapes: Any = None, names: Any = None,
        shared_name: str | None = None, name: str = "fifo_queue",
    ) -> None:
        storage = _new_queue(capacity, dtypes, shapes, shared_name, name)
        super().__init__(dtypes, shapes, names, storage)


class PaddingFIFOQueue(QueueBase):
    """FIFOQueue whose elements may differ in the sizes that ``shapes`` leaves unknown.

    ``dequeue_many`` fills them up with zeros to the largest.
    """

    def __init__(
        self, capacity: int, dtypes: Any, shapes: Any, names: Any = None,
        shared_name: str | None = None, name: str = "padding_fifo_queue",
    ) -> None:
        storage = _new_queue(capacity, dtypes, shapes, shared_name, name)
        if storage.shapes is None or any(shape.rank is None for shape in storage.shapes):
            raise ValueError("Shapes must be provided for PaddingFIFOQueue, with known ranks")
        storage.padded = True
        super().__init__(dtypes, shapes, names, storage)


class RandomShuffleQueue(QueueBase):
    """Queue that returns its elements in random order.

    Until it is closed, at least ``min_after_dequeue`` elements stay in it, to choose from.
    """

    def __init__(
        self, capacity: int, min_after_dequeue: int, dtypes: Any, shapes: Any = None,
        names: Any = None, seed: int | None = None, shared_name: str | None = None,
        name: str = "random_shuffle_queue",
    ) -> None:
        storage = _new_queue(capacity, dtypes, shapes, shared_name, name)
        storage.least = int(min_after_dequeue)
        draw = np.random.default_rng(seed)
        storage.pick = lambda rows: rows.pop(int(draw.integers(len(rows))))
        super().__init__(dtypes, shapes, names, storage)


class PriorityQueue(QueueBase):
    """Queue that returns the element with the least first component, an int64 scalar, first.

    ``types`` and ``shapes`` are those of the other components.
    """

    def __init__(
        self, capacity: int, types: Any, shapes: Any = None, names: Any = None,
        shared_name: str | None = None, name: str = "priority_queue",
    ) -> None:
        inner = [] if shapes is None else _listed(shapes)
        with_priority = [TensorShape([]), *inner] if shapes is not None else None
        dtypes = [int64, *_listed(types)]
        storage = _new_queue(capacity, dtypes, with_priority, shared_name, name)
        queue_ops.by_priority(storage)
        super().__init__(dtypes, with_priority, names, storage)
