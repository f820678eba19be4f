"""An LSTM as a Python loop over time steps, stopping at the end of the longest sequence."""

import runtime as tf


def lstm(xs, lengths, weights, bias):
    """xs: [time, batch, features]; lengths: [batch]; returns the last output and memory."""
    batch, units = xs.shape[1], bias.shape[0] // 4
    h = tf.zeros([batch, units])
    c = tf.zeros([batch, units])
    step = 0
    for x in xs:
        if step >= tf.reduce_max(lengths):
            break
        gates = tf.matmul(tf.concat([x, h], axis=1), weights) + bias
        i, f, g, o = tf.split(gates, 4, axis=1)
        memory = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        output = tf.sigmoid(o) * tf.tanh(memory)
        # A sequence that has ended keeps its state.
        running = (step < lengths)[:, tf.newaxis]
        c = tf.where(running, memory, c)
        h = tf.where(running, output, h)
        step += 1
    return h, c


def inputs():
    time, batch, features, units = 6, 2, 3, 4
    xs = tf.sin(tf.reshape(tf.range(time * batch * features, dtype=tf.float32), [time, batch, -1]))
    size = (features + units) * 4 * units
    weights = tf.cos(tf.reshape(tf.range(size, dtype=tf.float32), [features + units, 4 * units]))
    return xs, tf.constant([3, 5]), weights, tf.zeros([4 * units])


if __name__ == "__main__":
    h, c = tf.function(lstm)(*inputs())
    print(h)
    print(c)
