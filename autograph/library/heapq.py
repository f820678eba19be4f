"""Functions of ``heapq`` in plain Python: binary heaps in lists, with the same order of items."""

from __future__ import annotations

from operator import lt
from typing import Any


def heappush(heap: list[Any], item: Any, /) -> None:
    """``heapq.heappush``."""
    heap.append(item)
    _rise(heap, 0, len(heap) - 1)


def heappop(heap: list[Any], /) -> Any:
    """``heapq.heappop``."""
    if not heap:
        raise IndexError("index out of range")
    last = heap.pop()
    if heap:
        least = heap[0]
        heap[0] = last
        _sink(heap, 0)
        return least
    return last


def heapreplace(heap: list[Any], item: Any, /) -> Any:
    """``heapq.heapreplace``."""
    if not heap:
        raise IndexError("index out of range")
    least = heap[0]
    heap[0] = item
    _sink(heap, 0)
    return least


def heappushpop(heap: list[Any], item: Any, /) -> Any:
    """``heapq.heappushpop``."""
    if heap and lt(heap[0], item):
        least = heap[0]
        heap[0] = item
        _sink(heap, 0)
        return least
    return item


def heapify(heap: list[Any], /) -> None:
    """``heapq.heapify``."""
    for place in reversed(range(len(heap) // 2)):
        _sink(heap, place)


def nsmallest(n: Any, iterable: Any, key: Any = None) -> list[Any]:
    """``heapq.nsmallest``."""
    return sorted(iterable, key=key)[: max(n, 0)]


def nlargest(n: Any, iterable: Any, key: Any = None) -> list[Any]:
    """``heapq.nlargest``."""
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]


def _rise(heap: list[Any], top: Any, place: Any) -> None:
    """Move the item at an index up to where its parent is not greater, at most to ``top``."""
    item = heap[place]
    while place > top:
        parent = (place - 1) // 2
        if not lt(item, heap[parent]):
            break
        heap[place] = heap[parent]
        place = parent
    heap[place] = item


def _sink(heap: list[Any], place: Any) -> None:
    """Move the lesser children of an index up, and its item down and then up to its place."""
    size, top = len(heap), place
    item = heap[place]
    child = 2 * place + 1
    while child < size:
        if child + 1 < size and not lt(heap[child], heap[child + 1]):
            child += 1
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    _rise(heap, top, place)
