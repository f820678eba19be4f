"""The engine's door: the only way to a run, what it keeps, and what its executables promise."""

import ast
import gc
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest

import runtime as tf
from runtime.engine import executable as door
from runtime.engine import optimizer_options as switches
from runtime.engine.executable import ENGINES, executable, run_graph
from runtime.engine.protocol import Refusal
from runtime.errors import InternalError
from runtime.graph.func_graph import FuncGraph
from runtime.graph.run_request import RunRequest, request_for
from runtime.types import flags
from runtime.types.settings import SETTINGS, Settings
from tests.support.sources import statements, tree_of

PACKAGE = Path(tf.__file__).parent
INSIDE = (
    "passes", "parallel", "plan", "python_codegen", "python_engine", "python_executable",
    "reference",
)  # fmt: skip
"""What of the engine nobody outside of it may know."""


def imported(path):
    """The modules of the package that a file imports, also inside functions."""
    text = path.read_text(encoding="utf-8")
    for node in statements(tree_of(path)) if "runtime.engine" in text else ():
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("runtime"):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def is_inside(module):
    return module.startswith(tuple(f"runtime.engine.{name}" for name in INSIDE))


def test_there_is_one_door():
    """Nobody outside of the engine imports plans, written Python or passes."""
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {module}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if "engine" not in path.relative_to(PACKAGE).parts
        for module in imported(path)
        if is_inside(module)
    ]
    assert not wrong


@pytest.fixture
def body():
    """A traced graph: x -> sin(x) * 2."""
    graph = FuncGraph("body")
    with graph.as_default():
        x = graph.add_input(tf.TensorSpec([], tf.float32, "x"))
        graph.set_outputs([tf.sin(x) * 2.0])
    return graph


def test_the_first_engine_that_takes_a_request_runs_it(body, monkeypatch):
    class Picky:
        name = "picky"

        def compile(self, request, refusals):
            asked.append(request)
            return Refusal(self.name, "it is a test")

    asked = []
    monkeypatch.setattr(door, "ENGINES", (Picky(), *ENGINES))
    run = executable(request_for(body))
    assert run.engine == "python_codegen" and run.refusals[0] == Refusal("picky", "it is a test")
    assert asked[0].graph is body.optimized(), "passes ran before"
    assert run([np.float32(0.5)]) == [np.sin(np.float32(0.5)) * 2]
    assert [engine.name for engine in ENGINES] == ["llvm", "python_codegen", "reference"]


def test_bodies_are_compiled_once_for_the_settings_in_force(body):
    run = executable(request_for(body))
    assert executable(request_for(body)) is run
    with flags.WRITE_AFTER(0):
        other = executable(request_for(body))
        assert other is not run and other.engine == "reference"
        assert executable(request_for(body)) is other
    again = executable(request_for(body))
    assert again.engine == "python_codegen" and executable(request_for(body)) is again


def test_one_number_stands_for_all_settings():
    start = SETTINGS.generation
    seen = {start}
    changes = (flags.OPTIMIZE, False), (flags.WRITE_AFTER, 7), (flags.CHECK_KERNELS, True)
    for flag, value in changes:
        with flag(value):
            assert SETTINGS.generation not in seen
            seen.add(SETTINGS.generation)
        assert SETTINGS.generation == start
    try:
        tf.config.optimizer.set_experimental_options({"constant_folding": False})
        assert SETTINGS.generation not in seen
        tf.config.optimizer.set_experimental_options({"constant_folding": True})
        assert SETTINGS.generation == start
    finally:
        switches.forget()
    assert SETTINGS.generation == start


def test_equal_settings_have_equal_numbers():
    settings = Settings()
    numbers = []
    for name, value in (("a", 1), ("b", 1), ("a", 2), ("a", 1), ("b", 2), ("b", 1)):
        settings.change(name, value)
        numbers.append(settings.generation)
    assert numbers[1] == numbers[3] == numbers[5] and len(set(numbers)) == 4


def test_sessions_go_back_to_what_they_compiled():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [])
        y = x * 2.0
        for _ in range(3):
            session.run(y, {x: 1.0})
            with flags.OPTIMIZE(False):
                session.run(y, {x: 1.0})
        assert len(session._executables) == 2


def test_graphs_and_what_was_compiled_of_them_are_let_go():
    def used():
        @tf.function
        def f(x):
            while x > 1:
                x = x // 2
            return x

        for _ in range(3):
            f(tf.constant(9))
        return weakref.ref(f.get_concrete_function(tf.constant(9)).graph)

    gone = used()
    gc.collect()
    assert gone() is None


def test_an_executable_is_thread_safe(body):
    run = executable(request_for(body))
    wrong = []

    def work(start):
        for k in range(200):
            value = np.float32(start + k / 100)
            if run([value]) != [np.sin(value) * 2]:
                wrong.append(value)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and run.progress == "written out"


def test_warming_up_and_profiles(body):
    run = executable(request_for(body))
    assert run.progress == "on the reference engine for 100 more runs"
    run.warm_up()
    assert run.progress == "written out" and not run.stateful
    values, spans = run.profile([np.float32(1)])
    assert values == run([np.float32(1)])
    assert [span.name for span in spans] == ["Sin", "mul"]


def test_the_number_of_arrays_is_checked(body):
    with pytest.raises(InternalError, match="the function 'body' takes 1 inputs, got 2"):
        run_graph(body, [1, 2])


def test_graphs_in_building_run_as_far_as_they_are_built():
    graph = FuncGraph("open")
    with graph.as_default():
        x = graph.add_input(tf.TensorSpec([], tf.float32))
        y = x + 1.0
        assert executable(RunRequest(graph, [y], [x]))([np.float32(1)]) == [2]
        z = y + y
        assert executable(RunRequest(graph, [z], [x]))([np.float32(1)]) == [4]


def test_traced_graphs_are_frozen(body):
    assert body.frozen and len(body.outputs) == 1
    for change in (
        lambda: body.set_outputs([1.0]),
        lambda: body.freeze(()),
        lambda: body.add_input(tf.TensorSpec([], tf.float32)),
        lambda: body.operations[-1]._add_control_input(body.operations[0]),
        lambda: tf.cos(body.inputs[0]),
    ):
        with body.as_default(), pytest.raises(InternalError, match="'body' is frozen"):
            change()
    assert len(body.operations) == 4 and not body.finalized


def test_functions_branches_and_loops_are_frozen_once_traced():
    @tf.function
    def f(x):
        while x > 1.0:
            x = x / 2.0 if x > 3.0 else x - 1.0
        return x

    graph = f.get_concrete_function(tf.constant(9.0)).graph
    todo, seen = [graph, graph.optimized()], 0
    while todo:
        inner = todo.pop()
        assert inner.frozen, inner.title
        seen += 1
        todo += [g for node in inner.operations for v in node.attrs.values()
                 for g in (v if isinstance(v, tuple) else (v,)) if isinstance(g, tf.Graph)]
    assert seen >= 8
