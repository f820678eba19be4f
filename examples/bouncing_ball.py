"""A bouncing ball: simulate until it has come to rest, and leave the loop with `return`."""

import runtime as tf

GRAVITY = 9.81


def bouncing_ball(height, bounce, step, end):
    """Returns the number of bounces and the time at which the ball rests, or `end`."""
    speed = tf.zeros_like(height)
    time = tf.zeros_like(height)
    bounces = 0
    while time < end:
        speed -= GRAVITY * step
        height += speed * step
        time += step
        if height < 0:
            height = -height
            speed = -bounce * speed
            bounces += 1
            if speed < 0.5:
                return bounces, time
    return bounces, end


def inputs():
    return tf.constant(2.0), tf.constant(0.8), tf.constant(0.01), tf.constant(20.0)


if __name__ == "__main__":
    for result in tf.function(bouncing_ball)(*inputs()):
        print(result)
