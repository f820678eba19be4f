"""Order within layers: the second step of a layered drawing; few edges shall cross.

Sweeps up and down put each item at the mean position of its neighbours (Sugiyama, Tagawa and Toda,
"Methods for Visual Understanding of Hierarchical System Structures", 1981); then neighbours change
places where that removes crossings (Gansner et al. 1993).
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import dataclass, field

SWEEPS = 12
PATIENCE = 4
SWITCHED = 4000
"""Diagrams with more items are not improved by exchanges of neighbours."""


@dataclass
class Layered:
    """Items in layers, and segments between items of neighbouring layers.

    The first ``real`` items are vertices, the others are bends of edges that pass a layer.
    ``upper`` and ``lower`` are the neighbours of each item; ``offsets`` says where a segment leaves
    its upper item, from -0.5 at its left end to 0.5.
    """

    real: int
    layers: list[list[int]]
    upper: list[list[int]]
    lower: list[list[int]]
    offsets: dict[tuple[int, int], float] = field(default_factory=dict)

    def is_bend(self, item: int) -> bool:
        """Whether an item is a bend of an edge."""
        return item >= self.real


def reduce_crossings(graph: Layered) -> None:
    """Order the items of each layer."""
    graph.layers = _initial(graph)
    best = [list(layer) for layer in graph.layers]
    fewest = crossings(graph)
    idle = 0
    for sweep in range(SWEEPS):
        if not fewest or idle >= PATIENCE:
            break
        _sweep(graph, downwards=sweep % 2 == 0)
        count = crossings(graph)
        idle += 1
        if count < fewest:
            fewest, best, idle = count, [list(layer) for layer in graph.layers], 0
    graph.layers = best
    if fewest and len(graph.upper) <= SWITCHED:
        _switch(graph)


def _initial(graph: Layered) -> list[list[int]]:
    """Return the layers in the order of a depth-first walk: paths stand side by side."""
    level = {item: k for k, layer in enumerate(graph.layers) for item in layer}
    layers: list[list[int]] = [[] for _ in graph.layers]
    seen: set[int] = set()
    starts = [item for layer in graph.layers for item in layer]
    for start in starts:
        waiting = [start]
        while waiting:
            item = waiting.pop()
            if item not in seen:
                seen.add(item)
                layers[level[item]].append(item)
                waiting += reversed(graph.lower[item])
    return layers


def _sweep(graph: Layered, downwards: bool) -> None:
    """Sort each layer by the mean positions of the neighbours above, or below."""
    layers = graph.layers if downwards else graph.layers[::-1]
    place = {item: k for layer in graph.layers for k, item in enumerate(layer)}
    offsets = graph.offsets
    for layer in layers[1:]:
        key: dict[int, float] = {}
        for item in layer:
            if downwards:
                neighbour_places = [
                    place[neighbour] + offsets.get((neighbour, item), 0.0)
                    for neighbour in graph.upper[item]
                ]
            else:
                neighbour_places = [
                    place[neighbour] - offsets.get((item, neighbour), 0.0)
                    for neighbour in graph.lower[item]
                ]
            if neighbour_places:
                key[item] = sum(neighbour_places) / len(neighbour_places)
        sorted_items = iter(sorted(key, key=key.__getitem__))
        layer[:] = [next(sorted_items) if item in key else item for item in layer]
        place.update((item, k) for k, item in enumerate(layer))


def crossings(graph: Layered) -> int:
    """Count the pairs of segments that cross."""
    total = 0
    for upper, lower in zip(graph.layers, graph.layers[1:]):
        place = {item: k for k, item in enumerate(lower)}
        total += _inversions([k for _, k in _segments(graph, upper, place)])
    return total


def _segments(
    graph: Layered, upper: Sequence[int], place: dict[int, int]
) -> list[tuple[float, int]]:
    """Return the ends of all segments below a layer, from left to right."""
    offsets = graph.offsets
    return sorted(
        (k + offsets.get((item, neighbour), 0.0), place[neighbour])
        for k, item in enumerate(upper) for neighbour in graph.lower[item]
    )  # fmt: skip


def _inversions(numbers: Sequence[int]) -> int:
    seen: list[int] = []
    total = 0
    for number in numbers:
        total += len(seen) - bisect.bisect_right(seen, number)
        bisect.insort(seen, number)
    return total


def _switch(graph: Layered) -> None:
    """Exchange neighbours as long as that removes crossings."""
    place = {item: k for layer in graph.layers for k, item in enumerate(layer)}
    for _ in range(PATIENCE):
        changed = False
        for layer in graph.layers:
            for k in range(len(layer) - 1):
                first, second = layer[k], layer[k + 1]
                if _between(graph, place, first, second) > _between(graph, place, second, first):
                    layer[k], layer[k + 1] = second, first
                    place[first], place[second] = k + 1, k
                    changed = True
        if not changed:
            return


def _between(graph: Layered, place: dict[int, int], first: int, second: int) -> int:
    """Count the crossings between the segments of two items, one standing left of the other."""
    offsets = graph.offsets
    total = 0
    for above, sides in ((True, graph.upper), (False, graph.lower)):
        if not (sides[first] and sides[second]):
            continue
        ends = [
            sorted(place[neighbour] + (offsets.get((neighbour, item), 0.0) if above else 0.0)
                   for neighbour in sides[item])
            for item in (first, second)
        ]  # fmt: skip
        total += sum(len(ends[0]) - bisect.bisect_right(ends[0], end) for end in ends[1])
    return total
