"""tf.function: signatures, cache keys, traces and concrete functions."""
