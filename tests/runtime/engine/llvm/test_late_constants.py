"""Shapes that constant folding finds, where the graph does not know the sizes of the result."""

import numpy as np
import pytest

import runtime as tf
from runtime.types.flags import JIT
from tests.support.extras import needs

pytestmark = needs("jit")


def folded(*numbers):
    """Ints that inference does not know, and constant folding does."""
    return tf.bitwise.invert(tf.bitwise.invert(tf.constant(numbers)))


PROGRAMS = {
    "tile": lambda x: tf.tile(x, folded(3, 2)),
    "tile, none": lambda x: tf.tile(x, folded(0, 1)),
    "tile, negative": lambda x: tf.tile(x, folded(1, -1)),
    "gradient of tile": lambda x: tf.gradients(tf.tile(x, folded(2, 3)), [x])[0],
    "pad, negative": lambda x: tf.pad(x, tf.reshape(folded(-1, 2, 0, 3), [2, 2])),
    "pad": lambda x: tf.pad(x, tf.reshape(folded(1, 2, 0, 3), [2, 2])),
    "broadcast": lambda x: tf.broadcast_to(x, folded(2, 1, 4)) * 2.0 + 1.0,
    "broadcast, not fitting": lambda x: tf.broadcast_to(x, folded(2, 3)) + 1.0,
    "broadcast, negative": lambda x: tf.broadcast_to(x, folded(-1, 4)) + 1.0,
    "broadcast, of fewer axes": lambda x: tf.broadcast_to(x, folded(4)) + 1.0,
    "sum of broadcast": lambda x: tf.reduce_sum(tf.broadcast_to(x, folded(3, 4)) * 2.0, 0),
    "repeat": lambda x: tf.repeat(x, folded(3)[0], 0),
    "roll": lambda x: tf.roll(x, folded(3)[0], 1),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_reference(name):
    x = np.arange(4.0).reshape(1, 4)
    found = []
    for choice in ("never", "always"):
        with JIT(choice):
            function = tf.function(PROGRAMS[name], autograph=False)
            try:
                found.append(function(tf.constant(x)).numpy().tolist())
            except tf.errors.InvalidArgumentError as error:
                found.append(str(error))
    assert found[0] == found[1]
    if "gradient" not in name and not isinstance(found[0], str):
        assert found[0] == PROGRAMS[name](tf.constant(x)).numpy().tolist()
