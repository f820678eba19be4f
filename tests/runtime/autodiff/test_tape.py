"""GradientTape: what it records, what it gives, and what it refuses."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError


def value(tensor):
    return None if tensor is None else np.asarray(tensor).tolist()


def test_gradient_of_what_is_watched():
    x, c = tf.constant(3.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x + c * c
    assert [value(g) for g in tape.gradient(y, [x, c])] == [6.0, None]


def test_nests_of_targets_and_sources_and_given_gradients():
    a, b = tf.constant([1.0, 2.0]), tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch({"a": a, "b": b})
        targets = {"p": a * b, "q": (a * a, b)}
    found = tape.gradient(targets, {"b": b, "pair": (a, a)})
    assert value(found["b"]) == 4.0 and value(found["pair"][1]) == [5.0, 7.0]
    given = {"p": tf.constant([1.0, 0.0]), "q": (tf.constant([0.0, 2.0]), None)}
    assert value(tape.gradient(targets, a, given)) == [3.0, 8.0]
    assert value(tape.gradient(a * b, a)) is None  # made after the block


def test_variables_are_watched_when_read():
    v, w = tf.Variable(2.0), tf.Variable(3.0, trainable=False)
    with tf.GradientTape() as tape:
        y = v * v * w
    assert tape.watched_variables() == (v,)
    assert [value(g) for g in tape.gradient(y, [v, w])] == [12.0, None]
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(w)
        y = v * v * w
    assert [value(g) for g in tape.gradient(y, [v, w])] == [None, 4.0]


def test_assigning_breaks_the_path_and_all_reads_count():
    v, x = tf.Variable(2.0), tf.constant(5.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = v * v
        v.assign(x)
        y = y + v * 10.0
    assert [value(g) for g in tape.gradient(y, [v, x])] == [14.0, None]


@pytest.mark.parametrize("staged", [False, True], ids=["eager", "function"])
def test_variables_of_functions(staged):
    v, c = tf.Variable([1.0, 2.0]), tf.constant(3.0)

    def f(x):
        if x > 0.0:
            return tf.reduce_sum(v * v) * x * c
        return x

    with tf.GradientTape() as tape:
        tape.watch(c)
        y = (tf.function(f) if staged else f)(tf.constant(2.0))
    assert tape.watched_variables() == (v,)
    assert [value(g) for g in tape.gradient(y, [v, c])] == [[12.0, 24.0], 10.0]


def test_only_once_unless_persistent():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    message = "A non-persistent GradientTape can only be used to compute one set of gradients"
    for ask in (tape.gradient, tape.jacobian):
        with pytest.raises(RuntimeError, match=message):
            ask(y, x)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x * x
        first = tape.gradient(y, x)
        second = tape.gradient(first, x)
    assert value(tape.gradient(y, x)) == 27.0
    assert value(second) == 18.0 and value(tape.gradient(second, x)) == 6.0


def test_recording_stops_resets_and_goes_on():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            z = x * x
        w = y * x
    assert [value(tape.gradient(t, x)) for t in (y, z, w)] == [6.0, None, 27.0]
    with tape:
        w = w * x
    assert value(tape.gradient(w, x)) == 108.0
    with tape:
        tape.reset()
        tape.watch(x)
        w = x * 2.0
    assert [value(tape.gradient(t, x)) for t in (y, w)] == [None, 2.0]


def test_misuse_of_the_block():
    tape = tf.GradientTape()
    with pytest.raises(RuntimeError, match="not recording"), tape.stop_recording():
        pass
    with pytest.raises(RuntimeError, match="records nothing yet"):
        tape.watch(tf.constant(1.0))
    with tape, pytest.raises(ValueError, match="still recording"), tape:
        pass
    with pytest.raises(ValueError, match="not recording"):
        tape.reset()


def test_watching_what_cannot_be(caplog):
    with tf.GradientTape() as tape:
        with pytest.raises(ValueError, match="not tf.Tensor or tf.Variable"):
            tape.watch(3.0)
        n = tf.constant(3)
        with caplog.at_level(logging.WARNING, "runtime"):
            tape.watch(n)
        y = n * n
    assert "must be floating (e.g. tf.float32), got tf.int32" in caplog.text
    assert tape.gradient(y, n) is None


def test_targets_that_are_none_or_no_tensors():
    x = tf.constant(1.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
    with pytest.raises(TypeError, match="but received None"):
        tape.gradient(None, x)
    assert tape.gradient(tf.constant(2.0), x) is None
    assert value(tape.gradient(x, x)) == 1.0


def test_unconnected_gradients():
    x, v = tf.constant([1.0, 2.0]), tf.Variable([[3.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.stop_gradient(x) * 2.0
    assert tape.gradient(y, [x, v]) == [None, None]
    zero = tf.UnconnectedGradients.ZERO
    found = tape.gradient(y, [x, v], unconnected_gradients=zero)
    assert [value(g) for g in found] == [[0.0, 0.0], [[0.0]]]
    assert value(tape.gradient(y, x, unconnected_gradients="zero")) == [0.0, 0.0]
    with pytest.raises(ValueError, match="Unknown value for unconnected_gradients: 'nonsense'"):
        tape.gradient(y, x, unconnected_gradients="nonsense")


def test_given_gradients_must_fit():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    with pytest.raises(ValueError, match=r"shape \(2,\), but the gradient given for it has shape"):
        tape.gradient(y, x, tf.constant([1.0, 2.0, 3.0]))
    with pytest.raises(ValueError, match="the structure of the target: 2 tensors, got 1"):
        tape.gradient([y, y], x, [tf.constant([1.0, 2.0])])


def test_an_op_without_derivative_is_named_with_the_line():
    x = tf.constant([3.0, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.random.shuffle(x)
    with pytest.raises(LookupError) as caught:
        tape.gradient(y, x)
    assert "No gradient defined for the op 'random_shuffle', used at" in str(caught.value)
    assert "test_tape.py:" in str(caught.value)


@pytest.mark.parametrize("staged", [False, True], ids=["eager", "function"])
def test_jacobians(staged):
    def jacobians(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.matmul(x, x)
            z = tf.sin(x) * x[:, :1]
        return tape.jacobian(y, x), tape.batch_jacobian(z, x), tape.jacobian(y, [x, x])[1]

    x = tf.constant([[1.0, 2.0], [3.0, 4.0]], tf.float64)
    whole, batch, again = (tf.function(jacobians) if staged else jacobians)(x)
    expected, _ = tf.test.compute_gradient(lambda x: tf.matmul(x, x), [x])
    np.testing.assert_allclose(np.reshape(whole, (4, 4)), expected[0])
    np.testing.assert_allclose(whole, again)
    expected, _ = tf.test.compute_gradient(lambda x: tf.sin(x) * x[:, :1], [x])
    blocks = np.reshape(expected[0], (2, 2, 2, 2))
    np.testing.assert_allclose(batch, [blocks[k, :, k] for k in range(2)])


def test_jacobians_without_path_and_of_nothing():
    x, none = tf.constant([1.0, 2.0]), tf.zeros([0, 2])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, none])
        y, empty = tf.constant([[1.0], [2.0]]), none * 2.0
    assert tape.jacobian(y, x) is None
    zero = tf.UnconnectedGradients.ZERO
    assert tape.jacobian(y, x, unconnected_gradients=zero).shape == (2, 1, 2)
    assert tape.jacobian(empty, none).shape == (0, 2, 0, 2)
    assert value(tape.batch_jacobian(y, tf.constant([[1.0], [2.0]]))) == [[[0.0]], [[0.0]]]
    with pytest.raises(ValueError, match="Need first dimension of target shape"):
        tape.batch_jacobian(y, tf.constant([[1.0]]))
    with pytest.raises(ValueError, match="must have rank at least 2"):
        tape.batch_jacobian(y, x)


def test_a_tape_in_a_function_records_only_its_block():
    @tf.function
    def f(x):
        y = x * x
        with tf.GradientTape() as tape:
            tape.watch(x)
            z = y * x
        return tape.gradient(z, x)

    assert value(f(tf.constant(3.0))) == 9.0


def test_a_tape_in_a_function_watches_eager_tensors_from_outside():
    c = tf.constant(3.0)

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(c)
            y = c * c * x
        return tape.gradient(y, c)

    assert value(f(tf.constant(2.0))) == 12.0


def test_iterating_over_a_tensor_is_recorded():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = sum(item * item for item in x)
    assert value(tape.gradient(y, x)) == [2.0, 4.0, 6.0]


def test_effects_that_saved_too_little_are_refused():
    v = tf.Variable(0.0)

    @tf.function
    def f(x):
        v.assign_add(1.0)
        while x < 10.0:
            x = x * x
        return x

    x = tf.constant(1.5)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
        for _ in range(2):
            y = tape.gradient(y, x)
        with pytest.raises(RuntimeError, match="one more tape around the call"):
            tape.gradient(y, x)
    assert value(v) == 1.0


def test_gradients_are_for_graphs():
    with pytest.raises(RuntimeError, match="Use tf.GradientTape instead"):
        tf.gradients(tf.constant(1.0), tf.constant(1.0))


def test_what_a_handler_takes_from_an_interrupted_body_is_refused():
    def f(x):
        y = x
        try:
            y = tf.sin(x)
            if x > 0.5:
                raise ValueError("large")
        except ValueError:
            y = y * 3.0
        return y

    x = tf.constant(0.7)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(f)(x)
    with pytest.raises(LookupError) as caught:
        tape.gradient(y, x)
    assert "No gradient defined for the op 'try', used at" in str(caught.value)
    assert "Compute it before the 'try'" in str(caught.value)


def test_inside_a_function_that_calls_itself():
    @tf.function
    def f(x):
        if x < 1.0:
            return x
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x * 0.5) * x
        return tape.gradient(y, x)

    with pytest.raises(StagingError, match="calls itself, and the gradient of that call"):
        f(tf.constant(3.0))


def test_a_source_that_a_call_with_effects_does_not_pass_on():
    v, log = tf.Variable(2.0), tf.Variable(0.0)

    @tf.function
    def f(x):
        log.assign_add(1.0)
        return v * v + tf.stop_gradient(x)

    x = tf.constant(1.0)
    with tf.GradientTape(persistent=True) as tape:
        y = f(x)
    assert tape.gradient(y, x) is None and float(tape.gradient(y, v)) == 4.0
    assert float(log) == 1.0


def test_watch_names_what_cannot_be_watched_before_the_block():
    with pytest.raises(ValueError, match="ndarray"):
        tf.GradientTape().watch(np.array(1.0))


def test_a_jacobian_row_by_row_asks_for_a_persistent_tape():
    x = tf.constant([[1.0, 2.0]])
    for persistent in (False, True):
        with tf.GradientTape(persistent) as tape:
            tape.watch(x)
            y = x * x
        if persistent:
            rows = tape.batch_jacobian(y, x, experimental_use_pfor=False)
            assert rows.numpy().tolist() == [[[2.0, 0.0], [0.0, 4.0]]]
        else:
            with pytest.raises(RuntimeError, match="persistent=True"):
                tape.jacobian(y, x, experimental_use_pfor=False)
            with pytest.raises(RuntimeError, match="persistent=True"):
                tape.batch_jacobian(y, x, experimental_use_pfor=False)


def test_a_call_may_give_what_has_no_derivative():
    count = tf.Variable(0.0)

    @tf.function
    def f(x):
        count.assign_add(1.0)
        return x * x, tf.numpy_function(np.sin, [x], tf.float32)

    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, seen = f(x)
    assert float(tape.gradient(y, x)) == 6.0 and float(count) == 1.0
    with pytest.raises(LookupError, match="No gradient defined for the op 'py_func'"):
        tape.gradient(seen, x)


@pytest.mark.parametrize("x", [0.5, -0.5])
def test_each_branch_has_what_it_saved_itself(x):
    """The tape is outside of the function: what a branch saves for the gradient is a result."""

    @tf.function
    def f(x):
        if x > 0:
            y = tf.sin(x) * tf.exp(x)
        else:
            y = tf.exp(tf.exp(x) * x) * tf.cos(x)
        return y

    expected = np.exp(x) * (np.sin(x) + np.cos(x))
    if x < 0:
        expected = np.exp(np.exp(x) * x) * (np.exp(x) * (1 + x) * np.cos(x) - np.sin(x))
    at = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(at)
        y = f(at)
    np.testing.assert_allclose(tape.gradient(y, at).numpy(), expected, rtol=1e-5)
