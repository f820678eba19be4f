"""The L-BFGS method in plain Python: lists of the last steps, loops over them, a line search."""

import runtime as tf

HISTORY = 100


def dot(x, y):
    return tf.reduce_sum(x * y)


def direction(slope, steps, changes):
    """Down the slope, as the curvature that the last steps met tells."""
    along = -slope
    ratios = []
    for i in range(len(steps) - 1, -1, -1):
        ratio = dot(steps[i], along) / dot(steps[i], changes[i])
        along = along - ratio * changes[i]
        ratios.append(ratio)
    if len(steps) > 0:
        along = along * (dot(steps[-1], changes[-1]) / dot(changes[-1], changes[-1]))
    for i in range(len(steps)):
        back = dot(changes[i], along) / dot(steps[i], changes[i])
        along = along + (ratios.pop() - back) * steps[i]
    return along


def value_and_slope(function, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        value = function(x)
    return value, tape.gradient(value, x)


def lbfgs(function, x, turns):
    """The least value of a function of a vector that is found in so many turns, and where."""
    value, slope = value_and_slope(function, x)
    return more_turns(function, x, value, slope, [], [], turns)[:2]


def more_turns(function, x, value, slope, steps, changes, turns):
    """Turns from where others ended: there, and the steps and changes of slope of the last ones."""
    turn = 0
    while turn < turns and dot(slope, slope) > 1e-12:
        along = direction(slope, steps, changes)
        size = 1.0
        new_value, new_slope = value_and_slope(function, x + along)
        while new_value > value + 1e-4 * size * dot(slope, along) and size > 1e-6:
            size = size / 2.0
            new_value, new_slope = value_and_slope(function, x + size * along)
        step, change = size * along, new_slope - slope
        if dot(step, change) > 1e-10:
            steps.append(step)
            changes.append(change)
            if len(steps) > HISTORY:
                steps.pop(0)
                changes.pop(0)
        x, value, slope = x + step, new_value, new_slope
        turn += 1
    return x, value, slope, steps, changes


def valley(x):
    """Rosenbrock's: a narrow, bent valley, least at ones."""
    return tf.reduce_sum(100.0 * tf.square(x[1:] - tf.square(x[:-1])) + tf.square(1.0 - x[:-1]))


def inputs():
    return valley, tf.constant([-1.2, 1.0, -0.5, 0.8], tf.float64), tf.constant(100)


if __name__ == "__main__":
    print(*tf.function(lbfgs)(*inputs()))
