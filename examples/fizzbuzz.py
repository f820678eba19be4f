"""FizzBuzz: `print` inside a loop over a tensor prints when the graph runs, not while tracing.

`print(i)` would show dtype and shape, too; formatted, a tensor is its bare value.
"""

import autograph
import runtime as tf


def fizzbuzz(n):
    spoken = 0
    for i in tf.range(1, n + 1):
        if i % 15 == 0:
            print("FizzBuzz")
        elif i % 3 == 0:
            print("Fizz")
        elif i % 5 == 0:
            print("Buzz")
        else:
            print(f"{i}")
            continue
        spoken += 1
    return spoken


def inputs():
    return (tf.constant(15),)


if __name__ == "__main__":
    # Under `function` a bare print belongs to tracing; the feature stages it.
    run = tf.function(fizzbuzz, experimental_autograph_options=autograph.Feature.PRINT)
    print(run(*inputs()))
