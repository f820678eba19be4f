"""Optimizers: in functions and sessions, what can be set, configs, rows, errors."""

import inspect
import json
import warnings

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from tests.support.extras import needs

optimizers, schedules = keras.optimizers, keras.optimizers.schedules
NAMES = [
    n for n in optimizers.__all__ if n[0].isupper() and n not in ("LossScaleOptimizer", "Optimizer")
]


def variables():
    return [tf.Variable([1.0, -2.0], name="w"), tf.Variable([[0.5, 0.25]], name="part/b")]


def loss_of(found):
    return tf.reduce_sum(tf.square(found[0])) + tf.reduce_sum(tf.square(found[1] - 3.0))


def trained(optimizer, way, found):
    """Two steps towards the least of a loss; state is made in the first one."""

    def step():
        with tf.GradientTape() as tape:
            loss = loss_of(found)
        optimizer.apply_gradients(zip(tape.gradient(loss, found), found))
        return loss

    run = way(step)
    losses = [run().numpy() for _ in range(2)]
    assert losses[1] < losses[0]
    return np.concatenate([v.numpy().reshape(-1) for v in (*found, *optimizer.variables)])


@pytest.mark.parametrize("name", NAMES)
def test_state_is_made_in_the_first_call_of_a_function(name):
    ways = [lambda f: f, tf.function, lambda f: tf.function(f, jit_compile=True)]
    kind = getattr(optimizers, name)
    found = [trained(kind(0.01), way, variables()) for way in ways]
    np.testing.assert_allclose(found[1], found[0], rtol=1e-6)
    np.testing.assert_allclose(found[2], found[0], rtol=1e-6)


@pytest.mark.parametrize("name", ["SGD", "Adam", "Nadam"])
def test_a_session_trains(name):
    wanted = trained(getattr(optimizers, name)(0.01), lambda f: f, variables())
    with tf.Graph().as_default(), tf.Session() as session:
        found = variables()
        optimizer = getattr(optimizers, name)(0.01)
        update = optimizer.minimize(loss_of(found), found)
        session.run(tf.global_variables_initializer())
        assert [session.run(update) for _ in range(2)] == [1, 2]
        values = session.run([*found, *optimizer.variables])
        assert optimizer.get_config()["learning_rate"] == 0.01
    np.testing.assert_allclose(np.concatenate([v.reshape(-1) for v in values]), wanted, rtol=1e-6)


def test_accumulation_in_a_session():
    with tf.Graph().as_default(), tf.Session() as session:
        found = [tf.Variable([1.0])]
        update = optimizers.SGD(1.0, gradient_accumulation_steps=2).apply([[0.5]], found)
        session.run(tf.global_variables_initializer())
        after = [(session.run(update), session.run(found[0]).tolist())[1] for _ in range(4)]
    assert after == [[1.0], [0.5], [0.5], [0.0]]


def test_variables_are_named_after_those_they_belong_to():
    optimizer = optimizers.SGD(momentum=0.9, name="mine")
    optimizer.build(variables())
    assert [v.name for v in optimizer.variables] == [
        "iteration", "learning_rate", "w_momentum", "part_b_momentum",
    ]  # fmt: skip
    assert optimizer.iterations.dtype == tf.int64 and not any(
        v.trainable for v in optimizer.variables
    )


def test_learning_rates_can_be_set_or_are_computed():
    optimizer, weight = optimizers.SGD(0.5), tf.Variable(1.0)
    step = tf.function(lambda: optimizer.apply_gradients([(tf.constant(1.0), weight)]))
    step()
    optimizer.learning_rate = 0.25
    step()
    assert weight.numpy() == 0.25 and float(optimizer.learning_rate) == 0.25
    optimizer = optimizers.SGD(schedules.ExponentialDecay(1.0, 1, 0.5))
    assert optimizer.learning_rate.numpy() == 1.0
    optimizer.apply([tf.constant(1.0)], [weight])
    assert optimizer.learning_rate.numpy() == 0.5
    with pytest.raises(TypeError, match="its learning rate cannot be set"):
        optimizer.learning_rate = 0.1
    assert optimizers.SGD(lambda: 0.125).learning_rate == 0.125

    class Halves(schedules.LearningRateSchedule):
        def __call__(self, step):
            if step < 1:
                return 1.0
            return 0.5

    optimizer, weight = optimizers.SGD(Halves()), tf.Variable(2.0)
    step = tf.function(lambda: optimizer.apply_gradients([(tf.constant(1.0), weight)]))
    step(), step()
    assert weight.numpy() == 0.5


def test_rows_of_one_index_add_up():
    for name in ("SGD", "Adam"):
        found = []
        for dense in (False, True):
            table = tf.Variable(tf.ones([4, 2]))
            rows = tf.IndexedSlices(tf.constant([[1.0, 2.0], [3.0, 4.0]]), [1, 1], [4, 2])
            gradient = tf.convert_to_tensor(rows) if dense else rows
            getattr(optimizers, name)(0.1).apply([gradient], [table])
            found.append(table.numpy())
        assert np.array_equal(*found), name


def test_constraints_averages_and_weight_decay():
    weight = tf.Variable([1.0, -1.0], constraint=keras.constraints.NonNeg())
    optimizers.SGD(0.5).apply([tf.constant([4.0, -1.0])], [weight])
    assert weight.numpy().tolist() == [0.0, 0.0]
    w, b = variables()
    optimizer = optimizers.SGD(1.0, weight_decay=0.5)
    optimizer.exclude_from_weight_decay(var_names=["part"])
    optimizer.apply([tf.zeros([2]), tf.zeros([1, 2])], [w, b])
    assert w.numpy().tolist() == [0.5, -1.0] and b.numpy().tolist() == [[0.5, 0.25]]
    with pytest.raises(ValueError, match="before the optimizer is built"):
        optimizer.exclude_from_weight_decay([w])
    assert optimizers.SGD(loss_scale_factor=4.0).scale_loss(tf.constant(2.0)).numpy() == 8.0


@pytest.mark.parametrize("name", NAMES)
def test_optimizers_go_through_json_and_back(name):
    given = getattr(optimizers, name)(
        schedules.PolynomialDecay(0.5, 3), name="mine", clipnorm=0.5, use_ema=True
    )
    config = json.loads(json.dumps(optimizers.serialize(given)))
    again = optimizers.deserialize(config)
    assert type(again) is type(given) and again.get_config() == given.get_config()
    assert again.get_config()["learning_rate"]["module"] == "keras.optimizers.schedules"
    assert type(optimizers.get(name)) is type(optimizers.get(name.lower())) is type(given)
    shown = list(inspect.signature(type(given)).parameters)
    assert {"learning_rate", "clipnorm", "use_ema", "gradient_accumulation_steps"} <= set(shown)
    assert "args" not in shown


@needs("jit")
@pytest.mark.parametrize("name", [n for n in NAMES if n not in ("Lamb", "Adafactor", "AdamW")])
def test_an_update_is_one_loop_of_machine_code(name):
    weight = tf.Variable(tf.ones([8, 4]))
    optimizer = getattr(optimizers, name)(0.1)
    optimizer.build([weight])

    @tf.function(jit_compile=True)
    def step(gradient):
        optimizer.apply([gradient], [weight])

    step(tf.ones([8, 4]))
    assert step.kernel_ir().count("= fusion ") == 1


def test_minimize_takes_functions_and_tapes():
    first, second = tf.Variable(1.0), tf.Variable(1.0)
    optimizers.SGD(0.25).minimize(lambda: first * first, [first])
    with tf.GradientTape() as tape:
        loss = second * second
    optimizers.SGD(0.25).minimize(loss, [second], tape)
    assert first.numpy() == second.numpy() == 0.5
    with pytest.raises(ValueError, match="`tape` is required"):
        optimizers.SGD().minimize(loss, [second])


def test_an_optimizer_of_the_users():
    class Signs(optimizers.Optimizer):
        def update_step(self, gradient, variable, learning_rate):
            variable.assign_sub(tf.sign(gradient) * tf.cast(learning_rate, variable.dtype))

    weight = tf.Variable([1.0, 2.0])
    optimizer = Signs(0.5)
    assert optimizer.apply([tf.constant([3.0, -3.0])], [weight]) is optimizer.iterations
    assert weight.numpy().tolist() == [0.5, 2.5] and optimizer.name.startswith("signs")


def built():
    optimizer = optimizers.SGD()
    optimizer.build([tf.Variable(1.0)])
    return optimizer


ERRORS = {
    "unknown": (lambda: optimizers.get("adan"),
                "Could not interpret optimizer identifier: adan. Did you mean 'adam'?"),
    "arguments": (lambda: optimizers.SGD(bogus=3), "Argument(s) not recognized: {'bogus': 3}"),
    "rate": (lambda: optimizers.SGD("fast"),
             "Argument `learning_rate` should be float, or an instance of LearningRateSchedule, or "
             "a callable without arguments that returns the learning rate. Received instead: "
             "learning_rate=fast"),
    "clipping": (lambda: optimizers.SGD(clipnorm=1.0, clipvalue=2.0),
                 "Only one of `clipnorm`, `clipvalue` and `global_clipnorm` can be set. Received: "
                 "clipnorm=1.0, clipvalue=2.0, global_clipnorm=None"),
    "momentum": (lambda: optimizers.SGD(momentum=2), "`momentum` must be a float between [0, 1]."),
    "ema": (lambda: optimizers.SGD(use_ema=True, ema_momentum=3),
            "`ema_momentum` must be in the range [0, 1]. Received: ema_momentum=3"),
    "accumulation": (lambda: optimizers.SGD(gradient_accumulation_steps=1),
                     "`gradient_accumulation_steps` must be an integer >= 2. Received: "
                     "gradient_accumulation_steps=1"),
    "none": (lambda: optimizers.SGD().apply_gradients([(None, tf.Variable(1.0))]),
             "No gradients provided for any variable."),
    "empty": (lambda: optimizers.SGD().apply_gradients([]),
              "No gradients provided for any variable."),
    "number": (lambda: built().apply([tf.constant(1.0)] * 2),
               "Gradients that are given without variables must match those of build() one by one. "
               "Received 2 gradients; there are 1 variables."),
    "other": (lambda: built().apply([tf.constant(1.0)], [tf.Variable(5.0, name="other")]),
              "Unknown variable: <tf.Variable 'other:0' shape=() dtype=float32, numpy=5.0>. This "
              "optimizer can only be called for the variables it was built with; make another one "
              "for other variables."),
    "boundaries": (lambda: schedules.PiecewiseConstantDecay([1, 2], [1.0, 2.0]),
                   "The length of boundaries should be 1 less than the length of values. Received: "
                   "boundaries=[1, 2] of length 2, and values=[1.0, 2.0] of length 2."),
    "steps": (lambda: schedules.CosineDecay(0.1, 0),
              "Argument `decay_steps` must be > 0. Received: decay_steps=0"),
    "ftrl": (lambda: optimizers.Ftrl(beta=-1.0),
             "`beta` needs to be positive or zero. Received: beta=-1.0."),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_errors_say_what_is_wrong(name):
    run, text = ERRORS[name]
    with pytest.raises(ValueError) as raised:
        run()
    assert str(raised.value) == text


def test_variables_without_a_gradient_are_named():
    w, b = variables()
    with pytest.warns(UserWarning, match=r"Gradients do not exist for variables \['part/b:0'\]"):
        optimizers.SGD(1.0).apply_gradients([(tf.ones([2]), w), (None, b)])
    assert w.numpy().tolist() == [0.0, -3.0] and b.numpy().tolist() == [[0.5, 0.25]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        optimizers.SGD(1.0).apply_gradients([(tf.ones([2]), w)])
