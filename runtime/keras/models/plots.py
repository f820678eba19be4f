"""``plot_model`` and ``model_to_dot``: drawings of models, in files and as text."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from autograph.drawing.diagram import Diagram
from autograph.drawing.dot import dot
from autograph.drawing.formats import DIRECTIONS
from runtime.graph.drawable import Drawable, checked_path, write_drawing
from runtime.keras.models.diagrams import PlotOptions, model_diagram
from runtime.keras.models.model import Model

__all__ = ["model_to_dot", "plot_model"]


class ModelDrawing(Drawable):
    """Drawing of a model, which notebooks show."""

    def __init__(self, model: Any, options: PlotOptions) -> None:
        self.model = model
        self.options = options

    def __diagram__(self, seconds: Mapping[str, float] | None = None) -> Diagram:
        return model_diagram(self.model, self.options)


class DotText(str):
    """Text of dot, with what programs ask of a ``pydot.Dot``."""

    drawing: ModelDrawing

    def to_string(self) -> str:
        """Return the text."""
        return str(self)

    def create(self, prog: Any = None, format: str = "svg") -> bytes:
        """Return the drawing as bytes: "svg", "html", or "dot" and "raw" for the text.

        ``prog`` is not needed.  ValueError for other formats.
        """
        if format in ("dot", "raw"):
            return self.encode()
        if format not in ("svg", "html"):
            raise ValueError(f"format must be 'svg', 'html', 'dot' or 'raw', got {format!r}")
        page = self.drawing.to_svg() if format == "svg" else self.drawing.to_html()
        return page.encode()


def plot_model(
    model: Any, to_file: str | os.PathLike[str] | None = "model.svg", show_shapes: bool = False,
    show_dtype: bool = False, show_layer_names: bool = False, rankdir: str = "TB",
    expand_nested: bool = False, dpi: int = 200, show_layer_activations: bool = False,
    show_trainable: bool = False, splines: str = "ortho",
) -> ModelDrawing:  # fmt: skip
    """Draw a model and write the drawing to a file, whole or not at all.

    Args:
        model: a Keras model.  One that was never built shows its layers without connections.
        to_file: name of a file whose suffix is .svg, .html, .dot, .png or .pdf (the last two need
            the extra ``pictures``); None writes no file.
        show_shapes: whether lines carry the shapes of what layers return.
        show_dtype: whether lines carry its dtype.
        show_layer_names: whether boxes are titled by the names of layers, or by their classes.
        rankdir: "TB", from the top to the bottom; "LR", "BT" and "RL" in files of dot, and in
            pictures where Graphviz is installed.
        expand_nested: whether models inside are drawn, too, in boxes.
        dpi: resolution of a PNG, in pixels per inch.
        show_layer_activations: whether boxes name the activations.
        show_trainable: whether boxes say which layers are trained.
        splines: of no effect: lines are curved.
    Returns:
        The drawing, which notebooks show.
    Raises:
        ValueError: another suffix or ``rankdir``, or one that needs Graphviz.
        ModuleNotFoundError: the extra ``pictures`` is not installed.
        TypeError: ``model`` is no model.
        OpError: the file cannot be written, for instance NotFoundError.
    """
    options = PlotOptions(
        show_shapes, show_dtype, show_layer_names, expand_nested, show_layer_activations,
        show_trainable,
    )  # fmt: skip
    drawing = ModelDrawing(_checked(model), options)
    _check_direction(rankdir)
    if to_file is not None:
        path, suffix = checked_path(to_file)
        write_drawing(drawing.__diagram__(), path, suffix, rankdir, dpi)
    return drawing


def model_to_dot(
    model: Any, show_shapes: bool = False, show_dtype: bool = False,
    show_layer_names: bool = True, rankdir: str = "TB", expand_nested: bool = False,
    dpi: int = 200, subgraph: bool = False, show_layer_activations: bool = False,
    show_trainable: bool = False, splines: str = "ortho",
) -> DotText:  # fmt: skip
    """Describe a model as text for the programs of Graphviz.

    Args:
        model: a Keras model.
        show_shapes: as for ``plot_model``, and so are those that follow.
        show_dtype: see above.
        show_layer_names: see above.
        rankdir: "TB" for a drawing from the top to the bottom, "LR" from left to right, "BT", "RL".
        expand_nested: see above.
        dpi: of no effect.
        subgraph: must be False.
        show_layer_activations: see above.
        show_trainable: see above.
        splines: of no effect.
    Returns:
        The text, a str; its ``create(format="svg")`` returns a drawing of it as bytes.
    Raises:
        ValueError: another ``rankdir``, or ``subgraph``.
        TypeError: ``model`` is no model.
    """
    _check_direction(rankdir)
    if subgraph:
        raise ValueError("subgraph=True returns a pydot.Cluster, which is not made here")
    options = PlotOptions(
        show_shapes, show_dtype, show_layer_names, expand_nested, show_layer_activations,
        show_trainable,
    )  # fmt: skip
    drawing = ModelDrawing(_checked(model), options)
    dot_text = DotText(dot(drawing.__diagram__(), rankdir))
    dot_text.drawing = drawing
    return dot_text


def _checked(model: Any) -> Any:
    if not isinstance(model, Model):
        raise TypeError(f"expected a Keras model, got {model!r} of type {type(model).__name__}")
    return model


def _check_direction(rankdir: str) -> None:
    if rankdir not in DIRECTIONS:
        raise ValueError(f"rankdir must be one of {', '.join(DIRECTIONS)}, got {rankdir!r}")
