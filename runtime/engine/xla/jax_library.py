"""JAX, which the extra ``xla`` installs: imported when something is first compiled for XLA."""

from __future__ import annotations

import functools


@functools.cache
def missing() -> str:
    """Import JAX; return why that is impossible, or an empty text."""
    try:
        import jax
        import jax.numpy
    except ImportError as error:
        install = "pip install 'pyautograph[xla]'"
        return f"XLA needs JAX, which the extra xla installs ({install}): {error}"
    is_new = hasattr(jax, "enable_x64")
    return "" if is_new else f"XLA needs JAX 0.10 or newer, got {jax.__version__}"
