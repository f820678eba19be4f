"""Sizes of boxes: what the texts of a vertex and the diagrams inside of it need, in pixels."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from autograph.drawing.diagram import Vertex, VertexKind
from autograph.drawing.text_extent import LINE_SIZE, PORT_SIZE, fixed_width, title_width

PILLS = {VertexKind.INPUT, VertexKind.OUTPUT, VertexKind.CONSTANT, VertexKind.REFERENCE}
"""Kinds that are drawn smaller, with round ends."""
SMALL_TITLE = 10.5
TITLE_HEIGHT, LINE_HEIGHT, PORT_HEIGHT = 18.0, 13.0, 15.0
ABOVE, BELOW, BESIDE, PILL_BESIDE = 4.0, 5.0, 10.0, 9.0
HEADER, FRAME_HEADER, FRAME_GAP, FRAME_MARGIN = 26.0, 20.0, 10.0, 10.0
FRAME_ROW = 1800.0
LEAST_WIDTH = 40.0
PORT_TEXT = 5.0
"""Distance of a port's text from its edge."""


@dataclass
class Frame:
    """Place of a diagram inside a box, relative to the box; ``row`` counts from the top."""

    x: float
    y: float
    width: float
    height: float
    row: int = 0


@dataclass
class VertexSize:
    """Size of a box, its frames, and the offsets of its ports from the middle.

    ``columns`` are the widths that ports take with their texts; ``right`` is how far the text of a
    single port reaches beyond the middle.
    """

    width: float
    height: float
    ports: dict[int, float]
    right: float
    frames: list[Frame]
    columns: dict[int, float] = field(default_factory=dict)
    open_width: float = 0.0
    """Width with its frames, of a box that is laid out without them."""

    @property
    def full_height(self) -> float:
        """Height of the box and of what is written below it."""
        return self.height + (PORT_HEIGHT if self.ports else 0.0)

    @property
    def extent(self) -> tuple[float, float]:
        """How far it reaches to the left and right of its middle."""
        return self.width / 2, max(self.width / 2, self.right)

    @property
    def entry_room(self) -> float:
        """Width of the part of its upper side where edges may enter."""
        return self.width - 16.0

    def port_offset(self, port: int) -> float:
        """Return where a port is, from the middle of the box."""
        return self.ports.get(port, 0.0)


def size_of(
    vertex: Vertex, used: Collection[int], inside: Sequence[tuple[float, float]]
) -> VertexSize:
    """Return the size of a vertex; ``used`` ports have edges, ``inside`` are sizes of diagrams."""
    pill = vertex.kind in PILLS
    beside = PILL_BESIDE if pill else BESIDE
    width = title_width(vertex.title, SMALL_TITLE) if pill else title_width(vertex.title)
    width = max([width, *(fixed_width(line, LINE_SIZE) for line in vertex.lines)]) + 2 * beside
    width = max(width, LEAST_WIDTH)
    height = ABOVE + TITLE_HEIGHT + LINE_HEIGHT * len(vertex.lines) + BELOW
    if pill and not vertex.lines:
        height = 20.0
    frames: list[Frame] = []
    if inside:
        top = HEADER + LINE_HEIGHT * len(vertex.lines)
        titles = [
            title_width(inner_vertex.title, SMALL_TITLE) + 18 for inner_vertex in vertex.inside
        ]
        inside = [(max(w, least), h) for (w, h), least in zip(inside, titles)]
        frames, width, height = _frames(inside, width + 36.0, top)
    ports = sorted(used)
    texts = [fixed_width(vertex.ports[port], PORT_SIZE) for port in ports]
    if len(ports) < 2:
        offsets = dict.fromkeys(ports, 0.0)
        right = max([PORT_TEXT + text + 2 for text in texts], default=0.0)
        return VertexSize(width, height, offsets, right, frames)
    columns = [text + PORT_TEXT + 9.0 for text in texts]
    width = max(width, sum(columns) + 8.0)
    spare = (width - sum(columns)) / len(columns)
    offsets, x = {}, -width / 2
    for port, column in zip(ports, columns):
        offsets[port] = x + spare / 2 + 5.0
        x += column + spare
    if frames:
        frames = _centred(frames, width)
    return VertexSize(width, height, offsets, 0.0, frames, dict(zip(ports, columns)))


def closed_size(opened: VertexSize, closed: VertexSize) -> VertexSize:
    """Return the size of a closed box that knows the frames which it has when it is opened."""
    head = opened.frames[0].y + 2.0
    return replace(
        closed, height=head, frames=opened.frames, open_width=opened.width,
        width=max(closed.width + 22.0, LEAST_WIDTH),
    )  # fmt: skip


def _frames(
    inside: Sequence[tuple[float, float]], width: float, top: float
) -> tuple[list[Frame], float, float]:
    """Place frames side by side, in rows; also return width and height of the box around them."""
    frames: list[Frame] = []
    limit = max([FRAME_ROW, width, *(inner_frame + 2 * FRAME_MARGIN for inner_frame, _ in inside)])
    x, y, row, height, widest = FRAME_MARGIN, top, 0, 0.0, width
    for w, h in inside:
        h += FRAME_HEADER
        if x > FRAME_MARGIN and x + w + FRAME_MARGIN > limit:
            x, y, row, height = FRAME_MARGIN, y + height + FRAME_GAP, row + 1, 0.0
        frames.append(Frame(x, y, w, h, row))
        x += w + FRAME_GAP
        height = max(height, h)
        widest = max(widest, x - FRAME_GAP + FRAME_MARGIN)
    for frame in frames:  # those of a row are equally high
        frame.height = max(
            inner_frame.height for inner_frame in frames if inner_frame.row == frame.row
        )
    return _centred(frames, widest), widest, y + height + FRAME_MARGIN


def _centred(frames: Sequence[Frame], width: float) -> list[Frame]:
    """Return the frames, with each row in the middle of a box of this width."""
    centred = []
    for frame in frames:
        row = [neighbour for neighbour in frames if neighbour.row == frame.row]
        left_edge = min(neighbour.x for neighbour in row)
        right_edge = max(neighbour.x + neighbour.width for neighbour in row)
        shift = (width - left_edge - right_edge) / 2
        centred.append(Frame(frame.x + shift, frame.y, frame.width, frame.height, frame.row))
    return centred
