"""Layers of vertices: the first step of a layered drawing; every edge points to a later layer.

Edges that close a cycle are turned round for the layout.  Layers come from longest paths; then
vertices move to where they shorten more edges than they lengthen (after Gansner, Koutsofios, North
and Vo, "A Technique for Drawing Directed Graphs", 1993, whose network simplex is exact and slow).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

Pair = tuple[int, int]
ROUNDS = 6


def acyclic(count: int, edges: Iterable[Pair]) -> tuple[list[Pair], set[Pair]]:
    """Return the edges, each once, without cycles, and those among the given that are turned round.

    A depth-first search from the first vertices on finds the edges that lead back.
    """
    after: list[list[int]] = [[] for _ in range(count)]
    for source, target in edges:
        after[source].append(target)
    turned: set[Pair] = set()
    state = [0] * count  # 1 while on the path, 2 when done
    for start in range(count):
        if state[start]:
            continue
        state[start] = 1
        path = [(start, iter(after[start]))]
        while path:
            vertex, targets = path[-1]
            for target in targets:
                if state[target] == 1:
                    turned.add((vertex, target))
                elif not state[target]:
                    state[target] = 1
                    path.append((target, iter(after[target])))
                    break
            else:
                state[vertex] = 2
                path.pop()
    pairs = dict.fromkeys(
        (b, a) if (a, b) in turned else (a, b) for a in range(count) for b in after[a]
    )
    return list(pairs), turned


def layers_of(
    count: int, edges: Sequence[Pair], top: Collection[int] = (), bottom: Collection[int] = ()
) -> list[int]:
    """Return the layer of each vertex, from 0 on, for edges without cycles.

    Vertices of ``top`` that no edge leads to stand in the first layer, those of ``bottom`` that no
    edge leaves in the last one.
    """
    before: list[list[int]] = [[] for _ in range(count)]
    after: list[list[int]] = [[] for _ in range(count)]
    for source, target in edges:
        before[target].append(source)
        after[source].append(target)
    order = _topological(before, after)
    layer = [0] * count
    for vertex in order:
        layer[vertex] = max([layer[neighbour] + 1 for neighbour in before[vertex]], default=0)
    _tighten(layer, order, before, after)
    lowest = min(layer, default=0)
    layer = [neighbour - lowest for neighbour in layer]
    last_layer = max(layer, default=0)
    for vertex in top:
        if not before[vertex]:
            layer[vertex] = 0
    for vertex in bottom:
        if not after[vertex]:
            layer[vertex] = last_layer
    return layer


def _topological(before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> list[int]:
    waiting = [len(edges_before) for edges_before in before]
    order = [vertex for vertex, number in enumerate(waiting) if not number]
    for vertex in order:  # grows meanwhile
        for target in after[vertex]:
            waiting[target] -= 1
            if not waiting[target]:
                order.append(target)
    return order


def _tighten(
    layer: list[int], order: Sequence[int], before: Sequence[Sequence[int]],
    after: Sequence[Sequence[int]],
) -> None:  # fmt: skip
    """Move vertices towards the side where they have more edges, as far as these allow."""
    for _ in range(ROUNDS):
        moved = False
        for vertex in reversed(order):
            if after[vertex] and len(after[vertex]) >= len(before[vertex]):
                latest = min([layer[neighbour] for neighbour in after[vertex]]) - 1
                moved |= latest != layer[vertex]
                layer[vertex] = latest
        for vertex in order:
            if before[vertex] and len(before[vertex]) > len(after[vertex]):
                earliest = max([layer[neighbour] for neighbour in before[vertex]]) + 1
                moved |= earliest != layer[vertex]
                layer[vertex] = earliest
        if not moved:
            return
