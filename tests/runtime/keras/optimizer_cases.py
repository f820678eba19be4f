"""Cases of optimizers, ten steps each with their options, and of schedules."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.runtime.keras.golden import Case, values

OPTIMIZERS: list[tuple[str, dict[str, Any]]] = [
    ("SGD", {"learning_rate": 0.1}),
    ("SGD", {"learning_rate": 0.1, "momentum": 0.9}),
    ("SGD", {"learning_rate": 0.1, "momentum": 0.9, "nesterov": True}),
    ("Adam", {"learning_rate": 0.1}), ("Adam", {"learning_rate": 0.1, "amsgrad": True}),
    ("Adam", {"beta_1": 0.8, "beta_2": 0.9, "epsilon": 1e-3}),
    ("AdamW", {"learning_rate": 0.1}), ("AdamW", {"weight_decay": 0.2, "amsgrad": True}),
    ("RMSprop", {"learning_rate": 0.1}), ("RMSprop", {"momentum": 0.9, "rho": 0.8}),
    ("RMSprop", {"centered": True}), ("RMSprop", {"centered": True, "momentum": 0.5}),
    ("Adagrad", {"learning_rate": 0.1}), ("Adagrad", {"initial_accumulator_value": 0.5}),
    ("Adadelta", {"learning_rate": 1.0}), ("Adadelta", {"learning_rate": 1.0, "rho": 0.8}),
    ("Adamax", {"learning_rate": 0.1}), ("Nadam", {"learning_rate": 0.1}),
    ("Ftrl", {"learning_rate": 0.1}),
    ("Ftrl", {"learning_rate": 0.1, "l1_regularization_strength": 0.05,
              "l2_regularization_strength": 0.1, "l2_shrinkage_regularization_strength": 0.2,
              "beta": 0.3, "learning_rate_power": -0.7}),
    ("Lion", {"learning_rate": 0.1}), ("Lion", {"beta_1": 0.5, "beta_2": 0.6}),
    ("Lamb", {"learning_rate": 0.1}), ("Adafactor", {"learning_rate": 0.1}),
    ("Adafactor", {"learning_rate": 0.1, "relative_step": False, "clip_threshold": 0.5}),
]  # fmt: skip
COMMON: list[dict[str, Any]] = [
    {"clipnorm": 0.5}, {"clipvalue": 0.2}, {"global_clipnorm": 0.5}, {"weight_decay": 0.1},
    {"use_ema": True}, {"use_ema": True, "ema_momentum": 0.5, "ema_overwrite_frequency": 3},
    {"loss_scale_factor": 8.0}, {"gradient_accumulation_steps": 3},
    {"gradient_accumulation_steps": 2, "clipnorm": 0.5, "weight_decay": 0.1},
    {"gradient_accumulation_steps": 2, "use_ema": True, "ema_overwrite_frequency": 2},
]  # fmt: skip
OPTIMIZERS += [("SGD", {"learning_rate": 0.1, "momentum": 0.9, **given}) for given in COMMON]
OPTIMIZERS += [("Adam", {"learning_rate": 0.1, **given}) for given in COMMON]
SCHEDULES: list[tuple[str, dict[str, Any]]] = [
    ("ExponentialDecay", {"initial_learning_rate": 0.3, "decay_steps": 3, "decay_rate": 0.5}),
    ("ExponentialDecay", {"initial_learning_rate": 0.3, "decay_steps": 3, "decay_rate": 0.5,
                          "staircase": True}),
    ("InverseTimeDecay", {"initial_learning_rate": 0.3, "decay_steps": 3, "decay_rate": 0.5}),
    ("InverseTimeDecay", {"initial_learning_rate": 0.3, "decay_steps": 3, "decay_rate": 0.5,
                          "staircase": True}),
    ("PiecewiseConstantDecay", {"boundaries": [2, 5], "values": [0.5, 0.2, 0.1]}),
    ("PolynomialDecay", {"initial_learning_rate": 0.3, "decay_steps": 5}),
    ("PolynomialDecay", {"initial_learning_rate": 0.3, "decay_steps": 5, "power": 0.5,
                         "end_learning_rate": 0.1, "cycle": True}),
    ("CosineDecay", {"initial_learning_rate": 0.3, "decay_steps": 7}),
    ("CosineDecay", {"initial_learning_rate": 0.1, "decay_steps": 5, "alpha": 0.2,
                     "warmup_target": 0.5, "warmup_steps": 3}),
    ("CosineDecayRestarts", {"initial_learning_rate": 0.3, "first_decay_steps": 3}),
    ("CosineDecayRestarts", {"initial_learning_rate": 0.3, "first_decay_steps": 4, "t_mul": 1.0,
                             "m_mul": 0.5, "alpha": 0.1}),
    ("CosineDecayRestarts", {"initial_learning_rate": 0.3, "first_decay_steps": 2, "t_mul": 1.5,
                             "m_mul": 0.8}),
]  # fmt: skip


def ten_steps(
    name: str, arguments: dict[str, Any], end: bool = False, rows: bool = False,
    bounded: bool = False,
) -> Case:
    """Ten steps of an optimizer for a vector and a matrix, by gradients of which some are large."""

    def make(tf: Any, keras: Any) -> Any:
        optimizer = made(keras, name, arguments)
        bound = keras.constraints.MaxNorm(1.0) if bounded else None
        first = tf.Variable(values(5), name="first", constraint=bound)
        second = tf.Variable(values(3, 4), name="second")
        optimizer.build([first, second])

        def run(noise: Any) -> Any:
            for i in tf.range(10):
                one = 0.5 * first + noise[i]
                two = second * tf.sin(tf.cast(i, tf.float32)) + noise[i, 0]
                if rows:
                    two = tf.IndexedSlices(two[:2], tf.stack([2 - i % 2, 0]), tf.constant([3, 4]))
                optimizer.apply_gradients([(one, first), (two, second)])
            if end:
                optimizer.finalize_variable_values([first, second])
            count = tf.cast(optimizer.iterations, tf.float32)
            both = [tf.reshape(first, [-1]), tf.reshape(second, [-1]), [count]]
            return tf.concat(both, 0)

        return run

    return Case(make, (values(10, 5, low=-1.5, high=1.5),), gradient=False)


def made(keras: Any, name: str, arguments: dict[str, Any]) -> Any:
    """An optimizer; a pair among the arguments is a schedule."""
    given = {
        key: getattr(keras.optimizers.schedules, value[0])(**value[1])
        if isinstance(value, tuple) else value
        for key, value in arguments.items()
    }  # fmt: skip
    return getattr(keras.optimizers, name)(**given)


def of_schedule(name: str, arguments: dict[str, Any]) -> Case:
    def make(tf: Any, keras: Any) -> Any:
        schedule = getattr(keras.optimizers.schedules, name)(**arguments)
        return lambda steps: tf.stack([schedule(steps[i]) for i in range(12)])

    return Case(make, (np.arange(12),), gradient=False)


CASES = {f"optimizers.{name}({given})": ten_steps(name, given) for name, given in OPTIMIZERS}
for NAME, GIVEN in SCHEDULES:
    CASES[f"schedules.{NAME}({GIVEN})"] = of_schedule(NAME, GIVEN)
CASES["optimizers.Adam scheduled"] = ten_steps("Adam", {"learning_rate": SCHEDULES[0]})
CASES["optimizers.SGD averaged at the end"] = ten_steps("SGD", {"use_ema": True}, end=True)
CASES["optimizers.SGD bounded"] = ten_steps("SGD", {"learning_rate": 0.1}, bounded=True)
CASES["optimizers.SGD bounded and averaged"] = ten_steps(
    "SGD", {"use_ema": True, "ema_momentum": 0.5, "ema_overwrite_frequency": 2}, bounded=True
)
for NAME in ("SGD", "Adam", "Adagrad", "RMSprop", "Ftrl", "Lion"):
    CASES[f"optimizers.{NAME} of rows"] = ten_steps(NAME, {"learning_rate": 0.1}, rows=True)
