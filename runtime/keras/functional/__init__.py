"""The functional API: models of what is computed from ``Input`` tensors."""


import runtime.keras.layers  # noqa: F401 - the rooms import each other, and layers come first
