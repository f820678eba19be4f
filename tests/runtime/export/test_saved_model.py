"""Saved models: what is loaded computes what was saved, for every kind of call."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import runtime as tf
from tests.support import ROOT


class Net(tf.Module):
    """A layer with control flow, collections and two traces of a method."""

    def __init__(self):
        super().__init__()
        self.w = tf.Variable(np.arange(6.0, dtype=np.float32).reshape(2, 3), name="w")
        self.parts = {"bias": [tf.Variable([1.0, 2.0, 3.0], name="b")], "n": (tf.constant(5),)}
        self.same = self.w
        self.rate = 0.5
        self.steps = tf.Variable(0, trainable=False)

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
    def __call__(self, x):
        y = tf.matmul(x, self.w) + self.parts["bias"][0]
        return y * 2.0 if tf.reduce_sum(y) > 30.0 else y

    @tf.function
    def power(self, x, n=2, *, negative=False):
        result = x
        for _ in tf.range(n - 1):
            result = result * x
        self.steps.assign_add(1)
        return {"value": -result if negative else result, "more": (x, None)}


@pytest.fixture
def saved(tmp_path):
    net = Net()
    net.power(tf.constant([1, 2]))
    net.power(tf.constant(1.0), 3, negative=True)
    net.steps.assign(7)
    path = tmp_path / "model"
    tf.saved_model.save(net, path)
    return net, path


def test_what_is_loaded_computes_what_was_saved(saved):
    net, path = saved
    loaded = tf.saved_model.load(path)
    for x in ([[1.0, 2.0]], [[30.0, 4.0], [0.0, 1.0]], np.zeros((0, 2), np.float32)):
        assert np.array_equal(loaded(x), net(x))
        assert np.array_equal(loaded.signatures["serving_default"](x=x)["output_0"], net(x))
    found = loaded.power(tf.constant([3, 4]))
    assert found["value"].numpy().tolist() == [9, 16] and found["more"][1] is None
    assert loaded.power(tf.constant(2.0), 3, negative=True)["value"].numpy() == -8.0
    assert loaded.steps.numpy() == 9 and net.steps.numpy() == 7


def test_objects_keep_their_structure(saved):
    net, path = saved
    loaded = tf.saved_model.load(path)
    assert loaded.same is loaded.w and loaded.rate == 0.5
    assert loaded.parts["n"][0].numpy() == 5 and type(loaded.parts["n"]) is tuple
    names = [v.name for v in net.variables]
    assert [v.name for v in loaded.variables] == names
    assert len(loaded.trainable_variables) == 2 and not loaded.steps.trainable
    assert loaded.w.numpy().tobytes() == net.w.numpy().tobytes()


def test_the_trace_is_chosen_by_the_arguments(saved):
    loaded = tf.saved_model.load(saved[1])
    assert loaded.power([5, 6])["value"].dtype is tf.int32
    assert loaded.power(5, 3, negative=True)["value"].dtype is tf.float32
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        loaded.power(tf.constant([1.0, 2.0]))
    text = str(caught.value)
    assert "was not traced for (x: TensorSpec(shape=(2,), dtype=tf.float32" in text
    assert text.count("\n  (x: TensorSpec") == 2 and "n: Literal[3]" in text
    with pytest.raises(TypeError, match="unexpected keyword argument 'm'"):
        loaded.power(tf.constant([1, 2]), m=1)
    with pytest.raises(KeyError, match="the saved model has 'serving_default'"):
        loaded.signatures["other"]


def test_gradients_flow_and_variables_are_trained(saved):
    net, path = saved
    loaded = tf.saved_model.load(path)
    x = tf.constant([[1.0, 2.0]])
    gradients = []
    for model in (net, loaded):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(x) ** 2)
        gradients.append(tape.gradient(loss, model.trainable_variables))
    for one, other in zip(*gradients, strict=True):
        assert np.array_equal(one, other)
    before = loaded(x).numpy()
    for variable, gradient in zip(loaded.trainable_variables, gradients[1], strict=True):
        variable.assign_sub(0.1 * gradient)
    assert not np.array_equal(loaded(x), before)
    assert np.array_equal(net(x), before)


def test_loaded_functions_are_traced_and_run_in_sessions(saved):
    net, path = saved
    loaded = tf.saved_model.load(path)
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])

    @tf.function
    def twice(x):
        return loaded(x) + loaded(x[:1])

    wanted = net(x) + net(x[:1])
    assert np.array_equal(twice(x), wanted)
    wanted = net(x).numpy() + 1.0
    with tf.Graph().as_default():
        given = tf.placeholder(tf.float32, [None, None])
        result = loaded(given) + 1.0
        with tf.Session() as session:
            assert np.array_equal(session.run(result, {given: x.numpy()}), wanted)
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run(result, {given: np.zeros((1, 3))})


def test_saved_again_it_is_the_same_files(saved, tmp_path):
    path = saved[1]
    tf.saved_model.save(tf.saved_model.load(path), tmp_path / "again")
    tensors = ("variables/variables.safetensors", "variables/constants.safetensors")
    for file in ("graphs.txt", *tensors):
        assert (tmp_path / "again" / file).read_bytes() == (path / file).read_bytes()
    again = tf.saved_model.load(tmp_path / "again")
    assert again([[1.0, 2.0]]).shape == (1, 3) and list(again.signatures) == ["serving_default"]


def test_signatures(tmp_path):
    net = tf.Module()
    net.v = tf.Variable(2.0)
    net.f = tf.function(lambda a, b: (a * net.v, {"x": b}))
    net.g = tf.function(lambda a: {"y": a + net.v, "n": None})
    concrete = net.g.get_concrete_function(tf.TensorSpec([], tf.float32, name="given"))
    tf.saved_model.save(net, tmp_path / "m", signatures={"one": concrete, "two": net.g})
    one = tf.saved_model.load(tmp_path / "m").signatures["one"]
    assert {k: v.numpy() for k, v in one(given=tf.constant(1.0)).items()} == {"y": 3.0}
    assert one.structured_input_signature == ((), {"given": tf.TensorSpec([], tf.float32, "given")})
    with pytest.raises(ValueError, match="has 2 traces, and must have one"):
        net.g(tf.constant([1.0]))
        tf.saved_model.save(net, tmp_path / "m", signatures=net.g)
    nested = net.f.get_concrete_function(tf.TensorSpec([], tf.float32), tf.TensorSpec([], tf.int32))
    with pytest.raises(ValueError, match="a signature returns a dict or a list of tensors"):
        tf.saved_model.save(net, tmp_path / "m", signatures=nested)
    with pytest.raises(ValueError, match="must be a function of runtime.function"):
        tf.saved_model.save(net, tmp_path / "m", signatures=lambda x: x)
    assert list(tf.saved_model.load(tmp_path / "m").signatures) == ["one", "two"]


def test_assets_go_with_the_model(tmp_path):
    file = tmp_path / "words.txt"
    file.write_text("hello")
    net = tf.Module()
    net.words = tf.saved_model.Asset(file)

    @tf.function(input_signature=[])
    def read():
        return tf.io.read_file(net.words.asset_path)

    net.read = read
    tf.saved_model.save(net, tmp_path / "m")
    file.write_text("changed")
    os.rename(tmp_path / "m", tmp_path / "moved")
    loaded = tf.saved_model.load(tmp_path / "moved")
    assert loaded.read().numpy() == b"hello"
    assert loaded.words.numpy().endswith(b"moved/assets/words.txt")
    assert tf.saved_model.contains_saved_model(tmp_path / "moved")
    assert not tf.saved_model.contains_saved_model(tmp_path)


def test_long_constants_are_kept_apart(tmp_path):
    net = tf.Module()
    table = tf.constant(np.arange(1000.0))
    net.f = tf.function(lambda i: tf.gather(table, i))
    net.g = tf.function(lambda i: tf.gather(table, i) + 1.0)
    assert net.f(tf.constant(7)).numpy() + 1.0 == net.g(tf.constant(7)).numpy()
    tf.saved_model.save(net, tmp_path / "m")
    assert "value=@constants/0" in (tmp_path / "m" / "graphs.txt").read_text()
    assert (tmp_path / "m" / "variables" / "constants.safetensors").stat().st_size < 10_000
    assert tf.saved_model.load(tmp_path / "m").f(tf.constant(7)).numpy() == 7.0


FIRST = ROOT / "tests" / "runtime" / "export" / "version_1"
PYTHON_FREE = """
import sys
hidden = {"gast", "astunparse", "llvmlite", "ml_dtypes", "scipy"}
for finder in list(sys.meta_path):
    if hasattr(finder, "find_spec"):
        class Limited:
            def __init__(self, inner): self.inner = inner
            def find_spec(self, name, path=None, target=None):
                if name.partition(".")[0] in hidden:
                    return None
                return self.inner.find_spec(name, path, target)
            def invalidate_caches(self): pass
        sys.meta_path[sys.meta_path.index(finder)] = Limited(finder)
import numpy as np
import runtime as tf
loaded = tf.saved_model.load(sys.argv[1])
print(loaded([[1.0, 2.0]]).numpy().tolist(), loaded.power(2.0, 3, negative=True)["value"].numpy())
first = tf.saved_model.load(sys.argv[2])
assert first.run(np.ones((1, 2), np.float32))["word"].numpy() == b"word!"
assert not hidden & set(sys.modules)
"""


def test_numpy_alone_loads_and_runs(saved):
    net, path = saved
    done = subprocess.run(
        [sys.executable, "-c", PYTHON_FREE, path, FIRST], cwd=ROOT, capture_output=True, text=True,
        timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == f"{net([[1.0, 2.0]]).numpy().tolist()} -8.0\n"


@pytest.mark.parametrize(
    "function, text",
    [
        (lambda x: tf.py_function(lambda v: v, [x], tf.float32), r"\(py_func, made at .*depends"),
        (lambda x: next(iter(tf.data.Dataset.from_tensors(x))), "holds no code"),
        (lambda x: tf.IndexedSlices(x, [0, 1]), "it returns an IndexedSlices"),
    ],
)  # fmt: skip
def test_what_needs_python_is_refused_with_its_line(function, text, tmp_path):
    net = tf.Module()
    net.f = tf.function(function, input_signature=[tf.TensorSpec([1], tf.float32)])
    with pytest.raises(tf.errors.UnimplementedError, match=text) as caught:
        tf.saved_model.save(net, tmp_path / "m")
    assert "(the attribute 'f') cannot be saved" in str(caught.value)
    assert not (tmp_path / "m").exists()


def test_untracked_variables_and_other_objects_are_refused(tmp_path):
    net, other = tf.Module(), tf.Variable(1.0, name="lonely")
    net.f = tf.function(lambda: other + 1.0, input_signature=[])
    with pytest.raises(tf.errors.FailedPreconditionError, match="'lonely:0', which no attribute"):
        tf.saved_model.save(net, tmp_path / "m")
    with pytest.raises(ValueError, match="takes a Module, a layer or a model"):
        tf.saved_model.save({"f": net.f}, tmp_path / "m")
    net.f = tf.jit(lambda x: x)
    with pytest.raises(tf.errors.UnimplementedError, match=r"runtime\.jit computes with"):
        tf.saved_model.save(net, tmp_path / "m")


def test_custom_gradients_are_saved(tmp_path):
    @tf.custom_gradient
    def clipped(x, limit):
        root = tf.sqrt(x)

        def grad(upstream):
            return tf.clip_by_value(upstream / root, -limit, limit), None

        return root * 2.0, grad

    net = tf.Module()
    net.v = tf.Variable([4.0, 0.01])
    net.f = tf.function(
        lambda y: tf.reduce_sum(clipped(net.v * y, tf.constant(3.0))) + clipped(y, 1.0),
        input_signature=[tf.TensorSpec([], tf.float32)],
    )
    tf.saved_model.save(net, tmp_path / "m")
    text = (tmp_path / "m" / "graphs.txt").read_text()
    assert "clipped_gradient(" in text and "derivative(storages=()" in text
    loaded, y = tf.saved_model.load(tmp_path / "m"), tf.constant(2.0)
    found = []
    for model in (net, loaded):
        with tf.GradientTape() as tape:
            tape.watch(y)
            result = model.f(y)
        gradients = tape.gradient(result, [y, model.v])
        found.append([result.numpy(), *[g.numpy().tolist() for g in gradients]])
    assert found[0] == found[1]


def test_static_tables_are_saved_with_their_entries(tmp_path):
    words = tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2])
    net = tf.Module()
    net.table = tf.lookup.StaticHashTable(words, -1)
    net.f = tf.function(net.table.lookup, input_signature=[tf.TensorSpec([None], tf.string)])
    tf.saved_model.save(net, tmp_path / "m")
    loaded = tf.saved_model.load(tmp_path / "m")
    assert loaded.f(["b", "c", "a"]).numpy().tolist() == [2, -1, 1]
    with pytest.raises(AttributeError, match="'table' was a StaticHashTable"):
        loaded.table  # noqa: B018 - raises
    tf.saved_model.save(loaded, tmp_path / "n")
    assert tf.saved_model.load(tmp_path / "n").f(["b"]).numpy().tolist() == [2]


def test_recursive_functions_are_saved(tmp_path):
    net = tf.Module()
    net.v = tf.Variable(2.0)

    def power(n, scale):
        def inner(k):
            return scale * net.v if k <= 1 else net.v * inner(k - 1)

        return inner(n)

    types = [tf.TensorSpec([], tf.int32), tf.TensorSpec([], tf.float32)]
    net.f = tf.function(power, input_signature=types)
    tf.saved_model.save(net, tmp_path / "m")
    assert "callee=@callees/0" in (tmp_path / "m" / "graphs.txt").read_text()
    loaded, scale = tf.saved_model.load(tmp_path / "m"), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(scale)
        result = loaded.f(10, scale)
    assert result.numpy() == net.f(10, scale).numpy() == 3.0 * 2**10
    assert tape.gradient(result, [loaded.v, scale])[0].numpy() == 3.0 * 10 * 2**9
    tf.saved_model.save(loaded, tmp_path / "n")
    assert tf.saved_model.load(tmp_path / "n").f(3, 1.0).numpy() == 8.0


def test_attributes_may_be_called_as_what_the_format_names(tmp_path):
    net = tf.Module()
    net.constants = [tf.Variable(1.0), tf.Variable(2.0)]
    net.assets = {"a/b": tf.Variable(3.0), "a_b": tf.Variable(4.0), "\u00e9": tf.Variable(5.0)}
    parts = [*net.constants, *net.assets.values()]
    net.f = tf.function(lambda: tf.stack(parts), input_signature=[])
    tf.saved_model.save(net, tmp_path / "m")
    loaded = tf.saved_model.load(tmp_path / "m")
    assert loaded.f().numpy().tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert loaded.assets["a/b"].numpy() == 3.0 and len(loaded.variables) == 5
    net.signatures = tf.Variable(6.0)
    with pytest.raises(ValueError, match="has an attribute 'signatures'"):
        tf.saved_model.save(net, tmp_path / "m")


def test_default_values_are_kept(tmp_path):
    net, one = tf.Module(), tf.constant([1.0, float("nan")])
    signature = [tf.TensorSpec([None], tf.float32)]
    net.f = tf.function(
        lambda x, y=one, *, n=2, text="a": (x + y) * float(n), input_signature=signature
    )
    net.g = tf.function(lambda x, y=one: x * y)
    net.g(tf.constant(2.0))
    tf.saved_model.save(net, tmp_path / "m")
    loaded = tf.saved_model.load(tmp_path / "m")
    assert loaded.f([1.0, 2.0]).numpy()[0] == 4.0 and loaded.g(3.0).numpy()[0] == 3.0
    with pytest.raises(TypeError, match="'n' does not fit the input_signature"):
        loaded.f([1.0], n=3)


def test_machine_code_calls_loaded_functions(tmp_path):
    pytest.importorskip("llvmlite")
    net = tf.Module()
    net.f = tf.function(
        lambda x: tf.exp(x) + 5.0, input_signature=[tf.TensorSpec([None], tf.float32)]
    )
    tf.saved_model.save(net, tmp_path / "m")
    loaded = tf.saved_model.load(tmp_path / "m")
    compiled = tf.function(lambda x: loaded.f(x) * 2.0, jit_compile=True)
    for size in (0, 1, 3):  # of one element, no array had the axis of unknown size
        assert np.allclose(compiled(tf.ones([size])), 2.0 * np.exp(1.0) + 10.0)
