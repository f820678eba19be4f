"""Options of datasets: accepted, because programs written for TensorFlow set them.

All of them are hints about speed, sharding or order.  The order of elements is always the same
here, which every option allows, so none has an effect.
"""

from __future__ import annotations

import enum
from typing import Any


class AutoShardPolicy(enum.IntEnum):
    """Values of ``Options().experimental_distribute.auto_shard_policy``."""

    OFF = -1
    AUTO = 0
    FILE = 1
    DATA = 2
    HINT = 3


_NAMES = {
    "": "autotune dataset_name deterministic experimental_deterministic experimental_distribute "
    "experimental_external_state_policy experimental_optimization experimental_slack "
    "experimental_symbolic_checkpoint experimental_threading experimental_warm_start "
    "framework_type threading",
    "autotune": "autotune_algorithm cpu_budget enabled initial_parallelism min_parallelism "
    "ram_budget",
    "experimental_distribute": "auto_shard_policy num_devices",
    "experimental_optimization": "apply_default_optimizations filter_fusion "
    "filter_parallelization inject_prefetch map_and_batch_fusion map_and_filter_fusion map_fusion "
    "map_parallelization noop_elimination parallel_batch seq_interleave_prefetch "
    "shuffle_and_repeat_fusion",
    "experimental_threading": "max_intra_op_parallelism private_threadpool_size",
    "threading": "max_intra_op_parallelism private_threadpool_size",
}


class Options:
    """Settings for ``Dataset.with_options``, each None until it is set; without effect here.

    AttributeError for a name that is no option of TensorFlow's.
    """

    def __init__(self, _group: str = "") -> None:
        for name in _NAMES[_group].split():
            vars(self)[name] = Options(name) if name in _NAMES else None

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in vars(self):
            raise AttributeError(
                f"data.Options has no option {name!r}. It has {', '.join(vars(self))}."
            )
        vars(self)[name] = value

    def __repr__(self) -> str:
        changed = {name: value for name, value in vars(self).items() if value is not None}
        return f"Options({changed})"
