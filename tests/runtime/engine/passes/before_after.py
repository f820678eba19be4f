"""What some passes make of a graph that is given as text, all of which is to run."""

import textwrap

from runtime.engine.passes.pipeline import LAST, PASSES, Optimizer
from runtime.graph.parser import graph_from_text
from runtime.graph.printer import GraphPrinter
from runtime.graph.run_request import RunRequest


def passes_named(*names):
    """The passes of these names, in the order of the pipeline."""
    known = {one.name: one for one in (*PASSES, *LAST)}
    assert set(names) <= known.keys(), names
    return [one for name, one in known.items() if name in names]


def after(text, *names, objects=None):
    """The text of a graph after some passes; the graph itself stays as it was."""
    text = textwrap.dedent(text).lstrip("\n")
    graph = graph_from_text(text, objects)
    optimizer = Optimizer([p for p in passes_named(*names) if p in PASSES],
                          [p for p in passes_named(*names) if p in LAST])  # fmt: skip
    wanted = RunRequest(graph, graph.outputs, graph.inputs, graph.operations)
    result = optimizer.run(wanted)
    assert GraphPrinter(full=True).graph(graph) == text
    return GraphPrinter(full=True).graph(result)


def check(before, expected, *names):
    """Assert what some passes make of a graph."""
    found = after(before, *names)
    assert found == textwrap.dedent(expected).lstrip("\n"), found


def unchanged(text, *names):
    """Assert that some passes leave a graph alone."""
    check(text, text, *names)
