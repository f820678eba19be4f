"""Beam search: the best sentences of a word model, keeping a few candidates at each step.

`log_probs[a, b]` is the score of word b after word a; word 0 ends a sentence.
"""

import runtime as tf


def beam_search(log_probs, start, width, length):
    words = log_probs.shape[0]
    positions = tf.range(length)
    sentences = tf.zeros([width, length], tf.int32)
    last = tf.fill([width], start)
    # All candidates begin alike: only the first one may spread.
    scores = tf.where(tf.range(width) == 0, 0.0, -1e9)
    for step in tf.range(length):
        spread = scores[:, tf.newaxis] + tf.gather(log_probs, last)
        scores, places = tf.math.top_k(tf.reshape(spread, [-1]), k=width)
        parents = places // words
        last = places % words
        sentences = tf.gather(sentences, parents)
        sentences = tf.where(positions == step, last[:, tf.newaxis], sentences)
        if tf.reduce_all(last == 0):
            break
    return sentences, scores


def inputs():
    probabilities = tf.constant(
        [
            [1.0, 1e-9, 1e-9, 1e-9],
            [0.1, 0.2, 0.3, 0.4],
            [0.5, 0.2, 0.1, 0.2],
            [0.3, 0.1, 0.55, 0.05],
        ]
    )
    return tf.math.log(probabilities), tf.constant(1), 3, 6


if __name__ == "__main__":
    for result in tf.function(beam_search)(*inputs()):
        print(result)
