"""Horizontal coordinates: the third step of a layered drawing; long edges shall be straight.

Brandes and Koepf, "Fast and Simple Horizontal Coordinate Assignment", 2001: items are aligned with
a median neighbour, which makes vertical blocks; these are placed as far left as the distances
between neighbours allow.  Done from all four corners, and each item gets the mean of the two middle
results.  Blocks are placed by longest paths in the graph of blocks, so items of any width keep
their distance.

A spine is always aligned: a vertex with the one above it that ends the longest path, if it begins
the longest path below that.  So the main line of a computation is straight, and what joins it, such
as the variables that it reads, stands beside it.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Sequence

from autograph.drawing.crossing_reduction import Layered

BETWEEN_VERTICES, BETWEEN_EDGES = 22.0, 12.0

Segment = tuple[int, int]
"""Upper and lower item."""

Extent = tuple[float, float]
"""How far an item reaches to the left and to the right of its coordinate."""


def coordinates(graph: Layered, extents: Sequence[Extent]) -> list[float]:
    """Return the coordinate of each item: in order in each layer, and none overlaps another one."""
    conflicts = _conflicts(graph)
    _keep_spines(graph, conflicts)
    results = []
    for upwards in (False, True):
        for mirrored in (False, True):
            layers = [layer[::-1] if mirrored else layer for layer in graph.layers]
            if upwards:
                layers.reverse()
            neighbours = graph.lower if upwards else graph.upper
            sides = (
                [(right_extent, left_extent) for left_extent, right_extent in extents]
                if mirrored
                else extents
            )
            root = _blocks(layers, neighbours, conflicts, upwards)
            placed = _compacted(graph, layers, root, sides)
            results.append([-x for x in placed] if mirrored else placed)
    _align(results, extents)
    return [sum(sorted(column)[1:3]) / 2 for column in zip(*results)]


def _conflicts(graph: Layered) -> set[Segment]:
    """Return the segments that cross one between two bends: that one shall be straight."""
    conflicts: set[Segment] = set()
    for upper, lower in zip(graph.layers, graph.layers[1:]):
        place = {item: k for k, item in enumerate(upper)}
        start = scanned = 0
        for number, item in enumerate(lower):
            inner = next(
                (upper_item for upper_item in graph.upper[item] if graph.is_bend(upper_item)), None
            )
            inner = inner if graph.is_bend(item) else None
            if inner is None and number < len(lower) - 1:
                continue
            end = len(upper) - 1 if inner is None else place[inner]
            for lower_item in lower[scanned : number + 1]:
                for upper_item in graph.upper[lower_item]:
                    crossed = not start <= place[upper_item] <= end
                    if crossed and not (graph.is_bend(upper_item) and graph.is_bend(lower_item)):
                        conflicts.add((upper_item, lower_item))
            scanned, start = number + 1, end
    return conflicts


def _keep_spines(graph: Layered, conflicts: set[Segment]) -> None:
    """Mark all segments that share an end with one of a spine, or cross it, as conflicts."""
    above = _path_lengths(graph, graph.layers, graph.upper)
    below = _path_lengths(graph, graph.layers[::-1], graph.lower)
    for upper, lower in itertools.pairwise(graph.layers):
        place = {item: k for k, item in enumerate(upper)}
        spines = []
        for number, item in enumerate(lower):
            parent = _longest(graph, graph.upper[item], above)
            if parent is not None and not graph.is_bend(item):
                if _longest(graph, graph.lower[parent], below) == item:
                    weight = above[parent] + below[item]
                    spines.append((weight, place[parent], number))
        uncrossed: list[tuple[int, int]] = []
        for _, start, end in sorted(spines, reverse=True):
            if all((start < a) == (end < b) for a, b in uncrossed):
                uncrossed.append((start, end))
        for start, end in uncrossed:
            conflicts.discard((upper[start], lower[end]))
        _mark(graph, upper, lower, uncrossed, conflicts)


def _mark(
    graph: Layered, upper: Sequence[int], lower: Sequence[int], spines: list[tuple[int, int]],
    conflicts: set[Segment],
) -> None:  # fmt: skip
    """Mark the segments between two layers that meet a spine; ``spines`` are pairs of positions."""
    spines.sort()
    starts, ends = [start for start, _ in spines], [end for _, end in spines]
    place = {item: k for k, item in enumerate(upper)}
    own_spines = set(spines)
    for number, item in enumerate(lower):
        for upper_item in graph.upper[item]:
            start = place[upper_item]
            before = bisect.bisect_left(starts, start), bisect.bisect_left(ends, number)
            after = bisect.bisect_right(starts, start), bisect.bisect_right(ends, number)
            apart = before[0] == after[0] and before[1] == after[1] and before[0] == before[1]
            if not apart and (start, number) not in own_spines:
                conflicts.add((upper_item, item))


def _path_lengths(
    graph: Layered, layers: Sequence[Sequence[int]], sides: Sequence[Sequence[int]]
) -> list[int]:
    """Return how many vertices the longest path to each item has before the item."""
    lengths = [0] * len(sides)
    for layer in layers:
        for item in layer:
            lengths[item] = max(
                [lengths[neighbour] + (not graph.is_bend(neighbour)) for neighbour in sides[item]],
                default=0,
            )
    return lengths


def _longest(graph: Layered, items: Sequence[int], lengths: Sequence[int]) -> int | None:
    """Return the vertex among ``items`` with the longest path; None if there are several."""
    vertices = [vertex for vertex in items if not graph.is_bend(vertex)]
    most = max([lengths[vertex] for vertex in vertices], default=0)
    longest = [vertex for vertex in vertices if lengths[vertex] == most]
    return longest[0] if len(longest) == 1 else None


def _blocks(
    layers: Sequence[Sequence[int]], neighbours: Sequence[Sequence[int]],
    conflicts: set[Segment], upwards: bool,
) -> list[int]:  # fmt: skip
    """Align each item with a median neighbour of the layer before; return the root of its block."""
    root = list(range(len(neighbours)))
    place = {item: k for layer in layers for k, item in enumerate(layer)}
    for layer in layers[1:]:
        last_place = -1
        for item in layer:
            ordered = sorted(neighbours[item], key=place.__getitem__)
            for middle in (
                dict.fromkeys(((len(ordered) - 1) // 2, len(ordered) // 2)) if ordered else ()
            ):
                neighbour = ordered[middle]
                segment = (item, neighbour) if upwards else (neighbour, item)
                if last_place < place[neighbour] and segment not in conflicts:
                    root[item] = root[neighbour]
                    last_place = place[neighbour]
                    break
    return root


def _compacted(
    graph: Layered, layers: Sequence[Sequence[int]], root: Sequence[int], sides: Sequence[Extent]
) -> list[float]:
    """Place blocks as far left as possible, then as far right as those on their right allow."""
    after: dict[int, dict[int, float]] = {neighbour: {} for neighbour in root}
    before: dict[int, dict[int, float]] = {neighbour: {} for neighbour in root}
    for layer in layers:
        for first, second in itertools.pairwise(layer):
            edges = graph.is_bend(first) and graph.is_bend(second)
            gap = BETWEEN_EDGES if edges else BETWEEN_VERTICES
            distance = sides[first][1] + gap + sides[second][0]
            a, b = root[first], root[second]
            if distance > after[a].get(b, 0.0):
                after[a][b] = before[b][a] = distance
    order = _order(before, after)
    x: dict[int, float] = {}
    for block in order:
        x[block] = max([x[neighbour] + d for neighbour, d in before[block].items()], default=0.0)
    for block in reversed(order):
        if after[block]:
            x[block] = max(
                x[block], min([x[neighbour] - d for neighbour, d in after[block].items()])
            )
    return [x[neighbour] for neighbour in root]


def _order(before: dict[int, dict[int, float]], after: dict[int, dict[int, float]]) -> list[int]:
    """Return the blocks from left to right; blocks never cross, so there is such an order."""
    waiting = {block: len(blocks_before) for block, blocks_before in before.items()}
    order = [block for block, number in waiting.items() if not number]
    for block in order:  # grows meanwhile
        for neighbour in after[block]:
            waiting[neighbour] -= 1
            if not waiting[neighbour]:
                order.append(neighbour)
    return order


def _align(results: list[list[float]], extents: Sequence[Extent]) -> None:
    """Shift the four results so that they share an end with the narrowest one."""
    spans = []
    for placed in results:
        left_edge = min(x - side[0] for x, side in zip(placed, extents))
        right_edge = max(x + side[1] for x, side in zip(placed, extents))
        spans.append((left_edge, right_edge))
    start, end = min(spans, key=lambda span: span[1] - span[0])
    for number, (placed, (left_edge, right_edge)) in enumerate(zip(results, spans)):
        shift = end - right_edge if number % 2 else start - left_edge
        placed[:] = [x + shift for x in placed]
