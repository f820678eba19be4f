"""The global step of TensorFlow 1: one variable of a graph that counts updates."""

from __future__ import annotations

from typing import Any

from runtime.graph.collections import GraphKeys
from runtime.graph.default_graph import get_default_graph, name_scope
from runtime.graph.graph import Graph
from runtime.graph.trace import current_graph
from runtime.ops.array.creation import zeros
from runtime.state.variable import Variable
from runtime.types.dtypes import int64

__all__ = [
    "assert_global_step", "create_global_step", "get_global_step", "get_or_create_global_step",
    "global_step",
]  # fmt: skip


def _home(graph: Graph | None) -> Graph:
    """The graph whose collection has the step; eagerly, and for functions, the default one."""
    home: Any = graph or current_graph()
    while home is not None and home.temporary:
        home = getattr(home, "outer", None)
    return get_default_graph() if home is None else home


def assert_global_step(global_step_tensor: Any) -> None:
    """Check that a tensor or variable can be a global step.

    Args:
        global_step_tensor: variable, or tensor.
    Returns:
        None.
    Raises:
        TypeError: it is no int32 or int64 scalar.
    """
    if not global_step_tensor.dtype.is_integer:
        raise TypeError(
            f'Existing "global_step" does not have integer type: {global_step_tensor.dtype}'
        )
    if global_step_tensor.shape.rank != 0 and global_step_tensor.shape.is_fully_defined():
        raise TypeError(f'Existing "global_step" is not scalar: {global_step_tensor.shape}')


def get_global_step(graph: Graph | None = None) -> Any:
    """Find the global step of a graph.

    Args:
        graph: graph; the default one if None.
    Returns:
        Variable; None if there is none.
    Raises:
        TypeError: the variable is no integer scalar.
    """
    steps = _home(graph).get_collection(GraphKeys.GLOBAL_STEP)
    if not steps:
        return None
    assert_global_step(steps[0])
    return steps[0]


def create_global_step(graph: Graph | None = None) -> Any:
    """Make the global step of a graph.

    Args:
        graph: graph; the default one if None.
    Returns:
        Variable: an int64 scalar, which is not trained.
    Raises:
        ValueError: there is one.
    """
    home = _home(graph)
    if get_global_step(graph) is not None:
        raise ValueError('"global_step" already exists.')
    collections = [GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP]
    if current_graph() is None and graph is None:  # an eager variable, noted in the default graph
        step = Variable(lambda: zeros([], int64), trainable=False, name="global_step")
        home.get_collection_ref(GraphKeys.GLOBAL_STEP).append(step)
        return step
    with home.as_default(), name_scope(None):
        return Variable(
            lambda: zeros([], int64), trainable=False, name="global_step", collections=collections
        )


def get_or_create_global_step(graph: Graph | None = None) -> Any:
    """Find the global step of a graph, or make it.

    Args:
        graph: graph; the default one if None.
    Returns:
        Variable: an integer scalar.
    """
    step = get_global_step(graph)
    return create_global_step(graph) if step is None else step


def global_step(sess: Any, global_step_tensor: Any) -> int:
    """Read the global step.

    Args:
        sess: session, whose value is read; without effect for an eager variable.
        global_step_tensor: variable.
    Returns:
        Python int.
    """
    if current_graph() is None and getattr(global_step_tensor, "graph", None) is None:
        return int(global_step_tensor.numpy())
    return int(sess.run(global_step_tensor))
