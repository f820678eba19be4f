"""Engine on XLA: graphs run under ``jax.jit``, on any device that JAX has."""
