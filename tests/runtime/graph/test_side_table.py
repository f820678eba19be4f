"""Side tables: what others keep about graphs."""

import gc
import weakref

import runtime as tf
from runtime.graph.side_table import SideTable


def test_tables_do_not_see_each_other():
    first, second = SideTable(), SideTable()
    graph, other = tf.Graph(), tf.Graph()
    assert first.get(graph) is None
    assert first.put(graph, 1) == first.get(graph) == 1
    assert second.get(graph) is None and first.get(other) is None
    assert second.setdefault(graph, [2]) is second.setdefault(graph, [3]) == [2]
    first.drop(graph)
    first.drop(graph)
    assert first.get(graph) is None and second.get(graph) == [2]


def test_an_entry_that_refers_to_its_graph_goes_with_it():
    table = SideTable()
    graph = tf.Graph()
    table.put(graph, [graph])
    gone = weakref.ref(graph)
    del graph
    gc.collect()
    assert gone() is None
