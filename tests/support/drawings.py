"""What tests of drawings share: where everything of a layout is, on the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from autograph.drawing.placement import Component, DiagramLayout, PlacedVertex


@dataclass
class Rectangle:
    """Rectangle on the page, with what it is of."""

    x: float
    y: float
    right: float
    bottom: float
    name: str = ""

    def holds(self, other: Rectangle, slack: float = 0.01) -> bool:
        """Whether another rectangle is inside."""
        return (
            self.x - slack <= other.x
            and self.y - slack <= other.y
            and other.right <= self.right + slack
            and other.bottom <= self.bottom + slack
        )

    def meets(self, other: Rectangle, slack: float = 0.01) -> bool:
        """Whether two rectangles overlap."""
        return (
            self.x + slack < other.right
            and other.x + slack < self.right
            and self.y + slack < other.bottom
            and other.y + slack < self.bottom
        )


def of_box(part: Component, place: PlacedVertex, full: bool = False) -> Rectangle:
    """The box of a vertex, in its diagram; ``full`` with the texts of its ports."""
    x, y = part.x + place.x, part.y + place.y
    size = place.size
    right = x + size.width / 2 + (size.extent[1] if full else size.width / 2)
    bottom = y + (size.full_height if full else size.height)
    return Rectangle(x, y, right, bottom, place.vertex.title)


def layouts(layout: DiagramLayout) -> Iterator[DiagramLayout]:
    """A layout and all those inside of it."""
    yield layout
    for part in layout.parts:
        for place in part.places:
            for inner in place.inside:
                yield from layouts(inner)


def check(layout: DiagramLayout) -> None:
    """Assert that nothing overlaps or sticks out, and that edges run between boxes to boxes."""
    for one in layouts(layout):
        check_boxes(one)
        for part in one.parts:
            check_routes(part)
            for place in part.places:
                check_frames(place)


def check_boxes(layout: DiagramLayout) -> None:
    page = Rectangle(0, 0, layout.width, layout.height)
    found = [of_box(part, place, full=True) for part in layout.parts for place in part.places]
    for k, box in enumerate(found):
        assert page.holds(box), f"{box} sticks out of {page}"
        for other in found[:k]:
            assert not box.meets(other), f"{box} overlaps {other}"


def check_frames(place: PlacedVertex) -> None:
    size = place.size
    box = Rectangle(0, 0, size.width, size.height)
    frames = [Rectangle(f.x, f.y, f.x + f.width, f.y + f.height) for f in size.frames]
    assert len(frames) == len(place.inside)
    for k, (frame, inner) in enumerate(zip(frames, place.inside)):
        assert box.holds(frame)
        assert inner.width <= size.frames[k].width + 0.01
        assert inner.height <= size.frames[k].height + 0.01
        for other in frames[:k]:
            assert not frame.meets(other)


def check_routes(part: Component) -> None:
    tops = part.tops()
    for route in part.routes:
        source, target, xs = route.source, route.target, route.xs
        assert len(xs) == target.layer - source.layer + 1 >= 2
        assert source.x - 0.01 <= xs[0] <= source.x + source.size.width + 0.01
        assert target.x - 0.01 <= xs[-1] <= target.x + target.size.width + 0.01
        assert target.y == tops[target.layer]
        for layer, x in enumerate(xs[1:-1], source.layer + 1):
            assert 0 <= x <= part.width
            for place in part.places:
                if place.layer == layer:
                    left, right = place.x, place.middle + place.size.extent[1]
                    assert not left < x < right, f"an edge runs through {place.vertex.title}"
