"""Names of older versions of TensorFlow."""
