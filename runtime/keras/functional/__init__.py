"""The functional API: models of what is computed from ``Input`` tensors."""
