"""``export.onnx``: control flow, lists, calls, names and sizes, and what is refused."""

from __future__ import annotations

import re

import numpy as np
import pytest

import runtime as tf
from runtime.types.errors import UnimplementedError
from tests.support import onnx_models

exporting = pytest.importorskip("runtime.export.onnx_models.exporting")
onnx = onnx_models.onnx


def same(function, *arrays, specs=None):
    """Export a function, and compare both runners with it; returns the model."""
    arrays = [np.asarray(a) for a in arrays]
    specs = specs or [tf.TensorSpec(a.shape, a.dtype) for a in arrays]
    model = exporting.onnx_model(tf.function(function), *specs)
    wanted = onnx_models.arrays_of(tf.function(function)(*map(tf.constant, arrays)))
    onnx_models.assert_same(model, arrays, wanted)
    return model


def fails(model, *arrays):
    for run in onnx_models.RUNNERS.values():
        with pytest.raises(Exception):
            run(model, onnx_models.feeds(model, arrays))


def refused(function, *specs):
    with pytest.raises(UnimplementedError) as caught:
        exporting.onnx_model(tf.function(function), *specs)
    return str(caught.value)


FLOATS = tf.TensorSpec([None], tf.float32)
INT = tf.TensorSpec([], tf.int32)


def test_a_file_has_the_versions_that_the_page_names(tmp_path):
    path = tmp_path / "double.onnx"
    tf.export.onnx(lambda x: {"twice": x * 2.0 + 1.0}, path, tf.TensorSpec([None, 3], name="x"),
                   sizes={"x": ["rows", None]})
    model = onnx.load(path)
    assert model.ir_version == 10
    assert [(o.domain, o.version) for o in model.opset_import] == [("", 21)]
    assert [i.name for i in model.graph.input] == ["x"]
    assert [o.name for o in model.graph.output] == ["twice"]
    assert model.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "rows"
    assert model.graph.output[0].type.tensor_type.shape.dim[0].dim_param == "rows"
    x = np.ones((2, 3), np.float32)
    onnx_models.assert_same(model, [x], [x * 3])


def test_a_refused_function_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "model.onnx"
    path.write_bytes(b"before")
    with pytest.raises(UnimplementedError):
        tf.export.onnx(lambda x: tf.random.normal([3]) + x, path, tf.TensorSpec([3]))
    assert path.read_bytes() == b"before"
    with pytest.raises(tf.errors.OpError):
        tf.export.onnx(lambda x: x, tmp_path / "absent" / "model.onnx", tf.TensorSpec([3]))
    assert [p.name for p in tmp_path.iterdir()] == ["model.onnx"]


# -- control flow ---------------------------------------------------------------------------------


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def test_a_loop_with_a_branch():
    model = same(collatz, np.int32(27))
    assert {node.op_type for node in model.graph.node} >= {"Loop"}


def test_a_loop_whose_state_changes_its_size():
    def grown(x, n):
        for _ in tf.range(n):
            x = tf.concat([x, x[-1:] * 2.0], 0)
        return x

    same(grown, np.array([1.0, 2.0], np.float32), np.int32(3), specs=[FLOATS, INT])


def test_branches_nested_and_captured():
    def chosen(x, n):
        y = x * 2.0
        if n > 2:
            if n > 4:
                return y + x
            return y
        return x - y

    for n in (1, 3, 5):
        same(chosen, np.array([1.0, 2.0], np.float32), np.int32(n))


def test_switch_case():
    def chosen(i, x):
        return tf.switch_case(i, [lambda: x, lambda: x * 2.0, lambda: x * 3.0])

    for i in (0, 1, 2, 5, -1):
        same(chosen, np.int32(i), np.array([1.0, 2.0], np.float32))


def test_map_and_scan():
    same(lambda x: tf.map_fn(lambda row: row * tf.reduce_sum(row), x),
         np.arange(6, dtype=np.float32).reshape(3, 2))
    same(lambda x: tf.scan(lambda a, b: a * 0.5 + b, x), np.arange(4, dtype=np.float32))


def test_gradients():
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(3):
                y = tf.sin(y) * x
            total = tf.reduce_sum(y)
        return tape.gradient(total, x)

    same(slope, np.array([0.5, -1.0, 2.0], np.float32))


def test_calls_are_functions_of_the_model_that_stand_there_once():
    weights = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="table")

    @tf.function
    def layer(x):
        return tf.tanh(tf.matmul(x, weights))

    model = same(lambda x: layer(layer(x)) - x, np.ones((3, 2), np.float32))
    assert [f.name for f in model.functions] == ["layer"]
    assert [node.op_type for node in model.graph.node].count("layer") == 2


# -- lists ----------------------------------------------------------------------------------------


def test_lists_that_grow_and_shrink():
    def gathered(x):
        rows, sizes = [], []
        for value in x:
            if value > 0.0:
                rows.append(value * 2.0)
            sizes.append(len(rows))
            if len(rows) > 3:
                rows.pop(0)
        rows[0] = rows[-1] + 1.0
        return tf.stack(rows), tf.stack(sizes)

    same(gathered, np.array([1, -2, 3, 4, 5, 6, -1], np.float32))


def test_lists_of_pairs():
    def pairs(x):
        kept = []
        for value in x:
            kept.append((value, value > 0.0))
        total = 0.0
        while len(kept) > 0:
            value, positive = kept.pop()
            total += value if positive else 0.0
        return total

    same(pairs, np.array([1, -2, 3], np.float32))


def test_tensor_arrays():
    def squares(n):
        array = tf.TensorArray(tf.float32, size=n)
        for i in tf.range(n):
            array = array.write(i, tf.cast(i * i, tf.float32))
        return array.stack()

    same(squares, np.int32(5))

    def growing(n):
        array = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        for i in tf.range(n):
            array = array.write(i, i + 1)
        return array.stack()

    same(growing, np.int32(4))


# -- what raises here fails there -----------------------------------------------------------------


def test_indices_out_of_range_fail():
    table = np.array([1, 2, 3], np.float32)
    model = same(lambda x, i: tf.gather(x, i), table, np.int32(1))
    fails(model, table, np.int32(3))
    fails(model, table, np.int32(-1))  # tf.gather takes no negative indices
    model = same(lambda x, i: x[i], table, np.int32(-1))
    fails(model, table, np.int32(3))
    fails(model, table, np.int32(-4))


def test_divisions_of_integers_are_pythons():
    values = np.array([7, -7, 7, -7, 6, -6, 0], np.int32)
    by = np.array([3, 3, -3, -3, -1, 2, 5], np.int32)
    model = same(lambda x, y: (x // y, x % y), values, by)
    fails(model, values, np.where(by == 5, 0, by).astype(np.int32))
    least = np.array([np.iinfo(np.int64).min, 9], np.int64)
    same(lambda x, y: (x // y, x % y), least, np.array([-1, -1], np.int64))
    model = same(lambda x: (x // 4, x % 4), least)
    assert "Where" not in {node.op_type for node in model.graph.node}  # no guard is needed


def test_divisions_of_floats_are_numpys():
    values = np.array([7, -7, 1, 0.3, -0.0, 5, np.inf, 1e-3], np.float32)
    by = np.array([3, 3, 0.1, -0.1, 2, np.inf, 2, 0], np.float32)
    same(lambda x, y: (x // y, x % y), values, by)


def test_numbers_of_python_that_are_too_large_fail():
    def power(n):
        result = 1
        for _ in range(n):
            result = result * 10
        return result

    model = exporting.onnx_model(tf.function(power), tf.TensorSpec([], tf.int32))
    (value,) = onnx_models.by_onnxruntime(model, onnx_models.feeds(model, [np.int32(6)]))
    assert value == 10**6
    fails(model, np.int32(30))


def test_nans_are_the_extreme():
    x = np.array([[1, np.nan, 3, np.nan], [2, 5, 5, 1]], np.float32)
    same(lambda x: (tf.reduce_max(x, 1), tf.reduce_min(x, 1), tf.argmax(x, 1), tf.argmin(x, 1)), x)


# -- what is refused ------------------------------------------------------------------------------


def line_of(function):
    return function.__code__.co_firstlineno


def test_a_variable_that_is_written_is_refused_with_its_line():
    count = tf.Variable(0.0)

    def counted(x):
        count.assign_add(1.0)
        return x + count

    text = refused(counted, tf.TensorSpec([]))
    assert f"test_export.py:{line_of(counted) + 1}" in text
    assert "it writes a variable, and an ONNX model keeps no state: return the new value" in text


def test_effects_are_refused_with_their_lines():
    def checked(x):
        if x < 0.0:
            raise ValueError("negative")
        tf.debugging.assert_less(x, 9.0)
        tf.print(x)
        return tf.sqrt(x) + tf.random.normal([])

    text = refused(checked, tf.TensorSpec([]))
    first = line_of(checked)
    for offset, reason in {2: "raises an exception", 3: "checks what", 4: "prints",
                           5: "random numbers depend on a state"}.items():  # fmt: skip
        assert re.search(rf"test_export\.py:{first + offset}\)?: .*{reason}", text), (text, offset)


def test_calls_of_python_are_refused():
    text = refused(lambda x: tf.py_function(lambda v: v, [x], tf.float32), tf.TensorSpec([]))
    assert "it calls Python" in text


def test_state_of_python_is_refused():
    class Counter:
        count = 0

    counter = Counter()

    def counted(x):
        counter.count = counter.count + x
        return counter.count

    assert "attributes, items or variables of Python" in refused(counted, tf.TensorSpec([]))


def test_lists_of_lists_are_refused():
    def nested_lists(x):
        rows = []
        for value in x:
            inner = []
            for _ in tf.range(tf.cast(value, tf.int32)):
                inner.append(value)
            rows.append(inner)
        return len(rows)

    assert "no lists of lists" in refused(nested_lists, FLOATS)


def test_complex_numbers_are_refused():
    assert "complex64" in refused(lambda x: x * x, tf.TensorSpec([2], tf.complex64))


def test_arguments_of_unknown_rank_are_refused():
    assert "unknown number of dimensions" in refused(lambda x: x + 1.0, tf.TensorSpec(None))


def test_wrong_names(tmp_path):
    with pytest.raises(ValueError, match="outputs must name 1 results"):
        tf.export.onnx(lambda x: x, tmp_path / "m.onnx", tf.TensorSpec([2]), outputs=["a", "b"])
    with pytest.raises(ValueError, match="sizes names 'y'"):
        tf.export.onnx(lambda x: x, tmp_path / "m.onnx", tf.TensorSpec([2]), sizes={"y": ["n"]})
    f = tf.function(lambda x: x)
    f(1.0), f(2)
    with pytest.raises(ValueError, match="traces"):
        tf.export.onnx(f, tmp_path / "m.onnx")


# -- what is exported -----------------------------------------------------------------------------


def test_modules_saved_models_and_functions_of_jit(tmp_path):
    class Doubled(tf.Module):
        def __init__(self):
            super().__init__()
            self.factor = tf.Variable(2.0, name="factor")

        @tf.function(input_signature=[tf.TensorSpec([None])])
        def __call__(self, x):
            return x * self.factor

    x = np.array([1.0, 2.0], np.float32)
    tf.saved_model.save(Doubled(), tmp_path / "saved")
    for module in (Doubled(), tf.saved_model.load(tmp_path / "saved")):
        onnx_models.assert_same(exporting.onnx_model(module), [x], [x * 2])

    staged = tf.jit(lambda x, n: (x * 2.0, n + 1), strict=True)
    assert staged(3.0, 2) == (6.0, 3)
    model = exporting.onnx_model(staged)
    onnx_models.assert_same(model, [3.0, 2], [np.array(6.0), np.array(3, np.int64)])


def test_functions_without_results_are_refused():
    assert "it returns nothing" in refused(lambda x: None, tf.TensorSpec([2]))


def test_constants_beyond_the_limit_of_a_file_are_refused(monkeypatch):
    from runtime.export.onnx_models import model_writer

    monkeypatch.setattr(model_writer, "LARGEST", 1000)
    weights = tf.Variable(np.zeros(300, np.float32))
    text = refused(lambda x: x + weights, tf.TensorSpec([300]))
    assert "take 1,200 bytes, and a file holds 1,000" in text


# -- the command line -----------------------------------------------------------------------------


def test_the_command_builds_models(tmp_path, monkeypatch, capsys):
    from autograph.cli.main import main
    from tests.support import ROOT

    monkeypatch.chdir(tmp_path)
    target = f"{ROOT / 'examples' / 'collatz.py'}:collatz"
    assert main(["build", target, "int32[]", "-o", "collatz.onnx"]) == 0
    onnx_models.assert_same(onnx.load("collatz.onnx"), [np.int32(27)], [np.array(111, np.int32)])
    target = f"{ROOT / 'examples' / 'newton_root.py'}:newton_root"
    assert main(["build", target, "f32[]", "f32[]", "-o", "root.onnx"]) == 2
    error = capsys.readouterr().err
    assert "it raises an exception" in error and "newton_root.py:7" in error
    assert not (tmp_path / "root.onnx").exists()
