"""Models and variables: weights inside of the object, state of the caller's, saved models."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from tests.runtime.export.native_code.exports import (
    Exported,
    Heap,
    compiled,
    needs_cc,
    output,
    undefined_symbols,
)

pytestmark = needs_cc
float32 = tf.float32


@pytest.fixture
def model():
    keras.utils.set_random_seed(0)
    return keras.Sequential([
        keras.layers.Input((6,)), keras.layers.Dense(5, activation="relu"),
        keras.layers.Dense(3, activation="softmax"),
    ])  # fmt: skip


def test_a_model_has_its_weights_inside(tmp_path, model):
    trace = tf.function(lambda x: model(x)).get_concrete_function(tf.TensorSpec([4, 6], float32))
    native = Exported(trace, tmp_path / "m.so", target="native", name="classify")
    x = np.random.default_rng(0).normal(size=(4, 6)).astype("float32")
    status, (result,), _ = native(x)
    assert status == 0
    assert np.allclose(result, model(x).numpy(), atol=1e-6)
    assert not native.heap.blocks


def test_models_and_saved_models_are_taken(tmp_path, model):
    tf.export.native(model, tmp_path / "m.o", name="classify")
    assert "int32_t classify(const float *" in (tmp_path / "m.h").read_text()
    assert undefined_symbols(tmp_path / "m.o") <= {"memcpy", "memset"}
    tf.saved_model.save(model, tmp_path / "saved")
    tf.export.native(tmp_path / "saved", tmp_path / "s.o", name="classify")
    sizes = [(tmp_path / name).stat().st_size for name in ("s.o", "m.o")]
    assert abs(sizes[0] - sizes[1]) < 200  # the texts of errors name other places


def test_variables_that_change_are_the_callers(tmp_path):
    total, count = tf.Variable([1.0, 2.0, 3.0], name="total"), tf.Variable(0, name="count")

    @tf.function
    def step(x):
        count.assign_add(1)
        total.assign(total * 0.5 + x)
        if tf.reduce_sum(total) > 20.0:
            raise ValueError("too much")
        return total * tf.cast(count, tf.float32)

    tf.export.native(step, tmp_path / "step.so", input_signature=[tf.TensorSpec([3], float32)])
    header = (tmp_path / "step.h").read_text()
    assert "typedef struct step_state {" in header
    library = ctypes.CDLL(str(tmp_path / "step.so"))

    class State(ctypes.Structure):
        _fields_ = (("count", ctypes.c_int32), ("total", ctypes.c_float * 3))

    assert header.index("int32_t count[1];") < header.index("float total[3];")
    states = State(), State()
    call, result = Heap().call(), (ctypes.c_float * 3)()
    for state in states:
        library.step_init(ctypes.byref(state))
    for number, add in enumerate(([0, 1, 2], [4, 0, 1], [30, 0, 0])):
        x = (ctypes.c_float * 3)(*add)
        status = library.step(x, result, ctypes.byref(states[0]), ctypes.byref(call))
        try:
            wanted = step(tf.constant(add, tf.float32)).numpy()
        except ValueError:
            assert (status, call.message) == (1, b"too much")
        else:
            assert (status, [*result]) == (0, wanted.tolist()), number
        assert [*states[0].total] == total.numpy().tolist(), "also where it raised"
        assert states[0].count == count.numpy() == number + 1
    assert (states[1].count, [*states[1].total]) == (0, [1, 2, 3])


def test_a_step_of_training_runs_in_c(tmp_path, model):
    optimizer = keras.optimizers.Adam(0.01)
    optimizer.build(model.trainable_variables)
    model.layers[-1].activation = keras.activations.linear

    @tf.function
    def train(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    shapes = [tf.TensorSpec([8, 6], float32), tf.TensorSpec([8, 3], float32)]
    tf.export.native(train, tmp_path / "t.c-project", input_signature=shapes)
    folder = tmp_path / "t.c-project"
    text = (folder / "main.c").read_text()
    call = "int32_t status = train(x, y, &result, &state, &call);"
    assert call in text
    loop = call.removeprefix("int32_t status = ")
    text = text.replace(
        call, f'int32_t status = 0;\n  for (int i = 0; i < 4; i++) {{\n    status = {loop}\n'
        '    printf("%.9g\\n", (double)result);\n  }'
    )  # fmt: skip
    (folder / "main.c").write_text(text)
    flags = ("-fsanitize=address,undefined",)
    program = compiled(folder, "t", folder / "main.c", folder / "t.o", flags=flags)
    code, out, err = output(program)
    assert (code, err) == (0, "")
    x = np.arange(48, dtype=np.float32).reshape(8, 6)
    y = np.arange(24, dtype=np.float32).reshape(8, 3)
    losses = [float(train(tf.constant(x), tf.constant(y))) for _ in range(4)]
    assert np.allclose([float(line) for line in out.splitlines()[:4]], losses, rtol=1e-5)
