"""Layers of convolutions, and of pooling: what moves a window over the inner axes."""
