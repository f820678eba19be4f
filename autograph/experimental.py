"""The names that TensorFlow keeps under ``tf.autograph.experimental``: those of the package."""

from autograph.api import do_not_convert
from autograph.features import Feature
from autograph.operators.iteration.loops import set_loop_options

__all__ = ["Feature", "do_not_convert", "set_loop_options"]
