"""``runtime.keras.mixed_precision``: half precision in layers whose weights are float32."""

from __future__ import annotations

from runtime.keras.dtype_policies import DTypePolicy as DTypePolicy
from runtime.keras.dtype_policies import dtype_policy as dtype_policy
from runtime.keras.dtype_policies import set_dtype_policy as set_dtype_policy
from runtime.keras.optimizers.loss_scaling import LossScaleOptimizer as LossScaleOptimizer

__all__ = [
    "DTypePolicy", "LossScaleOptimizer", "Policy", "dtype_policy", "global_policy",
    "set_dtype_policy", "set_global_policy",
]  # fmt: skip

Policy = DTypePolicy
global_policy = dtype_policy
set_global_policy = set_dtype_policy


def __dir__() -> list[str]:
    return __all__
