"""``runtime.debugging``: assertions on tensors, as in TensorFlow."""

from runtime.ops.effects import Assert as Assert
