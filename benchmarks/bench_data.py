"""Time per element of datasets, eagerly and staged, against TensorFlow where it is installed.

    python benchmarks/bench_data.py [ELEMENTS]

TensorFlow runs in the same process and takes turns.  Target: loops, and functions of single
elements, in a tenth of its time; no worse anywhere else.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from timing import medians, pin, spoken

import runtime


def programs(tf: Any, count: int) -> dict[str, Callable[[], object]]:
    """The same programs on a library: what they are, and how to run them."""
    data = tf.data.Dataset

    def goes_through(make: Callable[[], Any]) -> Callable[[], object]:
        def run() -> None:
            for _ in make():
                pass

        return run

    @tf.function
    def staged(n: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for x in data.range(n):
            total += x
        return total

    @tf.function
    def staged_pairs(n: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for x, y in data.zip((data.range(n), data.range(n))):
            total += x * y
        return total

    size = tf.constant(count, tf.int64)
    zero = tf.constant(0, tf.int64)
    numbers = data.range(count)
    return {
        "for x in range": goes_through(lambda: numbers),
        "map": goes_through(lambda: numbers.map(lambda x: x * 2 + 1)),
        "filter": goes_through(lambda: numbers.filter(lambda x: x % 2 == 0)),
        "shuffle, batch(100)": goes_through(lambda: numbers.shuffle(1000).batch(100)),
        "prefetch": goes_through(lambda: numbers.prefetch(10)),
        "map in 2 threads": goes_through(lambda: numbers.map(lambda x: x * 2 + 1, 2)),
        "staged loop": lambda: staged(size),
        "staged loop over pairs": lambda: staged_pairs(size),
        "reduce": lambda: numbers.reduce(zero, lambda total, x: total + x),
    }


def main() -> None:
    """Prints the time per element, and the ratio to TensorFlow's."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100000
    pin()
    try:
        import tensorflow
    except ImportError:
        tensorflow = None
    ours = programs(runtime, count)
    theirs = {} if tensorflow is None else programs(tensorflow, count)
    print(f"per element of {count}")
    for name, run in ours.items():
        candidates = {"runtime": run}
        if theirs:
            candidates["tensorflow"] = theirs[name]
        results = medians(candidates, rounds=3)
        line = f"  {name:<24} {spoken(results['runtime'] / count):>9}"
        if theirs:
            ratio = results["runtime"] / results["tensorflow"]
            line += f"   tensorflow {spoken(results['tensorflow'] / count):>9}   {ratio:.3f} x"
        print(line)


if __name__ == "__main__":
    main()
