"""What docs/tour.md shows: `first_even` at each stage of conversion, tracing and execution."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable

import gast

import autograph
import runtime as tf
from autograph import pipeline, staging
from autograph.converters.context import Context
from autograph.syntax.code_markers import AG
from autograph.syntax.emit import emit
from autograph.syntax.names import FreshNames
from autograph.syntax.source import source_of
from examples.first_even import first_even


def context() -> Context:
    """The function as the statement converters meet it."""
    node = source_of(first_even).node
    names = FreshNames(node)
    names.reserve(AG)
    return Context(node, names, lambda name: False)


def tree() -> str:
    """The head of the loop as a gast tree."""
    return gast.dump(context().function.body[0].body[0].test, indent=2)


def facts() -> str:
    """What the analyses say of the loop."""
    state = context()
    loop = state.function.body[0]
    scopes, liveness = state.analyses.scopes, state.analyses.liveness
    return "\n".join(
        f"{title:<22} {', '.join(sorted(names)) or '-'}"
        for title, names in (
            ("variables", scopes.bound),
            ("names from outside", scopes.free),
            ("live before the loop", liveness.live_in(loop)),
            ("live in each iteration", liveness.live_at_head(loop)),
            ("live after the loop", liveness.live_out(loop)),
        )
    )


def after(step: str) -> str:
    """The function after the statement converters up to and including one."""
    state = context()
    for converter in pipeline.STATEMENTS:
        converter.convert(state)
        state.analyses.changed()
        if converter.__name__.endswith(f".{step}"):
            break
    return emit(state.function)


def steps() -> str:
    """The statement converters in order, and whether each changes this function."""
    state, lines, text = context(), [], emit(source_of(first_even).node)
    for converter in pipeline.STATEMENTS:
        converter.convert(state)
        state.analyses.changed()
        new = emit(state.function)
        name = converter.__name__.rpartition(".")[2]
        lines.append(f"{name:<14} {'changes it' if new != text else 'finds nothing to do'}")
        text = new
    return "\n".join(lines)


def traceback_lines() -> str:
    """Where the converted function fails on a list with None in it, as Python reports it."""
    try:
        with staging.force_version(staged=False):
            autograph.to_graph(first_even)([7, None])
    except TypeError as error:
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if frame.filename.endswith("first_even.py")]
        lines = [f"first_even.py:{f.lineno}, in {f.name}: {f.line}" for f in own]
        return "\n".join([*lines, f"TypeError: {error}"])
    raise AssertionError("None % 2 must not work")


def graph() -> str:
    """What tracing records for a vector of any length."""
    traced = tf.function(first_even).get_concrete_function(tf.TensorSpec([None], tf.int32))
    return str(traced.graph)


def optimized() -> str:
    """What runs in place of that."""
    traced = tf.function(first_even).get_concrete_function(tf.TensorSpec([None], tf.int32))
    return str(traced.optimized_graph)


def results() -> str:
    """The one trace, run on vectors of different lengths."""
    run = tf.function(first_even, input_signature=[tf.TensorSpec([None], tf.int32)])
    vectors = ([7, 3, 8, 2], [5], [4])
    return "\n".join(f"{vector} -> {run(tf.constant(vector))}" for vector in vectors)


SHOWN: dict[str, Callable[[], str]] = {
    "tour source": lambda: inspect.getsource(first_even),
    "tour tree": tree,
    "tour facts": facts,
    "tour steps": steps,
    "tour after returns": lambda: after("returns"),
    "tour after exits": lambda: after("single_exit"),
    "tour after statements": lambda: after("statements"),
    "tour code": lambda: autograph.to_code(first_even),
    "tour traceback": traceback_lines,
    "tour graph": graph,
    "tour optimized": optimized,
    "tour results": results,
}
