"""Dot of diagrams: text for the programs of Graphviz, with a cluster for each diagram inside."""

from __future__ import annotations

from autograph.drawing.diagram import Diagram, Edge, Vertex, VertexKind
from autograph.drawing.palette import BOXES

_SHAPES = {
    VertexKind.INPUT: "ellipse", VertexKind.OUTPUT: "ellipse", VertexKind.CONSTANT: "plaintext",
    VertexKind.VARIABLE: "cylinder",
}  # fmt: skip


def dot(diagram: Diagram, rankdir: str = "TB") -> str:
    """Return a diagram as text of dot; ValueError for an edge that cannot be drawn.

    ``rankdir`` is the direction of edges: "TB", or "LR" from left to right.  A vertex with diagrams
    inside is a cluster: edges end at the header in it.
    """
    diagram.check()
    lines = [
        f"digraph {quoted(diagram.title or 'graph')} {{",
        f"  compound=true; rankdir={rankdir}; fontname=Helvetica;",
        '  node [shape=box, style="rounded,filled", fontname=Helvetica, fontsize=11];',
        '  edge [fontname="Courier", fontsize=9, color="#8795a5"];',
    ]
    _write(diagram, "v", lines, "  ")
    return "\n".join([*lines, "}"]) + "\n"


def quoted(text: str) -> str:
    """Return a text as a string of dot; its lines stay lines."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("\0", "\ufffd")
    return '"' + "\\n".join(plain.split("\n")) + '"'


def _write(diagram: Diagram, prefix: str, lines: list[str], indent: str) -> None:
    for index, vertex in enumerate(diagram.vertices):
        name = f"{prefix}{index}"
        if not vertex.inside:
            lines.append(f"{indent}{_vertex(name, vertex)}")
            continue
        lines.append(f"{indent}subgraph cluster_{name} {{")
        lines.append(f'{indent}  style=rounded; color="#9fadbd"; label="";')
        lines.append(f"{indent}  {_vertex(name, vertex)}")
        for number, inner in enumerate(vertex.inside):
            inside = f"{name}_{number}_"
            lines.append(f"{indent}  subgraph cluster_{inside} {{")
            lines.append(f'{indent}    color="#d9e0e7"; label={quoted(inner.title)};')
            _write(inner, inside, lines, indent + "    ")
            lines.append(f"{indent}  }}")
        lines.append(f"{indent}}}")
    for edge in diagram.edges:
        lines.append(f"{indent}{_edge(diagram, edge, prefix)}")


def _vertex(name: str, vertex: Vertex) -> str:
    (fill, line), _ = BOXES[vertex.kind]
    label = quoted("\n".join((vertex.title, *vertex.lines)))
    shape = _SHAPES.get(vertex.kind)
    attributes = [f"label={label}", f'fillcolor="{fill}"', f'color="{line}"']
    if shape:
        attributes += [f"shape={shape}", 'style="filled"']
    if vertex.tip:
        attributes.append(f"tooltip={quoted(vertex.tip)}")
    return f"{name} [{', '.join(attributes)}];"


def _edge(diagram: Diagram, edge: Edge, prefix: str) -> str:
    attributes = []
    if edge.control:
        attributes.append("style=dashed")
    elif diagram.vertices[edge.source].ports[edge.port]:
        attributes.append(f"label={quoted(' ' + diagram.vertices[edge.source].ports[edge.port])}")
    if edge.tip:
        attributes.append(f"tooltip={quoted(edge.tip)}")
    shown = f" [{', '.join(attributes)}]" if attributes else ""
    return f"{prefix}{edge.source} -> {prefix}{edge.target}{shown};"
