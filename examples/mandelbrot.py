"""The Mandelbrot set: for each point, how many turns pass before it escapes?

One loop moves the whole picture; it ends early once every point has escaped.
"""

import runtime as tf


def mandelbrot(re, im, limit):
    x = tf.zeros_like(re)
    y = tf.zeros_like(im)
    turns = tf.zeros_like(re, dtype=tf.int32)
    for _ in tf.range(limit):
        inside = x * x + y * y <= 4.0
        if not tf.reduce_any(inside):
            break
        turns += tf.cast(inside, tf.int32)
        x, y = (
            tf.where(inside, x * x - y * y + re, x),
            tf.where(inside, 2.0 * x * y + im, y),
        )
    return turns


def inputs():
    re, im = tf.meshgrid(tf.linspace(-2.0, 0.5, 39), tf.linspace(-1.1, 1.1, 17))
    return re, im, tf.constant(30)


def picture(turns, limit):
    """The counts as text, darker where the points stay longer."""
    shades = " .:-=+*#%@"
    return "\n".join("".join(shades[n * 9 // limit] for n in row) for row in turns.tolist())


if __name__ == "__main__":
    re, im, limit = inputs()
    print(picture(tf.function(mandelbrot)(re, im, limit).numpy(), int(limit)))
