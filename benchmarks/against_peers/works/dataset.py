"""Datasets: 20,000 elements mapped and batched, and loops over a dataset, against TensorFlow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.against_peers.line import Call, Line, Target

COUNT = 20_000


def batches(tf: Any, count: int) -> Call:
    """Give the loop over batches of a mapped dataset."""
    data = tf.data.Dataset.range(count).map(lambda x: x * 2 + 1).batch(128)

    def run() -> Any:
        last = None
        for batch in data:
            last = batch
        return last

    return run


def elements(tf: Any, count: int) -> Call:
    """Give the loop over single elements, shuffled, those that are even."""
    data = tf.data.Dataset.range(count).filter(lambda x: x % 2 == 0).shuffle(1000)
    return lambda: sum(int(x) for x in data)


def staged(tf: Any, count: int) -> Call:
    """Give the loop inside a function."""

    @tf.function
    def total(n):
        found = tf.constant(0, tf.int64)
        for x, y in tf.data.Dataset.zip((tf.data.Dataset.range(n), tf.data.Dataset.range(n))):
            found += x * y
        return found

    size = tf.constant(count, tf.int64)
    return lambda: total(size)


def both(make: Callable[[Any, int], Call]) -> dict[str, Callable[[int], Call]]:
    """Give the systems: TensorFlow and ours, with the same program."""

    def in_tensorflow(count: int) -> Call:
        import tensorflow

        return make(tensorflow, count)

    def ours(count: int) -> Call:
        import runtime

        return make(runtime, count)

    return {"TensorFlow": in_tensorflow, "runtime": ours}


LINES = [
    Line(
        title,
        inputs=lambda: (COUNT,),
        small=lambda: (300,),
        systems=both(make),
        targets=(Target("runtime", 0.5, "TensorFlow"),),
    )
    for title, make in (
        ("20,000 elements through map and batch(128)", batches),
        ("20,000 elements through filter and shuffle, one by one", elements),
        ("20,000 pairs of elements in a staged loop", staged),
    )
]
