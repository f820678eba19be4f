"""Errors from every room of both packages name the user's file and line, and so do operations.

Frames of the packages are told from the user's by one constant a package, ``PACKAGE_FOLDER``; no
file computes a folder from where it lies itself, so files may move into deeper folders.
"""

import ast
import inspect
from pathlib import Path

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph import staging as staging_door
from autograph.diagnostics import user_frame as places
from autograph.operators.control import raises
from runtime import array_api
from runtime.types import source_location as locations
from tests.support import ROOT

FILES = sorted([*(ROOT / "autograph").rglob("*.py"), *(ROOT / "runtime").rglob("*.py")])


def types_():
    tf.TensorShape([2]).assert_is_compatible_with([3])  # here


def ops():
    tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))  # here


def eager():
    tf.constant([1, 2]) + tf.constant([1.0, 2.0])  # here


def random():
    tf.random.uniform([-1])  # here


def graph():
    with tf.Graph().as_default():
        tf.add(tf.constant([1]), tf.constant([1.0]))  # here


def session():
    with tf.Graph().as_default(), tf.Session() as running:
        running.run(tf.placeholder(tf.float32))  # here


def composite():
    tf.RaggedTensor.from_row_splits([1, 2], [0, 5])  # here


def state():
    tf.Variable([1.0, 2.0]).assign([1.0])  # here


def tables():
    tf.lookup.KeyValueTensorInitializer([1, 2], [1.0])  # here


def control_flow():
    with tf.Graph().as_default():
        tf.while_loop(lambda i: i < 3, lambda i: (i, i), [tf.constant(0)])  # here


def map_fn():
    tf.map_fn(lambda x: x, [])  # here


def autodiff():
    with tf.GradientTape() as tape:
        x = tf.constant(1.0)
    tape.gradient(x, x)
    tape.gradient(x, x)  # here


@tf.function(input_signature=[tf.TensorSpec([2], tf.float32)])
def _signed(x):
    return x


def functions():
    _signed(tf.ones([3]))  # here


def data():
    tf.data.Dataset.range(3).batch(-1)  # here


def staging():
    @autograph.to_graph
    def joined(x):
        if x > 0:  # here
            y = tf.constant(1)
        else:
            y = tf.constant([1.0])
        return y

    with tf.Graph().as_default():
        joined(tf.placeholder(tf.float32, []))


def unconverted():
    with tf.Graph().as_default():
        bool(tf.placeholder(tf.bool, []))  # here


def variable_scopes():
    with tf.Graph().as_default():
        tf.get_variable("v", [2])
        tf.get_variable("v", [2])  # here


def array_standard():
    array_api.add(array_api.asarray([True]), array_api.asarray([False]))  # here


def numpy_way():
    np.add.accumulate(tf.constant("text"))  # here


def conversion():
    autograph.to_graph(3)  # here


def converted_call():
    @autograph.to_graph
    def calling(x):
        return tf.reshape(x, [7])  # here

    calling(tf.ones([2]))


@pytest.fixture(autouse=True)
def backend():
    """The lines of its package are no user's from when it is loaded."""
    staging_door.load_announced()


ROOMS = [
    types_, ops, eager, random, graph, session, composite, state, tables, control_flow, map_fn,
    autodiff, functions, data, staging, unconverted, variable_scopes, array_standard, numpy_way,
    conversion, converted_call,
]  # fmt: skip


def marked_line(function):
    """The number of the line of a function that ends with ``# here``."""
    lines, first = inspect.getsourcelines(function)
    return first + next(n for n, line in enumerate(lines) if line.rstrip().endswith("# here"))


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.__name__)
def test_errors_name_the_users_line(room):
    with pytest.raises(Exception) as caught:
        room()
    wanted = __file__, marked_line(room)
    assert places.raised_at(caught.value) == wanted
    found = locations.raised_location(caught.value)
    assert (found.file, found.line) == wanted
    where = getattr(caught.value, "where", None)
    assert where is None or where == wanted


def recorded():
    """Record operations by way of every room that makes some."""
    x = tf.placeholder(tf.float32, [2])
    variable = tf.Variable([1.0, 2.0])
    ragged = tf.RaggedTensor.from_row_splits(x, [0, 1, 2])
    tf.reduce_sum(ragged * 2.0, axis=1)
    tf.map_fn(tf.sin, x)
    total = tf.while_loop(lambda t: tf.reduce_sum(t) < 9.0, lambda t: (t * t,), [x + variable])
    tf.cond(total[0] > 0, lambda: x, lambda: -x)
    tf.gradients(total, [x, variable])
    tf.TensorArray(tf.float32, size=3).write(0, x).stack()
    tf.data.Dataset.from_tensor_slices([1, 2]).reduce(0, lambda a, b: a + b)
    tf.random.normal([2])
    tf.strings.split(tf.placeholder(tf.string, [None]))
    _signed(x)
    autograph.to_graph(lambda n: n if n > 0 else -n)(x[0])


def test_operations_name_the_users_lines():
    with tf.Graph().as_default() as made:
        recorded()
    lines, first = inspect.getsourcelines(recorded)
    elsewhere = [
        f"{node.name}: {node.location}"
        for node in made.get_operations()
        if node.location.file != __file__ or not first < node.location.line < first + len(lines)
    ]
    assert not elsewhere


def test_every_file_is_known_as_the_packages_own():
    with tf.Graph().as_default():  # brings the backend, which announces its folder
        autograph.to_graph(lambda n: n if n > 0 else -n)(tf.placeholder(tf.float32, []))
    for path in FILES:
        assert places.is_own(str(path)) and locations._is_ours(str(path)), path
    assert not places.is_own(__file__) and not locations._is_ours(__file__)


def test_no_file_computes_a_folder_from_its_own_place():
    """``__file__`` of a module may be used to name the file itself, not to find its package."""
    texts = {path: path.read_text(encoding="utf-8") for path in FILES}
    for path, text in texts.items():
        for call in ast.walk(ast.parse(text)) if "__file__" in text else ():
            if isinstance(call, ast.Call) and "path" in ast.unparse(call.func):
                for argument in call.args:
                    assert ast.unparse(argument) != "__file__", f"{path}:{call.lineno}"


def test_the_files_whose_errors_are_staging_s_own_are_there():
    missing = [file for file in raises._MACHINERY if not Path(file).is_file()]
    assert not missing
