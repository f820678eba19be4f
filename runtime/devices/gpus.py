"""What ``runtime.test`` says of GPUs."""

from __future__ import annotations

from typing import Any

from runtime.engine.device_registry import REGISTRY

__all__ = ["gpu_device_name", "is_gpu_available"]


def is_gpu_available(
    cuda_only: bool = False, min_cuda_compute_capability: Any = None
) -> bool:
    """Test whether there is a GPU.

    Args:
        cuda_only: whether GPUs of other makers do not count.
        min_cuda_compute_capability: without effect.
    Returns:
        True or False.
    """
    return bool(REGISTRY.physical("GPU"))


def gpu_device_name() -> str:
    """Return the name of the first GPU.

    Returns:
        "/device:GPU:0", or an empty string.
    """
    names = [d.short_name for d in REGISTRY.devices if d.device_type == "GPU"]
    return names[0] if names else ""
