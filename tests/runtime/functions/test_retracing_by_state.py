"""``explain()`` names the state that made a function be traced again."""

import runtime as tf


class Meter:
    """What a function reads and writes."""

    def __init__(self):
        self.mode = "up"
        self.total = 0.0

    def read(self, x):
        return x + 1 if self.mode == "up" else x - 1

    def add(self, x):
        self.total = self.total + x
        return self.total


def test_an_attribute_that_is_read():
    meter = Meter()
    read = tf.jit(meter.read)
    assert read(1) == 2
    meter.mode = "down"
    assert read(1) == 0
    reasons = [record.reason for record in read.explain().traces]
    assert reasons[0] == "it is the first trace"
    assert reasons[1:] == [
        "trace 1 has these arguments, but the state differs by now: 'self.mode'"
    ]


def test_an_attribute_that_is_carried():
    meter = Meter()
    add = tf.function(meter.add)
    add(tf.constant(1.0))
    add(tf.constant(1.0))
    meter.total = tf.constant([1.0, 2.0])
    add(tf.constant(1.0))
    last = add.explain().traces[-1].reason
    assert last.endswith("the state differs by now: 'self.total'")
