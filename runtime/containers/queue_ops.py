"""Op definitions of queues, which pass tuples of tensors between runs.

A queue is an attribute of its operations, as a variable's storage is: eagerly it holds its elements
itself, in a graph each session has elements of its own.  An operation that finds it full, or empty,
waits for another thread.
"""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.ops.op import RAISES, STATEFUL, Missing, define
from runtime.ops.resource.session_resource import SessionResource
from runtime.ops.resource.variable import check_waiting, deadline, running_values
from runtime.ops.rules.inference import nothing
from runtime.types.dtypes import Array, DType, bool_, int32, string
from runtime.types.errors import (
    CancelledError,
    InvalidArgumentError,
    OpError,
    OutOfRangeError,
)
from runtime.types.shapes import SCALAR_SHAPE, TensorShape, TensorSpec

__all__: list[str] = []

Row = tuple[Any, ...]
_NO_SAMPLES = Missing("queues are no arrays")


class QueueContent:
    """Elements of a queue in one session, and whether more may come."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.rows: list[Any] = []
        self.closed = False
        self.cancelled = False


_shared: dict[str, QueueContent] = {}


class Queue(SessionResource):
    """Queue: capacity (None: unbounded), types of the components, and order of removal.

    ``put``, ``put_back`` and ``pick`` change the list of elements by one; ``least`` elements stay
    in it as long as it is open.
    """

    def __init__(
        self, name: str, capacity: int | None, dtypes: Sequence[DType],
        shapes: Sequence[TensorShape] | None, per_session: bool, shared_name: str | None,
        made_on: str = "",
    ) -> None:  # fmt: skip
        self.name = name
        self.capacity = capacity
        self.dtypes = tuple(dtypes)
        self.shapes = shapes
        self.per_session = per_session
        self.shared_name = shared_name
        self.made_on = made_on
        self.least = 0
        self.padded = False
        self.put: Callable[[list[Any], Row], None] = lambda rows, row: rows.append(row)
        self.put_back: Callable[[list[Any], Row], None] = lambda rows, row: rows.insert(0, row)
        self.pick: Callable[[list[Any]], Row] = lambda rows: rows.pop(0)
        self.clear()

    def clear(self) -> None:
        """Have no elements outside of sessions."""
        self._content = QueueContent()

    def content(self) -> QueueContent:
        """Elements in the session that runs, or eagerly."""
        of_session: Any = running_values() if self.per_session else None
        if of_session is not None:
            key = self.shared_name or self
            content: QueueContent = of_session.setdefault(key, QueueContent())
            return content
        if self.shared_name:
            return _shared.setdefault(self.shared_name, QueueContent())
        return self._content

    def add(self, rows: Sequence[Row]) -> None:
        """Add elements one by one; raise CancelledError when the queue is closed."""
        content = self.content()
        with content.changed:
            if content.closed:
                raise CancelledError(f"Queue {self.name!r} is closed.")
            for row in rows:
                self._check(row)
                while self.capacity is not None and len(content.rows) >= self.capacity:
                    self._wait(content)
                    if content.cancelled:
                        raise CancelledError(f"Enqueue operation was cancelled: {self.name!r}")
                self.put(content.rows, row)
                content.changed.notify_all()

    def _check(self, row: Row) -> None:
        for number, (item, shape) in enumerate(zip(row, self.shapes or (), strict=False)):
            if not shape.is_compatible_with(np.shape(item)):
                raise InvalidArgumentError(
                    f"Shape mismatch in tuple component {number}. Expected {shape}, got "
                    f"{TensorShape(np.shape(item))}"
                )

    def take(self, count: int, up_to: bool = False) -> list[Row]:
        """Remove elements; raise OutOfRangeError when the queue is closed and has too few."""
        if count < 0:
            raise InvalidArgumentError(f"dequeue_many: requested {count} elements")
        content = self.content()
        rows: list[Row] = []
        with content.changed:
            try:
                while len(rows) < count and not (up_to and rows and self._ended(content)):
                    self._take_one(content, rows, count)
            except OpError:
                for row in reversed(rows):
                    self.put_back(content.rows, row)
                raise
        return rows

    def _ended(self, content: QueueContent) -> bool:
        return content.closed and not content.rows

    def _take_one(self, content: QueueContent, rows: list[Row], count: int) -> None:
        """Remove one more element, or wait for another thread."""
        if len(content.rows) > (0 if content.closed else self.least):
            rows.append(self.pick(content.rows))
            content.changed.notify_all()
        elif not content.closed:
            self._wait(content)
        else:
            raise OutOfRangeError(
                f"Queue {self.name!r} is closed and has insufficient elements (requested {count}, "
                f"current size {len(rows)})"
            )

    def _wait(self, content: QueueContent) -> None:
        """Wait for another thread; errors as of ``check_waiting``."""
        check_waiting(f"the queue {self.name!r}")
        limit = deadline()
        seconds = 0.1 if limit is None else min(0.1, max(limit - time.monotonic(), 0.001))
        content.changed.wait(seconds)

    def stacked(self, rows: Sequence[Row]) -> tuple[Array, ...]:
        """Stack the components of elements along a new first axis; pad with zeros if need be."""
        shapes = self.shapes or ()
        return tuple(
            self._column([row[k] for row in rows], dtype, shape)
            for k, (dtype, shape) in enumerate(zip(self.dtypes, shapes, strict=True))
        )

    def _column(self, items: list[Any], dtype: DType, shape: TensorShape) -> Array:
        kind: Any = dtype.as_numpy_dtype
        if not items:
            return np.zeros([0, *[d or 0 for d in shape.as_list()]], kind)
        if not self.padded:
            return np.stack([np.asarray(item, kind) for item in items])
        sizes = np.max([np.shape(item) for item in items], axis=0).astype(int)
        column = np.full((len(items), *sizes), b"" if dtype is string else 0, kind)
        for row, item in zip(column, items, strict=True):
            row[tuple(map(slice, np.shape(item)))] = item
        return column

    def __repr__(self) -> str:
        return f"<queue {self.name!r}>"


def by_priority(queue: Queue) -> None:
    """Order a queue by the first component, least first."""
    order = itertools.count()

    def put(rows: list[Any], row: Row) -> None:
        heapq.heappush(rows, (int(row[0]), next(order), row))

    queue.put = queue.put_back = put
    queue.pick = lambda rows: heapq.heappop(rows)[2]


def _enqueue(*components: Array, queue: Queue, many: bool) -> Any:
    if not many:
        queue.add([components])
        return ()
    if len({len(c) for c in components}) > 1:
        raise InvalidArgumentError(
            "enqueue_many: all components must have one length, got "
            f"{[len(c) for c in components]}"
        )
    queue.add(list(zip(*components, strict=True)))
    return ()


enqueue_op = define(
    "queue_enqueue",
    inputs="*components",
    same_dtype_inputs=None,
    kernel=_enqueue,
    infer=nothing,
    grad=None,
    node_name="QueueEnqueueV2",
    traits=(STATEFUL, RAISES),
    samples=_NO_SAMPLES,
    doc="Add an element, or several with ``many``, to a queue; wait while it is full.",
)


def _row_specs(*, queue: Queue) -> tuple[TensorSpec, ...]:
    shapes = queue.shapes or [TensorShape(None)] * len(queue.dtypes)
    return tuple(TensorSpec(s, d) for s, d in zip(shapes, queue.dtypes, strict=True))


dequeue_op = define(
    "queue_dequeue",
    inputs="",
    kernel=lambda *, queue: tuple(
        np.asarray(item, dtype.as_numpy_dtype)[()]
        for item, dtype in zip(queue.take(1)[0], queue.dtypes, strict=True)
    ),
    infer=_row_specs,
    grad=None,
    node_name="QueueDequeueV2",
    traits=(STATEFUL, RAISES),
    samples=_NO_SAMPLES,
    doc="Remove an element from a queue; wait while it is empty.",
)


def _many_specs(n: TensorSpec, *, queue: Queue, up_to: bool) -> tuple[TensorSpec, ...]:
    count = None if up_to or n.value is None else int(n.value)
    return tuple(
        TensorSpec(TensorShape([count]).concatenate(spec.shape), spec.dtype)
        for spec in _row_specs(queue=queue)
    )


dequeue_many_op = define(
    "queue_dequeue_many",
    inputs="n",
    same_dtype_inputs=None,
    kernel=lambda n, *, queue, up_to: queue.stacked(queue.take(int(n), up_to)),
    infer=_many_specs,
    grad=None,
    node_name="QueueDequeueManyV2",
    traits=(STATEFUL, RAISES),
    samples=_NO_SAMPLES,
    doc="Remove elements from a queue and stack them; with ``up_to`` fewer from a closed one.",
)

queue_size_op = define(
    "queue_size",
    inputs="",
    kernel=lambda *, queue: np.int32(len(queue.content().rows)),
    infer=lambda *, queue: TensorSpec(SCALAR_SHAPE, int32),
    grad=None,
    node_name="QueueSizeV2",
    traits=(STATEFUL,),
    samples=_NO_SAMPLES,
    doc="Count the elements of a queue.",
)

queue_is_closed_op = define(
    "queue_is_closed",
    inputs="",
    kernel=lambda *, queue: np.bool_(queue.content().closed),
    infer=lambda *, queue: TensorSpec(SCALAR_SHAPE, bool_),
    grad=None,
    node_name="QueueIsClosedV2",
    traits=(STATEFUL,),
    samples=_NO_SAMPLES,
    doc="Return whether a queue is closed.",
)


def _close(*, queue: Queue, cancel: bool) -> Any:
    content = queue.content()
    with content.changed:
        content.closed = True
        content.cancelled = content.cancelled or cancel
        content.changed.notify_all()
    return ()


queue_close_op = define(
    "queue_close",
    inputs="",
    kernel=_close,
    infer=nothing,
    grad=None,
    node_name="QueueCloseV2",
    traits=(STATEFUL,),
    samples=_NO_SAMPLES,
    doc="Close a queue; with ``cancel`` the operations that wait to add elements fail.",
)
