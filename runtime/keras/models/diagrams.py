"""Diagrams of models: a box for each call of a layer, models inside of models in boxes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from autograph.drawing.diagram import Diagram, Edge, Vertex, VertexKind
from autograph.drawing.text_extent import shortened
from runtime.keras.functional.functional_graph import LayerCall, is_functional
from runtime.keras.layers.base.call_arguments import shape_of
from runtime.keras.layers.base.input_layer import input_layer_of
from runtime.types import nest

TITLE_LENGTH = 40


class PlotOptions(NamedTuple):
    """What drawings of models show besides layers and their connections."""

    shapes: bool = False
    dtype: bool = False
    layer_names: bool = True
    expand_nested: bool = False
    activations: bool = False
    trainable: bool = False


NOTEBOOK = PlotOptions(shapes=True, activations=True, expand_nested=True)


def model_diagram(model: Any, options: PlotOptions = NOTEBOOK) -> Diagram:
    """Return the diagram of a model."""
    return _ModelReader(options).diagram(model, outermost=True)


class _ModelReader:
    """Reader of models, and of the models inside of them."""

    def __init__(self, options: PlotOptions) -> None:
        self.options = options

    def diagram(self, model: Any, outermost: bool = False) -> Diagram:
        """Return the diagram of one model."""
        diagram = Diagram(model.name)
        program = getattr(model, "_program", None)
        if program is None:
            self._add_unconnected(model, diagram)
            return diagram
        origin: dict[int, tuple[int, int]] = {}
        seen: set[int] = set()
        for tensor in nest.flatten(program.inputs):
            origin[id(tensor)] = len(diagram.vertices), 0
            layer = input_layer_of(tensor)
            diagram.vertices.append(self._vertex(layer, VertexKind.INPUT, [tensor]))
        for step in program.steps:
            index = len(diagram.vertices)
            outputs = nest.flatten(step.outputs) if isinstance(step, LayerCall) else step.outputs
            if isinstance(step, LayerCall):
                vertex = self._vertex(step.layer, _kind(step.layer), outputs)
                if id(step.layer) in seen:
                    vertex.lines, vertex.inside = (*vertex.lines, "called again"), ()
                seen.add(id(step.layer))
            else:
                ports = tuple(map(self._type, outputs))
                vertex = Vertex(step.op_def.name, ports=ports, tip=str(step.location))
            diagram.vertices.append(vertex)
            for tensor in step.inputs:
                if is_functional(tensor) and id(tensor) in origin:
                    source, port = origin[id(tensor)]
                    tip = f"{diagram.vertices[source].title}: {shape_of(tensor)}"
                    diagram.edges.append(Edge(source, index, port, False, tip))
            origin.update((id(t), (index, k)) for k, t in enumerate(outputs))
        if outermost and (self.options.shapes or self.options.dtype):
            _add_results(program.outputs, origin, diagram)
        return diagram

    def _add_unconnected(self, model: Any, diagram: Diagram) -> None:
        """Add the layers of a model whose connections only a call knows; a chain is known."""
        chained = hasattr(model, "_sequence")
        for k, layer in enumerate(model.layers):
            vertex = self._vertex(layer, _kind(layer), [])
            if chained:
                vertex.ports = ("",)
                if k:
                    diagram.edges.append(Edge(k - 1, k))
            diagram.vertices.append(vertex)

    def _vertex(self, layer: Any, kind: VertexKind, outputs: Sequence[Any]) -> Vertex:
        options = self.options
        name, classname = layer.name, type(layer).__name__
        title, lines = (name, [classname]) if options.layer_names else (classname, [])
        activation = getattr(layer, "activation", None)
        if options.activations and activation is not None and kind is not VertexKind.INPUT:
            lines.append(getattr(activation, "__name__", type(activation).__name__))
        if options.trainable and layer.weights:
            lines.append("trained" if layer.trainable else "not trained")
        inside: tuple[Diagram, ...] = ()
        if options.expand_nested and getattr(layer, "layers", None):
            inside, kind = (self.diagram(layer),), VertexKind.CONTROL
        shown = shortened(title, TITLE_LENGTH)
        ports = tuple(map(self._type, outputs))
        return Vertex(shown, kind, tuple(lines), _tip(layer), ports, inside)

    def _type(self, tensor: Any) -> str:
        shape = str(shape_of(tensor)) if self.options.shapes else ""
        dtype = str(tensor.dtype.name) if self.options.dtype else ""
        return f"{dtype} {shape}".strip()


def _add_results(outputs: Any, origin: dict[int, tuple[int, int]], diagram: Diagram) -> None:
    """Add what a model returns; the lines that lead there carry shapes and dtypes."""
    for tensor in nest.flatten(outputs):
        if id(tensor) in origin:
            source, port = origin[id(tensor)]
            diagram.edges.append(Edge(source, len(diagram.vertices), port))
            diagram.vertices.append(Vertex("output", VertexKind.OUTPUT))


def _kind(layer: Any) -> VertexKind:
    return VertexKind.HEAVY if layer.weights else VertexKind.OPERATION


def _tip(layer: Any) -> str:
    lines = [f"{type(layer).__name__} {layer.name!r}"]
    weights = [(w.name, tuple(w.shape.as_list())) for w in layer.weights]
    if weights:
        count = sum(math.prod(shape) for _, shape in weights)
        lines.append(f"{count:,} parameters")
        lines += [f"{name}: {shape}" for name, shape in weights]
    return "\n".join(lines)
