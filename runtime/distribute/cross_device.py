"""Names of TensorFlow's ways to join values of several devices, for programs that choose one.

XLA chooses here (``jax.lax.psum``), so that they have no effect.
"""

from __future__ import annotations

__all__ = [
    "CrossDeviceOps", "HierarchicalCopyAllReduce", "NcclAllReduce", "ReductionToOneDevice",
]  # fmt: skip


class CrossDeviceOps:
    """Base of the ways to join values of several devices; without effect."""

    def __init__(self, num_packs: int = 1) -> None:
        if num_packs < 0:
            raise ValueError(
                f"{type(self).__name__} requires `num_packs` >= 0, but {num_packs} is specified"
            )
        self.num_packs = num_packs


class NcclAllReduce(CrossDeviceOps):
    """Sums by NCCL; without effect."""


class HierarchicalCopyAllReduce(CrossDeviceOps):
    """Sums by copies in two levels; without effect."""


class ReductionToOneDevice(CrossDeviceOps):
    """Sums on one device; without effect."""

    def __init__(self, reduce_to_device: str | None = None, accumulation_fn: object = None) -> None:
        super().__init__()
        self.reduce_to_device = reduce_to_device
        self.accumulation_fn = accumulation_fn
