"""Functions of images, composed of operations: TensorFlow's ``tf.image``."""
