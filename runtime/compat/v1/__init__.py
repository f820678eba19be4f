"""TensorFlow 1's names: variable scopes, initializers, templates, aliases."""
