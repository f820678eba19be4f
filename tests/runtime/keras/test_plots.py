"""Drawings of models: a box for each call of a layer, shapes on lines, models inside models."""

from __future__ import annotations

import os
import shutil
import sys

import pytest

import runtime as tf
from autograph.drawing.diagram import VertexKind
from autograph.drawing.layout import layout
from runtime import keras
from runtime.keras.models.diagrams import model_diagram
from tests.support.drawings import check

layers = keras.layers


@pytest.fixture(scope="module")
def model():
    image, side = keras.Input((8, 8, 1), name="image"), keras.Input((4,), name="side")
    encoder = keras.Sequential(
        [keras.Input((4,)), layers.Dense(6, activation="tanh"), layers.Dropout(0.1)], name="encoder"
    )
    flat = layers.Flatten(name="flat")(layers.Conv2D(2, 3, activation="relu", name="conv")(image))
    joined = layers.Concatenate(name="joined")([flat, encoder(side)])
    shared = layers.Dense(78, name="shared")
    total = shared(shared(joined)) + joined
    return keras.Model([image, side], layers.Dense(3, name="classes")(total), name="two_inputs")


def test_the_diagram_of_a_model(model) -> None:
    diagram = model_diagram(model)
    check(layout(diagram))
    found = {one.title: one for one in diagram.vertices}
    assert found["image"].kind is VertexKind.INPUT
    assert found["conv"].lines == ("Conv2D", "relu")
    assert found["conv"].ports == ("(None, 6, 6, 2)",)
    assert "20 parameters" in found["conv"].tip
    assert "add" in found
    twice = [one for one in diagram.vertices if one.title == "shared"]
    assert [one.lines[-1] for one in twice] == ["linear", "called again"]
    (inner,) = found["encoder"].inside
    assert [one.lines[0] for one in inner.vertices] == ["InputLayer", "Dense", "Dropout"]
    names = [one.title for one in diagram.vertices]
    edges = {(names[edge.source], names[edge.target]) for edge in diagram.edges}
    assert {("encoder", "joined"), ("flat", "joined"), ("joined", "add")} <= edges
    assert ("classes", "output") in edges and found["classes"].ports == ("(None, 3)",)


@pytest.mark.parametrize("suffix", ["svg", "html", "dot"])
def test_plot_model(tmp_path, model, suffix) -> None:
    file = tmp_path / f"model.{suffix}"
    drawing = keras.utils.plot_model(
        model, to_file=file, show_shapes=True, show_dtype=True, show_layer_names=True,
        show_trainable=True, expand_nested=True,
    )  # fmt: skip
    text = file.read_text()
    assert "float32 (None, 78)" in text and "not trained" not in text and "trained" in text
    assert ("dropout" in text) and os.listdir(tmp_path) == [file.name]
    assert "<svg" in drawing._repr_html_()


def test_plot_model_shows_what_is_asked_for(model) -> None:
    text = keras.utils.plot_model(model, None).to_svg()
    assert ">Conv2D<" in text and ">conv<" not in text
    assert "(None" not in text.partition("<style>")[2].replace("<title>", "<!--").split("<!--")[0]


@pytest.mark.parametrize(("suffix", "mark"), [("png", b"\x89PNG\r\n"), ("pdf", b"%PDF-")])
def test_plot_model_writes_pictures(model, tmp_path, suffix, mark) -> None:
    pytest.importorskip("cairosvg")
    for dpi in (50, 200):
        keras.utils.plot_model(model, tmp_path / f"{dpi}.{suffix}", dpi=dpi)
    small, large = ((tmp_path / f"{dpi}.{suffix}").read_bytes() for dpi in (50, 200))
    assert small.startswith(mark) and large.startswith(mark)
    if suffix == "png":
        width, wide = (int.from_bytes(picture[16:20], "big") for picture in (small, large))
        assert abs(wide - 4 * width) <= 4


def test_pictures_without_the_extra_say_what_to_install(model, tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'pyautograph\[pictures\]'"):
        keras.utils.plot_model(model, tmp_path / "model.png")
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz")
@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_other_directions_are_drawn_by_graphviz(model, tmp_path, suffix) -> None:
    keras.utils.plot_model(model, tmp_path / f"model.{suffix}", rankdir="LR")
    assert (tmp_path / f"model.{suffix}").stat().st_size > 1000


def test_other_directions_without_graphviz(model, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(ValueError, match=r"write a \.dot file, or install Graphviz"):
        keras.utils.plot_model(model, tmp_path / "model.png", rankdir="LR")


def test_model_to_dot(model) -> None:
    text = keras.utils.model_to_dot(model, rankdir="LR")
    assert text.startswith('digraph "two_inputs"') and "rankdir=LR" in text
    assert text.to_string() == text == text.create(format="raw").decode()
    assert b"<svg" in text.create(prog="dot", format="svg")


@pytest.mark.parametrize("arguments, error, message", [
    ({"to_file": "model.gif"}, ValueError, r"model\.gif: the suffix '\.gif'.*write \.svg"),
    ({"to_file": "model.html", "rankdir": "LR"}, ValueError, "LR.*write a .dot file"),
    ({"to_file": "model.dot", "rankdir": "up"}, ValueError, "rankdir must be one of TB, LR"),
    ({"to_file": "no/model.svg"}, tf.errors.NotFoundError, "no/model.svg"),
    ({"model": 3}, TypeError, "expected a Keras model, got 3"),
])  # fmt: skip
def test_wrong_arguments(tmp_path, monkeypatch, model, arguments, error, message) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=message):
        keras.utils.plot_model(**{"model": model, **arguments})
    assert os.listdir(tmp_path) == []


def test_models_that_were_never_built() -> None:
    class Sub(keras.Model):
        def __init__(self):
            super().__init__()
            self.a, self.b = layers.Dense(2), layers.Dense(3)

        def call(self, x):
            return self.b(self.a(x))

    assert len(model_diagram(Sub()).edges) == 0
    assert len(model_diagram(Sub()).vertices) == 2
    chain = model_diagram(keras.Sequential([layers.Dense(3), layers.ReLU(), layers.Dense(1)]))
    assert [(edge.source, edge.target) for edge in chain.edges] == [(0, 1), (1, 2)]
    assert model_diagram(keras.Sequential()).vertices == []
    assert "<svg" in Sub()._repr_html_()
