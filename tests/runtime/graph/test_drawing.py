"""Graphs draw themselves: what is a box, what is written in it, and where drawings go."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ElementTree

import pytest

import autograph
import runtime as tf
from autograph.drawing.diagram import Diagram, Vertex, VertexKind
from autograph.drawing.layout import layout
from runtime.graph.diagrams import diagram_of
from tests.support.drawings import check

SVG = "{http://www.w3.org/2000/svg}"


def halving(x, n):
    total = x
    while n > 0:
        if n % 2 == 0:
            total = total * 2.0
        else:
            total = tf.tanh(total) + x
        n -= 1
    return total


def traced(function, *specs):
    return tf.function(function).get_concrete_function(*specs).graph


@pytest.fixture(scope="module")
def loop_graph():
    return traced(halving, tf.TensorSpec([None, 2]), tf.TensorSpec([], tf.int32))


def vertex(diagram: Diagram, title: str) -> Vertex:
    (found,) = [one for one in diagram.vertices if one.title == title]
    return found


def titles(diagram: Diagram) -> list[str]:
    return [one.title for one in diagram.vertices]


def test_a_loop_holds_a_branch(loop_graph) -> None:
    diagram = diagram_of(loop_graph)
    loop = vertex(diagram, "while")
    assert [inner.title for inner in loop.inside] == ["test", "body"]
    body = loop.inside[1]
    branch = vertex(body, "cond")
    assert [inner.title for inner in branch.inside] == ["then", "otherwise"]
    assert sorted(titles(branch.inside[1])) == ["add", "tanh", "total", "total", "x"]
    assert titles(loop.inside[0]) == ["n", "greater", "go on?"]
    check(layout(diagram))


def test_constants_are_written_into_their_consumer(loop_graph) -> None:
    body = vertex(diagram_of(loop_graph), "while").inside[1]
    assert vertex(body, "floormod").lines == ("y=2",)
    assert not [one for one in body.vertices if one.kind is VertexKind.CONSTANT]


def test_edges_have_types_and_boxes_the_users_line(loop_graph) -> None:
    diagram = diagram_of(loop_graph)
    assert vertex(diagram, "x").ports == ("float32[?, 2]",)
    loop = vertex(diagram, "while")
    assert set(loop.ports) == {"float32[?, 2]", "int32[]"}
    assert f"{__file__}:" in loop.tip and "while n > 0:" in loop.tip


def test_svg_is_well_formed_and_shows_everything(loop_graph) -> None:
    root = ElementTree.fromstring(loop_graph.to_svg().encode())
    shown = [element.text for element in root.iter(f"{SVG}text")]
    expected = {one.title for diagram in diagram_of(loop_graph).walk() for one in diagram.vertices}
    assert expected <= set(shown)
    assert any("test_drawing.py" in (element.text or "") for element in root.iter(f"{SVG}title"))


def test_variables_effects_and_control_dependencies() -> None:
    with tf.Graph().as_default() as graph:
        weights = tf.Variable([1.0, 2.0], name="weights")
        shown = tf.print("here", weights)
        with tf.control_dependencies([shown]):
            tf.matmul(tf.placeholder(tf.float32, [2, 2], name="x"), [[1.0], [2.0]])
    diagram = diagram_of(graph)
    kinds = {one.title: one.kind for one in diagram.vertices}
    assert kinds["weights"] is VertexKind.VARIABLE
    assert kinds["print"] is VertexKind.EFFECT
    assert kinds["x"] is VertexKind.INPUT
    assert kinds["matmul"] is VertexKind.HEAVY
    assert [edge.tip for edge in diagram.edges if edge.control] == ["MatMul runs after PrintV2"]


def test_a_function_called_twice_is_drawn_once() -> None:
    inner = tf.function(lambda x: tf.tanh(x) + 1.0)
    inner.__name__ = "inner"
    diagram = diagram_of(traced(lambda x: inner(inner(x)), tf.TensorSpec([2])))
    calls = [one for one in diagram.vertices if one.kind is VertexKind.CONTROL]
    assert [len(one.inside) for one in calls] == [1, 0]
    assert calls[1].lines == ("call, drawn above",)


def test_several_inputs_of_one_tensor_are_one_line() -> None:
    def chosen(x):
        return tf.switch_case(tf.size(x), [lambda: x * x, lambda: x + x])

    graph = traced(chosen, tf.TensorSpec([None]))
    diagram = diagram_of(graph)
    (case,) = [k for k, one in enumerate(diagram.vertices) if one.title == "case"]
    assert [one.title for one in diagram.vertices[case].inside] == ["branch_0", "branch_1"]
    (edge,) = [
        e for e in diagram.edges if e.target == case and diagram.vertices[e.source].title == "x"
    ]
    assert len(set(edge.tip.split("\n"))) >= 2
    product = diagram.vertices[case].inside[0]
    (edge,) = [e for e in product.edges if product.vertices[e.target].title == "multiply"]
    assert "x of mul" in edge.tip and "y of mul" in edge.tip


def test_recursion_ends() -> None:
    @tf.function
    def factorial(n):
        if n > 1:
            return n * factorial(n - 1)
        return n

    graph = factorial.get_concrete_function(tf.TensorSpec([], tf.int32)).graph
    boxes = [one for diagram in diagram_of(graph).walk() for one in diagram.vertices]
    assert any("calls itself" in one.lines for one in boxes)


def test_names_are_the_users(loop_graph) -> None:
    loop = vertex(diagram_of(loop_graph), "while")
    assert {"n", "total", "next n", "next total"} <= set(titles(loop.inside[1]))
    results = [one for one in loop.inside[1].vertices if one.kind is VertexKind.OUTPUT]
    assert [one.title for one in results] == ["next n", "next total"]
    branch = vertex(loop.inside[1], "cond")
    assert titles(branch.inside[0])[0] == "total"


def test_a_chain_of_200_branches() -> None:
    @autograph.do_not_convert
    def nested(x, depth):
        if depth == 0:
            return x
        return tf.cond(x > depth, lambda: x * 1.0, lambda: nested(x, depth - 1))

    graph = tf.Graph()
    with graph.as_default():
        nested(tf.placeholder(tf.float32, []), 200)
    assert graph.to_svg().count('class="frame"') == 400
    assert graph.to_dot().count("subgraph") == 600


def test_a_graph_of_1000_operations() -> None:
    """A network with its gradients: nothing overlaps, and far lines end at references."""
    weights = [tf.Variable(tf.ones([4, 4]), name=f"layer_{k}/kernel") for k in range(60)]

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            h = x
            for weight in weights:
                h = tf.nn.relu(tf.matmul(h, weight)) + h
            loss = tf.reduce_sum(h)
        for gradient, weight in zip(tape.gradient(loss, weights), weights):
            weight.assign_sub(0.1 * gradient)
        return loss

    graph = step.get_concrete_function(tf.TensorSpec([None, 4])).graph
    assert len(graph.operations) > 1000
    made = layout(diagram_of(graph))
    check(made)
    assert made.width < 3000
    places = [place for part in made.parts for place in part.places]
    assert any(place.vertex.kind is VertexKind.REFERENCE for place in places)


def test_an_empty_graph_and_an_operation_alone() -> None:
    graph = tf.Graph()
    assert graph.to_svg().endswith("</svg>\n")
    with graph.as_default():
        tf.constant([1.0, 2.0])
    assert "[1.0, 2.0]" in graph.to_svg()
    assert titles(diagram_of(traced(lambda: tf.constant(2.0)))) == ["result"]


def test_names_that_xml_cannot_hold() -> None:
    with tf.Graph().as_default() as graph:
        tf.strings.join([tf.constant(b"<&\"'\x00\x1b\xff"), tf.placeholder(tf.string, [])])
    ElementTree.fromstring(graph.to_svg().encode())
    assert "<&" not in graph.to_html()


@pytest.mark.parametrize("suffix, start", [
    ("svg", b"<?xml"), ("html", b"<!DOCTYPE html>"), ("dot", b"digraph"), ("SVG", b"<?xml"),
])  # fmt: skip
def test_the_suffix_of_a_file_names_the_format(tmp_path, loop_graph, suffix, start) -> None:
    loop_graph.draw(tmp_path / f"graph.{suffix}")
    assert (tmp_path / f"graph.{suffix}").read_bytes().startswith(start)
    assert os.listdir(tmp_path) == [f"graph.{suffix}"]


def test_wrong_files(tmp_path, loop_graph) -> None:
    with pytest.raises(ValueError, match=r"'\.gif'.*write \.svg, \.html, \.dot"):
        loop_graph.draw(tmp_path / "graph.gif")
    with pytest.raises(ValueError, match="has no suffix"):
        loop_graph.draw(str(tmp_path / "graph"))
    with pytest.raises(tf.errors.NotFoundError, match="nowhere"):
        loop_graph.draw(tmp_path / "nowhere" / "graph.svg")
    with pytest.raises(TypeError):
        loop_graph.draw(3)
    assert os.listdir(tmp_path) == []


def test_notebooks_show_graphs_unless_they_are_large(loop_graph) -> None:
    assert "<svg" in loop_graph._repr_html_()
    with tf.Graph().as_default() as graph:
        for _ in range(4001):
            tf.placeholder(tf.float32)
    assert "<svg" not in graph._repr_html_()
    assert "4,001 boxes are too many" in graph._repr_html_()


def test_dot_has_a_cluster_for_each_graph_inside(loop_graph) -> None:
    text = loop_graph.to_dot()
    assert text.count("{") == text.count("}")
    assert text.count("subgraph cluster_") == 6
    assert 'label=" float32[?, 2]"' in text
